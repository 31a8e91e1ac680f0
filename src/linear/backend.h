/* backend.h - what a linear solver provides to the pencil; one const record each */
#ifndef DAE_LINEAR_BACKEND_H
#define DAE_LINEAR_BACKEND_H

#include "pencil.h"

typedef struct {
    void *(*create)(dae_matrix_pair *pair);                 /* analyse; NULL: no memory */
    void (*free)(void *self);
    dae_factored (*factor)(void *self, const dae_matrix_pair *pair, double gamma_re,
                           double gamma_im);
    int (*solve)(void *self, double *re, double *im);   /* 0 where it failed */
    /* u_new := u + h Re k with (M - gamma J) k = F + gamma F_t, in less work than factor and solve; 0: it was not done.
     * NULL: there is no such way. */
    int (*step)(const dae_matrix_pair *pair, double gamma_re, double gamma_im, double h, const double *F,
                const double *F_t, const double *u, double *u_new);
    dae_factored (*factor_real)(void *self, const dae_matrix_pair *pair, double gamma);
    int (*solve_real)(void *self, double *b);
    int (*solve_transposed)(void *self, double *re, double *im);        /* im is NULL where the factors are real */
    long (*fill)(const void *self);                     /* entries in the factors; NULL: n^2 */
} dae_linear_backend;

extern const dae_linear_backend dae_linear_small, dae_linear_lapack, dae_linear_klu, dae_linear_band;

static inline dae_factored dae_factored_well(void)
{
    return (dae_factored){DAE_OK, DAE_NOWHERE};
}

static inline dae_factored dae_singular_at(int unknown)
{
    return (dae_factored){DAE_SINGULAR, unknown};
}

/* From the result of a dense kernel: column without a pivot, or -1; before: number of eliminated unknowns. */
static inline dae_factored dae_factored_to(int column, int before)
{
    return column < 0 ? dae_factored_well() : dae_singular_at(before + column);
}

/* Analyse the pattern of a pair by KLU, once for all its pencils. Entries of L and U in the order of AMD, if rows need
 * not be exchanged; 0 where there is no memory, or the pattern is singular. */
double dae_klu_predicted_fill(dae_matrix_pair *pair);

/* For a dense pencil with identities, whose q can be eliminated; NULL for others. */
const dae_linear_backend *dae_linear_structured(const dae_matrix_pair *pair);

#endif
