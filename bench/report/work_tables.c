/* work_tables.c - a work-precision study as tables */
#include "report/work_report.h"

#include "report/run_output.h"

#include <math.h>

static const counter counters[] = {COUNTER_steps, COUNTER_rhs, COUNTER_factorizations, COUNTERS};

/* A column of reasons stands there where something failed, those of switches where a method did. */
static void look_at(const work_curve *curves, int count, int *reasons, int *switches)
{
    *reasons = *switches = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < curves[i].levels; k++) {
            *reasons |= *work_reason(&curves[i].point[k]) != 0;
            *switches |= run_switches(&curves[i].point[k].run);
        }
}

static void point_columns(table *g, const dae_problem *problem, int switches)
{
    run_columns(g);
    run_error_columns(g, problem);
    table_head(g, "scd", "scd", "%.2f");
    table_head(g, "mescd", "mescd", "%.2f");
    run_count_columns(g, counters);
    if (switches)
        run_count_columns(g, run_switch_counters);
    table_head(g, "wall_median", "time [s]", "%.3e");
    table_head(g, "wall_lower", "lower", "%.3e");
    table_head(g, "wall_upper", "upper", "%.3e");
    table_head(g, "cpu", "CPU [s]", "%.3e");
    table_head(g, "runs", "runs", "%.0f");
}

static void add_point(table *g, const dae_problem *problem, const work_curve *c, const work_point *p, int switches)
{
    run_cells(g, c->form, c->method, &p->run);
    run_error_cells(g, problem, &p->run);
    table_put(g, p->scd);
    table_put(g, p->mescd);
    run_count_cells(g, counters, &p->run.count);
    if (switches)
        run_count_cells(g, run_switch_counters, &p->run.count);
    table_put(g, p->wall.median);
    table_put(g, p->wall.lower);
    table_put(g, p->wall.upper);
    table_put(g, p->cpu);
    table_put(g, p->runs);
}

table *work_point_grid(const study_specification *o, const work_curve *curves, int count)
{
    int reasons, switches;
    table *g = table_new();
    if (!g)
        return NULL;
    look_at(curves, count, &reasons, &switches);
    point_columns(g, o->run.problem, switches);
    if (reasons)
        table_head(g, "reason", "reason", NULL);
    for (int i = 0; i < count; i++) {
        table_rule(g);
        for (int k = 0; k < curves[i].levels; k++) {
            add_point(g, o->run.problem, &curves[i], &curves[i].point[k], switches);
            if (reasons)
                table_put_text(g, work_reason(&curves[i].point[k]));
        }
    }
    return g;
}

table *work_summary_new(void)
{
    table *g = table_new();
    if (!g)
        return NULL;
    table_head(g, "problem", "problem", NULL);
    run_columns(g);
    table_head(g, "scd", "scd", "%.2f");
    table_head(g, "mescd", "mescd", "%.2f");
    table_head(g, "steps", "steps", "%.0f");
    table_head(g, "seconds", "time [s]", "%.3e");
    return g;
}

void work_summary_add(table *g, const work_result *r)
{
    const study_specification *o = &r->spec;
    const work_curve *curves = r->curves;
    const int count = r->count;
    table_rule(g);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < curves[i].levels; k++) {
            const work_point *p = &curves[i].point[k];
            table_put_text(g, o->run.problem->name);
            run_cells(g, curves[i].form, curves[i].method, &p->run);
            table_put(g, p->scd);
            table_put(g, p->mescd);
            table_put(g, (double)p->run.count.steps);
            table_put(g, work_seconds(o, p));
        }
}

static double smallest_error(const work_curve *c, dae_class k)
{
    double smallest = NAN;
    for (int i = 0; i < c->levels; i++)
        if (!c->point[i].run.status)
            smallest = fmin(smallest, c->point[i].run.error[k]);
    return smallest;
}

table *work_at_grid(const study_specification *o, const work_curve *curves, int count)
{
    char name[48], title[48], words[RATIO_WORDS];
    table *g = table_new();
    if (!g)
        return NULL;
    table_head(g, "form", "form", NULL);
    table_head(g, "method", "method", NULL);
    for (int t = 0; t < o->targets; t++) {
        snprintf(name, sizeof name, "seconds_%g", o->target[t]);
        snprintf(title, sizeof title, "%g [s]", o->target[t]);
        table_head(g, name, title, "%.3e");
        snprintf(name, sizeof name, "ratio_%g", o->target[t]);
        if (o->baseline)
            table_head(g, name, "x", NULL);
    }
    table_head(g, "smallest_error", "smallest error", "%.1e");
    for (int i = 0; i < count; i++) {
        table_put_text(g, dae_formulation_describe(curves[i].form).name);
        table_put_text(g, curves[i].info.name);
        for (int t = 0; t < o->targets; t++) {
            const ratio_spread x = work_curve_ratio(o, curves, count, i, o->target[t]);
            table_put(g, work_curve_at(o, &curves[i], o->target[t]));
            if (o->baseline)
                table_put_text(g, ratio_spread_words(&x, words));
        }
        table_put(g, smallest_error(&curves[i], o->of));
    }
    return g;
}
