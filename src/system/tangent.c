/* tangent.c - derivatives of F, M x and the constraints along a direction in t, u and the parameters
 *
 * In index 1 and Baumgarte's form F contains M^-1, which depends on parameters, too: its diagonal is made
 * of dual numbers from the inertia of accelerations of one. With a full M(q) its equation is solved:
 *
 *     M a = r    =>    M da = dr - dM a
 */
#include "system/tangent.h"
#include "system/parameters.h"

#include <stdlib.h>
#include <string.h>

/* ---- the pass ----------------------------------------------------------------------------- */

void dae_tangent_pack(int n, const double *x, const double *dx, dae_dual *out)
{
    for (int i = 0; i < n; i++)
        out[i] = dae_dual_make(x[i], dx ? dx[i] : 0);
}

void dae_tangent_unpack(int n, const dae_dual *x, double *dx)
{
    for (int i = 0; i < n; i++)
        dx[i] = dae_dual_derivative(x[i]);
}

/* s->inner.tangent: the inverse of the mass [nq], then u, F, and scratch of constraints. */
static size_t state_size(const dae_system *s)
{
    const int given = 2 * s->nq + s->nl;
    return (size_t)(given > s->n ? given : s->n);
}

static dae_dual *unknowns_of(const dae_system *s) { return s->inner.tangent + s->nq; }
static dae_dual *values_of(const dae_system *s) { return unknowns_of(s) + state_size(s); }
static dae_dual *scratch_of(const dae_system *s) { return values_of(s) + state_size(s); }

static int make_room(dae_system *s)
{
    if (!s->inner.tangent)
        s->inner.tangent = calloc((size_t)(4 * s->nq + s->nl) + 2 * state_size(s) + 1, sizeof *s->inner.tangent);
    return s->inner.tangent != NULL;
}

/* Where M is diagonal and constant, at the problem's start as in creation; else ones. */
static void set_inverse_mass(dae_system *s)
{
    dae_dual *w = s->inner.tangent, *q = unknowns_of(s), *one = values_of(s);
    const dae_dual t0 = dae_dual_make(s->problem->t0, 0);
    for (int i = 0; i < s->nq; i++)
        w[i] = one[i] = 1;
    if (s->general_mass || s->compose->kind != DAE_FORM_MECHANICAL)
        return;
    dae_tangent_pack(s->nq, s->start, NULL, q);
    s->problem->mechanical.inertia.tangent(s->p_tangent, t0, q, one, w);
    for (int i = 0; i < s->nq; i++)
        w[i] = 1 / w[i];
}

dae_status dae_tangent_begin(dae_system *s, const double *dp, dae_report *report)
{
    if (!s)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no system is given");
    const dae_status status = dae_check_tangent(s->problem, report);
    if (status)
        return status;
    if (!make_room(s))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for derivatives of %d unknowns", s->n);
    const int counts = dae_counting_parameter(s->problem);
    for (int i = 0; i < s->parameters; i++)
        s->p_tangent[i] = dae_dual_make(s->p[i], dp && i != counts ? dp[i] : 0);
    set_inverse_mass(s);
    return DAE_OK;
}

void dae_tangent_set(dae_system *s, const double *dp)
{
    for (int i = 0; i < s->parameters; i++)
        s->p_tangent[i] = dae_dual_make(s->p[i], dp[i]);
    set_inverse_mass(s);
}

dae_status dae_tangent_columns(const dae_system *s, int rows, dae_tangent_column *f, void *context,
                               double *out, dae_report *report)
{
    dae_status status = DAE_OK;
    if (!s || !out)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", s ? "place for derivatives" : "system");
    double *dp = calloc((size_t)s->parameters + 1, sizeof *dp);
    if (!dp)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a direction of %d parameters", s->parameters);
    for (int k = 0; !status && k < s->parameters; k++) {
        dp[k] = 1;
        status = f(context, dp, out + (size_t)k * (size_t)rows, report);
        dp[k] = 0;
    }
    free(dp);
    return status;
}

