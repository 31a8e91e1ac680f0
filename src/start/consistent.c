/* consistent.c - the consistent state nearest to a given one
 *
 *   mechanical    positions     M (q - q0) + G(t,q)^T kappa = 0,   g(t, q) = 0
 *                               consistent_positions.c
 *                 velocities    M (v - v0) + G(t,q)^T kappa = 0,   dg/dt(t, q, v) = 0
 *                 multipliers   M a + G(t,q)^T lambda = f(t, q, v),   d2g/dt2(t, q, v, a) = 0
 *                               auxiliary multipliers 0; M at q0, then at q
 *   first order   consistent_first_order.c, then hidden.c
 *
 * They are solved in this order. The last two are linear in kappa and lambda: S = G M^-1 G^T is solved once,
 * with one step of iterative refinement. An equation holds to rounding if its residual is small compared with
 * the sum of its terms, at the given state and at the solution (which may be 0), or where rounding is seen to make
 * as much of it (below). Variables of a level that holds are not changed by a single bit. Without
 * constraints every (q, v) is consistent.
 */
#include "consistent.h"
#include "projection/project.h"
#include "system/system.h"
#include "base/numbers.h"
#include "base/parts.h"
#include "base/zeroed.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Residual over the terms of an equation that holds. */
static const double ROUNDING = 1e-13;

/* ---- what rounding makes of equations that are affine in x -------------------------------------
 *
 * by their second differences: Hamming (1973), Numerical Methods for Scientists and Engineers, ch. 10. */

/* Equations that are affine in x[n], of which evaluate leaves the residuals r[nl]. */
typedef struct {
    int n;
    void (*evaluate)(void *context, const double *x, double *r);
    void *context;
} level;

enum { LINES = 3 };
static const double near = 1e-3;        /* |d| over |x| */
static const double surely = 8;         /* what is left over the rounding that is seen */

/* Differences and scratch rows [nl], x + d [n]. */
typedef struct {
    double *difference, *r, *x;
} probe;

/* r^T S^-1 r; solved[nl] := S^-1 r */
static double energy_of(const dae_system *s, const double *r, double *solved)
{
    double energy = 0;
    memcpy(solved, r, (size_t)s->nl * sizeof *r);
    dae_system_solve_schur(s, solved);
    for (int k = 0; k < s->nl; k++)
        energy += r[k] * solved[k];
    return energy;
}

/* difference := r(x + d) - 2 r(x) + r(x - d) over the length of (1, -2, 1); r(x) is evaluated last. */
static void look(const dae_system *s, const level *of, const double *x, uint64_t *random, const probe *w)
{
    static const double place[] = {1, -1, 0}, weight[] = {1, 1, -2};
    const uint64_t begin = *random;
    memset(w->difference, 0, (size_t)s->nl * sizeof *w->difference);
    for (int point = 0; point < 3; point++) {
        *random = begin;                                /* the same d */
        for (int i = 0; i < of->n; i++)
            w->x[i] = x[i] + place[point] * near * x[i] * dae_random_direction(random);
        of->evaluate(of->context, w->x, w->r);
        for (int k = 0; k < s->nl; k++)
            w->difference[k] += weight[point] / sqrt(6) * w->r[k];
    }
}

/* The energy of the rounding that is seen, the largest of a few directions; *seen as the header has it */
static double rounding_energy(const dae_system *s, const level *of, const double *x, const probe *w,
                              double *seen)
{
    double most = 0;
    uint64_t random = 19860501;
    for (int line = 0; line < LINES; line++) {
        look(s, of, x, &random, w);
        most = fmax(most, energy_of(s, w->difference, w->r));
        *seen = fmax(*seen, dae_largest(s->nl, w->difference));
    }
    return most;
}

/* Row k is 0 by cancellation in M^-1, or of terms inside of the model's functions, which the terms of the row do
 * not show. So r[nl], what is left at the solution x, is measured by its energy r^T S^-1 r, in the units of all
 * rows. It is rounding if that is
 *
 *     at most ROUNDING^2 energy, that of the velocities or of the reactions, or
 *     at most that of the rounding which is seen: r(x + d) - 2 r(x) + r(x - d), 0 but for rounding, for a few
 *     random d small beside x. Then at least half of their digits have to be left.
 *
 * r is r(x); evaluate may overwrite it. S is that of the last dae_system_factor_schur. *seen := the largest rounding
 * of a row, 0 where none was looked for.
 * DAE_OK; DAE_INCONSISTENT; DAE_NO_MEMORY. */
