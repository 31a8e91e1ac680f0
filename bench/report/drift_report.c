#include "report/drift_report.h"

#include "report/remarks.h"
#include "report/run_output.h"

#include <math.h>
#include <stdio.h>

static grid *drift_grid(const study_specification *o)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    run_columns(g);
    if (o->projects)
        grid_column(g, "project", "project", NULL);
    for (int k = 0; k < drift_series(o); k++) {
        char name[48];
        snprintf(name, sizeof name, "drift_%s", drift_names[k]);
        grid_column(g, name, drift_title(o->run.problem, k), "%.3e");
    }
    if (o->referenced)
        run_error_columns(g, o->run.problem);
    if (o->projects)
        grid_column(g, "correction", "moved by", "%.1e");
    grid_column(g, "t_reached", "t reached", "%.6g");
    grid_column(g, "steps", "steps", "%.0f");
    grid_column(g, "seconds", "seconds", "%.2e");
    return g;
}

static void add_row(grid *g, const study_specification *o, const drift_run *d)
{
    const run_result *r = &d->run;
    run_cells(g, d->form, d->method, r);
    if (o->projects)
        grid_text(g, run_project_name(d->project));
    for (int k = 0; k < DRIFT_LEVELS; k++)
        grid_number(g, r->drift[k]);
    grid_number(g, r->energy);
    if (o->run.problem->invariants.n)
        grid_number(g, r->invariant);
    if (o->referenced)
        run_error_cells(g, o->run.problem, r);
    if (o->projects)
        grid_number(g, d->project ? r->count.correction : NAN);
    grid_number(g, r->t_reached);
    grid_number(g, (double)r->count.steps);
    grid_number(g, r->seconds);
}

static grid *growth_grid(const drift_result *d)
{
    const study_specification *o = &d->spec;
    grid *g = grid_new();
    char text[GROWTH_LABEL];
    if (!g)
        return NULL;
    grid_column(g, "form", "form", NULL);
    grid_column(g, "method", "method", NULL);
    if (o->projects)
        grid_column(g, "project", "project", NULL);
    for (int k = 0; k < drift_series(o); k++)
        grid_column(g, drift_names[k], drift_title(o->run.problem, k), NULL);
    for (int i = 0; i < d->count; i++) {
        grid_text(g, dae_formulation_describe(d->runs[i].form).name);
        grid_text(g, dae_method_describe(d->runs[i].method).name);
        if (o->projects)
            grid_text(g, run_project_name(d->runs[i].project));
        for (int k = 0; k < drift_series(o); k++) {
            drift_growth_label(o->run.problem, &d->runs[i], k, text);
            grid_text(g, *text ? text : "-");
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
    grid *g = doc ? drift_grid(o) : NULL;
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
