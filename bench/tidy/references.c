/* references.c - the solutions that runs are compared with: their values at the end, and their events */
#include "tidy/tidy_run.h"

#include <stdlib.h>
#include <string.h>

/* What a reference is of: all runs of a problem with these parameters. */
typedef struct {
    const tidy_item *item;
    tidy_run run;
    const study *s;
} subject;

static void quad_cell(table *t, const subject *of, const char *column, dae_quad x)
{
    char text[DAE_QUAD_TEXT];
    study_quad_text(of->s, x, text);
    table_text(t, column, text);
}

/* No double holds the value. */
static void add_value(const subject *of, const column_label *label, dae_quad x)
{
    table *t = tidy_row(of->item, &of->run, "references");
    table_text(t, "source", of->s->reference.source);
    table_number(t, "digits", "", of->s->reference.digits);
    table_number(t, "t", of->item->time, study_reference_end(of->s));
    table_text(t, "unknown", label->name);
    table_text(t, "class", dae_class_name(label->kind));
    quad_cell(t, of, "value", x);
    table_text(t, "unit", tidy_unit(label));
}

/* The mode that it ends in. */
static const dae_problem *last_mode(const subject *of)
{
    const dae_event_reference *e = &of->s->events;
    const dae_problem *problem = of->run.setting->problem;
    const int mode = e->events ? e->event[e->events - 1].to : 0;
    return mode > 0 ? problem->modes[mode - 1] : problem;
}

/* Positions or unknowns, velocities, multipliers, as the model has them; or why there is none. */
static void add_values(const subject *of)
{
    const dae_reference *r = &of->s->reference;
    const int nq = r->nq, nv = r->v ? r->nq : 0;
    int count;
    column_label *labels = tidy_labels(last_mode(of), of->run.setting->parameters, &count);
    for (int i = 0; of->s->referenced && i < count && i < nq + nv + r->nl; i++)
        add_value(of, &labels[i], i < nq ? r->q[i] : i < nq + nv ? r->v[i - nq] : r->lambda[i - nq - nv]);
    free(labels);
    if (!of->s->referenced)
        table_text(tidy_row(of->item, &of->run, "references"), "reason", of->s->why_not);
}

static void add_events(const subject *of)
{
    for (int k = 0; of->s->referenced && k < of->s->events.events; k++) {
        const dae_reference_event *e = &of->s->events.event[k];
        table *t = tidy_row(of->item, &of->run, "reference_events");
        table_count(t, "number", k + 1);
        quad_cell(t, of, "t", e->t);
        table_text(t, "event", e->name);
        table_text(t, "mode_before", tidy_mode_name(of->run.setting->problem, e->from));
        table_text(t, "mode_after", tidy_mode_name(of->run.setting->problem, e->to));
    }
}

/* Both tables of one reference. */
static void add(const tidy_item *item, const run_setting *setting, const study *s)
{
    subject of = {item, tidy_no_run(item->item), s};
    of.run.setting = setting;
    of.run.t0 = s->t0;
    of.run.t_end = s->t_end;
    add_values(&of);
    add_events(&of);
}

void tidy_references(const tidy_item *item)
{
    const study_item *of = item->item;
    for (int v = 0; of->kind == STUDY_CONVERGE && v < of->result.converge.values; v++)
        add(item, &of->result.converge.each[v].run, &of->result.converge.s[v]);
    if (of->kind == STUDY_WORK)
        add(item, &of->spec.run, &of->result.work.s);
    if (of->kind == STUDY_DRIFT && of->spec.referenced)
        add(item, &of->spec.run, &of->result.drift.s);
}
