/* manifold.h - projection of a state onto constraints and invariants */
#ifndef DAE_MANIFOLD_H
#define DAE_MANIFOLD_H

#include "stepper/solver.h"

typedef struct dae_manifold dae_manifold;

/* levels: DAE_PROJECT_*. DAE_BAD_ARGUMENT for an unknown bit, DAE_UNSUPPORTED where the system has
 * no such constraints, the problem has no invariants, or there are too many unknowns for them.
 * atol[n] is not copied. */
dae_status dae_manifold_create(dae_manifold **out, dae_system *sys, unsigned levels, double rtol,
                               const double *atol, dae_report *report);
void dae_manifold_free(dae_manifold *c);

/* The values of the invariants to be conserved are those at (t, u). DAE_NOT_FINITE. */
dae_status dae_manifold_start(dae_manifold *c, double t, const double *u, dae_report *report);

/* Project (q, v), or u, at t. DAE_SINGULAR, DAE_NO_CONVERGENCE or DAE_NOT_FINITE; u is then undefined. */
dae_status dae_manifold_move(dae_manifold *c, double t, double *u);

#endif
