/* converge_tables.c - a convergence study as tables and as JSON */
#include "report/converge_report.h"

#include "report/orders.h"
#include "report/run_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int any_switches(const report_view *o, const converge_curve *studies, int count)
{
    int any = !o->people;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < studies[i].levels; k++)
            any = any || run_switches(&studies[i].runs[k]);
    return any;
}

static void value_column(grid *g, const report_view *o)
{
    char varied[STUDY_NAME];
    const char *name = study_varied_name(o->spec, varied);
    if (o->spec->values)
        grid_column(g, name, name, "%.4g");
}

static void value_cell(grid *g, const report_view *o, const converge_curve *c)
{
    if (o->spec->values)
        grid_number(g, c->value);
}

/* People are shown the first level that there is. */
static int only_velocities(const report_view *o)
{
    const dae_mechanical *m = &o->spec->run.problem->mechanical;
    return m->nonholonomic > 0 && m->nonholonomic == m->nl;
}

static grid *level_columns(const report_view *o, int switches)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    value_column(g, o);
    run_columns(g);
    run_error_columns(g, o->spec->run.problem);
    if (o->people && only_velocities(o))
        grid_column(g, "drift_velocity", "drift |A v + b|", "%.3e");
    else
        grid_column(g, "drift_position", "drift |g|", "%.3e");
    if (!o->people) {
        grid_column(g, "drift_velocity", "drift |g'|", "%.3e");
        grid_column(g, "drift_acceleration", "drift |g''|", "%.3e");
        grid_column(g, "energy", "energy", "%.3e");
    }
    grid_column(g, "steps", "steps", "%.0f");
    grid_column(g, "rhs", "F", "%.0f");
    if (!o->people) {
        grid_column(g, "jacobians", "J", "%.0f");
        grid_column(g, "factorizations", "LU", "%.0f");
    }
    if (switches)
        run_switch_columns(g);
    grid_column(g, "seconds", "seconds", "%.2e");
    return g;
}

static void add_level(grid *g, const report_view *o, const converge_curve *c, const run_result *r,
                      int switches)
{
    value_cell(g, o, c);
    run_cells(g, c->subject.form, c->subject.method, r);
    run_error_cells(g, o->spec->run.problem, r);
    grid_number(g, r->drift[o->people && only_velocities(o)]);
    if (!o->people) {
        grid_number(g, r->drift[1]);
        grid_number(g, r->drift[2]);
        grid_number(g, r->energy);
    }
    grid_number(g, (double)r->count.steps);
    grid_number(g, (double)r->count.rhs);
    if (!o->people) {
        grid_number(g, (double)r->count.jacobians);
        grid_number(g, (double)r->count.factorizations);
    }
    if (switches)
        run_switch_cells(g, r);
    grid_number(g, r->seconds);
}

grid *converge_level_grid(const report_view *o, const converge_curve *studies, int count)
{
    const int switches = any_switches(o, studies, count);
    grid *g = level_columns(o, switches);
    for (int i = 0; g && i < count; i++) {
        grid_rule(g);
        for (int k = 0; k < studies[i].levels; k++)
            add_level(g, o, &studies[i], &studies[i].runs[k], switches);
    }
    return g;
}

/* ---- JSON */

static json_t *level_json(const report_view *o, const run_result *r)
{
    json_t *level = json_pack(
        "{s:o, s:o, s:s, s:o, s:o, s:o}", "step", json_number(r->step), "rtol",
        json_number(r->rtol), "status", run_status_name(r), "error",
        run_error_json(o->spec->run.problem, r), "drift",
        run_drift_json(r->drift, r->energy), "cost", run_cost_json(r));
    json_t *path = json_object(), *noise = json_object();
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(o->spec->run.problem, c)) {
            json_object_set_new(path, dae_class_name(c), json_number(r->path[c]));
            json_object_set_new(noise, dae_class_name(c), json_number(r->noise[c]));
        }
    if (level) {
        json_object_set_new(level, "error_on_path", path);
        json_object_set_new(level, "rounding", noise);
    }
    if (level && r->status)
        json_object_set_new(level, "message", json_string(r->message));
    return level;
}

json_t *converge_json(const report_view *o, const converge_curve *c)
{
    json_t *levels = json_array();
    for (int i = 0; i < c->levels; i++)
        json_array_append_new(levels, level_json(o, &c->runs[i]));
    json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "form",
                     dae_formulation_describe(c->subject.form).name, "method", c->info.name,
                     "jacobian", run_jacobian_name(c->runs[0].jacobian),
                     "linear", run_linear_name(c->runs[0].linear), "levels", levels,
                     "order", orders_json(o->spec->run.problem, c->order));
    if (json && o->spec->values) {
        char varied[STUDY_NAME];
        json_object_set_new(json, study_varied_name(o->spec, varied), json_number(c->value));
    }
    return json;
}
