/* plot_script.h - pages of a picture as a script for gnuplot, with their data */
#ifndef DAELAB_PLOT_SCRIPT_H
#define DAELAB_PLOT_SCRIPT_H

#include "picture/plot_tags.h"

#include <stdio.h>

typedef enum { PLOT_SVG, PLOT_PNG, PLOT_PDF, PLOT_TEX, PLOT_KINDS } plot_kind;

/* A string of gnuplot, quoted. */
void plot_put_text(FILE *out, const char *s);

/* Pages first ... first + count - 1, of one size, as a picture of a kind that gnuplot draws, to its standard output
 * or into a file of this name (NULL: that). */
void plot_script(const plot_document *d, int first, int count, plot_kind kind, const char *name, FILE *out);

#endif
