/* oscillation.h - does a system oscillate fast, at a state? */
#ifndef DAE_OSCILLATION_H
#define DAE_OSCILLATION_H

#include "solver.h"

/* With memory of its own, to be freed after a failure, too: DAE_NO_MEMORY, or the linearisation cannot be had. look: 1
 * where directions of the linearisation at (t, u[n]) oscillate within times from least to most, rather than decay;
 * slow: the shortest time in which what is not fast moves. */
typedef struct dae_oscillation dae_oscillation;
dae_status dae_oscillation_create(dae_oscillation **oscillation, dae_solver *solver);
int dae_oscillation_look(dae_oscillation *oscillation, double t, const double *u, double least, double most,
                         double slow);
void dae_oscillation_free(dae_oscillation *oscillation);

/* A single look: *found. Failures as of create. */
dae_status dae_oscillation_find(dae_solver *solver, double t, const double *u, double least, double most,
                                double slow, int *found);

#endif
