/* nearest.c - the state with C(x) = 0 that is nearest to a given one
 *
 * First C = 0 is solved by damped Gauss-Newton steps s d, d = -W^-1 G^T S^-1 C, with G = C_x and
 * S = G W^-1 G^T. s is so small that every row of C and of G d is linear to within one half:
 *
 *     |C_k(x + s d) - (1 - s) C_k(x)| <= s/2 sum_j |G_kj d_j|,
 *     |(G(x + s d) - G(x)) d|_k       <= 1/2 sum_j |G_kj d_j|      plus rounding errors.
 *
 * A full Gauss-Newton step may lead to another branch of C = 0. Damped steps follow the continuous Newton
 * flow, along which |C| decreases and which ends close to x. Then the distance is minimised along C = 0. Its
 * gradient there is
 *
 *     d = (x - x0) - W^-1 G^T S^-1 G (x - x0),       0 where  W (x - x0) + G^T kappa = 0,
 *
 * and the projection of x - alpha d is nearer for alpha small enough. alpha = 1 is Gauss-Newton for the
 * nearest point, and converges linearly with the ratio of the distance to the radius of curvature. Each part
 * has its own s and alpha.
 *
 * Deuflhard (2011), Newton Methods for Nonlinear Problems, 4.3-4.4 (the flow); Absil, Mahony,
 * Sepulchre (2008), Optimization Algorithms on Matrix Manifolds, 4.1-4.2 (the descent).
 */
#include "nearest.h"

#include "base/numbers.h"
#include "base/zeroed.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts that share no unknown, by union and find ------------------------------------------ */

void dae_parts_free(dae_parts *parts)
{
    free(parts->row);
    free(parts->work);
}

/* The smallest row of the part that k belongs to; paths are halved on the way. */
static int root(int *row, int k)
{
    while (row[k] != k) {
        row[k] = row[row[k]];
        k = row[k];
    }
    return k;
}

void dae_parts_touch(dae_parts *parts, int k, int i)
{
    if (parts->unknown[i] < 0) {
        parts->unknown[i] = k;
        return;
    }
    const int a = root(parts->row, k), b = root(parts->row, parts->unknown[i]);
    parts->row[a > b ? a : b] = a > b ? b : a;
}

void dae_parts_join(dae_parts *parts, const dae_surface *s)
{
    s->touch(s->context, parts);
    for (int k = 0; k < parts->rows; k++)
        parts->row[k] = root(parts->row, k);
    for (int i = 0; i < parts->n; i++)
        parts->unknown[i] = parts->unknown[i] < 0 ? -1 : parts->row[parts->unknown[i]];
}

static void separate(dae_parts *parts, int joined)
{
    for (int k = 0; k < parts->rows; k++)
        parts->row[k] = joined ? 0 : k;
    for (int i = 0; i < parts->n; i++)
        parts->unknown[i] = joined ? 0 : -1;
}

dae_status dae_parts_create(dae_parts *parts, const dae_surface *s, const double *x)
{
    const double part = 0x1p-10, largest = dae_largest(s->n, x);
    uint64_t random = 1;
    *parts = (dae_parts){.rows = s->rows, .n = s->n};
    parts->row = dae_zeroed((size_t)(s->rows + s->n) + 1, sizeof *parts->row);
    parts->work = dae_zeroed(2 * (size_t)s->n, sizeof *parts->work);
    if (!parts->row || !parts->work)
        return DAE_NO_MEMORY;
    parts->unknown = parts->row + s->rows;
    separate(parts, s->joined);
    for (int place = 0; place < 2; place++) {
        for (int i = 0; i < s->n; i++) {
            const double size = x[i] != 0 ? fabs(x[i]) : largest > 0 ? largest : 1;
            parts->work[i] = x[i] + part * size * dae_random_direction(&random);
        }
        s->factor(s->context, parts->work);             /* for G; S may be singular */
        dae_parts_join(parts, s);
    }
    return DAE_OK;
}

