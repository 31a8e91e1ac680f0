/* small_ldl.h - small symmetric positive definite systems, A = L D L^T in place */
#ifndef DAE_SMALL_LDL_H
#define DAE_SMALL_LDL_H

#include "no_fast_math.h"

/* A[n x n] row-major: its lower triangle becomes L (unit diagonal not stored), its diagonal D.
 * -1, or the row where A is singular to rounding, not positive definite or not finite. */
int dae_small_factor(int n, double *A);

/* b[n] := A^-1 b, A factored. */
void dae_small_solve(int n, const double *A, double *b);

#endif
