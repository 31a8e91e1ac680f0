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

/* steps.c: the state becomes u[n] at t, at or behind the present time, without a step; observers are told. */
dae_status dae_solver_jump(dae_solver *solver, double t, const double *u);

/* find_jump.c: 1 where F(., u) at the solver's u jumps, or bends, in [a, b]; then it does so between *before and
 * *behind. */
int dae_find_jump(dae_solver *solver, double a, double b, double *before, double *behind);

/* cross.c, of first-order problems with algebraic equations; nothing without. start: at a start. stop: where steps on
 * the way to t_end have to end for a jump. sudden: has the step just tried moved an algebraic unknown as none
 * before? kept: after an accepted step. rejected: after one that was not; 1 where that is so often that F
 * should be looked at. look: 1 where F jumps in the last step or before t_end; then stop says where.
 * go: at that time, to behind the jump. again: the method begins at (t, u). explain: status of a run that
 * gave up, or where that is for a jump with nothing behind it, the reason. */
dae_status dae_crossing_create(dae_solver *solver);
void dae_crossing_start(dae_solver *solver);
double dae_crossing_stop(const dae_solver *solver, double t_end);
int dae_crossing_sudden(dae_solver *solver);
void dae_crossing_kept(dae_solver *solver);
int dae_crossing_rejected(dae_solver *solver);
int dae_crossing_look(dae_solver *solver, double t_end);
dae_status dae_crossing_go(dae_solver *solver);
dae_status dae_crossing_again(dae_solver *solver);
dae_status dae_crossing_explain(dae_solver *solver, dae_status status);

/* watching.c: the function dae_solver_watch without its checks (entry.c). */
dae_status dae_driver_watch(dae_solver *solver, const dae_watch *watch);

/* entry.c: status, or DAE_BAD_ARGUMENT where a function has asked amid the run to free what it uses. */
dae_status dae_told_refusals(dae_system *sys, dae_status status, dae_report *report);

/* watching.c: remove all event functions. */
void dae_stop_watching(dae_solver *solver);

#endif
