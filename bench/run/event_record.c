#include "run/event_record.h"


#include <stdlib.h>

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
