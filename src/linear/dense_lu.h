/* dense_lu.h - LU with scaled partial pivoting for small matrices: complex ones with real and
 * imaginary parts apart, and real ones
 *
 * Rows stand in different units, and so do unknowns. The pivot of a column is the entry that is the
 * largest beside max_j |a_ij| size_j of its row, size_j > 0 the size of unknown j: scaling a row,
 * or an unknown and its size, chooses the same (Golub, Van Loan (2013), Matrix Computations,
 * 3.5.2). */
#ifndef DAE_DENSE_LU_H
#define DAE_DENSE_LU_H

#include "base/no_fast_math.h"

enum { DAE_SMALL = 32 };        /* up to this size these kernels beat LAPACK */

/* PA = LU in place; re, im [n x n] column-major; the diagonal of U is stored inverted. Sizes by
 * |re| + |im|; size[n]; row[n] is scratch. The column where no pivot is left (0-based), or -1 for
 * success. */
int dae_dense_factor(int n, double *re, double *im, const double *size, double *row, int *pivot);

/* x := (LU)^-1 P x for x = re[n] + i im[n] */
void dae_dense_solve(int n, const double *lu_re, const double *lu_im, const int *pivot, double *re,
                     double *im);

/* The same for a real matrix. */
int dae_dense_factor_real(int n, double *a, const double *size, double *row, int *pivot);
void dae_dense_solve_real(int n, const double *lu, const int *pivot, double *x);

/* The same for two right-hand sides, side by side. */
typedef double dae_two __attribute__((vector_size(16)));
void dae_dense_solve_two(int n, const double *lu, const int *pivot, dae_two *x);

/* x := the solution with the transpose, P^T L^-T U^-T x; im is NULL where the factors are real. */
void dae_dense_solve_transposed(int n, const double *lu_re, const double *lu_im, const int *pivot, double *re,
                                double *im);

#endif