void dae_tangent_rhs(dae_system *s, double t, const double *u, const dae_tangent *along, double *dF)
{
    dae_tangent_pack(s->n, u, along->u, unknowns_of(s));
    s->compose->rhs_tangent(s, dae_dual_make(t, along->t), unknowns_of(s), values_of(s));
    dae_tangent_unpack(s->n, values_of(s), dF);
}

void dae_tangent_rhs_held(dae_system *s, double t, const double *u, const double *du, double *dF)
{
    dae_tangent_pack(s->n, u, du, unknowns_of(s));
    s->compose->rhs_dual(s, dae_dual_make(t, 0), unknowns_of(s), values_of(s));
    dae_tangent_unpack(s->n, values_of(s), dF);
}

static dae_status nothing_given(dae_report *report)
{
    return dae_fail(report, DAE_BAD_ARGUMENT, "no state, no direction or no place for derivatives is given");
}

/* ---- F and M x ---------------------------------------------------------------------------- */

dae_status dae_system_rhs_along(dae_system *s, double t, const double *u, const dae_tangent *along,
                                double *dF, dae_report *report)
{
    if (!u || !along || !dF)
        return nothing_given(report);
    const dae_status status = dae_tangent_begin(s, along->p, report);
    if (!status)
        dae_tangent_rhs(s, t, u, along, dF);
    return status;
}

dae_status dae_system_mass_along(dae_system *s, const double *x, const dae_tangent *along, double *out,
                                 dae_report *report)
{
    if (!x || !along || !out)
        return nothing_given(report);
    const dae_status status = dae_tangent_begin(s, along->p, report);
    if (status)
        return status;
    const dae_dual t0 = dae_dual_make(s->problem->t0, 0);
    const int nq = s->nq, diagonal = s->compose->kind == DAE_FORM_MECHANICAL && !s->general_mass;
    dae_dual *y = unknowns_of(s), *My = values_of(s);
    dae_tangent_pack(s->n, x, along->u, y);
    for (int i = 0; i < s->n; i++)
        My[i] = s->diagonal[i] * y[i];
    if (diagonal) {
        dae_tangent_pack(nq, s->start, NULL, scratch_of(s));
        s->problem->mechanical.inertia.tangent(s->p_tangent, t0, scratch_of(s), y + nq, My + nq);
    }
    if (s->carried) {
        dae_system_evaluate_start(s);
        const dae_status carried = dae_state_mass_along(s->carried, s->p_tangent, s->problem->t0, s->start, y, My,
                                                        report);
        if (carried)
            return carried;
    } else if (!nq && s->problem->first_order.mass.f)
        s->problem->first_order.mass.tangent(s->p_tangent, t0, y, y, My);
    dae_tangent_unpack(s->n, My, out);
    return DAE_OK;
}

/* ---- constraints -------------------------------------------------------------------------- */

/* (q, v, lambda) of u in y, which has the length of a state; in minimal coordinates without lambda. */
static void split(dae_system *s, dae_dual t, const double *u, const dae_tangent *along, dae_dual *y)
{
    const dae_minimal *minimal = &s->problem->mechanical.minimal;
    dae_dual *x = values_of(s);
    if (s->compose->kind != DAE_FORM_MINIMAL) {
        dae_tangent_pack(2 * s->nq + s->nl, u, along->u, y);
        return;
    }
    dae_tangent_pack(s->n, u, along->u, x);
    minimal->embed.tangent(s->p_tangent, t, x, x + minimal->n, y);
}

dae_status dae_system_split_along(dae_system *s, double t, const double *u, const dae_tangent *along, double *dq,
                                  double *dv, dae_report *report)
{
    if (!s || !s->nq || !u || !along || !dq || !dv)
        return nothing_given(report);
    const dae_status status = dae_tangent_begin(s, along->p, report);
    if (status)
        return status;
    split(s, dae_dual_make(t, along->t), u, along, unknowns_of(s));
    dae_tangent_unpack(s->nq, unknowns_of(s), dq);
    dae_tangent_unpack(s->nq, unknowns_of(s) + s->nq, dv);
    return DAE_OK;
}

