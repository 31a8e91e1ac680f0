/* work_axis.h - what a picture of work and precision has on its axes */
#ifndef DAELAB_WORK_AXIS_H
#define DAELAB_WORK_AXIS_H

#include "plots/sheet.h"
#include "study/work.h"

typedef struct {
    work_quantity q;
    const char *label;          /* "error, position [m]" */
    int log;                    /* all but digits are positive over decades */
} work_axis;

/* Across (0) or up (1): as chosen, or time and the error of the class that the study is about. */
work_axis work_axis_of(plot_sheet *s, const study_specification *o, int up);

/* Of a point; NaN where it failed or has none. */
double work_axis_value(const study_specification *o, const work_axis *a, const work_point *p);

#endif
