/* manifold.c - the nearest state on constraints and invariants
 *
 *     u := u + W P^T kappa,   (P W P^T) kappa = c - I(t, u),   P = dI/du,
 *
 * the correction of smallest norm, d^T W^-1 d, that satisfies I(t, u) = c to first order; repeated
 * until each row holds to rounding of u and c,
 *
 *     |c_k - I_k| <= 4 eps (sum_j |P_kj u_j| + |c_k|),
 *
 * with P of the first time as long as that converges fast; in quad where rounding inside of I is
 * more than that: where a row does not follow a u that is moved in its last digits, as in
 * project.c. W = T^2 M^-1 for q and M^-1 for v of a mechanical system, T the interval of the
 * problem; for other unknowns the square of their largest value so far, 0 for algebraic ones. That
 * finds the same state in any units. The rows of I are g and dg/dt with c = 0, and the invariants
 * with c their values at the start. A row that at the start depends on those before it is left out
 * of the run (angular momentum on a circular orbit: of that energy no other orbit has so much; it
 * is held to second order, and to ask for more would move states by the root of their error); one
 * without a gradient there waits until it has one. Without invariants g and dg/dt are solved for
 * one after the other (project.h).
 *
 * Shampine (1986), Comput. Math. Appl. 12B, 1287-1296, section 2; Hairer, Lubich, Wanner (2006),
 * Geometric Numerical Integration, IV.4.
 */
#include "manifold.h"

#include "project.h"
#include "base/numbers.h"
#include "base/small_ldl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 15, MOST_UNKNOWNS = 256 };
enum { CONSTRAINTS = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY };
static const double rounding = 4 * DBL_EPSILON; /* of the sum above: a row that holds */
static const double hidden = 16 * DBL_EPSILON;  /* ... what else may round inside of I */
static const double moved = 64 * DBL_EPSILON;   /* ... a change that I has to follow */
static const double noise = 1e-10;      /* ... one without a gradient that holds all the same */
static const double flat = 1e-6;        /* change of P over a step, where no curvature stalls it */
static const double slow = 1e-3;        /* contraction with which P is formed anew */
static const double dependent = 1e-6;   /* at the start: sin^2 of a row's angle to those before
                                           it */
static const double singular = 1e-10;   /* later */

struct dae_manifold {
    dae_system *sys;
    unsigned levels;            /* DAE_PROJECT_* */
    int n, rows, invariants;    /* unknowns that move, equations, how many of those are
                                   invariants */
    double *c;                  /* [invariants] */
    dae_quad *c_exact;          /* [invariants] the same, of the start in quad, and ... */
    dae_quad *u_exact, *r_exact;        /* [n], [rows + 2 nq] ... what is evaluated in quad */
    int has_quad;               /* the model is there in quad */
    double *P, *WP;             /* [rows x n] dI/du; P W */
    double *S, *diagonal;       /* [rows x rows] P W P^T of the active rows, factored; [rows] */
    double *r, *kappa;          /* [rows] */
    double *size, *before;      /* [rows] sum_j |P_kj u_j| + |c_k|; r_k before the last step */
    double *seen;               /* [rows] size when rounding inside of I was last looked for */
    double *d;                  /* [n] */
    double *largest;            /* [n] |u_i| so far; not of mechanical systems */
    const double *atol;         /* [n] what stands for it where that is 0, ... */
    double rtol;                /* ... atol_i/rtol */
    double *x;                  /* [2 nq] (q, v) of minimal coordinates */
    dae_dual *seeded, *out;     /* [n], [rows + 2 nq] */
    int *usable, usables;       /* [rows] rows that are independent at the start, */
    int *active, actives;       /* [rows] and at the present state */
};

/* ---- creation ----------------------------------------------------------------------------- */

static dae_status check(const dae_system *sys, unsigned levels, dae_report *report)
{
    const char *name = sys->problem->name;
    if (levels & ~(unsigned)(CONSTRAINTS | DAE_PROJECT_INVARIANT))
        return dae_fail(report, DAE_BAD_ARGUMENT, "project = %u is not made of DAE_PROJECT_*",
                        levels);
    if ((levels & CONSTRAINTS) && !sys->nq)
        return dae_fail(report, DAE_UNSUPPORTED, "%s is of first order: it has no constraints of "
                        "positions and velocities to project on", name);
    if ((levels & CONSTRAINTS) && sys->compose->kind == DAE_FORM_MINIMAL)
        return dae_fail(report, DAE_UNSUPPORTED, "%s in form %s has no constraints to project on: "
                        "its unknowns are minimal coordinates", name, sys->form->info.name);
    if ((levels & CONSTRAINTS) && !sys->nl)
        return dae_fail(report, DAE_UNSUPPORTED, "%s has no constraints to project on", name);
    if (!(levels & DAE_PROJECT_INVARIANT))
        return DAE_OK;
    if (!sys->problem->invariants.n)
        return dae_fail(report, DAE_UNSUPPORTED, "%s states no invariants to project on", name);
    if (sys->n > MOST_UNKNOWNS || sys->planned)
        return dae_fail(report, DAE_UNSUPPORTED, "%s: invariants are projected on with up to %d "
                        "unknowns and %d constraints, not %d and %d", name, (int)MOST_UNKNOWNS,
                        (int)DAE_MANY_CONSTRAINTS, sys->n, sys->nl);
    return DAE_OK;
}

