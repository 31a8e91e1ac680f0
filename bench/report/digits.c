/* digits.c - the correct digits (mescd) of all problems of a bench in one table */
#include "report/report.h"

#include <ctype.h>
#include <math.h>
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

/* "small step" of DAE_SMALL_STEP */
static void add_status(table *t, run_outcome outcome, dae_status status)
{
    static const char prefix[] = "DAE_";
    const char *name = outcome_name(outcome, status);
    char word[32];
    size_t n = 0;
    name += strncmp(name, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    for (; name[n] && n + 1 < sizeof word; n++)
        word[n] = name[n] == '_' ? ' ' : (char)tolower((unsigned char)name[n]);
    word[n] = 0;
    table_put_text(t, word);
}

static void add_cell(table *t, const work_result *r, const work_point *p)
{
    const study *s = &r->s;
    const double digits = work_digits(&r->spec, p);
    if (p->run.status)
        add_status(t, p->run.outcome, p->run.status);
    else if (!s->referenced)
        table_put_text(t, "no reference");
    else if (r->spec.of < DAE_CLASSES && !run_shows(r->spec.run.problem, r->spec.of))
        table_put_text(t, "none of it");
    else if (isnan(digits))
        table_put_text(t, "exact");
    else
        table_put(t, digits);
}

static void add_row(table *t, const work_result *r, const work_curve *curves, int k)
{
    double rtol = NAN, step = NAN;
    for (int m = 0; m < r->spec.methods; m++) {
        const run_result *run = &point_of(&curves[m], k)->run;
        rtol = isnan(rtol) ? run->rtol : rtol;
        step = isnan(step) ? run->step : step;
    }
    table_put_text(t, r->spec.run.problem->name);
    table_put_text(t, dae_formulation_describe(curves->form).name);
    if (has_steps(&r->spec))
        table_put(t, step);
    table_put(t, rtol);
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
                document_remark(doc, "%s %s %s: %s", name, dae_formulation_describe(r->curves[i].form).name,
                                r->curves[i].info.name, work_reason(p));
        }
}

static void add_result(table *t, document *doc, const work_result *r)
{
    const int methods = r->spec.methods;
    for (int f = 0; f < r->spec.forms; f++) {
        const work_curve *curves = r->curves + f * methods;
        int levels = 0;
        for (int m = 0; m < methods; m++)
            levels = curves[m].levels > levels ? curves[m].levels : levels;
        for (int k = 0; k < levels; k++)
            add_row(t, r, curves, k);
    }
    explain(doc, r);
}

/* A row without runs: of a problem whose study could not begin. */
static void add_failed(table *t, document *doc, const study_specification *o, const dae_report *why)
{
    table_put_text(t, o->run.problem->name);
    table_put_text(t, "-");
    if (has_steps(o))
        table_put(t, NAN);
    table_put(t, NAN);
    for (int m = 0; m < o->methods; m++)
        add_status(t, RUN_BY_ITSELF, why->status);
    document_remark(doc, "%s: %s", o->run.problem->name, why->message);
}

/* Below the table: what its numbers are. */
static void note_digits(document *doc, const study_specification *o)
{
    document_note(doc, "mescd: the smallest of -log10(|u - ref|/(atol/rtol + |ref|)) of the state's components "
                       "at the end, against references in quad precision");
    if (o->of < DAE_CLASSES) {
        document_set(doc, "of", json_string(run_class_names[o->of]));
        document_note(doc, "here of components of the class %s alone", run_class_names[o->of]);
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
    if (doc && isfinite(run->t_end)) {
        document_set(doc, "t_end", json_number(run->t_end));
        document_note(doc, "all of them to t = %g", run->t_end);
    }
    return doc;
}

/* The first item of the part with this combination, which some problem has. */
static const study_item *first_with(const study_plan *plan, const study_part *part, int setting)
{
    const study_item *item = &plan->item[part->first];
    while (item->setting != setting)
        item++;
    return item;
}

document *report_digits(const study_plan *plan, const study_part *part, int setting)
{
    const study_item *first = first_with(plan, part, setting);
    const study_specification *o = &first->spec;
    table *digits = digits_table(o);
    document *doc = begin(plan, part, o);
    if (!doc) {
        table_free(digits);
        return NULL;
    }
    for (int i = part->first; i < part->first + part->count; i++) {
        const study_item *item = &plan->item[i];
        if (item->setting != setting)
            continue;
        if (item->status)
            add_failed(digits, doc, &item->spec, &item->why);
        else
            add_result(digits, doc, &item->result.work);
        if (part->problems > 1)
            remark_events(doc, item->spec.run.problem);
    }
    document_section_add(doc, "correct digits (mescd)", digits);
    note_digits(doc, o);
    return doc;
}
