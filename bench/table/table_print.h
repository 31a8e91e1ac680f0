/* table_print.h - a table in text: for a terminal, as CSV, in Markdown, in LaTeX
 *
 * A number is written to CSV so that it reads back exactly, to people in its column's format. formats.def has these
 * functions in its rows.
 */
#ifndef DAELAB_TABLE_PRINT_H
#define DAELAB_TABLE_PRINT_H

#include "table/format.h"
#include "table/table.h"

/* Aligned, numbers to the right, as wide as the terminal; width 0: as wide as it is. What is too wide loses, in this
 * order and only as far as needed: columns without a value; columns with the same value in all rows, which is told
 * above the table; long texts that only some rows have, which go below it; long texts of all rows, which are broken;
 * what exponents do not need; digits behind the third. What is too wide then is printed in parts, one below the other.
 * What was left out is said; a table of one row stands upright. Of many rows so many at most (2 or more), evenly
 * spread; 0: all. */
void table_print(const table *t, size_t width, int rows, FILE *out);

void table_print_csv(const table *t, FILE *out);        /* RFC 4180, lines end in \n; names first */
void table_print_markdown(const table *t, FILE *out);   /* a GitHub table */

/* A tabular with booktabs and siunitx: numbers as \num{} to the right, texts escaped to the left, and the rules. */
void table_print_latex(const table *t, FILE *out);

#endif
