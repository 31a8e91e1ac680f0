/* manifold.c - projection of a state onto constraints and invariants
 *
 *     u := u + W P^T kappa,   (P W P^T) kappa = c - I(t, u),   P = dI/du,
 *
 * the correction of smallest norm, d^T W^-1 d, that satisfies I(t, u) = c to first order; repeated
 * until each row holds to rounding of u and c,
 *
 *     |c_k - I_k| <= 4 eps (sum_j |P_kj u_j| + |c_k|),
 *
 * P of the first iteration is used as long as it converges fast. I is evaluated in quad where its rounding
 * errors exceed this bound; a test is whether I changes as predicted when u is changed in its last digits
 * (project.c). W = T^2 M^-1 for q and M^-1 for v of a mechanical system, T the interval of the problem; for
 * other unknowns the square of their largest value so far, 0 for algebraic ones. So the result does not
 * depend on units. The rows of I are g and dg/dt with c = 0, and the invariants with c their values at the
 * start.
 *
 * A row that is linearly dependent on those before it at the start is left out in the whole run. (An example
 * is angular momentum on a circular orbit, which is the largest for its energy. It is conserved to second
 * order anyway, and solving for it would change states by the square root of their error.) A row with P = 0
 * at the start is used from where P is not 0. Without invariants g and dg/dt are solved for one after the
 * other (project.h).
 *
 * Shampine (1986), Comput. Math. Appl. 12B, 1287-1296, section 2; Hairer, Lubich, Wanner (2006),
 * Geometric Numerical Integration, IV.4.
 */
#include "manifold.h"

#include "project.h"
#include "base/numbers.h"
#include "base/parts.h"
#include "base/small_dense.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_UNKNOWNS = 256, MOST_STEPS = 15 };
static const double rounding = 4 * DBL_EPSILON; /* bound of |c_k - I_k| relative to the sum above */
static const double hidden = 16 * DBL_EPSILON;  /* the same for other rounding errors inside of I */
static const double moved = 64 * DBL_EPSILON;   /* the same for the change of I in the test */
static const double noise = 1e-10;      /* the same for rows with P = 0, which are accepted below it */
static const double flat = 1e-6;        /* relative change of P in a step below which I is linear */
static const double slow = 1e-3;        /* P is computed again if the contraction is slower */
static const double dependent = 1e-6;   /* at the start: sin^2 of the angle of a row to those before it */
static const double singular = 1e-10;   /* the same later */

enum { DAE_PROJECT_CONSTRAINTS = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY };

struct dae_manifold {
    dae_system *sys;
    unsigned levels;            /* DAE_PROJECT_* */
    int n, rows, invariants;    /* number of unknowns that are corrected, of equations, of invariants */
    double *c;                  /* [invariants] their values at the start */
    dae_quad *c_exact;          /* [invariants] the same in quad */
    dae_quad *u_exact, *r_exact;        /* [n], [rows + 2 nq] u, and I(t, u) in quad */
    int has_quad;               /* 1: the model has functions in quad */
    double *P, *WP;             /* [rows x n] dI/du; P W */
    double *S, *diagonal;       /* [rows x rows] P W P^T of the active rows, factored; [rows] */
    double *r, *kappa;          /* [rows] */
    double *size, *before;      /* [rows] sum_j |P_kj u_j| + |c_k|; r_k before the last iteration */
    double *seen;               /* [rows] size when rounding errors inside of I were last estimated */
    double *d;                  /* [n] the correction of an iteration */
    double *largest;            /* [n] largest |u_i| since the start; not for mechanical systems */
    const double *atol;         /* [n] where largest_i is 0, atol_i/rtol takes its place */
    double rtol;
    double *x;                  /* [2 nq] (q, v) of minimal coordinates */
    dae_dual *seeded, *out;     /* [n], [rows + 2 nq] u and I in dual numbers, for P */
    int *usable, usables;       /* [rows] equations that are independent at the start; their number */
    int *active, actives;       /* [rows] those of them that are independent at the present state */
};

static int is_minimal(const dae_manifold *c)
{
    return c->sys->compose->kind == DAE_FORM_MINIMAL;
}

/* ---- creation ----------------------------------------------------------------------------- */

