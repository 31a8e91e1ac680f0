/* dense_lu.c - small dense LU: one kernel source, compiled for each small size and once for any
 *
 * A = LU by columns with the pivots in L and ones on the diagonal of U: only the entries of a
 * row of U that are not zero are scaled.
 */
#include "dense_lu.h"

#include "pivoting.h"

#include <math.h>
#include <stddef.h>

#define KERNEL "linear/dense_kernel.h"
#define LARGER_KERNEL "linear/dense_kernel_real.h"
#include "base/sizes.h"

/* ---- real matrices of any size ------------------------------------------------------------
 *
 * Two columns and two rows at a time, column by column from the left: a column is solved with L as far as there is
 * one, and then searched for its pivot. So factors and solutions share the elimination, and each entry sees the same
 * operations in the same order as in dense_kernel_real.h. */

typedef double dense_pair __attribute__((vector_size(16), aligned(8), may_alias));

/* x := x - p a - q b in the rows begin .. end-1; begin is even, so that what is loaded together was stored together. */
static inline void subtract_two(int begin, int end, double p, const double *restrict a, double q,
                                const double *restrict b, double *restrict x)
{
    const dense_pair pp = {p, p}, qq = {q, q};
    int i = begin;
    for (; i + 1 < end; i += 2) {
        const dense_pair y = *(const dense_pair *)(x + i) - pp * *(const dense_pair *)(a + i);
        *(dense_pair *)(x + i) = y - qq * *(const dense_pair *)(b + i);
    }
    if (i < end)
        x[i] = x[i] - p * a[i] - q * b[i];
}

/* x := L^-1 x for the first `columns` of L, the rows below reduced by them */
static void reduce(int n, int columns, const double *restrict a, double *restrict x)
{
    int k = 0;
    for (; k + 1 < columns; k += 2) {
        const double *l = a + (size_t)k * (size_t)n, *next = l + n;
        const double p = x[k] * l[k], q = (x[k + 1] - p * l[k + 1]) * next[k + 1];
        x[k] = p;
        x[k + 1] = q;
        if (p != 0 || q != 0)                           /* pencils have many zeros */
            subtract_two(k + 2, n, p, l, q, next, x);
    }
    if (k < columns) {
        const double *l = a + (size_t)k * (size_t)n;
        x[k] *= l[k];
        for (int i = k + 1; i < n; i++)
            x[i] -= x[k] * l[i];
    }
}

static inline void exchange_rows(int n, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++)
        if (pivot[k] != k)
            SWAP(x[pivot[k]], x[k]);
}

static int factor_many(int n, double *restrict a, const double *restrict size, double *restrict row,
                       int *restrict pivot)
{
    double *x = a;
    scale_rows_n(n, 0, a, NULL, size, row);
    for (int k = 0; k < n; k++, x += n) {
        exchange_rows(k, pivot, x);
        reduce(n, k, a, x);
        const int p = find_pivot_n(n, k, 0, x, NULL, row);
        if (p < 0)
            return k;
        pivot[k] = p;
        if (p != k) {
            row[p] = row[k];
            for (int j = 0; j <= k; j++)
                SWAP(a[(size_t)j * (size_t)n + (size_t)p], a[(size_t)j * (size_t)n + (size_t)k]);
        }
        x[k] = 1 / x[k];
        if (!(fabs(x[k]) < HUGE_VAL))
            return k;
    }
    return -1;
}

static void solve_many(int n, const double *restrict a, const int *restrict pivot, double *restrict x)
{
    exchange_rows(n, pivot, x);
    reduce(n, n, a, x);
    int k = n - 1;
    for (; k > 0; k -= 2) {                             /* x := U^-1 x */
        const double *u = a + (size_t)k * (size_t)n, *before = u - n;
        x[k - 1] -= u[k - 1] * x[k];
        subtract_two(0, k - 1, x[k], u, x[k - 1], before, x);
    }
}

/* ---- by size ------------------------------------------------------------------------------ */

typedef int factor_kernel(int, double *restrict, double *restrict, const double *restrict,
                          double *restrict, int *restrict);
typedef void solve_kernel(int, const double *restrict, const double *restrict,
                          const int *restrict, double *restrict, double *restrict);
