/* event_numbers.c - how many events an entry of a record stands for */
#include "event_numbers.h"

#include "base/no_fast_math.h"

long dae_event_total(const dae_event *entry, int copies)
{
    const long count = entry->count > 0 ? entry->count : 1;
    return entry->per_copy ? count * copies : count;
}

int dae_event_is_numbered(const dae_event *entry)
{
    return entry->count > 1 || entry->per_copy != 0;
}

long dae_count_events(const dae_event *entries, int copies)
{
    long sum = 0;
    for (const dae_event *e = entries; e && e->name; e++)
        sum += dae_event_total(e, copies);
    return sum;
}
