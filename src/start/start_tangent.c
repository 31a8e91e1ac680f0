/* start_tangent.c - the derivative of a start along parameters
 *
 * In minimal coordinates the start is made consistent first: with y = q, then y = v,
 *
 *     M (y - y0) + G^T kappa = 0,   g(q) = 0, or dg/dt(q, v) = 0,       M at q0, then at q
 *
 * is solved for (y, kappa), and differentiated: [R_y R_kappa] (dy, dkappa) = -R_p dp - R_y0 dy0. Where the
 * start was consistent kappa = 0. Then (s, s') is the chart of (q, v).
 */
#include "consistent.h"

#include "base/parts.h"
#include "linear/dense_lu.h"
#include "system/tangent.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    dae_system *sys;
    double t, dt;
    const double *dp;
    int nq, n;                          /* n = nq + nl */
    double *given, *d_given;            /* [2 nq + nl] (q0, v0), and multipliers that count for nothing */
    double *moved, *d_moved;            /* [2 nq] (q, v) */
    double *kappa;                      /* [nl] */
    double *J, *b;                      /* [n x n], [n] */
    double *one, *row;                  /* [n] */
    int *pivot;                         /* [n] */
    int differentiates;                 /* 1: along what is given, with dt */
    dae_dual *q0, *y0, *q, *y, *c, *R, *r;      /* [nq] four times, [nl], [n], [nq] */
} level;

static int create(level *w, dae_system *s, double t, const double *dp)
{
    const size_t nq = (size_t)s->nq, nl = (size_t)s->nl, n = nq + nl;
    *w = (level){.sys = s, .t = t, .dp = dp, .nq = s->nq, .n = s->nq + s->nl};
    if (!DAE_PARTS(w,
                   DAE_PART(level, given, 2 * nq + nl), DAE_PART(level, d_given, 2 * nq + nl),
                   DAE_PART(level, moved, 2 * nq), DAE_PART(level, d_moved, 2 * nq), DAE_PART(level, kappa, nl),
                   DAE_PART(level, b, n), DAE_PART(level, one, n), DAE_PART(level, row, n), DAE_PART(level, J, n * n),
                   DAE_PART(level, q0, nq), DAE_PART(level, y0, nq), DAE_PART(level, q, nq), DAE_PART(level, y, nq),
                   DAE_PART(level, r, nq), DAE_PART(level, c, nl), DAE_PART(level, R, n), DAE_PART(level, pivot, n)))
        return 0;
    for (size_t i = 0; i < n; i++)
        w->one[i] = 1;
    return 1;
}

/* Of positions: those of nonholonomic constraints bind none, and have multipliers of 0. */
static void hold_rest(level *w, int rates)
{
    for (int k = rates ? w->n : w->nq + w->sys->holonomic; k < w->n; k++)
        w->R[k] = w->c[k - w->nq];
}

/* R at what the dual numbers are. */
static void residual(level *w, int rates)
{
    const dae_system *s = w->sys;
    const dae_mechanical *m = &s->problem->mechanical;
    const dae_dual t = dae_dual_make(w->t, w->differentiates ? w->dt : 0), *q = rates ? w->q : w->y;
    for (int i = 0; i < w->nq; i++)
        w->r[i] = w->y[i] - w->y0[i];
    m->inertia.tangent(s->p_tangent, t, rates ? w->q : w->q0, w->r, w->R);
    m->reaction.tangent(s->p_tangent, t, q, w->c, w->r);
    for (int i = 0; i < w->nq; i++)
        w->R[i] += w->r[i];
    if (rates)
        m->rate.tangent(s->p_tangent, t, q, w->y, w->R + w->nq);
    else if (s->holonomic)
        m->constraint.tangent(s->p_tangent, t, q, w->R + w->nq);
    hold_rest(w, rates);
}

/* All values, with derivatives of what is given; those of y and kappa are 0. */
static void set(level *w, int rates, int derivatives)
{
    const int nq = w->nq, at = rates ? nq : 0;
    dae_tangent_pack(nq, w->given, derivatives ? w->d_given : NULL, w->q0);
    dae_tangent_pack(nq, w->given + at, derivatives ? w->d_given + at : NULL, w->y0);
    dae_tangent_pack(nq, w->moved, derivatives ? w->d_moved : NULL, w->q);
    dae_tangent_pack(nq, w->moved + at, NULL, w->y);
    dae_tangent_pack(w->n - nq, w->kappa, NULL, w->c);
}

/* J = [R_y R_kappa], factored; 0 where it is singular. */
static int factor(level *w, int rates)
{
    set(w, rates, 0);
    for (int j = 0; j < w->n; j++) {
        dae_dual *x = j < w->nq ? w->y + j : w->c + (j - w->nq);
        const double value = dae_dual_value(*x);
        *x = dae_dual_make(value, 1);
        residual(w, rates);
        dae_tangent_unpack(w->n, w->R, w->J + j * w->n);
        *x = dae_dual_make(value, 0);
    }
    return dae_dense_factor_real(w->n, w->J, w->one, w->row, w->pivot) < 0;
}

/* kappa of M (y - y0) = -G^T kappa: with kappa = 0 J is [M G^T; G 0]. */
static int find_kappa(level *w, int rates)
{
    memset(w->kappa, 0, (size_t)(w->n - w->nq) * sizeof *w->kappa);
    if (!factor(w, rates))
        return 0;
    set(w, rates, 0);
    residual(w, rates);
    for (int i = 0; i < w->n; i++)
        w->b[i] = i < w->nq ? -dae_dual_value(w->R[i]) : 0;
    dae_dense_solve_real(w->n, w->J, w->pivot, w->b);
    memcpy(w->kappa, w->b + w->nq, (size_t)(w->n - w->nq) * sizeof *w->kappa);
    return 1;
}

