/* parts.c - constraints that share no position are parts of a problem: a union of sets */
#include "control/nearest.h"

#include "numbers.h"

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

static void join(int *row, int k, int l)
{
    const int a = root(row, k), b = root(row, l);
    row[a > b ? a : b] = a > b ? b : a;
}

/* Row k acts on position i. */
static void touch(dae_parts *parts, int k, int i)
{
    if (parts->position[i] < 0)
        parts->position[i] = k;
    else
        join(parts->row, k, parts->position[i]);
}

void dae_parts_join(dae_parts *parts, const dae_system *s)
{
    for (int k = 0; k < s->nl; k++)
        if (s->planned)
            for (int a = s->plan.pattern.column[k]; a < s->plan.pattern.column[k + 1]; a++)
                touch(parts, k, s->plan.pattern.row[a]);
        else
            for (int i = 0; i < s->nq; i++)
                if (s->gradient[k * s->nq + i] != 0)
                    touch(parts, k, i);
    for (int k = 0; k < s->nl; k++)
        parts->row[k] = root(parts->row, k);
    for (int i = 0; i < s->nq; i++)
        parts->position[i] = parts->position[i] < 0 ? -1 : parts->row[parts->position[i]];
}

static void separate(dae_parts *parts, const dae_system *s)
{
    for (int k = 0; k < s->nl; k++)
        parts->row[k] = s->carries ? 0 : k;             /* a full M joins everything */
    for (int i = 0; i < s->nq; i++)
        parts->position[i] = s->carries ? 0 : -1;
}

dae_status dae_parts_create(dae_parts *parts, dae_system *s, double t, const double *q)
{
    const size_t nq = (size_t)s->nq, nl = (size_t)s->nl;
    const double part = 0x1p-10, largest = dae_largest(s->nq, q);
    uint64_t random = 1;
    parts->row = calloc(nl + nq, sizeof *parts->row);
    parts->position = parts->row ? parts->row + nl : NULL;
    parts->work = calloc(2 * nq, sizeof *parts->work);
    if (!parts->row || !parts->work)
        return DAE_NO_MEMORY;
    separate(parts, s);
    for (int place = 0; place < 2; place++) {
        for (size_t i = 0; i < nq; i++) {
            const double size = q[i] != 0 ? fabs(q[i]) : largest > 0 ? largest : 1;
            parts->work[i] = q[i] + part * size * dae_random_direction(&random);
        }
        dae_system_factor_schur(s, t, parts->work);     /* for G; it may be singular */
        dae_parts_join(parts, s);
    }
    return DAE_OK;
}

void dae_parts_measure(dae_parts *parts, const dae_system *s, double t, const double *q0,
                       const double *q, double *square)
{
    double *move = parts->work, *product = move + s->nq;
    for (int i = 0; i < s->nq; i++)
        move[i] = q[i] - q0[i];
    s->problem->mechanical.inertia.f(s->p, t, q0, move, product);
    for (int k = 0; k < s->nl; k++)
        square[k] = 0;
    for (int i = 0; i < s->nq; i++)
        if (parts->position[i] >= 0)
            square[parts->position[i]] += move[i] * product[i];
}
