/* noise.h - has rounding moved a run that came to its end by more than its tolerance? */
#ifndef DAE_NOISE_H
#define DAE_NOISE_H

#include "stepper/solver.h"

/* For chosen steps; the states of a few steps are kept. */
dae_status dae_noise_create(dae_solver *solver);
void dae_noise_free(struct dae_noise *noise);

/* After a step was kept. */
void dae_noise_kept(dae_solver *solver);

/* At the end of dae_solver_advance: DAE_ERROR_TEST where rounding in F moves an unknown by far more
 * than its tolerance, DAE_NO_MEMORY where that could not be found out. */
dae_status dae_noise_check(dae_solver *solver);

/* After a failure: the unknown that rounding in F moves furthest beyond its tolerance, and by how
 * much; -1 for none. */
int dae_noise_worst(dae_solver *solver, double *by);

#endif
