/* run_output.h - what every study says of a run: its columns, its cost */
#ifndef DAELAB_RUN_OUTPUT_H
#define DAELAB_RUN_OUTPUT_H

#include "output/document.h"
#include "measure/run.h"

/* Columns and cells: form, method, step, rtol, status. */
void run_columns(grid *g);
void run_cells(grid *g, const dae_formulation *form, const dae_method *method,
               const run_result *r);

/* One column and cell for each class shown; {"position": ..., ...}. */
void run_error_columns(grid *g, const dae_problem *problem);
void run_error_cells(grid *g, const dae_problem *problem, const run_result *r);
json_t *run_error_json(const dae_problem *problem, const run_result *r);

/* "ok" or the name of the status. */
const char *run_status_name(const run_result *r);

/* {"steps": ..., ...}: all of statistics.def; null where c is NULL. */
json_t *run_counts_json(const dae_statistics *c);

/* These, and "seconds". */
json_t *run_cost_json(const run_result *r);

/* Did the method count explicit steps or changes to and from them? Only one that may change does:
 * people see these columns where it did, files always. */
int run_switches(const run_result *r);
void run_switch_columns(grid *g);
void run_switch_cells(grid *g, const run_result *r);

/* The reference with its values at t_end, as text with the digits that are vouched for; in
 * notes. */
json_t *run_reference_json(const study *s);
void run_note_reference(document *doc, const study *s);

/* Which SUNDIALS ran, in a note. */
void run_note_sundials(document *doc);

/* {"position": x[0], "velocity": x[1], "acceleration": x[2], "energy": energy} */
json_t *run_drift_json(const double *levels, double energy);

#endif
