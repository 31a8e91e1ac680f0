/* consistent.c - the consistent state nearest to a given one
 *
 *   mechanical    positions     M (q - q0) + G(t,q)^T kappa = 0,   g(t, q) = 0
 *                 velocities    M (v - v0) + G(t,q)^T kappa = 0,   dg/dt(t, q, v) = 0
 *                 multipliers   M a + G(t,q)^T lambda = f(t, q, v),   d2g/dt2(t, q, v, a) = 0
 *                               auxiliary multipliers 0; M at q0, then at q
 *   first order   consistent_first_order.c
 *
 * Each is the KKT system of a nearest point, solved in this order. A level that holds to rounding
 * leaves its variables bit for bit. Derivatives come from dual numbers.
 *
 * With many constraints the Newton matrix is not formed: positions and velocities are projected
 * (project.h), which for positions is near the nearest point, and the multipliers solved. Without
 * constraints every (q, v) is consistent.
 */
#include "backends/kinsol.h"
#include "control/consistent.h"
#include "control/project.h"
#include "system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-13;     /* relative change that is none */

/* ---- mechanical --------------------------------------------------------------------------- */

typedef struct level level;
struct level {
    dae_system *sys;
    double t;
    void (*residual)(const level *l, const dae_dual *x, dae_dual *r);
    const double *given;        /* [nq] q0, v0 or f */
    dae_dual *q, *v;            /* [nq] */
    dae_dual *x, *r;            /* [nq + nl] */
    dae_dual *y;                /* [2 nq] work */
};

/* r := M x + G(t, q)^T kappa - b, or with M (x - b), the first rows of every level; x and kappa the
 * halves of x. M at l->q. */
static void balance(const level *l, const dae_dual *q, const dae_dual *x, const double *b,
                    int b_has_mass, dae_dual *r)
{
    const dae_mechanical *m = &l->sys->problem->mechanical;
    const dae_dual t = dae_dual_make(l->t, 0);
    const int nq = l->sys->nq;
    dae_dual *y = l->y, *My = y + nq;
    for (int i = 0; i < nq; i++)
        y[i] = b_has_mass ? x[i] : x[i] - b[i];
    m->inertia.dual(l->sys->p, t, l->q, y, My);
    m->reaction.dual(l->sys->p, t, q, x + nq, r);
    for (int i = 0; i < nq; i++)
        r[i] += b_has_mass ? My[i] - b[i] : My[i];
}

static void position_level(const level *l, const dae_dual *x, dae_dual *r)
{
    const dae_system *s = l->sys;
    balance(l, x, x, l->given, 0, r);
    s->problem->mechanical.constraint.dual(s->p, dae_dual_make(l->t, 0), x, r + s->nq);
}

static void velocity_level(const level *l, const dae_dual *x, dae_dual *r)
{
    const dae_system *s = l->sys;
    balance(l, l->q, x, l->given, 0, r);
    s->problem->mechanical.rate.dual(s->p, dae_dual_make(l->t, 0), l->q, x, r + s->nq);
}

static void multiplier_level(const level *l, const dae_dual *x, dae_dual *r)
{
    const dae_system *s = l->sys;
    balance(l, l->q, x, l->given, 1, r);
    s->problem->mechanical.acceleration.dual(s->p, dae_dual_make(l->t, 0), l->q, l->v, x,
                                             r + s->nq);
}

/* r and J from one pass with dual numbers for each unknown */
static void evaluate_level(void *context, const double *x, double *r, double *J)
{
    const level *l = context;
    const int n = l->sys->nq + l->sys->nl;
    for (int i = 0; i < n; i++)
        l->x[i] = dae_dual_make(x[i], 0);
    for (int j = 0; j < n; j++) {
        l->x[j] = dae_dual_make(x[j], 1);
        l->residual(l, l->x, l->r);
        l->x[j] = dae_dual_make(x[j], 0);
        for (int i = 0; i < n; i++) {
            r[i] = dae_dual_value(l->r[i]);
            J[j * n + i] = dae_dual_derivative(l->r[i]);
        }
    }
}

