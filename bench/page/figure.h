/* figure.h - curves of one set of data in panels with common axes
 *
 * A facet is a set of curves (one formulation), a row a pair of quantities; the panel in row r and facet f
 * shows the curves of f in the quantities of r. All panels of a row have the same axes.
 */
#ifndef DAELAB_FIGURE_H
#define DAELAB_FIGURE_H

#include "page/arena.h"

enum { FIGURE_X = 1, FIGURE_Y = 2 };    /* the axes that a reader may put a quantity on */

typedef struct {
    const char *label, *unit;           /* unit "": a pure number */
    int log;
    unsigned sides;
} figure_quantity;

typedef struct {
    int series;
    int count;
    double **value;                     /* [quantities][count]; NaN: missing */
    const char **note;                  /* [count] what is said of a point, e.g. why its run failed; or "" */
    char *failed;                       /* [count] its run failed: it has a mark of its own */
} figure_curve;

typedef struct {
    const char *title;
    int curves;
    figure_curve *curve;
} figure_facet;

typedef struct { const char *title; int x, y; } figure_row;

typedef struct {
    const char *id, *title, *caption, *command;         /* command "": none that reproduces it */
    int quantities, series, facets, rows;
    figure_quantity *quantity;
    const char **label;                 /* [series] */
    figure_facet *facet;
    figure_row *row;
    int chooses;                        /* axes may be chosen by the reader */
    int guides;                         /* lines of slope 1, 2, ..., so many */
    int steps;                          /* a value lasts until the next one */
} figure;

/* Is point k of a curve there in the quantities of a row? */
int figure_has_point(const figure_row *row, const figure_curve *curve, int k);

/* Has the panel of row and facet a point, or a run that failed? */
int figure_shows(const figure_row *row, const figure_facet *facet);

/* Does a point of the figure lie at zero, or below, on a logarithmic axis of some row? */
int figure_clips(const figure *f);

/* Is there a run that failed and has a mark? */
int figure_fails(const figure *f);

#endif
