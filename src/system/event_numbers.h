/* event_numbers.h - an entry of a record's events may stand for many, numbered from 0 */
#ifndef DAE_EVENT_NUMBERS_H
#define DAE_EVENT_NUMBERS_H

#include "daelab/problem.h"

/* The events of one entry, of all entries, of a problem with so many copies. */
long dae_event_total(const dae_event *entry, int copies);
long dae_count_events(const dae_event *entries, int copies);

/* 1 where they are named "name[k]". */
int dae_event_is_numbered(const dae_event *entry);

#endif
