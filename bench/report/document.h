/* document.h - a command's result with what made it, written in the format that was asked for */
#ifndef DAELAB_DOCUMENT_H
#define DAELAB_DOCUMENT_H

#include "table/format.h"
#include "table/table.h"

enum { MAX_NOTES = 512 };

typedef struct {
    char *heading;              /* for people; NULL: none */
    table *table;
    int curve;                  /* 1: its rows are points of a curve, of which some show the rest */
} document_section;

typedef struct document {
    json_t *json;               /* what --format json writes; of a part what it is about */
    char *curves_in;            /* where all rows of curves are, of which tables then show some; NULL: tables do */
    char *opening;              /* lines before everything else; NULL: none */
    char *title;                /* "daelab 0.1.0 converge pendulum, t = 0 ... 2"; NULL: only parts */
    char *parameters;           /* "m=1 L=5 ..."; NULL: of several problems */
    char *options;              /* "start=consistent jacobian=best ..."; NULL: each part has its own */
    int sections, notes, parts;
    document_section *section;  /* [sections]; csv: the first one */
    char *note[MAX_NOTES];      /* sentences below the tables */
    struct document **part;     /* results of single problems, or of parts of a study, before the rest */
    char remark[MAX_NOTES];     /* is the note one? */
} document;

/* An empty result of this version and command. */
document *document_new(const char *command);
void document_free(document *doc);

/* The document owns the part from here on. */
void document_part_add(document *doc, document *part);

/* The document owns the table from here on. */
void document_section_add(document *doc, const char *heading, table *t);
void document_curve_add(document *doc, const char *heading, table *t);

/* Of a table what select_people leaves; what all its rows share stands behind the heading and these words. */
void document_people_add(document *doc, const char *heading, const char *between, const table *t);

/* From here on tables for the terminal show some rows of each curve of the document and of its parts, evenly
 * spread, and the sentence that says where all of them are, "a.csv has them"; NULL: all rows again. */
void document_shorten(document *doc, const char *where);

void document_note(document *doc, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A note that says something against the numbers: it stands in the JSON, too, among "remarks". */
void document_remark(document *doc, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* doc->json[key] := value, which the document owns from here on. */
void document_set(document *doc, const char *key, json_t *value);

/* Write it in a format, as often as is wanted. */
void document_write(const document *doc, output_format format, FILE *out);

/* Call say for each note, or those that are remarks, of the document and of its parts. */
void document_each_note(const document *doc, int remarks, void (*say)(const char *note));

/* A real number, or null where it is not finite. */
json_t *json_number(double x);

#endif