static dae_status solve_level(level *l, const char *what, double *x, dae_report *report)
{
    const dae_system *s = l->sys;
    const dae_equations equations = {.what = what, .n = s->nq + s->nl, .nx = s->nq, .t = l->t,
                                     .context = l, .evaluate = evaluate_level};
    return dae_equations_solve(&equations, x, report);
}

static void constants(dae_dual *out, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = dae_dual_make(x[i], 0);
}

/* q or v, in place: nearest to itself where its level holds; x[nq + nl] is scratch */
static dae_status nearest(level *l, const char *what, double *y, double *x, dae_report *report)
{
    const size_t nq = (size_t)l->sys->nq;
    memcpy(x, y, nq * sizeof *x);
    memset(x + nq, 0, (size_t)l->sys->nl * sizeof *x);
    l->given = y;
    const dae_status status = solve_level(l, what, x, report);
    if (!status)
        memcpy(y, x, nq * sizeof *x);
    return status;
}

/* lambda, in place, with the accelerations it causes as the guess of a */
static dae_status multipliers(level *l, const double *q, const double *v, double *lambda,
                              double *x, double *f, dae_report *report)
{
    const dae_system *s = l->sys;
    const dae_mechanical *m = &s->problem->mechanical;
    const size_t nl = (size_t)s->nl;
    m->force.f(s->p, l->t, q, v, f);
    m->reaction.f(s->p, l->t, q, lambda, x);
    for (int i = 0; i < s->nq; i++)
        x[i] = f[i] - x[i];
    if (!dae_system_divide_by_mass(l->sys, l->t, q, x))
        return dae_fail(report, DAE_SINGULAR, "t = %.6g: the mass matrix is not positive definite",
                        l->t);
    memcpy(x + s->nq, lambda, nl * sizeof *x);
    l->given = f;
    const dae_status status = solve_level(l, "multipliers", x, report);
    if (!status)
        memcpy(lambda, x + s->nq, nl * sizeof *x);
    return status;
}

static dae_status solve_levels(level *l, double *u, double *x, double *f, dae_report *report)
{
    const dae_system *s = l->sys;
    double *q = u, *v = u + s->nq, *lambda = v + s->nq;
    constants(l->q, q, s->nq);
    l->residual = position_level;
    dae_status status = nearest(l, "positions", q, x, report);
    if (status)
        return status;
    constants(l->q, q, s->nq);
    l->residual = velocity_level;
    status = nearest(l, "velocities", v, x, report);
    if (status)
        return status;
    constants(l->v, v, s->nq);
    l->residual = multiplier_level;
    status = multipliers(l, q, v, lambda, x, f, report);
    if (!status)
        for (int i = 2 * s->nq + s->nl; i < s->n; i++)
            u[i] = s->carries && i >= s->acceleration_at ? x[i - s->acceleration_at] : 0;
    return status;
}

/* The constraint that S lost its rank at: a redundant one, or one whose gradient vanishes; after what
 * was said before. */
static dae_status name_redundant(const dae_system *s, dae_report *report)
{
    char before[sizeof report->message] = "";
    if (!report)
        return DAE_INCONSISTENT;
    snprintf(before, sizeof before, "%s", report->message);
    return dae_fail(report, DAE_INCONSISTENT, "%s; constraint %d depends on those before it, or its "
                    "gradient vanishes", before, s->redundant + 1);
}

static dae_status start_many(dae_system *s, double t, double *u, dae_report *report)
{
    const int nq = s->nq;
    double *q = u, *v = u + nq, *lambda = v + nq, *a = malloc((size_t)nq * sizeof *a);
    if (!a)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a consistent start");
    dae_status status = dae_project(s, t, q, v);
    if (!status)
        status = dae_system_accelerate(s, t, q, v, a, lambda);
    free(a);
    if (status == DAE_SINGULAR) {
        dae_fail(report, DAE_INCONSISTENT, "t = %.6g: no consistent start", t);
        return name_redundant(s, report);
    }
    return status ? dae_fail(report, DAE_INCONSISTENT, "t = %.6g: no consistent positions near the "
                             "start", t) : DAE_OK;
}

