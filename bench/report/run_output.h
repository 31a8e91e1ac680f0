/* run_output.h - what every study says of a run: its columns, its cost */
#ifndef DAELAB_RUN_OUTPUT_H
#define DAELAB_RUN_OUTPUT_H

#include "report/document.h"
#include "measure/run.h"

/* Columns and cells: form, method, step, rtol, status. */
void run_columns(table *g);
void run_cells(table *g, const dae_formulation *form, const dae_method *method,
               const run_result *r);

/* One column and cell for each class shown. */
void run_error_columns(table *g, const dae_problem *problem);
void run_error_cells(table *g, const dae_problem *problem, const run_result *r);

/* "ok" or the name of the status. */
const char *run_status_name(const run_result *r);

/* Columns and cells of these counters, COUNTERS at the end, with the titles of statistics.def; NULL: not counted. */
#define DAE_STATISTIC(type, name, kind, title, meaning) COUNTER_##name,
typedef enum {
#include <daelab/statistics.def>
    COUNTERS
} counter;
#undef DAE_STATISTIC
void run_count_columns(table *g, const counter *shown);
void run_count_cells(table *g, const counter *shown, const dae_statistics *n);

/* Did the method count explicit steps or changes to and from them? Only one that may change does:
 * these columns are shown where it did. */
int run_switches(const run_result *r);
extern const counter run_switch_counters[];

/* The reference, with its first value at t_end. */
void run_note_reference(document *doc, const study *s);

/* Which SUNDIALS ran, in a note. */
void run_note_sundials(document *doc);

#endif
