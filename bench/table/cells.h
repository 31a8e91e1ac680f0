/* cells.h - what a table is made of, for the files of this folder */
#ifndef DAELAB_CELLS_H
#define DAELAB_CELLS_H

#include "table/table.h"

typedef struct {
    char *text;                         /* NULL: a number */
    double x;                           /* not finite: missing */
    int whole;                          /* a count */
} cell;

typedef struct {
    char *name, *unit, *title, *format; /* format: of a column that has its own head; NULL: text */
    column_role role;
    int aside;                          /* table_aside */
    int headed;                         /* table_head gave its title and format */
    int mixed;                          /* its numbers have several units */
    int known;                          /* there is a number, whose unit is that of the column */
    int texts;                          /* some of its cells are texts */
    cell *cells;                        /* [room of the table] */
} column;

struct table {
    column *columns;                    /* [width] */
    int width;
    int rows, room;                     /* room for rows, of each column */
    int last;                           /* the column that was filled last, by name */
    int next;                           /* the column of the next cell, where they follow one another */
    char *ruled;                        /* [room] is a rule above the row? */
    int rule;                           /* there is one before the next row */
};

/* A missing value where there is no such cell. */
cell table_cell(const table *t, int row, int column);

/* A cell of a column that there is; the table owns the text from here on. */
void table_set(table *t, int row, int column, cell value);

#endif
