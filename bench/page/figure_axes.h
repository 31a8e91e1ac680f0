/* figure_axes.h - the axes that all panels of a row of a figure share */
#ifndef DAELAB_FIGURE_AXES_H
#define DAELAB_FIGURE_AXES_H

#include "page/axis.h"
#include "page/figure.h"

typedef struct { axis x, y; } figure_axes;

/* All points of the row lie between them, and the levels of runs that failed. */
figure_axes figure_axes_of(const figure *f, int row);

#endif
