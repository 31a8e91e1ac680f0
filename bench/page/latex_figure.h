/* latex_figure.h - a figure of a page in pgfplots */
#ifndef DAELAB_LATEX_FIGURE_H
#define DAELAB_LATEX_FIGURE_H

#include "page/figure.h"

#include <stdio.h>

/* What the preamble needs for it: packages, colours. */
void latex_figure_preamble(FILE *out);

void latex_figure(const figure *f, FILE *out);

#endif
