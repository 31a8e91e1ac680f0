/* mechanics.c - what a system answers about a state: F, M x, constraints, energy, accelerations */
#include "base/small_dense.h"
#include "daelab/method.h"
#include "one_constraint.h"
#include "system.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

const dae_problem *dae_system_problem(const dae_system *s) { return s ? s->problem : NULL; }
const double *dae_system_parameters(const dae_system *s) { return s ? s->p : NULL; }
const void *dae_system_user_data(const dae_system *s) { return s ? s->options.user_data : NULL; }
int dae_system_positions(const dae_system *s) { return s ? s->nq : 0; }
int dae_system_multipliers(const dae_system *s) { return s ? s->nl : 0; }
int dae_system_size(const dae_system *s) { return s ? s->n : 0; }
int dae_system_index(const dae_system *s) { return s ? s->index : 0; }

dae_class dae_system_class(const dae_system *s, int i)
{
    return s && i >= 0 && i < s->n ? s->classes[i] : DAE_CLASSES;
}

const char *dae_class_name(dae_class c)
{
    static const char *const names[DAE_CLASSES] = {
        [DAE_POSITION] = "position", [DAE_VELOCITY] = "velocity",
        [DAE_MULTIPLIER] = "multiplier", [DAE_RECOVERED] = "recovered",
        [DAE_DIFFERENTIAL] = "differential", [DAE_ALGEBRAIC] = "algebraic",
        [DAE_AUXILIARY] = "auxiliary"};
    const int i = (int)c;
    return i >= 0 && i < DAE_CLASSES ? names[i] : "unknown class";
}

int dae_system_is_algebraic(const dae_system *s, int i)
{
    return s->classes[i] == DAE_ALGEBRAIC || s->classes[i] == DAE_MULTIPLIER
           || s->classes[i] == DAE_AUXILIARY;
}

int dae_system_has_analytic(const dae_system *s)
{
    if (!s->compose->linearise || s->carried)
        return 0;
    return s->nq ? s->problem->mechanical.partials != NULL && s->nq <= DAE_MANY_POSITIONS && !s->general_mass
                 : s->problem->first_order.jacobian != NULL;
}

/* Apart, so that the usual way ends in a jump. */
__attribute__((noinline))
static void rhs_with_open(dae_system *s, double t, const double *u, double *F)
{
    s->compose->rhs(s, t, u, F);
    for (int i = 0; i < s->n; i++)
        F[i] -= s->open[i];
}

void dae_system_rhs(dae_system *s, double t, const double *u, double *F)
{
    if (!s || !u || !F)
        return;
    if (s->open)
        rhs_with_open(s, t, u, F);
    else
        s->compose->rhs(s, t, u, F);
}

void dae_system_mass(const dae_system *s, const double *x, double *out)
{
    if (!s || !x || !out)
        return;
    if (s->carried)
        dae_state_mass_multiply(s->carried, x, out);
    else if (s->nondiagonal_mass)
        s->problem->first_order.mass.f(s->p, s->problem->t0, s->start, x, out);
    else
        for (int i = 0; i < s->n; i++)
            out[i] = s->diagonal[i] * x[i];
}

/* ---- accelerations: M a + G^T lambda = f, d2g/dt2(a) = 0 ------------------------------------ */

/* M(t, q) = L D L^T, column by column from unit accelerations. */
static int factor_mass(dae_system *s, double t, const double *q)
{
    const int nq = s->nq;
    double *e = s->a;
    memset(e, 0, (size_t)nq * sizeof *e);
    for (int j = 0; j < nq; j++) {
        e[j] = 1;
        s->problem->mechanical.inertia.f(s->p, t, q, e, s->inner.full_mass + j * nq);
        e[j] = 0;
    }
    return dae_small_factor(nq, s->inner.full_mass) < 0;
}

/* x := M^-1 x, with the factors as they were left */
static void divide_by_mass(const dae_system *s, double *x)
{
    if (s->general_mass)
        dae_small_solve(s->nq, s->inner.full_mass, x);
    else
        for (int i = 0; i < s->nq; i++)
            x[i] *= s->inverse_mass[i];
}

int dae_system_divide_by_mass(dae_system *s, double t, const double *q, double *x)
{
    if (s->general_mass && !factor_mass(s, t, q))
        return 0;
    divide_by_mass(s, x);
    return 1;
}

