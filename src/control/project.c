/* project.c - projection on the constraints of positions and velocities
 *
 *     q := q - M^-1 G^T kappa,   S kappa = g(t, q),             S = G M^-1 G^T, G and S at each q,
 *     v := v - M^-1 G^T kappa,   S kappa = dg/dt(t, q, v)       at the last q; once, being linear
 *
 * The first is Gauss-Newton, repeated until each row holds as far as rounding of q lets it,
 *
 *     |g_k| <= 4 eps sum_j |G_kj q_j|,
 *
 * and rows that do are left alone: what is far away or large in one row is nothing to another. The G
 * and S of the last q serve v.
 *
 * The terms of g_k may be much larger than that sum (q near 0, on a circle whose lowest point is the
 * origin): then rounding inside of g is all that double numbers leave of it. Where a row does not
 * settle, or where its value in quad at the same q differs, g is taken in quad from there on. That takes
 * the time of some evaluations of f, and is looked at where the sum of a row is a sixteenth of what it has
 * been at all looks before, and in the projections 1, 8, 64, ... of a run; in 1, 2, 4, ... as long as a
 * row has shown nothing but an exact 0. Where quad does not settle either, or a model
 * has none, the last correction d tells: if G has not changed along it, |(G' - G) d| << |G'| |d|, g
 * would be zero behind it but for rounding.
 *
 * Hairer, Lubich, Wanner (2006), Geometric Numerical Integration, IV.4; Hairer, Wanner (1996), Solving
 * ODEs II, VII.2; residuals in higher precision: Higham (2002), Accuracy and Stability of Numerical
 * Algorithms, 25.2.
 */
#include "project.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 10 };
static const double rounding = 4 * DBL_EPSILON; /* of sum_j |G_kj q_j|: a row that holds */
static const double hidden = 16 * DBL_EPSILON;  /* ... one that holds in double, but not in quad */
static const double fallen = 1.0 / 16;          /* a sum that has become small beside what rounds in g */
enum { OFTEN = 2, SELDOM = 8 };                 /* ... and after so many times the projections */
static const double flat = 1e-6;                /* change of G over a step: no curvature stalls it */

/* ---- rows ----------------------------------------------------------------------------------- */

/* Row k of G x, or of |G| |x|, by the entries of the plan, or of nq positions. */
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

/* c := G x, or |G| |x|; for a body in the plane written out. */
static inline void multiply(const dae_system *s, const double *x, int absolute, double *c)
{
    if (s->nq == 2 && s->nl == 1) {
        c[0] = dense_row(s, 2, 0, x, absolute);
        return;
    }
    for (int k = 0; k < s->nl; k++)
        c[k] = s->planned ? planned_row(s, k, x, absolute) : dense_row(s, s->nq, k, x, absolute);
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
    s->next_look = 1;
    for (int k = 0; k < s->nl; k++)
        s->seen[k] = INFINITY;
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
    constraint->quad(s->p, t, x, y);
    for (int k = 0; k < s->nl; k++)
        g[k] = (double)y[k];
}

/* ---- positions ------------------------------------------------------------------------------ */

/* How an iteration stands: g of each row, where it does not hold, and |G| |q|; the step before, and what
 * it changed. */
typedef struct {
    double *g, *size, *before, *slope;  /* [nl] */
    double *dq;                 /* [nq] */
    int steps;
} progress;

static void evaluate(dae_system *s, double t, const double *q, const progress *p)
{
    if (s->exact)
        dae_project_exactly(s, t, q, p->g);
    else
        s->problem->mechanical.constraint.f(s->p, t, q, p->g);
    dae_project_sizes(s, q, p->size);
}

/* Rows that do not hold; those that do are given no residual. */
static int unsettled(const dae_system *s, const progress *p)
{
    int rows = 0;
    for (int k = 0; k < s->nl; k++)
        if (fabs(p->g[k]) <= rounding * p->size[k])
            p->g[k] = 0;
        else
            rows++;
    return rows;
}

/* No row is better by half than it was before the last step. */
static int stalls(const dae_system *s, const progress *p)
{
    int k = 0;
    while (k < s->nl && !(p->g[k] != 0 && fabs(p->g[k]) <= fabs(p->before[k]) / 2))
        k++;
    return p->steps && k == s->nl;
}

