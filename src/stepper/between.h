/* between.h - rows between steps, by collocation over the last step */
#ifndef DAE_BETWEEN_H
#define DAE_BETWEEN_H

#include "jacobian/jacobian.h"
#include "linear/pencil.h"
#include "solver.h"

typedef struct dae_between dae_between;

/* For methods whose own dense output is not as good as their steps: over the step kept, from u_old
 * to u, collocation with s stages, an odd number, or more of them where chosen steps ask for it,
 * begun at what the method's interpolate says where guess is NULL, else at the changes guess[n] of
 * u at t_old + x h. *b: NULL until the first row asks for it; jac: J of the step. It does nothing
 * where it is done already, where the begin of the step is lost or the step was one with equations
 * left open, and in constrained mechanical systems (row.c). */
typedef void dae_between_guess(const dae_solver *solver, double x, double *guess);
dae_status dae_between_find(dae_solver *solver, dae_between **b, dae_jacobian *jac, int stages,
                            dae_between_guess *guess);

/* Its parts: room and coefficients; the nodes in (0, 1] and the changes z[n x stages] there, to
 * begin at; the iteration over a step of size h. */
dae_status dae_between_choose(dae_solver *solver, dae_between **b, dae_jacobian *jac, int stages);
double *dae_between_stages(const dae_between *b, const double **nodes);
dae_status dae_between_solve(dae_solver *solver, dae_between *b, dae_jacobian *jac, double h);

/* Is it still to be done for the last step? c may be NULL. */
int dae_between_is_due(const dae_solver *solver, const dae_between *c);

/* u[n] at t_old + x h; 0 where it is not done, or was not found. */
int dae_between_at(const dae_solver *solver, const dae_between *c, double x, double *u);

/* After a step was kept, and where one is tried: c is not, and cannot be, that of the last step. */
void dae_between_forget(dae_between *c);
void dae_between_free(dae_between *c);

#endif
