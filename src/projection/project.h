/* project.h - projection of the positions and velocities of a mechanical system onto its constraints */
#ifndef DAE_PROJECT_H
#define DAE_PROJECT_H

#include "system/system.h"

/* Project q[nq] onto g(t, q) = 0 and v[nq] onto dg/dt(t, q, v) = 0, each by the smallest change in the
 * mass norm, to first order in it. On DAE_OK sys holds G and the factors of S = G M^-1 G^T at the
 * new q (of project_positions only where no constraint is nonholonomic). DAE_SINGULAR where S is singular
 * or not finite, DAE_NO_CONVERGENCE. */
dae_status dae_project(dae_system *sys, double t, double *q, double *v);
/* Only q, or only v. */
dae_status dae_project_positions(dae_system *sys, double t, double *q);
dae_status dae_project_velocities(dae_system *sys, double t, const double *q, double *v);
/* q in the Euclidean norm: along G^T instead of M^-1 G^T. */
dae_status dae_project_positions_euclidean(dae_system *sys, double t, double *q);

/* Call at the start of a run: clears the data on rounding errors in g, so that runs repeat bit for bit. */
void dae_project_reset(dae_system *sys);

/* sizes: sum[k] := sum_j |G_kj x_j|, slopes: c[k] := sum_j G_kj x_j, for the rows of the G of the last call
 * of dae_system_factor_schur. */
void dae_project_sizes(const dae_system *sys, const double *x, double *sum);
void dae_project_slopes(const dae_system *sys, const double *x, double *c);

/* g[holonomic] := g(t, q), evaluated in quad and rounded to double; in double where the model has no quad. */
void dae_project_exactly(dae_system *sys, double t, const double *q, double *g);

#endif