static dae_status check(const dae_system *sys, unsigned levels, dae_report *report)
{
    const char *name = sys->problem->name;
    if (levels & ~(unsigned)(DAE_PROJECT_CONSTRAINTS | DAE_PROJECT_INVARIANT))
        return dae_fail(report, DAE_BAD_ARGUMENT, "project = %u is not made of DAE_PROJECT_*",
                        levels);
    if ((levels & DAE_PROJECT_CONSTRAINTS) && !sys->nq)
        return dae_fail(report, DAE_UNSUPPORTED, "%s is of first order: it has no constraints of "
                        "positions and velocities to project on", name);
    if ((levels & DAE_PROJECT_CONSTRAINTS) && sys->compose->kind == DAE_FORM_MINIMAL)
        return dae_fail(report, DAE_UNSUPPORTED, "%s in form %s has no constraints to project on: "
                        "its unknowns are minimal coordinates", name, sys->form->info.name);
    if ((levels & DAE_PROJECT_CONSTRAINTS) && !sys->nl)
        return dae_fail(report, DAE_UNSUPPORTED, "%s has no constraints to project on", name);
    if ((levels & DAE_PROJECT_POSITION) && !sys->holonomic)
        return dae_fail(report, DAE_UNSUPPORTED, "%s has no constraints on positions to project on: they "
                        "are nonholonomic, and bind velocities", name);
    if (!(levels & DAE_PROJECT_INVARIANT))
        return DAE_OK;
    if (!sys->problem->invariants.n)
        return dae_fail(report, DAE_UNSUPPORTED, "%s states no invariants to project on", name);
    if (sys->n > MOST_UNKNOWNS || dae_system_has_many(sys))
        return dae_fail(report, DAE_UNSUPPORTED, "%s: invariants are projected on with up to %d "
                        "unknowns and %d constraints, not %d and %d", name, (int)MOST_UNKNOWNS,
                        (int)DAE_MANY_CONSTRAINTS, sys->n, sys->nl);
    return DAE_OK;
}

static void size_it(dae_manifold *c)
{
    const dae_system *sys = c->sys;
    c->n = sys->nq && !is_minimal(c) ? 2 * sys->nq : sys->n;
    c->invariants = c->levels & DAE_PROJECT_INVARIANT ? sys->problem->invariants.n : 0;
    if (!c->invariants)
        return;                                         /* project.c has its own storage */
    c->rows = c->invariants + (c->levels & DAE_PROJECT_POSITION ? sys->holonomic : 0)
              + (c->levels & DAE_PROJECT_VELOCITY ? sys->nl : 0);
    c->has_quad = sys->problem->invariants.value.quad
                  && (!is_minimal(c) || sys->problem->mechanical.minimal.embed.quad)
                  && (!(c->levels & DAE_PROJECT_POSITION) || sys->problem->mechanical.constraint.quad)
                  && (!(c->levels & DAE_PROJECT_VELOCITY) || sys->problem->mechanical.rate.quad);
}

static int allocate(dae_manifold *c)
{
    const size_t n = (size_t)c->n, rows = (size_t)c->rows, x = 2 * (size_t)c->sys->nq;
    return DAE_PARTS(c,
                     DAE_PART(dae_manifold, d, n), DAE_PART(dae_manifold, x, x), DAE_PART(dae_manifold, P, rows * n),
                     DAE_PART(dae_manifold, WP, rows * n), DAE_PART(dae_manifold, S, rows * rows),
                     DAE_PART(dae_manifold, diagonal, rows), DAE_PART(dae_manifold, r, rows),
                     DAE_PART(dae_manifold, kappa, rows), DAE_PART(dae_manifold, size, rows),
                     DAE_PART(dae_manifold, before, rows), DAE_PART(dae_manifold, seen, rows),
                     DAE_PART(dae_manifold, c, rows), DAE_PART(dae_manifold, largest, n),
                     DAE_PART(dae_manifold, seeded, n), DAE_PART(dae_manifold, out, rows + x),
                     DAE_PART(dae_manifold, active, rows), DAE_PART(dae_manifold, usable, rows),
                     DAE_PART(dae_manifold, c_exact, rows), DAE_PART(dae_manifold, u_exact, n),
                     DAE_PART(dae_manifold, r_exact, rows + x))
           != NULL;
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
    free(c);
}

/* ---- rows, their gradients, and S = P W P^T ------------------------------------------------ */

/* The invariants at (t, u) */
static void set_invariants(dae_manifold *c, double t, const double *u, double *out)
{
    dae_system *sys = c->sys;
    const dae_minimal *m = &sys->problem->mechanical.minimal;
    if (is_minimal(c))
        m->embed.f(sys->p, t, u, u + m->n, c->x);
    sys->problem->invariants.value.f(sys->p, t, is_minimal(c) ? c->x : u, out);
}