static int is_minimal(const dae_system *s) { return s->compose->kind == DAE_FORM_MINIMAL; }

static void size_it(dae_manifold *c)
{
    const dae_system *sys = c->sys;
    c->n = sys->nq && !is_minimal(sys) ? 2 * sys->nq : sys->n;
    c->invariants = c->levels & DAE_PROJECT_INVARIANT ? sys->problem->invariants.n : 0;
    if (!c->invariants)
        return;                                         /* project.c has its own storage */
    c->rows = c->invariants + (c->levels & DAE_PROJECT_POSITION ? sys->nl : 0)
              + (c->levels & DAE_PROJECT_VELOCITY ? sys->nl : 0);
    c->has_quad = sys->problem->invariants.value.quad
                  && (!is_minimal(sys) || sys->problem->mechanical.minimal.embed.quad)
                  && (!(c->levels & CONSTRAINTS) || (sys->problem->mechanical.constraint.quad
                                                     && sys->problem->mechanical.rate.quad));
}

static int allocate(dae_manifold *c)
{
    const size_t n = (size_t)c->n, rows = (size_t)c->rows, x = 2 * (size_t)c->sys->nq;
    c->d = calloc(n + x + 2 * rows * n + rows * rows + 7 * rows + n, sizeof *c->d);
    c->seeded = calloc(n + rows + x, sizeof *c->seeded);
    c->active = calloc(2 * rows + 1, sizeof *c->active);
    c->c_exact = calloc(n + 2 * rows + x + 1, sizeof *c->c_exact);
    if (!c->d || !c->seeded || !c->active || !c->c_exact)
        return 0;
    c->u_exact = c->c_exact + rows;
    c->r_exact = c->u_exact + n;
    c->x = c->d + n;
    c->P = c->x + x;
    c->WP = c->P + rows * n;
    c->S = c->WP + rows * n;
    c->diagonal = c->S + rows * rows;
    c->r = c->diagonal + rows;
    c->kappa = c->r + rows;
    c->size = c->kappa + rows;
    c->before = c->size + rows;
    c->seen = c->before + rows;
    c->c = c->seen + rows;
    c->largest = c->c + rows;
    c->out = c->seeded + n;
    c->usable = c->active + rows;
    return 1;
}

dae_status dae_manifold_create(dae_manifold **out, dae_system *sys, unsigned levels, double rtol,
                               const double *atol, dae_report *report)
{
    *out = NULL;
    const dae_status status = check(sys, levels, report);
    if (status)
        return status;
    dae_manifold *c = calloc(1, sizeof *c);
    if (c) {
        c->sys = sys;
        c->levels = levels;
        c->rtol = rtol > 0 ? rtol : 1;
        c->atol = atol;
        size_it(c);
    }
    if (!c || !allocate(c)) {
        dae_manifold_free(c);
        return dae_fail(report, DAE_NO_MEMORY, "no memory for projections");
    }
    *out = c;
    return DAE_OK;
}

void dae_manifold_free(dae_manifold *c)
{
    if (!c)
        return;
    free(c->d);
    free(c->seeded);
    free(c->active);
    free(c->c_exact);
    free(c);
}

/* ---- equations ---------------------------------------------------------------------------- */

static void invariants_at(dae_system *sys, dae_manifold *c, double t, const double *u, double *out)
{
    const dae_minimal *m = &sys->problem->mechanical.minimal;
    if (is_minimal(sys))
        m->embed.f(sys->p, t, u, u + m->n, c->x);
    sys->problem->invariants.value.f(sys->p, t, is_minimal(sys) ? c->x : u, out);
}

