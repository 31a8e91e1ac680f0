/* run_columns.c - columns that tables of runs have in common, and notes on what they were compared with */
#include "report/report.h"

#include <stdio.h>
#include <string.h>

const shown_column run_columns[] = {
    {.name = "form", .title = "form"}, {.name = "method", .title = "method"},
    {.name = "step", .title = "step", .format = "%.4g"}, {.name = "rtol", .title = "rtol", .format = "%.1e"},
    {.name = "status", .title = "status"}, {0}};

void select_varied(selection *s, const study_specification *o)
{
    char name[STUDY_NAME], column[STUDY_NAME + 8];
    if (!o->values)
        return;
    snprintf(column, sizeof column, "vary_%s", study_varied_name(o, name));
    select_column(s, &(shown_column){.name = column, .title = name, .format = "%.4g"}, 1);
}

void select_errors(selection *s, const dae_problem *problem)
{
    char name[48];
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(problem, c)) {
            snprintf(name, sizeof name, "error_%s", dae_class_name(c));
            select_column(s, &(shown_column){.name = name, .title = run_class_names[c], .format = "%.3e"}, 1);
        }
    if (!run_is_smooth(problem))
        select_column(s, &(shown_column){.name = "error_event_time", .title = "event time", .format = "%.3e"}, 1);
}

void select_counters(selection *s, const char *names, show_missing missing)
{
#define DAE_STATISTIC(type, name, kind, title, meaning) {#name, title, "%.0f", SHOW_DASH, NULL},
    static const shown_column columns[] = {
#include <daelab/statistics.def>
    };
#undef DAE_STATISTIC
    for (size_t length; *names; names += length + (names[length] == ' ')) {
        length = strcspn(names, " ");
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            shown_column column = columns[k];
            column.missing = missing;
            if (strlen(column.name) == length && strncmp(column.name, names, length) == 0)
                select_column(s, &column, 1);
        }
    }
}

static int any(const table *t, const char *name)
{
    const int i = table_find(t, name);
    for (int row = 0; row < table_rows(t); row++)
        if (table_number_at(t, row, i) > 0 || table_text_at(t, row, i))
            return 1;
    return 0;
}

void select_switches(selection *s)
{
    if (s->to && (any(s->from, "explicit_steps") || any(s->from, "switches")))
        select_counters(s, "explicit_steps switches", SHOW_ZERO);
}

void select_reasons(selection *s)
{
    if (s->to && any(s->from, "reason"))
        select_column(s, &(shown_column){.name = "reason", .title = "reason", .missing = SHOW_NOTHING}, 1);
}

/* ---- notes ---- */

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

void note_reference(document *doc, const study *s)
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

void note_sundials(document *doc)
{
    const dae_sundials_build sundials = dae_sundials_describe();
    document_note(doc, "SUNDIALS %s, %s, %s", sundials.version,
                  sundials.distribution ? "the distribution's" : "own build",
                  sundials.optimised > 0 ? "optimised"
                  : sundials.optimised ? "NOT optimised, and slower than it can be (scripts/sundials builds "
                                         "another)"
                                       : "not known whether optimised");
}
