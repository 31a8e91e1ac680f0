/* converge_tables.c - a convergence study as tables and as JSON */
#include "converge.h"

#include <math.h>

grid *converge_level_grid(const cli_options *o)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    run_columns(g);
    run_error_columns(g, o);
    grid_column(g, "drift_position", "drift |g|", "%.3e");
    if (!run_people(o)) {
        grid_column(g, "drift_velocity", "drift |g'|", "%.3e");
        grid_column(g, "drift_acceleration", "drift |g''|", "%.3e");
        grid_column(g, "energy", "energy", "%.3e");
    }
    grid_column(g, "steps", "steps", "%.0f");
    grid_column(g, "rhs", "F", "%.0f");
    if (!run_people(o)) {
        grid_column(g, "jacobians", "J", "%.0f");
        grid_column(g, "factorizations", "LU", "%.0f");
    }
    grid_column(g, "seconds", "seconds", "%.2e");
    return g;
}

void converge_add_level(grid *g, const cli_options *o, const converge_study *c, const run_result *r)
{
    run_cells(g, c->form, c->method, r);
    run_error_cells(g, o, r);
    grid_number(g, r->drift[0]);
    if (!run_people(o)) {
        grid_number(g, r->drift[1]);
        grid_number(g, r->drift[2]);
        grid_number(g, r->energy);
    }
    grid_number(g, (double)r->count.steps);
    grid_number(g, (double)r->count.rhs);
    if (!run_people(o)) {
        grid_number(g, (double)r->count.jacobians);
        grid_number(g, (double)r->count.factorizations);
    }
    grid_number(g, r->seconds);
}

grid *converge_order_grid(const cli_options *o, const converge_study *studies, int count)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    grid_column(g, "form", "form", NULL);
    grid_column(g, "method", "method", NULL);
    grid_column(g, "class", "class", NULL);
    grid_column(g, "observed", "observed", "%.2f");
    grid_column(g, "declared", "declared", "%.0f");
    grid_column(g, "verdict", "verdict", NULL);
    grid_column(g, "error", "error", "%.2e");
    grid_column(g, "estimated_error", "estimated*", "%.2e");
    for (int i = 0; i < count; i++) {
        grid_rule(g);
        for (dae_class c = 0; c < DAE_CLASSES; c++) {
            const order_result *k = &studies[i].order[c];
            if (!run_shows(o, c) || (isnan(k->error) && isnan(k->estimated_error)))
                continue;
            grid_text(g, dae_formulation_describe(studies[i].form).name);
            grid_text(g, studies[i].info.name);
            grid_text(g, run_class_names[c]);
            grid_number(g, k->observed);
            grid_number(g, k->declared);
            grid_text(g, k->verdict);
            grid_number(g, k->error);
            grid_number(g, k->estimated_error);
        }
    }
    return g;
}

/* ---- JSON */

static json_t *level_json(const cli_options *o, const run_result *r)
{
    json_t *level = json_pack(
        "{s:o, s:o, s:s, s:o, s:o, s:o}", "step", json_number(r->step), "rtol",
        json_number(r->rtol), "status", run_status_name(r), "error",
        run_error_json(o, r), "drift",
        run_drift_json(r->drift, r->energy), "cost", run_cost_json(r));
    if (level && r->status)
        json_object_set_new(level, "message", json_string(r->message));
    return level;
}

static json_t *order_json(const order_result *k)
{
    return json_pack("{s:o, s:o, s:s, s:i, s:{s:o, s:o}}", "observed", json_number(k->observed),
                     "declared", json_number(k->declared), "verdict", k->verdict,
                     "levels", k->levels, "estimate", "order", json_number(k->estimated_order),
                     "error", json_number(k->estimated_error));
}

json_t *converge_json(const cli_options *o, const converge_study *c)
{
    json_t *levels = json_array(), *order = json_object();
    for (int i = 0; i < c->levels; i++)
        json_array_append_new(levels, level_json(o, &c->runs[i]));
    for (dae_class k = 0; k < DAE_CLASSES; k++)
        if (run_shows(o, k))
            json_object_set_new(order, dae_class_name(k), order_json(&c->order[k]));
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "form",
                     dae_formulation_describe(c->form).name, "method", c->info.name,
                     "jacobian", cli_jacobian_name(c->runs[0].jacobian),
                     "linear", cli_linear_name(c->runs[0].linear), "levels", levels,
                     "order", order);
}
