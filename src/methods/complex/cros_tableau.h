/* cros_tableau.h - coefficients of a complex Rosenbrock method of one or two stages, as in cros4.c */
#ifndef DAE_CROS_TABLEAU_H
#define DAE_CROS_TABLEAU_H

#include <complex.h>

typedef struct dae_cros_tableau {
    int stages;                         /* 1: a1 and b1 alone */
    double _Complex a1, a2, a21, c21, b1, b2;
    double _Complex e1, e2;             /* b - b^ of the embedded solution of order 2 */
    double _Complex s1, s2;             /* of the slope at the end */
} dae_cros_tableau;

extern const dae_cros_tableau dae_cros_coefficients, dae_cros4_coefficients;

#endif
