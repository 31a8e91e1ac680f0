/* digits.c - the correct digits (mescd) of all problems of a bench in one table */
#include "report/report.h"


#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Does a method take fixed steps here? */
static int has_steps(const study_specification *o)
{
    int m = 0;
    while (m < o->methods && run_chooses_steps(&o->run, o->method[m]))
        m++;
    return m < o->methods;
}

static table *digits_table(const study_specification *o)
{
    table *t = table_new();
    table_head(t, "problem", "problem", NULL);
    table_head(t, "form", "form", NULL);
    if (has_steps(o))
        table_head(t, "step", "step", "%.4g");
    table_head(t, "rtol", "rtol", "%.1e");
    for (int m = 0; m < o->methods; m++) {
        const char *name = dae_method_describe(o->method[m]).name;
        table_head(t, name, name, "%.2f");
    }
    return t;
}

/* Point k of a curve; of one that ended before, as there is no such run, its last. */
static const work_point *point_of(const work_curve *c, int k)
{
    return &c->point[k < c->levels ? k : c->levels - 1];
}

static void add_cell(table *t, const work_result *r, const work_point *p)
{
    const double digits = work_digits(&r->spec, p);
    char status[ROW_WORDS];
    if (p->run.status)
        table_put_text(t, report_status(outcome_name(p->run.outcome, p->run.status), status));
    else if (!r->s.referenced)
        table_put_text(t, "no reference");
    else if (r->spec.of < DAE_CLASSES && !run_shows(r->spec.run.problem, r->spec.of))
        table_put_text(t, "none of it");
    else if (isnan(digits))
        table_put_text(t, "exact");
    else
        table_put(t, digits);
}

/* The first cells of a row. */
static void begin_row(table *t, const study_specification *o, const char *form, double step, double rtol)
{
    table_put_text(t, o->run.problem->name);
    table_put_text(t, form);
    if (has_steps(o))
        table_put(t, step);
    table_put(t, rtol);
}

/* Level k of the curves of all methods. */
static void add_level(table *t, const work_result *r, const work_curve *curves, int k)
{
    double rtol = NAN, step = NAN;
    for (int m = 0; m < r->spec.methods; m++) {
        const run_result *run = &point_of(&curves[m], k)->run;
        rtol = isnan(rtol) ? run->rtol : rtol;
        step = isnan(step) ? run->step : step;
    }
    begin_row(t, &r->spec, dae_formulation_describe(curves->form).name, step, rtol);
    for (int m = 0; m < r->spec.methods; m++)
        add_cell(t, r, point_of(&curves[m], k));
}

/* A run that does not exist needs no words: its cell says it. */
static void explain(document *doc, const work_result *r)
{
    const char *name = r->spec.run.problem->name;
    if (!r->s.referenced)
        document_remark(doc, "%s: no reference: %s", name, r->s.why_not);
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->curves[i].levels; k++) {
            const work_point *p = &r->curves[i].point[k];
            if (p->run.status && p->run.status != DAE_UNSUPPORTED)
                document_remark(doc, "%s %s: %s", name, report_run(r->curves[i].form, r->curves[i].method).text,
                                work_reason(p));
        }
}

/* The rows of a problem; one without runs where its study could not begin. */
static void add_item(table *t, document *doc, const study_item *item)
{
    const work_result *r = &item->result.work;
    const study_specification *o = &item->spec;
    char status[ROW_WORDS];
    if (item->status) {
        begin_row(t, o, "-", NAN, NAN);
        for (int m = 0; m < o->methods; m++)
            table_put_text(t, report_status(outcome_name(RUN_BY_ITSELF, item->why.status), status));
        document_remark(doc, "%s: %s", o->run.problem->name, item->why.message);
        return;
    }
    for (int f = 0; f < r->spec.forms; f++) {
        const work_curve *curves = r->curves + f * r->spec.methods;
        int levels = 0;
        for (int m = 0; m < r->spec.methods; m++)
            levels = curves[m].levels > levels ? curves[m].levels : levels;
        for (int k = 0; k < levels; k++)
            add_level(t, r, curves, k);
    }
    explain(doc, r);
}

/* Below the table: what its numbers are. */
static void note_digits(document *doc, const study_specification *o)
{
    document_note(doc, "mescd: the smallest of -log10(|u - ref|/(atol/rtol + |ref|)) of the state's components "
                       "at the end, against references in quad precision");
    if (o->of < DAE_CLASSES) {
        document_set(doc, "of", json_string(dae_class_name(o->of)));
        document_note(doc, "here of components of the class %s alone", dae_class_name(o->of));
    }
    document_note(doc, "unsupported: the method does not take the formulation; a run ends after %g s of CPU time",
                  o->limit);
    note_sundials(doc);
}

/* ---- of a part ---- */

/* Of one problem with its parameters and interval; of several with the end that all of them were given. */
static document *begin(const study_plan *plan, const study_part *part, const study_specification *o)
{
    const run_setting *run = &o->run;
    if (part->problems == 1)
        return report_begin("bench", o, run->problem->t0, run_end(run));
    study_specification common = overview_common(plan, part);
    document *doc = report_begin_several("bench", part->subject, &common);
    if (isfinite(run->t_end)) {
        document_set(doc, "t_end", json_number(run->t_end));
        document_note(doc, "all of them to t = %g", run->t_end);
    }
    return doc;
}

document *report_digits(const study_plan *plan, const study_part *part, int setting)
{
    const study_item *first = &plan->item[part->first];
    while (first->setting != setting)                   /* some problem has this combination */
        first++;
    table *digits = digits_table(&first->spec);
    document *doc = begin(plan, part, &first->spec);
    for (int i = part->first; i < part->first + part->count; i++) {
        if (plan->item[i].setting != setting)
            continue;
        add_item(digits, doc, &plan->item[i]);
        if (!plan->item[i].status)
            remark_start(doc, &plan->item[i], &plan->item[i].result.work.s, 0);
        if (part->problems > 1)
            remark_events(doc, plan->item[i].spec.run.problem);
    }
    document_section_add(doc, "correct digits (mescd)", digits);
    note_digits(doc, &first->spec);
    return doc;
}