/* The rows of constraints, and behind them I, into r_exact. */
static void evaluate_exactly(dae_system *sys, dae_manifold *c, double t, const double *u)
{
    const dae_mechanical *m = &sys->problem->mechanical;
    dae_quad *r = c->r_exact, *x = r + c->rows, *y = c->u_exact;
    for (int i = 0; i < c->n; i++)
        y[i] = u[i];
    if (c->levels & DAE_PROJECT_POSITION) {
        m->constraint.quad(sys->p_quad, t, y, r);
        r += sys->nl;
    }
    if (c->levels & DAE_PROJECT_VELOCITY) {
        m->rate.quad(sys->p_quad, t, y, y + sys->nq, r);
        r += sys->nl;
    }
    if (is_minimal(sys))
        m->minimal.embed.quad(sys->p_quad, t, y, y + m->minimal.n, x);
    sys->problem->invariants.value.quad(sys->p_quad, t, is_minimal(sys) ? x : y, r);
}

static void evaluate(dae_system *sys, dae_manifold *c, double t, const double *u)
{
    const dae_mechanical *m = &sys->problem->mechanical;
    double *r = c->r;
    if (c->levels & DAE_PROJECT_POSITION) {
        m->constraint.f(sys->p, t, u, r);
        r += sys->nl;
    }
    if (c->levels & DAE_PROJECT_VELOCITY) {
        m->rate.f(sys->p, t, u, u + sys->nq, r);
        r += sys->nl;
    }
    invariants_at(sys, c, t, u, r);
}

/* r := c - I(t, u) for all rows */
static void residual(dae_system *sys, dae_manifold *c, double t, const double *u, int exact)
{
    const int before = c->rows - c->invariants;
    if (exact)
        evaluate_exactly(sys, c, t, u);
    else
        evaluate(sys, c, t, u);
    for (int k = 0; k < c->rows; k++) {
        const int i = k - before;
        if (exact)
            c->r[k] = (double)((i >= 0 ? c->c_exact[i] : 0) - c->r_exact[k]);
        else
            c->r[k] = (i >= 0 ? c->c[i] : 0) - c->r[k];
    }
}

/* Column j of P: the rows at u + eps e_j */
static void column(dae_system *sys, dae_manifold *c, double t, int j)
{
    const dae_mechanical *m = &sys->problem->mechanical;
    const dae_dual at = dae_dual_make(t, 0), *u = c->seeded;
    dae_dual *r = c->out, *x = c->out + c->rows;
    if (c->levels & DAE_PROJECT_POSITION) {
        m->constraint.dual(sys->p, at, u, r);
        r += sys->nl;
    }
    if (c->levels & DAE_PROJECT_VELOCITY) {
        m->rate.dual(sys->p, at, u, u + sys->nq, r);
        r += sys->nl;
    }
    if (is_minimal(sys))
        m->minimal.embed.dual(sys->p, at, u, u + m->minimal.n, x);
    sys->problem->invariants.value.dual(sys->p, at, is_minimal(sys) ? x : u, r);
    for (int k = 0; k < c->rows; k++)
        c->P[k * c->n + j] = dae_dual_derivative(c->out[k]);
}

/* W_ii of unknown i but for M^-1 */
static double weight(const dae_system *sys, const dae_manifold *c, int i)
{
    const double span = fabs(sys->problem->t_end - sys->problem->t0);
    if (sys->nq && !is_minimal(sys))
        return i < sys->nq && span > 0 && isfinite(span) ? span * span : 1;
    const double size = c->largest[i] > 0 ? c->largest[i] : c->atol[i] / c->rtol;
    return dae_system_is_algebraic(sys, i) ? 0 : size * size;
}

/* WP := P W; 0 where M(q) is not positive definite */
static int weigh(dae_system *sys, dae_manifold *c, double t, const double *u)
{
    memcpy(c->WP, c->P, (size_t)(c->rows * c->n) * sizeof *c->P);
    for (int k = 0; k < c->rows; k++) {
        double *row = c->WP + k * c->n;
        for (int i = 0; i < c->n; i++)
            row[i] *= weight(sys, c, i);
        if (sys->nq && !is_minimal(sys)
            && (!dae_system_divide_by_mass(sys, t, u, row)
                || !dae_system_divide_by_mass(sys, t, u, row + sys->nq)))
            return 0;
    }
    return 1;
}

/* S of the active rows, factored. -1, or the number among them with sin^2 <= least. */
static int factor(dae_manifold *c, double least)
{
    const int m = c->actives;
    for (int k = 0; k < m; k++)
        for (int l = 0; l <= k; l++) {
            const double *a = c->P + c->active[k] * c->n, *b = c->WP + c->active[l] * c->n;
            double sum = 0;
            for (int i = 0; i < c->n; i++)
                sum += a[i] * b[i];
            c->S[k * m + l] = sum;
            c->diagonal[k] = sum;
        }
    const int bad = dae_small_factor(m, c->S);
    for (int k = 0; bad < 0 && k < m; k++)
        if (c->S[k * m + k] <= least * c->diagonal[k])
            return k;
    return bad;
}

