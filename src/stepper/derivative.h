/* derivative.h - u' at a state, for first steps and the start of BDF */
#ifndef DAE_DERIVATIVE_H
#define DAE_DERIVATIVE_H

#include "solver.h"

typedef struct dae_derivative dae_derivative;

/* Into driver(solver)->derivative: what dae_derivative_at needs where M is not diagonal, or where the
 * derivatives of algebraic unknowns of first-order problems are wanted too. The solver frees it. */
dae_status dae_derivative_create(dae_solver *solver);
void dae_derivative_free(dae_derivative *d);

/* du[n] := u' at (t, u), not the solver's du. Without driver(solver)->derivative it is 0 for algebraic
 * unknowns; all 0 where M - g J is singular. */
void dae_derivative_at(dae_solver *solver, double t, const double *u, double *du);

#endif
