/* project.c - projection onto the constraints of positions and velocities
 *
 *     q := q - M^-1 G^T kappa,   S kappa = g(t, q),             S = G M^-1 G^T, G and S at each q,
 *     v := v - M^-1 G^T kappa,   S kappa = dg/dt(t, q, v)       at the last q; once, being linear
 *
 * The first is a Gauss-Newton iteration, repeated until each row holds to the rounding of q,
 *
 *     |g_k| <= 4 eps sum_j |G_kj| (|q_j| + |d_j|),      d the corrections, whose rounding is in q
 *
 * The residual of rows that hold is set to 0. G and S of the last q are used for v. Nonholonomic constraints
 * bind v only: for q, G and S are those of the others.
 *
 * The terms of g_k may be much larger than that sum (q near 0, on a circle whose lowest point is the origin).
 * Then g_k in double consists of rounding errors, and g is evaluated in quad for the rest of the run. There
 * are two signs of this: a row does not converge, or it does not change as predicted when q is changed in
 * its last digits. The second is tested in the projections 1, 2, 4, 8, ... of a run and where the sums have
 * changed by a factor of 2. If the iteration does not converge in quad either, or the model has no quad, the
 * last correction d decides: if G is constant along it, |(G' - G) d| << |G'| |d|, then g is zero after it to
 * rounding.
 *
 * Hairer, Lubich, Wanner (2006), Geometric Numerical Integration, IV.4; Hairer, Wanner (1996),
 * Solving ODEs II, VII.2; residuals in higher precision: Higham (2002), Accuracy and Stability of
 * Numerical Algorithms, 25.2.
 */
#include "project.h"

#include "system/one_constraint.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 10 };
static const double rounding = 4 * DBL_EPSILON; /* bound of |g_k| relative to the sum above */
static const double hidden = 16 * DBL_EPSILON;  /* the same for other rounding errors inside of g */
static const double change = 64 * DBL_EPSILON;  /* the same for the change of g in the test */
static const double flat = 1e-6;                /* relative change of G in a step below which g is linear */

/* ---- rows ----------------------------------------------------------------------------------- */

/* Row k of G x, or of |G| |x|, with G sparse as in the plan, or dense. */
static inline double planned_row(const dae_system *s, int k, const double *x, int absolute)
{
    const dae_pattern *p = &s->plan.pattern;
    double sum = 0;
    for (int a = p->column[k]; a < p->column[k + 1]; a++) {
        const double term = s->gradient[a] * x[p->row[a]];
        sum += absolute ? fabs(term) : term;
    }
    return sum;
}

static inline double dense_row(const dae_system *s, int nq, int k, const double *x, int absolute)
{
    const double *G = s->gradient + k * nq;
    double sum = 0;
    for (int i = 0; i < nq; i++)
        sum += absolute ? fabs(G[i] * x[i]) : G[i] * x[i];
    return sum;
}

/* c := G x, or |G| |x| */
static inline void multiply(const dae_system *s, const double *x, int absolute, double *c)
{
    for (int k = 0; k < s->ng; k++)
        c[k] = s->sparse_schur ? planned_row(s, k, x, absolute) : dense_row(s, s->nq, k, x, absolute);
}

void dae_project_sizes(const dae_system *s, const double *x, double *sum)
{
    multiply(s, x, 1, sum);
}

void dae_project_slopes(const dae_system *s, const double *x, double *c)
{
    multiply(s, x, 0, c);
}

void dae_project_reset(dae_system *s)
{
    s->exact = 0;
    s->projections = 0;
    for (int k = 0; k < s->nl; k++)
        s->seen[k] = 0;
}

void dae_project_exactly(dae_system *s, double t, const double *q, double *g)
{
    const dae_map1 *constraint = &s->problem->mechanical.constraint;
    dae_quad *x = s->quad, *y = x + s->nq;
    if (!constraint->quad) {
        constraint->f(s->p, t, q, g);
        return;
    }
    for (int i = 0; i < s->nq; i++)
        x[i] = q[i];
    constraint->quad(s->p_quad, t, x, y);
    for (int k = 0; k < s->holonomic; k++)
        g[k] = (double)y[k];
}

/* ---- positions ------------------------------------------------------------------------------ */

/* The state of an iteration: residuals g (0 in rows that hold), |G| |q|, residuals before the last step, and
 * its correction. */
typedef struct {
    double *g, *size, *before, *slope, *value;  /* [nl]; the last two are scratch */
    double *far;                /* [nl] sum of |G| |d| of the corrections */
    double *dq;                 /* [nq] */
    int steps;
} progress;

