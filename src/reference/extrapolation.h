/* extrapolation.h - y' = f(t, y) in quad precision by Gragg's rule and extrapolation */
#ifndef DAE_EXTRAPOLATION_H
#define DAE_EXTRAPOLATION_H

#include "base/no_fast_math.h"
#include "daelab/quad_reference.h"
#include "daelab/scalar.h"
#include "daelab/study.h"

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

/* DAE_STOPPED, with t, where the watch says so. */
dae_status dae_quad_watch(const dae_reference_watch *watch, dae_quad t, dae_report *report);

typedef struct {
    dae_quad t0;
    const dae_quad *times;      /* [count >= 1] not decreasing, times[0] >= t0 */
    int count;
} dae_quad_grid;

/* DAE_BAD_ARGUMENT where the times do not increase, or are not finite. */
dae_status dae_quad_grid_check(const dae_quad_grid *grid, dae_report *report);

enum { DAE_QUAD_COLUMNS = 20 };

typedef struct {
    int columns;                /* k = 2 ... DAE_QUAD_COLUMNS; the order is 2k */
    double step;                /* the first to try where steps are chosen, > 0 */
    double tolerance;           /* for the error of a step in each y_i against its size; 0: no test */
    double spacing;             /* f is looked at in every interval so long; 0: wherever the rule does */
    double most;                /* with steps chosen: evaluations of f */
} dae_quad_rule;

/* The ends of basic steps, the times of a grid among them. */
typedef struct {
    dae_quad *end;              /* [count] */
    int count, room;
} dae_quad_mesh;
void dae_quad_mesh_free(dae_quad_mesh *mesh);

/* z[count x m] at the times of the grid, from y0[n] at t0, in basic steps as long as the tolerance lets them, which
 * become the mesh. size[m] grows to the largest |z_i| on the way, no less than dae_quad_least_part of the terms of z_i.
 * DAE_NO_CONVERGENCE where they take more evaluations than rule->most; DAE_ERROR_TEST, DAE_NOT_FINITE, with t, where
 * they fail however short they are. */
dae_status dae_extrapolate_search(const dae_quad_ode *ode, const dae_quad_rule *rule,
                                  const dae_quad_grid *grid, const dae_quad *y0,
                                  dae_quad_mesh *mesh, dae_quad *z, dae_quad *size, dae_report *report);

/* The same in the steps of the mesh, each in count pieces that end at the parts 0 < parts[0] < ... < 1
 * [count - 1] of it. */
dae_status dae_extrapolate_along(const dae_quad_ode *ode, const dae_quad_rule *rule,
                                 const dae_quad_grid *grid, const dae_quad *y0,
                                 const dae_quad_mesh *mesh, const double *parts, int count,
                                 dae_quad *z, dae_report *report);

/* The same with steps chosen so that two runs of different order and step agree to 24 digits, or as
 * far as rounding lets them; digits := -log10 of the largest difference of a z_i against its size in the
 * run, at most 33. Both look at f in every ten thousandth of the interval, and at different points.
 * DAE_NO_CONVERGENCE where fewer than 18 agree or the steps become too many. */
dae_status dae_extrapolate_pair(const dae_quad_ode *ode, const dae_quad_grid *grid,
                                const dae_quad *y0, dae_quad *z, double *digits,
                                dae_report *report);

/* A number that is smaller than this part of the terms that it is the sum of counts as so large: rounding in
 * doubles leaves four digits of it. */
extern const double dae_quad_least_part;

/* *worst := the largest |a_i - b_i| against size_i, that of the number in the run, if it is larger; and what that
 * is in digits, at most 33. */
void dae_quad_compare(dae_quad *worst, int m, const dae_quad *size, const dae_quad *a, const dae_quad *b);
double dae_quad_digits(dae_quad worst);

#endif
