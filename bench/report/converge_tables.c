/* converge_tables.c - a convergence study as tables and as JSON */
#include "report/converge_report.h"

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

/* "4.97 4.98 5.00" */
static void slopes_cell(grid *g, const order_result *k)
{
    char text[16 * ORDER_SLOPES] = "";
    for (int i = 0; i < ORDER_SLOPES; i++) {
        const size_t end = strlen(text);
        if (!isnan(k->slope[i]))
            snprintf(text + end, sizeof text - end, "%s%.2f", end ? " " : "", k->slope[i]);
    }
    grid_text(g, text);
}

grid *converge_order_grid(const report_view *o, const converge_curve *studies, int count)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    value_column(g, o);
    grid_column(g, "form", "form", NULL);
    grid_column(g, "method", "method", NULL);
    grid_column(g, "class", "class", NULL);
    grid_column(g, "observed", "observed", "%.2f");
    grid_column(g, "low", "low", "%.2f");
    grid_column(g, "high", "high", "%.2f");
    grid_column(g, "slopes", "slopes", NULL);
    grid_column(g, "declared", "declared", "%.0f");
    grid_column(g, "verdict", "verdict", NULL);
    if (!o->people)
        grid_column(g, "reason", "reason", NULL);
    grid_column(g, "error", "error", "%.2e");
    grid_column(g, "estimated_error", "estimated*", "%.2e");
    for (int i = 0; i < count; i++) {
        grid_rule(g);
        for (dae_class c = 0; c < DAE_CLASSES; c++) {
            const order_result *k = &studies[i].order[c];
            if (!run_shows(o->spec->run.problem, c) || (isnan(k->error) && isnan(k->estimated_error)))
                continue;
            value_cell(g, o, &studies[i]);
            grid_text(g, dae_formulation_describe(studies[i].subject.form).name);
            grid_text(g, studies[i].info.name);
            grid_text(g, run_class_names[c]);
            grid_number(g, k->observed);
            grid_number(g, k->low);
            grid_number(g, k->high);
            slopes_cell(g, k);
            grid_number(g, k->declared);
            grid_text(g, k->verdict);
            if (!o->people)
                grid_text(g, k->reason);
            grid_number(g, k->error);
            grid_number(g, k->estimated_error);
        }
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

static json_t *order_json(const order_result *k)
{
    json_t *slopes = json_array();
    for (int i = 0; i < ORDER_SLOPES; i++)
        if (!isnan(k->slope[i]))
            json_array_append_new(slopes, json_number(k->slope[i]));
    json_t *order = json_pack(
        "{s:o, s:[o, o], s:o, s:o, s:s, s:i, s:{s:o, s:o}}", "observed", json_number(k->observed),
        "interval", json_number(k->low), json_number(k->high), "slopes", slopes, "declared",
        json_number(k->declared), "verdict", k->verdict, "levels", k->levels, "estimate", "order",
        json_number(k->estimated_order), "error", json_number(k->estimated_error));
    if (order && k->in_quad)
        json_object_set_new(order, "arithmetic", json_string("quad"));
    if (order && *k->reason)
        json_object_set_new(order, "reason", json_string(k->reason));
    return order;
}

json_t *converge_json(const report_view *o, const converge_curve *c)
{
    json_t *levels = json_array(), *order = json_object();
    for (int i = 0; i < c->levels; i++)
        json_array_append_new(levels, level_json(o, &c->runs[i]));
    for (dae_class k = 0; k < DAE_CLASSES; k++)
        if (run_shows(o->spec->run.problem, k))
            json_object_set_new(order, dae_class_name(k), order_json(&c->order[k]));
    json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "form",
                     dae_formulation_describe(c->subject.form).name, "method", c->info.name,
                     "jacobian", run_jacobian_name(c->runs[0].jacobian),
                     "linear", run_linear_name(c->runs[0].linear), "levels", levels,
                     "order", order);
    if (json && o->spec->values) {
        char varied[STUDY_NAME];
        json_object_set_new(json, study_varied_name(o->spec, varied), json_number(c->value));
    }
    return json;
}
