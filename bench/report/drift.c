/* drift.c - how far runs leave what should stay, and how that grows */
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int is_projected(const table *runs, int row)
{
    const char *project = table_text_at(runs, row, table_find(runs, "project"));
    return project && strcmp(project, run_project_name(0)) != 0;
}

static table *drift_table(const study_item *item)
{
    static const shown_column project = {.name = "project", .title = "project"},
        moved = {.name = "correction", .title = "moved by", .format = "%.1e", .has = is_projected},
        ends[] = {{.name = "t_reached", .title = "t reached", .format = "%.6g"},
                  {.name = "steps", .title = "steps", .format = "%.0f", .missing = SHOW_ZERO},
                  {.name = "seconds", .title = "seconds", .format = "%.2e"}, {0}};
    const study_specification *o = &item->result.drift.spec;
    table *runs = tidy_rows(item, "runs");
    selection s = select_rows(runs, NULL);
    select_columns(&s, run_columns);
    if (o->projects)
        select_column(&s, &project, 1);
    for (int k = 0; k < drift_series(o); k++) {
        char name[48];
        snprintf(name, sizeof name, "drift_%s", drift_names[k]);
        select_column(&s, &(shown_column){.name = name, .title = drift_title(o->run.problem, k), .format = "%.3e"}, 1);
    }
    if (o->referenced)
        select_errors(&s, o->run.problem);
    if (o->projects)
        select_column(&s, &moved, 1);
    select_columns(&s, ends);
    table *drift = select_end(&s);
    table_free(runs);
    return drift;
}

static table *growth_table(const drift_result *d)
{
    const study_specification *o = &d->spec;
    table *t = table_new();
    char text[GROWTH_LABEL];
    if (!t)
        return NULL;
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
    document_section_add(doc, o->run.problem->invariants.n
                              ? "largest residual of the constraints, of energy minus the work of "
                                "time, and |I - I0|/(1 + |I0|) of the invariants, over the run"
                              : "largest residual of the constraints, and of energy minus the work "
                                "of time, over the run", drift_table(item));
    document_section_add(doc, "how the largest so far grows with time, and its rate", growth_table(d));
    for (int i = 0; i < d->count; i++)
        if (d->runs[i].run.status) {
            drift_label(&d->runs[i], label);
            document_note(doc, "%s: %s", label, d->runs[i].run.message);
        }
    note_step(doc, o);
    for (int i = 0; i < d->count; i++)
        remark_fixed(doc, &o->run, d->runs[i].form, d->runs[i].method, d->runs[i].run.status);
    for (int i = 0; i < d->count; i++) {
        drift_label(&d->runs[i], label);
        remark_rank(doc, label, &d->runs[i].run.lost);
    }
    note_doubts(doc, o);
    if (o->referenced)
        note_reference(doc, &d->s);
}