/* r := g and dg/dt, then the invariants, in one pass of the model; x[2 nq]: (q, v) of minimal coordinates */
#define ROWS(pass, parameter, scalar)                                                             \
    static void rows_##pass(const dae_manifold *c, const parameter *p, scalar t, const scalar *u, scalar *r,  \
                            scalar *x)                                                            \
    {                                                                                             \
        const dae_system *sys = c->sys;                                                           \
        const dae_mechanical *m = &sys->problem->mechanical;                                      \
        if (c->levels & DAE_PROJECT_POSITION)                                                     \
            m->constraint.pass(p, t, u, r);                                                       \
        r += c->levels & DAE_PROJECT_POSITION ? sys->holonomic : 0;                               \
        if (c->levels & DAE_PROJECT_VELOCITY)                                                     \
            m->rate.pass(p, t, u, u + sys->nq, r);                                                \
        r += c->levels & DAE_PROJECT_VELOCITY ? sys->nl : 0;                                      \
        if (is_minimal(c))                                                           \
            m->minimal.embed.pass(p, t, u, u + m->minimal.n, x);                                  \
        sys->problem->invariants.value.pass(p, t, is_minimal(c) ? x : u, r);         \
    }
ROWS(f, double, double)
ROWS(dual, double, dae_dual)
ROWS(quad, dae_quad, dae_quad)

/* All rows in quad into r_exact */
static void evaluate_exactly(dae_manifold *c, double t, const double *u)
{
    for (int i = 0; i < c->n; i++)
        c->u_exact[i] = u[i];
    rows_quad(c, c->sys->p_quad, t, c->u_exact, c->r_exact, c->r_exact + c->rows);
}

/* r := c - I(t, u) for all rows; exact = 1: evaluated in quad */
static void residual(dae_manifold *c, double t, const double *u, int exact)
{
    const int before = c->rows - c->invariants;
    if (exact)
        evaluate_exactly(c, t, u);
    else
        rows_f(c, c->sys->p, t, u, c->r, c->x);
    for (int k = 0; k < c->rows; k++) {
        const int i = k - before;
        if (exact)
            c->r[k] = (double)((i >= 0 ? c->c_exact[i] : 0) - c->r_exact[k]);
        else
            c->r[k] = (i >= 0 ? c->c[i] : 0) - c->r[k];
    }
}

/* Column j of P: the rows at u + eps e_j */
static void column(dae_manifold *c, double t, int j)
{
    rows_dual(c, c->sys->p, dae_dual_make(t, 0), c->seeded, c->out, c->out + c->rows);
    for (int k = 0; k < c->rows; k++)
        c->P[k * c->n + j] = dae_dual_derivative(c->out[k]);
}

/* W_ii of unknown i, without the factor M^-1 */
static double weight(const dae_manifold *c, int i)
{
    dae_system *sys = c->sys;
    const double span = fabs(sys->problem->t_end - sys->problem->t0);
    if (sys->nq && !is_minimal(c))
        return i < sys->nq && span > 0 && isfinite(span) ? span * span : 1;
    const double size = c->largest[i] > 0 ? c->largest[i] : c->atol[i] / c->rtol;
    return dae_system_is_algebraic(sys, i) ? 0 : size * size;
}

/* WP := P W; 0 where M(q) is not positive definite */
static int weigh(dae_manifold *c, double t, const double *u)
{
    dae_system *sys = c->sys;
    memcpy(c->WP, c->P, (size_t)(c->rows * c->n) * sizeof *c->P);
    for (int k = 0; k < c->rows; k++) {
        double *row = c->WP + k * c->n;
        for (int i = 0; i < c->n; i++)
            row[i] *= weight(c, i);
        if (sys->nq && !is_minimal(c)
            && (!dae_system_divide_by_mass(sys, t, u, row)
                || !dae_system_divide_by_mass(sys, t, u, row + sys->nq)))
            return 0;
    }
    return 1;
}

/* S of the active rows, factored. Returns -1, or the index of the first active row with sin^2 <= least. */
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

/* P, P W and the factors of S at (t, u). The active rows are those usable rows whose angle to the rows before them has
 * a sine above the root of least. 0 where P is not finite, or M not positive definite. */
