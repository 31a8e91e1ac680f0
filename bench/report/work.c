/* work.c - work and precision: the points of curves, and the time to reach an error */
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* As a row of the table of all problems. */
static void add_row(table *t, const work_result *r, const work_curve *c, const work_point *p)
{
    char status[ROW_WORDS];
    table_put_text(t, r->spec.run.problem->name);
    table_put_text(t, dae_formulation_describe(c->form).name);
    table_put_text(t, dae_method_describe(c->method).name);
    table_put(t, p->run.step);
    table_put(t, p->run.rtol);
    table_put_text(t, report_status(outcome_name(p->run.outcome, p->run.status), status));
    table_put(t, p->scd);
    table_put(t, p->mescd);
    table_put(t, (double)p->run.count.steps);
    table_put(t, work_seconds(&r->spec, p));
}

void report_summary(document *doc, const study_plan *plan, const study_part *part)
{
    static const char *const names[] = {"form", "method", "step", "rtol", "status", "scd", "mescd", "steps"};
    table *t = table_new();
    table_head(t, "problem", "problem", NULL);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const shown_column *c = shown_column_named(names[k], strlen(names[k]));
        table_head(t, c->name, c->title ? c->title : c->name, c->format);
    }
    table_head(t, "seconds", "time [s]", "%.3e");
    for (int i = part->first; i < part->first + part->count; i++) {
        const work_result *r = &plan->item[i].result.work;
        table_rule(t);
        for (int c = 0; !plan->item[i].status && c < r->count; c++)
            for (int k = 0; k < r->curves[c].levels; k++)
                add_row(t, r, &r->curves[c], &r->curves[c].point[k]);
    }
    document_section_add(doc, "all problems", t);
}

static double smallest_error(const work_curve *c, int k)
{
    double smallest = NAN;
    for (int i = 0; i < c->levels; i++)
        if (!c->point[i].run.status)
            smallest = fmin(smallest, c->point[i].run.error[k]);
    return smallest;
}

static table *at_table(const study_specification *o, const work_curve *curves, int count)
{
    char name[48], title[48], words[RATIO_WORDS];
    table *t = table_new();
    table_head(t, "form", "form", NULL);
    table_head(t, "method", "method", NULL);
    for (int k = 0; k < o->targets; k++) {
        snprintf(name, sizeof name, "seconds_%g", o->target[k]);
        snprintf(title, sizeof title, "%g [s]", o->target[k]);
        table_head(t, name, title, "%.3e");
        snprintf(name, sizeof name, "ratio_%g", o->target[k]);
        if (o->baseline)
            table_head(t, name, "x", NULL);
    }
    table_head(t, "smallest_error", "smallest error", "%.1e");
    for (int i = 0; i < count; i++) {
        table_put_text(t, dae_formulation_describe(curves[i].form).name);
        table_put_text(t, curves[i].info.name);
        for (int k = 0; k < o->targets; k++) {
            const ratio_spread x = work_curve_ratio(o, curves, count, i, o->target[k]);
            table_put(t, work_curve_at(o, &curves[i], o->target[k]));
            if (o->baseline)
                table_put_text(t, ratio_spread_words(&x, words));
        }
        table_put(t, smallest_error(&curves[i], work_class(o)));
    }
    return t;
}

static void notes(document *doc, const work_result *r, const study_specification *o, const study *s)
{
    note_reference(doc, s);
    document_note(doc, "time: of one run, median and quartiles over %d round%s, in each of which all points are run "
                       "in turn, and repeated on one solver after a first run", r->rounds, r->rounds == 1 ? "" : "s");
    if (o->targets && o->baseline)
        document_note(doc, "x: how many times faster than the best of %s over its forms, in the same round: median "
                           "and quartiles over the rounds; \"not told from 1\": by the sign test at 95 %%, which "
                           "needs six rounds",
                      dae_method_describe(o->baseline).name);
    note_sundials(doc);
}

/* Does some curve have two levels at least? */
static int has_ladders(const work_result *r)
{
    int most = 0;
    for (int i = 0; i < r->count; i++)
        most = r->curves[i].levels > most ? r->curves[i].levels : most;
    return most > 1;
}

void report_work(document *doc, const study_item *item)
{
    const work_result *r = &item->result.work;
    const study_specification *o = &r->spec;
    char heading[80];
    snprintf(heading, sizeof heading, "time to reach an error (%s; %s of the repeats)",
             order_class_title(work_class(o)), o->smallest ? "smallest" : "median");
    document_set(doc, "time", json_string(o->smallest ? "smallest" : "median"));
    report_table(doc, "largest error of any component at the end, and the time of a run", item, "runs",
                 "form method step rtol @status @errors scd mescd steps:0 rhs:0 factorizations:0 @switches @times",
                 NULL);
    if (has_ladders(r))
        report_orders(doc, item);
    if (o->targets)
        document_section_add(doc, heading, at_table(o, r->curves, r->count));
    for (int i = 0; i < r->count; i++)
        remark_wrong(doc, &o->run, r->curves[i].form, r->curves[i].method);
    note_orders(doc, item);
    note_estimates(doc, item);
    notes(doc, r, o, &r->s);
}
