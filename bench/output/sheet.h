/* sheet.h - a grid as people see it: cells as text, in columns of a width, some of which are not shown */
#ifndef DAELAB_SHEET_H
#define DAELAB_SHEET_H

#include "output/grid.h"

enum { SHEET_FORMAT = 32 };

typedef struct {
    const char *title;          /* the grid's */
    char format[SHEET_FORMAT];  /* of its numbers; "": a column of text */
    char **cell;                /* [rows] */
    size_t width;               /* characters of the widest cell, or the title; longer texts are broken */
    int hidden;
} sheet_column;

typedef struct {
    const grid *grid;
    size_t columns, rows;
    int brief;                  /* 1.2e-5, not 1.2e-05 */
    sheet_column *column;       /* [columns] */
    size_t *shows;              /* [columns] of the part that is printed, by number */
    const char **rest;          /* [columns] what of its texts is left to be printed */
} sheet;

enum { SHEET_GAP = 2 };         /* characters between columns */

/* 0 where memory is short; to be freed in any case. */
int sheet_begin(sheet *s, const grid *g);
void sheet_free(sheet *s);

/* Text in place of a cell, which is copied; numbers in another format: 0 where memory is short. */
int sheet_replace(sheet *s, size_t row, size_t column, const char *text);
int sheet_reformat(sheet *s, size_t column, const char *format);

/* Exponents without what says nothing; 0 where memory is short. */
int sheet_shorten(sheet *s);

/* The width of the columns that are shown, of those from first to before last. */
size_t sheet_width(const sheet *s, size_t first, size_t last);

/* The columns before `keys` and [first, last), as far as they are shown: a line for each row, or several where
 * a text is broken. */
void sheet_print(const sheet *s, size_t keys, size_t first, size_t last, FILE *out);

/* A line for each column: of a sheet of one row. */
void sheet_print_upright(const sheet *s, size_t width, FILE *out);

#endif
