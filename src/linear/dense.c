/* dense.c - dense pencils: the small kernels of dense_lu.c, and LAPACK's zgetrf and dgetrf for
 * larger ones */
#include "backend.h"

#include "dense_lu.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n;
    double *re, *im;            /* small: [n x n] column-major each; LAPACK: re holds pairs;
                                   real: re alone */
    double *b;                  /* LAPACK: [n] pairs */
    double *row;                /* [n] scales of rows; LAPACK: by powers of two, of what is
                                   factored */
    int *pivot;                 /* [n] */
} dense;

static void dense_free(void *self) { free(self); }

static void *dense_create(dae_matrix_pair *pair)
{
    const size_t n = (size_t)pair->pattern.n;
    dense *d = DAE_RECORD(dense,
        DAE_PART(dense, re, n * n), DAE_PART(dense, im, n * n), DAE_PART(dense, b, 2 * n), DAE_PART(dense, row, n),
        DAE_PART(dense, pivot, n));
    if (d)
        d->n = (int)n;
    return d;
}

static void assemble_full(int nnz, const double *restrict M, const double *restrict J,
                          double gamma_re, double gamma_im, double *restrict re,
                          double *restrict im)
{
    for (int k = 0; k < nnz; k++) {
        re[k] = M[k] - gamma_re * J[k];
        im[k] = -gamma_im * J[k];
    }
}

static inline dae_factored factor_small(dense *d, const double *size)
{
    return dae_factored_to(dae_dense_factor(d->n, d->re, d->im, size, d->row, d->pivot), 0);
}

static dae_factored small_factor(void *self, const dae_matrix_pair *pair, double gamma_re,
                                 double gamma_im)
{
    dense *d = self;
    const dae_pattern *pattern = &pair->pattern;
    const int n = d->n;
    if (pattern->full) {
        assemble_full(n * n, pair->M, pair->J, gamma_re, gamma_im, d->re, d->im);
        return factor_small(d, pair->size);
    }
    memset(d->re, 0, 2 * (size_t)n * (size_t)n * sizeof *d->re);
    for (int j = 0; j < n; j++)
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++) {
            d->re[j * n + pattern->row[k]] = pair->M[k] - gamma_re * pair->J[k];
            d->im[j * n + pattern->row[k]] = -gamma_im * pair->J[k];
        }
    return factor_small(d, pair->size);
}

static int small_solve(void *self, double *re, double *im)
{
    const dense *d = self;
    dae_dense_solve(d->n, d->re, d->im, d->pivot, re, im);
    return 1;
}

static void assemble_full_real(int nnz, const double *restrict M, const double *restrict J, double gamma,
                               double *restrict re)
{
    for (int k = 0; k < nnz; k++)
        re[k] = M[k] - gamma * J[k];
}

/* re[n x n] := M - gamma J */
static void assemble_real(dense *d, const dae_matrix_pair *pair, double gamma)
{
    const dae_pattern *pattern = &pair->pattern;
    const int n = d->n;
    if (pattern->full) {
        assemble_full_real(n * n, pair->M, pair->J, gamma, d->re);
        return;
    }
    memset(d->re, 0, (size_t)n * (size_t)n * sizeof *d->re);
    for (int j = 0; j < n; j++)
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++)
            d->re[j * n + pattern->row[k]] = pair->M[k] - gamma * pair->J[k];
}

static dae_factored small_factor_real(void *self, const dae_matrix_pair *pair, double gamma)
{
    dense *d = self;
    assemble_real(d, pair, gamma);
    const int column = dae_dense_factor_real(d->n, d->re, pair->size, d->row, d->pivot);
    return dae_factored_to(column, 0);
}

static int small_solve_real(void *self, double *b)
{
    const dense *d = self;
    dae_dense_solve_real(d->n, d->re, d->pivot, b);
    return 1;
}

