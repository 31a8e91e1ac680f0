/* pencil.c - choosing a linear solver for M - gamma J, and calling it */
#include "backend.h"

#include "band.h"
#include "dense_lu.h"

#include <stdlib.h>

struct dae_pencil {
    dae_matrix_pair *pair;
    const dae_linear_backend *backend;
    dae_linear_kind asked;
    void *self;                 /* made for this generation of the pattern; NULL: no memory */
    int generation;
    int (*step)(const dae_matrix_pair *pair, double gamma_re, double gamma_im, double h, const double *F,
                const double *F_t, const double *u, double *u_new);     /* backend->step */
    int lasts;                  /* a full pattern cannot grow, and its factors are full, too */
};

/* Dense up to 32 unknowns or where half of the entries is there. Of a mechanical system whose bodies all push each
 * other a quarter is, that of dv'/dq: there KLU, which eliminates q at no cost, takes a third to two thirds of the
 * time; measured on chains and Fekete points of 40 to 350 unknowns. */
dae_linear_kind dae_linear_choose(int n, int nnz)
{
    return n <= DAE_SMALL || 2.0 * nnz > (double)n * n ? DAE_LINEAR_DENSE : DAE_LINEAR_KLU;
}

/* Of the dense ones */
static const dae_linear_backend *choose_dense(const dae_matrix_pair *pair)
{
    const dae_linear_backend *structured = dae_linear_structured(pair);
    if (structured)
        return structured;
    return pair->pattern.n <= DAE_SMALL ? &dae_linear_small : &dae_linear_lapack;
}

/* KLU takes the time of some multiple of the entries in its factors, a band of rows with K entries to both sides that
 * of (K + 4)^2 rows, here in the same units. Both were timed on about 30 random bands and grids, one factorization and
 * two solutions each. */
static int band_pays(const dae_band_size *size, double entries)
{
    const double K = size->K;
    return (K + 4) * (K + 4) * size->rows <= 20 * entries;
}

/* Factors have at least the entries of the matrix: often that says enough. Pencils of one pair share what one of
 * them has chosen. */
static dae_linear_kind choose_sparse(dae_matrix_pair *pair)
{
    dae_band_size size;
    if (pair->shared)
        return dae_band_is_shared(pair) ? DAE_LINEAR_BAND : DAE_LINEAR_KLU;
    if (!dae_band_analyse(pair, &size))
        return DAE_LINEAR_KLU;
    if (band_pays(&size, size.entries))
        return DAE_LINEAR_BAND;
    void *const band = pair->shared;
    void (*const release)(void *) = pair->release;
    pair->shared = NULL;
    if (band_pays(&size, dae_klu_predicted_fill(pair))) {
        dae_pair_forget(pair);
        pair->shared = band;
        pair->release = release;
        return DAE_LINEAR_BAND;
    }
    release(band);
    return DAE_LINEAR_KLU;
}

static dae_linear_kind choose(dae_matrix_pair *pair, dae_linear_kind asked)
{
    if (asked != DAE_LINEAR_BEST)
        return asked;
    const dae_linear_kind kind = dae_linear_choose(pair->pattern.n, pair->pattern.nnz);
    return kind == DAE_LINEAR_DENSE ? kind : choose_sparse(pair);
}

/* For the pattern that there is; 0: no memory. */
static int make(dae_pencil *pencil)
{
    dae_matrix_pair *pair = pencil->pair;
    const dae_linear_kind kind = choose(pair, pencil->asked);
    pencil->backend = kind == DAE_LINEAR_BAND ? &dae_linear_band : kind == DAE_LINEAR_KLU ? &dae_linear_klu
                                                                 : choose_dense(pair);
    pencil->generation = pair->generation;
    pencil->step = pencil->backend->step;
    pencil->lasts = pair->pattern.full && !pencil->backend->fill;
    pencil->self = pencil->backend->create(pair);
    if (pair->linear)
        *pair->linear = kind;
    return pencil->self != NULL;
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
    pencil->asked = kind;
    pencil->self = NULL;
    if (!make(pencil)) {
        free(pencil);
        return dae_fail(report, DAE_NO_MEMORY, kind == DAE_LINEAR_BAND
                        ? "no memory to factor %d unknowns in a band, or it is too wide: take klu"
                        : "no memory to factor %d unknowns", pair->pattern.n);
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
        make(pencil);
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

int dae_pencil_step(const dae_pencil *pencil, double gamma_re, double gamma_im, double h, const double *F,
                    const double *F_t, const double *u, double *u_new)
{
    return pencil->step && pencil->step(pencil->pair, gamma_re, gamma_im, h, F, F_t, u, u_new);
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

dae_status dae_pencil_solve_transposed(dae_pencil *pencil, double *re, double *im)
{
    return pencil->backend->solve_transposed(pencil->self, re, im) ? DAE_OK : DAE_SINGULAR;
}

long dae_pencil_fill(const dae_pencil *pencil)
{
    const dae_linear_backend *backend = pencil->backend;
    const long n = pencil->pair->pattern.n;
    return backend->fill ? backend->fill(pencil->self) : n * n;
}
