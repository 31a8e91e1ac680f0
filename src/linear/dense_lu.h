/* dense_lu.h - LU with partial pivoting for small matrices: complex ones with real and imaginary
 * parts apart, and real ones */
#ifndef DAE_DENSE_LU_H
#define DAE_DENSE_LU_H

enum { DAE_SMALL = 32 };        /* up to this size these kernels beat LAPACK */

/* PA = LU in place; re, im [n x n] column-major; the diagonal of U is stored inverted. Pivots by
 * |re| + |im|. The column where no pivot is left (0-based), or -1 for success. */
int dae_dense_factor(int n, double *re, double *im, int *pivot);

/* x := (LU)^-1 P x for x = re[n] + i im[n] */
void dae_dense_solve(int n, const double *lu_re, const double *lu_im, const int *pivot, double *re,
                     double *im);

/* The same for a real matrix. */
int dae_dense_factor_real(int n, double *a, int *pivot);
void dae_dense_solve_real(int n, const double *lu, const int *pivot, double *x);

#endif
