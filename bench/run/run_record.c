#include "run/run_record.h"

#include "host/allocate.h"

#define DOUBLE(member) FIELD_AT(run_result, member, FIELD_DOUBLE)
#define DOUBLES(member) FIELD_ARRAY(run_result, member, FIELD_DOUBLE)
#define INT(member) FIELD_AT(run_result, member, FIELD_INT)

const field_place run_result_fields[] = {
    INT(status), INT(outcome), FIELD_ARRAY(run_result, message, FIELD_TEXT),
    DOUBLE(step), DOUBLE(rtol), DOUBLE(t_reached),
    DOUBLES(error), DOUBLES(scale), DOUBLES(norm), DOUBLES(path), DOUBLES(noise), DOUBLE(unit),
    DOUBLES(path_scale), DOUBLES(relative), DOUBLES(mixed),
    DOUBLES(drift), DOUBLE(energy), DOUBLE(invariant), DOUBLE(seconds),
#define DAE_STATISTIC(type, name, kind, title, meaning) FIELD_COUNT(run_result, name, type)
#include <daelab/statistics.def>
#undef DAE_STATISTIC
    DOUBLE(start.position), DOUBLE(start.velocity), DOUBLE(start.multiplier), INT(start.changed),
    DOUBLE(start.relative), INT(start.open),
    INT(lost.found), DOUBLE(lost.t), INT(lost.rows), FIELD_ARRAY(run_result, lost.which, FIELD_TEXT),
    DOUBLE(lost.distance), INT(jacobian), INT(linear), FIELD_ARRAY(run_result, length, FIELD_INT),
    INT(events.count), INT(events.compared), DOUBLE(events.error), DOUBLE(events.norm), DOUBLE(events.noise),
    DOUBLES(events.after), DOUBLES(events.after_norm), DOUBLES(events.after_noise), DOUBLES(events.after_scale),
    {NULL, FIELD_END, 0, 0}};

const field_place run_event_fields[] = {
    FIELD_ARRAY(run_event, name, FIELD_TEXT), FIELD_AT(run_event, from, FIELD_INT), FIELD_AT(run_event, to, FIELD_INT),
    FIELD_AT(run_event, t, FIELD_DOUBLE), FIELD_AT(run_event, t_error, FIELD_DOUBLE),
    FIELD_ARRAY(run_event, error, FIELD_DOUBLE), {NULL, FIELD_END, 0, 0}};

const field_place monitor_fields[] = {
    FIELD_AT(monitor, nq, FIELD_INT), FIELD_AT(monitor, nl, FIELD_INT),
    FIELD_ARRAY(monitor, largest, FIELD_DOUBLE), FIELD_ARRAY(monitor, at, FIELD_DOUBLE),
    FIELD_ARRAY(monitor, rounding, FIELD_DOUBLE),
    FIELD_AT(monitor, count, FIELD_INT), FIELD_AT(monitor, t0, FIELD_DOUBLE), FIELD_AT(monitor, t_end, FIELD_DOUBLE),
    FIELD_AT(monitor, has_energy, FIELD_INT), {NULL, FIELD_END, 0, 0}};

enum { CURVES = (SERIES + 1) * SERIES_POINTS };         /* times, and values of each series, behind each other */

json_t *run_write(const run_result *r, const monitor *m, int curves)
{
    json_t *record = field_write(run_result_fields, r), *values = json_array(), *events = json_array();
    for (int c = 0; c < RUN_CLASSES; c++)
        json_array_append_new(values, r->values[c] ? field_numbers(r->values[c], r->length[c]) : json_null());
    for (int k = 0; k < r->events.count; k++)
        json_array_append_new(events, field_write(run_event_fields, &r->events.at[k]));
    json_object_set_new(record, "values", values);
    json_object_set_new(record, "events", events);
    if (m)
        json_object_set_new(record, "monitor", field_write(monitor_fields, m));
    if (m && m->t && curves)
        json_object_set_new(record, "curves", field_numbers(m->t, CURVES));
    return record;
}

int run_read(const json_t *record, run_result *r, monitor *m, int curves)
{
    const json_t *values = json_object_get(record, "values"), *events = json_object_get(record, "events");
    *r = (run_result){.status = DAE_OK};
    if (m)
        *m = (monitor){.t = NULL};
    if (!record)
        return 0;
    field_read(run_result_fields, record, r);
    for (int c = 0; c < RUN_CLASSES; c++)
        if (!json_is_null(json_array_get(values, (size_t)c))) {
            r->values[c] = allocate((size_t)r->length[c], sizeof *r->values[c]);
            field_numbers_at(json_array_get(values, (size_t)c), r->values[c], r->length[c]);
        }
    r->events.at = allocate((size_t)r->events.count, sizeof *r->events.at);
    for (int k = 0; k < r->events.count; k++)
        field_read(run_event_fields, json_array_get(events, (size_t)k), &r->events.at[k]);
    if (m)
        field_read(monitor_fields, json_object_get(record, "monitor"), m);
    if (m && curves && json_object_get(record, "curves")) {
        monitor_hold(m);
        field_numbers_at(json_object_get(record, "curves"), m->t, CURVES);
    }
    return 1;
}
