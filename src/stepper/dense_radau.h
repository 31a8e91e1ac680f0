/* dense_radau.h - dense output by collocation over the last step */
#ifndef DAE_DENSE_RADAU_H
#define DAE_DENSE_RADAU_H

#include "jacobian/jacobian.h"
#include "linear/pencil.h"
#include "solver.h"

typedef struct dae_dense_radau dae_dense_radau;

/* For methods whose dense output is less accurate than their steps. Solves the collocation equations with s
 * stages (odd) over the last accepted step, from u_old to u; with error control over pieces of it where these do
 * not tell the solution. The iteration starts from the method's dense output, or with guess from the changes
 * guess[n] of u at t_old + x h. *place: NULL at first, allocated here; jac: the Jacobian of the step.
 * Does nothing if it has been done for this step, if u_old has been overwritten, after a step of cut.c, and
 * in constrained mechanical systems (output.c). */
typedef void dae_dense_radau_guess(const dae_solver *solver, double x, double *guess);
dae_status dae_dense_radau_find(dae_solver *solver, dae_dense_radau **place, dae_jacobian *jac, int stages,
                            dae_dense_radau_guess *guess);

/* The same in the search for events (solver->searching) in index 0 and 1, where the method's dense output will do if
 * it holds half of the digits: the place of an event is corrected by steps of the method. pencil: factors of M - g J
 * of the step. */
dae_status dae_dense_radau_search(dae_solver *solver, dae_dense_radau **place, dae_jacobian *jac, int stages,
                                  dae_pencil *pencil, double g);

/* 1 where the search for events does so: with error control, in index 0 and 1. */
int dae_dense_radau_may_search(const dae_solver *solver);

/* The parts of dae_dense_radau_find. choose: allocate, compute coefficients. stages: the nodes in (0, 1], and
 * z[n x stages] for the initial changes of u there. solve: the iteration; look: it, where these do not hold half of
 * the digits. */
dae_status dae_dense_radau_choose(dae_solver *solver, dae_dense_radau **place, dae_jacobian *jac, int stages);
double *dae_dense_radau_stages(const dae_dense_radau *d, const double **nodes);
dae_status dae_dense_radau_solve(dae_solver *solver, dae_dense_radau *d);
dae_status dae_dense_radau_look(dae_solver *solver, dae_dense_radau *d, dae_pencil *pencil, double g);

/* 1 where the equations of the last step have not been solved yet. d may be NULL. */
int dae_dense_radau_is_due(const dae_solver *solver, const dae_dense_radau *d);

/* 1 where they have been: then dae_dense_radau_at is the state at t, which is u[n], or refused with the reason. */
int dae_dense_radau_is_known(const dae_solver *solver, const dae_dense_radau *d);
dae_status dae_dense_radau_at(dae_solver *solver, dae_dense_radau *d, double t, double *u);

/* Call after a step was accepted, and when one is tried: d no longer belongs to the last step. */
void dae_dense_radau_forget(dae_dense_radau *d);
void dae_dense_radau_free(dae_dense_radau *d);

#endif
