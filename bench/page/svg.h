/* svg.h - a panel of a figure as an SVG element */
#ifndef DAELAB_SVG_H
#define DAELAB_SVG_H

#include "page/figure.h"

#include <stdio.h>

/* Panel (row, facet): axes, marks and lines with classes s0, s1, ... of the series; its colours are those of the
 * page's style. */
void svg_panel(const figure *f, int row, int facet, FILE *out);

/* The mark and line of a series, for a legend. */
void svg_key(int series, FILE *out);

enum { SVG_COLOURS = 8 };

#endif
