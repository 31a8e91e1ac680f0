/* scale_tables.c - a scaling study as tables */
#include "report/scale_report.h"

#include "report/run_output.h"

#include <math.h>

static const counter counters[] = {COUNTER_steps, COUNTER_rhs, COUNTER_jacobians, COUNTER_factorizations, COUNTERS},
    entries[] = {COUNTER_nonzeros, COUNTER_fill, COUNTERS};
static const double MB = 1e6;

static int needs_reasons(const scale_pair *pairs, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < pairs[i].points; k++)
            if (*pairs[i].point[k].reason)
                return 1;
    return 0;
}

static double positive(long count) { return count > 0 ? (double)count : NAN; }

static void point_columns(table *g, const char *varied)
{
    table_head(g, "form", "form", NULL);
    table_head(g, "method", "method", NULL);
    table_head(g, varied, varied, "%.7g");
    table_head(g, "status", "status", NULL);
    table_head(g, "unknowns", "n", "%.0f");
    table_head(g, "seconds_step", "step", "%.3e");
    table_head(g, "seconds_solve", "solve", "%.3e");
    table_head(g, "seconds_setup", "setup", "%.3e");
    run_count_columns(g, counters);
    run_count_columns(g, entries);
    table_head(g, "bytes_memory", "memory", "%.3f");
    table_head(g, "bytes_peak", "peak", "%.1f");
}

static void add_point(table *g, const study_specification *o, const scale_pair *pair, const scale_point *p)
{
    const dae_statistics *counted = p->solve_runs > 0 ? &p->count : NULL;
    table_put_text(g, dae_formulation_describe(pair->form).name);
    table_put_text(g, pair->info.name);
    table_put(g, p->value);
    table_put_text(g, outcome_name(p->outcome, p->failure));
    table_put(g, positive(p->n));
    table_put(g, scale_value(o, p, SCALE_STEP));
    table_put(g, scale_value(o, p, SCALE_SOLVE));
    table_put(g, p->setup);
    run_count_cells(g, counters, counted);
    run_count_cells(g, entries, counted);
    table_put(g, p->held / MB);
    table_put(g, p->peak / MB);
}

table *scale_point_grid(const study_specification *o, const scale_pair *pairs, int count)
{
    char varied[STUDY_NAME];
    const int reasons = needs_reasons(pairs, count);
    table *g = table_new();
    if (!g)
        return NULL;
    point_columns(g, study_varied_name(o, varied));
    if (reasons)
        table_head(g, "reason", "reason", NULL);
    for (int i = 0; i < count; i++) {
        table_rule(g);
        for (int k = 0; k < pairs[i].points; k++) {
            add_point(g, o, &pairs[i], &pairs[i].point[k]);
            if (reasons)
                table_put_text(g, pairs[i].point[k].reason);
        }
    }
    return g;
}

static void fit_columns(table *g, scale_quantity q)
{
    char name[48];
    snprintf(name, sizeof name, "exponent_%s", scale_names[q]);
    table_head(g, name, scale_names[q], "%.2f");
    snprintf(name, sizeof name, "last_%s", scale_names[q]);
    table_head(g, name, "last", "%.2f");
}

table *scale_fit_grid(const study_specification *o, const scale_pair *pairs, int count)
{
    table *g = table_new();
    if (!g)
        return NULL;
    table_head(g, "form", "form", NULL);
    table_head(g, "method", "method", NULL);
    for (scale_quantity q = 0; q < SCALE_QUANTITIES; q++)
        fit_columns(g, q);
    for (int i = 0; i < count; i++) {
        table_put_text(g, dae_formulation_describe(pairs[i].form).name);
        table_put_text(g, pairs[i].info.name);
        for (scale_quantity q = 0; q < SCALE_QUANTITIES; q++) {
            const scale_fit fit = scale_pair_fit(o, &pairs[i], q);
            table_put(g, fit.exponent);
            table_put(g, fit.last);
        }
    }
    return g;
}
