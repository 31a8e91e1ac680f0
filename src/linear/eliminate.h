/* eliminate.h - sparse pencils with identities, q eliminated by q' = v
 *
 * As in structured.c: of (M - gamma J) k = r the first rows say k_q = r_q + gamma k_v, and the
 * others
 *
 *     S k_z = r_z + gamma J_q r_q,    S = M_z - gamma J_z - gamma^2 [J_q 0],    z = (v, w)
 *
 * S has no more entries in a column than the rows of a position and its velocity together. Where
 * nothing is eliminated nq = 0 and S is the pencil. Of the transpose
 *
 *     S^T k_z = r_z + gamma (r_q, 0),    k_q = r_q + gamma J_q^T k_z
 */
#ifndef DAE_ELIMINATE_H
#define DAE_ELIMINATE_H

#include "pencil.h"

typedef struct {
    int nq;
    dae_pattern full;           /* the Jacobian's own */
    dae_pattern S;              /* where nq = 0 the same */
    int *place;                 /* [nnz] of each entry of the Jacobian in S, -1 in rows of q' = v;
                                   NULL where nq = 0 */
    int *below;                 /* [nq] the first entry below those rows in the column of each position; or NULL */
} dae_elimination;

/* The elimination that the pair allows. Returns 0 where there is no memory. */
int dae_elimination_create(dae_elimination *e, const dae_matrix_pair *pair);
void dae_elimination_free(dae_elimination *e);

/* Only how many unknowns and entries S has, and the columns of positions, are needed from here on. */
void dae_elimination_forget(dae_elimination *e);

/* What solving needs of a pencil that was factored: gamma, and J's columns of positions as they were then. */
typedef struct {
    double re, im;
    double *J_q;
} dae_eliminated;

/* The numbers in J_q, which the caller allocates. */
static inline size_t dae_eliminated_size(const dae_elimination *e) { return (size_t)e->full.column[e->nq]; }

void dae_eliminated_keep(const dae_elimination *e, const dae_matrix_pair *pair, double gamma_re, double gamma_im,
                         dae_eliminated *by);

/* (M - gamma J)^-1, or its transpose, of re[n] + i im[n]; im is NULL where gamma is real. By `solve` of `self`, which
 * has S^-1, or S^-T: 0 where that fails. */
typedef int dae_reduced_solution(void *self, int transposed, double *re, double *im);
int dae_eliminated_solve(const dae_elimination *e, const dae_eliminated *by, int transposed,
                         dae_reduced_solution *solve, void *self, double *re, double *im);

/* The entries of S, in pairs of real and imaginary parts, or real. */
void dae_eliminate(const dae_elimination *e, const dae_matrix_pair *pair, double gamma_re,
                   double gamma_im, double *S);
void dae_eliminate_real(const dae_elimination *e, const dae_matrix_pair *pair, double gamma, double *S);

#endif