void dae_parts_measure(dae_parts *parts, const dae_surface *s, const double *x0, const double *x,
                       double *square)
{
    double *move = parts->work, *product = move + s->n;
    for (int i = 0; i < s->n; i++)
        move[i] = x[i] - x0[i];
    s->weigh(s->context, move, product);
    for (int k = 0; k < s->rows; k++)
        square[k] = 0;
    for (int i = 0; i < s->n; i++)
        if (parts->unknown[i] >= 0)
            square[parts->unknown[i]] += move[i] * product[i];
}

int dae_parts_take_nearer(dae_parts *parts, const dae_surface *s, const double *x0, double factor,
                          double *x, const double *other, double *square)
{
    double *square_new = square + s->rows;
    int taken = 0;
    dae_parts_measure(parts, s, x0, x, square);
    dae_parts_measure(parts, s, x0, other, square_new);
    for (int k = 0; k < s->rows; k++)
        taken += parts->row[k] == k && square_new[k] < factor * square[k];
    for (int i = 0; i < s->n; i++) {
        const int part = parts->unknown[i];
        if (part >= 0 && square_new[part] < factor * square[part])
            x[i] = other[i];
    }
    return taken;
}

/* ---- steps ---------------------------------------------------------------------------------- */

enum { MOST_STEPS = 400, FULL_STEPS = 3 };
static const double least_step = 1e-60;         /* smallest s of a part before it is set to 0 */
static const double stationary = 1e-9;          /* largest |d|/|x - x0|, in the terms of a row */
static const double least_descent = 1e-9;       /* smallest alpha; below it rounding hides any decrease */
static const double unmoved = 8 * DBL_EPSILON;  /* changes of row k below this part of
                                                   sum_j |G_kj| (|x_j| + |x0_j|) are rounding */
static const double beside = 1e-3;              /* perturbation for a second descent, over the distance */
static const double nearer = 1e-6;              /* relative decrease of a squared distance that counts */

typedef struct {
    const dae_surface *s;
    dae_parts *parts;
    const double *x0;
    double *x, *trial, *d, *y;          /* [n] */
    double *C, *C_new, *kappa, *size;   /* [rows] */
    double *step, *along, *before, *after, *worst;      /* [rows] of parts; before of rows in the
                                                           flow */
    int *bad;                           /* [rows] of parts */
} way;

static size_t bytes(int count) { return (size_t)count * sizeof(double); }

/* trial := x + step d, each part with its step */
static void advance(const way *w, double sign)
{
    for (int i = 0; i < w->s->n; i++) {
        const int part = w->parts->unknown[i];
        w->trial[i] = part < 0 ? w->x[i] : w->x[i] + sign * w->step[part] * w->d[i];
    }
}

/* Halve the steps of bad parts, to 0 below least; is there one left to be tried again? */
static int shorten(const way *w, double least)
{
    int again = 0;
    for (int k = 0; k < w->s->rows; k++)
        if (w->bad[k]) {
            w->step[k] = w->step[k] > least ? w->step[k] / 2 : 0;
            again = 1;
        }
    return again;
}

static void lengthen(const way *w)
{
    for (int k = 0; k < w->s->rows; k++)
        w->step[k] = fmin(1, 2 * w->step[k]);
}

static void begin_steps(const way *w)
{
    for (int k = 0; k < w->s->rows; k++)
        w->step[k] = 1;
}

/* ---- onto C = 0 ------------------------------------------------------------------------------ */

/* bad: parts with rows for which the trial violates one of the two inequalities above, or is NaN. */
static void look(const way *w)
{
    const dae_surface *s = w->s;
    memset(w->bad, 0, (size_t)s->rows * sizeof *w->bad);
    s->residual(s->context, w->trial, w->C_new);
    s->factor(s->context, w->trial);                    /* for G; singular is told later */
    s->multiply(s->context, w->d, 0, w->kappa);
    for (int k = 0; k < s->rows; k++) {
        const int part = w->parts->row[k];
        const double step = w->step[part], rounding = unmoved * (w->before[k] + fabs(w->C[k]));
        const int follows =
            fabs(w->C_new[k] - (1 - step) * w->C[k]) <= step / 2 * w->size[k] + rounding
            && fabs(w->kappa[k] + w->C[k]) <= w->size[k] / 2 + rounding;
        w->bad[part] |= !follows && step > 0;
    }
}

