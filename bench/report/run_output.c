#include "report/run_output.h"

#include <math.h>
#include <stdio.h>

const char *run_status_name(const run_result *r)
{
    return outcome_name(r->outcome, r->status);
}

void run_columns(table *g)
{
    table_head(g, "form", "form", NULL);
    table_head(g, "method", "method", NULL);
    table_head(g, "step", "step", "%.4g");
    table_head(g, "rtol", "rtol", "%.1e");
    table_head(g, "status", "status", NULL);
}

void run_cells(table *g, const dae_formulation *form, const dae_method *method, const run_result *r)
{
    table_put_text(g, dae_formulation_describe(form).name);
    table_put_text(g, dae_method_describe(method).name);
    table_put(g, r->step);
    table_put(g, r->rtol);
    table_put_text(g, run_status_name(r));
}

void run_error_columns(table *g, const dae_problem *problem)
{
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(problem, c)) {
            char name[48];
            snprintf(name, sizeof name, "error_%s", dae_class_name(c));
            table_head(g, name, run_class_names[c], "%.3e");
        }
    if (!run_is_smooth(problem))
        table_head(g, "error_event_time", "event time", "%.3e");
}

void run_error_cells(table *g, const dae_problem *problem, const run_result *r)
{
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(problem, c))
            table_put(g, r->error[c]);
    if (!run_is_smooth(problem))
        table_put(g, r->events.error);
}

/* Entries of a matrix are missing where there is none. */
static double count_of(const dae_statistics *n, counter which)
{
#define ENTRIES(x) ((x) > 0 ? (double)(x) : NAN)
#define WORK(x) (double)(x)
#define COST WORK
#define SUM WORK
#define LARGEST WORK
#define EVENTS WORK
#define DAE_STATISTIC(type, name, kind, title, meaning) [COUNTER_##name] = kind(n->name),
    const double counts[COUNTERS] = {
#include <daelab/statistics.def>
    };
#undef DAE_STATISTIC
    return counts[which];
}

void run_count_columns(table *g, const counter *shown)
{
#define DAE_STATISTIC(type, name, kind, title, meaning) [COUNTER_##name] = {#name, title},
    static const struct { const char *name, *title; } columns[COUNTERS] = {
#include <daelab/statistics.def>
    };
#undef DAE_STATISTIC
    for (; *shown < COUNTERS; shown++)
        table_head(g, columns[*shown].name, columns[*shown].title, "%.0f");
}

void run_count_cells(table *g, const counter *shown, const dae_statistics *n)
{
    for (; *shown < COUNTERS; shown++)
        table_put(g, n ? count_of(n, *shown) : NAN);
}

int run_switches(const run_result *r)
{
    return r->count.explicit_steps > 0 || r->count.switches > 0;
}

const counter run_switch_counters[] = {COUNTER_explicit_steps, COUNTER_switches, COUNTERS};

/* The first multiplier (or the first unknown) of the reference, for people to compare with. */
static void note_values(document *doc, const study *s)
{
    const dae_reference *r = &s->reference;
    char text[DAE_QUAD_TEXT];
    study_quad_text(s, r->nl > 0 ? r->lambda[0] : r->q[0], text);
    document_note(doc, "reference at t = %g: %s = %s", study_reference_end(s),
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
    study_quad_text(s, last->t, text);
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