/* How many positions and rows, constants where a kernel is compiled for a single body. */
typedef struct { int nq, ng, one; } extent;

static inline int factor(dae_system *s, extent x, double t, const double *q)
{
    return x.one ? dae_one_factor(s, x.nq, t, q) : dae_system_factor_schur(s, t, q);
}

static inline void evaluate(dae_system *s, extent x, double t, const double *q, const progress *p)
{
    if (s->exact)
        dae_project_exactly(s, t, q, p->g);
    else
        s->problem->mechanical.constraint.f(s->p, t, q, p->g);
    if (x.one)
        p->size[0] = dense_row(s, x.nq, 0, q, 1);
    else
        dae_project_sizes(s, q, p->size);
    for (int k = 0; k < x.ng; k++)
        p->size[k] += p->far[k];
}

/* Sets g_k = 0 in rows that hold; returns the number of the others. */
static inline int unsettled(extent x, const progress *p)
{
    int rows = 0;
    for (int k = 0; k < x.ng; k++)
        if (fabs(p->g[k]) <= rounding * p->size[k])
            p->g[k] = 0;
        else
            rows++;
    return rows;
}

/* 1 where the last step has halved the residual of no row. */
static int stalls(const dae_system *s, const progress *p)
{
    int k = 0;
    while (k < s->ng && !(p->g[k] != 0 && fabs(p->g[k]) <= fabs(p->before[k]) / 2))
        k++;
    return p->steps && k == s->ng;
}

/* 1 where g is linear along the last correction d: G' d = G d = -g. */
static int is_flat(const dae_system *s, const progress *p)
{
    int k = 0;
    dae_project_sizes(s, p->dq, p->size);
    dae_project_slopes(s, p->dq, p->slope);
    while (k < s->ng && fabs(p->slope[k] + p->before[k]) <= flat * p->size[k])
        k++;
    return k == s->ng;
}

/* 1 where rounding errors inside of g are to be tested for: in the projections 1, 2, 4, ..., and where the
 * sums have changed by a factor of 2 since the last test. */
static inline int looks(const dae_system *s, extent x, const progress *p)
{
    int k = 0;
    while (k < x.ng && p->size[k] >= s->seen[k] / 2 && p->size[k] <= 2 * s->seen[k])
        k++;
    return k < x.ng || !(s->projections & (s->projections - 1));
}

/* x[nq] := q changed so that each g_k decreases by change times its sum; slope is a work array. */
static void move_rows(const dae_system *s, const double *q, const progress *p, double *x)
{
    for (int k = 0; k < s->ng; k++)
        p->slope[k] = change * p->size[k];
    memcpy(x, q, (size_t)s->nq * sizeof *x);
    dae_system_solve_schur(s, p->slope);
    dae_system_add_reaction(s, p->slope, x);
}

/* 1 where g in double does not change as predicted when q is changed in its last digits. Then rows that hold
 * in double need not hold in quad. */
static int deceives(dae_system *s, double t, const double *q, const progress *p)
{
    int k = 0;
    if (s->exact || !s->problem->mechanical.constraint.quad)
        return 0;
    memcpy(s->seen, p->size, (size_t)s->ng * sizeof *s->seen);
    s->problem->mechanical.constraint.f(s->p, t, q, p->value);
    move_rows(s, q, p, p->dq);
    s->problem->mechanical.constraint.f(s->p, t, p->dq, p->slope);
    while (k < s->ng
           && fabs(p->slope[k] - p->value[k] + change * p->size[k]) <= hidden * p->size[k])
        k++;
    return k < s->ng;
}

/* q := q - M^-1 G^T S^-1 g */
static inline void correct(const dae_system *s, extent x, progress *p, double *q)
{
    for (int k = 0; k < x.ng; k++)
        p->before[k] = p->g[k];
    for (int i = 0; i < x.nq; i++)
        p->dq[i] = 0;
    if (x.one) {
        p->g[0] /= s->schur[0];
        dae_one_add_reaction(s, x.nq, p->g[0], p->dq);
    } else {
        dae_system_solve_schur(s, p->g);
        dae_system_add_reaction(s, p->g, p->dq);
    }
    if (x.one)
        p->slope[0] = dense_row(s, x.nq, 0, p->dq, 1);
    else
        dae_project_sizes(s, p->dq, p->slope);
    for (int k = 0; k < x.ng; k++)
        p->far[k] += p->slope[k];
    for (int i = 0; i < x.nq; i++)
        q[i] += p->dq[i];
    p->steps++;
}

