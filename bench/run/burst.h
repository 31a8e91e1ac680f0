/* burst.h - a run that is made again and again on its solver, and timed */
#ifndef DAELAB_BURST_H
#define DAELAB_BURST_H

#include "run/fields.h"
#include "run/run.h"

/* What a point took in one round. */
typedef struct {
    double median, smallest, largest;   /* [s] of one run; NaN: not timed */
    double cpu;                         /* mean [s] of one run, all threads */
    int runs;                           /* how many were timed */
    int repeatable;                     /* all ended with the bits of the first */
} timed_round;

extern const field_place timed_round_fields[];

/* Repeats of a run at least, where that is not long beside the time of all. */
enum { BURST_FEW = 3 };

/* A round in which nothing was timed. */
timed_round timed_round_none(void);

/* Makes the run once, which is not timed but where it lasts long, and then again until the repeats, one at least, have
 * lasted for so many seconds. Timed are dae_solver_start and dae_solver_advance; nothing observes. Answers how the last
 * one ended, with why[length]. */
dae_status burst_run(const study *s, const dae_formulation *form, const dae_method *method, double level,
                     double seconds, timed_round *round, char *why, size_t length);

#endif
