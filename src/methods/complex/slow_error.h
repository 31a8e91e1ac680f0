/* slow_error.h - errors of short steps that add up, of Rosenbrock methods with real and complex coefficients */
#ifndef DAE_SLOW_ERROR_H
#define DAE_SLOW_ERROR_H

#include "stepper/implicit.h"

/* The norm of the estimated error e[n] of the step to u_new, of size h; or more, where steps are far shorter than the
 * solution asks for and errors like it add up. slow[n] and im[n] are scratch, im NULL where l is real. */
double dae_slow_error(dae_solver *solver, dae_linearised *l, double h, const double *e, double *slow, double *im);

#endif
