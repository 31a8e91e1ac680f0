/* dense_lu.c - small dense LU: one kernel source, compiled for each small size and once for any
 *
 * A = LU by columns with the pivots in L and ones on the diagonal of U: only the entries of a
 * row of U that are not zero are scaled.
 */
#include "dense_lu.h"

#include "dense_many.h"
#include "multiply.h"
#include "pivoting.h"

#include <math.h>

#define KERNEL "linear/dense_kernel.h"
#define LARGER_KERNEL "linear/dense_kernel_real.h"
#include "base/sizes.h"

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
