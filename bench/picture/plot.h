/* plot.h - pictures of results, drawn by gnuplot */
#ifndef DAELAB_PLOT_H
#define DAELAB_PLOT_H

#include "daelab/status.h"

typedef enum {
    PLOT_LINE,                  /* with a few marks */
    PLOT_POINTS,
    PLOT_TRACE,                 /* without marks, interrupted where a point is left out */
    PLOT_PATH,                  /* a trace in the plane: its panel has equal scales */
    PLOT_GUIDE,                 /* below the others: thin, grey, dashed */
    PLOT_THIN,                  /* thin, grey, interrupted where a point is left out */
    PLOT_TIMES                  /* thin vertical lines at x; y is not looked at */
} plot_style;

typedef struct {
    const char *label;
    plot_style style;
    int count;
    const double *x, *y;        /* [count]; points that are not finite, or not positive on a
                                   logarithmic axis, are left out */
} plot_curve;

typedef struct {
    const char *title, *xlabel, *ylabel;
    int log_x, log_y;
    int curves;
    const plot_curve *curve;
} plot_panel;

/* Draw panels in a grid of the given number of columns under one title into path, whose ending
 * chooses svg or png. Written beside its name and renamed. The same label has the same colour in
 * every panel. DAE_FILE where gnuplot is missing or fails (with its words), or the file cannot be
 * written; DAE_BAD_ARGUMENT where the ending is unknown or nothing can be drawn. */
dae_status plot_write(const char *path, const char *title, const plot_panel *panels, int count,
                      int columns, dae_report *report);

/* DAE_OK where path has an ending that can be drawn and gnuplot is there: to call before a long
 * run. */
dae_status plot_check(const char *path, dae_report *report);

#endif
