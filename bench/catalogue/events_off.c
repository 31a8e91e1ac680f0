#include "catalogue/events_off.h"

#include "catalogue/start_set.h"
#include "host/allocate.h"

#include <stdio.h>
#include <string.h>

/* Those asked for so far, while the program runs */
typedef struct kept {
    dae_problem record;
    const dae_problem *origin;
    struct kept *next;
} kept;
static kept *first;

const dae_problem *events_off(const dae_problem *problem)
{
    if (!problem->events && !problem->modes)
        return problem;
    for (const kept *k = first; k; k = k->next)
        if (k->origin == problem)
            return &k->record;
    kept *k = allocate(1, sizeof *k);
    *k = (kept){.record = *problem, .origin = problem, .next = first};
    k->record.events = NULL;
    k->record.modes = NULL;
    first = k;
    return &k->record;
}

const dae_problem *events_off_origin(const dae_problem *problem)
{
    problem = start_set_origin(problem);
    for (const kept *k = first; k; k = k->next)
        if (&k->record == problem)
            return k->origin;
    return NULL;
}

static int acts(const dae_event *e)
{
    return e->action.f || e->mode || e->limit;
}

/* The names of events that act, or of all; how many there are. */
static int names(const dae_event *events, int acting, char *text, size_t length)
{
    int count = 0;
    text[0] = 0;
    for (const dae_event *e = events; e && e->name; e++)
        if (!acting || acts(e)) {
            const size_t end = strlen(text);
            snprintf(text + end, length - end, "%s%s", count++ ? ", " : "", e->name);
        }
    return count;
}

int events_off_words(const dae_problem *problem, char *text, size_t length)
{
    const dae_problem *origin = events_off_origin(problem);
    char list[512];
    if (!origin)
        return 0;
    const int acting = names(origin->events, 1, list, sizeof list);
    if (acting) {
        snprintf(text, length, "events are off: %s %s the state and the mode as they are, which makes it "
                 "another problem", list, acting > 1 ? "leave" : "leaves");
        return 1;
    }
    const int all = names(origin->events, 0, list, sizeof list);
    if (all)
        snprintf(text, length, "events are off: %s %s not looked for", list, all > 1 ? "are" : "is");
    else
        snprintf(text, length, "events are off");
    return 1;
}
