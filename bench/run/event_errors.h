/* event_errors.h - the events of a run against those of its reference, for run_hybrid.c */
#ifndef DAELAB_EVENT_ERRORS_H
#define DAELAB_EVENT_ERRORS_H

#include "run/run.h"

#include <daelab/hybrid.h>

/* r->events := those of a run that is over, and their errors where the study has a reference. Where it has others
 * than this, or ends before them, r->outcome and r->message say so. 0 where the classes of a mode's unknowns
 * cannot be known. */
int event_errors(const study *s, dae_hybrid *run, run_result *r);

/* r->events.noise, after_noise: by what the same run with other roundings differs. */
void event_noise(dae_hybrid *run, dae_hybrid *other, run_result *r);

#endif
