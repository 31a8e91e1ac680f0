/* transpose.c - what transposes of steps are made of: J^T, M^T and their pencils, and sums over parameters
 *
 * No linear solver has to solve with the transpose of its factors: M^T and J^T are a pair of their own, with pencils of
 * their own.
 */
#include "transpose.h"

#include "base/numbers.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dae_status dae_transpose_create(dae_transpose *a, dae_system *sys, int parameters)
{
    *a = (dae_transpose){.generation = -1};
    const dae_status status = dae_variation_create(&a->v, sys, parameters);
    if (status)
        return status;
    if (!DAE_PARTS(a,
                   DAE_PART(dae_transpose, u, sys->n), DAE_PART(dae_transpose, p, parameters),
                   DAE_PART(dae_transpose, F, sys->n)))
        return dae_fail(&a->v.report, DAE_NO_MEMORY, "no memory for the gradient of %d unknowns", sys->n);
    return DAE_OK;
}

static void forget_pair(dae_transpose *a)
{
    for (int k = 0; k < DAE_TRANSPOSE_PENCILS; k++) {
        dae_pencil_free(a->pencil[k]);
        a->pencil[k] = NULL;
    }
    dae_pair_forget(&a->pair);
    dae_pattern_free(&a->pair.pattern);
    free(a->pair.M);
    free(a->from);
    a->pair = (dae_matrix_pair){0};
    a->from = NULL;
    a->generation = -1;
}

void dae_transpose_free(dae_transpose *a)
{
    forget_pair(a);
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

/* The pattern of the transposes, and where their entries come from */
static dae_status make_pair(dae_transpose *a, const dae_matrix_pair *of)
{
    const dae_pattern *p = &of->pattern;
    const size_t nnz = (size_t)p->nnz, n = (size_t)p->n;
    dae_by_rows rows = {0};
    forget_pair(a);
    dae_pattern *to = &a->pair.pattern;
    *to = (dae_pattern){.rows = p->n, .n = p->n, .nnz = p->nnz, .full = p->full};
    to->column = malloc((n + 1) * sizeof *to->column);
    to->row = malloc((nnz + 1) * sizeof *to->row);
    a->from = malloc((nnz + 1) * sizeof *a->from);
    if (!to->column || !to->row || !a->from || !dae_pattern_rows(p, &rows)
        || !DAE_PARTS(a, DAE_PART(dae_transpose, pair.M, nnz), DAE_PART(dae_transpose, pair.J, nnz),
                      DAE_PART(dae_transpose, pair.size, n)))
        return dae_fail(&a->v.report, DAE_NO_MEMORY, "no memory for the transpose of %d entries", p->nnz);
    memcpy(to->column, rows.start, (n + 1) * sizeof *to->column);
    memcpy(to->row, rows.column, nnz * sizeof *to->row);
    memcpy(a->from, rows.entry, nnz * sizeof *a->from);
    free(rows.start);
    a->pair.count = &a->count;
    a->of = of;
    a->generation = of->generation;
    return DAE_OK;
}

/* The size of an unknown of the transpose is that of a row: 1/max_j |m_ij - g j_ij| size_j. */
static void find_sizes(dae_matrix_pair *pair, const dae_matrix_pair *of, double g)
{
    const dae_pattern *p = &of->pattern;
    memset(pair->size, 0, (size_t)p->n * sizeof *pair->size);
    for (int c = 0; c < p->n; c++)
        for (int e = p->column[c]; e < p->column[c + 1]; e++) {
            const double x = (fabs(of->M[e]) + fabs(g * of->J[e])) * of->size[c];
            pair->size[p->row[e]] = fmax(pair->size[p->row[e]], x);
        }
    for (int i = 0; i < p->n; i++)
        pair->size[i] = pair->size[i] > 0 ? 1 / pair->size[i] : 1;
}

dae_status dae_transpose_pair(dae_transpose *a, const dae_matrix_pair *of, double g)
{
    dae_status status = DAE_OK;
    if (a->of != of || a->generation != of->generation)
        status = make_pair(a, of);
    for (int e = 0; !status && e < of->pattern.nnz; e++) {
        a->pair.M[e] = of->M[a->from[e]];
        a->pair.J[e] = of->J[a->from[e]];
    }
    if (!status)
        find_sizes(&a->pair, of, g);
    return status;
}

dae_pencil *dae_transpose_pencil(dae_transpose *a, int k)
{
    if (!a->pencil[k])
        (void)dae_pencil_create(&a->pencil[k], &a->pair, DAE_LINEAR_BEST, &a->v.report);
    return a->pencil[k];
}
