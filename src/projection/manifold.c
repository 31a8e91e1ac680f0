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
#include "manifold_rows.h"

#include "project.h"
#include "base/numbers.h"
#include "base/small_ldl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 15 };
static const double rounding = 4 * DBL_EPSILON; /* of the sum above: a row that holds */
static const double hidden = 16 * DBL_EPSILON;  /* ... what else may round inside of I */
static const double moved = 64 * DBL_EPSILON;   /* ... a change that I has to follow */
static const double noise = 1e-10;      /* ... one without a gradient that holds all the same */
static const double flat = 1e-6;        /* change of P over a step, where no curvature stalls it */
static const double slow = 1e-3;        /* contraction with which P is formed anew */
static const double dependent = 1e-6;   /* at the start: sin^2 of a row's angle to those before
                                           it */
static const double singular = 1e-10;   /* later */

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

/* Do the active rows in double, r, feel a u that is moved in its last digits? */
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

/* If not, rows that hold in double may not in quad, and from here on it is quad. */
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
