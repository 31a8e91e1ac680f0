/* consistent.c - the consistent state nearest to a given one
 *
 *   mechanical    positions     M (q - q0) + G(t,q)^T kappa = 0,   g(t, q) = 0
 *                 velocities    M (v - v0) + G(t,q)^T kappa = 0,   dg/dt(t, q, v) = 0
 *                 multipliers   M a + G(t,q)^T lambda = f(t, q, v),   d2g/dt2(t, q, v, a) = 0
 *                               auxiliary multipliers 0
 *   first order   W (u - u0) + C_u(t,u)^T kappa = 0,   C(t, u) = 0
 *                 C the equations without a derivative, as written and in the reduced form;
 *                 W = 1 for differential variables, 0 for algebraic ones
 *
 * Each is the KKT system of a nearest point, solved in this order. A level that holds to rounding
 * leaves its variables bit for bit. Derivatives come from dual numbers; only the curvature of C
 * (zero where the index is 1) is left out of the Newton matrix.
 */
#include "backends/kinsol.h"
#include "system.h"

#include <math.h>
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
};

/* r := M x + G(t, q)^T kappa - b, the first rows of every level, x and kappa the halves of x */
static void balance(const level *l, const dae_dual *q, const dae_dual *x, const double *b,
                    int b_has_mass, dae_dual *r)
{
    const dae_system *s = l->sys;
    const int nq = s->nq;
    s->problem->mechanical.reaction.dual(s->p, dae_dual_make(l->t, 0), q, x + nq, r);
    for (int i = 0; i < nq; i++)
        r[i] += b_has_mass ? s->mass[i] * x[i] - b[i] : s->mass[i] * (x[i] - b[i]);
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
        x[i] = s->inverse_mass[i] * (f[i] - x[i]);
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
            u[i] = 0;
    return status;
}

static dae_status start_mechanical(dae_system *sys, double t, double *u, dae_report *report)
{
    const size_t nq = (size_t)sys->nq, n = nq + (size_t)sys->nl;
    double *x = calloc(n + nq, sizeof *x);
    dae_dual *dual = calloc(2 * nq + 2 * n, sizeof *dual);
    dae_status status;
    if (x && dual) {
        level l = {.sys = sys, .t = t, .q = dual, .v = dual + nq, .x = dual + 2 * nq,
                   .r = dual + 2 * nq + n};
        status = solve_levels(&l, u, x, x + n, report);
    } else {
        status = dae_fail(report, DAE_NO_MEMORY, "no memory for a consistent start");
    }
    free(x);
    free(dual);
    return status;
}

/* ---- first order -------------------------------------------------------------------------- */

typedef struct {
    dae_system *sys;
    double t;
    const double *given;        /* [n] u0 */
    int rows;                   /* of C */
    int *row;                   /* [2 n] equation k of C is row[k] of rhs, ... */
    int *reduced;               /* [2 n] ... or of the reduced right-hand side */
    double *W;                  /* [n] */
    double *C, *C_u;            /* [2 n], [2 n x n] by columns */
    dae_dual *u, *F, *F_reduced;        /* [n] */
} nearest_state;

/* C and C_u at u, column by column */
static void evaluate_constraints(nearest_state *c, const double *u)
{
    const dae_system *s = c->sys;
    const dae_first_order *f = &s->problem->first_order;
    const dae_dual t = dae_dual_make(c->t, 0);
    constants(c->u, u, s->n);
    for (int j = 0; j < s->n; j++) {
        c->u[j] = dae_dual_make(u[j], 1);
        f->rhs.dual(s->p, t, c->u, c->F);
        if (f->reduced.dual)
            f->reduced.dual(s->p, t, c->u, c->F_reduced);
        c->u[j] = dae_dual_make(u[j], 0);
        for (int k = 0; k < c->rows; k++) {
            const dae_dual Ck = (c->reduced[k] ? c->F_reduced : c->F)[c->row[k]];
            c->C[k] = dae_dual_value(Ck);
            c->C_u[j * c->rows + k] = dae_dual_derivative(Ck);
        }
    }
}

/* r = (W (u - u0) + C_u^T kappa, C) and J = (W, C_u^T; C_u, 0) */
static void evaluate_nearest(void *context, const double *x, double *r, double *J)
{
    nearest_state *c = context;
    const int n = c->sys->n, m = n + c->rows;
    evaluate_constraints(c, x);
    memset(J, 0, (size_t)m * (size_t)m * sizeof *J);
    for (int j = 0; j < n; j++) {
        r[j] = c->W[j] * (x[j] - c->given[j]);
        J[j * m + j] = c->W[j];
        for (int k = 0; k < c->rows; k++) {
            const double slope = c->C_u[j * c->rows + k];
            r[j] += slope * x[n + k];
            J[j * m + n + k] = J[(n + k) * m + j] = slope;
        }
    }
    memcpy(r + n, c->C, (size_t)c->rows * sizeof *r);
}

