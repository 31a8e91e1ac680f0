/* small_dense.h - small matrices by rows: L D L^T of a definite one, the inverse, the left null space */
#ifndef DAE_SMALL_DENSE_H
#define DAE_SMALL_DENSE_H

#include "no_fast_math.h"

/* A[n x n] row-major: its lower triangle becomes L (unit diagonal not stored), its diagonal D.
 * -1, or the row where A is singular to rounding, not positive definite or not finite. */
int dae_small_factor(int n, double *A);

/* b[n] := A^-1 b, A factored. */
void dae_small_solve(int n, const double *A, double *b);

/* X := A^-1 [n x n], by rows; A, whose rows and columns are near 1 in size, is destroyed. 0: it is singular. */
int dae_invert(int n, double *A, double *X);

/* Rows z_k of z[n x n] with z_k^T A = 0, each with an entry where all others have none; returns how
 * many. A[n x n] is row-major and destroyed; work[n x n + n]. */
int dae_null_space(int n, double *A, double *z, double *work);

/* The same of A[m x n], z[m x m], work[m x m + m], with pivots up to rounding taken for none. */
int dae_left_null_space(int m, int n, double *A, double rounding, double *z, double *work);

/* unit[n]: powers of two that take the columns of A[m x n], and others the rows, to a largest entry near 1; 1 for a
 * column of zeros. A is row-major and destroyed; work[m] */
void dae_column_units(int m, int n, double *A, double *unit, double *work);

/* count rows of z[count x n], the entries in these units: orthogonal to each other, their largest entry 1. */
void dae_orthogonalise(int n, int count, const double *unit, double *z);

#endif