static dae_status start_mechanical(dae_system *sys, double t, double *u, dae_report *report)
{
    const size_t nq = (size_t)sys->nq, n = nq + (size_t)sys->nl;
    double *x = calloc(n + nq, sizeof *x);
    dae_dual *dual = calloc(4 * nq + 2 * n, sizeof *dual);
    dae_status status;
    if (x && dual) {
        level l = {.sys = sys, .t = t, .q = dual, .v = dual + nq, .x = dual + 2 * nq,
                   .r = dual + 2 * nq + n, .y = dual + 2 * nq + 2 * n};
        status = solve_levels(&l, u, x, x + n, report);
        const int singular = (!status || status == DAE_INCONSISTENT)
                             && !dae_system_factor_schur(sys, t, u);
        if (!status && singular)
            dae_fail(report, DAE_INCONSISTENT, "t = %.6g: the multipliers are not determined", t);
        if (singular)
            status = name_redundant(sys, report);
    } else {
        status = dae_fail(report, DAE_NO_MEMORY, "no memory for a consistent start");
    }
    free(x);
    free(dual);
    return status;
}

/* Any (q, v) is consistent; accelerations that are unknowns are M^-1 f. */
static dae_status start_unconstrained(dae_system *s, double t, double *u, dae_report *report)
{
    double *a = dae_system_accelerations(s, u);
    return !s->carries || !dae_system_accelerate(s, t, u, u + s->nq, a, NULL)
               ? DAE_OK
               : dae_fail(report, DAE_SINGULAR, "t = %.6g: the mass matrix is not positive definite",
                          t);
}

/* ---- both --------------------------------------------------------------------------------- */

static double *change_of(dae_start_change *change, dae_class c)
{
    switch (c) {
    case DAE_POSITION:
    case DAE_DIFFERENTIAL:
        return &change->position;
    case DAE_VELOCITY:
        return &change->velocity;
    default:
        return &change->multiplier;
    }
}

/* The largest changes from before to after; changed: one is more than rounding of its kind. */
static dae_start_change compare(const dae_system *s, const double *before, const double *after)
{
    dae_start_change change = {0}, largest = {0};
    for (int i = 0; i < s->n; i++) {
        double *d = change_of(&change, s->classes[i]), *size = change_of(&largest, s->classes[i]);
        *d = fmax(*d, fabs(after[i] - before[i]));
        *size = fmax(*size, fabs(after[i]));
    }
    change.changed = change.position > rounding * largest.position
                     || change.velocity > rounding * largest.velocity
                     || change.multiplier > rounding * largest.multiplier;
    return change;
}

dae_status dae_consistent_start(dae_system *sys, double t, double *u, dae_start_change *change,
                                dae_report *report)
{
    if (!sys || !u)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", sys ? "state" : "system");
    if (!isfinite(t))
        return dae_fail(report, DAE_BAD_ARGUMENT, "t = %g: a start has a time that is finite", t);
    const size_t size = (size_t)sys->n * sizeof *u;
    double *state = malloc(size);
    if (!state)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a consistent start");
    memcpy(state, u, size);
    const dae_form_kind kind = sys->compose->kind;
    const dae_status status =
        kind == DAE_FORM_MECHANICAL && !sys->nl ? start_unconstrained(sys, t, state, report)
        : kind == DAE_FORM_MECHANICAL && sys->planned ? start_many(sys, t, state, report)
        : kind == DAE_FORM_MECHANICAL ? start_mechanical(sys, t, state, report)
        : kind == DAE_FORM_FIRST_ORDER ? dae_start_first_order(sys, t, state, report) : DAE_OK;
    if (!status) {
        if (change)
            *change = compare(sys, u, state);
        memcpy(u, state, size);
    }
    free(state);
    return status;
}
