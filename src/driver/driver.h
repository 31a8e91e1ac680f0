/* driver.h - what the parts of the one loop use of each other */
#ifndef DAE_DRIVER_H
#define DAE_DRIVER_H

#include "stepper/solver.h"

/* extend.c: can a step to t_end be the last one, made longer? Do so; kept = 0: it has to be another one. */
int dae_extend_can(const dae_solver *solver, double t_end);
dae_status dae_extend(dae_solver *solver, double t_end, int *kept);

/* Try one step from t to t_next; kept: whether it passed, and then the solver is there. A failure that
 * another step might not meet is none. */
dae_status dae_solver_try(dae_solver *solver, double t_next, int *kept);

/* The parts again, as of a solver that is created now: the system has other parameters. What is watched
 * and who observes stay. After a failure the solver can only be freed, or tried again. */
dae_status dae_solver_renew(dae_solver *solver);

/* DAE_BAD_ARGUMENT where the system's parameters are not those that the solver was started with. */
dae_status dae_solver_check_parameters(dae_solver *solver);

/* beside.c, for dae_driver.step_beside. */
dae_status dae_step_beside(dae_solver *solver, double a, const double *begin, double t, double *u);

/* watching.c: nothing is watched any more. */
void dae_stop_watching(dae_solver *solver);

#endif
