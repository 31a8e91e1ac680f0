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
#include "manifold_rows.h"

#include "project.h"
#include "base/numbers.h"
#include "base/small_ldl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 15 };
static const double rounding = 4 * DBL_EPSILON; /* bound of |c_k - I_k| relative to the sum above */
static const double hidden = 16 * DBL_EPSILON;  /* the same for other rounding errors inside of I */
static const double moved = 64 * DBL_EPSILON;   /* the same for the change of I in the test */
static const double noise = 1e-10;      /* the same for rows with P = 0, which are accepted below it */
static const double flat = 1e-6;        /* relative change of P in a step below which I is linear */
static const double slow = 1e-3;        /* P is computed again if the contraction is slower */
static const double dependent = 1e-6;   /* at the start: sin^2 of the angle of a row to those before it */
static const double singular = 1e-10;   /* the same later */

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
    int k = 0, good = dae_manifold_linearise(c, t, u, singular);
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
    dae_manifold_residual(c, t, c->d, 0);
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
    dae_manifold_residual(c, t, u, 1);
    forget(c);
    return 1;
}

static dae_status correct(dae_manifold *c, double t, double *u)
{
    double ratio = INFINITY, best;
    c->sys->projections++;
    forget(c);
    for (int k = 0; k < MOST_STEPS; k++) {
        dae_manifold_residual(c, t, u, c->sys->exact);
        if (!dae_vector_finite(c->rows, c->r))
            return DAE_NOT_FINITE;
        if ((k == 0 || ratio > slow) && !dae_manifold_linearise(c, t, u, singular))
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
    dae_manifold_invariants(c, t, u, c->c);
    if (!dae_vector_finite(c->invariants, c->c))
        return dae_fail(report, DAE_NOT_FINITE, "t = %.9g: an invariant is not finite at the start",
                        t);
    if (c->has_quad) {
        dae_manifold_evaluate_exactly(c, t, u);
        memcpy(c->c_exact, c->r_exact + c->rows - c->invariants,
               (size_t)c->invariants * sizeof *c->c_exact);
    }
    memset(c->largest, 0, (size_t)c->n * sizeof *c->largest);
    memset(c->seen, 0, (size_t)c->rows * sizeof *c->seen);
    c->usables = c->rows;
    for (int k = 0; k < c->rows; k++)
        c->usable[k] = k;
    if (dae_manifold_linearise(c, t, u, dependent)) {
        c->usables = c->actives;
        memcpy(c->usable, c->active, (size_t)c->actives * sizeof *c->usable);
        for (int k = 0; k < c->rows; k++)
            if (vanishes(c, k))
                c->usable[c->usables++] = k;
    }
    return DAE_OK;
}
