/* nearest.c - the way to the positions on g(t, q) = 0 that are nearest to given ones
 *
 * First onto g = 0 along d = -M^-1 G^T S^-1 g, S = G M^-1 G^T, in steps s d so small that every row goes
 * on as its slope says, within half of what its terms change by, and so does the slope:
 *
 *     |g_k(q + s d) - (1 - s) g_k(q)| <= s/2 sum_j |G_kj d_j|,
 *     |(G(q + s d) - G(q)) d|_k       <= 1/2 sum_j |G_kj d_j|      and what rounding adds.
 *
 * A full step of Gauss-Newton may lead to another branch altogether; this follows the flow that leads
 * down |g|, which ends close by. Then, along g = 0, down the distance: its gradient there is
 *
 *     d = (q - q0) - M^-1 G^T S^-1 G (q - q0),       0 where  M (q - q0) + G^T kappa = 0,
 *
 * and q - alpha d, projected, is nearer for alpha small enough. alpha = 1 is Gauss-Newton for the
 * nearest point, and contracts by the distance over the radius of curvature. Each part has its own s
 * and alpha.
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
static const double stationary = 1e-9;          /* |d| beside |q - q0|, in the terms of a row */
static const double least_descent = 1e-9;       /* alpha: rounding leaves no way down */
static const double unmoved = 8 * DBL_EPSILON;  /* of sum_j |G_kj| (|q_j| + |q0_j|): no move of row k */

typedef struct {
    dae_system *sys;
    dae_parts *parts;
    double t;
    const double *q0;
    double *q, *trial, *d, *x;          /* [nq] */
    double *g, *g_new, *kappa, *size;   /* [nl] of rows */
    double *step, *along, *before, *after, *worst;      /* [nl] of parts; before of rows in the flow */
    int *bad;                           /* [nl] of parts */
} way;

/* trial := q + step d, each part with its step */
static void advance(const way *w, double sign)
{
    for (int i = 0; i < w->sys->nq; i++) {
        const int part = w->parts->position[i];
        w->trial[i] = part < 0 ? w->q[i] : w->q[i] + sign * w->step[part] * w->d[i];
    }
}

/* Halve the steps of bad parts, to 0 below least; is there one left to be tried again? */
static int shorten(const way *w, double least)
{
    int again = 0;
    for (int k = 0; k < w->sys->nl; k++)
        if (w->bad[k]) {
            w->step[k] = w->step[k] > least ? w->step[k] / 2 : 0;
            again = 1;
        }
    return again;
}

static void lengthen(const way *w)
{
    for (int k = 0; k < w->sys->nl; k++)
        w->step[k] = fmin(1, 2 * w->step[k]);
}

/* ---- onto g = 0 ------------------------------------------------------------------------------ */

/* bad: parts with rows that at the trial do not follow their slopes, -g, or whose slopes change much; a
 * NaN does. */
static void look(const way *w)
{
    dae_system *s = w->sys;
    memset(w->bad, 0, (size_t)s->nl * sizeof *w->bad);
    dae_project_exactly(s, w->t, w->trial, w->g_new);
    dae_system_factor_schur(s, w->t, w->trial);         /* for G; singular is told later */
    dae_project_slopes(s, w->d, w->kappa);
    for (int k = 0; k < s->nl; k++) {
        const int part = w->parts->row[k];
        const double step = w->step[part], rounding = unmoved * (w->before[k] + fabs(w->g[k]));
        const int follows =
            fabs(w->g_new[k] - (1 - step) * w->g[k]) <= step / 2 * w->size[k] + rounding
            && fabs(w->kappa[k] + w->g[k]) <= w->size[k] / 2 + rounding;
        w->bad[part] |= !follows && step > 0;
    }
}

/* One step of the flow from q; 1 where all parts took a full one, or none */
static int flow(const way *w)
{
    dae_system *s = w->sys;
    int full = 1;
    memset(w->d, 0, (size_t)s->nq * sizeof *w->d);
    memcpy(w->kappa, w->g, (size_t)s->nl * sizeof *w->g);
    dae_system_solve_schur(s, w->kappa);
    dae_system_add_reaction(s, w->kappa, w->d);
    dae_project_sizes(s, w->d, w->size);
    dae_project_sizes(s, w->q, w->before);
    do {
        advance(w, 1);
        look(w);
    } while (shorten(w, least_step));
    memcpy(w->q, w->trial, (size_t)s->nq * sizeof *w->q);
    for (int k = 0; k < s->nl; k++)
        full &= w->parts->row[k] != k || w->step[k] == 1 || w->step[k] == 0;
    return full;
}

/* Until full steps are taken; Gauss-Newton does the rest. */
static dae_status reach(const way *w)
{
    const dae_system *s = w->sys;
    int full = 0;
    for (int k = 0; k < s->nl; k++)
        w->step[k] = 1;
    for (int k = 0; k < MOST_STEPS && full < FULL_STEPS; k++) {
        if (!dae_system_factor_schur(w->sys, w->t, w->q))
            return DAE_SINGULAR;
        dae_parts_join(w->parts, s);
        dae_project_exactly(w->sys, w->t, w->q, w->g);
        lengthen(w);
        full = flow(w) ? full + 1 : 0;
    }
    return dae_project_positions(w->sys, w->t, w->q);
}

/* ---- along g = 0 ----------------------------------------------------------------------------- */

