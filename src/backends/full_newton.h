/* full_newton.h - Newton's method with full steps, for few equations from a near guess */
#ifndef DAE_FULL_NEWTON_H
#define DAE_FULL_NEWTON_H

#include "linear/dense_lu.h"

typedef struct {
    int n;                      /* unknowns, at most DAE_SMALL */
    void *context;
    int (*evaluate)(void *context, const double *x);    /* r, J at x[n]; 0: not finite */
    const double *r, *J;        /* [n], [n x n] column-major: what evaluate leaves */
    const double *size, *scale; /* [n] units of the equations and of the unknowns, positive */
} dae_full_newton;

/* x[n] := the solution, from the guess x at which r and J have been evaluated; they are then those of the solution.
 * Ends after a step below the square root of rounding, where steps fall as those of second order do, or after one at
 * rounding. 0 where J is singular, where a step is not finite or does not reduce the sum of squares (Armijo's
 * condition), or where steps do not end: x is then that guess, r and J are of some other place. */
int dae_full_newton_solve(const dae_full_newton *equations, double *x);

#endif
