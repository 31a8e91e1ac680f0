#include "run/run_record.h"

#include "run/event_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    DOUBLE(lost.distance), INT(jacobian), INT(linear), INT(classes),
    {NULL, FIELD_END, 0, 0}};

#undef DOUBLE
#undef DOUBLES
#undef INT

const field_place monitor_fields[] = {
    FIELD_AT(monitor, nq, FIELD_INT), FIELD_AT(monitor, nl, FIELD_INT),
    FIELD_ARRAY(monitor, largest, FIELD_DOUBLE), FIELD_ARRAY(monitor, at, FIELD_DOUBLE),
    FIELD_ARRAY(monitor, rounding, FIELD_DOUBLE),
    FIELD_AT(monitor, failed, FIELD_INT), FIELD_AT(monitor, count, FIELD_INT),
    FIELD_AT(monitor, t0, FIELD_DOUBLE), FIELD_AT(monitor, t_end, FIELD_DOUBLE),
    FIELD_AT(monitor, has_energy, FIELD_INT),
    {NULL, FIELD_END, 0, 0}};

/* ---- end states --------------------------------------------------------------------------- */

static json_t *write_values(const run_result *r)
{
    json_t *list = json_array();
    for (int c = 0; c < DAE_CLASSES; c++)
        if (json_array_append_new(list, r->values[c] ? field_numbers(r->values[c], r->length[c])
                                                     : json_null())) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static int read_values(const json_t *list, run_result *r)
{
    int good = json_is_array(list) && json_array_size(list) == DAE_CLASSES;
    for (int c = 0; good && c < DAE_CLASSES; c++) {
        const json_t *values = json_array_get(list, (size_t)c);
        const size_t length = json_array_size(values);
        if (json_is_null(values))
            continue;
        r->values[c] = malloc((length ? length : 1) * sizeof *r->values[c]);
        r->length[c] = (int)length;
        good = r->values[c] && field_numbers_at(values, r->values[c], (int)length);
    }
    return good;
}

/* ---- drift -------------------------------------------------------------------------------- */

static json_t *write_monitor(const monitor *m, int curves)
{
    json_t *object = json_object();
    int good = field_write(monitor_fields, m, object);
    if (curves && m->t) {
        json_t *value = json_array();
        for (int k = 0; good && k < SERIES; k++)
            good = json_array_append_new(value, field_numbers(m->value[k], m->count)) == 0;
        good = json_object_set_new(object, "value", value) == 0 && good
               && json_object_set_new(object, "t", field_numbers(m->t, m->count)) == 0;
    }
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

static int read_curves(const json_t *object, monitor *m)
{
    const json_t *t = json_object_get(object, "t"), *value = json_object_get(object, "value");
    if (!t)
        return 1;                                       /* it failed before there were any */
    if (m->count < 0 || m->count > SERIES_POINTS || json_array_size(value) != SERIES || !monitor_hold(m))
        return 0;
    int good = field_numbers_at(t, m->t, m->count);
    for (int k = 0; good && k < SERIES; k++)
        good = field_numbers_at(json_array_get(value, (size_t)k), m->value[k], m->count);
    return good;
}

static int read_monitor(const json_t *object, monitor *m, int curves)
{
    memset(m, 0, sizeof *m);
    return field_read(monitor_fields, object, m) && (!curves || read_curves(object, m));
}

/* ---- all of it ---------------------------------------------------------------------------- */

json_t *run_write(const run_result *r, const monitor *m, int curves)
{
    json_t *record = json_object();
    int good = field_write(run_result_fields, r, record);
    good = good && json_object_set_new(record, "values", write_values(r)) == 0;
    good = good && json_object_set_new(record, "events", run_events_write(&r->events)) == 0;
    good = good && (!m || json_object_set_new(record, "drift_against_time", write_monitor(m, curves)) == 0);
    if (good)
        return record;
    json_decref(record);
    return NULL;
}

int run_read(const json_t *record, run_result *r, monitor *m, int curves)
{
    *r = (run_result){.status = DAE_OK};
    if (m)
        memset(m, 0, sizeof *m);
    if (field_read(run_result_fields, record, r) && read_values(json_object_get(record, "values"), r)
        && run_events_read(json_object_get(record, "events"), &r->events)
        && (!m || read_monitor(json_object_get(record, "drift_against_time"), m, curves)))
        return 1;
    run_free(r);
    *r = (run_result){.status = DAE_OK};
    if (m) {
        monitor_free(m);
        memset(m, 0, sizeof *m);
    }
    return 0;
}
