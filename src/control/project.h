/* project.h - the state of a mechanical system nearest to (q, v) that satisfies its constraints */
#ifndef DAE_PROJECT_H
#define DAE_PROJECT_H

#include "system.h"

/* Move q[nq] onto g(t, q) = 0 and v[nq] onto dg/dt(t, q, v) = 0, each by the smallest change in the
 * mass norm. On DAE_OK sys holds G and the factors of S = G M^-1 G^T at the new q. DAE_SINGULAR
 * where S is singular or not finite, DAE_NO_CONVERGENCE where the iteration does not settle. */
dae_status dae_project(dae_system *sys, double t, double *q, double *v);
/* The halves of it. */
dae_status dae_project_positions(dae_system *sys, double t, double *q);
dae_status dae_project_velocities(dae_system *sys, double t, const double *q, double *v);

#endif
