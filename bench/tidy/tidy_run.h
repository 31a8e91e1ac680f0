/* tidy_run.h - one run of an item of a plan, for the tables */
#ifndef DAELAB_TIDY_RUN_H
#define DAELAB_TIDY_RUN_H

#include "run/time_unit.h"
#include "tidy/tidy.h"

/* An item on its way into the tables. */
typedef struct {
    dataset *data;
    const study_item *item;
    int first;                  /* the number of its first run; numbers begin with 1 */
    const char *varies;         /* [parameters]: has the plan several values of it? */
    char unit[DAE_CLASSES][LABEL];      /* of the variables of a class; "" where they have none, or several */
    char time[TIME_UNIT], rate[TIME_UNIT + 2];  /* of t, "s", and of what is divided by it, "1/s"; "": none */
} tidy_item;

/* A run, or what is said of several: what does not apply is NaN, NULL. */
typedef struct {
    int number;                 /* 0: a row of no single run */
    int begins;                 /* a curve: a rule stands above */
    const run_setting *setting;
    double t0, t_end;
    const dae_formulation *form;
    const dae_method *method;
    double step, rtol;
    dae_jacobian_kind jacobian;
    dae_linear_kind linear;
    unsigned project;
    int varied;                 /* this parameter has another value than in the setting; -1: none */
    double value;
    /* what was measured, as far as the kind of its study has it */
    const run_result *run;
    const drift_run *drift;
    const work_point *work;
    const scale_point *size;
    const solve_run *solution;
    const fit_result *fit;
} tidy_run;

/* Could it begin, and was it run? */
int tidy_has_run(const study_item *item);

/* All runs of an item that could begin, in their order; how many there are. visit may be NULL. */
typedef void tidy_visit(const tidy_item *item, const tidy_run *run);
int tidy_each_run(const tidy_item *item, tidy_visit *visit);

/* One without numbers, of a curve, or of an item that could not begin. */
tidy_run tidy_curve_run(const tidy_curve *c);
tidy_run tidy_no_run(const study_item *item);

/* Names of x = (q, v, lambda) or u of a mode, to be freed; none where the mode cannot be composed. */
column_label *tidy_labels(const dae_problem *mode, const double *parameters, int *count);

/* A row that begins with part, kind, problem, form, method, parameters and settings. */
void tidy_begin_row(table *t, const tidy_item *item, const tidy_run *run);

/* The same in the table of this name, which is answered. */
table *tidy_row(const tidy_item *item, const tidy_run *run, const char *name);

/* "" of a pure number. */
const char *tidy_unit(const column_label *label);

/* "ok" or how it ended, and why; what the run cost. */
void tidy_end_cells(table *t, const tidy_run *run);
void tidy_count_cells(table *t, const dae_statistics *count);

/* A time that was measured: its median in that column, quartiles, the smallest and the largest in OF_lower ... */
void tidy_spread_cells(table *t, const char *median, const char *of, const work_spread *spread);

/* WHAT_CLASS, x of the classes that the problem shows, or that its events change (after). */
void tidy_class_cells(table *t, const tidy_item *item, const char *what, const double *x, int after);

/* Of problems with events: how many there were, the largest errors of their times and of the states after them. */
void tidy_event_cells(table *t, const tidy_item *item, const run_result *run);

/* Modes count from the first one, which the problem itself is. */
const char *tidy_mode_name(const dae_problem *problem, int mode);

/* Columns "error_position", ... by a class. */
enum { TIDY_NAME = 64 };
const char *tidy_class_column(const char *what, int k, char name[TIDY_NAME]);

/* What made the results, with the problems: hashes of equations, object code and files; names, units and classes of
 * variables. */
void tidy_provenance(dataset *d, const study_plan *plan);

/* The tables: rows of a run, or of all that an item has. */
tidy_visit tidy_runs, tidy_drift, tidy_growth, tidy_work, tidy_rounds, tidy_scale, tidy_exponents, tidy_solution,
    tidy_estimates, tidy_events, tidy_fit, tidy_correlations, tidy_directions, tidy_residuals, tidy_curve_of_fit;
void tidy_failed(const tidy_item *item);

/* The roles of all columns. */
void tidy_roles(dataset *d);
void tidy_orders(const tidy_item *item);
void tidy_targets(const tidy_item *item);
void tidy_references(const tidy_item *item);

#endif
