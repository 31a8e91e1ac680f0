#include "report/digits_report.h"

#include "report/run_output.h"

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

table *digits_grid(const study_specification *o)
{
    table *g = table_new();
    if (!g)
        return NULL;
    table_head(g, "problem", "problem", NULL);
    table_head(g, "form", "form", NULL);
    if (has_steps(o))
        table_head(g, "step", "step", "%.4g");
    table_head(g, "rtol", "rtol", "%.1e");
    for (int m = 0; m < o->methods; m++) {
        const char *name = dae_method_describe(o->method[m]).name;
        table_head(g, name, name, "%.2f");
    }
    return g;
}

/* Point k of a curve; of one that ended before, as there is no such run, its last. */
static const work_point *point_of(const work_curve *c, int k)
{
    return &c->point[k < c->levels ? k : c->levels - 1];
}

/* "small step" of DAE_SMALL_STEP */
static void add_status(table *g, run_outcome outcome, dae_status status)
{
    static const char prefix[] = "DAE_";
    const char *name = outcome_name(outcome, status);
    char word[32];
    size_t n = 0;
    name += strncmp(name, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    for (; name[n] && n + 1 < sizeof word; n++)
        word[n] = name[n] == '_' ? ' ' : (char)tolower((unsigned char)name[n]);
    word[n] = 0;
    table_put_text(g, word);
}

static void add_cell(table *g, const work_result *r, const work_point *p)
{
    const study *s = &r->s;
    const double digits = work_digits(&r->spec, p);
    if (p->run.status)
        add_status(g, p->run.outcome, p->run.status);
    else if (!s->referenced)
        table_put_text(g, "no reference");
    else if (r->spec.of < DAE_CLASSES && !run_shows(r->spec.run.problem, r->spec.of))
        table_put_text(g, "none of it");
    else if (isnan(digits))
        table_put_text(g, "exact");
    else
        table_put(g, digits);
}

static void add_row(table *g, const work_result *r, const work_curve *curves, int k)
{
    double rtol = NAN, step = NAN;
    for (int m = 0; m < r->spec.methods; m++) {
        const run_result *run = &point_of(&curves[m], k)->run;
        rtol = isnan(rtol) ? run->rtol : rtol;
        step = isnan(step) ? run->step : step;
    }
    table_put_text(g, r->spec.run.problem->name);
    table_put_text(g, dae_formulation_describe(curves->form).name);
    if (has_steps(&r->spec))
        table_put(g, step);
    table_put(g, rtol);
    for (int m = 0; m < r->spec.methods; m++)
        add_cell(g, r, point_of(&curves[m], k));
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

void digits_add(table *g, document *doc, const work_result *r)
{
    const int methods = r->spec.methods;
    for (int f = 0; f < r->spec.forms; f++) {
        const work_curve *curves = r->curves + f * methods;
        int levels = 0;
        for (int m = 0; m < methods; m++)
            levels = curves[m].levels > levels ? curves[m].levels : levels;
        for (int k = 0; k < levels; k++)
            add_row(g, r, curves, k);
    }
    explain(doc, r);
}

static void begin_row(table *g, const study_specification *o, const dae_problem *problem)
{
    table_put_text(g, problem->name);
    table_put_text(g, "-");
    if (has_steps(o))
        table_put(g, NAN);
    table_put(g, NAN);
}

void digits_add_failed(table *g, document *doc, const study_specification *o, const dae_report *why)
{
    begin_row(g, o, o->run.problem);
    for (int m = 0; m < o->methods; m++)
        add_status(g, RUN_BY_ITSELF, why->status);
    document_remark(doc, "%s: %s", o->run.problem->name, why->message);
}

void digits_note(document *doc, const study_specification *o)
{
    document_note(doc, "mescd: the smallest of -log10(|u - ref|/(atol/rtol + |ref|)) of the state's components "
                       "at the end, against references in quad precision");
    if (o->of < DAE_CLASSES) {
        document_set(doc, "of", json_string(run_class_names[o->of]));
        document_note(doc, "here of components of the class %s alone", run_class_names[o->of]);
    }
    document_note(doc, "unsupported: the method does not take the formulation; a run ends after %g s of CPU time",
                  o->limit);
    run_note_sundials(doc);
}
