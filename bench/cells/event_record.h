/* event_record.h - the events of a run, and references through events, as JSON, and back to the same bits */
#ifndef DAELAB_EVENT_RECORD_H
#define DAELAB_EVENT_RECORD_H

#include "cells/fields.h"
#include "measure/run.h"

#include <stdint.h>

/* NULL where memory is short. */
json_t *run_events_write(const run_events *events);

/* 0 where it is no such object, or memory is short; what events->at holds then is to be freed, too. */
int run_events_read(const json_t *object, run_events *events);

/* A reference: NULL where memory is short; 0 where it is none, and then nothing is to be freed. */
json_t *event_reference_json(const dae_event_reference *reference);
int event_reference_from(const json_t *tree, dae_event_reference *reference);

/* Of all its numbers. */
uint64_t event_reference_hash(const dae_event_reference *reference);

/* Their fields but for the list. */
extern const field_place run_events_fields[], run_event_fields[];

#endif
