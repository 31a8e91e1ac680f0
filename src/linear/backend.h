/* backend.h - what a linear solver provides to the pencil; one const record each */
#ifndef DAE_LINEAR_BACKEND_H
#define DAE_LINEAR_BACKEND_H

#include "pencil.h"

typedef struct {
    void *(*create)(dae_jacobian *jac);                 /* analyse; NULL: no memory */
    void (*free)(void *self);
    int (*factor)(void *self, const dae_jacobian *jac, double gamma_re, double gamma_im);
                    /* -1, the column that is singular, or DAE_PENCIL_NO_MEMORY */
    int (*solve)(void *self, double *re, double *im);   /* 0 where it failed */
    int (*factor_real)(void *self, const dae_jacobian *jac, double gamma);
    int (*solve_real)(void *self, double *b);
    long (*fill)(const void *self);                     /* entries in the factors; NULL: n^2 */
} dae_linear_backend;

extern const dae_linear_backend dae_linear_small, dae_linear_lapack, dae_linear_klu;

/* For a dense pencil whose positions can be eliminated by their rows q' = v; NULL for others. */
const dae_linear_backend *dae_linear_structured(const dae_jacobian *jac);

#endif
