/* nearest.c - the way to the positions on g(t, q) = 0 that are nearest to given ones
 *
 * First onto g = 0 along d = -M^-1 G^T S^-1 g, S = G M^-1 G^T, in steps s d so small that every row goes
 * on as its slope says, within half of what its terms change by, and so does the slope:
 *
 *     |g_k(q + s d) - (1 - s) g_k(q)| <= s/2 sum_j |G_kj d_j| + 8 eps |g_k(q)|,
 *     |(G(q + s d) - G(q)) d|_k       <= 1/2 sum_j |G_kj d_j|.
 *
 * A full step of Gauss-Newton may lead to another branch altogether; this follows the flow that leads
 * down |g|, which ends close by. Then, along g = 0, down the distance: its gradient there is
 *
 *     d = (q - q0) - M^-1 G^T S^-1 G (q - q0),       0 where  M (q - q0) + G^T kappa = 0,
 *
 * and q - alpha d, projected, is nearer for alpha small enough. alpha = 1 is Gauss-Newton for the
 * nearest point, and contracts by the distance over the radius of curvature.
 *
 * Deuflhard (2011), Newton Methods for Nonlinear Problems, 4.3-4.4 (the flow); Absil, Mahony,
 * Sepulchre (2008), Optimization Algorithms on Matrix Manifolds, 4.1-4.2 (the descent).
 */
#include "control/nearest.h"

#include "control/project.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 400, FULL_STEPS = 3 };
static const double least_step = 1e-60;         /* of the flow: |g| must fall to it before it gives up */
static const double stationary = 1e-9;          /* |d| beside |q - q0| */
static const double least_descent = 1e-9;       /* alpha: rounding leaves no way down */

typedef struct {
    dae_system *sys;
    double t;
    const double *q0;
    double *q, *trial, *d, *work;       /* [nq], [nq], [nq], [2 nq] */
    double *g, *g_new, *kappa, *size;   /* [nl] */
} way;

double dae_nearest_distance(const dae_system *s, double t, const double *q0, const double *q,
                            double *work)
{
    double *move = work, *product = work + s->nq, sum = 0;
    for (int i = 0; i < s->nq; i++)
        move[i] = q[i] - q0[i];
    s->problem->mechanical.inertia.f(s->p, t, q0, move, product);
    for (int i = 0; i < s->nq; i++)
        sum += move[i] * product[i];
    return sum;
}

/* ---- onto g = 0 ------------------------------------------------------------------------------ */

/* The rows at the trial follow their slopes, -g, and these do not change much; a NaN does. */
static int follows(const way *w, double step)
{
    dae_system *s = w->sys;
    int good = 1;
    dae_project_exactly(s, w->t, w->trial, w->g_new);
    for (int k = 0; k < s->nl; k++)
        good = good && fabs(w->g_new[k] - (1 - step) * w->g[k])
                           <= step / 2 * w->size[k] + 8 * DBL_EPSILON * fabs(w->g[k]);
    if (!good)
        return 0;
    dae_system_factor_schur(s, w->t, w->trial);         /* for G; singular is told later */
    dae_project_slopes(s, w->d, w->kappa);
    for (int k = 0; k < s->nl; k++)
        good = good && fabs(w->kappa[k] + w->g[k]) <= w->size[k] / 2;
    return good;
}

/* One step of the flow from q, at most so long; its length, 0 where there is none. */
static double flow(const way *w, double step)
{
    dae_system *s = w->sys;
    memset(w->d, 0, (size_t)s->nq * sizeof *w->d);
    memcpy(w->kappa, w->g, (size_t)s->nl * sizeof *w->g);
    dae_system_solve_schur(s, w->kappa);
    dae_system_add_reaction(s, w->kappa, w->d);
    dae_project_sizes(s, w->d, w->size);
    for (; step > least_step; step /= 2) {
        for (int i = 0; i < s->nq; i++)
            w->trial[i] = w->q[i] + step * w->d[i];
        if (follows(w, step))
            break;
    }
    memcpy(w->q, w->trial, (size_t)s->nq * sizeof *w->q);
    return step > least_step ? step : 0;
}

/* Until full steps are taken; Gauss-Newton does the rest. */
static dae_status reach(const way *w)
{
    double step = 1;
    int full = 0;
    for (int k = 0; k < MOST_STEPS && full < FULL_STEPS; k++) {
        if (!dae_system_factor_schur(w->sys, w->t, w->q))
            return DAE_SINGULAR;
        dae_project_exactly(w->sys, w->t, w->q, w->g);
        step = flow(w, fmin(1, 2 * step));
        if (step == 0)
            break;
        full = step == 1 ? full + 1 : 0;
    }
    return dae_project_positions(w->sys, w->t, w->q);
}

/* ---- along g = 0 ----------------------------------------------------------------------------- */

/* d := the part of q - q0 along g = 0; its square in the norm, with that of all of it */
static dae_status slope(const way *w, double *along, double *all)
{
    dae_system *s = w->sys;
    double *product = w->work;
    if (!dae_system_factor_schur(s, w->t, w->q))
        return DAE_SINGULAR;
    for (int i = 0; i < s->nq; i++)
        w->d[i] = w->q[i] - w->q0[i];
    dae_project_slopes(s, w->d, w->kappa);
    dae_system_solve_schur(s, w->kappa);
    dae_system_add_reaction(s, w->kappa, w->d);
    s->problem->mechanical.inertia.f(s->p, w->t, w->q0, w->d, product);
    *along = 0;
    for (int i = 0; i < s->nq; i++)
        *along += w->d[i] * product[i];
    *all = dae_nearest_distance(s, w->t, w->q0, w->q, w->work);
    return DAE_OK;
}

/* q - alpha d, projected, where that is nearer by a quarter of what the slope promises; alpha, or 0 */
static double step_down(const way *w, double alpha, double along, double distance)
{
    const dae_system *s = w->sys;
    for (; alpha > least_descent; alpha /= 2) {
        for (int i = 0; i < s->nq; i++)
            w->trial[i] = w->q[i] - alpha * w->d[i];
        if (!dae_project_positions(w->sys, w->t, w->trial)
            && dae_nearest_distance(s, w->t, w->q0, w->trial, w->work)
                   <= distance - alpha / 2 * along) {
            memcpy(w->q, w->trial, (size_t)s->nq * sizeof *w->q);
            return alpha;
        }
    }
    return 0;
}

static dae_status descend(const way *w)
{
    double alpha = 1, along, all;
    for (int k = 0; k < MOST_STEPS && alpha > 0; k++) {
        const dae_status status = slope(w, &along, &all);
        if (status)
            return status;
        if (along <= stationary * stationary * all)
            break;
        alpha = step_down(w, fmin(1, 2 * alpha), along, all);
    }
    return DAE_OK;
}

dae_status dae_approach(dae_system *s, double t, const double *q0, double *q)
{
    const size_t nq = (size_t)s->nq, nl = (size_t)s->nl;
    double *memory = calloc(4 * nq + 4 * nl, sizeof *memory);
    if (!memory)
        return DAE_NO_MEMORY;
    way w = {.sys = s, .t = t, .q0 = q0, .q = q, .trial = memory, .d = memory + nq,
             .work = memory + 2 * nq};
    w.g = memory + 4 * nq;
    w.g_new = w.g + nl;
    w.kappa = w.g_new + nl;
    w.size = w.kappa + nl;
    dae_status status = reach(&w);
    if (!status)
        status = descend(&w);
    free(memory);
    return status;
}
