/* transpose.c - what transposes of steps are made of: products with J^T and M^T, and sums over parameters */
#include "transpose.h"

#include "base/parts.h"

#include <stdlib.h>

dae_status dae_transpose_create(dae_transpose *a, dae_system *sys, int parameters)
{
    *a = (dae_transpose){0};
    const dae_status status = dae_variation_create(&a->v, sys, parameters);
    if (status)
        return status;
    if (!DAE_PARTS(a,
                   DAE_PART(dae_transpose, u, sys->n), DAE_PART(dae_transpose, p, parameters),
                   DAE_PART(dae_transpose, F, sys->n)))
        return dae_fail(&a->v.report, DAE_NO_MEMORY, "no memory for the gradient of %d unknowns", sys->n);
    return DAE_OK;
}

void dae_transpose_free(dae_transpose *a)
{
    dae_variation_free(&a->v);
    free(a->u);
    *a = (dae_transpose){0};
}

static double product(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

dae_status dae_transpose_parameters(dae_transpose *a, double t, const double *u, double x, const double *w)
{
    dae_status status = DAE_OK;
    for (int c = 0; !status && c < a->v.count; c++) {
        status = dae_vary_rhs(&a->v, c, t, u, NULL, a->F);
        a->p[c] += x * product(a->v.n, a->F, w);
    }
    return status;
}

dae_status dae_transpose_mass_parameters(dae_transpose *a, const double *y, const double *w)
{
    dae_status status = DAE_OK;
    for (int c = 0; !status && c < a->v.count; c++)
        if (dae_vary_moves(&a->v, c) & DAE_MOVES_MASS) {
            status = dae_vary_mass(&a->v, c, y, a->F);
            a->p[c] -= product(a->v.n, a->F, w);
        }
    return status;
}

void dae_transpose_multiply(const dae_matrix_pair *pair, const double *A, double x, const double *w, double *y)
{
    const dae_pattern *p = &pair->pattern;
    for (int c = 0; c < p->n; c++) {
        double sum = 0;
        for (int e = p->column[c]; e < p->column[c + 1]; e++)
            sum += A[e] * w[p->row[e]];
        y[c] += x * sum;
    }
}
