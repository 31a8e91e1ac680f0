/* pencil.c - choosing a linear solver for M - gamma J, and calling it */
#include "backend.h"

#include "dense_lu.h"

#include <stdlib.h>

struct dae_pencil {
    dae_matrix_pair *pair;
    const dae_linear_backend *backend;
    void *self;                 /* made for this generation of the pattern; NULL: no memory */
    int generation;
    int lasts;                  /* a full pattern cannot grow, and its factors are full, too */
};

/* Dense up to 32 unknowns or where half of the entries is there. Of a mechanical system whose bodies all push each
 * other a quarter is, that of dv'/dq: there KLU, which eliminates q at no cost, takes a third to two thirds of the
 * time; measured on chains and Fekete points of 40 to 350 unknowns. */
dae_linear_kind dae_linear_choose(int n, int nnz)
{
    return n <= DAE_SMALL || 2.0 * nnz > (double)n * n ? DAE_LINEAR_DENSE : DAE_LINEAR_KLU;
}

static const dae_linear_backend *choose(const dae_matrix_pair *pair, dae_linear_kind kind)
{
    const dae_pattern *pattern = &pair->pattern;
    if (kind == DAE_LINEAR_BEST)
        kind = dae_linear_choose(pattern->n, pattern->nnz);
    if (kind == DAE_LINEAR_KLU)
        return &dae_linear_klu;
    const dae_linear_backend *structured = dae_linear_structured(pair);
    if (structured)
        return structured;
    return pattern->n <= DAE_SMALL ? &dae_linear_small : &dae_linear_lapack;
}

const dae_matrix_pair *dae_pencil_pair(const dae_pencil *pencil)
{
    return pencil->pair;
}

dae_status dae_pencil_create(dae_pencil **out, dae_matrix_pair *pair, dae_linear_kind kind,
                             dae_report *report)
{
    *out = NULL;
    dae_pencil *pencil = malloc(sizeof *pencil);
    if (!pencil)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a linear solver");
    pencil->pair = pair;
    pencil->generation = pair->generation;
    pencil->backend = choose(pair, kind);
    pencil->lasts = pair->pattern.full && !pencil->backend->fill;
    pencil->self = pencil->backend->create(pair);
    if (!pencil->self) {
        free(pencil);
        return dae_fail(report, DAE_NO_MEMORY, "no memory to factor %d unknowns", pair->pattern.n);
    }
    pair->fill = dae_pencil_fill(pencil);
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
    dae_matrix_pair *pair = pencil->pair;
    if (pencil->generation != pair->generation || !pencil->self) {
        if (pencil->self)
            pencil->backend->free(pencil->self);
        pencil->self = pencil->backend->create(pair);
        pencil->generation = pair->generation;
    }
    return pencil->self && !pair->lost;
}

/* After a factorization; the fill of dense factors is known from the start. */
static inline dae_factored told(dae_pencil *pencil, dae_factored answer)
{
    if (pencil->backend->fill)
        pencil->pair->fill = pencil->pair->count->fill = dae_pencil_fill(pencil);
    return answer;
}

static const dae_factored no_memory = {DAE_NO_MEMORY, DAE_NOWHERE};

static dae_factored factor_ready(dae_pencil *pencil, double gamma_re, double gamma_im)
{
    if (!is_ready(pencil))
        return no_memory;
    return told(pencil, pencil->backend->factor(pencil->self, pencil->pair, gamma_re, gamma_im));
}

dae_factored dae_pencil_factor(dae_pencil *pencil, double gamma_re, double gamma_im)
{
    return pencil->lasts ? pencil->backend->factor(pencil->self, pencil->pair, gamma_re, gamma_im)
                         : factor_ready(pencil, gamma_re, gamma_im);
}

dae_status dae_pencil_solve(dae_pencil *pencil, double *re, double *im)
{
    return pencil->backend->solve(pencil->self, re, im) ? DAE_OK : DAE_SINGULAR;
}

/* As the backend can, or one after the other. */
static dae_status solve_block(dae_pencil *pencil, int transposed, int count, double *re, double *im)
{
    const dae_linear_backend *backend = pencil->backend;
    const size_t n = (size_t)pencil->pair->pattern.n;
    int (*const one)(void *, double *, double *) =
        transposed ? backend->solve_transposed : backend->solve;
    if (backend->solve_block)
        return backend->solve_block(pencil->self, transposed, count, re, im) ? DAE_OK : DAE_SINGULAR;
    for (int c = 0; c < count; c++, re += n, im += n)
        if (!one(pencil->self, re, im))
            return DAE_SINGULAR;
    return DAE_OK;
}

static dae_status solve_block_real(dae_pencil *pencil, int transposed, int count, double *b)
{
    const dae_linear_backend *backend = pencil->backend;
    const size_t n = (size_t)pencil->pair->pattern.n;
    int (*const one)(void *, double *) =
        transposed ? backend->solve_transposed_real : backend->solve_real;
    if (backend->solve_block_real)
        return backend->solve_block_real(pencil->self, transposed, count, b) ? DAE_OK : DAE_SINGULAR;
    for (int c = 0; c < count; c++, b += n)
        if (!one(pencil->self, b))
            return DAE_SINGULAR;
    return DAE_OK;
}

dae_status dae_pencil_solve_block(dae_pencil *pencil, int count, double *re, double *im)
{
    return solve_block(pencil, 0, count, re, im);
}

dae_status dae_pencil_solve_transposed(dae_pencil *pencil, int count, double *re, double *im)
{
    return solve_block(pencil, 1, count, re, im);
}

dae_status dae_pencil_solve_block_real(dae_pencil *pencil, int count, double *b)
{
    return solve_block_real(pencil, 0, count, b);
}

dae_status dae_pencil_solve_transposed_real(dae_pencil *pencil, int count, double *b)
{
    return solve_block_real(pencil, 1, count, b);
}

dae_factored dae_pencil_factor_real(dae_pencil *pencil, double gamma)
{
    if (!is_ready(pencil))
        return no_memory;
    return told(pencil, pencil->backend->factor_real(pencil->self, pencil->pair, gamma));
}

dae_status dae_pencil_solve_real(dae_pencil *pencil, double *b)
{
    return pencil->backend->solve_real(pencil->self, b) ? DAE_OK : DAE_SINGULAR;
}

long dae_pencil_fill(const dae_pencil *pencil)
{
    const dae_linear_backend *backend = pencil->backend;
    const long n = pencil->pair->pattern.n;
    return backend->fill ? backend->fill(pencil->self) : n * n;
}
