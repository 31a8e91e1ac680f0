/* consistent.h - the levels of a consistent start */
#ifndef DAE_CONSISTENT_H
#define DAE_CONSISTENT_H

#include "system/system.h"

/* Move u[n] to the nearest state that satisfies the algebraic equations at t; relative as in
 * dae_start_change. */
dae_status dae_start_first_order(dae_system *sys, double t, double *u, double *relative,
                                 dae_report *report);

/* Move q[nq] to the nearest positions on g(t, q) = 0, v[nq] to the nearest velocities with dg/dt(t,
 * q, v) = 0, both in the norm of M. What holds to rounding is left as it is. */
dae_status dae_start_positions(dae_system *sys, double t, double *q, dae_report *report);
dae_status dae_start_velocities(dae_system *sys, double t, const double *q, double *v,
                                dae_report *report);

/* Both, from (q, v) in place: a state that minimal coordinates can express. change may be NULL; u
 * is as it was after a failure. */
dae_status dae_start_state(dae_system *sys, double t, double *q, double *v,
                           dae_start_change *change, dae_report *report);

/* start_change.c. The largest changes from before[n] to after[n] of each kind; and, of mechanical
 * problems, change->relative of the move from q0 to (q, v). */
dae_start_change dae_change_between(int n, const dae_class *classes, const double *before,
                                    const double *after);
dae_status dae_change_measure(dae_system *sys, double t, const double *q0, const double *q,
                              const double *v, dae_start_change *change, dae_report *report);

#endif
