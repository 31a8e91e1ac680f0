/* between.h - dense output by collocation over the last step */
#ifndef DAE_BETWEEN_H
#define DAE_BETWEEN_H

#include "jacobian/jacobian.h"
#include "linear/pencil.h"
#include "solver.h"

typedef struct dae_between dae_between;

/* For methods whose dense output is less accurate than their steps. Solves the collocation equations with s
 * stages (odd) over the last accepted step, from u_old to u; with error control s may be increased. The
 * iteration starts from the method's dense output, or with guess from the changes guess[n] of u at
 * t_old + x h. *b: NULL at first, allocated here; jac: the Jacobian of the step.
 * Does nothing if it has been done for this step, if u_old has been overwritten, after a step of cut.c, and
 * in constrained mechanical systems (row.c). */
typedef void dae_between_guess(const dae_solver *solver, double x, double *guess);
dae_status dae_between_find(dae_solver *solver, dae_between **b, dae_jacobian *jac, int stages,
                            dae_between_guess *guess);

/* The parts of dae_between_find. choose: allocate, compute coefficients. stages: the nodes in (0, 1], and
 * z[n x stages] for the initial changes of u there. solve: the iteration over a step of size h. */
dae_status dae_between_choose(dae_solver *solver, dae_between **b, dae_jacobian *jac, int stages);
double *dae_between_stages(const dae_between *b, const double **nodes);
dae_status dae_between_solve(dae_solver *solver, dae_between *b, dae_jacobian *jac, double h);

/* 1 where the equations of the last step have not been solved yet. c may be NULL. */
int dae_between_is_due(const dae_solver *solver, const dae_between *c);

/* u[n] := the collocation solution at t_old + x h; 0 where the equations have not been solved. */
int dae_between_at(const dae_solver *solver, const dae_between *c, double x, double *u);

/* Call after a step was accepted, and when one is tried: c no longer belongs to the last step. */
void dae_between_forget(dae_between *c);
void dae_between_free(dae_between *c);

#endif
