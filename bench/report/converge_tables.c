/* converge_tables.c - a convergence study as tables */
#include "report/converge_report.h"

#include "report/orders.h"
#include "report/run_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const counter counters[] = {COUNTER_steps, COUNTER_rhs, COUNTERS};

static int any_switches(const converge_curve *studies, int count)
{
    int any = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < studies[i].levels; k++)
            any = any || run_switches(&studies[i].runs[k]);
    return any;
}

static void value_column(table *g, const study_specification *o)
{
    char varied[STUDY_NAME];
    const char *name = study_varied_name(o, varied);
    if (o->values)
        table_head(g, name, name, "%.4g");
}

static void value_cell(table *g, const study_specification *o, const converge_curve *c)
{
    if (o->values)
        table_put(g, c->value);
}

/* People are shown the first level that there is. */
static int only_velocities(const study_specification *o)
{
    const dae_mechanical *m = &o->run.problem->mechanical;
    return m->nonholonomic > 0 && m->nonholonomic == m->nl;
}

static table *level_columns(const study_specification *o, int switches)
{
    table *g = table_new();
    if (!g)
        return NULL;
    value_column(g, o);
    run_columns(g);
    run_error_columns(g, o->run.problem);
    if (only_velocities(o))
        table_head(g, "drift_velocity", "drift |A v + b|", "%.3e");
    else
        table_head(g, "drift_position", "drift |g|", "%.3e");
    run_count_columns(g, counters);
    if (switches)
        run_count_columns(g, run_switch_counters);
    table_head(g, "seconds", "seconds", "%.2e");
    return g;
}

static void add_level(table *g, const study_specification *o, const converge_curve *c, const run_result *r,
                      int switches)
{
    value_cell(g, o, c);
    run_cells(g, c->subject.form, c->subject.method, r);
    run_error_cells(g, o->run.problem, r);
    table_put(g, r->drift[only_velocities(o)]);
    run_count_cells(g, counters, &r->count);
    if (switches)
        run_count_cells(g, run_switch_counters, &r->count);
    table_put(g, r->seconds);
}

table *converge_level_grid(const study_specification *o, const converge_curve *studies, int count)
{
    const int switches = any_switches(studies, count);
    table *g = level_columns(o, switches);
    for (int i = 0; g && i < count; i++) {
        table_rule(g);
        for (int k = 0; k < studies[i].levels; k++)
            add_level(g, o, &studies[i], &studies[i].runs[k], switches);
    }
    return g;
}
