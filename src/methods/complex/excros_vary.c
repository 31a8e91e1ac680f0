/* excros_vary.c - the derivative of a step of extrapolated CROS: columns of derivatives of CROS steps, combined
 * with the weights of the step */
#include "excros.h"
#include "cros_tableau.h"

#include "variation/variation.h"

#include <stdlib.h>
#include <string.h>

/* All du behind the steps of column j, from u_old; y[n], end[n], before[n] are scratch. */
static dae_status vary_column(dae_solver *s, dae_variation *v, dae_excros_table *c, int j, double *y)
{
    const int n = s->n, steps = c->plan.n0 + j;
    const double h = (s->t - s->t_old) / steps;
    double *end = y + n, *before = end + n;
    dae_status status = DAE_OK;
    memcpy(y, s->u_old, (size_t)n * sizeof *y);
    for (int m = 0; !status && m < steps; m++) {
        if (m > 0 && c->plan.recovers)
            status = dae_excros_vary_recover(s, v, s->t_old + m * h, before, y);
        if (!status)
            status = dae_cros_vary_step(s, v, &c->stage, &dae_cros_coefficients, s->t_old + m * h, h, y, end);
        memcpy(y, end, (size_t)n * sizeof *y);
    }
    return status;
}

/* All du from the changes by each column, [columns x count x n], and those at the begin */
static void combine(const dae_solver *s, dae_variation *v, dae_excros_table *c, int columns, const double *changes,
                    const double *begin)
{
    const int n = s->n, all = v->count * n;
    for (int k = 0; k < v->count; k++) {
        const double *totals[DAE_EXCROS_COLUMNS];
        for (int j = 0; j < columns; j++)
            totals[j] = changes + j * all + k * n;
        dae_excros_combine_of(s, c, columns - 1, c->weight, totals, v->x);
        for (int i = 0; i < n; i++)
            dae_du(v, k)[i] = begin[k * n + i] + v->x[i];
    }
}

dae_status dae_excros_vary(dae_solver *s, dae_variation *v, dae_excros_table *c, int columns)
{
    const int n = s->n, all = v->count * n;
    const size_t size = (size_t)all * sizeof(double);
    double *begin = calloc((size_t)((columns + 1) * all + 3 * n), sizeof *begin);
    if (!begin)
        return dae_fail(&v->report, DAE_NO_MEMORY, "no memory for %d columns of derivatives", columns);
    double *changes = begin + all, *y = changes + columns * all;
    dae_status status = DAE_OK;
    memcpy(begin, v->du, size);
    for (int j = 0; !status && j < columns; j++) {
        memcpy(v->du, begin, size);
        status = vary_column(s, v, c, j, y);
        for (int i = 0; i < all; i++)
            changes[j * all + i] = v->du[i] - begin[i];
    }
    if (!status)
        combine(s, v, c, columns, changes, begin);
    dae_excros_combine(s, c, columns - 1, c->weight, y);
    for (int i = 0; i < n; i++)
        y[i] += s->u_old[i];
    if (!status && c->plan.recovers)
        status = dae_excros_vary_project(s, v, s->t, y + n, y);
    free(begin);
    return status;
}