/* How far from stationary each part is: in its worst row, d beside q - q0 in the terms of the row. */
static void judge(const way *w)
{
    const dae_system *s = w->sys;
    double *sum = w->g_new, *move = w->kappa;
    dae_project_sizes(s, w->d, w->size);
    for (int i = 0; i < s->nq; i++)
        w->x[i] = w->q[i] - w->q0[i];
    dae_project_sizes(s, w->x, move);
    for (int i = 0; i < s->nq; i++)
        w->x[i] = fabs(w->q[i]) + fabs(w->q0[i]);
    dae_project_sizes(s, w->x, sum);
    memset(w->worst, 0, (size_t)s->nl * sizeof *w->worst);
    for (int k = 0; k < s->nl; k++) {
        const double rounding = unmoved * sum[k];
        double *worst = &w->worst[w->parts->row[k]];
        if (move[k] > rounding)
            *worst = fmax(*worst, (w->size[k] - rounding) / move[k]);
    }
}

/* d := the part of q - q0 along g = 0; its square in the norm, with that of all of it */
static dae_status slope(const way *w)
{
    dae_system *s = w->sys;
    if (!dae_system_factor_schur(s, w->t, w->q))
        return DAE_SINGULAR;
    dae_parts_join(w->parts, s);
    for (int i = 0; i < s->nq; i++)
        w->d[i] = w->q[i] - w->q0[i];
    dae_project_slopes(s, w->d, w->kappa);
    dae_system_solve_schur(s, w->kappa);
    dae_system_add_reaction(s, w->kappa, w->d);
    for (int i = 0; i < s->nq; i++)
        w->x[i] = w->q0[i] + w->d[i];
    dae_parts_measure(w->parts, s, w->t, w->q0, w->x, w->along);
    dae_parts_measure(w->parts, s, w->t, w->q0, w->q, w->before);
    judge(w);
    return DAE_OK;
}

/* bad: parts that at the trial are not nearer by a quarter of what the slope promises; all where it
 * cannot be projected */
static void compare(const way *w)
{
    const dae_system *s = w->sys;
    const int lost = dae_project_positions(w->sys, w->t, w->trial) != DAE_OK;
    dae_parts_measure(w->parts, s, w->t, w->q0, w->trial, w->after);
    for (int k = 0; k < s->nl; k++)
        w->bad[k] = w->parts->row[k] == k && w->step[k] > 0
                    && (lost || !(w->after[k] <= w->before[k] - w->step[k] / 2 * w->along[k]));
}

/* Parts that go on: neither stationary, nor without a way down. Their number. */
static int choose(const way *w)
{
    int parts = 0;
    for (int k = 0; k < w->sys->nl; k++) {
        if (w->parts->row[k] != k || w->worst[k] <= stationary)
            w->step[k] = 0;
        parts += w->step[k] > 0;
    }
    return parts;
}

/* Where the distance is flat to rounding: full steps, as long as each halves what a part has. */
static dae_status finish(const way *w)
{
    const dae_system *s = w->sys;
    dae_status status = slope(w);
    for (int k = 0; k < s->nl; k++)
        w->step[k] = 1;
    while (!status && choose(w)) {
        memcpy(w->after, w->worst, (size_t)s->nl * sizeof *w->after);
        advance(w, -1);
        if (dae_project_positions(w->sys, w->t, w->trial))
            return DAE_OK;
        memcpy(w->x, w->q, (size_t)s->nq * sizeof *w->q);
        memcpy(w->q, w->trial, (size_t)s->nq * sizeof *w->q);
        memcpy(w->trial, w->x, (size_t)s->nq * sizeof *w->q);
        status = slope(w);
        for (int k = 0; k < s->nl; k++)
            w->bad[k] = !(w->worst[k] <= w->after[k] / 2);
        for (int i = 0; i < s->nq; i++)                 /* back, where that did not help */
            if (w->parts->position[i] >= 0 && w->bad[w->parts->position[i]])
                w->q[i] = w->trial[i];
        for (int k = 0; k < s->nl; k++)
            w->step[k] = w->bad[k] ? 0 : w->step[k];
    }
    return DAE_OK;
}

static dae_status descend(const way *w)
{
    for (int k = 0; k < w->sys->nl; k++)
        w->step[k] = 1;
    for (int k = 0; k < MOST_STEPS; k++) {
        const dae_status status = slope(w);
        if (status)
            return status;
        if (!choose(w))
            break;
        lengthen(w);
        do {
            advance(w, -1);
            compare(w);
        } while (shorten(w, least_descent));
        memcpy(w->q, w->trial, (size_t)w->sys->nq * sizeof *w->q);
    }
    return finish(w);
}

dae_status dae_approach(dae_system *s, dae_parts *parts, double t, const double *q0, double *q)
{
    const size_t nq = (size_t)s->nq, nl = (size_t)s->nl;
    double *memory = calloc(3 * nq + 9 * nl, sizeof *memory), *rows = memory + 3 * nq;
    int *bad = calloc(nl + 1, sizeof *bad);
    dae_status status = DAE_NO_MEMORY;
    if (memory && bad) {
        way w = {.sys = s, .parts = parts, .t = t, .q0 = q0, .q = q, .trial = memory,
                 .d = memory + nq, .x = memory + 2 * nq, .g = rows, .g_new = rows + nl,
                 .kappa = rows + 2 * nl, .size = rows + 3 * nl, .step = rows + 4 * nl,
                 .along = rows + 5 * nl, .before = rows + 6 * nl, .after = rows + 7 * nl,
                 .worst = rows + 8 * nl, .bad = bad};
        status = reach(&w);
        if (!status)
            status = descend(&w);
    }
    free(memory);
    free(bad);
    return status;
}
