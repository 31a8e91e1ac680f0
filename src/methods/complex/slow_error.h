/* slow_error.h - the error of Rosenbrock methods where steps are so short that their errors add up */
#ifndef DAE_SLOW_ERROR_H
#define DAE_SLOW_ERROR_H

#include "stepper/implicit.h"

/* |e|, the norm (dae_error_norm) of the estimated error e[n] of the step to u_new, of size h. In index 0 up to
 * |e|/allowed, allowed < 1, where steps are so short that errors like it add up before the solution changes
 * (slow_error.c). slow[n] and im[n] are scratch; im is NULL for a method with real coefficients. */
double dae_slow_error(dae_solver *solver, dae_linearised *l, double h, const double *e, double *slow, double *im);

#endif
