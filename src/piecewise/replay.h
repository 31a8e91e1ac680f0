/* replay.h - the events that a scout has found, one after the other, in quad precision */
#ifndef DAE_REPLAY_H
#define DAE_REPLAY_H

#include "motion.h"

/* What one run answers. */
typedef struct {
    int events, count;          /* of the scout; rows at times */
    dae_quad *t;                /* [events] */
    dae_quad *before, *after;   /* [events x width] */
    int *mode;                  /* [times] of each row */
    dae_quad *x;                /* [times x width] */
    void *memory;
} dae_replay;

/* Room for the events of the scout and so many times; to be freed in any case. */
dae_status dae_replay_create(dae_replay *r, int events, int times, int width, dae_report *report);
void dae_replay_free(dae_replay *r);

/* From the start of the motion to the last of the times [count], or to the event that ends the run. */
dae_status dae_replay_run(dae_replay *r, dae_motion *motion, const dae_scout *scout, dae_motion_rule rule,
                          const double *times, int count);

#endif
