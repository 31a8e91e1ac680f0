/* solve_events.c - the events of a run, and how it ended */
#include "report/report.h"

#include "run/time_unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40, WIDE = 12 };     /* events, and columns of their states, that people see */
enum { NOTED = 8 };                 /* measures and limits that have a note of their own */

/* How one component of the state is shown to people. */
typedef enum { HIDDEN, ONCE, TWICE } showing;

/* A component that some event changes is shown before and after, any other once; where that would
 * be too wide only what changes, as far as there is room. */
static void choose(const dae_hybrid *hybrid, int events, int size, showing *how)
{
    int wide = 0;
    for (int i = 0; i < size; i++) {
        how[i] = ONCE;
        for (int e = 0; e < events; e++) {
            const dae_event_record r = dae_hybrid_event(hybrid, e);
            const double a = r.before[i], b = r.after[i];
            if (fabs(b - a) > 1e-9 * (fabs(a) + fabs(b)))
                how[i] = TWICE;
        }
        wide += how[i] == TWICE ? 2 : 1;
    }
    const int narrow = wide > WIDE;
    wide = 0;
    for (int i = 0; narrow && i < size; i++) {
        how[i] = how[i] == TWICE && wide + 2 <= WIDE ? TWICE : HIDDEN;
        wide += how[i] == TWICE ? 2 : 0;
    }
}

/* Title of a column of measures: what they are where all are the same; NULL: there are none. */
static const char *measure_title(const dae_hybrid *hybrid, int events, char *title, size_t length)
{
    const char *what = NULL;
    for (int e = 0; e < events; e++) {
        const dae_event_record r = dae_hybrid_event(hybrid, e);
        if (!r.measures)
            continue;
        if (what && strcmp(what, r.measures) != 0)
            return "measure";
        what = r.measures;
        snprintf(title, length, "%s [%s]", what, r.unit ? r.unit : "-");
    }
    return what ? title : NULL;
}

static void event_columns(table *t, const dae_hybrid *hybrid, const char *measure, int size,
                           const column_label *names, const showing *how)
{
    char title[2 * LABEL + 8], time[TIME_TITLE];
    table_head(t, "number", "#", "%.0f");
    table_head(t, "t", time_title(dae_hybrid_problem(hybrid, 0), "t", time), "%.12g");
    table_head(t, "event", "event", NULL);
    if (dae_hybrid_modes(hybrid) > 1)
        table_head(t, "mode", "mode", NULL);
    if (measure)
        table_head(t, "measure", measure, "%.6g");
    for (int i = 0; i < size; i++)
        for (int k = 0; k < (int)how[i]; k++) {
            snprintf(title, sizeof title, "%s%s [%s]", names[i].name,
                     how[i] == ONCE ? "" : k ? "+" : "-", names[i].unit);
            table_head(t, title, title, "%.6g");
        }
}

/* "slack", "taut -> slack" */
static void mode_cell(table *t, const dae_hybrid *hybrid, const dae_event_record *r)
{
    char text[160];
    const char *from = dae_hybrid_mode_name(hybrid, r->from);
    snprintf(text, sizeof text, "%s -> %s", from, dae_hybrid_mode_name(hybrid, r->to));
    table_put_text(t, r->from == r->to ? from : text);
}

static table *event_table(const dae_hybrid *hybrid, int size, const column_label *names)
{
    const int all = dae_hybrid_events(hybrid), events = all < SHOWN ? all : SHOWN;
    char title[160], name[160];
    const char *measure = measure_title(hybrid, events, title, sizeof title);
    showing *how = calloc((size_t)size + 1, sizeof *how);
    table *t = how ? table_new() : NULL;
    if (!t) {
        free(how);
        return NULL;
    }
    choose(hybrid, events, size, how);
    event_columns(t, hybrid, measure, size, names, how);
    for (int e = 0; e < events; e++) {
        const dae_event_record r = dae_hybrid_event(hybrid, e);
        snprintf(name, sizeof name, "%s%s", r.name, r.accumulated ? " (limit)" : "");
        table_put(t, e + 1);
        table_put(t, r.t);
        table_put_text(t, name);
        if (dae_hybrid_modes(hybrid) > 1)
            mode_cell(t, hybrid, &r);
        if (measure)
            table_put(t, r.measure);
        for (int i = 0; i < size; i++)
            for (int k = 0; k < (int)how[i]; k++)
                table_put(t, k || how[i] == ONCE ? r.after[i] : r.before[i]);
    }
    free(how);
    return t;
}

/* ---- in words ---- */

static const char *words(const dae_event_record *r)
{
    return r->title ? r->title : r->name;
}

/* "nail at t = 1.1218 s: height above the nail 0.0123 m"; "events accumulate at t = 18.17 s:
 * ..." */
static void note_records(document *doc, const dae_hybrid *hybrid)
{
    int noted = 0;
    for (int e = 0; e < dae_hybrid_events(hybrid) && noted < NOTED; e++) {
        const dae_event_record r = dae_hybrid_event(hybrid, e);
        if (r.measures && isfinite(r.measure)) {
            document_note(doc, "%s at t = %.12g s: %s %.9g%s%s", r.name, r.t, r.measures,
                          r.measure, r.unit ? " " : "", r.unit ? r.unit : "");
            noted++;
        }
        if (r.accumulated && r.from != r.to) {
            document_note(doc, "events accumulate at t = %.12g s: %s; from there in mode %s", r.t,
                          words(&r), dae_hybrid_mode_name(hybrid, r.to));
            noted++;
        }
    }
}

static void note_end(document *doc, const solve_run *run)
{
    const int events = dae_hybrid_events(run->hybrid);
    const dae_event_record last =
        events ? dae_hybrid_event(run->hybrid, events - 1) : (dae_event_record){0};
    if (run->status == DAE_EVENT && events && last.title)
        document_note(doc, "stopped by event %s at t = %.12g s: %s", last.name, last.t, last.title);
    else if (run->status == DAE_EVENT && events)
        document_note(doc, "stopped by --stop %s at t = %.12g s", last.name, last.t);
    else if (run->status == DAE_ACCUMULATION && events && last.accumulated)
        document_note(doc, "stopped: events accumulate at t = %.12g s: %s", last.t, words(&last));
    else if (run->status > 0)
        document_note(doc, "stopped: %s", dae_hybrid_report(run->hybrid)->message);
}

/* Of the first ones. */
static void add_table(document *doc, const solve_run *run, const double *parameters)
{
    int count;
    dae_report why = {0};
    column_label *names = state_labels(dae_hybrid_problem(run->hybrid, 0), parameters, &count, &why);
    document_section_add(doc, "events",
                         names ? event_table(run->hybrid, dae_hybrid_state_size(run->hybrid), names) : NULL);
    free(names);
}

void report_events(document *doc, const study_item *item)
{
    const solve_result *r = &item->result.solve;
    const solve_run *run = &r->run;
    const dae_hybrid *hybrid = run->hybrid;
    const int events = dae_hybrid_events(hybrid);
    if (!run->tr.eventful && run->tr.columns.modes == 1)
        return;
    if (events)
        add_table(doc, run, r->spec.run.parameters);
    if (events > SHOWN)
        document_note(doc, "... %d more events: --format csv or json holds them all",
                      events - SHOWN);
    if (events)
        document_note(doc, "%d event%s", events, events > 1 ? "s" : "");
    note_records(doc, hybrid);
    note_end(doc, run);
}
