/* rosenbrock.h - tableau of a stiffly accurate Rosenbrock-Wanner method in transformed form */
#ifndef DAE_ROSENBROCK_H
#define DAE_ROSENBROCK_H

#include "daelab/method.h"
#include "linear/pencil.h"

enum { DAE_ROSENBROCK_STAGES = 8, DAE_ROSENBROCK_DENSE = 3 };

/* Coefficients of rosenbrock.c's formulas. Stages behind the first `rows` continue the one before:
 * Y_i = Y_(i-1) + U_(i-1), as u+ = Y_s + U_s does. */
typedef struct {
    int stages, rows;
    double gamma;
    double A[DAE_ROSENBROCK_STAGES][DAE_ROSENBROCK_STAGES];     /* a_ij */
    double C[DAE_ROSENBROCK_STAGES][DAE_ROSENBROCK_STAGES];     /* C_ij */
    double c[DAE_ROSENBROCK_STAGES];                            /* sums of the alpha_ij */
    double d[DAE_ROSENBROCK_STAGES];                            /* sums of the gamma_ij */
    int combines;                                               /* 1: not so at the end, but */
    double m[DAE_ROSENBROCK_STAGES], e[DAE_ROSENBROCK_STAGES];  /* u+ = u + sum m_j U_j, error sum e_j U_j */
    int dense;                                                  /* rows of H */
    double H[DAE_ROSENBROCK_DENSE][DAE_ROSENBROCK_STAGES];      /* dense output */
} dae_rosenbrock_tableau;

/* The stages U_i of the step made last, [stages x n], its tableau and the factors of M - h gamma J that it used. */
typedef struct {
    const dae_rosenbrock_tableau *T;
    const double *U;
    dae_pencil *pencil;
} dae_rosenbrock_stages;
dae_rosenbrock_stages dae_rosenbrock_last(const dae_solver *solver);

#endif
