#include "trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int trajectory_begin(trajectory *tr, dae_system *sys, double t0, double t_end, double every)
{
    const int nq = dae_system_positions(sys);
    *tr = (trajectory){.sys = sys, .n = dae_system_size(sys), .nl = dae_system_multipliers(sys),
                       .t0 = t0, .t_end = t_end, .every = every, .next = 1, .room = 64};
    tr->width = 1 + tr->n + tr->nl;
    tr->rows = malloc((size_t)tr->room * (size_t)tr->width * sizeof *tr->rows);
    tr->u = malloc((size_t)(tr->n + 3 * nq + tr->nl + 1) * sizeof *tr->u);
    tr->qva = tr->u + tr->n;
    return tr->rows && tr->u;
}

void trajectory_free(trajectory *tr)
{
    free(tr->rows);
    free(tr->u);
}

int trajectory_add(trajectory *tr, double t, const double *u)
{
    const int nq = dae_system_positions(tr->sys);
    if (tr->count == tr->room) {
        const size_t size = 2 * (size_t)tr->room * (size_t)tr->width * sizeof *tr->rows;
        double *grown = realloc(tr->rows, size);
        if (!grown)
            return 0;
        tr->rows = grown;
        tr->room *= 2;
    }
    double *row = tr->rows + (size_t)tr->count++ * (size_t)tr->width;
    row[0] = t;
    memcpy(row + 1, u, (size_t)tr->n * sizeof *row);
    if (nq && (dae_system_split(tr->sys, t, u, tr->qva, tr->qva + nq, row + 1 + tr->n)
               || dae_system_accelerate(tr->sys, t, tr->qva, tr->qva + nq, tr->qva + 2 * nq,
                                        row + 1 + tr->n)))
        for (int k = 0; k < tr->nl; k++)
            row[1 + tr->n + k] = NAN;
    return 1;
}

/* The time of row k; the last one is t_end itself. */
static double wanted(const trajectory *tr, long k)
{
    const double t = tr->t0 + (double)k * tr->every;
    return fabs(t - tr->t_end) < 1e-9 * tr->every ? tr->t_end : t;
}

int trajectory_observe(void *context, double t, const double *u)
{
    trajectory *tr = context;
    const double slack = 1e-9 * tr->every;
    if (tr->progress)
        progress_part(tr->progress, (t - tr->t0) / (tr->t_end - tr->t0));
    const int dense = dae_method_describe(tr->method).dense_output;
    int reached = t >= tr->t_end;                       /* the end is always a row */
    while (wanted(tr, tr->next) <= t + slack) {
        const double at = wanted(tr, tr->next++);
        if (at >= t - slack || !dense)
            reached = 1;
        else
            tr->failed |= dae_solver_interpolate(tr->solver, at, tr->u) != DAE_OK
                          || !trajectory_add(tr, at, tr->u);
    }
    if (reached)
        tr->failed |= !trajectory_add(tr, t, u);
    return tr->failed;
}
