/* consistent.h - consistent initial values, by levels: positions, velocities, first order */
#ifndef DAE_CONSISTENT_H
#define DAE_CONSISTENT_H

#include "system/system.h"

/* Move u[n] to the nearest state that satisfies the algebraic equations at t; relative as in
 * dae_start_change. */
dae_status dae_start_first_order(dae_system *sys, double t, double *u, double *relative,
                                 dae_report *report);

/* Move q[nq] to the nearest positions on g(t, q) = 0, v[nq] to the nearest velocities with dg/dt(t,
 * q, v) = 0, both in the norm of M. Values that satisfy their equations to rounding are not changed. */
dae_status dae_start_positions(dae_system *sys, double t, double *q, dae_report *report);
dae_status dae_start_velocities(dae_system *sys, double t, const double *q, double *v,
                                dae_report *report);

/* Both for (q, v), which then has minimal coordinates. change may be NULL. After a failure (q, v) is
 * unchanged. */
dae_status dae_start_state(dae_system *sys, double t, double *q, double *v,
                           dae_start_change *change, dae_report *report);

/* start_change.c. change_between: the largest changes from before[n] to after[n], for each class of unknown.
 * change_measure: for mechanical problems, change->relative of the change from q0 to (q, v). */
dae_start_change dae_change_between(int n, const dae_class *classes, const double *before,
                                    const double *after);
dae_status dae_change_measure(dae_system *sys, double t, const double *q0, const double *q,
                              const double *v, dae_start_change *change, dae_report *report);

/* As dae_consistent_start, where a run goes on after an event. There may be thousands: without hidden,
 * derivatives of constraints of first order, which take steps in quad precision, are left to the method's next step. */
dae_status dae_consistent_entry(dae_system *sys, double t, double *u, int hidden, dae_start_change *change,
                                dae_report *report);

/* hidden.c. u[n] := the start of a first-order problem of index 2 and above that satisfies its hidden constraints too;
 * what does so to rounding is left bit for bit, and all of it where *open := 1: they have not been solved (more
 * than 30 unknowns, no functions in quad precision, or steps that do not agree). relative as in
 * dae_start_change. DAE_NO_MEMORY. */
dae_status dae_start_hidden(dae_system *sys, double t, double *u, double *relative, int *open, dae_report *report);

/* start_tangent.c: d_moved[2 nq], the derivative of the consistent (q, v) nearest to given[2 nq] along (dt, d_given,
 * dp), where moved[2 nq] is that. DAE_SINGULAR where it is not determined. */
dae_status dae_start_state_along(dae_system *s, double t, double dt, const double *dp, const double *given,
                                 const double *d_given, const double *moved, double *d_moved, dae_report *report);

#endif
