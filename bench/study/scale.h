/* scale.h - cost against size: one formulation by one method at several values of a parameter */
#ifndef DAELAB_SCALE_H
#define DAELAB_SCALE_H

#include "output/document.h"
#include "measure/run.h"
#include "report/run_output.h"
#include "study/work.h"

/* What of a point has an exponent: a power of the parameter. */
typedef enum { SCALE_STEP, SCALE_SOLVE, SCALE_SETUP, SCALE_HELD, SCALE_PEAK, SCALE_QUANTITIES }
    scale_quantity;

/* How far a point came. */
typedef enum { SCALE_AT_SETUP, SCALE_AT_STEP, SCALE_AT_SOLVE, SCALE_DONE } scale_phase;

typedef struct {
    double value;               /* of the parameter */
    char status[32];            /* "ok", the library's, "limit", "killed" or "skipped" */
    char reason[320];           /* "" where it is ok */
    dae_status failure;         /* of the library */
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
double scale_value(const cli_options *o, const scale_point *p, scale_quantity q);
scale_fit scale_pair_fit(const cli_options *o, const scale_pair *pair, scale_quantity q);

/* The bytes below which the peak is that of the program, not of the problem. */
extern const double scale_peak_resolved;

/* Measure a point in a process of its own, which ends at the limit [s]; p->value is set. */
void scale_measure(const study *s, const scale_pair *pair, double limit, scale_point *p);

/* The options of a run by these steps: chosen by rtol, or fixed. */
dae_options scale_options(const study *s, const dae_method *method, int adaptive, double level);

grid *scale_point_grid(const cli_options *o, const scale_pair *pairs, int count);
grid *scale_fit_grid(const cli_options *o, const scale_pair *pairs, int count);
json_t *scale_pair_json(const cli_options *o, const scale_pair *pair);

/* Three panels: a step, a solve, memory; a curve for each pair. */
dae_status scale_plot(const study *s, const scale_pair *pairs, int count, dae_report *report);

#endif
