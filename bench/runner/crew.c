#include "runner/crew.h"

#include "output/json_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dae_status crew_join(crew *c, dae_report *report)
{
    *c = (crew){.link = NULL};
    const dae_status status = ranks_join(&c->link, &c->place, report);
    if (status || !c->link)
        return status;
    c->slots = calloc((size_t)c->place.size, sizeof *c->slots);
    c->busy = calloc((size_t)c->place.size, sizeof *c->busy);
    return c->slots && c->busy ? DAE_OK : dae_fail(report, DAE_NO_MEMORY, "no memory for %d ranks", c->place.size);
}

int crew_follows(const crew *c) { return c->link && c->place.rank > 0; }

static void tell_all(const crew *c, const char *text)
{
    for (int k = 1; c->link && k < c->place.size; k++)
        c->link->send(k, text);
}

void crew_tell(const crew *c, const record *one)
{
    char *line = c->link ? record_line(one) : NULL;
    if (line)
        tell_all(c, line);
    free(line);
}

void crew_stop(const crew *c) { tell_all(c, "{\"stop\":1}"); }

int crew_give(crew *c, int number)
{
    char text[64];
    snprintf(text, sizeof text, "{\"job\":%d}", number);
    for (int k = 1; c->link && k < c->place.size; k++)
        if (c->busy[k] < c->slots[k] && c->link->send(k, text)) {
            c->busy[k]++;
            return 1;
        }
    return 0;
}

int crew_busy(const crew *c)
{
    int busy = 0;
    for (int k = 1; c->link && k < c->place.size; k++)
        busy += c->busy[k];
    return busy;
}

void crew_send_record(const crew *c, const record *one)
{
    char *line = record_line(one);
    if (line)
        c->link->send(0, line);
    free(line);
}

void crew_send_done(const crew *c, int number, int died)
{
    char text[64];
    snprintf(text, sizeof text, "{\"done\":%d,\"died\":%d}", number, died);
    c->link->send(0, text);
}

void crew_send_slots(const crew *c, int slots)
{
    char text[64];
    snprintf(text, sizeof text, "{\"slots\":%d}", slots);
    c->link->send(0, text);
}

static int number_in(const json_t *message, const char *name)
{
    return (int)json_integer_value(json_object_get(message, name));
}

static void hear(crew *c, int from, const json_t *message, const crew_ear *ear)
{
    record one;
    if (json_object_get(message, "job")) {
        ear->job(ear->context, number_in(message, "job"));
    } else if (json_object_get(message, "done")) {
        c->busy[from]--;
        ear->done(ear->context, number_in(message, "done"), number_in(message, "died"));
    } else if (json_object_get(message, "slots")) {
        c->slots[from] = number_in(message, "slots");
    } else if (json_object_get(message, "stop")) {
        c->stopped = 1;
    } else if (json_object_get(message, "over")) {
        c->over = 1;
    } else if (record_from(message, &one)) {
        ear->record(ear->context, &one);
    }
}

int crew_listen(crew *c, const crew_ear *ear)
{
    int from;
    char *text = c->link ? c->link->receive(&from) : NULL;
    if (!text)
        return 0;
    json_t *message = json_file_read(text, strlen(text));
    hear(c, from, message, ear);
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
    free(c->slots);
    free(c->busy);
    *c = (crew){.link = NULL};
}
