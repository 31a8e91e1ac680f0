/* first_order_surface.c - C(t, u) = 0 as a surface, with a norm that has an inverse
 *
 * Directions without a derivative have no weight in the norm of the nearest state. Here they have a
 * little, W + eps (1 - W), W being a projection: what can be met with them is, to eps. Newton's
 * method, which begins where this ends, has the true norm.
 */
#include "nearest.h"
#include "base/small_dense.h"
#include "base/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_UNKNOWNS = 200, MOST_STEPS = 20 };
static const double little = 0x1p-30;           /* eps */
static const double rounding = 4 * DBL_EPSILON; /* of the terms of an equation: it holds */
static const double stalled = 1e-12;            /* ... where rounding may end the iteration */

typedef struct {
    dae_nearest_state *c;
    double *S;                  /* [rows x rows] L D L^T */
    double *y, *z, *unit;       /* [n] */
    double *size, *before;      /* [rows] */
} surface;

/* out := D (W y + weight (y - W y)), y = D x, D_i = unit_i^power */
static void apply(const dae_nearest_state *c, double weight, int power, const double *x, double *out)
{
    const int n = c->n;
    for (int i = 0; i < n; i++) {
        const double unit = power < 0 ? 1 / c->unit[i] : c->unit[i];
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += c->W[j * n + i] * (power < 0 ? x[j] / c->unit[j] : x[j] * c->unit[j]);
        out[i] = unit * (sum + weight * (unit * x[i] - sum));
    }
}

static void residual(void *context, const double *u, double *C)
{
    dae_nearest_state *c = ((surface *)context)->c;
    dae_nearest_state_evaluate(c, u);
    memcpy(C, c->C, (size_t)c->rows * sizeof *C);
}

/* y := C_u^T e_k, z := (W + eps (1 - W))^-1 y */
static void weighted_row(const surface *s, int k)
{
    const dae_nearest_state *c = s->c;
    for (int j = 0; j < c->n; j++)
        s->y[j] = c->C_u[j * c->rows + k];
    apply(c, 1 / little, 1, s->y, s->z);
}

static int factor(void *context, const double *u)
{
    surface *s = context;
    dae_nearest_state *c = s->c;
    const int rows = c->rows;
    dae_nearest_state_evaluate(c, u);
    for (int k = 0; k < rows; k++) {
        weighted_row(s, k);
        for (int l = 0; l < rows; l++) {
            double sum = 0;
            for (int j = 0; j < c->n; j++)
                sum += c->C_u[j * rows + l] * s->z[j];
            s->S[k * rows + l] = sum;
        }
    }
    return dae_small_factor(rows, s->S) < 0;
}

static void solve(void *context, double *r)
{
    const surface *s = context;
    dae_small_solve(s->c->rows, s->S, r);
}

static void correct(void *context, const double *kappa, double *u)
{
    const surface *s = context;
    const dae_nearest_state *c = s->c;
    for (int j = 0; j < c->n; j++) {
        s->y[j] = 0;
        for (int k = 0; k < c->rows; k++)
            s->y[j] += c->C_u[j * c->rows + k] * kappa[k];
    }
    apply(c, 1 / little, 1, s->y, s->z);
    for (int j = 0; j < c->n; j++)
        u[j] -= s->z[j];
}

static void multiply(void *context, const double *x, int absolute, double *out)
{
    const dae_nearest_state *c = ((surface *)context)->c;
    for (int k = 0; k < c->rows; k++) {
        out[k] = 0;
        for (int j = 0; j < c->n; j++) {
            const double term = c->C_u[j * c->rows + k] * x[j];
            out[k] += absolute ? fabs(term) : term;
        }
    }
}

static void touch(void *context, dae_parts *parts)
{
    const dae_nearest_state *c = ((surface *)context)->c;
    for (int k = 0; k < c->rows; k++)
        for (int j = 0; j < c->n; j++)
            if (c->C_u[j * c->rows + k] != 0)
                dae_parts_touch(parts, k, j);
}

static void weigh(void *context, const double *x, double *Wx)
{
    apply(((surface *)context)->c, little, -1, x, Wx);
}

/* Rows that do not hold; those that do are given no residual. stops: none is better by half than it
 * was before, and all hold nearly. */
static int unsettled(const surface *s, const double *u, double *r, int *stops)
{
    const dae_nearest_state *c = s->c;
    int rows = 0;
    *stops = 1;
    multiply((void *)s, u, 1, s->size);
    for (int k = 0; k < c->rows; k++) {
        const double size = s->size[k] + c->terms[k];
        r[k] = c->C[k];
        *stops &= fabs(r[k]) > s->before[k] / 2 && fabs(r[k]) <= stalled * size;
        s->before[k] = fabs(r[k]);
        if (fabs(r[k]) <= rounding * size)
            r[k] = 0;
        else
            rows++;
    }
    return rows;
}

static dae_status project(void *context, double *u)
{
    surface *s = context;
    double *r = s->before + s->c->rows;
    int stops;
    for (int k = 0; k < s->c->rows; k++)
        s->before[k] = INFINITY;
    for (int k = 0; k < MOST_STEPS; k++) {
        if (!factor(s, u))
            return DAE_SINGULAR;
        if (!unsettled(s, u, r, &stops) || stops)
            return DAE_OK;
        solve(s, r);
        correct(s, r, u);
    }
    return DAE_NO_CONVERGENCE;
}

static dae_status approach(surface *s, double *unit, double *u, double *kappa)
{
    dae_nearest_state *c = s->c;
    const int n = c->n;
    const dae_surface of = {.context = s, .n = n, .rows = c->rows,
                            .joined = c->joined, .unit = unit,
                            .residual = residual, .factor = factor, .solve = solve,
                            .correct = correct, .multiply = multiply, .touch = touch,
                            .weigh = weigh, .project = project};
    dae_parts parts;
    for (int j = 0; j < n; j++)
        unit[j] = c->W[j * n + j] > 0.5 ? c->unit[j] : 0;
    dae_status status = dae_parts_create(&parts, &of, c->given);
    if (!status)
        status = dae_approach(&of, &parts, c->given, 1, u);
    dae_parts_free(&parts);
    if (!status && !factor(s, u))
        return DAE_SINGULAR;
    for (int j = 0; j < n; j++)
        s->size[j] = c->given[j] - u[j];
    multiply(s, s->size, 0, kappa);
    solve(s, kappa);
    return status;
}

dae_status dae_nearest_state_approach(dae_nearest_state *c, double *u, double *kappa)
{
    const size_t n = (size_t)c->n, rows = (size_t)c->rows, most = n > rows ? n : rows;
    if (n > MOST_UNKNOWNS)
        return DAE_UNSUPPORTED;
    surface s = {.c = c};
    if (!DAE_PARTS(&s,
                   DAE_PART(surface, S, rows * rows), DAE_PART(surface, y, n), DAE_PART(surface, z, n),
                   DAE_PART(surface, unit, n), DAE_PART(surface, size, most), DAE_PART(surface, before, 2 * rows)))
        return DAE_NO_MEMORY;
    memcpy(u, c->given, n * sizeof *u);
    const dae_status status = approach(&s, s.unit, u, kappa);
    free(s.S);
    return status;
}
