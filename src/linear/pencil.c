/* pencil.c - choosing a linear solver for M - gamma J, and calling it */
#include "backend.h"

#include "dense_lu.h"

#include <stdlib.h>

struct dae_pencil {
    const dae_jacobian *jac;
    const dae_linear_backend *backend;
    void *self;
};

/* Dense up to 32 unknowns or where a quarter of the entries is there; measured on chains. */
dae_linear_kind dae_linear_choose(int n, int nnz)
{
    return n <= DAE_SMALL || 4.0 * nnz > (double)n * n ? DAE_LINEAR_DENSE : DAE_LINEAR_KLU;
}

static const dae_linear_backend *choose(const dae_jacobian *jac, dae_linear_kind kind)
{
    const dae_pattern *pattern = &jac->pattern;
    if (kind == DAE_LINEAR_BEST)
        kind = dae_linear_choose(pattern->n, pattern->nnz);
    if (kind == DAE_LINEAR_KLU)
        return &dae_linear_klu;
    const dae_linear_backend *structured = dae_linear_structured(jac);
    if (structured)
        return structured;
    return pattern->n <= DAE_SMALL ? &dae_linear_small : &dae_linear_lapack;
}

dae_status dae_pencil_create(dae_pencil **out, const dae_jacobian *jac, dae_linear_kind kind,
                             dae_report *report)
{
    *out = NULL;
    dae_pencil *pencil = malloc(sizeof *pencil);
    if (!pencil)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a linear solver");
    pencil->jac = jac;
    pencil->backend = choose(jac, kind);
    pencil->self = pencil->backend->create(jac);
    if (!pencil->self) {
        free(pencil);
        return dae_fail(report, DAE_NO_MEMORY, "no memory to factor %d unknowns", jac->pattern.n);
    }
    *out = pencil;
    return DAE_OK;
}

void dae_pencil_free(dae_pencil *pencil)
{
    if (!pencil)
        return;
    pencil->backend->free(pencil->self);
    free(pencil);
}

dae_status dae_pencil_factor(dae_pencil *pencil, double gamma_re, double gamma_im, int *column)
{
    *column = pencil->backend->factor(pencil->self, pencil->jac, gamma_re, gamma_im);
    return *column < 0 ? DAE_OK : DAE_SINGULAR;
}

dae_status dae_pencil_solve(dae_pencil *pencil, double *re, double *im)
{
    return pencil->backend->solve(pencil->self, re, im) ? DAE_OK : DAE_SINGULAR;
}

dae_status dae_pencil_factor_real(dae_pencil *pencil, double gamma, int *column)
{
    *column = pencil->backend->factor_real(pencil->self, pencil->jac, gamma);
    return *column < 0 ? DAE_OK : DAE_SINGULAR;
}

dae_status dae_pencil_solve_real(dae_pencil *pencil, double *b)
{
    return pencil->backend->solve_real(pencil->self, b) ? DAE_OK : DAE_SINGULAR;
}
