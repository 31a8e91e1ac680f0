/* specification.h - a study as a value: what is to be run, in which ways, and what is to be looked at
 *
 * A command line, a file or a program fills it in; the studies (solve, converge, drift, work, scale, fit)
 * take it and answer with a result that holds everything measured.
 */
#ifndef DAELAB_SPECIFICATION_H
#define DAELAB_SPECIFICATION_H

#include "fit/model.h"
#include "run/order.h"

enum { MAX_CHOICES = 32, MAX_TARGETS = 16, MAX_VALUES = 16, MAX_PROJECTS = 8, MAX_ROWS = 1000000,
       MAX_RUNS = 131072 };

/* What a picture of work and precision has on an axis: what a run costs, how wrong it is. */
typedef enum {
    WORK_TIME, WORK_CPU, WORK_STEPS, WORK_RHS, WORK_JACOBIANS, WORK_FACTORIZATIONS, WORK_SOLVES, WORK_RTOL,
    WORK_ERROR,                                         /* and so on by class, without auxiliary unknowns */
    WORK_SCD = WORK_ERROR + DAE_AUXILIARY, WORK_MESCD,
    WORK_DRIFT,                                         /* and so on: |g|, |dg/dt|, |d2g/dt2| */
    WORK_ENERGY = WORK_DRIFT + 3, WORK_INVARIANT, WORK_QUANTITIES
} work_quantity;

/* "time", "rhs", "position", "drift-velocity", ...: the names of columns */
extern const char *const work_quantity_names[WORK_QUANTITIES];

/* Steps or tolerances that a study falls through: from the first, which is that of run_setting, down to the last; or
 * these, from the largest on. */
typedef struct {
    double last;                /* NaN where not given */
    int count;                  /* 0 where they are not given one by one */
    double at[MAX_LEVELS];
} study_range;

/* _LEVELS: those behind a first one that was given. */
enum { LACKED_FORM = 1, LACKED_METHOD = 2, LACKED_LEVEL = 4, LACKED_LEVELS = 8 };

typedef struct {
    run_setting run;            /* problem, parameters, interval, steps, solver */
    int forms, methods;         /* how many are chosen; 0: the study's default */
    const dae_formulation *form[MAX_CHOICES];
    const dae_method *method[MAX_CHOICES];
    int lacked;                 /* what was not given, LACKED_..: it is by default */
    int forms_named, methods_named;     /* one by one: what of them goes with nothing is warned of */

    /* levels of converge and of work-precision curves */
    study_range steps, rtols;
    int levels;                 /* 0 where not given */
    double ratio;               /* from level to level; NaN where not given */
    int values, varied;         /* so many values of which parameter: one study each, or sizes */
    double value[MAX_VALUES];

    /* one solution */
    int samples;                /* rows; 0 where not given */
    double every;               /* time between rows; NaN where not given */
    const char *show;           /* "T,T_recovered": the columns that people see; NULL: all */
    int picture;                /* it will be drawn: rows and states for that */
    int estimated;              /* the error, by a finer run */
    int forced;                 /* run where no order is known of the method, too */

    /* drift */
    int projects;               /* one run for each of these */
    unsigned each_project[MAX_PROJECTS];
    int referenced;             /* errors, too */

    /* work and precision, scaling */
    int targets;                /* errors to be reached */
    double target[MAX_TARGETS];
    const dae_method *baseline; /* or NULL */
    dae_class of;               /* whose error; DAE_CLASSES: the positions' or the differential
                                   variables', for digits those of all classes */
    int runs;                   /* repeats at least; 0 where not given */
    double seconds, limit;      /* of the repeats at least, of a point at most; NaN where not given */
    int digits;                 /* correct digits only: one run of each, no times; of a solution: all digits */
    int smallest;               /* the smallest time of the repeats, not the median */
    int axes;                   /* across and up were chosen; otherwise time and the error of `of` */
    work_quantity across, up;

    /* a fit */
    fit_source data;
    int fits;                   /* so many numbers, */
    fit_number fit[MAX_FITTED]; /* which have bounds */
} study_specification;

/* A ladder of steps or tolerances by default, with what was asked for in its place; its level i. */
order_ladder study_ladder(const study_specification *s, int tolerances, order_ladder by_default);
double study_level(const study_specification *s, int tolerances, const order_ladder *ladder, int i);

/* Is the drift of timed runs looked at, too? */
int study_watches(const study_specification *s);

/* Of a problem with its own parameters and interval, nothing else given. */
study_specification study_default_specification(const dae_problem *problem);

/* [s] of CPU time that a run may take; 0: any. */
double study_limit(const study_specification *s);

/* Begin the study of a specification with a setting that it is of: DAE_NO_MEMORY where there is no room for one of its
 * runs, DAE_STOPPED where that is not known yet, and what study_begin fails by. */
dae_status study_begin_runs(study *s, const study_specification *o, const run_setting *setting, reference_kind wanted,
                            dae_report *report);

/* All formulations of the problem and the first method of the table, where none are chosen. */
void study_fill_in(study_specification *s);

/* All formulations that the problem has; the one it is written in, or of a mechanical one that of the
 * lowest index with multipliers. */
void study_all_forms(study_specification *s);
void study_default_form(study_specification *s);

/* One run that nobody compares: a formulation and a method of its own, and steps that are chosen. */
void study_adaptive_run(study_specification *s);

/* name[STUDY_NAME] := that of the parameter that is varied, "L" or "k[3]"; answers it. */
enum { STUDY_NAME = 64 };
const char *study_varied_name(const study_specification *s, char *name);

/* DAE_BAD_ARGUMENT with a sentence where the specification cannot be run: no problem, too many or no
 * formulations or methods, an interval, steps or tolerances that do not fit together. */
dae_status study_check(const study_specification *s, dae_report *report);

/* DAE_UNSUPPORTED where no formulation goes with any method (under one of the projections); of what was
 * named and goes with nothing else that was chosen a warning says so. Tried on solvers that are not
 * run. */
dae_status study_check_combinations(const study_specification *s, dae_report *report);

/* All of it: fill in, check, and check the combinations of smooth problems. */
dae_status study_prepare(study_specification *s, dae_report *report);

#endif
