/* event_cache.h - references through events kept on disk */
#ifndef DAELAB_EVENT_CACHE_H
#define DAELAB_EVENT_CACHE_H

#include <daelab/event_reference.h>

/* As dae_event_reference_solve, but looked up first, and kept afterwards, as dae_cached_reference does. sys is a
 * system of the problem with these parameters. */
dae_status dae_cached_event_reference(dae_event_reference *reference, dae_system *sys, const double *times,
                                      int count, const dae_reference_watch *watch, int *from_cache,
                                      dae_report *report);

#endif
