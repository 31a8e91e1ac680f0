/* pencil.h - the complex or real pencil M - gamma J: factor once, solve as often as needed
 *
 * Vectors and matrices carry real and imaginary parts apart. Behind the interface stand this
 * project's dense kernels (small n; of mechanical systems the positions are eliminated first),
 * LAPACK (large dense n) and KLU (sparse).
 */
#ifndef DAE_PENCIL_H
#define DAE_PENCIL_H

#include "jacobian/jacobian.h"

typedef struct dae_pencil dae_pencil;

/* kind BEST chooses by dae_linear_choose. The pencil reads jac->M and jac->J when it is factored,
 * and keeps nothing of them by reference. Pencils of one Jacobian share what follows from its
 * pattern. */
dae_status dae_pencil_create(dae_pencil **pencil, dae_jacobian *jac, dae_linear_kind kind,
                             dae_report *report);
void dae_pencil_free(dae_pencil *pencil);

/* Factor M - gamma J, gamma = gamma_re + i gamma_im. DAE_SINGULAR: *column says where (unknown);
 * DAE_NO_MEMORY: *column is DAE_PENCIL_NO_MEMORY. Where the Jacobian's pattern has grown the pencil
 * is made again. */
enum { DAE_PENCIL_NO_MEMORY = -2 };
dae_status dae_pencil_factor(dae_pencil *pencil, double gamma_re, double gamma_im, int *column);

/* Solve in place for re[n] + i im[n]. */
dae_status dae_pencil_solve(dae_pencil *pencil, double *re, double *im);

/* The same for a real pencil: factor M - gamma J, solve for b[n] in place. One pencil is used
 * either with the complex or with the real pair of functions, never with both. */
dae_status dae_pencil_factor_real(dae_pencil *pencil, double gamma, int *column);
dae_status dae_pencil_solve_real(dae_pencil *pencil, double *b);

/* Entries in the factors of the last factorization, n^2 where they are dense. */
long dae_pencil_fill(const dae_pencil *pencil);

/* For those who call KLU themselves, its code of the ordering that fills M - gamma J less: 0 AMD,
 * 1 COLAMD (also where the pencil is singular). */
int dae_klu_ordering(dae_jacobian *jac, double gamma);

/* DENSE or KLU for a system of size n with nnz entries. */
dae_linear_kind dae_linear_choose(int n, int nnz);

#endif