/* One step of the flow from x; 1 where all parts took a full one, or none */
static int flow(const way *w)
{
    const dae_surface *s = w->s;
    int full = 1;
    memset(w->d, 0, bytes(s->n));
    memcpy(w->kappa, w->C, bytes(s->rows));
    s->solve(s->context, w->kappa);
    s->correct(s->context, w->kappa, w->d);
    s->multiply(s->context, w->d, 1, w->size);
    s->multiply(s->context, w->x, 1, w->before);
    do {
        advance(w, 1);
        look(w);
    } while (shorten(w, least_step));
    memcpy(w->x, w->trial, bytes(s->n));
    for (int k = 0; k < s->rows; k++)
        full &= w->parts->row[k] != k || w->step[k] == 1 || w->step[k] == 0;
    return full;
}

/* Until full steps are taken; Gauss-Newton does the rest. */
static dae_status reach(const way *w)
{
    const dae_surface *s = w->s;
    int full = 0;
    begin_steps(w);
    for (int k = 0; k < MOST_STEPS && full < FULL_STEPS; k++) {
        if (!s->factor(s->context, w->x))
            return DAE_SINGULAR;
        dae_parts_join(w->parts, s);
        s->residual(s->context, w->x, w->C);
        lengthen(w);
        full = flow(w) ? full + 1 : 0;
    }
    return s->project(s->context, w->x);
}

/* ---- along C = 0 ----------------------------------------------------------------------------- */

/* worst := |G| |d| over |G| |x - x0|, the largest of all rows of each part: 0 at a stationary point. */
static void judge(const way *w)
{
    const dae_surface *s = w->s;
    double *sum = w->C_new, *move = w->kappa;
    s->multiply(s->context, w->d, 1, w->size);
    for (int i = 0; i < s->n; i++)
        w->y[i] = w->x[i] - w->x0[i];
    s->multiply(s->context, w->y, 1, move);
    for (int i = 0; i < s->n; i++)
        w->y[i] = fabs(w->x[i]) + fabs(w->x0[i]);
    s->multiply(s->context, w->y, 1, sum);
    memset(w->worst, 0, bytes(s->rows));
    for (int k = 0; k < s->rows; k++) {
        const double rounding = unmoved * sum[k];
        double *worst = &w->worst[w->parts->row[k]];
        if (move[k] > rounding)
            *worst = fmax(*worst, (w->size[k] - rounding) / move[k]);
    }
}

/* d := the component of x - x0 tangential to C = 0; along, before := squared norms of d and of x - x0 */
static dae_status slope(const way *w)
{
    const dae_surface *s = w->s;
    if (!s->factor(s->context, w->x))
        return DAE_SINGULAR;
    dae_parts_join(w->parts, s);
    for (int i = 0; i < s->n; i++)
        w->d[i] = w->x[i] - w->x0[i];
    s->multiply(s->context, w->d, 0, w->kappa);
    s->solve(s->context, w->kappa);
    s->correct(s->context, w->kappa, w->d);
    for (int i = 0; i < s->n; i++)
        w->y[i] = w->x0[i] + w->d[i];
    dae_parts_measure(w->parts, s, w->x0, w->y, w->along);
    dae_parts_measure(w->parts, s, w->x0, w->x, w->before);
    judge(w);
    return DAE_OK;
}

/* bad: parts whose squared distance at the trial has not decreased by a quarter of its linear prediction
 * (Armijo); all where the projection fails */