static int linearise(dae_manifold *c, double t, const double *u, double least)
{
    int bad;
    for (int j = 0; j < c->n; j++) {
        c->seeded[j] = dae_dual_make(u[j], 0);
        c->largest[j] = fmax(c->largest[j], fabs(u[j]));
    }
    for (int j = 0; j < c->n; j++) {
        c->seeded[j] = dae_dual_make(u[j], 1);
        column(c, t, j);
        c->seeded[j] = dae_dual_make(u[j], 0);
    }
    if (!dae_vector_finite(c->rows * c->n, c->P) || !weigh(c, t, u))
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

/* ---- projection --------------------------------------------------------------------------- */

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

/* The number of active rows with |r_k| > part size_k. */
static int rows_beyond(const dae_manifold *c, double part)
{
    int rows = 0;
    for (int k = 0; k < c->actives; k++)
        rows += !(fabs(c->r[c->active[k]]) <= part * c->size[c->active[k]]);
    return rows;
}

/* Sets r_k = 0 in active rows that hold to rounding. Returns the largest ratio of r_k to that before the last
 * iteration; best: the smallest ratio. */
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

/* 1 where I is linear along the last correction d: P' d = P d = r. Then the residual is rounding. */
static int is_flat(dae_manifold *c, double t, const double *u)
{
    int k = 0, good = linearise(c, t, u, singular);
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

/* 1 where no row is active, but some row does not hold. */
static int lost(const dae_manifold *c)
{
    int k = 0;
    while (k < c->rows && fabs(c->r[k]) <= noise * c->size[k])
        k++;
    return c->actives == 0 && k < c->rows;
}

/* 1 where rounding errors inside of I are to be tested for: in the projections 1, 2, 4, ..., and where
 * sizes have changed by a factor of 2 since the last test. */
static int looks(const dae_manifold *c)
{
    int k = 0;
    while (k < c->rows && c->size[k] >= c->seen[k] / 2 && c->size[k] <= 2 * c->seen[k])
        k++;
    if (k == c->rows && (c->sys->projections & (c->sys->projections - 1)))
        return 0;
    memcpy(c->seen, c->size, (size_t)c->rows * sizeof *c->seen);
    return 1;
}

/* 1 where the active rows, in double, change as predicted when u is changed in its last digits. */
static int follow(dae_manifold *c, double t, const double *u)
{
    int k = 0;
    memcpy(c->before, c->r, (size_t)c->rows * sizeof *c->r);
    for (int row = 0; row < c->rows; row++)
        c->r[row] = moved * c->size[row];
    change(c);
    for (int i = 0; i < c->n; i++)
        c->d[i] += u[i];
    residual(c, t, c->d, 0);
    for (; k < c->actives; k++) {
        const int row = c->active[k];
        const double wanted = c->before[row] - moved * c->size[row];
        if (!(fabs(c->r[row] - wanted) <= hidden * c->size[row]))
            break;
    }
    return k == c->actives;
}

/* If they do not, a residual that is 0 in double need not be small: change to quad for the rest of
 * the run. */
static int deceives(dae_manifold *c, double t, const double *u)
{
    if (c->sys->exact || !c->has_quad || !looks(c) || follow(c, t, u))
        return 0;
    c->sys->exact = 1;
    residual(c, t, u, 1);
    forget(c);
    return 1;
}

static dae_status correct(dae_manifold *c, double t, double *u)
{
    double ratio = INFINITY, best;
    c->sys->projections++;
    forget(c);
    for (int k = 0; k < MOST_STEPS; k++) {
        residual(c, t, u, c->sys->exact);
        if (!dae_vector_finite(c->rows, c->r))
            return DAE_NOT_FINITE;
        if ((k == 0 || ratio > slow) && !linearise(c, t, u, singular))
            return DAE_SINGULAR;
        measure(c, u);
        if (lost(c))
            return DAE_SINGULAR;
        if (!rows_beyond(c, rounding) && !deceives(c, t, u))
            return DAE_OK;
        ratio = contract(c, &best);
        const int stalled = best > 0.5 && best < INFINITY;
        if (stalled && !c->sys->exact && c->has_quad) {
            c->sys->exact = 1;
            forget(c);
            continue;
        }
        if (stalled && is_flat(c, t, u))
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
    double *q = u, *v = u + c->sys->nq;
    if (c->invariants)
        return correct(c, t, u);
    if (!(c->levels & DAE_PROJECT_VELOCITY))
        return dae_project_positions(sys, t, q);
    return c->levels & DAE_PROJECT_POSITION ? dae_project(sys, t, q, v)
                                            : dae_project_velocities(sys, t, q, v);
}

/* 1 where row k of P is 0. It need not be 0 later: I = u^2 - sin^2 t. */
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
    set_invariants(c, t, u, c->c);
    if (!dae_vector_finite(c->invariants, c->c))
        return dae_fail(report, DAE_NOT_FINITE, "t = %.9g: an invariant is not finite at the start",
                        t);
    if (c->has_quad) {
        evaluate_exactly(c, t, u);
        memcpy(c->c_exact, c->r_exact + c->rows - c->invariants,
               (size_t)c->invariants * sizeof *c->c_exact);
    }
    memset(c->largest, 0, (size_t)c->n * sizeof *c->largest);
    memset(c->seen, 0, (size_t)c->rows * sizeof *c->seen);
    c->usables = c->rows;
    for (int k = 0; k < c->rows; k++)
        c->usable[k] = k;
    if (linearise(c, t, u, dependent)) {
        c->usables = c->actives;
        memcpy(c->usable, c->active, (size_t)c->actives * sizeof *c->usable);
        for (int k = 0; k < c->rows; k++)
            if (vanishes(c, k))
                c->usable[c->usables++] = k;
    }
    return DAE_OK;
}
