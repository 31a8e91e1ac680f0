/* event_record.h - the events of a run as JSON, and back to the same bits */
#ifndef DAELAB_EVENT_RECORD_H
#define DAELAB_EVENT_RECORD_H

#include "run/fields.h"
#include "run/run.h"

/* NULL where memory is short. */
json_t *run_events_write(const run_events *events);

/* 0 where it is no such object, or memory is short; what events->at holds then is to be freed, too. */
int run_events_read(const json_t *object, run_events *events);

/* Their fields but for the list. */
extern const field_place run_events_fields[], run_event_fields[];

#endif
