/* solve.c - the solution against time, and what it took */
#include "report/report.h"

#include "run/time_unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Significant digits of a solution: all of a double where they are asked for, else those that rtol gives, and one more;
 * fixed steps promise none. */
static int digits_of(const solve_result *r)
{
    enum { ALL = 15, OF_STEPS = 10, LEAST = 3 };
    const dae_options *o = &r->run.options;
    const double given = 1 + ceil(-log10(o->rtol) - 1e-9);
    return r->spec.digits ? ALL : o->step > 0 ? OF_STEPS : (int)fmin(fmax(given, LEAST), ALL);
}

static table *solution_table(const trajectory *tr, const study_specification *o, int digits)
{
    const int modes = tr->columns.modes > 1;
    const dae_doubt doubt = run_doubt(&o->run, o->form[0], o->method[0]);
    char time[TIME_TITLE], format[16];
    table *t = table_new();
    snprintf(format, sizeof format, "%%.%dg", digits);
    table_head(t, "t", time_title(o->run.problem, "t", time), "%.6g");
    if (modes)
        table_head(t, "mode", "mode", NULL);
    for (int i = 0; i < tr->columns.count; i++) {
        const column_label *label = &tr->columns.label[i];
        char title[2 * LABEL + 16];
        snprintf(title, sizeof title, "%s [%s]%s", label->name, label->unit,
                 dae_doubt_wrong(&doubt, label->kind) ? ", wrong" : "");
        if (solve_shows(o, label->name))
            table_head(t, label->name, title, format);
    }
    for (size_t r = 0; r < tr->count; r++) {
        const double *row = tr->rows + r * (size_t)tr->width;
        if (!tr->mark[r].listed)
            continue;
        table_put(t, row[0]);
        if (modes)
            table_put_text(t, dae_hybrid_mode_name(tr->hybrid, tr->mark[r].mode));
        for (int i = 1; i < tr->width; i++)
            if (solve_shows(o, tr->columns.label[i - 1].name))
                table_put(t, row[i]);
    }
    return t;
}

/* Are these reports of one problem with other parameters alone, and the same columns? */
static int are_alike(document *const part[], const study_item *item, int count)
{
    int i = 0;
    while (i < count && part[i]->sections && item[i].spec.run.problem == item->spec.run.problem
           && strcmp(part[i]->options, part[0]->options) == 0
           && table_columns(part[i]->section->table) == table_columns(part[0]->section->table))
        i++;
    return item->varies && i == count;
}

void report_ends(document *doc, const study_item *item, int count)
{
    if (!are_alike(doc->part, item, count))
        return;
    table *t = table_new();
    const table *rows = doc->part[0]->section->table;
    for (int k = 0; k < item->varies; k++) {
        char name[LABEL];
        dae_parameter_name(item->spec.run.problem, item->varied[k], name, LABEL);
        table_head(t, name, name, "%.6g");
    }
    for (int c = 0; c < table_columns(rows); c++)
        table_head(t, table_name_of(rows, c), table_title_of(rows, c), table_format_of(rows, c));
    for (int i = 0; i < count; i++) {
        rows = doc->part[i]->section->table;
        const int end = table_rows(rows) - 1;
        for (int k = 0; k < item->varies; k++)
            table_put(t, run_parameter(&item[i].spec.run, item->varied[k]));
        for (int c = 0; c < table_columns(rows); c++)
            if (table_format_of(rows, c))
                table_put(t, table_number_at(rows, end, c));
            else
                table_put_text(t, table_text_at(rows, end, c));
    }
    document_section_add(doc, "where each run ended", t);
}

static void note_work(document *doc, const solve_result *r, const dae_statistics *count)
{
    const solve_run *run = &r->run;
    const dae_method_info info = dae_method_describe(r->spec.method[0]);
    document_note(doc, "%s: %ld steps, %ld rejected, %ld F, %ld J, %ld LU",
                  report_run(r->spec.form[0], r->spec.method[0]).text, count->steps, count->rejected, count->rhs,
                  count->jacobians, count->factorizations);
    if (info.switches)
        document_note(doc, "%ld steps explicit, %ld implicit, %ld switches between them",
                      count->explicit_steps, count->steps - count->explicit_steps,
                      count->switches);
    if (run->options.project)
        document_note(doc, "projection on %s: %ld states moved, by %.2e at most; %ld steps undone "
                      "that would have been moved too far", run_project_name(run->options.project),
                      count->projections, count->correction, count->too_far);
}

enum { MOST_NAMES = 6 };

/* Names of the unknowns of index 2 and 3, and their number */
static int scaled_unknowns(const solve_run *run, char *names, size_t length)
{
    const dae_solver *solver = dae_hybrid_solver(run->hybrid);
    const dae_system *sys = dae_hybrid_system(run->hybrid);
    char name[32], unit[32];
    int count = 0;
    *names = 0;
    for (int i = 0; i < dae_system_size(sys); i++) {
        const size_t at = strlen(names);
        if (dae_solver_index(solver, i) < 2)
            continue;
        dae_system_unknown(sys, i, name, unit, (int)sizeof name);
        if (count++ < MOST_NAMES)
            snprintf(names + at, length - at, "%s%s", at ? " " : "", name);
    }
    return count;
}

/* Of which unknowns the tolerance is not that of the table */
static void note_tolerance(document *doc, const solve_result *r)
{
    const run_setting *o = &r->spec.run;
    char names[MOST_NAMES * 33], more[32] = "";
    const int count = r->run.options.step > 0 ? 0 : scaled_unknowns(&r->run, names, sizeof names);
    if (!count || r->finer || o->error_test == DAE_TEST_DIFFERENTIAL)
        return;
    if (count > MOST_NAMES)
        snprintf(more, sizeof more, " and %d more", count - MOST_NAMES);
    document_note(doc, "of index 2 and above, %s%s: the error test multiplies their errors by the step over the time of "
                  "change, once or twice, and they may be above the tolerance; %s tells by how much", names, more,
                  front_field(&o->front, "estimate").text);
}

void report_solve(document *doc, const study_item *item)
{
    const solve_result *r = &item->result.solve;
    const study_specification *o = &r->spec;
    const dae_statistics count = dae_hybrid_statistics(r->run.hybrid);
    document_curve_add(doc, NULL, solution_table(&r->run.tr, o, digits_of(r)));
    note_work(doc, r, &count);
    note_tolerance(doc, r);
    remark_wrong(doc, &o->run, o->form[0], o->method[0]);
    remark_fixed(doc, &o->run, o->form[0], o->method[0], r->run.status);
    remark_rank(doc, &o->run, o->form[0], o->method[0], NULL, &r->run.lost);
    report_events(doc, item);
    report_estimate(doc, item);
    if (r->run.status < 0)
        document_note(doc, "stopped: %s", dae_hybrid_report(r->run.hybrid)->message);
}
