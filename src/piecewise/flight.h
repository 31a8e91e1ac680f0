/* flight.h - from one event to the next: the passage located, and nothing else happening before it */
#ifndef DAE_FLIGHT_H
#define DAE_FLIGHT_H

#include "motion.h"

/* A piece without events in it. */
typedef struct {
    dae_motion *motion;
    double end;                 /* where the scout has the event, or where the run ends */
    double margin;              /* how wrong that may be */
    const int *passing;         /* [events of the mode] sign of those that pass there: -1, 1; 0: none */
    int passes;                 /* how many do; 0: the piece ends at end */
    const char *then;           /* the event there, for people */
} dae_flight;

/* The motion goes on to the event, or to the end of the piece, with rows[.. x width] at those of the times
 * [count] that come before it, or at the end of a piece without an event; *reached of them. DAE_NO_CONVERGENCE
 * where the event is not there in quad, where another one passes before, or where one comes so near to zero
 * that rounding decides. */
dae_status dae_flight_run(const dae_flight *flight, const double *times, int count, dae_quad *rows, int *reached);

#endif
