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

static void point_columns(grid *g, const dae_problem *problem, int switches)
{
    run_columns(g);
    run_error_columns(g, problem);
    grid_column(g, "scd", "scd", "%.2f");
    grid_column(g, "mescd", "mescd", "%.2f");
    run_count_columns(g, counters);
    if (switches)
        run_count_columns(g, run_switch_counters);
    grid_column(g, "wall_median", "time [s]", "%.3e");
    grid_column(g, "wall_lower", "lower", "%.3e");
    grid_column(g, "wall_upper", "upper", "%.3e");
    grid_column(g, "cpu", "CPU [s]", "%.3e");
    grid_column(g, "runs", "runs", "%.0f");
}

static void add_point(grid *g, const dae_problem *problem, const work_curve *c, const work_point *p, int switches)
{
    run_cells(g, c->form, c->method, &p->run);
    run_error_cells(g, problem, &p->run);
    grid_number(g, p->scd);
    grid_number(g, p->mescd);
    run_count_cells(g, counters, &p->run.count);
    if (switches)
        run_count_cells(g, run_switch_counters, &p->run.count);
    grid_number(g, p->wall.median);
    grid_number(g, p->wall.lower);
    grid_number(g, p->wall.upper);
    grid_number(g, p->cpu);
    grid_number(g, p->runs);
}

grid *work_point_grid(const study_specification *o, const work_curve *curves, int count)
{
    int reasons, switches;
    grid *g = grid_new();
    if (!g)
        return NULL;
    look_at(curves, count, &reasons, &switches);
    point_columns(g, o->run.problem, switches);
    if (reasons)
        grid_column(g, "reason", "reason", NULL);
    for (int i = 0; i < count; i++) {
        grid_rule(g);
        for (int k = 0; k < curves[i].levels; k++) {
            add_point(g, o->run.problem, &curves[i], &curves[i].point[k], switches);
            if (reasons)
                grid_text(g, work_reason(&curves[i].point[k]));
        }
    }
    return g;
}

grid *work_summary_new(void)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "problem", "problem", NULL);
    run_columns(g);
    grid_column(g, "scd", "scd", "%.2f");
    grid_column(g, "mescd", "mescd", "%.2f");
    grid_column(g, "steps", "steps", "%.0f");
    grid_column(g, "seconds", "time [s]", "%.3e");
    return g;
}

void work_summary_add(grid *g, const work_result *r)
{
    const study_specification *o = &r->spec;
    const work_curve *curves = r->curves;
    const int count = r->count;
    grid_rule(g);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < curves[i].levels; k++) {
            const work_point *p = &curves[i].point[k];
            grid_text(g, o->run.problem->name);
            run_cells(g, curves[i].form, curves[i].method, &p->run);
            grid_number(g, p->scd);
            grid_number(g, p->mescd);
            grid_number(g, (double)p->run.count.steps);
            grid_number(g, work_seconds(o, p));
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

grid *work_at_grid(const study_specification *o, const work_curve *curves, int count)
{
    char name[48], title[48], words[RATIO_WORDS];
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "form", "form", NULL);
    grid_column(g, "method", "method", NULL);
    for (int t = 0; t < o->targets; t++) {
        snprintf(name, sizeof name, "seconds_%g", o->target[t]);
        snprintf(title, sizeof title, "%g [s]", o->target[t]);
        grid_column(g, name, title, "%.3e");
        snprintf(name, sizeof name, "ratio_%g", o->target[t]);
        if (o->baseline)
            grid_column(g, name, "x", NULL);
    }
    grid_column(g, "smallest_error", "smallest error", "%.1e");
    for (int i = 0; i < count; i++) {
        grid_text(g, dae_formulation_describe(curves[i].form).name);
        grid_text(g, curves[i].info.name);
        for (int t = 0; t < o->targets; t++) {
            const ratio_spread x = work_curve_ratio(o, curves, count, i, o->target[t]);
            grid_number(g, work_curve_at(o, &curves[i], o->target[t]));
            if (o->baseline)
                grid_text(g, ratio_spread_words(&x, words));
        }
        grid_number(g, smallest_error(&curves[i], o->of));
    }
    return g;
}
