/* band_pencil.h - what band.c factors and band_solve.c solves with */
#ifndef DAE_BAND_PENCIL_H
#define DAE_BAND_PENCIL_H

#include "band.h"
#include "eliminate.h"

#include <stddef.h>

/* What the pencils of one pair share. */
typedef struct {
    int users;                  /* the pair and its pencils */
    dae_elimination matrix;     /* what is factored */
    int K;                      /* bandwidth to both sides */
    int *order;                 /* [rows] unknowns of S in the order of the band */
    int *place;                 /* [rows] of each unknown in it */
    int directed;               /* 1: the end that the order begins at is decided */
    int *at;                    /* [nnz] place of each entry of the Jacobian in the band, -1 in rows of q' = v */
    double *size;               /* [rows + 2 K] of the unknowns in that order, from K on; 0 beside them */
    double *row;                /* [rows + K] scales of rows */
    double *x;                  /* [2 (rows + 2 K)] a right side */
} dae_band_analysis;

typedef struct {
    dae_band_analysis *shared;
    double gamma_re, gamma_im;
    double *re, *im;            /* [rows + K] rows of the band, im NULL while only real ones were factored */
    double *J_q;                /* the eliminated columns of J when it was factored */
    int *pivot;                 /* [rows] how far below its row */
    unsigned char *far;         /* [rows] 1: entries farther than K behind the pivot */
} dae_band;

static inline int dae_band_rows(const dae_band_analysis *a)
{
    return a->matrix.S.n;
}

/* As a backend solves (backend.h). */
int dae_band_solve(void *pencil, double *re, double *im);
int dae_band_solve_real(void *pencil, double *b);

#endif
