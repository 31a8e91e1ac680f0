/* projection.h - the end of a step is moved onto constraints and invariants (options.project) */
#ifndef DAE_PROJECTION_H
#define DAE_PROJECTION_H

#include "stepper/solver.h"

typedef struct dae_projection dae_projection;

/* Into driver(solver)->projection: what solver->options.project asks for; nothing where that is 0. It is
 * freed with the solver. DAE_BAD_ARGUMENT for an unknown bit, DAE_UNSUPPORTED where the system has
 * no such constraints, the problem states no invariants, or there are too many of them together. */
dae_status dae_projection_create(dae_solver *solver);
void dae_projection_free(dae_projection *c);

/* The invariants shall keep the values they have at the solver's (t, u). */
dae_status dae_projection_start(dae_solver *solver);

/* Move u_new at t_new. Where steps are chosen and the move is larger than the tolerance,
 * solver->error > 1 is its norm: the step has to be smaller. DAE_SINGULAR, DAE_NO_CONVERGENCE or
 * DAE_NOT_FINITE where there is no nearest state to be found, with a sentence. */
dae_status dae_projection_step(dae_solver *solver);

/* The step is kept: count it, and tell the method. */
void dae_projection_kept(dae_solver *solver);

/* Of a method that chooses its steps itself: it undoes the step, for a failure or because it would
 * have been moved too far, by beginning again at (t, u). Where that has been in vain, the failure
 * or DAE_SMALL_STEP. */
dae_status dae_projection_again(dae_solver *solver, dae_status failure);

/* u[n] += factor times the move of the last step kept; none without a projection. */
void dae_projection_blend(const dae_solver *solver, double factor, double *u);

#endif