/* Where rows do not converge, or hold in double and may not in quad: what is left of them there. *done: q is as good
 * as g allows. */
static int look_closer(dae_system *s, extent x, double t, const double *q, int rows, progress *p, int *done)
{
    const int has_quad = s->problem->mechanical.constraint.quad != NULL, stalled = rows && stalls(s, p);
    if (!s->exact && has_quad && (!rows || stalled)) {
        s->exact = 1;
        evaluate(s, x, t, q, p);
        rows = unsettled(x, p);
        p->steps = 0;
    } else if (stalled && is_flat(s, p)) {
        *done = 1;
    }
    return rows;
}

/* G and S are those of constraints on positions. */
static inline __attribute__((always_inline))
dae_status settle(dae_system *s, extent x, double t, double *q)
{
    double *r = s->rows;
    progress p = {r, r + x.ng, r + 2 * x.ng, r + 3 * x.ng, r + 4 * x.ng, r + 5 * x.ng, s->state, 0};
    for (int k = 0; k < x.ng; k++)
        p.far[k] = 0;
    s->projections++;
    for (int k = 0; k < MOST_STEPS; k++) {
        int done = 0;
        if (!factor(s, x, t, q))
            return DAE_SINGULAR;
        evaluate(s, x, t, q, &p);
        int rows = unsettled(x, &p);
        if (!rows && !(looks(s, x, &p) && deceives(s, t, q, &p)))
            return DAE_OK;
        if (!rows || p.steps)
            rows = look_closer(s, x, t, q, rows, &p, &done);
        if (!rows || done)
            return DAE_OK;
        correct(s, x, &p, q);
    }
    return DAE_NO_CONVERGENCE;
}

static dae_status settle_positions(dae_system *s, double t, double *q)
{
    return s->ng ? settle(s, (extent){s->nq, s->ng, 0}, t, q) : DAE_OK;
}

dae_status dae_project_positions(dae_system *s, double t, double *q)
{
    const int before = dae_system_take_rows(s, s->holonomic);
    const dae_status status = settle_positions(s, t, q);
    dae_system_take_rows(s, before);
    return status;
}

/* ---- velocities ----------------------------------------------------------------------------- */

/* Uses the G and S of the last call of dae_system_factor_schur, at q. */
static void settle_velocities(dae_system *s, double t, const double *q, double *v)
{
    double *kappa = s->rows;
    if (s->nl == 0)
        return;
    s->problem->mechanical.rate.f(s->p, t, q, v, kappa);
    dae_system_solve_schur(s, kappa);
    dae_system_add_reaction(s, kappa, v);
}

dae_status dae_project_positions_euclidean(dae_system *s, double t, double *q)
{
    const dae_system_norm mass = dae_system_take_euclidean_norm(s);
    const dae_status status = dae_project_positions(s, t, q);
    dae_system_take_norm(s, mass);
    return status;
}

dae_status dae_project_velocities(dae_system *s, double t, const double *q, double *v)
{
    if (!dae_system_factor_schur(s, t, q))
        return DAE_SINGULAR;
    settle_velocities(s, t, q, v);
    return DAE_OK;
}

static dae_status project_any(dae_system *s, double t, double *q, double *v)
{
    const dae_status status = dae_project_positions(s, t, q);
    if (status || (dae_system_is_nonholonomic(s) && !dae_system_factor_schur(s, t, q)))
        return status ? status : DAE_SINGULAR;
    settle_velocities(s, t, q, v);
    return DAE_OK;
}

/* A single body under one constraint. */
static inline __attribute__((always_inline))
dae_status project_one(dae_system *s, int nq, double t, double *q, double *v)
{
    double kappa;
    const dae_status status = settle(s, (extent){nq, 1, 1}, t, q);
    if (status)
        return status;
    s->problem->mechanical.rate.f(s->p, t, q, v, &kappa);
    dae_one_add_reaction(s, nq, kappa / s->schur[0], v);
    return DAE_OK;
}

#define BODY(name, nq)                                                                            \
    static dae_status project_##name(dae_system *s, double t, double *q, double *v)              \
    {                                                                                             \
        return s->holonomic ? project_one(s, nq, t, q, v) : project_any(s, t, q, v);              \
    }
DAE_FOR_EACH_BODY(BODY)
#undef BODY

dae_status dae_project(dae_system *s, double t, double *q, double *v)
{
    static dae_status (*const projections[DAE_BODIES])(dae_system *, double, double *, double *) = DAE_BY_BODY(project);
    return projections[s->body](s, t, q, v);
}