static dae_status differentiate(level *w, int rates, dae_report *report)
{
    dae_status status = dae_tangent_begin(w->sys, NULL, report);
    if (status)
        return status;
    if (!find_kappa(w, rates) || !factor(w, rates))
        return dae_fail(report, DAE_SINGULAR, "%s: the consistent start nearest to the one given is not "
                        "determined", w->sys->problem->name);
    status = dae_tangent_begin(w->sys, w->dp, report);
    if (status)
        return status;
    set(w, rates, 1);
    w->differentiates = 1;
    residual(w, rates);
    w->differentiates = 0;
    dae_tangent_unpack(w->n, w->R, w->b);
    for (int i = 0; i < w->n; i++)
        w->b[i] = -w->b[i];
    dae_dense_solve_real(w->n, w->J, w->pivot, w->b);
    memcpy(w->d_moved + (rates ? w->nq : 0), w->b, (size_t)w->nq * sizeof *w->b);
    return DAE_OK;
}

/* d(s, s') of the chart at the state as it was moved */
static dae_status chart(level *w, double *du0)
{
    dae_system *s = w->sys;
    const dae_minimal *minimal = &s->problem->mechanical.minimal;
    dae_dual *x = calloc((size_t)s->n, sizeof *x);
    if (!x)
        return DAE_NO_MEMORY;
    dae_tangent_pack(w->nq, w->moved, w->d_moved, w->q);
    dae_tangent_pack(w->nq, w->moved + w->nq, w->d_moved + w->nq, w->y);
    minimal->chart.tangent(s->p_tangent, dae_dual_make(s->problem->t0, 0), w->q, w->y, x);
    dae_tangent_unpack(s->n, x, du0);
    free(x);
    return DAE_OK;
}

/* The problem's start and its derivative: (q, v, lambda) or u. */
static dae_status given_start(dae_system *s, const double *dp, double *u, double *du, dae_report *report)
{
    const size_t n = (size_t)(s->nq ? 2 * s->nq + s->nl : s->problem->first_order.n);
    dae_dual *x = calloc(n, sizeof *x);
    dae_status status = dae_tangent_begin(s, dp, report);
    if (!x)
        status = dae_fail(report, DAE_NO_MEMORY, "no memory for derivatives of %d unknowns", s->n);
    if (!status && !s->problem->start.tangent)
        status = dae_fail(report, DAE_UNSUPPORTED, "%s: derivatives with respect to parameters need start "
                          "as a function of dual parameters (.tangent)", s->problem->name);
    if (!status) {
        s->problem->start.tangent(s->p_tangent, x);
        for (size_t i = 0; i < n; i++) {
            u[i] = dae_dual_value(x[i]);
            du[i] = dae_dual_derivative(x[i]);
        }
    }
    free(x);
    return status;
}

static dae_status no_memory(const dae_system *s, dae_report *report)
{
    return dae_fail(report, DAE_NO_MEMORY, "no memory for derivatives of %d unknowns", s->n);
}

static dae_status both_levels(level *w, dae_report *report)
{
    dae_status status = DAE_OK;
    for (int rates = 0; !status && w->n > w->nq && rates < 2; rates++)
        status = differentiate(w, rates, report);
    return status;
}

dae_status dae_start_state_along(dae_system *s, double t, double dt, const double *dp, const double *given,
                                 const double *d_given, const double *moved, double *d_moved, dae_report *report)
{
    const size_t size = 2 * (size_t)s->nq * sizeof *given;
    level w;
    if (!create(&w, s, t, dp))
        return no_memory(s, report);
    w.dt = dt;
    memcpy(w.given, given, size);
    memcpy(w.d_given, d_given, size);
    memcpy(w.moved, moved, size);
    memcpy(w.d_moved, d_given, size);
    const dae_status status = both_levels(&w, report);
    memcpy(d_moved, w.d_moved, size);
    free(w.given);
    return status;
}

static dae_status minimal_start(dae_system *s, const double *dp, double *du0, dae_report *report)
{
    level w;
    if (!create(&w, s, s->problem->t0, dp))
        return no_memory(s, report);
    const size_t size = 2 * (size_t)s->nq * sizeof *du0;
    dae_status status = given_start(s, dp, w.given, w.d_given, report);
    memcpy(w.moved, w.given, size);
    memcpy(w.d_moved, w.d_given, size);
    if (!status && s->nl)
        status = dae_start_state(s, s->problem->t0, w.moved, w.moved + s->nq, NULL, report);
    if (!status)
        status = both_levels(&w, report);
    if (!status)
        status = chart(&w, du0);
    free(w.given);
    return status;
}

dae_status dae_system_start_along(dae_system *s, const double *dp, double *du0, dae_report *report)
{
    if (!s || !dp || !du0)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no system, no direction or no place for derivatives is "
                        "given");
    if (s->compose->kind == DAE_FORM_MINIMAL)
        return minimal_start(s, dp, du0, report);
    memset(du0, 0, (size_t)s->n * sizeof *du0);
    return given_start(s, dp, s->start, du0, report);
}

static dae_status start_column(void *context, const double *dp, double *column, dae_report *report)
{
    return dae_system_start_along(context, dp, column, report);
}

dae_status dae_system_start_parameters(dae_system *s, double *u0_p, dae_report *report)
{
    return dae_tangent_columns(s, s ? s->n : 0, start_column, s, u0_p, report);
}