/* P, P W and the factors of S at (t, u), of those usable rows that are independent */
static int linearise(dae_system *sys, dae_manifold *c, double t, const double *u, double least)
{
    int bad;
    for (int j = 0; j < c->n; j++) {
        c->seeded[j] = dae_dual_make(u[j], 0);
        c->largest[j] = fmax(c->largest[j], fabs(u[j]));
    }
    for (int j = 0; j < c->n; j++) {
        c->seeded[j] = dae_dual_make(u[j], 1);
        column(sys, c, t, j);
        c->seeded[j] = dae_dual_make(u[j], 0);
    }
    if (!dae_vector_finite(c->rows * c->n, c->P) || !weigh(sys, c, t, u))
        return 0;
    c->actives = c->usables;
    for (int k = 0; k < c->usables; k++)
        c->active[k] = c->usable[k];
    while (c->actives && (bad = factor(c, least)) >= 0) {
        c->actives--;
        for (int k = bad; k < c->actives; k++)
            c->active[k] = c->active[k + 1];
    }
    return 1;
}

/* ---- iteration ---------------------------------------------------------------------------- */

/* d := W P^T kappa with S kappa = r */
static void change(dae_manifold *c)
{
    for (int k = 0; k < c->actives; k++)
        c->kappa[k] = c->r[c->active[k]];
    dae_small_solve(c->actives, c->S, c->kappa);
    memset(c->d, 0, (size_t)c->n * sizeof *c->d);
    for (int k = 0; k < c->actives; k++)
        for (int i = 0; i < c->n; i++)
            c->d[i] += c->WP[c->active[k] * c->n + i] * c->kappa[k];
}

static void measure(dae_manifold *c, const double *u)
{
    const int before = c->rows - c->invariants;
    for (int k = 0; k < c->rows; k++) {
        double sum = k >= before ? fabs(c->c[k - before]) : 0;
        for (int j = 0; j < c->n; j++)
            sum += fabs(c->P[k * c->n + j] * u[j]);
        c->size[k] = sum;
    }
}

static void forget(dae_manifold *c)
{
    for (int k = 0; k < c->rows; k++)
        c->before[k] = INFINITY;
}

/* The active rows that do not hold to part of their size. */
static int rows_beyond(const dae_manifold *c, double part)
{
    int rows = 0;
    for (int k = 0; k < c->actives; k++)
        rows += !(fabs(c->r[c->active[k]]) <= part * c->size[c->active[k]]);
    return rows;
}

/* The slowest of their contractions. Those that hold are given no residual. */
static double contract(const dae_manifold *c, double *best)
{
    double worst = 0;
    *best = INFINITY;
    for (int k = 0; k < c->actives; k++) {
        const int row = c->active[k];
        if (fabs(c->r[row]) <= rounding * c->size[row]) {
            c->r[row] = 0;
            continue;
        }
        const double ratio = fabs(c->r[row] / c->before[row]);
        worst = fmax(worst, ratio);
        *best = fmin(*best, ratio);
    }
    return worst;
}

/* The last step d led along a straight piece: P' d = P d, which was r. What is left is rounding. */
static int is_flat(dae_system *sys, dae_manifold *c, double t, const double *u)
{
    int k = 0, good = linearise(sys, c, t, u, singular);
    for (; good && k < c->actives; k++) {
        const double *row = c->P + c->active[k] * c->n;
        double sum = -c->before[c->active[k]], most = 0;
        for (int j = 0; j < c->n; j++) {
            sum += row[j] * c->d[j];
            most += fabs(row[j] * c->d[j]);
        }
        good = fabs(sum) <= flat * most;
    }
    return good;
}

/* Where no gradient is left, there is no way back either. */
static int lost(const dae_manifold *c)
{
    int k = 0;
    while (k < c->rows && fabs(c->r[k]) <= noise * c->size[k])
        k++;
    return c->actives == 0 && k < c->rows;
}

/* Where sizes have changed by a factor of 2 since they were looked at, and in the projections 1, 2,
 * 4, ... */
static int looks(const dae_system *sys, dae_manifold *c)
{
    int k = 0;
    while (k < c->rows && c->size[k] >= c->seen[k] / 2 && c->size[k] <= 2 * c->seen[k])
        k++;
    if (k == c->rows && (sys->projections & (sys->projections - 1)))
        return 0;
    memcpy(c->seen, c->size, (size_t)c->rows * sizeof *c->seen);
    return 1;
}

