/* pencil.h - the complex or real pencil M - gamma J: factor once, solve as often as needed
 *
 * Real and imaginary parts of vectors and matrices are stored separately. The backends are this project's
 * dense kernels (small n; in mechanical systems the positions are eliminated first), LAPACK (large dense n),
 * a band (sparse, where an order of the unknowns makes one that is narrow) and KLU (sparse).
 */
#ifndef DAE_PENCIL_H
#define DAE_PENCIL_H

#include "matrix_pair.h"

typedef struct dae_pencil dae_pencil;

/* kind BEST chooses dense or sparse by dae_linear_choose, and of these KLU or a band by the work that each would
 * take; anew where the pattern has changed. *pair->linear tells. The pencil reads pair->M and pair->J when it is
 * factored; the pair outlives it. Pencils of one pair share what follows from its pattern. */
dae_status dae_pencil_create(dae_pencil **pencil, dae_matrix_pair *pair, dae_linear_kind kind,
                             dae_report *report);
void dae_pencil_free(dae_pencil *pencil);

const dae_matrix_pair *dae_pencil_pair(const dae_pencil *pencil);

/* The result of a factorization. */
typedef struct {
    dae_status status;          /* DAE_OK, DAE_SINGULAR or DAE_NO_MEMORY */
    int unknown;                /* whose pivot is 0, or whose column is not finite; or DAE_NOWHERE */
} dae_factored;
enum { DAE_NOWHERE = -1 };      /* regular, or not known */

/* Factor M - gamma J, gamma = gamma_re + i gamma_im. If the pair's pattern has changed, the pencil is created
 * anew. */
dae_factored dae_pencil_factor(dae_pencil *pencil, double gamma_re, double gamma_im);

/* Solve in place for re[n] + i im[n]. DAE_SINGULAR where the solver fails. */
dae_status dae_pencil_solve(dae_pencil *pencil, double *re, double *im);

/* u_new[n] := u + h Re k with (M - gamma J) k = F + gamma F_t, where pair->identities say q' = v in F and F_t, too:
 * 1 where there is a kernel for it, and it could; it keeps no factors. 0: u_new is as it was. */
int dae_pencil_step(const dae_pencil *pencil, double gamma_re, double gamma_im, double h, const double *F,
                    const double *F_t, const double *u, double *u_new);

/* All of this for a real pencil: factor M - gamma J, solve for b[n] in place. One pencil
 * is used either with the complex or with the real functions, never with both. */
dae_factored dae_pencil_factor_real(dae_pencil *pencil, double gamma);
dae_status dae_pencil_solve_real(dae_pencil *pencil, double *b);

/* The same with the transpose of what was factored; im is NULL behind dae_pencil_factor_real. */
dae_status dae_pencil_solve_transposed(dae_pencil *pencil, double *re, double *im);

/* Entries in the factors of the last factorization, n^2 where they are dense. */
long dae_pencil_fill(const dae_pencil *pencil);

/* DENSE or KLU, which then stands for any sparse solver, for a system of size n with nnz entries. */
dae_linear_kind dae_linear_choose(int n, int nnz);

#endif