static void compare(const way *w)
{
    const dae_surface *s = w->s;
    const int lost = s->project(s->context, w->trial) != DAE_OK;
    dae_parts_measure(w->parts, s, w->x0, w->trial, w->after);
    for (int k = 0; k < s->rows; k++)
        w->bad[k] = w->parts->row[k] == k && w->step[k] > 0
                    && (lost || !(w->after[k] <= w->before[k] - w->step[k] / 2 * w->along[k]));
}

/* step := 0 for parts that are stationary or cannot decrease further; returns the number of the others. */
static int choose(const way *w)
{
    int parts = 0;
    for (int k = 0; k < w->s->rows; k++) {
        if (w->parts->row[k] != k || w->worst[k] <= stationary)
            w->step[k] = 0;
        parts += w->step[k] > 0;
    }
    return parts;
}

/* Final iterations, where the decrease of the distance is below rounding: full steps, as long as each one
 * halves the gradient of a part. */
static dae_status finish(const way *w)
{
    const dae_surface *s = w->s;
    dae_status status = slope(w);
    begin_steps(w);
    while (!status && choose(w)) {
        memcpy(w->after, w->worst, bytes(s->rows));
        advance(w, -1);
        if (s->project(s->context, w->trial))
            return DAE_OK;
        memcpy(w->y, w->x, bytes(s->n));
        memcpy(w->x, w->trial, bytes(s->n));
        memcpy(w->trial, w->y, bytes(s->n));
        status = slope(w);
        for (int k = 0; k < s->rows; k++)
            w->bad[k] = !(w->worst[k] <= w->after[k] / 2);
        for (int i = 0; i < s->n; i++)                  /* back, where that did not help */
            if (w->parts->unknown[i] >= 0 && w->bad[w->parts->unknown[i]])
                w->x[i] = w->trial[i];
        for (int k = 0; k < s->rows; k++)
            w->step[k] = w->bad[k] ? 0 : w->step[k];
    }
    return DAE_OK;
}

static dae_status descend(const way *w)
{
    begin_steps(w);
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
        memcpy(w->x, w->trial, bytes(w->s->n));
    }
    return finish(w);
}

/* ---- both ------------------------------------------------------------------------------------ */

/* The point that was found may be a saddle point: minimise once more from a perturbed point, and take the
 * nearer result. */
static void shake(const way *w, double *found, double *square)
{
    const dae_surface *s = w->s;
    uint64_t random = 1;
    memcpy(found, w->x, bytes(s->n));
    dae_parts_measure(w->parts, s, w->x0, found, square);
    for (int i = 0; i < s->n; i++) {
        const int part = w->parts->unknown[i];
        const double direction = dae_random_direction(&random);
        if (part >= 0)
            w->x[i] += beside * sqrt(square[part]) * s->unit[i] * direction;
    }
    if (!s->project(s->context, w->x) && !descend(w))
        dae_parts_take_nearer(w->parts, s, w->x0, 1 - nearer, found, w->x, square);
    memcpy(w->x, found, bytes(s->n));
}

dae_status dae_approach(const dae_surface *s, dae_parts *parts, const double *x0, int shaken,
                        double *x)
{
    const size_t n = (size_t)s->n, m = (size_t)s->rows;
    double *memory = dae_zeroed(4 * n + 11 * m, sizeof *memory), *rows = memory + 4 * n;
    int *bad = dae_zeroed(m + 1, sizeof *bad);
    dae_status status = DAE_NO_MEMORY;
    if (memory && bad) {
        const way w = {.s = s, .parts = parts, .x0 = x0, .x = x, .trial = memory, .d = memory + n,
                       .y = memory + 2 * n, .C = rows, .C_new = rows + m, .kappa = rows + 2 * m,
                       .size = rows + 3 * m, .step = rows + 4 * m, .along = rows + 5 * m,
                       .before = rows + 6 * m, .after = rows + 7 * m, .worst = rows + 8 * m,
                       .bad = bad};
        status = reach(&w);
        if (!status)
            status = descend(&w);
        if (!status && shaken)
            shake(&w, memory + 3 * n, rows + 9 * m);
    }
    free(memory);
    free(bad);
    return status;
}
