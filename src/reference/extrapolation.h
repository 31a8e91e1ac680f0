/* extrapolation.h - y' = f(t, y) in quad precision by Gragg's rule and extrapolation */
#ifndef DAE_EXTRAPOLATION_H
#define DAE_EXTRAPOLATION_H

#include "pair.h"

/* dy[n] := f(t, y). Anything but DAE_OK, or a value that is not finite, says "not here". */
typedef dae_status dae_quad_rhs(void *context, dae_quad t, const dae_quad *y, dae_quad *dy);

/* z[m] := what is wanted of the solution at (t, y). */
typedef dae_status dae_quad_outputs(void *context, dae_quad t, const dae_quad *y, dae_quad *z);

typedef struct {
    int n, m;                   /* number of unknowns y, of outputs z */
    dae_quad_rhs *f;
    dae_quad_outputs *outputs;
    void *context;
    const dae_reference_watch *watch;       /* may be NULL */
} dae_quad_ode;

enum { DAE_QUAD_COLUMNS = 20 };

typedef struct {
    int columns;                /* k = 2 ... DAE_QUAD_COLUMNS; the order is 2k */
    double step;                /* the first to try, > 0 */
    double tolerance;           /* for the error of a step in each y_i against its size; 0: equal steps, and no test */
    double spacing;             /* f is looked at in every interval so long; 0: wherever the rule does */
    double most;                /* evaluations of f */
} dae_quad_rule;

/* The first or the second of two runs that are to agree: over a length of an interval of a whole span. */
dae_quad_rule dae_extrapolation_rule(int second, double length, double span, double most);

/* z[count x m] at the times of the grid, from y0[n] at t0, in basic steps as long as the tolerance lets them.
 * size[m] grows to the largest |z_i| on the way, no less than dae_quad_least_part of the terms of z_i.
 * DAE_NO_CONVERGENCE where they take more evaluations than rule->most; DAE_ERROR_TEST, DAE_NOT_FINITE, with t, where
 * they fail however short they are. */
dae_status dae_extrapolate(const dae_quad_ode *ode, const dae_quad_rule *rule, const dae_quad_grid *grid,
                           const dae_quad *y0, dae_quad *z, dae_quad *size, dae_report *report);

/* The same by two runs of different order and step, that agree to 24 digits, or as far as rounding lets them
 * (dae_quad_agree). Both look at f in every ten thousandth of the interval, and at different points; closer where
 * they do not agree. DAE_NO_CONVERGENCE, too, where the steps become too many. */
dae_status dae_extrapolate_pair(const dae_quad_ode *ode, const dae_quad_grid *grid,
                                const dae_quad *y0, dae_quad *z, double *digits,
                                dae_report *report);

#endif
