/* solve_estimate.c - how far a run is from one that is more accurate
 *
 * With e(h) = C h^p, or C rtol^r, the difference from a run at h/2 or rtol/10 is e (1 - 2^-p) or
 * e (1 - 10^-r): about e, and half of it at least where p >= 1 and r >= 0.3. Where a method
 * converges to something else (order 0), both runs err alike; of a multiplier that can be seen, as
 * it differs from the one recovered from the acceleration level.
 */
#include "report/report.h"

#include "host/allocate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FAR = 100;          /* tolerances: worth a sentence */
static const double ALIKE = 10;         /* differences: more than both runs tell */

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

/* A multiplier that is far from the one that the acceleration level asks for, and does not come
 * nearer to it: both its runs err alike. The rows after the start, where it is given. */
static void note_multiplier(document *doc, const solve_run *run, const solve_difference *d, int raw,
                            int i)
{
    const trajectory *tr = &run->tr;
    double apart = 0;
    for (size_t r = trajectory_listed(tr, 1); r < tr->count; r = trajectory_listed(tr, r + 1)) {
        const double *row = tr->rows + r * (size_t)tr->width + 1;
        apart = fmax(apart, fabs(row[raw] - row[i]));
    }
    if (apart > ALIKE * fmax(d[raw].largest, d[i].largest))
        document_remark(doc, "%s is wrong by about %.2g %s: it converges to something else than "
                        "the constraints ask for; %s holds that", tr->columns.label[raw].name, apart,
                      tr->columns.label[raw].unit, tr->columns.label[i].name);
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

/* By how many tolerances column i is off. */
static double tolerances(const solve_run *run, const solve_difference *d, int i)
{
    return d[i].largest / (run->options.rtol * d[i].size + atol_of_column(run, i));
}

/* The column that is off by most tolerances; -1: none is known to be. */
static int worst_of(const solve_run *run, const solve_difference *d)
{
    int worst = -1;
    for (int i = 0; i < run->tr.columns.count; i++)
        if (tolerances(run, d, i) > (worst < 0 ? 0 : tolerances(run, d, worst)))
            worst = i;
    return worst;
}

static void note_worst(document *doc, const solve_run *run, const solve_difference *d, int worst)
{
    if (worst >= 0 && tolerances(run, d, worst) > FAR && run->options.step == 0)
        document_remark(doc, "the error is far above the tolerance: that of %s is estimated at %.0f times "
                        "atol + rtol of its size", run->tr.columns.label[worst].name, tolerances(run, d, worst));
}

/* Of a method of low order in index 3. */
static void note_slow(document *doc, const solve_run *run, const solve_difference *d, double order, int worst)
{
    const column_label *label = &run->tr.columns.label[worst];
    const int pure = strcmp(label->unit, "-") == 0;
    document_remark(doc, "order %g in index 3: the error of %s is estimated at %.2g%s%s, %.2g times the tolerance", order,
                    label->name, d[worst].largest, pure ? "" : " ", pure ? "" : label->unit,
                    tolerances(run, d, worst));
}

void report_estimate(document *doc, const study_item *item)
{
    const solve_result *r = &item->result.solve;
    const solve_run *run = &r->run;
    const column_set *columns = &run->tr.columns;
    const study_specification *o = &r->spec;
    if (r->no_finer)
        document_remark(doc, "no estimate of the error: the finer run failed: %s", r->no_finer);
    if (!r->finer)
        return;
    solve_difference *d = allocate((size_t)columns->count, sizeof *d);
    for (int i = 0; i < columns->count; i++)
        d[i] = solve_differs(r, i);
    const int worst = worst_of(run, d);
    const dae_doubt doubt = run_doubt(&o->run, o->form[0], o->method[0]);
    const double slow = dae_doubt_slow(&doubt);
    if (o->estimated) {
        report_table(doc, run->options.step > 0 ? "largest difference from a run with half the step"
                     : "largest difference from a run at a tenth of the tolerance", item, "estimates",
                     "unknown unit difference t size", NULL);
        note_worst(doc, run, d, worst);
    }
    if (slow > 0 && worst >= 0)
        note_slow(doc, run, d, slow, worst);
    for (int i = 0; i < columns->count; i++)
        if (raw_column(columns, i) >= 0)
            note_multiplier(doc, run, d, raw_column(columns, i), i);
    free(d);
}
