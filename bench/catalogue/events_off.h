/* events_off.h - a problem as if it had no events: the equations of the mode that it starts in, throughout */
#ifndef DAELAB_EVENTS_OFF_H
#define DAELAB_EVENTS_OFF_H

#include <daelab/problem.h>

#include <stddef.h>

/* A copy without events and modes, the same one each time; a problem that has none is answered as it is. */
const dae_problem *events_off(const dae_problem *problem);

/* The problem with its events, of one that events_off has answered; NULL of any other. */
const dae_problem *events_off_origin(const dae_problem *problem);

/* text := which events a run of such a copy leaves out; 0 where the problem is none. */
int events_off_words(const dae_problem *problem, char *text, size_t length);

#endif
