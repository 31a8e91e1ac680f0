/* run_measure.h - what a run is compared with, for run.c */
#ifndef DAELAB_RUN_MEASURE_H
#define DAELAB_RUN_MEASURE_H

#include "run/run.h"

/* The time of sample k = 1, ..., RUN_SAMPLES; the last one is t_end. */
double run_sample_time(const study *s, int k);

/* All errors of r are not known yet. */
void run_clear(run_result *r);

/* How the run ended: a status that is not 0 with its message; stopped by nobody but the limit of the study. */
void run_note_end(const study *s, dae_status status, const char *message, run_result *r);

/* The largest values that a monitor has seen. */
void run_note_drift(const monitor *m, run_result *r);

/* r->values[k] gets x[count], times a factor, behind what it has. */
void run_keep_values(run_result *r, int k, const double *x, int count, double factor);

/* r->values from the state u at t, by class; DAE_SINGULAR where minimal coordinates have no accelerations. */
dae_status run_keep(run_result *r, dae_system *sys, double t, const double *u);

/* The errors of r->values against row number k of a reference. */
void run_measure(const study *s, const dae_reference *reference, int k, run_result *r,
                 dae_system *sys);

/* Every second unknown a unit in its last place up, the others down; 0 stays. */
void run_change_last_bits(int n, double *u);

/* Where the study samples the path, twice more from u0: r->path where the samples lie at ends of
 * steps, and r->noise. u[n] is overwritten. */
dae_status run_sample(const study *s, dae_solver *solver, run_derivatives *along, dae_system *sys,
                      const double *u0, double *u, run_result *r);

#endif
