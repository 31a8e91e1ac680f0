/* noise.h - effect of rounding errors in F on a run that has reached t_end, compared with its tolerance */
#ifndef DAE_NOISE_H
#define DAE_NOISE_H

#include "stepper/solver.h"

/* With error control only; stores the states of a few steps. */
dae_status dae_noise_create(dae_solver *solver);
void dae_noise_free(struct dae_noise *noise);

/* After a step was accepted. */
void dae_noise_kept(dae_solver *solver);

/* At the end of dae_solver_advance: DAE_ERROR_TEST where rounding errors in F change an unknown by far more
 * than its tolerance; DAE_NO_MEMORY. */
dae_status dae_noise_check(dae_solver *solver);

/* After a failure: the unknown that rounding errors in F change most, relative to its tolerance; -1: none.
 * *by := this ratio. */
int dae_noise_worst(dae_solver *solver, double *by);

#endif
