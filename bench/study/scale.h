/* scale.h - cost against size: one formulation by one method at several values of a parameter */
#ifndef DAELAB_SCALE_H
#define DAELAB_SCALE_H

#include "study/work.h"

/* What of a point has an exponent: a power of the parameter. */
typedef enum { SCALE_STEP, SCALE_SOLVE, SCALE_SETUP, SCALE_HELD, SCALE_PEAK, SCALE_QUANTITIES }
    scale_quantity;

/* How far a point came. */
typedef enum { SCALE_AT_SETUP, SCALE_AT_STEP, SCALE_AT_SOLVE, SCALE_DONE } scale_phase;

typedef struct {
    double value;               /* of the parameter */
    run_outcome outcome;        /* of one that did not end by itself */
    char reason[320];           /* "" where it is ok */
    dae_status failure;         /* of the library, where it ended by itself */
    scale_phase phase;
    int n;                      /* unknowns; 0: not known */
    dae_jacobian_kind jacobian;
    dae_linear_kind linear;
    work_spread step, solve;    /* [s] */
    int step_runs, solve_runs;
    double setup;               /* [s] system, consistent start, solver */
    dae_statistics count;       /* of one solve */
    double held;                /* [bytes] on the heap after the solve: system, state, solver */
    double resident;            /* [bytes] of the process before the point */
    double peak;                /* [bytes] largest growth of that */
} scale_point;

/* Its fields in an answer of the runner. */
extern const field_place scale_point_fields[];

typedef struct {
    const dae_formulation *form;
    const dae_method *method;
    dae_method_info info;
    int adaptive;               /* a solve chooses its steps */
    double step, rtol;          /* of the step that is timed, of a solve; NaN where there is none */
    int points;
    scale_point point[MAX_VALUES];      /* at increasing values */
} scale_pair;

/* y = C x^p */
typedef struct {
    double exponent;            /* least squares of log y against log x; NaN below two points */
    double last;                /* between the two largest x */
    int points;
} scale_fit;

/* The exponent of y[count] against increasing x; pairs that are not finite and positive are left
 * out. */
scale_fit scale_exponent(const double *x, const double *y, int count);

extern const char *const scale_names[SCALE_QUANTITIES];         /* "step", "solve", ... */
double scale_value(const study_specification *o, const scale_point *p, scale_quantity q);
scale_fit scale_pair_fit(const study_specification *o, const scale_pair *pair, scale_quantity q);

/* The bytes below which the peak is that of the program, not of the problem. */
extern const double scale_peak_resolved;

/* Given one of a step and a tolerance, solves go by that where the method can; else methods of order 4
 * and above (or of varying order) choose their steps. */
int scale_chooses_steps(const study_specification *o, const dae_method *method);

/* Measure a point within a limit [s] of CPU time, by the runner in a process that does nothing else; p->value is
 * set. */
void scale_measure(const study_specification *spec, const study *s, const scale_pair *pair,
                   double limit, scale_point *p);

/* The setting with steps that are chosen by rtol, or fixed. */
run_setting scale_setting(const run_setting *setting, int adaptive, double level);
double scale_level(const scale_pair *pair);     /* of a solve */

/* All that was measured. It must stay where it is until it is freed. */
typedef struct {
    study_specification spec;   /* as it was run; with the first value among the parameters */
    double *parameters;         /* those of the specification */
    study s;
    int begun, by_default;      /* by_default: methods that were not named */
    int count;
    scale_pair *pairs;          /* [count] */
    run_tally tally;            /* a limit that was reached is a result, and so are the larger points
                                   that were skipped */
} scale_result;

extern const double scale_limit;        /* [s] of a point, where the specification has none */

/* Sizes where none are given, increasing ones; a formulation and methods. DAE_BAD_ARGUMENT where the
 * problem has no parameter that counts copies. Before study_prepare; by_default says whether methods
 * were chosen here. */
dae_status scale_fill_in(study_specification *spec, int *by_default, dae_report *report);

/* Run a specification that scale_fill_in and study_prepare have passed; methods that were not named are
 * left out where they do not solve the form. Failures are those of study_begin. The result
 * has to be freed in any case. */
dae_status scale_study(scale_result *r, const study_specification *spec, int by_default,
                       dae_report *report);
void scale_result_free(scale_result *r);

#endif
