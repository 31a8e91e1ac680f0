/* inverse.h - the inverse of a small matrix */
#ifndef DAE_INVERSE_H
#define DAE_INVERSE_H

/* X := A^-1 [n x n], by rows; A, whose rows and columns are near 1 in size, is destroyed. 0: it is singular. */
int dae_invert(int n, double *A, double *X);

#endif
