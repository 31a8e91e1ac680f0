/* output.h - corrections of output in constrained mechanical systems: dense output is projected onto the
 * constraints, multipliers are computed from the acceleration level (output.c) */
#ifndef DAE_OUTPUT_H
#define DAE_OUTPUT_H

#include "solver.h"

/* Sets driver(solver)->output, which stays NULL where the output of the method needs no correction. It is
 * freed with the solver. */
dae_status dae_output_create(dae_solver *solver);
void dae_output_free(struct dae_output *output);

/* solver->u has two versions where the steps are chosen and the index is 2 or 3: the method's values, with which it
 * goes on, and the corrected ones, which observers see; the other one is kept aside.
 *
 * dae_output_start: a run begins. dae_output_discard: solver->u is another state, and what is kept aside is void.
 * dae_output_restore, before a step is tried: u becomes the method's, but after a very short step stays corrected.
 * dae_output_step_kept, after a step was accepted: u_old becomes corrected again. */
void dae_output_start(dae_solver *solver);
void dae_output_discard(dae_solver *solver);
void dae_output_restore(dae_solver *solver);
void dae_output_step_kept(dae_solver *solver);

/* Replace solver->u by the corrected values. Nothing before the first accepted step. */
void dae_output_correct(dae_solver *solver);

/* The same, and the method goes on from the corrected values. */
void dae_output_adopt(dae_solver *solver);

/* Correct any state u[n] at t, where the steps are chosen and the index is 2 or 3: v in index 3, lambda, and
 * accelerations that are unknowns. */
void dae_output_determine(dae_solver *solver, double t, double *u);

/* Correct u[n], the dense output of a method at t inside the last step: project q and v, so that the residual
 * of the constraints is interpolated linearly between the ends of the step; then the multipliers. */
void dae_output_finish(dae_solver *solver, double t, double *u);

/* dae_output_finish for the step from u_a[n] at a to u_b[n] at b in place of the last one. */
void dae_output_between(dae_solver *solver, double a, double *u_a, double b, double *u_b, double t,
                     double *u);

#endif