static dae_status is_solved(dae_system *s, const level *of, const double *x, const double *r, double energy,
                               double *seen)
{
    const size_t n = (size_t)of->n, nl = (size_t)s->nl;
    *seen = 0;
    double *memory = dae_zeroed(2 * nl + n, sizeof *memory);
    if (!memory)
        return DAE_NO_MEMORY;
    const probe w = {.difference = memory, .r = memory + nl, .x = memory + 2 * nl};
    const double left = energy_of(s, r, w.r);
    int good = left <= ROUNDING * ROUNDING * energy;        /* not if it is a NaN */
    if (!good && isfinite(left)) {
        const double rounding = rounding_energy(s, of, x, &w, seen);
        good = left <= surely * surely * rounding && rounding <= DBL_EPSILON * energy;
    }
    free(memory);
    return good ? DAE_OK : DAE_INCONSISTENT;
}

/* ---- mechanical --------------------------------------------------------------------------- */

/* Equations of a level: residuals r, and the sums of the magnitudes of their terms. */
typedef struct {
    double *r, *size, *more;    /* [nl] */
    double *x, *zero;           /* [nq]; zero: [2 nq], of which the first nq are 0 */
} rows;

static dae_status no_memory(dae_report *report)
{
    return dae_fail(report, DAE_NO_MEMORY, "no memory for a consistent start");
}

static int create_rows(const dae_system *s, rows *w)
{
    const size_t nq = (size_t)s->nq, nl = (size_t)s->nl;
    return DAE_PARTS(w,
                     DAE_PART(rows, r, nl), DAE_PART(rows, size, nl), DAE_PART(rows, more, nl), DAE_PART(rows, x, nq),
                     DAE_PART(rows, zero, 2 * nq))
           != NULL;
}

static double largest_row(const dae_system *s, const double *r)
{
    double largest = 0;
    for (int k = 0; k < s->nl; k++)
        largest = !(fabs(r[k]) <= largest) ? fabs(r[k]) : largest;      /* a NaN stays */
    return largest;
}

static int rows_hold(const dae_system *s, const rows *w)
{
    int k = 0;
    while (k < s->nl && isfinite(w->r[k]) && fabs(w->r[k]) <= ROUNDING * w->size[k])
        k++;
    return k == s->nl;
}

static void add_sizes(const dae_system *s, const double *x, rows *w)
{
    dae_project_sizes(s, x, w->more);
    for (int k = 0; k < s->nl; k++)
        w->size[k] += w->more[k];
}

static dae_status not_solved(const char *what, double t, double off, dae_report *report)
{
    return isfinite(off)
               ? dae_fail(report, DAE_INCONSISTENT, "t = %.6g: no consistent %s near the start, "
                          "where the constraint is off by %.3g", t, what, off)
               : dae_fail(report, DAE_NOT_FINITE, "t = %.6g: the equations of the %s are not "
                          "finite at the start", t, what);
}

/* A level of regular S was solved for x, which left the rows w->r: is that rounding? off: what they were before. */
static dae_status accept(dae_system *s, const level *of, const char *what, double t, const double *x, double off,
                         double energy, rows *w, dae_report *report)
{
    double seen;
    if (rows_hold(s, w))
        return DAE_OK;
    const double left = largest_row(s, w->r);
    const dae_status status = is_solved(s, of, x, w->r, energy, &seen);
    if (status == DAE_NO_MEMORY)
        return no_memory(report);
    if (!status || !isfinite(left))
        return status ? not_solved(what, t, off, report) : DAE_OK;
    return dae_fail(report, status, "t = %.6g: no consistent %s near the start, where the constraint is off by %.3g: "
                    "what is solved for leaves %.3g, and rounding makes %.3g", t, what, off, left, seen);
}

