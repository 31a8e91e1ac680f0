/* matrices.c - M and J of a solver's system, full, in bands or in compressed columns */
#include "daelab/matrices.h"

#include "implicit.h"

#include <stdlib.h>
#include <string.h>

struct dae_matrices {
    dae_solver *solver;
    dae_jacobian *jac;
    double *F;                  /* [n] where the caller wants none */
};

dae_status dae_matrices_create(dae_matrices **matrices, dae_solver *s)
{
    dae_matrices *m = *matrices = calloc(1, sizeof *m);
    if (m)
        m->F = calloc((size_t)s->n, sizeof *m->F);
    if (!m || !m->F)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for matrices of %d unknowns", s->n);
    m->solver = s;
    return dae_implicit_jacobian(s, &m->jac);
}

void dae_matrices_free(dae_matrices *m)
{
    if (!m)
        return;
    dae_jacobian_free(m->jac);
    free(m->F);
    free(m);
}

dae_status dae_matrices_evaluate(dae_matrices *m, double t, const double *u, double *F, double *F_t)
{
    dae_solver *s = m->solver;
    dae_linearise(m->jac, t, u, F ? F : m->F, F_t);
    if (m->jac->pair.lost)
        return dae_fail(&s->report, DAE_NO_MEMORY, "t = %.9g: no memory for a pattern of dF/du that has grown",
                        t);
    return dae_vector_finite(m->jac->pair.pattern.nnz, m->jac->pair.J) ? DAE_OK
           : dae_fail(&s->report, DAE_NOT_FINITE, "t = %.9g: dF/du is not finite", t);
}

dae_matrix_view dae_matrices_view(const dae_matrices *m)
{
    const dae_matrix_pair *pair = &m->jac->pair;
    const dae_pattern *p = &pair->pattern;
    dae_matrix_view v = {.n = p->n, .entries = p->nnz, .column = p->column, .row = p->row, .M = pair->M,
                         .J = pair->J};
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++) {
            const int below = p->row[k] - j;
            v.lower = below > v.lower ? below : v.lower;
            v.upper = -below > v.upper ? -below : v.upper;
        }
    return v;
}

/* Entry (i, j) of the view at out[first + i + j stride], zeros elsewhere; out[size]. */
static void scatter(const dae_matrix_view *v, const double *values, int first, int stride, size_t size,
                    double *out)
{
    if (!out)
        return;
    memset(out, 0, size * sizeof *out);
    for (int j = 0; j < v->n; j++)
        for (int k = v->column[j]; k < v->column[j + 1]; k++)
            out[(size_t)j * (size_t)stride + (size_t)(first + v->row[k])] = values[k];
}

void dae_matrices_full(const dae_matrices *m, double *M, double *J)
{
    const dae_matrix_view v = dae_matrices_view(m);
    const size_t size = (size_t)v.n * (size_t)v.n;
    scatter(&v, v.M, 0, v.n, size, M);
    scatter(&v, v.J, 0, v.n, size, J);
}

/* upper + i - j + j (lower + upper + 1) = upper + i + j (lower + upper) */
void dae_matrices_band(const dae_matrices *m, double *M, double *J)
{
    const dae_matrix_view v = dae_matrices_view(m);
    const size_t size = (size_t)v.n * (size_t)(v.lower + v.upper + 1);
    scatter(&v, v.M, v.upper, v.lower + v.upper, size, M);
    scatter(&v, v.J, v.upper, v.lower + v.upper, size, J);
}