/* r := a with M a = r */
static int divide_by_mass(dae_system *s, dae_dual t, const dae_dual *q, dae_dual *r)
{
    const int nq = s->nq;
    double *x = s->state, *at = x + nq, *dx = at + nq;
    dae_dual *Ma = r + nq;
    if (!s->general_mass) {
        for (int i = 0; i < nq; i++)
            r[i] *= s->inner.tangent[i];
        return 1;
    }
    for (int i = 0; i < nq; i++) {
        at[i] = dae_dual_value(q[i]);
        x[i] = dae_dual_value(r[i]);
        dx[i] = dae_dual_derivative(r[i]);
    }
    if (!dae_system_divide_by_mass(s, dae_dual_value(t), at, x))
        return 0;
    dae_tangent_pack(nq, x, NULL, r);
    s->problem->mechanical.inertia.tangent(s->p_tangent, t, q, r, Ma);
    for (int i = 0; i < nq; i++)
        dx[i] -= dae_dual_derivative(Ma[i]);
    if (!dae_system_divide_by_mass(s, dae_dual_value(t), at, dx))
        return 0;
    dae_tangent_pack(nq, x, dx, r);
    return 1;
}

static dae_status mechanical_along(dae_system *s, int level, double time, const double *u,
                                   const dae_tangent *along, double *out, dae_report *report)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const dae_dual t = dae_dual_make(time, along->t);
    const int nq = s->nq;
    dae_dual *y = unknowns_of(s), *v = y + nq, *lambda = v + nq, *g = values_of(s);
    dae_dual *a = scratch_of(s), *r = a + nq;
    split(s, t, u, along, y);
    if (level == 0 && s->holonomic)
        m->constraint.tangent(s->p_tangent, t, y, g);
    if (level == 1)
        m->rate.tangent(s->p_tangent, t, y, v, g);
    if (level == 2 && s->compose->kind == DAE_FORM_MINIMAL)
        memset(g, 0, (size_t)s->nl * sizeof *g);
    if (level == 2 && s->compose->kind != DAE_FORM_MINIMAL) {
        m->force.tangent(s->p_tangent, t, y, v, a);
        m->reaction.tangent(s->p_tangent, t, y, lambda, r);
        for (int i = 0; i < nq; i++)
            a[i] -= r[i];
        if (!divide_by_mass(s, t, y, a))
            return dae_fail(report, DAE_SINGULAR, "t = %.9g: the mass matrix is not positive definite", time);
        m->acceleration.tangent(s->p_tangent, t, y, v, a, g);
    }
    dae_tangent_unpack(level ? s->nl : s->holonomic, g, out);
    return DAE_OK;
}

/* x[n] := y F, with F in the rows of the system; y: [n x n], NULL where M is diagonal, for I */
static void combine_equations(const dae_state_mass *m, const double *y, const double *F, double *x)
{
    const int n = m->n;
    for (int i = 0; i < n; i++) {
        x[i] = y ? 0 : F[m->place[i]];
        for (int j = 0; y && j < n; j++)
            x[i] += y[i * n + j] * F[m->place[j]];
    }
}

/* Of y^T F, y^T M = 0: y^T (F - M E w) with w held, as dy^T (F - M E w) vanishes there. */
static dae_status carried_along(dae_system *s, const dae_map1 *rhs, double t, const double *u,
                                const dae_tangent *along, double *out, dae_report *report)
{
    const dae_state_mass *m = s->carried;
    const int n = m->n;
    const size_t unknowns = (size_t)s->n, square = m->diagonal ? 0 : (size_t)n * (size_t)n;
    double *F = calloc(2 * unknowns + square, sizeof *F);
    if (!F)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for derivatives of %d unknowns", s->n);
    double *x = F + unknowns, *y = m->diagonal ? NULL : x + unknowns;
    memcpy(x, u, (size_t)n * sizeof *x);
    rhs->f(s->p, t, x, F);
    const int regular = dae_state_mass_solve(s->carried, s->p, t, x, F, x + n, y, NULL);
    if (regular) {
        dae_dual *X = unknowns_of(s);
        dae_tangent_pack(n, x, along->u, X);
        dae_tangent_pack(m->nx, x + n, NULL, X + n);
        dae_first_order_rhs_tangent(s, rhs, dae_dual_make(t, along->t), X, values_of(s));
        dae_tangent_unpack(s->n, values_of(s), F);
        combine_equations(m, y, F, x);
        dae_state_mass_rest(m, x, out);
    }
    free(F);
    return regular ? DAE_OK
                   : dae_fail(report, DAE_SINGULAR, "t = %.9g: M(t, u) of %s has lost its rank", t,
                              s->problem->name);
}