/* LAPACK's LU and its solve; matrices column-major, complex numbers as pairs. */
void zgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivot, int *info);
void zgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *pivot, double *b, const int *ldb, int *info, size_t trans_length);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivot, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *pivot, double *b, const int *ldb, int *info, size_t trans_length);

/* LAPACK compares the entries of a column as they are: rows of A, of entries of so many parts, are
 * scaled before to max_j |a_ij| size_j in [1, 2), which is exact. */
static void equilibrate(dense *d, int parts, const double *size)
{
    const size_t n = (size_t)d->n, width = (size_t)parts;
    memset(d->row, 0, n * sizeof *d->row);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < width; k++)
                d->row[i] = fmax(d->row[i], fabs(d->re[(j * n + i) * width + k]) * size[j]);
    for (size_t i = 0; i < n; i++)
        d->row[i] = d->row[i] > 0 && isfinite(d->row[i]) ? ldexp(1, -ilogb(d->row[i])) : 1;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < width; k++)
                d->re[(j * n + i) * width + k] *= d->row[i];
}

static dae_factored answer(int info)
{
    return info < 0 ? dae_singular_at(DAE_NOWHERE) : dae_factored_to(info - 1, 0);
}

static dae_factored lapack_factor(void *self, const dae_matrix_pair *pair, double gamma_re,
                                  double gamma_im)
{
    dense *d = self;
    const dae_pattern *pattern = &pair->pattern;
    const size_t n = (size_t)d->n;
    int info = 0;
    memset(d->re, 0, 2 * n * n * sizeof *d->re);
    for (int j = 0; j < d->n; j++)
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++) {
            double *z = d->re + 2 * ((size_t)j * n + (size_t)pattern->row[k]);
            z[0] = pair->M[k] - gamma_re * pair->J[k];
            z[1] = -gamma_im * pair->J[k];
            if (!isfinite(z[0]) || !isfinite(z[1]))
                return dae_singular_at(j);
        }
    equilibrate(d, 2, pair->size);
    zgetrf_(&d->n, &d->n, d->re, &d->n, d->pivot, &info);
    return answer(info);
}

static int lapack_solve(void *self, double *re, double *im)
{
    const dense *d = self;
    const int one = 1;
    int info = 0;
    for (int i = 0; i < d->n; i++) {
        d->b[2 * i] = d->row[i] * re[i];
        d->b[2 * i + 1] = d->row[i] * im[i];
    }
    zgetrs_("N", &d->n, &one, d->re, &d->n, d->pivot, d->b, &d->n, &info, 1);
    for (int i = 0; i < d->n; i++) {
        re[i] = d->b[2 * i];
        im[i] = d->b[2 * i + 1];
    }
    return info == 0;
}

static dae_factored lapack_factor_real(void *self, const dae_matrix_pair *pair, double gamma)
{
    dense *d = self;
    const int n = d->n;
    int info = 0;
    assemble_real(d, pair, gamma);
    for (int k = 0; k < n * n; k++)
        if (!isfinite(d->re[k]))
            return dae_singular_at(k / n);
    equilibrate(d, 1, pair->size);
    dgetrf_(&d->n, &d->n, d->re, &d->n, d->pivot, &info);
    return answer(info);
}

static int lapack_solve_real(void *self, double *b)
{
    const dense *d = self;
    const int one = 1;
    int info = 0;
    for (int i = 0; i < d->n; i++)
        b[i] *= d->row[i];
    dgetrs_("N", &d->n, &one, d->re, &d->n, d->pivot, b, &d->n, &info, 1);
    return info == 0;
}

const dae_linear_backend dae_linear_small = {
    .create = dense_create, .free = dense_free,
    .factor = small_factor, .solve = small_solve,
    .factor_real = small_factor_real, .solve_real = small_solve_real,
};

const dae_linear_backend dae_linear_lapack = {
    .create = dense_create, .free = dense_free,
    .factor = lapack_factor, .solve = lapack_solve,
    .factor_real = lapack_factor_real, .solve_real = lapack_solve_real,
};
