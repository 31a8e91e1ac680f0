/* events.c - the events of a run: one row for each, beside that of the reference where a study has one */
#include "tidy/tidy_run.h"

#include <stdlib.h>
#include <string.h>

/* The state before and after it, in the variables of the first mode. */
static void state_cells(table *t, const dae_event_record *e, const column_label *names, int size)
{
    char name[LABEL + TIDY_NAME];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < size; i++) {
            snprintf(name, sizeof name, "%s_%s", names[i].name, k ? "after" : "before");
            table_number(t, name, tidy_unit(&names[i]), k ? e->after[i] : e->before[i]);
        }
}

/* A row with the columns that all events have first, in their order. */
static table *begin_event(const tidy_item *item, const tidy_run *run, int number, double at, const char *name)
{
    table *t = tidy_row(item, run, "events");
    table_count(t, "number", number + 1);
    table_number(t, "t", item->time, at);
    table_text(t, "event", name);
    return t;
}

static void add_event(const tidy_item *item, const tidy_run *run, int number, const column_label *names)
{
    const dae_hybrid *hybrid = run->solution->hybrid;
    const dae_event_record e = dae_hybrid_event(hybrid, number);
    const int modes = dae_hybrid_modes(hybrid) > 1;
    table *t = begin_event(item, run, number, e.t, e.name);
    table_text(t, "what", e.title);
    table_count(t, "direction", e.direction);
    table_count(t, "accumulated", e.accumulated);
    table_text(t, "mode_before", modes ? dae_hybrid_mode_name(hybrid, e.from) : "");
    table_text(t, "mode_after", modes ? dae_hybrid_mode_name(hybrid, e.to) : "");
    table_number(t, "measure", e.measures && e.unit ? e.unit : "", e.measure);
    table_text(t, "measures", e.measures);
    table_text(t, "measure_unit", e.measures ? e.unit : NULL);
    state_cells(t, &e, names, dae_hybrid_state_size(hybrid));
}

const char *tidy_mode_name(const dae_problem *problem, int mode)
{
    return !problem->modes ? "" : mode > 0 ? problem->modes[mode - 1]->name : problem->mode;
}

/* Event k of a run of a study that compares. */
static void add_compared(const tidy_item *item, const tidy_run *run, int k)
{
    const dae_problem *problem = run->setting->problem;
    const run_event *e = &run->run->events.at[k];
    table *t = begin_event(item, run, k, e->t, e->name);
    table_text(t, "mode_before", tidy_mode_name(problem, e->from));
    table_text(t, "mode_after", tidy_mode_name(problem, e->to));
    table_number(t, "t_error", item->time, e->t_error);
    tidy_class_cells(t, item, "error", e->error, 1);
}

static void add_solved(const tidy_item *item, const tidy_run *run)
{
    const dae_hybrid *hybrid = run->solution->hybrid;
    int count;
    column_label *names = tidy_labels(dae_hybrid_problem(hybrid, 0), run->setting->parameters, &count);
    for (int e = 0; e < dae_hybrid_events(hybrid); e++)
        add_event(item, run, e, names);
    free(names);
}

void tidy_events(const tidy_item *item, const tidy_run *run)
{
    if (run->solution)
        add_solved(item, run);
    for (int k = 0; run->run && k < run->run->events.count; k++)
        add_compared(item, run, k);
}

void tidy_event_cells(table *t, const tidy_item *item, const run_result *run)
{
    const run_events *e = &run->events;
    if (run_is_smooth(item->item->spec.run.problem))
        return;
    table_count(t, "events_found", e->count);
    table_count(t, "events_as_reference", e->compared);
    table_number(t, "error_event_time", item->time, e->error);
    tidy_class_cells(t, item, "after_events_error", e->after, 1);
}