static dae_status first_order_along(dae_system *s, int level, double t, const double *u,
                                    const dae_tangent *along, double *out, dae_report *report)
{
    const dae_map1 *rhs = level == 0 ? &s->problem->first_order.rhs : &s->problem->first_order.reduced;
    if (level > 1 || !rhs->f)
        return dae_fail(report, DAE_UNSUPPORTED, "%s: there are no constraints of level %d",
                        s->problem->name, level);
    if (s->carried)
        return carried_along(s, rhs, t, u, along, out, report);
    dae_tangent_pack(s->n, u, along->u, unknowns_of(s));
    rhs->tangent(s->p_tangent, dae_dual_make(t, along->t), unknowns_of(s), values_of(s));
    dae_tangent_unpack(s->n, values_of(s), s->start);
    dae_first_order_rows(s, s->start, out);
    return DAE_OK;
}

static int rows_of_level(const dae_system *s, int level)
{
    return !s->nq ? dae_first_order_constraints(s) : level ? s->nl : s->holonomic;
}

dae_status dae_system_constraint_along(dae_system *s, int level, double t, const double *u,
                                       const dae_tangent *along, double *out, dae_report *report)
{
    if (!u || !along || !out)
        return nothing_given(report);
    const dae_status status = dae_tangent_begin(s, along->p, report);
    if (status)
        return status;
    if (level < 0 || level > 2 || (s->nq && !rows_of_level(s, level)))
        return dae_fail(report, DAE_UNSUPPORTED, "%s: there are no constraints of level %d",
                        s->problem->name, level);
    return s->nq ? mechanical_along(s, level, t, u, along, out, report)
                 : first_order_along(s, level, t, u, along, out, report);
}

/* ---- by each parameter -------------------------------------------------------------------- */

typedef struct { dae_system *sys; int level; double t; const double *x; } place;

static dae_status rhs_column(void *context, const double *dp, double *column, dae_report *report)
{
    const place *at = context;
    return dae_system_rhs_along(at->sys, at->t, at->x, &(dae_tangent){.p = dp}, column, report);
}

static dae_status mass_column(void *context, const double *dp, double *column, dae_report *report)
{
    const place *at = context;
    return dae_system_mass_along(at->sys, at->x, &(dae_tangent){.p = dp}, column, report);
}

static dae_status constraint_column(void *context, const double *dp, double *column, dae_report *report)
{
    const place *at = context;
    return dae_system_constraint_along(at->sys, at->level, at->t, at->x, &(dae_tangent){.p = dp}, column,
                                       report);
}

dae_status dae_system_rhs_parameters(dae_system *s, double t, const double *u, double *F_p,
                                     dae_report *report)
{
    place at = {.sys = s, .t = t, .x = u};
    return dae_tangent_columns(s, s ? s->n : 0, rhs_column, &at, F_p, report);
}

dae_status dae_system_mass_parameters(dae_system *s, const double *x, double *M_p, dae_report *report)
{
    place at = {.sys = s, .x = x};
    return dae_tangent_columns(s, s ? s->n : 0, mass_column, &at, M_p, report);
}

dae_status dae_system_constraint_parameters(dae_system *s, int level, double t, const double *u,
                                            double *g_p, dae_report *report)
{
    place at = {.sys = s, .level = level, .t = t, .x = u};
    return dae_tangent_columns(s, s ? rows_of_level(s, level) : 0, constraint_column, &at, g_p, report);
}
