/* grid.h - a table of results, and its four faces: terminal, CSV, Markdown, JSON rows
 *
 * Cells are appended row by row. A number is written to csv and json so that it reads back exactly,
 * to a terminal or Markdown in its column's format; a number that is not finite is a missing value:
 * "-" to people, an empty cell in csv, null in json.
 */
#ifndef DAELAB_GRID_H
#define DAELAB_GRID_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

typedef struct grid grid;

/* Functions that allocate remember a failure; grid_failed answers whether any cell was lost. */
grid *grid_new(void);
void grid_free(grid *g);
int grid_failed(const grid *g);

/* All columns first. title is for people ("position"), name for machines ("error_position");
 * format is printf's for one double ("%.3e"), or NULL for a column of text. */
void grid_column(grid *g, const char *name, const char *title, const char *format);

void grid_text(grid *g, const char *text);
void grid_number(grid *g, double x);

/* A rule before the next row: sets studies apart in a table; csv and json ignore it. */
void grid_rule(grid *g);

void grid_print_table(const grid *g, FILE *out);        /* aligned, numbers to the right */
void grid_print_markdown(const grid *g, FILE *out);     /* a GitHub table */
void grid_print_csv(const grid *g, FILE *out);          /* RFC 4180, lines end in \n; names first */
json_t *grid_json(const grid *g);           /* {"columns": [...], "rows": [[...]]}; NULL: failed */

/* A new grid with rows of g, so many (2 at least), evenly spread from the first to the last; NULL where memory is
 * short, or g has no more than that. */
grid *grid_spread(const grid *g, size_t rows);

/* What a grid holds: row after row, column after column. */
size_t grid_columns(const grid *g);
size_t grid_rows(const grid *g);
const char *grid_title(const grid *g, size_t column);
const char *grid_format(const grid *g, size_t column);          /* NULL: of text */
int grid_ruled(const grid *g, size_t row);                      /* is a rule above it? */

/* A text, or NULL and *x, which is not finite where the value is missing. */
const char *grid_value(const grid *g, size_t row, size_t column, double *x);

#endif
