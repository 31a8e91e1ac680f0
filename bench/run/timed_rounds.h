/* timed_rounds.h - points of a study that are timed in turn, round after round
 *
 * A processor has more than one speed, and other work to do: two points that are timed minutes apart cannot be
 * compared. So every point is run in every round, forth and back in turn, and ratios are taken between times of the
 * same round. A round is one cell of the runner: it is made by one process in one piece, or again. What one process
 * differs from another by is in the spread of the rounds.
 */
#ifndef DAELAB_TIMED_ROUNDS_H
#define DAELAB_TIMED_ROUNDS_H

#include "run/burst.h"

enum { ROUND_REASON = 256 };

typedef struct {
    const dae_formulation *form;
    const dae_method *method;
    double level;
    int rounds;                         /* in which it was to be timed; 0: not timed */
    timed_round *round;                 /* [rounds]; freed by the caller */
    char reason[ROUND_REASON];          /* why a round has no time of it; "": all have */
    int not_run;                        /* as the study was stopped before */
} timed_point;

typedef struct {
    int rounds;
    double seconds;                     /* of the repeats of a point in all rounds together, at least */
    double amount;                      /* of work in a round, for those who wait */
} timed_plan;

/* Times the points, count of them, which are known to run, in every round; NaN where a round could not be had, with the
 * reason. */
void timed_rounds_ask(study *s, timed_point **points, int count, const timed_plan *plan);

#endif
