#include "event_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *name_of(const dae_subject *s)
{
    return s->mode == 0 && s->whole->mode ? s->whole->mode : s->problem.name;
}

static int is_mode(const dae_subject *modes, int count, const char *name)
{
    for (int m = 0; m < count; m++)
        if (modes[m].problem.name && strcmp(name_of(modes + m), name) == 0)
            return 1;
    return 0;
}

static void check_event(dae_subject *s, const dae_subject *modes, int count, int k)
{
    const dae_event *event = s->problem.events + k;
    const char *to[] = {event->mode, event->limit};
    char function[48];
    snprintf(function, sizeof function, "events.%s", event->name);
    for (int i = 0; i < 2; i++)
        if (to[i] && !is_mode(modes, count, to[i]))
            dae_subject_tell(s, 1, function, 0, NAN, NAN, "%s: event %s leads to a mode %s, which there is not",
                             s->name, event->name, to[i]);
}

void dae_check_events(dae_subject *modes, int count)
{
    for (int m = 0; m < count; m++) {
        const dae_event *events = modes[m].problem.events;
        for (int i = 0; i < m; i++)
            if (modes[m].problem.name && modes[i].problem.name
                && strcmp(name_of(modes + i), name_of(modes + m)) == 0)
                dae_subject_tell(modes + m, 1, "modes", m + 1, NAN, NAN, "%s: two modes are named %s",
                                 modes->whole->name, name_of(modes + m));
        for (int k = 0; events && events[k].name; k++)
            check_event(modes + m, modes, count, k);
    }
}
