/* project.h - the state of a mechanical system nearest to (q, v) that satisfies its constraints */
#ifndef DAE_PROJECT_H
#define DAE_PROJECT_H

#include "system/system.h"

/* Move q[nq] onto g(t, q) = 0 and v[nq] onto dg/dt(t, q, v) = 0, each by the smallest change in the
 * mass norm, to first order in it. On DAE_OK sys holds G and the factors of S = G M^-1 G^T at the
 * new q. DAE_SINGULAR where S is singular or not finite, DAE_NO_CONVERGENCE where the iteration
 * does not settle. */
dae_status dae_project(dae_system *sys, double t, double *q, double *v);
/* The halves of it. */
dae_status dae_project_positions(dae_system *sys, double t, double *q);
dae_status dae_project_velocities(dae_system *sys, double t, const double *q, double *v);
/* The first in the Euclidean norm: along G^T, and not M^-1 G^T. */
dae_status dae_project_positions_euclidean(dae_system *sys, double t, double *q);

/* A run begins: what is known of the rounding of g is forgotten, so that it repeats bit by bit. */
void dae_project_reset(dae_system *sys);

/* sum[k] := sum_j |G_kj x_j|, k < nl, with G as dae_system_factor_schur has left it; and c[k] :=
 * sum_j G_kj x_j. */
void dae_project_sizes(const dae_system *sys, const double *x, double *sum);
void dae_project_slopes(const dae_system *sys, const double *x, double *c);

/* g[nl] := g(t, q), as far as the model has it in quad: its value at the double q, rounded once. */
void dae_project_exactly(dae_system *sys, double t, const double *q, double *g);

#endif
