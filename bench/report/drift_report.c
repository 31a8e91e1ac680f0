#include "report/drift_report.h"

#include "report/remarks.h"
#include "report/run_output.h"

#include <math.h>
#include <stdio.h>

static table *drift_grid(const study_specification *o)
{
    table *g = table_new();
    if (!g)
        return NULL;
    run_columns(g);
    if (o->projects)
        table_head(g, "project", "project", NULL);
    for (int k = 0; k < drift_series(o); k++) {
        char name[48];
        snprintf(name, sizeof name, "drift_%s", drift_names[k]);
        table_head(g, name, drift_title(o->run.problem, k), "%.3e");
    }
    if (o->referenced)
        run_error_columns(g, o->run.problem);
    if (o->projects)
        table_head(g, "correction", "moved by", "%.1e");
    table_head(g, "t_reached", "t reached", "%.6g");
    table_head(g, "steps", "steps", "%.0f");
    table_head(g, "seconds", "seconds", "%.2e");
    return g;
}

static void add_row(table *g, const study_specification *o, const drift_run *d)
{
    const run_result *r = &d->run;
    run_cells(g, d->form, d->method, r);
    if (o->projects)
        table_put_text(g, run_project_name(d->project));
    for (int k = 0; k < DRIFT_LEVELS; k++)
        table_put(g, r->drift[k]);
    table_put(g, r->energy);
    if (o->run.problem->invariants.n)
        table_put(g, r->invariant);
    if (o->referenced)
        run_error_cells(g, o->run.problem, r);
    if (o->projects)
        table_put(g, d->project ? r->count.correction : NAN);
    table_put(g, r->t_reached);
    table_put(g, (double)r->count.steps);
    table_put(g, r->seconds);
}

static table *growth_grid(const drift_result *d)
{
    const study_specification *o = &d->spec;
    table *g = table_new();
    char text[GROWTH_LABEL];
    if (!g)
        return NULL;
    table_head(g, "form", "form", NULL);
    table_head(g, "method", "method", NULL);
    if (o->projects)
        table_head(g, "project", "project", NULL);
    for (int k = 0; k < drift_series(o); k++)
        table_head(g, drift_names[k], drift_title(o->run.problem, k), NULL);
    for (int i = 0; i < d->count; i++) {
        table_put_text(g, dae_formulation_describe(d->runs[i].form).name);
        table_put_text(g, dae_method_describe(d->runs[i].method).name);
        if (o->projects)
            table_put_text(g, run_project_name(d->runs[i].project));
        for (int k = 0; k < drift_series(o); k++) {
            drift_growth_label(o->run.problem, &d->runs[i], k, text);
            table_put_text(g, *text ? text : "-");
        }
    }
    return g;
}

/* Of errors, where they are shown. */
static void note_doubts(document *doc, const study_specification *o)
{
    for (int f = 0; f < o->forms; f++)
        for (int m = 0; m < o->methods; m++)
            if (o->referenced)
                remark_wrong(doc, &o->run, o->form[f], o->method[m]);
            else
                remark_slow(doc, &o->run, o->form[f], o->method[m]);
}

document *drift_report(const drift_result *d)
{
    const study *s = &d->s;
    const study_specification *o = &d->spec;
    const drift_run *runs = d->runs;
    const int count = d->count;
    document *doc = report_begin("drift", o, s->t0, s->t_end);
    table *g = doc ? drift_grid(o) : NULL;
    char label[DRIFT_LABEL];
    if (!doc || !g) {
        document_free(doc);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        add_row(g, o, &runs[i]);
    document_section_add(doc, o->run.problem->invariants.n
                              ? "largest residual of the constraints, of energy minus the work of "
                                "time, and |I - I0|/(1 + |I0|) of the invariants, over the run"
                              : "largest residual of the constraints, and of energy minus the work "
                                "of time, over the run", g);
    document_section_add(doc, "how the largest so far grows with time, and its rate", growth_grid(d));
    for (int i = 0; i < count; i++)
        if (runs[i].run.status) {
            drift_label(&runs[i], label);
            document_note(doc, "%s: %s", label, runs[i].run.message);
        }
    note_step(doc, o);
    for (int i = 0; i < count; i++)
        remark_fixed(doc, &o->run, runs[i].form, runs[i].method, runs[i].run.status);
    for (int i = 0; i < count; i++) {
        drift_label(&runs[i], label);
        remark_rank(doc, label, &runs[i].run.lost);
    }
    note_doubts(doc, o);
    if (o->referenced)
        run_note_reference(doc, s);
    return doc;
}
