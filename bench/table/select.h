/* select.h - what is shown of a table: some of its rows and columns, as a table of their own */
#ifndef DAELAB_SELECT_H
#define DAELAB_SELECT_H

#include "table/table.h"

/* What a cell without a value is to people. */
typedef enum { SHOW_DASH, SHOW_ZERO, SHOW_NOTHING } show_missing;

/* A column as people see it: its name in the table, title (NULL: the name) and format as of table_head. */
typedef struct {
    const char *name, *title, *format;
    show_missing missing;
    int (*has)(const table *from, int row);             /* NULL: in all rows */
    int aside;                                          /* as of table_aside */
    int measured;                                       /* its unit, where it has one, follows the title */
} shown_column;

typedef struct {
    const table *from;
    table *to;                  /* what was selected */
    int *row;                   /* [rows of to] */
} selection;

/* The rows for which is_row (NULL: all) is not 0, without a column yet; rules stay. */
selection select_rows(const table *from, int (*is_row)(const table *from, int row));

/* Behind the columns that it has: one of the table, its numbers divided by unit; without values where it has none. */
void select_column(selection *s, const shown_column *column, double unit);

/* Several, up to one without a name. */
void select_columns(selection *s, const shown_column *columns);

/* One of texts that are made of a row: words answers it, in text where it has no place of its own. */
enum { ROW_WORDS = 256 };
typedef const char *row_words(const table *from, int row, char text[ROW_WORDS]);
void select_words(selection *s, const char *title, row_words *words);

/* The table, which is the caller's. */
table *select_end(selection *s);

/* For people, without columns that hold nothing, and of several rows without those that hold the same in all: *shared
 * is that in words, "problem pendulum, t_end 2 s", to be freed. */
table *select_people(const table *t, char **shared);

#endif
