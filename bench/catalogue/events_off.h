/* events_off.h - a problem as if it had no events: the equations of the mode that it starts in, throughout */
#ifndef DAELAB_EVENTS_OFF_H
#define DAELAB_EVENTS_OFF_H

#include <daelab/problem.h>

#include <stddef.h>

/* The problem without events and modes, the same record each time; one that has none is itself. */
const dae_problem *events_off(const dae_problem *problem);

/* The problem with its events, of one that events_off has answered; NULL of any other. */
const dae_problem *events_off_origin(const dae_problem *problem);

/* What such a run leaves out, in words; 0 where it leaves out nothing. */
int events_off_words(const dae_problem *problem, char *text, size_t length);

#endif