/* The rows of G from unit multipliers, and with a full M those of G M^-1. */
static int form_gradient(dae_system *s, double t, const double *q)
{
    const int nq = s->nq;
    double *e = s->a;
    if (s->general_mass && !factor_mass(s, t, q))
        return 0;
    memset(e, 0, (size_t)s->nl * sizeof *e);
    for (int k = 0; k < s->ng; k++) {
        e[k] = 1;                                       /* row k of G is (G^T e_k)^T */
        s->problem->mechanical.reaction.f(s->p, t, q, e, s->gradient + k * nq);
        e[k] = 0;
        if (s->general_mass) {
            memcpy(s->inner.weighted + k * nq, s->gradient + k * nq, (size_t)nq * sizeof *e);
            dae_small_solve(nq, s->inner.full_mass, s->inner.weighted + k * nq);
        }
    }
    return 1;
}

/* S by its plan, which is made again where G has got another entry. */
static int factor_sparse(dae_system *s, double t, const double *q)
{
    s->redundant = dae_schur_renew_double(&s->plan, &s->problem->mechanical, s->p, t, q, s->inverse_mass,
                                          &s->gradient, &s->schur, s->inner.work);
    return s->redundant == -1;
}

int dae_system_factor_schur(dae_system *s, double t, const double *q)
{
    const int nq = s->nq, ng = s->ng;
    const double *G = s->gradient;
    s->redundant = 0;
    if (s->sparse_schur)
        return factor_sparse(s, t, q);
    if (s->nl == 1 && !s->general_mass)
        return dae_one_factor(s, nq, t, q);
    if (!form_gradient(s, t, q))
        return 0;
    for (int k = 0; k < ng; k++)
        for (int l = 0; l <= k; l++) {
            const double *row = s->general_mass ? s->inner.weighted + l * nq : G + l * nq;
            double sum = 0;
            for (int i = 0; i < nq; i++)
                sum += G[k * nq + i] * (s->general_mass ? 1 : s->inverse_mass[i]) * row[i];
            s->schur[k * ng + l] = sum;
        }
    s->redundant = dae_small_factor(ng, s->schur);
    return s->redundant < 0;
}

int dae_system_take_rows(dae_system *s, int ng)
{
    const int before = s->ng;
    s->ng = ng;
    if (s->sparse_schur && ng != before) {
        const dae_schur_rows other = s->inner.aside;
        s->inner.aside = (dae_schur_rows){s->plan, s->gradient, s->schur};
        s->plan = other.plan;
        s->gradient = other.gradient;
        s->schur = other.schur;
    }
    return before;
}

dae_system_norm dae_system_take_euclidean_norm(dae_system *s)
{
    const dae_system_norm mass = {s->inverse_mass, s->general_mass};
    double *ones = s->state + 2 * s->nq + s->nl;
    for (int i = 0; i < s->nq; i++)
        ones[i] = 1;
    dae_system_take_norm(s, (dae_system_norm){ones, 0});
    return mass;
}

void dae_system_take_norm(dae_system *s, dae_system_norm norm)
{
    s->inverse_mass = norm.inverse_mass;
    s->general_mass = norm.general_mass;
}

void dae_system_solve_schur(const dae_system *s, double *c)
{
    if (s->nl == 1)
        c[0] /= s->schur[0];
    else if (s->sparse_schur)
        dae_schur_solve_double(&s->plan, s->schur, c, s->inner.work);
    else
        dae_small_solve(s->ng, s->schur, c);
}

void dae_system_add_reaction(const dae_system *s, const double *c, double *x)
{
    const int nq = s->nq;
    const double *w = s->inverse_mass, *G = s->general_mass ? s->inner.weighted : s->gradient;
    if (s->sparse_schur) {
        dae_schur_add_double(&s->plan, G, w, c, x);
        return;
    }
    for (int i = 0; i < nq; i++) {
        double sum = 0;
        for (int k = 0; k < s->ng; k++)
            sum += G[k * nq + i] * c[k];
        x[i] -= w[i] * sum;
    }
}

/* The same from the model's own reaction at (t, q), where that is less work than the entries of
 * G. */
static void add_reaction_at(const dae_system *s, double t, const double *q, const double *c,
                            double *restrict x)
{
    const double *restrict w = s->inverse_mass;
    double *restrict r = s->inner.work;
    if (!s->sparse_schur) {
        dae_system_add_reaction(s, c, x);
        return;
    }
    s->problem->mechanical.reaction.f(s->p, t, q, c, r);
    for (int i = 0; i < s->nq; i++)
        x[i] -= w[i] * r[i];
}

/* With a = M^-1 (f - G^T lambda): d2g/dt2(M^-1 f) - S lambda = 0; without constraints M a = f. */
static void balance_any(dae_system *s, double t, const double *q, const double *v, double *a, double *lambda)
{
    const dae_mechanical *m = &s->problem->mechanical;
    m->force.f(s->p, t, q, v, a);
    divide_by_mass(s, a);
    if (s->nl == 0)
        return;
    m->acceleration.f(s->p, t, q, v, a, lambda);
    dae_system_solve_schur(s, lambda);
    add_reaction_at(s, t, q, lambda, a);
}

