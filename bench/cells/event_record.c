#include "cells/event_record.h"

#include "cache/fingerprint.h"
#include "cells/quads.h"

#include <stdlib.h>
#include <string.h>

#define DOUBLE(member) FIELD_AT(run_events, member, FIELD_DOUBLE)
#define DOUBLES(member) FIELD_ARRAY(run_events, member, FIELD_DOUBLE)

const field_place run_events_fields[] = {
    FIELD_AT(run_events, count, FIELD_INT), FIELD_AT(run_events, compared, FIELD_INT), DOUBLE(error), DOUBLE(norm),
    DOUBLE(noise), DOUBLES(after), DOUBLES(after_norm), DOUBLES(after_noise), DOUBLES(after_scale),
    {NULL, FIELD_END, 0, 0}};

#undef DOUBLE
#undef DOUBLES

const field_place run_event_fields[] = {
    FIELD_ARRAY(run_event, name, FIELD_TEXT), FIELD_AT(run_event, from, FIELD_INT), FIELD_AT(run_event, to, FIELD_INT),
    FIELD_AT(run_event, t, FIELD_DOUBLE), FIELD_AT(run_event, t_error, FIELD_DOUBLE),
    FIELD_ARRAY(run_event, error, FIELD_DOUBLE),
    {NULL, FIELD_END, 0, 0}};

/* ---- events of a run ---------------------------------------------------------------------- */

json_t *run_events_write(const run_events *e)
{
    json_t *object = json_object(), *list = json_array();
    int good = list && field_write(run_events_fields, e, object);
    for (int k = 0; good && k < e->count; k++) {
        json_t *one = json_object();
        good = field_write(run_event_fields, &e->at[k], one);
        good = json_array_append_new(list, one) == 0 && good;
    }
    good = json_object_set_new(object, "list", list) == 0 && good;
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

int run_events_read(const json_t *object, run_events *e)
{
    const json_t *list = json_object_get(object, "list");
    if (!field_read(run_events_fields, object, e) || !json_is_array(list) || e->count < 0
        || json_array_size(list) != (size_t)e->count) {
        e->at = NULL;
        return 0;
    }
    e->at = calloc((size_t)e->count + 1, sizeof *e->at);
    int good = e->at != NULL;
    for (int k = 0; good && k < e->count; k++)
        good = field_read(run_event_fields, json_array_get(list, (size_t)k), &e->at[k]);
    return good;
}

/* ---- references --------------------------------------------------------------------------- */

/* Numbers and name of an event; its states stand elsewhere. */
static json_t *event_json(const dae_reference_event *e)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:o}", "name", e->name, "number", e->number, "direction",
                     e->direction, "from", e->from, "to", e->to, "t", quads_json(&e->t, 1));
}

json_t *event_reference_json(const dae_event_reference *r)
{
    const size_t rows = (size_t)r->count * (size_t)r->width, states = 2 * (size_t)r->events * (size_t)r->width;
    json_t *events = json_array(), *modes = json_array();
    int good = events && modes;
    for (int k = 0; good && k < r->events; k++)
        good = json_array_append_new(events, event_json(&r->event[k])) == 0;
    for (int k = 0; good && k < r->count; k++)
        good = json_array_append_new(modes, json_integer(r->mode[k])) == 0;
    json_t *tree = json_pack("{s:i, s:i, s:i, s:o, s:s, s:o, s:o, s:o, s:o}", "size", r->size, "width", r->width,
                             "ended", r->ended, "digits", field_number(r->digits), "source", r->source, "modes", modes,
                             "x", quads_json(r->x, rows), "events", events, "states", quads_json(r->states, states));
    if (good && tree)
        return tree;
    json_decref(tree);
    return NULL;
}

static const char *source_named(const char *name)
{
    const char *source = NULL;
    for (int i = 0; name && (source = dae_reference_source(i)); i++)
        if (strcmp(source, name) == 0)
            break;
    return source;
}

static int read_numbers(const json_t *tree, dae_event_reference *r)
{
    const size_t rows = (size_t)r->count * (size_t)r->width, states = 2 * (size_t)r->events * (size_t)r->width;
    const json_t *modes = json_object_get(tree, "modes");
    r->mode = calloc((size_t)r->count + 1, sizeof *r->mode);
    r->event = calloc((size_t)r->events + 1, sizeof *r->event);
    r->x = quads_from(json_object_get(tree, "x"), rows);
    r->states = quads_from(json_object_get(tree, "states"), states);
    for (int k = 0; r->mode && k < r->count; k++)
        r->mode[k] = (int)json_integer_value(json_array_get(modes, (size_t)k));
    return r->mode && r->event && r->x && r->states;
}

static size_t length_of_names(const json_t *events)
{
    size_t length = 1;
    for (size_t k = 0; k < json_array_size(events); k++)
        length += json_string_length(json_object_get(json_array_get(events, k), "name")) + 1;
    return length;
}

static int read_event(const json_t *of, dae_reference_event *e, char **at)
{
    const char *name = json_string_value(json_object_get(of, "name"));
    dae_quad *t = quads_from(json_object_get(of, "t"), 1);
    if (!name || !t) {
        free(t);
        return 0;
    }
    e->name = strcpy(*at, name);
    *at += strlen(name) + 1;
    e->number = (int)json_integer_value(json_object_get(of, "number"));
    e->direction = (int)json_integer_value(json_object_get(of, "direction"));
    e->from = (int)json_integer_value(json_object_get(of, "from"));
    e->to = (int)json_integer_value(json_object_get(of, "to"));
    e->t = *t;
    free(t);
    return 1;
}

static int read_events(const json_t *events, dae_event_reference *r)
{
    char *at = r->names = calloc(length_of_names(events), 1);
    for (int k = 0; at && k < r->events; k++) {
        r->event[k].before = r->states + (size_t)k * (size_t)r->width;
        r->event[k].after = r->states + (size_t)(r->events + k) * (size_t)r->width;
        if (!read_event(json_array_get(events, (size_t)k), &r->event[k], &at))
            return 0;
    }
    return at != NULL;
}

int event_reference_from(const json_t *tree, dae_event_reference *r)
{
    const json_t *events = json_object_get(tree, "events"), *modes = json_object_get(tree, "modes");
    *r = (dae_event_reference){.size = (int)json_integer_value(json_object_get(tree, "size")),
                               .width = (int)json_integer_value(json_object_get(tree, "width")),
                               .ended = (int)json_integer_value(json_object_get(tree, "ended")),
                               .count = (int)json_array_size(modes), .events = (int)json_array_size(events),
                               .source = source_named(json_string_value(json_object_get(tree, "source")))};
    if (r->size > 0 && r->width >= r->size && json_is_array(events) && json_is_array(modes)
        && field_number_at(json_object_get(tree, "digits"), &r->digits) && read_numbers(tree, r)
        && read_events(events, r))
        return 1;
    dae_event_reference_free(r);
    return 0;
}

uint64_t event_reference_hash(const dae_event_reference *r)
{
    const size_t width = (size_t)r->width;
    uint64_t hash = fnv_1a(FNV_START, r->x, (size_t)r->count * width * sizeof *r->x);
    hash = fnv_1a(hash, r->states, 2 * (size_t)r->events * width * sizeof *r->states);
    for (int k = 0; k < r->events; k++)
        hash = fnv_1a(hash, &r->event[k].t, sizeof r->event[k].t);
    return hash;
}
