/* klu_pencil.h - what klu.c factors and klu_solve.c solves with */
#ifndef DAE_KLU_PENCIL_H
#define DAE_KLU_PENCIL_H

#include "backend.h"
#include "eliminate.h"

#include <klu.h>

/* KLU's functions for real or for complex values; the analysis is the same. */
typedef struct {
    klu_numeric *(*factor)(int *, int *, double *, klu_symbolic *, klu_common *);
    int (*refactor)(int *, int *, double *, klu_symbolic *, klu_numeric *, klu_common *);
    int (*growth)(int *, int *, double *, klu_symbolic *, klu_numeric *, klu_common *);
    int (*condition)(klu_symbolic *, klu_numeric *, klu_common *);
    int (*free)(klu_numeric **, klu_common *);
} dae_klu_arithmetic;

enum { DAE_KLU_AMD = 0, DAE_KLU_COLAMD = 1 };

/* What the pencils of one pair share. */
typedef struct {
    int users;                  /* the pair and its pencils */
    dae_elimination matrix;     /* what is factored */
    klu_common common;
    klu_symbolic *by[2];        /* of AMD and COLAMD, one of them NULL once it is decided */
    int complete;               /* COLAMD was asked */
} dae_klu_analysis;

typedef struct {
    int n;                      /* of the matrix that is factored */
    double gamma_re, gamma_im;
    double *J_q;                /* the eliminated columns of J when it was factored */
    dae_klu_analysis *shared;
    klu_common common;
    klu_numeric *numeric;
    long run;                   /* in which its pivots were chosen (matrix_pair.h) */
    const dae_klu_arithmetic *values_are;       /* of numeric: real or complex */
    double *values;             /* [nnz] pairs, or [nnz] where they are real */
    double *b;                  /* [n] pairs */
    double *row, *column;       /* [n] scales each, one block */
} dae_klu_pencil;

static inline klu_symbolic *dae_klu_symbolic(const dae_klu_analysis *a)
{
    return a->by[DAE_KLU_COLAMD] ? a->by[DAE_KLU_COLAMD] : a->by[DAE_KLU_AMD];
}

/* As a backend solves (backend.h). */
int dae_klu_solve(void *pencil, double *re, double *im);
int dae_klu_solve_real(void *pencil, double *b);

#endif
