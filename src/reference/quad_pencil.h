/* quad_pencil.h - F, dF/du and dF/dt of a quad run, and its pencil M - gamma J, factored in quad */
#ifndef DAE_QUAD_PENCIL_H
#define DAE_QUAD_PENCIL_H

#include "quad_run.h"

typedef struct {
    const dae_quad_run *run;
    int n, size;                /* of the matrix: n, or 2 n where gamma is complex */
    dae_quad *F, *F_t;          /* [n] */
    dae_quad *J, *M;            /* [n x n] by columns */
    int weighed;                /* 1: M has been computed */
    dae_quad *largest;          /* [n] |u_i| so far */
    dae_quad *x, *at;           /* [n], [4 n] scratch */
    dae_quad *A, *b;            /* [size x size] by rows, [size] */
    dae_quad *factor;           /* [size] of each row */
    int *pivot;                 /* [size] */
} dae_quad_pencil;

/* DAE_UNSUPPORTED where the matrix is too large to be factored at every step. */
dae_status dae_quad_pencil_create(dae_quad_pencil **pencil, const dae_quad_run *run, int complex);
void dae_quad_pencil_free(dae_quad_pencil *pencil);

/* F, F_t, J at (t, u). */
void dae_quad_linearise(dae_quad_pencil *pencil, dae_quad t, const dae_quad *u);

/* Factor M - (re + i im) J; then solve for re[n] + i im[n] in place, with im NULL where the pencil is
 * real. DAE_SINGULAR, DAE_NOT_FINITE. */
dae_status dae_quad_pencil_factor(dae_quad_pencil *pencil, dae_quad re, dae_quad im);
void dae_quad_pencil_solve(dae_quad_pencil *pencil, dae_quad *re, dae_quad *im);

#endif