/* The last step led along a straight piece: G' d = G d, which was -g. */
static int is_flat(const dae_system *s, const progress *p)
{
    int k = 0;
    dae_project_sizes(s, p->dq, p->size);
    dae_project_slopes(s, p->dq, p->slope);
    while (k < s->nl && fabs(p->slope[k] + p->before[k]) <= flat * p->size[k])
        k++;
    return k == s->nl;
}

/* Now and then, as it takes time. */
static int looks(const dae_system *s, const progress *p)
{
    int k = 0;
    while (k < s->nl && !(s->seen[k] < INFINITY && p->size[k] < fallen * s->seen[k]))
        k++;
    return k < s->nl || s->projections >= s->next_look;
}

/* After a look at g in quad: a row that is exactly 0 has not shown what rounds in it. */
static void remember(dae_system *s, const progress *p)
{
    int told = 1;
    for (int k = 0; k < s->nl; k++)
        if (p->g[k] != 0)
            s->seen[k] = fmin(s->seen[k], p->size[k]);
        else
            told &= s->seen[k] < INFINITY;
    if (s->projections >= s->next_look)
        s->next_look = (told ? SELDOM : OFTEN) * s->projections;
}

/* Rows that hold in double do not in quad. */
static int deceives(dae_system *s, double t, const double *q, const progress *p)
{
    int k = 0;
    if (s->exact || !s->problem->mechanical.constraint.quad || !looks(s, p))
        return 0;
    dae_project_exactly(s, t, q, p->g);
    remember(s, p);
    while (k < s->nl && fabs(p->g[k]) <= hidden * p->size[k])
        k++;
    return k < s->nl;
}

/* q := q - M^-1 G^T S^-1 g */
static void correct(const dae_system *s, progress *p, double *q)
{
    for (int k = 0; k < s->nl; k++)
        p->before[k] = p->g[k];
    for (int i = 0; i < s->nq; i++)
        p->dq[i] = 0;
    dae_system_solve_schur(s, p->g);
    dae_system_add_reaction(s, p->g, p->dq);
    for (int i = 0; i < s->nq; i++)
        q[i] += p->dq[i];
    p->steps++;
}

dae_status dae_project_positions(dae_system *s, double t, double *q)
{
    double *r = s->rows;
    progress p = {r, r + s->nl, r + 2 * s->nl, r + 3 * s->nl, s->state, 0};
    const int has_quad = s->problem->mechanical.constraint.quad != NULL;
    if (s->nl == 0)
        return DAE_OK;
    s->projections++;
    for (int k = 0; k < MOST_STEPS; k++) {
        if (!dae_system_factor_schur(s, t, q))
            return DAE_SINGULAR;
        evaluate(s, t, q, &p);
        int rows = unsettled(s, &p);
        if (!rows && !deceives(s, t, q, &p))
            return DAE_OK;
        const int stalled = rows && stalls(s, &p);
        if (!s->exact && has_quad && (!rows || stalled)) {
            s->exact = 1;
            evaluate(s, t, q, &p);
            rows = unsettled(s, &p);
            p.steps = 0;
        } else if (stalled && is_flat(s, &p)) {
            return DAE_OK;
        }
        if (!rows)
            return DAE_OK;
        correct(s, &p, q);
    }
    return DAE_NO_CONVERGENCE;
}

/* ---- velocities ----------------------------------------------------------------------------- */

/* With G and S at q as they were left. */
static void settle_velocities(dae_system *s, double t, const double *q, double *v)
{
    double *kappa = s->rows;
    if (s->nl == 0)
        return;
    s->problem->mechanical.rate.f(s->p, t, q, v, kappa);
    dae_system_solve_schur(s, kappa);
    dae_system_add_reaction(s, kappa, v);
}

dae_status dae_project_velocities(dae_system *s, double t, const double *q, double *v)
{
    if (!dae_system_factor_schur(s, t, q))
        return DAE_SINGULAR;
    settle_velocities(s, t, q, v);
    return DAE_OK;
}

dae_status dae_project(dae_system *s, double t, double *q, double *v)
{
    const dae_status status = dae_project_positions(s, t, q);
    if (!status)
        settle_velocities(s, t, q, v);
    return status;
}
