/* table.h - a tidy table: one row for each thing measured, columns found by their names
 *
 * Rows are filled cell by cell, by the name of the column; a column that is not there yet is added, so that
 * rows of several problems have the columns of all of them. A cell that nobody filled is a missing value, and so
 * are a number that is not finite and an empty text.
 */
#ifndef DAELAB_TABLE_H
#define DAELAB_TABLE_H

#include "output/grid.h"

#include <daelab/status.h>

typedef struct table table;

/* Functions that allocate remember a failure; table_failed answers whether anything was lost. */
table *table_new(void);
void table_free(table *t);
int table_failed(const table *t);

/* Something of it was lost. */
void table_fail(table *t);

/* Begin a row. */
void table_row(table *t);

/* What columns tell of a run, which says how two results are compared: which run it was (a setting; a level, by which
 * the runs of a curve differ; a choice, which a program may have made itself), or what came of it. A time has its
 * quartiles, and how many samples these are of, in columns behind it. */
typedef enum {
    ROLE_NONE, ROLE_SETTING, ROLE_LEVEL, ROLE_CHOICE, ROLE_OUTCOME, ROLE_ACCURACY, ROLE_ORDER, ROLE_COUNT, ROLE_VALUE,
    ROLE_TIME, ROLE_LOWER, ROLE_UPPER, ROLE_SAMPLES, ROLES
} column_role;

/* The role of the columns that are filled from here on; ROLE_NONE leaves them the one they have. */
void table_as(table *t, column_role role);

/* The cell of this row in a column; a column whose numbers have several units has none. unit "": a pure
 * number, or not known. */
void table_text(table *t, const char *column, const char *text);
void table_number(table *t, const char *column, const char *unit, double x);
void table_count(table *t, const char *column, long n);

/* A column at its place among others, before anything is known of it. */
void table_column(table *t, const char *column, const char *unit);

int table_rows(const table *t);
int table_columns(const table *t);
const char *table_name_of(const table *t, int column);
const char *table_unit_of(const table *t, int column);          /* "" where there is none */
int table_find(const table *t, const char *column);             /* -1 where there is none */

/* The cell in row and column, which may be -1: NULL where it is no text, NaN where it is no number. */
const char *table_text_at(const table *t, int row, int column);
double table_number_at(const table *t, int row, int column);

/* To print it in any way that a grid has; to people numbers have six digits. NULL: no memory. */
grid *table_grid(const table *t);

/* {"columns": [...], "units": [...], "roles": [...], "rows": [[...], ...]}; NULL: no memory, or a text that is no UTF-8. */
json_t *table_json(const table *t);

/* The table that this is. DAE_BAD_ARGUMENT with what is wrong of it. */
dae_status table_read(table **t, const json_t *json, dae_report *report);

#endif
