#include "pool/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dae_status crew_join(crew *c, dae_report *report)
{
    *c = (crew){.link = NULL};
    return ranks_join(&c->link, &c->place, report);
}

int crew_follows(const crew *c) { return c->link && c->place.rank > 0; }
int crew_takes(const crew *c, int number) { return !c->link || number % c->place.size == c->place.rank; }

static void tell_all(const crew *c, const char *text)
{
    for (int k = 1; c->link && k < c->place.size; k++)
        c->link->send(k, text);
}

static void send_line(const crew *c, const record *one, int all)
{
    if (!c->link)
        return;
    char *line = record_line(one);
    if (all)
        tell_all(c, line);
    else
        c->link->send(0, line);
    free(line);
}

void crew_tell(const crew *c, const record *one) { send_line(c, one, 1); }
void crew_send_record(const crew *c, const record *one) { send_line(c, one, 0); }
void crew_stop(const crew *c) { tell_all(c, "{\"stop\":1}"); }

void crew_go(crew *c)
{
    c->done = 0;
    tell_all(c, "{\"go\":1}");
}

void crew_send_done(crew *c)
{
    c->go = 0;
    c->link->send(0, "{\"done\":1}");
}

void crew_send_slots(const crew *c, int slots)
{
    char text[64];
    snprintf(text, sizeof text, "{\"slots\":%d}", slots);
    c->link->send(0, text);
}

int crew_is_through(const crew *c)
{
    return !c->link || (crew_follows(c) ? c->go : c->done == c->place.size - 1);
}

static void hear(crew *c, const json_t *message, void (*take)(void *context, record *r), void *context)
{
    record one;
    c->slots += (int)json_integer_value(json_object_get(message, "slots"));
    c->done += json_object_get(message, "done") != NULL;
    c->go |= json_object_get(message, "go") != NULL;
    c->stopped |= json_object_get(message, "stop") != NULL;
    c->over |= json_object_get(message, "over") != NULL;
    if (json_object_get(message, "cell") && record_from(message, &one))
        take(context, &one);
}

int crew_listen(crew *c, void (*take)(void *context, record *r), void *context)
{
    int from;
    char *text = c->link ? c->link->receive(&from) : NULL;
    if (!text)
        return 0;
    json_t *message = json_loads(text, 0, NULL);
    hear(c, message, take, context);
    json_decref(message);
    free(text);
    return 1;
}

void crew_leave(crew *c)
{
    if (c->link && !crew_follows(c))
        tell_all(c, "{\"over\":1}");
    if (c->link)
        c->link->end();
    *c = (crew){.link = NULL};
}
