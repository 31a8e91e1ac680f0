/* table.h - the table of the laboratory: named columns with units, cells that are numbers, counts or texts
 *
 * What is measured is filled cell by cell, by the name of the column; a column that is not there yet is added, so that
 * rows of several problems have the columns of all of them. What is shown to people has titles and formats, and its
 * cells follow one another. A cell that nobody filled is a missing value, and so is a number that is not finite: "-" to
 * people, an empty cell in CSV, null in JSON.
 */
#ifndef DAELAB_TABLE_H
#define DAELAB_TABLE_H

#include <daelab/status.h>

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

typedef struct table table;

table *table_new(void);
void table_free(table *t);

/* ---- rows of what was measured */

/* Begin a row; cells are those of the last one. */
void table_row(table *t);

/* A rule before the next row: sets curves apart for people. */
void table_rule(table *t);

/* What columns tell of a run, which says how two results are compared: which run it was (a setting; a level, by which
 * the runs of a curve differ; a choice, which a program may have made itself), or what came of it. A time has its
 * quartiles, and how many samples these are of, in columns behind it. */
typedef enum {
    ROLE_NONE, ROLE_SETTING, ROLE_LEVEL, ROLE_CHOICE, ROLE_OUTCOME, ROLE_ACCURACY, ROLE_ORDER, ROLE_COUNT, ROLE_VALUE,
    ROLE_TIME, ROLE_LOWER, ROLE_UPPER, ROLE_SAMPLES, ROLES
} column_role;

/* Of a column that there is. */
void table_role(table *t, int column, column_role role);

/* The cell of this row in a column; a column whose numbers have several units has none. unit "": a pure
 * number, or not known. An empty text is a missing value. */
void table_text(table *t, const char *column, const char *text);
void table_number(table *t, const char *column, const char *unit, double x);
void table_count(table *t, const char *column, long n);

/* A column at its place among others, before anything is known of it. */
void table_column(table *t, const char *column, const char *unit);

/* ---- rows that people see */

/* All columns first. title is for people ("position"), name for machines ("error_position");
 * format is printf's for one double ("%.3e"), or NULL for a column of text. */
void table_head(table *t, const char *name, const char *title, const char *format);

/* A terminal that is too narrow for a table leaves this column out, where it is not 0: those with the largest number
 * first, and all that have it. */
void table_aside(table *t, int column, int aside);
int table_aside_of(const table *t, int column);

/* The next cell; after the last one of a row the first of a new one. */
void table_put_text(table *t, const char *text);        /* NULL: missing */
void table_put(table *t, double x);

/* ---- what it holds */

int table_rows(const table *t);
int table_columns(const table *t);
int table_find(const table *t, const char *column);             /* -1 where there is none */
const char *table_name_of(const table *t, int column);
const char *table_unit_of(const table *t, int column);          /* "" where there is none */
const char *table_title_of(const table *t, int column);         /* "name [unit]", where table_head gave no other */
const char *table_format_of(const table *t, int column);        /* NULL: of text */
int table_ruled(const table *t, int row);                       /* is a rule above it? */

/* The cell in row and column, which may be -1: NULL where it is no text, NaN where it is no number. */
const char *table_text_at(const table *t, int row, int column);
double table_number_at(const table *t, int row, int column);
int table_same(const table *t, int row, int other, int column);         /* do two cells hold the same? */

/* ---- JSON */

/* {"columns": [...], "units": [...], "roles": [...], "rows": [[...], ...]} */
json_t *table_json(const table *t);

/* The table that this is. DAE_BAD_ARGUMENT with what is wrong of it. */
dae_status table_read(table **t, const json_t *json, dae_report *report);

#endif