/* Add to the report the constraint at which S is singular: it is redundant, or its gradient vanishes. */
static dae_status name_redundant(const dae_system *s, dae_report *report)
{
    char before[sizeof report->message] = "";
    if (!report)
        return DAE_INCONSISTENT;
    if (s->redundant == DAE_SCHUR_GROWN)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d constraints", s->nl);
    snprintf(before, sizeof before, "%s", report->message);
    return dae_fail(report, DAE_INCONSISTENT, "%s; constraint %d depends on those before it, or "
                    "its gradient vanishes", before, s->redundant + 1);
}

/* size := |g_t| + |G| |v|, the terms of dg/dt. */
static void measure_velocities(dae_system *s, double t, const double *q, const double *v, rows *w)
{
    s->problem->mechanical.rate.f(s->p, t, q, w->zero, w->size);
    for (int k = 0; k < s->nl; k++)
        w->size[k] = fabs(w->size[k]);
    add_sizes(s, v, w);
}

typedef struct {
    dae_system *s;
    double t;
    const double *q, *v;
    double *a;
    rows *w;
} state_of_level;

/* v^T M v */
static double motion_energy(const dae_system *s, double t, const double *q, const double *v, rows *w)
{
    double energy = 0;
    s->problem->mechanical.inertia.f(s->p, t, q, v, w->x);
    for (int i = 0; i < s->nq; i++)
        energy += v[i] * w->x[i];
    return energy;
}

static void rate_of_constraint(void *context, const double *v, double *r)
{
    const state_of_level *c = context;
    c->s->problem->mechanical.rate.f(c->s->p, c->t, c->q, v, r);
}

static dae_status settle_velocities(dae_system *s, double t, const double *q, double *v, rows *w,
                                    dae_report *report)
{
    const dae_map2 *rate = &s->problem->mechanical.rate;
    const int regular = dae_system_factor_schur(s, t, q);
    rate->f(s->p, t, q, v, w->r);
    measure_velocities(s, t, q, v, w);
    if (rows_hold(s, w))
        return DAE_OK;
    const double off = largest_row(s, w->r);
    double energy = motion_energy(s, t, q, v, w);       /* before and after: either may be 0 */
    for (int pass = 0; regular && pass < 2; pass++) {
        dae_system_solve_schur(s, w->r);
        dae_system_add_reaction(s, w->r, v);
        rate->f(s->p, t, q, v, w->r);
    }
    add_sizes(s, v, w);
    energy = fmax(energy, motion_energy(s, t, q, v, w));
    state_of_level state = {.s = s, .t = t, .q = q};
    const level of = {.n = s->nq, .evaluate = rate_of_constraint, .context = &state};
    return regular ? accept(s, &of, "velocities", t, v, off, energy, w, report)
                   : not_solved("velocities", t, off, report);
}

dae_status dae_start_velocities(dae_system *s, double t, const double *q, double *v,
                                dae_report *report)
{
    rows w;
    if (!create_rows(s, &w))
        return no_memory(report);
    const dae_status status = settle_velocities(s, t, q, v, &w, report);
    free(w.r);
    return status;
}

/* a := M^-1 (f - G^T lambda), r := d2g/dt2 with this a, size := the magnitude of its terms */
static int accelerate(dae_system *s, double t, const double *q, const double *v,
                      const double *lambda, double *a, rows *w)
{
    const dae_mechanical *m = &s->problem->mechanical;
    m->acceleration.f(s->p, t, q, v, w->zero, w->size);
    for (int k = 0; k < s->nl; k++)
        w->size[k] = fabs(w->size[k]);
    m->force.f(s->p, t, q, v, a);
    m->reaction.f(s->p, t, q, lambda, w->x);
    if (!dae_system_divide_by_mass(s, t, q, a) || !dae_system_divide_by_mass(s, t, q, w->x))
        return 0;
    add_sizes(s, a, w);
    add_sizes(s, w->x, w);
    for (int i = 0; i < s->nq; i++)
        a[i] -= w->x[i];
    m->acceleration.f(s->p, t, q, v, a, w->r);
    return 1;
}

