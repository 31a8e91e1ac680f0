/* work_report.h - work and precision as tables */
#ifndef DAELAB_WORK_REPORT_H
#define DAELAB_WORK_REPORT_H

#include "report/heading.h"
#include "study/work.h"

/* The result in tables and notes; NULL where memory is short. */
document *work_report(const work_result *r);

/* Parts of the report. */
table *work_point_grid(const study_specification *o, const work_curve *curves, int count);
table *work_at_grid(const study_specification *o, const work_curve *curves, int count);

/* Of several problems: one row for each point of the curves of each. */
table *work_summary_new(void);
void work_summary_add(table *summary, const work_result *r);

#endif
