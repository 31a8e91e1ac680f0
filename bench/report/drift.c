/* drift.c - how far runs leave what should stay, and how that grows */
#include "report/report.h"

static table *growth_table(const drift_result *d)
{
    const study_specification *o = &d->spec;
    table *t = table_new();
    char text[GROWTH_LABEL];
    table_head(t, "form", "form", NULL);
    table_head(t, "method", "method", NULL);
    if (o->projects)
        table_head(t, "project", "project", NULL);
    for (int k = 0; k < drift_series(o); k++)
        table_head(t, drift_names[k], drift_title(o->run.problem, k), NULL);
    for (int i = 0; i < d->count; i++) {
        table_put_text(t, dae_formulation_describe(d->runs[i].form).name);
        table_put_text(t, dae_method_describe(d->runs[i].method).name);
        if (o->projects)
            table_put_text(t, run_project_name(d->runs[i].project));
        for (int k = 0; k < drift_series(o); k++) {
            drift_growth_label(o->run.problem, &d->runs[i], k, text);
            table_put_text(t, *text ? text : "-");
        }
    }
    return t;
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

void report_drift(document *doc, const study_item *item)
{
    const drift_result *d = &item->result.drift;
    const study_specification *o = &d->spec;
    char label[DRIFT_LABEL];
    report_table(doc, o->run.problem->invariants.n
                      ? "largest residual of the constraints, of energy minus the work of "
                        "time, and |I - I0|/(1 + |I0|) of the invariants, over the run"
                      : "largest residual of the constraints, and of energy minus the work "
                        "of time, over the run", item, "runs",
                 o->projects ? "form method step rtol @status project @drifts correction t_reached steps:0 seconds"
                             : "form method step rtol @status @drifts t_reached steps:0 seconds", NULL);
    document_section_add(doc, "how the largest so far grows with time, and its rate", growth_table(d));
    for (int i = 0; i < d->count; i++)
        if (d->runs[i].run.status) {
            drift_label(&d->runs[i], label);
            document_note(doc, "%s: %s", label, d->runs[i].run.message);
        }
    for (int i = 0; i < d->count; i++)
        remark_fixed(doc, &o->run, d->runs[i].form, d->runs[i].method, d->runs[i].run.status);
    for (int i = 0; i < d->count; i++) {
        drift_label(&d->runs[i], label);
        remark_rank(doc, &o->run, d->runs[i].form, d->runs[i].method, label, &d->runs[i].run.lost);
    }
    note_doubts(doc, o);
    if (o->referenced)
        note_reference(doc, &d->s);
}
