/* quad_kernel.h - the kernel of a mass matrix, for the factors of M - h J with small h */
#ifndef DAE_QUAD_KERNEL_H
#define DAE_QUAD_KERNEL_H

#include "daelab/quad.h"

typedef struct {
    int n, nulls;
    int needed;                 /* 0: rows and columns of M are zero, or M is regular; L and R are none */
    int rounded;                /* 1: M is singular but for the rounding of its entries */
    dae_quad *L, *R;            /* [n x n] by rows: L M R has nulls rows and columns of zeros */
    int *row, *column;          /* [n] the last nulls of them are those */
    double *scale;              /* [2 n] scratch */
    dae_quad *A;                /* [n x n] scratch */
    void *memory;
} dae_quad_kernel;

/* 0: no memory; free it in any case. */
int dae_quad_kernel_create(dae_quad_kernel *k, int n);
void dae_quad_kernel_free(dae_quad_kernel *k);

/* Of M[n x n] by columns; where M is singular but for rounding it becomes singular. */
void dae_quad_kernel_find(dae_quad_kernel *k, dae_quad *M);

/* x[n] := L x; A[n x n], by columns, := L A R */
void dae_quad_kernel_rows(const dae_quad_kernel *k, dae_quad *x);
void dae_quad_kernel_both(const dae_quad_kernel *k, const dae_quad *A, dae_quad *out);

#endif
