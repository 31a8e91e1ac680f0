/* dataset.h - what a study has measured, as tidy tables, and what made it: docs/results.md says it in words */
#ifndef DAELAB_DATASET_H
#define DAELAB_DATASET_H

#include "table/table.h"

enum { DATASET_SCHEMA = 1, MAX_TABLES = 24 };

typedef struct { char *name; table *table; } dataset_table;

typedef struct {
    json_t *json;               /* "schema", "title", "question", "provenance" (provenance.h), "interrupted": runs are
                                   missing, as the study was stopped, "remarks": [{"part", "problem", "text"}], "plots":
                                   [{"part", "file"}]; of one that was read all of the file */
    int tables;
    dataset_table table[MAX_TABLES];    /* in the order in which they were asked for */
} dataset;

dataset *dataset_new(const char *title, const char *question);
void dataset_free(dataset *d);

/* The table of this name, made where there is none. */
table *dataset_add(dataset *d, const char *name);

/* The same, the caller's from here on. */
table *dataset_take(dataset *d, const char *name);

/* The same where it is there and has rows, else NULL. */
const table *dataset_find(const dataset *d, const char *name);

/* What it has of this name, which stays the dataset's; NULL: nothing. */
json_t *dataset_member(const dataset *d, const char *key);

void dataset_plot(dataset *d, const char *part, const char *file);

/* Its members into an object, and "tables", without empty ones. */
void dataset_json(const dataset *d, json_t *object);

/* The dataset of a file, or of study.json in a folder. DAE_FILE where it cannot be read; DAE_BAD_ARGUMENT with
 * a sentence where it is no result, or one of another schema. *d is NULL then. */
dae_status dataset_read(dataset **d, const char *path, dae_report *report);

/* "study.json" */
extern const char dataset_file[];

#endif
