/* yardsticks.h - comparisons of this library with plain programs for the same work
 *
 * A yardstick is one file. It says what it compares, sees that all subjects arrive at the same result, runs them in
 * rounds (rounds.h), prints times, ratios and counts on standard output, and returns 1; or 0, with the reason on
 * standard error, where something failed or results do not agree.
 */
#ifndef DAELAB_SPEED_YARDSTICKS_H
#define DAELAB_SPEED_YARDSTICKS_H

#include <daelab/daelab.h>
#include <daelab/problem.h>

/* This library's side: a shipped problem in a formulation, by a method. */
typedef struct { dae_system *sys; dae_solver *solver; } speed_library;

/* A shipped problem; NULL, and a sentence on standard error, where there is none of that name. */
const dae_problem *speed_problem(const char *name);

/* 0, and a sentence on standard error, where it cannot be made; closed in any case. */
int speed_open(speed_library *l, const char *problem, const char *form, const char *method, const dae_options *options);
void speed_close(speed_library *l);

/* From t = 0 to t_end; 0: a step failed. */
int speed_solve(const speed_library *l, const double *start, double t_end, double *end);

int speed_cros(int rounds);
int speed_derivatives(int rounds);
int speed_dop853(int rounds);
int speed_ida(int rounds);
int speed_oneshot(int rounds);

#endif
