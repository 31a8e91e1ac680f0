/* driver.h - functions that the files of the driver use of each other */
#ifndef DAE_DRIVER_H
#define DAE_DRIVER_H

#include "daelab/hybrid.h"
#include "stepper/solver.h"

/* steps.c: steps until the solver is at t_end, or a failure or an event ends the run. */
dae_status dae_solver_step_to(dae_solver *solver, double t_end);

/* steps.c: the function dae_driver.keep_step. */
dae_status dae_solver_keep_step(dae_solver *solver);

/* extend.c: 1 where the last step can be repeated with a larger size to reach t_end. dae_extend does so;
 * kept = 0: that failed, and a further step is needed. */
int dae_extend_can(const dae_solver *solver, double t_end);
dae_status dae_extend(dae_solver *solver, double t_end, int *kept);

/* steps.c: try one step from t to t_next; kept = 1: it was accepted, and the solver is at t_next. Failures that a
 * shorter step may avoid return DAE_OK with kept = 0. */
dae_status dae_solver_try(dae_solver *solver, double t_next, int *kept);

/* After a change of the system's parameters: create the parts of the solver anew. Event functions and the
 * observer stay. After a failure the solver can be freed, or this be called again. */
dae_status dae_solver_renew(dae_solver *solver);

/* DAE_BAD_ARGUMENT where the system's parameters are not those that the solver was started with. */
dae_status dae_solver_check_parameters(dae_solver *solver);

/* step_to_event.c: the function dae_driver.step_to_event. */
dae_status dae_step_to_event(dae_solver *solver, double a, const double *begin, double t, double *u);

/* watching.c: the function dae_solver_watch without its checks (entry.c). */
dae_status dae_driver_watch(dae_solver *solver, const dae_watch *watch);

/* entry.c: status, or DAE_BAD_ARGUMENT where a function has asked amid the run to free what it uses. */
dae_status dae_told_refusals(dae_system *sys, dae_status status, dae_report *report);

/* watching.c: remove all event functions. */
void dae_stop_watching(dae_solver *solver);

#endif
