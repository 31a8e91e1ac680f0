/* parts.c - a system of equations is split into parts that share no unknown (union-find) */
#include "nearest.h"

#include "base/numbers.h"
#include "base/zeroed.h"

#include <math.h>
#include <stdlib.h>

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
