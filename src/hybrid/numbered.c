/* numbered.c - the events of a mode one by one, where an entry of the record stands for many */
#include "hybrid.h"

#include "system/event_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 16 };                   /* of "[k]" and its end */

/* Room for name and title of each event of an entry. */
static size_t length_of(const dae_event *e)
{
    return strlen(e->name) + (e->title ? strlen(e->title) : 0) + 2 * DIGITS;
}

static size_t count_text(const dae_event *entries, int copies)
{
    size_t sum = 0;
    for (const dae_event *e = entries; e && e->name; e++)
        if (dae_event_is_numbered(e))
            sum += (size_t)dae_event_total(e, copies) * length_of(e);
    return sum;
}

/* "text[k]" at *room, which moves behind it. */
static const char *numbered(const char *text, int k, char **room)
{
    char *begin = *room;
    if (!text)
        return NULL;
    *room += sprintf(begin, "%s[%d]", text, k) + 1;
    return begin;
}

static void list_entry(const dae_event *e, int total, dae_numbered_event *list, char **room)
{
    const int many = dae_event_is_numbered(e);
    for (int k = 0; k < total; k++)
        list[k] = (dae_numbered_event){.entry = e, .k = k,
                                       .name = many ? numbered(e->name, k, room) : e->name,
                                       .title = many ? numbered(e->title, k, room) : e->title};
}

dae_status dae_hybrid_list_events(dae_mode *mode, int copies, dae_report *report)
{
    const dae_event *entries = mode->problem.events;
    const long count = dae_count_events(entries, copies);
    if (count > DAE_MOST_EVENTS)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %ld events of %d copies are more than %d", mode->name,
                        count, copies, (int)DAE_MOST_EVENTS);
    mode->event = calloc((size_t)count + 1, sizeof *mode->event);
    mode->texts = calloc(count_text(entries, copies) + 1, 1);
    if (!mode->event || !mode->texts)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %ld events of %s", count, mode->name);
    char *room = mode->texts;
    for (const dae_event *e = entries; e && e->name; e++) {
        const int total = (int)dae_event_total(e, copies);
        list_entry(e, total, mode->event + mode->events, &room);
        mode->events += total;
    }
    return DAE_OK;
}
