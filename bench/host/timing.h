/* timing.h - clocks, and one timed run of a solver */
#ifndef DAELAB_TIMING_H
#define DAELAB_TIMING_H

#include "daelab/hybrid.h"
#include "daelab/sensitivity.h"

#include <time.h>

double seconds_of(clockid_t clock);

/* Timed is dae_solver_start at (t0, u0), and of derivatives along it (NULL: none), and dae_solver_advance to t_end;
 * u := the state there. */
dae_status timed_run(dae_solver *solver, dae_sensitivity *along, const double *from, double t0, const double *u0,
                     double t_end, double *u, double *seconds);

/* The same of a run with events, from the problem's start; timed from where it is consistent. An event that ends it
 * is no failure. */
dae_status timed_hybrid(dae_hybrid *run, int as_given, double t_end, double *seconds);

#endif