#define BODY(name, nq)                                                                            \
    static void balance_##name(dae_system *s, double t, const double *q, const double *v, double *a,     \
                               double *lambda)                                                    \
    {                                                                                             \
        s->problem->mechanical.force.f(s->p, t, q, v, a);                                         \
        dae_one_solve(s, nq, t, q, v, a, lambda);                                                 \
    }
DAE_FOR_EACH_BODY(BODY)
#undef BODY

typedef void balance_kernel(dae_system *s, double t, const double *q, const double *v, double *a, double *lambda);

static balance_kernel *const balances[DAE_BODIES] = DAE_BY_BODY(balance);

void dae_system_balance(dae_system *s, double t, const double *q, const double *v, double *a,
                        double *lambda)
{
    balances[s->body](s, t, q, v, a, lambda);
}

typedef int accelerate_kernel(dae_system *s, double t, const double *q, const double *v, double *a,
                              double *lambda);

static int accelerate_any(dae_system *s, double t, const double *q, const double *v, double *a,
                          double *lambda)
{
    if (!dae_system_factor_schur(s, t, q))
        return 0;
    balance_any(s, t, q, v, a, lambda);
    return 1;
}

#define BODY(name, nq)                                                                            \
    static int accelerate_##name(dae_system *s, double t, const double *q, const double *v,       \
                                 double *a, double *lambda)                                       \
    {                                                                                             \
        return dae_one_accelerate(s, nq, t, q, v, a, lambda);                                     \
    }
DAE_FOR_EACH_BODY(BODY)
#undef BODY

static accelerate_kernel *const accelerations[DAE_BODIES] = DAE_BY_BODY(accelerate);

dae_status dae_system_accelerate(dae_system *s, double t, const double *q, const double *v,
                                 double *a, double *lambda)
{
    if (!s || !s->nq || !q || !v || !a || (s->nl && !lambda))
        return DAE_BAD_ARGUMENT;
    return accelerations[s->body](s, t, q, v, a, lambda) ? DAE_OK : DAE_SINGULAR;
}

dae_status dae_system_split(dae_system *s, double t, const double *u, double *q, double *v,
                            double *lambda)
{
    if (!s || !u || !q || !v || (s->nl && !lambda))
        return DAE_BAD_ARGUMENT;
    const int nq = s->nq, nl = s->nl;
    if (!nq)
        return DAE_UNSUPPORTED;
    if (s->compose->kind != DAE_FORM_MINIMAL) {
        memcpy(q, u, (size_t)nq * sizeof *q);
        memcpy(v, u + nq, (size_t)nq * sizeof *v);
        if (nl)                                         /* else lambda may be NULL */
            memcpy(lambda, u + 2 * nq, (size_t)nl * sizeof *lambda);
        return DAE_OK;
    }
    const dae_minimal *minimal = &s->problem->mechanical.minimal;
    minimal->embed.f(s->p, t, u, u + minimal->n, s->state);
    memcpy(q, s->state, (size_t)nq * sizeof *q);
    memcpy(v, s->state + nq, (size_t)nq * sizeof *v);
    return dae_system_accelerate(s, t, q, v, s->state + 2 * nq + nl, lambda);
}

static int mechanical_constraint(dae_system *s, int level, double t, const double *u, double *out)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const int nq = s->nq;
    double *q = s->state, *v = q + nq, *lambda = v + nq, *a = lambda + s->nl, *r = s->a;
    if (dae_system_split(s, t, u, q, v, lambda))
        return 0;
    if (level == 0) {
        if (s->holonomic)
            m->constraint.f(s->p, t, q, out);
    } else if (level == 1) {
        m->rate.f(s->p, t, q, v, out);
    } else {
        m->force.f(s->p, t, q, v, a);
        m->reaction.f(s->p, t, q, lambda, r);
        for (int i = 0; i < nq; i++)
            a[i] -= r[i];
        if (!dae_system_divide_by_mass(s, t, q, a))
            return 0;
        m->acceleration.f(s->p, t, q, v, a, out);
    }
    return level ? s->nl : s->holonomic;
}

int dae_system_constraint(dae_system *s, int level, double t, const double *u, double *out)
{
    if (!s || !u || !out || level < 0 || level > 2 || (s->nq && !s->nl))
        return 0;
    return s->nq ? mechanical_constraint(s, level, t, u, out)
                 : dae_first_order_constraint(s, level, t, u, out);
}

