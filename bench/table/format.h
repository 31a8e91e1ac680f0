/* format.h - the formats in which results are written, the rows of formats.def */
#ifndef DAELAB_FORMAT_H
#define DAELAB_FORMAT_H

#include <stdio.h>

struct table;

typedef enum {
#define FORMAT(ID, ...) FORMAT_##ID,
#include "table/formats.def"
    OUTPUT_FORMATS
} output_format;

/* All of a result with words around its tables; one of its tables; what programs read of it. */
typedef enum { HOLDS_PAGE, HOLDS_TABLE, HOLDS_JSON } format_holds;

/* The lines of a document around its tables. */
typedef enum { TEXT_OPENING, TEXT_TITLE, TEXT_PARAMETERS, TEXT_OPTIONS, TEXT_HEADING, TEXT_NOTE } text_kind;

typedef struct {
    const char *name, *ending;
    format_holds holds;
    void (*table)(const struct table *t, FILE *out);
    void (*text)(text_kind kind, const char *text, FILE *out);
    const char *before, *behind, *begin;
} format_row;
extern const format_row formats[OUTPUT_FORMATS];

/* The names of all, ending with NULL. */
extern const char *const format_names[OUTPUT_FORMATS + 1];

/* "table (default), csv, json, md or latex"; ".csv .json .md .tex or .txt". */
void format_tell_names(FILE *out);
void format_tell_endings(FILE *out);

#endif
