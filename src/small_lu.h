/* small_lu.h - a small real linear system solved in place, LU with partial pivoting */
#ifndef DAE_SMALL_LU_H
#define DAE_SMALL_LU_H

/* A[n x n] row-major is overwritten, b[n] becomes A^-1 b. 0 where A is singular or not finite. */
int dae_small_solve(int n, double *A, double *b);

#endif