/* Rows of M that are zero, marked in mark[n]. */
static void find_algebraic_rows(const dae_system *s, double *e, double *column, int *mark)
{
    for (int i = 0; i < s->n; i++) {
        e[i] = 0;
        mark[i] = 1;
    }
    for (int j = 0; j < s->n; j++) {
        e[j] = 1;
        dae_system_mass(s, e, column);
        e[j] = 0;
        for (int i = 0; i < s->n; i++)
            if (column[i] != 0)
                mark[i] = 0;
    }
}

/* Equation k says the same as an earlier one where both have the same value and slopes. */
static int repeats(const nearest_state *c, int k)
{
    for (int l = 0; l < k; l++) {
        int same = c->row[l] == c->row[k] && c->C[l] == c->C[k];
        for (int j = 0; same && j < c->sys->n; j++)
            same = c->C_u[j * c->rows + l] == c->C_u[j * c->rows + k];
        if (same)
            return 1;
    }
    return 0;
}

/* Choose the equations of C: the algebraic rows as written, then those that reducing changed. */
static void choose_constraints(nearest_state *c, const double *u, const int *algebraic)
{
    const int n = c->sys->n, forms = c->sys->problem->first_order.reduced.dual ? 2 : 1;
    int kept = 0;
    c->rows = 0;
    for (int form = 0; form < forms; form++)
        for (int i = 0; i < n; i++)
            if (algebraic[i]) {
                c->row[c->rows] = i;
                c->reduced[c->rows++] = form;
            }
    evaluate_constraints(c, u);
    for (int k = 0; k < c->rows; k++)
        if (!c->reduced[k] || !repeats(c, k)) {
            c->row[kept] = c->row[k];
            c->reduced[kept++] = c->reduced[k];
        }
    c->rows = kept;
}

/* W = 1 also for an algebraic variable that no equation of C contains: it stays as it is. */
static void choose_weights(nearest_state *c, const double *u)
{
    evaluate_constraints(c, u);
    for (int j = 0; j < c->sys->n; j++) {
        int contained = 0;
        for (int k = 0; k < c->rows; k++)
            contained |= c->C_u[j * c->rows + k] != 0;
        c->W[j] = !contained || !dae_system_is_algebraic(c->sys, j);
    }
}

/* Differential variables that moved by no more than rounding are given back as they were. */
static void give_back(const dae_system *s, const double *given, double *u)
{
    double moved = 0, largest = 0;
    for (int i = 0; i < s->n; i++)
        if (!dae_system_is_algebraic(s, i)) {
            moved = fmax(moved, fabs(u[i] - given[i]));
            largest = fmax(largest, fabs(given[i]));
        }
    for (int i = 0; i < s->n; i++)
        if (!dae_system_is_algebraic(s, i) && moved <= rounding * largest)
            u[i] = given[i];
}

static dae_status solve_nearest(nearest_state *c, double *u, double *x, int *algebraic,
                                dae_report *report)
{
    const size_t n = (size_t)c->sys->n;
    find_algebraic_rows(c->sys, x, x + n, algebraic);
    choose_constraints(c, u, algebraic);
    choose_weights(c, u);
    if (c->rows == 0)
        return DAE_OK;
    const dae_equations equations = {.what = "values", .n = c->sys->n + c->rows, .nx = c->sys->n,
                                     .t = c->t, .context = c, .evaluate = evaluate_nearest};
    memset(x, 0, 3 * n * sizeof *x);
    memcpy(x, u, n * sizeof *x);
    const dae_status status = dae_equations_solve(&equations, x, report);
    if (!status) {
        give_back(c->sys, u, x);
        memcpy(u, x, n * sizeof *x);
    }
    return status;
}

static dae_status start_first_order(dae_system *sys, double t, double *u, dae_report *report)
{
    const size_t n = (size_t)sys->n;
    double *real = calloc(n * (2 * n + 7), sizeof *real);
    dae_dual *dual = calloc(3 * n, sizeof *dual);
    int *integer = calloc(5 * n, sizeof *integer);
    dae_status status;
    if (real && dual && integer) {
        double *given = real, *W = given + n, *C = W + n, *x = C + 2 * n, *C_u = x + 3 * n;
        memcpy(given, u, n * sizeof *given);
        nearest_state c = {.sys = sys, .t = t, .given = given, .W = W, .C = C, .C_u = C_u,
                           .row = integer, .reduced = integer + 2 * n,
                           .u = dual, .F = dual + n, .F_reduced = dual + 2 * n};
        status = solve_nearest(&c, u, x, integer + 4 * n, report);
    } else {
        status = dae_fail(report, DAE_NO_MEMORY, "no memory for a consistent start");
    }
    free(real);
    free(dual);
    free(integer);
    return status;
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
    const size_t size = (size_t)sys->n * sizeof *u;
    double *state = malloc(size);
    if (!state)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a consistent start");
    memcpy(state, u, size);
    const dae_form_kind kind = sys->compose->kind;
    const dae_status status =
        kind == DAE_FORM_MECHANICAL ? start_mechanical(sys, t, state, report)
        : kind == DAE_FORM_FIRST_ORDER ? start_first_order(sys, t, state, report) : DAE_OK;
    if (!status) {
        if (change)
            *change = compare(sys, u, state);
        memcpy(u, state, size);
    }
    free(state);
    return status;
}
