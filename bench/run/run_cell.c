#include "run/run_cell.h"

#include "catalogue/start_set.h"
#include "host/fnv.h"
#include "output/json_file.h"
#include "store/identity.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- the setting -------------------------------------------------------------------------- */

void cell_set_settings(json_t *object, const run_setting *o, setting_key key)
{
    for (const setting_row *row = run_settings; row < run_settings + SETTINGS; row++) {
        const field_kind kind = row->kind <= KIND_RATE ? FIELD_DOUBLE : FIELD_INT;
        if (row->key == key && row->kind != KIND_BY_HAND)
            field_write_into(object, &(field_place){row->name, kind, row->offset, 0}, o);
    }
}

static json_t *setting_json(const run_setting *o)
{
    json_t *setting = json_object(), *atols = json_array(), *stops = json_array(), *along = json_array();
    cell_set_settings(setting, o, KEY_RESULT);
    for (int i = 0; i < o->atols; i++)
        json_array_append_new(atols, json_pack("[o, o, i]", json_text(o->atol_of[i].of),
                                               field_number(o->atol_of[i].value), o->atol_of[i].by_rtol));
    for (int i = 0; i < o->stops; i++)
        json_array_append_new(stops, json_text(o->stop[i]));
    for (int i = 0; i < o->sensitivities; i++)
        json_array_append_new(along, json_integer(o->sensitivity[i]));
    json_object_set_new(setting, "sensitivity", along);
    json_object_set_new(setting, "atol", field_number(o->atol));
    json_object_set_new(setting, "atol_by_rtol", json_integer(o->atol_by_rtol));
    json_object_set_new(setting, "atols", atols);
    json_object_set_new(setting, "stops", stops);
    return setting;
}

/* ---- the code and the problem ------------------------------------------------------------- */

static void set_hash(json_t *cell, const char *name, uint64_t hash)
{
    json_object_set_new(cell, name, json_sprintf("%016" PRIx64, hash));
}

static json_t *parameters_json(const run_setting *o)
{
    json_t *parameters = json_array();
    for (int i = 0; i < dae_parameter_count(o->problem); i++)
        json_array_append_new(parameters, field_number(run_parameter(o, i)));
    return parameters;
}

int cell_set_pair(json_t *cell, const dae_formulation *form, const dae_method *method)
{
    uint64_t code;
    if (!method_identity(method, &code))
        return 0;
    set_hash(cell, "code", code);
    json_object_set_new(cell, "form", json_string(dae_formulation_describe(form).name));
    json_object_set_new(cell, "method", json_string(dae_method_describe(method).name));
    return 1;
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

static uint64_t rows_hash(uint64_t hash, const dae_reference *r, int rows)
{
    const size_t q = (size_t)(rows * r->nq), nl = (size_t)(rows * r->nl);
    hash = fnv_1a(hash, r->q, q * sizeof *r->q);
    if (r->v)
        hash = fnv_1a(hash, r->v, q * sizeof *r->v);
    return r->lambda ? fnv_1a(hash, r->lambda, nl * sizeof *r->lambda) : hash;
}

static uint64_t reference_hash(const study *s)
{
    const int smooth = run_is_smooth(s->setting->problem);
    uint64_t hash = smooth ? rows_hash(FNV_START, &s->path, RUN_SAMPLES) : event_reference_hash(&s->events);
    for (int i = 0; s->along && i < s->setting->sensitivities; i++)
        hash = rows_hash(hash, &s->along[i], smooth ? RUN_SAMPLES : 1);
    return hash;
}

json_t *study_cell(const study *s, const char *kind)
{
    const run_setting *o = s->setting;
    uint64_t model;
    if (o->baumgarte.user_data || !model_identity(o->problem, &model))
        return NULL;
    json_t *cell = json_pack("{s:s, s:s, s:o, s:o, s:i, s:o, s:o}", "cell", kind, "problem", o->problem->name,
                             "parameters", parameters_json(o), "setting", setting_json(o), "sampled", s->sampled,
                             "t_start", field_number(s->t0), "t_end", field_number(s->t_end));
    set_hash(cell, "program", program_identity());
    set_hash(cell, "model", model);
    if (*start_set_words(o->problem))
        json_object_set_new(cell, "begins", json_text(start_set_words(o->problem)));
    if (s->from)
        set_hash(cell, "from", fnv_1a(FNV_START, s->from, (size_t)s->from_size * sizeof *s->from));
    if (s->referenced)
        set_hash(cell, "reference", reference_hash(s));
    return cell;
}

json_t *pair_cell(const study *s, const char *kind, const dae_formulation *form, const dae_method *method)
{
    json_t *cell = study_cell(s, kind);
    if (!cell || cell_set_pair(cell, form, method))
        return cell;
    json_decref(cell);
    return NULL;
}

json_t *run_cell(const study *s, const dae_formulation *form, const dae_method *method, double level,
                 int watched)
{
    json_t *cell = pair_cell(s, "run", form, method);
    json_object_set_new(cell, run_chooses_steps(s->setting, method) ? "rtol" : "step", field_number(level));
    json_object_set_new(cell, "watched", json_integer(watched));
    json_object_set_new(cell, "curves", json_integer(watched && s->curves));
    return cell;
}