int dae_system_energy(dae_system *s, double t, const double *q, const double *v, double *energy,
                      double *power)
{
    if (!s || !s->nq || !q || !v || !energy || !power)
        return 0;
    const dae_map2 H = s->problem->mechanical.energy;
    dae_dual *x = s->inner.a_dual, *y = x + s->nq, out;
    if (!H.f)
        return 0;
    for (int i = 0; i < s->nq; i++) {
        x[i] = dae_dual_make(q[i], 0);
        y[i] = dae_dual_make(v[i], 0);
    }
    H.dual(s->p, dae_dual_make(t, 1), x, y, &out);
    *energy = dae_dual_value(out);
    *power = dae_dual_derivative(out);
    return 1;
}

/* y = (q, v) with lambda eliminated in index 1; minimal coordinates and M = I as they are. */
int dae_system_explicit_size(const dae_system *s)
{
    if (s->compose->kind == DAE_FORM_MECHANICAL)
        return s->compose->eliminates ? 2 * s->nq : 0;
    if (s->compose->kind == DAE_FORM_MINIMAL)
        return s->n;
    if (s->carried)
        return s->carried->nx == s->carried->n ? s->carried->n : 0;
    return s->problem->first_order.mass.f ? 0 : s->n;
}

static dae_status explicit_any(dae_system *s, double t, const double *y, double *dy, double *z)
{
    const int nq = s->nq;
    memcpy(dy, y + nq, (size_t)nq * sizeof *dy);
    const int regular = accelerate_any(s, t, y, y + nq, dy + nq, z);
    if (s->general_mass)
        memcpy(z + s->nl, dy + nq, (size_t)nq * sizeof *z);
    return regular ? DAE_OK : DAE_SINGULAR;
}

/* One constraint, or none, and a diagonal M. */
static inline dae_status explicit_one(dae_system *s, int nq, double t, const double *y, double *dy, double *z)
{
    for (int i = 0; i < nq; i++)
        dy[i] = y[nq + i];
    return dae_one_accelerate(s, nq, t, y, y + nq, dy + nq, z) ? DAE_OK : DAE_SINGULAR;
}

static dae_status explicit_single(dae_system *s, double t, const double *y, double *dy, double *z)
{
    return explicit_one(s, s->nq, t, y, dy, z);
}

static dae_status explicit_free(dae_system *s, double t, const double *y, double *dy, double *z)
{
    const int nq = s->nq;
    (void)z;
    memcpy(dy, y + nq, (size_t)nq * sizeof *dy);
    s->problem->mechanical.force.f(s->p, t, y, y + nq, dy + nq);
    for (int i = 0; i < nq; i++)
        dy[nq + i] *= s->inverse_mass[i];
    return DAE_OK;
}

static dae_status explicit_minimal(dae_system *s, double t, const double *y, double *dy, double *z)
{
    const dae_minimal *minimal = &s->problem->mechanical.minimal;
    const int n = minimal->n;
    (void)z;
    for (int i = 0; i < n; i++)
        dy[i] = y[n + i];
    minimal->acceleration.f(s->p, t, y, y + n, dy + n);
    return DAE_OK;
}

#define BODY(name, nq)                                                                            \
    static dae_status explicit_##name(dae_system *s, double t, const double *y, double *dy,       \
                                      double *z)                                                  \
    {                                                                                             \
        return explicit_one(s, nq, t, y, dy, z);                                                  \
    }
DAE_FOR_EACH_BODY(BODY)
#undef BODY

static dae_explicit_map *const explicits[DAE_BODIES] = DAE_BY_BODY(explicit);

/* M(t, y) has an inverse: dy = z = M^-1 F. */
static dae_status explicit_slopes(dae_system *s, double t, const double *y, double *dy, double *z)
{
    const int n = s->carried->n;
    double *F = s->a;
    s->problem->first_order.rhs.f(s->p, t, y, F);
    if (!dae_state_mass_solve(s->carried, s->p, t, y, F, dy, NULL, NULL))
        return DAE_SINGULAR;
    memcpy(z, dy, (size_t)n * sizeof *z);
    return DAE_OK;
}

/* M = I */
static dae_status explicit_as_it_is(dae_system *s, double t, const double *y, double *dy, double *z)
{
    (void)z;
    s->compose->rhs(s, t, y, dy);
    return DAE_OK;
}

dae_explicit_map *dae_system_explicit_map(const dae_system *s)
{
    if (s->carried)
        return explicit_slopes;
    if (s->compose->kind == DAE_FORM_MINIMAL)
        return explicit_minimal;
    if (s->compose->kind == DAE_FORM_FIRST_ORDER)
        return explicit_as_it_is;
    if (s->body != DAE_ANY_BODY || s->general_mass || s->nl > 1)
        return explicits[s->body];
    return s->nl ? explicit_single : explicit_free;
}

dae_status dae_system_explicit_rhs(dae_system *s, double t, const double *y, double *dy, double *z)
{
    return s->explicit_map(s, t, y, dy, z);
}
