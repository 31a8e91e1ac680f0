/* projection.h - projection of each step onto constraints and invariants (options.project) */
#ifndef DAE_PROJECTION_H
#define DAE_PROJECTION_H

#include "stepper/solver.h"

typedef struct dae_projection dae_projection;

/* Sets driver(solver)->projection as solver->options.project says; NULL where that is 0. It is freed with the
 * solver. DAE_BAD_ARGUMENT for an unknown bit, DAE_UNSUPPORTED where the system has no such constraints,
 * the problem has no invariants, or they are too many. */
dae_status dae_projection_create(dae_solver *solver);
void dae_projection_free(dae_projection *c);

/* The values of the invariants to be conserved are those at the solver's (t, u). */
dae_status dae_projection_start(dae_solver *solver);

/* Project u_new at t_new. With error control, if the correction exceeds the tolerance, solver->error := its
 * norm > 1, and the step is to be rejected. DAE_SINGULAR, DAE_NO_CONVERGENCE or DAE_NOT_FINITE, with a
 * report, where the projection fails. */
dae_status dae_projection_step(dae_solver *solver);

/* The step is accepted: count the projection, and call dae_method.moved. */
void dae_projection_kept(dae_solver *solver);

/* For methods with own_control: reject the step, after a failure or too large a correction, by starting the
 * method again at (t, u). If that has not helped several times, returns failure or DAE_SMALL_STEP. */
dae_status dae_projection_again(dae_solver *solver, dae_status failure);

/* u[n] += factor times the correction of the last accepted step; nothing without a projection. */
void dae_projection_blend(const dae_solver *solver, double factor, double *u);

/* Of mechanical systems of index 2 and 3 with error control: initial values that satisfy the constraints within the
 * tolerance are projected onto g = 0 and dg/dt = 0, which changes solver->u by less than that. Others are used as
 * given. */
void dae_settle_start(dae_solver *solver);

#endif