/* lambda^T S lambda = x^T M^-1 x of the reactions x = G^T lambda */
static double reaction_energy(dae_system *s, double t, const double *q, const double *lambda, rows *w)
{
    double energy = 0;
    s->problem->mechanical.reaction.f(s->p, t, q, lambda, w->x);
    double *along = w->zero + s->nq;
    memcpy(along, w->x, (size_t)s->nq * sizeof *along);
    if (!dae_system_divide_by_mass(s, t, q, along))
        return 0;
    for (int i = 0; i < s->nq; i++)
        energy += w->x[i] * along[i];
    return energy;
}

static void acceleration_of_constraint(void *context, const double *lambda, double *r)
{
    const state_of_level *c = context;
    accelerate(c->s, c->t, c->q, c->v, lambda, c->a, c->w);
    memcpy(r, c->w->r, (size_t)c->s->nl * sizeof *r);
}

/* Solve for lambda, in place; a[nq] := the accelerations */
static dae_status settle_multipliers(dae_system *s, double t, const double *q, const double *v,
                                     double *a, double *lambda, rows *w, dae_report *report)
{
    const int regular = dae_system_factor_schur(s, t, q);
    if (!accelerate(s, t, q, v, lambda, a, w))
        return dae_fail(report, DAE_SINGULAR, "t = %.6g: the mass matrix is not positive definite",
                        t);
    const double off = largest_row(s, w->r);
    if (rows_hold(s, w))
        return regular ? DAE_OK
                       : dae_fail(report, DAE_INCONSISTENT, "t = %.6g: the multipliers are not "
                                  "determined", t);
    if (regular)
        dae_system_balance(s, t, q, v, a, lambda);
    for (int pass = 0; regular && pass < 2; pass++) {
        accelerate(s, t, q, v, lambda, a, w);
        if (pass == 0) {
            dae_system_solve_schur(s, w->r);
            for (int k = 0; k < s->nl; k++)
                lambda[k] += w->r[k];
        }
    }
    state_of_level state = {.s = s, .t = t, .q = q, .v = v, .a = a, .w = w};
    const level of = {.n = s->nl, .evaluate = acceleration_of_constraint, .context = &state};
    return regular ? accept(s, &of, "multipliers", t, lambda, off, reaction_energy(s, t, q, lambda, w), w, report)
                   : not_solved("multipliers", t, off, report);
}

static dae_status start_levels(dae_system *s, double t, double *u, double *a, rows *w,
                               dae_report *report)
{
    double *q = u, *v = u + s->nq, *lambda = v + s->nq;
    dae_status status = dae_start_positions(s, t, q, report);
    if (!status)
        status = settle_velocities(s, t, q, v, w, report);
    if (!status)
        status = settle_multipliers(s, t, q, v, a, lambda, w, report);
    for (int i = 2 * s->nq + s->nl; !status && i < s->n; i++)
        u[i] = s->general_mass && i >= s->acceleration_at ? a[i - s->acceleration_at] : 0;
    return status;
}

static dae_status start_mechanical(dae_system *s, double t, double *u, dae_report *report)
{
    double *a = malloc((size_t)s->nq * sizeof *a);
    rows w = {0};
    dae_status status = DAE_NO_MEMORY;
    if (a && create_rows(s, &w))
        status = start_levels(s, t, u, a, &w, report);
    else
        no_memory(report);
    free(w.r);
    free(a);
    return status == DAE_INCONSISTENT && !dae_system_factor_schur(s, t, u)
               ? name_redundant(s, report) : status;
}

/* Any (q, v) is consistent; accelerations that are unknowns are M^-1 f. */
static dae_status start_unconstrained(dae_system *s, double t, double *u, dae_report *report)
{
    double *a = dae_system_accelerations(s, u);
    return !s->general_mass || !dae_system_accelerate(s, t, u, u + s->nq, a, NULL)
               ? DAE_OK
               : dae_fail(report, DAE_SINGULAR, "t = %.6g: the mass matrix is not positive "
                          "definite", t);
}

/* ---- minimal coordinates ------------------------------------------------------------------ */

