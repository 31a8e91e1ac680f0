/* output.h - corrections of output in constrained mechanical systems: dense output is projected onto the
 * constraints, multipliers are computed from the acceleration level (output.c) */
#ifndef DAE_OUTPUT_H
#define DAE_OUTPUT_H

#include "solver.h"

/* Sets driver(solver)->output, which stays NULL where the output of the method needs no correction. It is
 * freed with the solver. */
dae_status dae_output_create(dae_solver *solver);
void dae_output_free(struct dae_output *output);

/* Call start at the start of a run, forget where the solver goes back to another state, hide before a step is
 * tried, kept after a step was accepted. */
void dae_output_start(dae_solver *solver);
void dae_output_forget(dae_solver *solver);
void dae_output_hide(dae_solver *solver);
void dae_output_kept(dae_solver *solver);

/* As dae_output_show, and the method continues from the corrected values. */
void dae_output_adopt(dae_solver *solver);

/* Replace the solver's u by the corrected values; dae_output_hide restores those of the method. */
void dae_output_show(dae_solver *solver);

/* Correct the state u[n] at t, which need not be the solver's. */
void dae_output_determine(dae_solver *solver, double t, double *u);

/* Correct u[n], the dense output of a method at t inside the last step: project q and v, so that the residual
 * of the constraints is interpolated linearly between the ends of the step; then the multipliers. */
void dae_output_finish(dae_solver *solver, double t, double *u);

/* The same for the step from u_a[n] at a to u_b[n] at b in place of the last one. */
void dae_output_between(dae_solver *solver, double a, double *u_a, double b, double *u_b, double t,
                     double *u);

#endif
