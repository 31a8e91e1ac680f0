/* plot_tikz.h - pages of a picture as pgfplots code, with their data, for LaTeX */
#ifndef DAELAB_PLOT_TIKZ_H
#define DAELAB_PLOT_TIKZ_H

#include "picture/plot_tags.h"

#include <stdio.h>

/* A file that LaTeX takes by itself, a page for each page, and that a document which loads pgfplots can \input. */
void plot_tikz(const plot_document *d, FILE *out);

#endif
