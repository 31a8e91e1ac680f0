/* report.h - results as documents: what is shown of the rows of their tables, and what is said of them */
#ifndef DAELAB_REPORT_H
#define DAELAB_REPORT_H

#include "study/plan.h"
#include "report/document.h"
#include "study/check.h"
#include "table/select.h"
#include "tidy/tidy.h"

/* ---- results ---- */

/* Of one item its report; of several the report of each, and of benches with one setting a table of all
 * problems; of a file its parts. */
document *overview(const study_plan *plan);

/* Of an item that was run. */
document *report_item(const study_item *item);

/* The correct digits (mescd) of all problems of a part with one combination of its settings: a row for each problem,
 * formulation and tolerance, a column for each method. A cell that is no number is the status of its run, "no
 * reference", or why there is no run. */
document *report_digits(const study_plan *plan, const study_part *part, int setting);

/* What the options of several items have in common. */
study_specification overview_common(const study_plan *plan, const study_part *part);

/* A check of one problem, a line for each function; of several, a line for each problem. */
document *check_report(const check_result *r);
document *check_summary(const check_result *results, int count);

/* How many orders of an item are below the declared ones, or errors that do not fall; the report names them. */
int orders_below(const study_item *item, dae_report *report);

/* ---- headings ---- */

/* " L=2 k[3]=1": the parameters that differ between items of a plan, and value number `value` (-1: none) of the one
 * that the item itself varies. */
enum { VARIED_WORDS = 256 };
const char *varied_words(const study_item *item, int value, char words[VARIED_WORDS]);

/* " error-test=all", " atol=1e-08,T=0.001" */
void put_setting(FILE *out, setting_id id, const run_setting *s);

/* Begin a result: version, command, problem, parameters, interval, options and machine. One of several
 * problems has a name for them in place of parameters and interval. */
document *report_begin(const char *command, const study_specification *spec, double t0, double t_end);
document *report_begin_several(const char *command, const char *subject, const study_specification *spec);

/* Of all parts of a file, with its title and its question. */
document *report_begin_file(const char *title, const char *question);

/* ---- tables and notes of each kind of study, behind the heading ---- */

void report_solve(document *doc, const study_item *item);

/* Of so many items of solve, parts of the document, that differ by parameters alone, the last row of each; nothing
 * where their columns differ. */
void report_ends(document *doc, const study_item *item, int count);

void report_converge(document *doc, const study_item *item);
void report_drift(document *doc, const study_item *item);
void report_work(document *doc, const study_item *item);
void report_scale(document *doc, const study_item *item);
void report_fit(document *doc, const study_item *item);

/* Of solve: the events, their table, and notes on them and on how the run ended; by how much each column differs from
 * that of the finer run. */
void report_events(document *doc, const study_item *item);
void report_estimate(document *doc, const study_item *item);

/* The orders of converge and work: a row for each class of each curve. Notes of what is not determined, and of what
 * does not converge; what the column of estimates is, where it holds some. */
void report_orders(document *doc, const study_item *item);
void note_orders(document *doc, const study_item *item);
void note_estimates(document *doc, const study_item *item);

/* A row for each point of all curves of the items, which are work of several problems. */
void report_summary(document *doc, const study_plan *plan, const study_part *part);

/* ---- tables of rows ---- */

/* A table of the document: of the item's rows of a tidy table those for which is_row (NULL: all) is not 0, the columns
 * by their names in columns.c, "form method steps:0 @errors": ":0" shows missing numbers as 0, "@" several columns, as
 * the study has them. */
void report_table(document *doc, const char *heading, const study_item *item, const char *name, const char *names,
                  int (*is_row)(const table *t, int row));

/* text := the name of a status or outcome for people: "no convergence" of DAE_NO_CONVERGENCE, "not run" of not_run. */
const char *report_status(const char *name, char text[ROW_WORDS]);

/* Columns of these names behind those that the selection has; one of them, or NULL. */
void select_named(selection *s, const char *names, const study_item *item);
const shown_column *shown_column_named(const char *name, size_t length);

/* ---- notes ---- */

/* "index1 radau5" */
typedef struct { char text[96]; } run_words;
run_words report_run(const dae_formulation *form, const dae_method *method);

/* The reference, with its first value at t_end; which SUNDIALS ran. */
void note_reference(document *doc, const study *s);
void note_sundials(document *doc);

/* A note of formulations, methods, steps and tolerances that nobody has given. */
void note_defaults(document *doc, const study_item *item);

/* The sentence of a kind against a run (doubt.h), where there is one. */
void remark_doubt(document *doc, const dae_doubt *run, dae_saying what, int i);

/* A remark for each class of the problem that converges to something else than the solution. */
void remark_wrong(document *doc, const run_setting *o, const dae_formulation *form, const dae_method *method);

/* One where the error may be far above the tolerance. */
void remark_slow(document *doc, const run_setting *o, const dae_formulation *form, const dae_method *method);

/* One where a run has failed with fixed steps that nobody chose, of a method that could choose its own. */
void remark_fixed(document *doc, const run_setting *o, const dae_formulation *form, const dae_method *method,
                  dae_status status);

/* One where the start was moved, or would have been; value: which of those that the item varies. */
void remark_start(document *doc, const study_item *item, const study *s, int value);

/* One where the problem is run without its events; where a run, by its form and method, has passed a state where its
 * constraints lose rank; where steps are chosen by an rtol that asks for no digit. */
void remark_events(document *doc, const dae_problem *problem);
void remark_rank(document *doc, const run_setting *o, const dae_formulation *form, const dae_method *method,
                 const char *run, const dae_rank_loss *lost);
void remark_loose(document *doc, const run_setting *o);

#endif
