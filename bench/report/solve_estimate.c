/* solve_estimate.c - how far a run is from one that is more accurate: what doubt.h is told of each column */
#include "report/report.h"

#include "host/allocate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The column of a multiplier as the method has it, where column i holds the recovered one; or
 * -1. */
static int raw_column(const column_set *columns, int i)
{
    char name[2 * LABEL];
    for (int k = 0; columns->label[i].kind == DAE_RECOVERED && k < columns->count; k++) {
        snprintf(name, sizeof name, "%s_recovered", columns->label[k].name);
        if (columns->label[k].kind != DAE_RECOVERED && strcmp(name, columns->label[i].name) == 0)
            return k;
    }
    return -1;
}

/* The largest difference of two columns; the rows after the start, where it is given. */
static double apart(const trajectory *tr, int raw, int i)
{
    double most = 0;
    for (size_t r = trajectory_listed(tr, 1); r < tr->count; r = trajectory_listed(tr, r + 1)) {
        const double *row = tr->rows + r * (size_t)tr->width + 1;
        most = fmax(most, fabs(row[raw] - row[i]));
    }
    return most;
}

/* The absolute tolerance of column i: of the unknown of the last mode that it shows, or of all. */
static double atol_of_column(const solve_run *run, int i)
{
    const dae_system *sys = dae_hybrid_system(run->hybrid);
    const int *place = run->tr.columns.place[dae_hybrid_mode(run->hybrid)], n = dae_system_size(sys);
    double *atols = allocate((size_t)n, sizeof *atols), atol = run->options.atol;
    dae_atol known[MAX_ATOLS];
    int count = 0;
    for (int k = 0; k < run->options.atol_count; k++)
        if (!dae_system_atols(sys, 1, &run->atols[k], 1, NULL, NULL))
            known[count++] = run->atols[k];
    if (!dae_system_atols(sys, atol, known, count, atols, NULL))
        for (int k = 0; k < n; k++)
            atol = place[k] == i ? atols[k] : atol;
    free(atols);
    return atol;
}

/* An estimate of each column, e[columns]. */
static void estimate(const solve_result *r, dae_estimate *e)
{
    const column_set *columns = &r->run.tr.columns;
    for (int i = 0; i < columns->count; i++) {
        const solve_difference d = solve_differs(r, i);
        e[i] = (dae_estimate){columns->label[i].name, columns->label[i].unit, d.largest, d.size,
                              atol_of_column(&r->run, i), NULL, 0, 0};
    }
    for (int i = 0; i < columns->count; i++) {
        const int raw = raw_column(columns, i);
        if (raw >= 0) {
            e[raw].recovered = e[i].name;
            e[raw].apart = apart(&r->run.tr, raw, i);
            e[raw].recovered_error = e[i].error;
        }
    }
}

void report_estimate(document *doc, const study_item *item)
{
    const solve_result *r = &item->result.solve;
    const solve_run *run = &r->run;
    const study_specification *o = &r->spec;
    const int count = run->tr.columns.count;
    dae_doubt doubt = run_doubt(&o->run, o->form[0], o->method[0]);
    if (r->no_finer)
        document_remark(doc, "no estimate of the error: the finer run failed: %s", r->no_finer);
    if (!r->finer)
        return;
    dae_estimate *e = allocate((size_t)count, sizeof *e);
    estimate(r, e);
    doubt.rtol = run->options.rtol;
    doubt.estimate = e;
    doubt.estimates = count;
    if (o->estimated) {
        report_table(doc, run->options.step > 0 ? "largest difference from a run with half the step"
                     : "largest difference from a run at a tenth of the tolerance", item, "estimates",
                     "unknown unit difference t size", NULL);
        remark_doubt(doc, &doubt, DAE_SAYS_FAR, 0);
    }
    remark_doubt(doc, &doubt, DAE_SAYS_SLOW, 0);
    for (int i = 0; i < count; i++)
        remark_doubt(doc, &doubt, DAE_SAYS_APART, i);
    free(e);
}
