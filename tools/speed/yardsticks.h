/* yardsticks.h - comparisons of this library with plain programs for the same work
 *
 * A yardstick is one file. It says what it compares, sees that all subjects arrive at the same result, runs them in
 * rounds (rounds.h), prints times, ratios and counts on standard output, and returns 1; or 0, with the reason on
 * standard error, where something failed or results do not agree.
 */
#ifndef DAELAB_SPEED_YARDSTICKS_H
#define DAELAB_SPEED_YARDSTICKS_H

#include <daelab/problem.h>

/* A shipped problem; NULL, and a sentence on standard error, where there is none of that name. */
const dae_problem *speed_problem(const char *name);

int speed_cros(int rounds);
int speed_dop853(int rounds);
int speed_ida(int rounds);
int speed_oneshot(int rounds);

#endif
