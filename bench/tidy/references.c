/* references.c - the solutions that runs are compared with: their values at the end, du/dp there, and their events */
#include "tidy/tidy_run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a reference is of: all runs of a problem with these parameters. */
typedef struct {
    const tidy_item *item;
    tidy_run run;
    const study *s;
} subject;

/* Number k of (q, v, lambda), or of u, in the last of so many rows. */
static dae_quad value_at(const dae_reference *r, int rows, int k)
{
    const int nq = r->nq, last = rows - 1;
    if (!r->v || k < nq)
        return r->q[last * nq + k];
    return k < 2 * nq ? r->v[last * nq + k - nq] : r->lambda[last * r->nl + k - 2 * nq];
}

static int size_of(const dae_reference *r) { return r->v ? 2 * r->nq + r->nl : r->nq; }

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
    int count;
    column_label *labels = tidy_labels(last_mode(of), of->run.setting->parameters, &count);
    for (int i = 0; of->s->referenced && i < count && i < size_of(r); i++)
        add_value(of, &labels[i], value_at(r, 1, i));
    free(labels);
    if (!of->s->referenced)
        table_text(tidy_row(of->item, &of->run, "references"), "reason", of->s->why_not);
}

/* ---- du/dp ---- */

/* How many digits of x are known, where so much of it is not. */
static int known_digits(const subject *of, dae_quad x, double wrong)
{
    const double most = fmin(of->s->reference.digits, 30), digits = wrong > 0 ? log10(fabs((double)x) / wrong) : most;
    return (int)fmax(0, fmin(most, digits));
}

/* The largest error of this class by parameter i: that of a single number may be small by chance. */
static double largest_wrong(const dae_reference *wrong, int rows, const column_label *labels, int count, dae_class kind)
{
    double largest = 0;
    for (int k = 0; k < count; k++)
        if (labels[k].kind == kind)
            largest = fmax(largest, fabs((double)value_at(wrong, rows, k)));
    return largest;
}

static void add_derivative(const subject *of, int i, const column_label *label, dae_quad x, double wrong)
{
    const int digits = known_digits(of, x, wrong);
    char text[DAE_QUAD_TEXT];
    table *t = tidy_row(of->item, &of->run, "reference_derivatives");
    dae_quad_text(x, digits > 1 ? digits : 1, text, sizeof text);
    table_count(t, "digits", digits);
    table_number(t, "error", "", wrong);
    table_number(t, "t", of->item->time, study_reference_end(of->s));
    table_text(t, "unknown", label->name);
    table_text(t, "class", dae_class_name(label->kind));
    table_text(t, "by", run_sensitivity_name(of->run.setting, i).text);
    table_text(t, "value", text);
}

/* du/dp: what the study keeps is that times |p|. */
static void add_derivatives(const subject *of)
{
    const dae_reference *r = &of->s->reference;
    const int rows = run_is_smooth(of->run.setting->problem) ? RUN_SAMPLES : 1;
    int count;
    column_label *labels = tidy_labels(last_mode(of), of->run.setting->parameters, &count);
    count = count < size_of(r) ? count : size_of(r);
    for (int i = 0; of->s->along && i < of->run.setting->sensitivities; i++) {
        const double factor = derivatives_factor(of->run.setting, i), rounded = of->s->along_start[i] ? DBL_EPSILON : 0;
        for (int k = 0; k < count; k++) {
            const dae_quad x = value_at(&of->s->along[i], rows, k) / factor;
            const double wrong = largest_wrong(&of->s->along_wrong[i], rows, labels, count, labels[k].kind) / factor;
            add_derivative(of, i, &labels[k], x, wrong + rounded * fabs((double)x));
        }
    }
    free(labels);
    if (!of->s->along)
        table_text(tidy_row(of->item, &of->run, "reference_derivatives"), "reason", of->s->along_why);
}

/* ---- all ---- */

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

/* All tables of one reference. */
static void add(const tidy_item *item, const run_setting *setting, const study *s)
{
    subject of = {item, tidy_no_run(item->item), s};
    of.run.setting = setting;
    of.run.t0 = s->t0;
    of.run.t_end = s->t_end;
    add_values(&of);
    if (s->referenced && setting->sensitivities)
        add_derivatives(&of);
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
