/* projections.h - one run with options.project, and how far it left constraints and invariants */
#ifndef DAELAB_TEST_PROJECTIONS_H
#define DAELAB_TEST_PROJECTIONS_H

#include "support.h"

enum { BOTH = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY, ON_INVARIANT = DAE_PROJECT_INVARIANT };

/* ---- largest residuals along a run ---------------------------------------------------------- */

typedef struct {
    dae_system *sys;
    double level[2];            /* max |g|, max |dg/dt| */
    double invariant;           /* max |I - I0|/(1 + |I0|) */
    double first[4];
    long looks;
} watched;

static inline int look(void *context, double t, const double *u)
{
    watched *w = context;
    const dae_problem *problem = dae_system_problem(w->sys);
    double out[4 * MOST_UNKNOWNS], x[MOST_UNKNOWNS], lambda[MOST_UNKNOWNS];
    for (int k = 0; k < 2 && dae_system_positions(w->sys); k++)
        for (int i = dae_system_constraint(w->sys, k, t, u, out) - 1; i >= 0; i--)
            w->level[k] = fmax(w->level[k], fabs(out[i]));
    if (problem->invariants.n) {
        const int nq = dae_system_positions(w->sys);
        if (nq)
            dae_system_split(w->sys, t, u, x, x + nq, lambda);
        problem->invariants.value.f(dae_system_parameters(w->sys), t, nq ? x : u, out);
        for (int i = 0; i < problem->invariants.n; i++) {
            if (w->looks == 0)
                w->first[i] = out[i];
            w->invariant = fmax(w->invariant,
                                fabs(out[i] - w->first[i]) / (1 + fabs(w->first[i])));
        }
    }
    w->looks++;
    return 0;
}

typedef struct {
    dae_status status;
    char said[320];
    watched seen;
    dae_statistics count;
    double u[4 * MOST_UNKNOWNS];
} result;

static inline result run_system(dae_system *sys, const dae_method *method, dae_options options,
                         unsigned project, double t_end, const double *start)
{
    result r = {.seen = {.sys = sys}};
    dae_report why = {0};
    OWNED(dae_solver) *solver = NULL;
    const double t0 = dae_system_problem(sys)->t0;
    options.project = project;
    memcpy(r.u, start, (size_t)dae_system_size(sys) * sizeof *start);
    r.status = dae_solver_create(&solver, sys, method, &options, &why);
    if (!r.status) {
        look(&r.seen, t0, r.u);
        r.seen.level[0] = r.seen.level[1] = 0;          /* a start may lie off */
        dae_solver_observe(solver, look, &r.seen);
        r.status = dae_solver_start(solver, t0, r.u);
        if (!r.status)
            r.status = dae_solver_advance(solver, t_end, r.u);
        why = *dae_solver_report(solver);
        r.count = dae_solver_statistics(solver);
    }
    snprintf(r.said, sizeof r.said, "%s", why.message);
    return r;
}

static inline result run(const char *problem, const char *form, const char *method,
                         dae_options options,
                  unsigned project, double t_end)
{
    double u[4 * MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start(problem, form, 0, u);
    return run_system(sys, dae_find_method(method), options, project, t_end, u);
}

static inline const char *name_at(int m) { return dae_method_describe(dae_method_at(m)).name; }

/* Both levels at rounding; scale: of |q| and |v|. */
static inline void assert_on_constraints(const result *r, double scale, const char *what)
{
    if (r->status)
        fail_msg("%s: %s", what, r->said);
    if (!(r->seen.level[0] <= 1e-14 * scale && r->seen.level[1] <= 1e-14 * scale))
        fail_msg("%s: |g| = %g, |dg/dt| = %g", what, r->seen.level[0], r->seen.level[1]);
}

#endif
