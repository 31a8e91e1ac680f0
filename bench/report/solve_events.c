/* solve_events.c - the events of a run, and how it ended */
#include "report/report.h"

#include "host/allocate.h"
#include "run/time_unit.h"
#include "tidy/tidy_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40, WIDE = 12, TITLE = 160 };     /* events, and columns of their states, that people see */
enum { NOTED = 8 };                 /* measures and limits that have a note of their own */

/* How one component of the state is shown to people. */
typedef enum { HIDDEN, ONCE, TWICE } showing;

/* A component that some event changes is shown before and after, any other once; where that would
 * be too wide only what changes, as far as there is room. */
static void choose(const dae_hybrid *hybrid, int events, int size, showing *how)
{
    int wide = 0, room = WIDE;
    for (int i = 0; i < size; i++) {
        how[i] = ONCE;
        for (int e = 0; e < events; e++) {
            const dae_event_record r = dae_hybrid_event(hybrid, e);
            const double a = r.before[i], b = r.after[i];
            if (fabs(b - a) > 1e-9 * (fabs(a) + fabs(b)))
                how[i] = TWICE;
        }
        wide += (int)how[i];
    }
    for (int i = 0; wide > WIDE && i < size; i++) {
        how[i] = how[i] == TWICE && room >= 2 ? TWICE : HIDDEN;
        room -= (int)how[i];
    }
}

/* Title of a column of measures: what they are where all are the same; "" where there are none. */
static void measure_title(const table *events, char title[TITLE])
{
    const int measures = table_find(events, "measures"), unit = table_find(events, "measure_unit");
    const char *what = NULL;
    title[0] = 0;
    for (int row = 0; row < table_rows(events) && row < SHOWN; row++) {
        const char *own = table_text_at(events, row, measures), *in = table_text_at(events, row, unit);
        if (own && what && strcmp(what, own) != 0) {
            snprintf(title, TITLE, "measure");
            return;
        }
        if (own)
            snprintf(title, TITLE, "%s [%s]", what = own, in ? in : "-");
    }
}

static int is_shown(const table *events, int row)
{
    (void)events;
    return row < SHOWN;
}

static const char *text_of(const table *t, int row, const char *column)
{
    const char *text = table_text_at(t, row, table_find(t, column));
    return text ? text : "";
}

static const char *event_words(const table *t, int row, char text[ROW_WORDS])
{
    const int limit = table_number_at(t, row, table_find(t, "accumulated")) > 0;
    snprintf(text, ROW_WORDS, "%s%s", text_of(t, row, "event"), limit ? " (limit)" : "");
    return text;
}

/* "slack", "taut -> slack" */
static const char *mode_words(const table *t, int row, char text[ROW_WORDS])
{
    const char *from = text_of(t, row, "mode_before");
    const char *to = text_of(t, row, "mode_after");
    snprintf(text, ROW_WORDS, "%s -> %s", from, to);
    return strcmp(from, to) == 0 ? from : text;
}

/* Component i of the states: 0 before, 1 after the event. */
static void select_state(selection *s, const column_label *label, int after, const char *sign)
{
    char name[LABEL + 8], title[2 * LABEL + 8];
    snprintf(name, sizeof name, "%s_%s", label->name, after ? "after" : "before");
    snprintf(title, sizeof title, "%s%s [%s]", label->name, sign, label->unit);
    select_column(s, &(shown_column){.name = name, .title = title, .format = "%.6g"}, 1);
}

/* Of the first ones. */
static table *event_table(const study_item *item)
{
    const dae_hybrid *hybrid = item->result.solve.run.hybrid;
    const dae_problem *problem = dae_hybrid_problem(hybrid, 0);
    const int all = dae_hybrid_events(hybrid);
    char measure[TITLE], time[TIME_TITLE];
    int count;
    const int size = dae_hybrid_state_size(hybrid);     /* without multipliers where some mode has none */
    table *events = tidy_rows(item, "events");
    column_label *labels = tidy_labels(problem, item->result.solve.spec.run.parameters, &count);
    showing *how = allocate((size_t)size, sizeof *how);
    selection s = select_rows(events, is_shown);
    measure_title(events, measure);
    choose(hybrid, all < SHOWN ? all : SHOWN, size, how);
    select_column(&s, &(shown_column){.name = "number", .title = "#", .format = "%.0f"}, 1);
    select_column(&s, &(shown_column){.name = "t", .title = time_title(problem, "t", time), .format = "%.12g"}, 1);
    select_words(&s, "event", event_words);
    if (dae_hybrid_modes(hybrid) > 1)
        select_words(&s, "mode", mode_words);
    if (*measure)
        select_column(&s, &(shown_column){.name = "measure", .title = measure, .format = "%.6g"}, 1);
    for (int i = 0; i < size; i++) {
        if (how[i] == TWICE)
            select_state(&s, &labels[i], 0, "-");
        if (how[i] != HIDDEN)
            select_state(&s, &labels[i], 1, how[i] == TWICE ? "+" : "");
    }
    free(how);
    free(labels);
    table_free(events);
    return select_end(&s);
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

void report_events(document *doc, const study_item *item)
{
    const solve_run *run = &item->result.solve.run;
    const dae_hybrid *hybrid = run->hybrid;
    const int events = dae_hybrid_events(hybrid);
    if (!run->tr.eventful && run->tr.columns.modes == 1)
        return;
    if (events)
        document_section_add(doc, "events", event_table(item));
    if (events > SHOWN)
        document_note(doc, "... %d more events: --format csv or json holds them all",
                      events - SHOWN);
    if (events)
        document_note(doc, "%d event%s", events, events > 1 ? "s" : "");
    note_records(doc, hybrid);
    note_end(doc, run);
}