dae_status dae_start_state(dae_system *s, double t, double *q, double *v, dae_start_change *change,
                           dae_report *report)
{
    const size_t nq = (size_t)s->nq;
    dae_start_change moved = {0};
    if (change)
        *change = moved;
    if (s->nl == 0)
        return DAE_OK;
    double *x = malloc(2 * nq * sizeof *x);
    if (!x)
        return no_memory(report);
    memcpy(x, q, nq * sizeof *x);
    memcpy(x + nq, v, nq * sizeof *x);
    dae_status status = dae_start_positions(s, t, x, report);
    if (!status)
        status = dae_start_velocities(s, t, x, x + nq, report);
    if (!status)
        status = dae_change_measure(s, t, q, x, x + nq, &moved, report);
    for (size_t i = 0; !status && i < nq; i++) {
        moved.position = fmax(moved.position, fabs(x[i] - q[i]));
        moved.velocity = fmax(moved.velocity, fabs(x[nq + i] - v[i]));
        moved.changed |= x[i] != q[i] || x[nq + i] != v[i];
        q[i] = x[i];
        v[i] = x[nq + i];
    }
    free(x);
    if (!status && change)
        *change = moved;
    return status;
}

/* Minimal coordinates: the initial values were made consistent when they were computed. Returns that
 * change. */
static dae_start_change told(const dae_system *s, double t, const double *u)
{
    const size_t size = (size_t)s->n * sizeof *u;
    return s->nq && t == s->problem->t0 && memcmp(u, s->charted, size) == 0
               ? s->start_moved : (dae_start_change){0};
}

/* ---- all ---------------------------------------------------------------------------------- */

static dae_status start_first_order(dae_system *s, double t, double *u, int hidden, dae_start_change *change,
                                    dae_report *report)
{
    dae_status status = dae_start_first_order(s, t, u, &change->relative, report);
    return status || !hidden ? status : dae_start_hidden(s, t, u, &change->relative, &change->open, report);
}

static dae_status start(dae_system *s, double t, double *u, int hidden, dae_start_change *change, dae_report *report)
{
    switch (s->compose->kind) {
    case DAE_FORM_MECHANICAL:
        return s->nl ? start_mechanical(s, t, u, report) : start_unconstrained(s, t, u, report);
    case DAE_FORM_FIRST_ORDER:
        return start_first_order(s, t, u, hidden, change, report);
    default:
        return DAE_OK;
    }
}

/* hidden: solve derivatives of the constraints of first order, too */
static dae_status make_consistent(dae_system *sys, double t, double *u, int hidden, dae_start_change *change,
                                  dae_report *report)
{
    if (!sys || !u)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", sys ? "state" : "system");
    if (!isfinite(t))
        return dae_fail(report, DAE_BAD_ARGUMENT, "t = %g: a start has a time that is finite", t);
    const size_t size = (size_t)sys->n * sizeof *u;
    const int constrained = sys->compose->kind == DAE_FORM_MECHANICAL && sys->nl;
    dae_start_change moved = {0}, told_by = {0};
    double *state = malloc(size);
    if (!state)
        return no_memory(report);
    memcpy(state, u, size);
    dae_status status = start(sys, t, state, hidden, &told_by, report);
    if (!status) {
        moved = dae_change_between(sys->carried ? sys->carried->n : sys->n, sys->classes, u, state);
        moved.relative = told_by.relative;
        moved.open = told_by.open;
    }
    if (!status && constrained)
        status = dae_change_measure(sys, t, u, state, state + sys->nq, &moved, report);
    if (!status && sys->compose->kind == DAE_FORM_MINIMAL)
        moved = told(sys, t, u);
    if (!status && change)
        *change = moved;
    if (!status)
        memcpy(u, state, size);
    free(state);
    return status;
}

dae_status dae_consistent_start(dae_system *sys, double t, double *u, dae_start_change *change, dae_report *report)
{
    if (!sys)
        return make_consistent(sys, t, u, 1, change, report);
    if (sys->use == DAE_WORKS)
        return dae_fail(report, DAE_BAD_ARGUMENT, "dae_consistent_start is called by a function of the system");
    const dae_use before = sys->use;
    sys->use = DAE_WORKS;
    const dae_status status = make_consistent(sys, t, u, 1, change, report);
    sys->use = before;
    return status;
}

dae_status dae_consistent_entry(dae_system *sys, double t, double *u, int hidden, dae_start_change *change,
                                dae_report *report)
{
    return make_consistent(sys, t, u, hidden, change, report);
}
