/* event_numbers.h - an entry of a record's events may stand for many, numbered from 0 */
#ifndef DAE_EVENT_NUMBERS_H
#define DAE_EVENT_NUMBERS_H

#include "daelab/problem.h"

/* The events of one entry, of a problem with so many copies. */
static inline long dae_event_total(const dae_event *entry, int copies)
{
    const long count = entry->count > 0 ? entry->count : 1;
    return entry->per_copy ? count * copies : count;
}

/* The events of all entries. */
static inline long dae_count_events(const dae_event *entries, int copies)
{
    long sum = 0;
    for (const dae_event *e = entries; e && e->name; e++)
        sum += dae_event_total(e, copies);
    return sum;
}

/* 1 where they are named "name[k]". */
static inline int dae_event_is_numbered(const dae_event *entry)
{
    return entry->count > 1 || entry->per_copy != 0;
}

#endif
