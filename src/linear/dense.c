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

/* re, im[n x n] := M - gamma J, entries `step` apart; im only where it is complex: it stands behind or between those of
 * re. */
static inline void assemble(const dense *d, const dae_matrix_pair *pair, int complex, size_t step, double gamma_re,
                            double gamma_im, double *restrict re, double *restrict im)
{
    const dae_pattern *pattern = &pair->pattern;
    const size_t n = (size_t)d->n;
    const double *restrict M = pair->M, *restrict J = pair->J;
    if (!pattern->full)
        memset(d->re, 0, (complex ? 2 : 1) * n * n * sizeof *d->re);
    for (size_t k = 0; pattern->full && k < n * n; k++) {
        re[k * step] = M[k] - gamma_re * J[k];
        if (complex)
            im[k * step] = -gamma_im * J[k];
    }
    for (size_t j = 0; !pattern->full && j < n; j++)
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++) {
            const size_t at = (j * n + (size_t)pattern->row[k]) * step;
            re[at] = M[k] - gamma_re * J[k];
            if (complex)
                im[at] = -gamma_im * J[k];
        }
}

/* ---- small ones --------------------------------------------------------------------------- */

static dae_factored small_factor(void *self, const dae_matrix_pair *pair, double gamma_re, double gamma_im)
{
    dense *d = self;
    assemble(d, pair, 1, 1, gamma_re, gamma_im, d->re, d->im);
    return dae_factored_to(dae_dense_factor(d->n, d->re, d->im, pair->size, d->row, d->pivot), 0);
}

static int small_solve(void *self, double *re, double *im)
{
    const dense *d = self;
    dae_dense_solve(d->n, d->re, d->im, d->pivot, re, im);
    return 1;
}

static dae_factored small_factor_real(void *self, const dae_matrix_pair *pair, double gamma)
{
    dense *d = self;
    assemble(d, pair, 0, 1, gamma, 0, d->re, NULL);
    return dae_factored_to(dae_dense_factor_real(d->n, d->re, pair->size, d->row, d->pivot), 0);
}

static int small_solve_real(void *self, double *b)
{
    const dense *d = self;
    dae_dense_solve_real(d->n, d->re, d->pivot, b);
    return 1;
}

static int small_solve_transposed(void *self, double *re, double *im)
{
    const dense *d = self;
    dae_dense_solve_transposed(d->n, d->re, d->im, d->pivot, re, im);
    return 1;
}

/* ---- LAPACK ------------------------------------------------------------------------------- */

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

/* What is assembled, of entries of so many parts. */
static dae_factored lapack(dense *d, const dae_matrix_pair *pair, int parts)
{
    const size_t n = (size_t)d->n, width = (size_t)parts;
    int info = 0;
    for (size_t k = 0; k < width * n * n; k++)
        if (!isfinite(d->re[k]))
            return dae_singular_at((int)(k / (width * n)));
    equilibrate(d, parts, pair->size);
    (parts > 1 ? zgetrf_ : dgetrf_)(&d->n, &d->n, d->re, &d->n, d->pivot, &info);
    return info < 0 ? dae_singular_at(DAE_NOWHERE) : dae_factored_to(info - 1, 0);
}

static dae_factored lapack_factor(void *self, const dae_matrix_pair *pair, double gamma_re, double gamma_im)
{
    dense *d = self;
    assemble(d, pair, 1, 2, gamma_re, gamma_im, d->re, d->re + 1);
    return lapack(d, pair, 2);
}

static dae_factored lapack_factor_real(void *self, const dae_matrix_pair *pair, double gamma)
{
    dense *d = self;
    assemble(d, pair, 0, 1, gamma, 0, d->re, NULL);
    return lapack(d, pair, 1);
}

/* im is NULL where the factors are real; rows, which were scaled, are the unknowns of the transpose. */
static int lapack_solve_any(const dense *d, int transposed, double *re, double *im)
{
    const int one = 1, parts = im ? 2 : 1;
    int info = 0;
    for (int i = 0; i < d->n; i++) {
        d->b[parts * i] = transposed ? re[i] : d->row[i] * re[i];
        if (im)
            d->b[2 * i + 1] = transposed ? im[i] : d->row[i] * im[i];
    }
    (im ? zgetrs_ : dgetrs_)(transposed ? "T" : "N", &d->n, &one, d->re, &d->n, d->pivot, d->b, &d->n, &info, 1);
    for (int i = 0; i < d->n; i++) {
        re[i] = transposed ? d->row[i] * d->b[parts * i] : d->b[parts * i];
        if (im)
            im[i] = transposed ? d->row[i] * d->b[2 * i + 1] : d->b[2 * i + 1];
    }
    return info == 0;
}

static int lapack_solve(void *self, double *re, double *im) { return lapack_solve_any(self, 0, re, im); }
static int lapack_solve_real(void *self, double *b) { return lapack_solve_any(self, 0, b, NULL); }
static int lapack_solve_transposed(void *self, double *re, double *im) { return lapack_solve_any(self, 1, re, im); }

const dae_linear_backend dae_linear_small = {
    .create = dense_create, .free = dense_free,
    .factor = small_factor, .solve = small_solve,
    .factor_real = small_factor_real, .solve_real = small_solve_real, .solve_transposed = small_solve_transposed,
};

const dae_linear_backend dae_linear_lapack = {
    .create = dense_create, .free = dense_free,
    .factor = lapack_factor, .solve = lapack_solve,
    .factor_real = lapack_factor_real, .solve_real = lapack_solve_real, .solve_transposed = lapack_solve_transposed,
};