typedef int factor_kernel_real(int, double *restrict, const double *restrict, double *restrict,
                               int *restrict);
typedef void solve_kernel_real(int, const double *restrict, const int *restrict, double *restrict);

static factor_kernel *const factors[SIZES] = BY_SIZE(factor);
static solve_kernel *const solves[SIZES] = BY_SIZE(solve);
static factor_kernel_real *const factors_real[MORE_SIZES] = BY_MORE_SIZES(factor_real);
static solve_kernel_real *const solves_real[MORE_SIZES] = BY_MORE_SIZES(solve_real);

int dae_dense_factor(int n, double *re, double *im, const double *size, double *row, int *pivot)
{
    return (n < SIZES ? factors[n] : factor_n)(n, re, im, size, row, pivot);
}

void dae_dense_solve(int n, const double *lu_re, const double *lu_im, const int *pivot, double *re,
                     double *im)
{
    (n < SIZES ? solves[n] : solve_n)(n, lu_re, lu_im, pivot, re, im);
}

int dae_dense_factor_real(int n, double *a, const double *size, double *row, int *pivot)
{
    return (n < MORE_SIZES ? factors_real[n] : factor_many)(n, a, size, row, pivot);
}

void dae_dense_solve_real(int n, const double *lu, const int *pivot, double *x)
{
    (n < MORE_SIZES ? solves_real[n] : solve_many)(n, lu, pivot, x);
}

/* x := x - p a - q b in the rows begin .. end-1 */
static inline void subtract_both(int begin, int end, dae_two p, const double *restrict a, dae_two q,
                                 const double *restrict b, dae_two *restrict x)
{
    for (int i = begin; i < end; i++)
        x[i] = x[i] - p * (dae_two){a[i], a[i]} - q * (dae_two){b[i], b[i]};
}

/* As solve_many. */
void dae_dense_solve_two(int n, const double *lu, const int *pivot, dae_two *x)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        const dae_two y = x[i];
        x[i] = x[pivot[i]];
        x[pivot[i]] = y;
    }
    for (; k + 1 < n; k += 2) {
        const double *l = lu + (size_t)k * (size_t)n, *next = l + n;
        x[k] *= l[k];
        x[k + 1] = (x[k + 1] - x[k] * l[k + 1]) * next[k + 1];
        subtract_both(k + 2, n, x[k], l, x[k + 1], next, x);
    }
    if (k < n)
        x[k] *= lu[(size_t)k * (size_t)n + (size_t)k];
    for (k = n - 1; k > 0; k -= 2) {
        const double *u = lu + (size_t)k * (size_t)n, *before = u - n;
        x[k - 1] -= u[k - 1] * x[k];
        subtract_both(0, k - 1, x[k], u, x[k - 1], before, x);
    }
}

/* Unknown k less column k of the factors times the unknowns begin .. end-1 */
static void subtract_column(int n, int k, int begin, int end, const double *lu_re, const double *lu_im, double *re,
                            double *im)
{
    const double *a = lu_re + (size_t)k * (size_t)n, *b = im ? lu_im + (size_t)k * (size_t)n : NULL;
    for (int i = begin; i < end; i++)
        re[k] -= a[i] * re[i];
    for (int i = begin; im && i < end; i++) {
        re[k] += b[i] * im[i];
        im[k] -= a[i] * im[i] + b[i] * re[i];
    }
}

void dae_dense_solve_transposed(int n, const double *lu_re, const double *lu_im, const int *pivot, double *re,
                                double *im)
{
    for (int k = 1; k < n; k++)
        subtract_column(n, k, 0, k, lu_re, lu_im, re, im);
    for (int k = n - 1; k >= 0; k--) {
        const size_t at = (size_t)k * (size_t)n + (size_t)k;
        subtract_column(n, k, k + 1, n, lu_re, lu_im, re, im);
        if (im)
            multiply(lu_re[at], lu_im[at], &re[k], &im[k]);
        else
            re[k] *= lu_re[at];
    }
    for (int k = n - 1; k >= 0; k--) {
        SWAP(re[pivot[k]], re[k]);
        if (im)
            SWAP(im[pivot[k]], im[k]);
    }
}
