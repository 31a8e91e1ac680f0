/* page.h - a page in words, tables and figures, whatever it is written in later */
#ifndef DAELAB_PAGE_H
#define DAELAB_PAGE_H

#include "page/figure.h"

/* What a finding or a cell says: as it should be, to be noticed, wrong. */
typedef enum { TONE_PLAIN, TONE_GOOD, TONE_NOTE, TONE_BAD } page_tone;

/* The signs of tones: "", "✓", "?", "✗". */
const char *page_sign(page_tone tone);

typedef struct {
    const char *text;           /* NULL: a number */
    double number;              /* NaN: missing */
    page_tone tone;
} page_cell;

typedef struct {
    const char *title, *unit;   /* unit "": a pure number */
    const char *format;         /* of a double, for people; NULL: text */
} page_column;

typedef struct {
    const char *caption;
    int columns, cells;         /* row by row, all rows complete */
    page_column *column;
    page_cell *cell;
    int data;                   /* of interest to those who look for a run: in HTML alone */
    arena *memory;
} page_table;

typedef enum {
    PAGE_SECTION,               /* text is the title, other the name */
    PAGE_HEADING,
    PAGE_TEXT,
    PAGE_FINDING,               /* a sentence with a tone */
    PAGE_CODE,                  /* other: what it is */
    PAGE_TABLE,
    PAGE_FIGURE
} page_kind;

typedef struct {
    page_kind kind;
    page_tone tone;
    const char *text, *other;
    page_table *table;
    const figure *figure;
} page_block;

typedef struct {
    arena memory;
    const char *title, *question, *made;        /* made: by what, a line at the end */
    int blocks, figures;
    page_block *block;
} page;

page *page_new(void);           /* NULL: no memory */
void page_free(page *p);

/* Blocks in their order. Texts stay where they are; those of the page's memory do. */
void page_section(page *p, const char *name, const char *title);
void page_heading(page *p, const char *title);
void page_text(page *p, const char *text);
/* Its text by printf. */
void page_finding(page *p, page_tone tone, const char *format, ...) __attribute__((format(printf, 3, 4)));
void page_code(page *p, const char *what, const char *text);
void page_figure(page *p, const figure *f);

/* Does anything but data, and figures where these are not drawn, follow the title that is block i, before the
 * next one of its rank? */
int page_has_words(const page *p, int i, int draws);

/* Columns first, then cells; NULL where memory is short, which all of these take. */
page_table *page_table_add(page *p, const char *caption);
void page_table_column(page_table *t, const char *title, const char *unit, const char *format);
void page_table_text(page_table *t, page_tone tone, const char *text);
void page_table_number(page_table *t, page_tone tone, double x);

#endif
