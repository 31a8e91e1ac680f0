#include "report/run_output.h"

#include <math.h>
#include <stdio.h>

const char *run_status_name(const run_result *r)
{
    return outcome_name(r->outcome, r->status);
}

void run_columns(grid *g)
{
    grid_column(g, "form", "form", NULL);
    grid_column(g, "method", "method", NULL);
    grid_column(g, "step", "step", "%.4g");
    grid_column(g, "rtol", "rtol", "%.1e");
    grid_column(g, "status", "status", NULL);
}

void run_cells(grid *g, const dae_formulation *form, const dae_method *method, const run_result *r)
{
    grid_text(g, dae_formulation_describe(form).name);
    grid_text(g, dae_method_describe(method).name);
    grid_number(g, r->step);
    grid_number(g, r->rtol);
    grid_text(g, run_status_name(r));
}

void run_error_columns(grid *g, const dae_problem *problem)
{
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(problem, c)) {
            char name[48];
            snprintf(name, sizeof name, "error_%s", dae_class_name(c));
            grid_column(g, name, run_class_names[c], "%.3e");
        }
    if (!run_is_smooth(problem))
        grid_column(g, "error_event_time", "event time", "%.3e");
}

void run_error_cells(grid *g, const dae_problem *problem, const run_result *r)
{
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(problem, c))
            grid_number(g, r->error[c]);
    if (!run_is_smooth(problem))
        grid_number(g, r->events.error);
}

json_t *run_error_json(const dae_problem *problem, const run_result *r)
{
    json_t *error = json_object();
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(problem, c))
            json_object_set_new(error, dae_class_name(c), json_number(r->error[c]));
    if (!run_is_smooth(problem))
        json_object_set_new(error, "event_time", json_number(r->events.error));
    return error;
}

json_t *run_counts_json(const dae_statistics *c)
{
    json_t *counts = json_object();
#define WORK(name) c ? json_integer(c->name) : json_null()
#define COST WORK
#define SUM WORK
#define EVENTS WORK
#define LARGEST(name) json_number(c ? c->name : NAN)
#define ENTRIES(name) c && c->name > 0 ? json_integer(c->name) : json_null()
#define DAE_STATISTIC(type, name, kind, title, meaning) json_object_set_new(counts, #name, kind(name));
#include <daelab/statistics.def>
#undef DAE_STATISTIC
    return counts;
}

json_t *run_cost_json(const run_result *r)
{
    json_t *cost = run_counts_json(&r->count);
    json_object_set_new(cost, "seconds", json_number(r->seconds));
    return cost;
}

int run_switches(const run_result *r)
{
    return r->count.explicit_steps > 0 || r->count.switches > 0;
}

void run_switch_columns(grid *g)
{
    grid_column(g, "explicit_steps", "explicit", "%.0f");
    grid_column(g, "switches", "switches", "%.0f");
}

void run_switch_cells(grid *g, const run_result *r)
{
    grid_number(g, (double)r->count.explicit_steps);
    grid_number(g, (double)r->count.switches);
}

json_t *run_drift_json(const double *levels, double energy)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "position", json_number(levels[0]), "velocity",
                     json_number(levels[1]), "acceleration", json_number(levels[2]), "energy",
                     json_number(energy));
}

/* A reference value with the digits that are vouched for, at most 30. */
static void quad_text(const study *s, dae_quad x, char *text)
{
    dae_quad_text(x, s->reference.digits < 30 ? (int)s->reference.digits : 30, text, DAE_QUAD_TEXT);
}

static json_t *quads_json(const study *s, const dae_quad *x, int count)
{
    json_t *array = json_array();
    char text[DAE_QUAD_TEXT];
    for (int i = 0; i < count; i++) {
        quad_text(s, x[i], text);
        json_array_append_new(array, json_string(text));
    }
    return array;
}

/* Times as text. */
static json_t *events_json(const study *s)
{
    json_t *array = json_array();
    char text[DAE_QUAD_TEXT];
    for (int k = 0; k < s->events.events; k++) {
        const dae_reference_event *e = &s->events.event[k];
        quad_text(s, e->t, text);
        json_array_append_new(array, json_pack("{s:s, s:s, s:i, s:i}", "event", e->name, "t", text, "mode_before",
                                               e->from, "mode_after", e->to));
    }
    return array;
}

/* Values at t_end as text: no double holds them. */
json_t *run_reference_json(const study *s)
{
    const dae_reference *r = &s->reference;
    if (!s->referenced)
        return json_pack("{s:n, s:s}", "source", "reason", s->why_not);
    json_t *values = json_object();
    json_object_set_new(values, r->v ? "position" : "unknowns", quads_json(s, r->q, r->nq));
    if (r->v) {
        json_object_set_new(values, "velocity", quads_json(s, r->v, r->nq));
        json_object_set_new(values, "multiplier", quads_json(s, r->lambda, r->nl));
    }
    json_t *tree = json_pack("{s:s, s:f, s:b, s:o}", "source", r->source, "digits", r->digits,
                             "from_cache", s->from_cache, "values", values);
    if (tree && s->events.size)
        json_object_set_new(tree, "events", events_json(s));
    return tree;
}

/* Where the reference ends: at the end of the interval, or where an event ends the run. */
static double end_of_reference(const study *s)
{
    const dae_event_reference *e = &s->events;
    return e->ended ? (double)e->event[e->events - 1].t : s->t_end;
}

/* The first multiplier (or the first unknown) of the reference, for people to compare with. */
static void note_values(document *doc, const study *s)
{
    const dae_reference *r = &s->reference;
    char text[DAE_QUAD_TEXT];
    quad_text(s, r->nl > 0 ? r->lambda[0] : r->q[0], text);
    document_note(doc, "reference at t = %g: %s = %s", end_of_reference(s),
                  r->nl > 0 ? "first multiplier" : "first unknown", text);
}

/* How many, and the last one. */
static void note_events(document *doc, const study *s)
{
    const dae_event_reference *e = &s->events;
    char text[DAE_QUAD_TEXT];
    if (e->events == 0) {
        document_note(doc, "the reference has no event in the interval");
        return;
    }
    const dae_reference_event *last = &e->event[e->events - 1];
    quad_text(s, last->t, text);
    document_note(doc, "the reference has %d event%s; the last one is %s at t = %s%s", e->events,
                  e->events == 1 ? "" : "s", last->name, text, e->ended ? ", where the run ends" : "");
}

void run_note_reference(document *doc, const study *s)
{
    if (!s->referenced) {
        document_note(doc, "no reference: %s", s->why_not);
        return;
    }
    document_note(doc, "reference: %s, quad precision, %.0f digits%s", s->reference.source,
                  s->reference.digits, s->from_cache ? " (from the cache)" : "");
    note_values(doc, s);
    if (s->events.size)
        note_events(doc, s);
}

void run_note_sundials(document *doc)
{
    const dae_sundials_build sundials = dae_sundials_describe();
    document_note(doc, "SUNDIALS %s, %s, %s", sundials.version,
                  sundials.distribution ? "the distribution's" : "own build",
                  sundials.optimised > 0 ? "optimised"
                  : sundials.optimised ? "NOT optimised, and slower than it can be (scripts/sundials builds "
                                         "another)"
                                       : "not known whether optimised");
}
