/* oscillation.h - does a system oscillate fast, at a state? */
#ifndef DAE_OSCILLATION_H
#define DAE_OSCILLATION_H

#include "solver.h"

/* *found := 1 where directions of the linearisation at (t, u[n]) oscillate within times from least to most, rather
 * than decay; a time in which the solution changes is to be far above most. DAE_NO_MEMORY; *found = 0 where the
 * linearisation cannot be had. */
dae_status dae_oscillation_find(dae_solver *solver, double t, const double *u, double least, double most, int *found);

#endif
