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

static void point_columns(grid *g, const char *varied)
{
    grid_column(g, "form", "form", NULL);
    grid_column(g, "method", "method", NULL);
    grid_column(g, varied, varied, "%.7g");
    grid_column(g, "status", "status", NULL);
    grid_column(g, "unknowns", "n", "%.0f");
    grid_column(g, "seconds_step", "step", "%.3e");
    grid_column(g, "seconds_solve", "solve", "%.3e");
    grid_column(g, "seconds_setup", "setup", "%.3e");
    run_count_columns(g, counters);
    run_count_columns(g, entries);
    grid_column(g, "bytes_memory", "memory", "%.3f");
    grid_column(g, "bytes_peak", "peak", "%.1f");
}

static void add_point(grid *g, const study_specification *o, const scale_pair *pair, const scale_point *p)
{
    const dae_statistics *counted = p->solve_runs > 0 ? &p->count : NULL;
    grid_text(g, dae_formulation_describe(pair->form).name);
    grid_text(g, pair->info.name);
    grid_number(g, p->value);
    grid_text(g, outcome_name(p->outcome, p->failure));
    grid_number(g, positive(p->n));
    grid_number(g, scale_value(o, p, SCALE_STEP));
    grid_number(g, scale_value(o, p, SCALE_SOLVE));
    grid_number(g, p->setup);
    run_count_cells(g, counters, counted);
    run_count_cells(g, entries, counted);
    grid_number(g, p->held / MB);
    grid_number(g, p->peak / MB);
}

grid *scale_point_grid(const study_specification *o, const scale_pair *pairs, int count)
{
    char varied[STUDY_NAME];
    const int reasons = needs_reasons(pairs, count);
    grid *g = grid_new();
    if (!g)
        return NULL;
    point_columns(g, study_varied_name(o, varied));
    if (reasons)
        grid_column(g, "reason", "reason", NULL);
    for (int i = 0; i < count; i++) {
        grid_rule(g);
        for (int k = 0; k < pairs[i].points; k++) {
            add_point(g, o, &pairs[i], &pairs[i].point[k]);
            if (reasons)
                grid_text(g, pairs[i].point[k].reason);
        }
    }
    return g;
}

static void fit_columns(grid *g, scale_quantity q)
{
    char name[48];
    snprintf(name, sizeof name, "exponent_%s", scale_names[q]);
    grid_column(g, name, scale_names[q], "%.2f");
    snprintf(name, sizeof name, "last_%s", scale_names[q]);
    grid_column(g, name, "last", "%.2f");
}

grid *scale_fit_grid(const study_specification *o, const scale_pair *pairs, int count)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "form", "form", NULL);
    grid_column(g, "method", "method", NULL);
    for (scale_quantity q = 0; q < SCALE_QUANTITIES; q++)
        fit_columns(g, q);
    for (int i = 0; i < count; i++) {
        grid_text(g, dae_formulation_describe(pairs[i].form).name);
        grid_text(g, pairs[i].info.name);
        for (scale_quantity q = 0; q < SCALE_QUANTITIES; q++) {
            const scale_fit fit = scale_pair_fit(o, &pairs[i], q);
            grid_number(g, fit.exponent);
            grid_number(g, fit.last);
        }
    }
    return g;
}
