/* grid_latex.h - a table for LaTeX, with booktabs and siunitx */
#ifndef DAELAB_GRID_LATEX_H
#define DAELAB_GRID_LATEX_H

#include "output/grid.h"

/* A tabular: numbers as \num{} to the right, texts escaped to the left, rules where the grid has them. */
void grid_print_latex(const grid *g, FILE *out);

/* Text with what is special in LaTeX escaped, on one line. */
void latex_escaped(const char *text, FILE *out);

#endif
