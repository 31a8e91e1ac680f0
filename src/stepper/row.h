/* row.h - what a state shows: rows between steps that are as good as steps, and the multipliers */
#ifndef DAE_ROW_H
#define DAE_ROW_H

#include "solver.h"

/* Into driver(solver)->row; nothing where rows are what the method makes them. Freed with the solver. */
dae_status dae_row_create(dae_solver *solver);
void dae_row_free(struct dae_row *row);

/* At a start, where the solver goes to another state, before a try of a step, and after a step was kept. */
void dae_row_start(dae_solver *solver);
void dae_row_forget(dae_solver *solver);
void dae_row_hide(dae_solver *solver);
void dae_row_kept(dae_solver *solver);

/* The method goes on from what is shown. */
void dae_row_adopt(dae_solver *solver);

/* The solver's u becomes what is shown of it. */
void dae_row_show(dae_solver *solver);

/* The same for a state that is not the solver's own. */
void dae_row_determine(dae_solver *solver, double t, double *u);

/* u[n] at t inside the last step, interpolated by a method: onto the constraints, as far as the ends
 * of the step are, with the multipliers that belong to it. */
void dae_row_finish(dae_solver *solver, double t, double *u);

/* The same for the step from u_a[n] at a to u_b[n] at b instead of the last one. */
void dae_row_between(dae_solver *solver, double a, double *u_a, double b, double *u_b, double t,
                     double *u);

#endif
