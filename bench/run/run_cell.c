#include "run/run_cell.h"

#include "store/fingerprint.h"
#include "store/identity.h"
#include "run/event_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the setting -------------------------------------------------------------------------- */

static int set_atols(json_t *cell, const run_setting *o)
{
    json_t *list = json_array();
    int good = list != NULL;
    for (int i = 0; good && i < o->atols; i++)
        good = json_array_append_new(list, json_pack("[s, o, i]", o->atol_of[i].of,
                                                     field_number(o->atol_of[i].value),
                                                     o->atol_of[i].by_rtol)) == 0;
    return json_object_set_new(cell, "atol", field_number(o->atol)) == 0
           && json_object_set_new(cell, "atol_by_rtol", json_integer(o->atol_by_rtol)) == 0
           && json_object_set_new(cell, "atols", list) == 0 && good;
}

static int set_stops(json_t *cell, const run_setting *o)
{
    json_t *list = json_array();
    int good = list != NULL;
    for (int i = 0; good && i < o->stops; i++)
        good = json_array_append_new(list, json_string(o->stop[i])) == 0;
    return json_object_set_new(cell, "stops", list) == 0 && good;
}

int cell_set_settings(json_t *object, const run_setting *o, setting_key key)
{
    int good = object != NULL;
    for (const setting_row *row = run_settings; good && row < run_settings + SETTINGS; row++) {
        const field_kind kind = row->kind <= KIND_RATE ? FIELD_DOUBLE : FIELD_INT;
        const field_place field[] = {{row->name, kind, row->offset, 0}, {NULL, FIELD_END, 0, 0}};
        if (row->key == key && row->kind != KIND_BY_HAND)
            good = field_write(field, o, object);
    }
    return good;
}

static int set_setting(json_t *cell, const run_setting *o)
{
    json_t *setting = json_object();
    const int good = cell_set_settings(setting, o, KEY_RESULT) && set_atols(setting, o) && set_stops(setting, o);
    return json_object_set_new(cell, "setting", setting) == 0 && good;
}

/* ---- the code and the problem ------------------------------------------------------------- */

static int set_hash(json_t *cell, const char *name, uint64_t hash)
{
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_object_set_new(cell, name, json_string(text)) == 0;
}

static int set_problem(json_t *cell, const run_setting *o)
{
    uint64_t model;
    json_t *parameters = json_array();
    int good = parameters && model_identity(o->problem, &model) && set_hash(cell, "model", model)
               && json_object_set_new(cell, "problem", json_string(o->problem->name)) == 0;
    for (int i = 0; good && i < dae_parameter_count(o->problem); i++)
        good = json_array_append_new(parameters, field_number(run_parameter(o, i))) == 0;
    return json_object_set_new(cell, "parameters", parameters) == 0 && good;
}

int cell_set_pair(json_t *cell, const dae_formulation *form, const dae_method *method)
{
    uint64_t code;
    return method_identity(method, &code) && set_hash(cell, "code", code)
           && json_object_set_new(cell, "form", json_string(dae_formulation_describe(form).name)) == 0
           && json_object_set_new(cell, "method", json_string(dae_method_describe(method).name)) == 0;
}

/* ---- cells -------------------------------------------------------------------------------- */

/* The bytes of a reference; quad numbers have no bytes between them. */
static uint64_t event_reference_hash(const dae_event_reference *r)
{
    const size_t width = (size_t)r->width;
    uint64_t hash = fnv_1a(FNV_START, r->x, (size_t)r->count * width * sizeof *r->x);
    hash = fnv_1a(hash, r->states, 2 * (size_t)r->events * width * sizeof *r->states);
    for (int k = 0; k < r->events; k++)
        hash = fnv_1a(hash, &r->event[k].t, sizeof r->event[k].t);
    return hash;
}

static uint64_t reference_hash(const study *s)
{
    const dae_reference *r = &s->path;
    if (!run_is_smooth(s->setting->problem))
        return event_reference_hash(&s->events);
    const size_t q = (size_t)(RUN_SAMPLES * r->nq), nl = (size_t)(RUN_SAMPLES * r->nl);
    uint64_t hash = fnv_1a(FNV_START, r->q, q * sizeof *r->q);
    if (r->v)
        hash = fnv_1a(hash, r->v, q * sizeof *r->v);
    return r->lambda ? fnv_1a(hash, r->lambda, nl * sizeof *r->lambda) : hash;
}

static int set_reference(json_t *cell, const study *s)
{
    return (!s->referenced || set_hash(cell, "reference", reference_hash(s)))
           && json_object_set_new(cell, "sampled", json_integer(s->sampled)) == 0;
}

static int is_said(json_t *cell, const study *s, const char *kind)
{
    return cell && !s->setting->baumgarte.user_data
           && json_object_set_new(cell, "cell", json_string(kind)) == 0
           && set_hash(cell, "program", program_identity()) && set_problem(cell, s->setting)
           && set_setting(cell, s->setting) && set_reference(cell, s)
           && json_object_set_new(cell, "t_start", field_number(s->t0)) == 0
           && json_object_set_new(cell, "t_end", field_number(s->t_end)) == 0;
}

json_t *study_cell(const study *s, const char *kind)
{
    json_t *cell = json_object();
    if (is_said(cell, s, kind))
        return cell;
    json_decref(cell);
    return NULL;
}

json_t *run_cell(const study *s, const dae_formulation *form, const dae_method *method, double level,
                 int watched)
{
    json_t *cell = study_cell(s, "run");
    const char *what = run_chooses_steps(s->setting, method) ? "rtol" : "step";
    if (cell && cell_set_pair(cell, form, method)
        && json_object_set_new(cell, what, field_number(level)) == 0
        && json_object_set_new(cell, "watched", json_integer(watched)) == 0
        && json_object_set_new(cell, "curves", json_integer(watched && s->curves)) == 0)
        return cell;
    json_decref(cell);
    return NULL;
}
