/* events.c - the events of a run: one row for each, beside that of the reference where a study has one */
#include "tidy/tidy_run.h"

#include <stdlib.h>
#include <string.h>

/* The state before and after it, in the variables of the first mode. */
static void state_cells(table *t, const dae_event_record *e, const column_label *names, int size)
{
    char name[LABEL + TIDY_NAME];
    for (int k = 0; k < 2; k++) {
        table_as(t, k ? ROLE_VALUE : ROLE_NONE);
        for (int i = 0; i < size; i++) {
            snprintf(name, sizeof name, "%s_%s", names[i].name, k ? "after" : "before");
            table_number(t, name, tidy_unit(&names[i]), k ? e->after[i] : e->before[i]);
        }
    }
    table_as(t, ROLE_NONE);
}

/* Columns that all events have, in their order. */
static void begin_event(table *t, const tidy_item *item, int number, double at, const char *name)
{
    table_as(t, ROLE_SETTING);
    table_count(t, "number", number + 1);
    table_as(t, ROLE_VALUE);
    table_number(t, "t", item->time, at);
    table_as(t, ROLE_OUTCOME);
    table_text(t, "event", name);
    table_as(t, ROLE_NONE);
}

static void modes_of_event(table *t, const char *before, const char *after)
{
    table_text(t, "mode_before", before);
    table_as(t, ROLE_OUTCOME);
    table_text(t, "mode_after", after);
    table_as(t, ROLE_NONE);
}

static void add_event(const tidy_item *item, const tidy_run *run, int number, const column_label *names)
{
    const dae_hybrid *hybrid = run->solution->hybrid;
    const dae_event_record e = dae_hybrid_event(hybrid, number);
    table *t = tidy_row(item, run, "events");
    begin_event(t, item, number, e.t, e.name);
    table_text(t, "what", e.title);
    table_count(t, "direction", e.direction);
    table_count(t, "accumulated", e.accumulated);
    modes_of_event(t, dae_hybrid_modes(hybrid) > 1 ? dae_hybrid_mode_name(hybrid, e.from) : "",
                   dae_hybrid_modes(hybrid) > 1 ? dae_hybrid_mode_name(hybrid, e.to) : "");
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
    char name[TIDY_NAME];
    table *t = tidy_row(item, run, "events");
    begin_event(t, item, k, e->t, e->name);
    modes_of_event(t, tidy_mode_name(problem, e->from), tidy_mode_name(problem, e->to));
    table_as(t, ROLE_ACCURACY);
    table_number(t, "t_error", item->time, e->t_error);
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (order_shows(problem, ORDER_AFTER + (int)c))
            table_number(t, tidy_class_column("error", c, name), item->unit[c], e->error[c]);
    table_as(t, ROLE_NONE);
}

static void add_solved(const tidy_item *item, const tidy_run *run)
{
    const dae_hybrid *hybrid = run->solution->hybrid;
    int count;
    dae_report why = {0};
    if (dae_hybrid_events(hybrid) == 0)
        return;
    column_label *names = state_labels(dae_hybrid_problem(hybrid, 0), run->setting->parameters, &count, &why);
    item->data->failed |= !names;
    for (int e = 0; names && e < dae_hybrid_events(hybrid); e++)
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
    char name[TIDY_NAME];
    if (run_is_smooth(item->item->spec.run.problem))
        return;
    table_count(t, "events_found", e->count);
    table_count(t, "events_as_reference", e->compared);
    table_as(t, ROLE_ACCURACY);
    table_number(t, "error_event_time", item->time, e->error);
    table_as(t, ROLE_NONE);
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (order_shows(item->item->spec.run.problem, ORDER_AFTER + (int)c))
            table_number(t, tidy_class_column("after_events_error", c, name), item->unit[c], e->after[c]);
}