/* Do the active rows in double, r, feel a u that is moved in its last digits? */
static int follow(dae_system *sys, dae_manifold *c, double t, const double *u)
{
    int k = 0;
    memcpy(c->before, c->r, (size_t)c->rows * sizeof *c->r);
    for (int row = 0; row < c->rows; row++)
        c->r[row] = moved * c->size[row];
    change(c);
    for (int i = 0; i < c->n; i++)
        c->d[i] += u[i];
    residual(sys, c, t, c->d, 0);
    for (; k < c->actives; k++) {
        const int row = c->active[k];
        const double wanted = c->before[row] - moved * c->size[row];
        if (!(fabs(c->r[row] - wanted) <= hidden * c->size[row]))
            break;
    }
    return k == c->actives;
}

/* If not, rows that hold in double may not in quad, and from here on it is quad. */
static int deceives(dae_system *sys, dae_manifold *c, double t, const double *u)
{
    if (sys->exact || !c->has_quad || !looks(sys, c) || follow(sys, c, t, u))
        return 0;
    sys->exact = 1;
    residual(sys, c, t, u, 1);
    forget(c);
    return 1;
}

static dae_status correct(dae_system *sys, dae_manifold *c, double t, double *u)
{
    double ratio = INFINITY, best;
    sys->projections++;
    forget(c);
    for (int k = 0; k < MOST_STEPS; k++) {
        residual(sys, c, t, u, sys->exact);
        if (!dae_vector_finite(c->rows, c->r))
            return DAE_NOT_FINITE;
        if ((k == 0 || ratio > slow) && !linearise(sys, c, t, u, singular))
            return DAE_SINGULAR;
        measure(c, u);
        if (lost(c))
            return DAE_SINGULAR;
        if (!rows_beyond(c, rounding) && !deceives(sys, c, t, u))
            return DAE_OK;
        ratio = contract(c, &best);
        const int stalled = best > 0.5 && best < INFINITY;
        if (stalled && !sys->exact && c->has_quad) {
            sys->exact = 1;
            forget(c);
            continue;
        }
        if (stalled && is_flat(sys, c, t, u))
            return DAE_OK;
        memcpy(c->before, c->r, (size_t)c->rows * sizeof *c->r);
        change(c);
        for (int i = 0; i < c->n; i++)
            u[i] += c->d[i];
    }
    return DAE_NO_CONVERGENCE;
}

dae_status dae_manifold_move(dae_manifold *c, double t, double *u)
{
    dae_system *sys = c->sys;
    double *q = u, *v = u + sys->nq;
    if (c->invariants)
        return correct(sys, c, t, u);
    if (!(c->levels & DAE_PROJECT_VELOCITY))
        return dae_project_positions(sys, t, q);
    return c->levels & DAE_PROJECT_POSITION ? dae_project(sys, t, q, v)
                                            : dae_project_velocities(sys, t, q, v);
}

/* Row k has no gradient here; it may have one later, I = u^2 - sin^2 t. */
static int vanishes(const dae_manifold *c, int k)
{
    int j = 0;
    while (j < c->n && c->P[k * c->n + j] == 0)
        j++;
    return j == c->n;
}

dae_status dae_manifold_start(dae_manifold *c, double t, const double *u, dae_report *report)
{
    if (!c->invariants)
        return DAE_OK;
    invariants_at(c->sys, c, t, u, c->c);
    if (!dae_vector_finite(c->invariants, c->c))
        return dae_fail(report, DAE_NOT_FINITE, "t = %.9g: an invariant is not finite at the start",
                        t);
    if (c->has_quad) {
        evaluate_exactly(c->sys, c, t, u);
        memcpy(c->c_exact, c->r_exact + c->rows - c->invariants,
               (size_t)c->invariants * sizeof *c->c_exact);
    }
    memset(c->largest, 0, (size_t)c->n * sizeof *c->largest);
    memset(c->seen, 0, (size_t)c->rows * sizeof *c->seen);
    c->usables = c->rows;
    for (int k = 0; k < c->rows; k++)
        c->usable[k] = k;
    if (linearise(c->sys, c, t, u, dependent)) {
        c->usables = c->actives;
        memcpy(c->usable, c->active, (size_t)c->actives * sizeof *c->usable);
        for (int k = 0; k < c->rows; k++)
            if (vanishes(c, k))
                c->usable[c->usables++] = k;
    }
    return DAE_OK;
}
