/* derivative.h - u' at a state, for the first step size and the initial values of BDF */
#ifndef DAE_DERIVATIVE_H
#define DAE_DERIVATIVE_H

#include "solver.h"

typedef struct dae_derivative dae_derivative;

/* Sets driver(solver)->derivative, which dae_derivative_at needs if M is not diagonal, or if derivatives of
 * algebraic unknowns of first-order problems are required. The solver frees it. */
dae_status dae_derivative_create(dae_solver *solver);
void dae_derivative_free(dae_derivative *d);

/* du[n] := u' at (t, u). Without driver(solver)->derivative it is 0 for algebraic unknowns. du = 0 where
 * M - g J is singular. */
void dae_derivative_at(dae_solver *solver, double t, const double *u, double *du);

#endif
