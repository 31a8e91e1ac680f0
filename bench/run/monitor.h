/* monitor.h - watches a run: drift of the constraints, the balance of energy and the invariants,
 * against time, at the ends of steps; constraints in their middle, too
 *
 * balance(t) = H(t) - H(t0) - int_t0^t dH/dt(s, q(s), v(s)) ds, the second derivative explicit: the
 * energy minus the work that the change in time did; zero for the exact solution. The integral runs
 * over the quintic Hermite interpolant of (q, v, a) in each step with four Gauss points.
 * Of the invariants the largest |I(t) - I(t0)|/(1 + |I(t0)|).
 */
#ifndef DAELAB_MONITOR_H
#define DAELAB_MONITOR_H

#include "daelab/study.h"

/* |g|, |dg/dt|, |d2g/dt2|, balance, invariants */
enum { DRIFT_LEVELS = 3, DRIFT_ENERGY = DRIFT_LEVELS, DRIFT_INVARIANT, SERIES };

typedef struct {
    dae_system *sys;
    int nq, nl;
    double largest[SERIES];     /* NaN where it does not apply */
    double at[SERIES];          /* the time of it */
    double rounding[SERIES];    /* what last bits of the state make of it, at most; 0 where it does not apply */
    /* against time, thinned to at most SERIES_POINTS: the largest of each bucket */
    int count;
    double *t, *value[SERIES];
    double t0, t_end;
    /* the last accepted point and the balance so far */
    double t_last, energy0, work, balance;
    int has_energy;
    double *q, *v, *a, *lambda, *q_last, *v_last, *a_last, *constraint, *node;
    double *invariant, *invariant0, *drifted;   /* [invariants]; drifted: by how much at t_last */
    double *moved;                      /* [n] a state with other last bits, or what is computed of it */
    double next_look;                   /* the time from which rounding is looked at again */
    /* whose dense output is looked at in the middle of each step; NULL: the ends alone */
    dae_solver *solver;
    double t_seen, *inside;             /* the last accepted time; [n] */
} monitor;

enum { SERIES_POINTS = 1000 };

/* Room for what is against time, all of it NaN, in a monitor that holds a record and watches nothing. */
void monitor_hold(monitor *m);

void monitor_begin(monitor *m, dae_system *sys, double t0, double t_end, const double *u0);
void monitor_free(monitor *m);

/* An event has changed the state to u, and maybe the system: what it makes of energy and invariants is no drift. */
void monitor_go_on(monitor *m, dae_system *sys, dae_solver *solver, double t, const double *u);

/* The end of a step. */
void monitor_observe(monitor *m, double t, const double *u);

#endif
