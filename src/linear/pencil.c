/* pencil.c - choosing a linear solver for M - gamma J, and calling it */
#include "backend.h"

#include "dense_lu.h"

#include <stdlib.h>

struct dae_pencil {
    dae_jacobian *jac;
    const dae_linear_backend *backend;
    void *self;                 /* made for this generation of the pattern; NULL: no memory */
    int generation;
    int lasts;                  /* a full pattern cannot grow, and its factors are full, too */
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

dae_status dae_pencil_create(dae_pencil **out, dae_jacobian *jac, dae_linear_kind kind,
                             dae_report *report)
{
    *out = NULL;
    dae_pencil *pencil = malloc(sizeof *pencil);
    if (!pencil)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a linear solver");
    pencil->jac = jac;
    pencil->generation = jac->generation;
    pencil->backend = choose(jac, kind);
    pencil->lasts = jac->pattern.full && !pencil->backend->fill;
    pencil->self = pencil->backend->create(jac);
    if (!pencil->self) {
        free(pencil);
        return dae_fail(report, DAE_NO_MEMORY, "no memory to factor %d unknowns", jac->pattern.n);
    }
    jac->fill = dae_pencil_fill(pencil);
    *out = pencil;
    return DAE_OK;
}

void dae_pencil_free(dae_pencil *pencil)
{
    if (!pencil)
        return;
    if (pencil->self)
        pencil->backend->free(pencil->self);
    free(pencil);
}

/* Is it made for the pattern that the Jacobian has now? 0: no memory for that. */
static int is_ready(dae_pencil *pencil)
{
    dae_jacobian *jac = pencil->jac;
    if (pencil->generation != jac->generation || !pencil->self) {
        if (pencil->self)
            pencil->backend->free(pencil->self);
        pencil->self = pencil->backend->create(jac);
        pencil->generation = jac->generation;
    }
    return pencil->self && !jac->lost;
}

/* After a factorization; the fill of dense factors is known from the start. */
static inline dae_status told(dae_pencil *pencil, int column)
{
    if (pencil->backend->fill)
        pencil->jac->fill = pencil->jac->count->fill = dae_pencil_fill(pencil);
    return column >= 0 ? DAE_SINGULAR : column == DAE_PENCIL_NO_MEMORY ? DAE_NO_MEMORY : DAE_OK;
}

static dae_status factor_ready(dae_pencil *pencil, double gamma_re, double gamma_im, int *column)
{
    *column = is_ready(pencil)
                  ? pencil->backend->factor(pencil->self, pencil->jac, gamma_re, gamma_im)
                  : DAE_PENCIL_NO_MEMORY;
    return told(pencil, *column);
}

dae_status dae_pencil_factor(dae_pencil *pencil, double gamma_re, double gamma_im, int *column)
{
    if (!pencil->lasts)
        return factor_ready(pencil, gamma_re, gamma_im, column);
    *column = pencil->backend->factor(pencil->self, pencil->jac, gamma_re, gamma_im);
    return *column >= 0 ? DAE_SINGULAR : DAE_OK;
}

dae_status dae_pencil_solve(dae_pencil *pencil, double *re, double *im)
{
    return pencil->backend->solve(pencil->self, re, im) ? DAE_OK : DAE_SINGULAR;
}

dae_status dae_pencil_factor_real(dae_pencil *pencil, double gamma, int *column)
{
    if (!is_ready(pencil)) {
        *column = DAE_PENCIL_NO_MEMORY;
        return DAE_NO_MEMORY;
    }
    *column = pencil->backend->factor_real(pencil->self, pencil->jac, gamma);
    return told(pencil, *column);
}

dae_status dae_pencil_solve_real(dae_pencil *pencil, double *b)
{
    return pencil->backend->solve_real(pencil->self, b) ? DAE_OK : DAE_SINGULAR;
}

long dae_pencil_fill(const dae_pencil *pencil)
{
    const dae_linear_backend *backend = pencil->backend;
    const long n = pencil->jac->pattern.n;
    return backend->fill ? backend->fill(pencil->self) : n * n;
}
