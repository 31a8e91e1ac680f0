#include "run_output.h"

#include "document.h"

const char *run_status_name(const run_result *r)
{
    return r->status ? dae_status_name(r->status) : "ok";
}

void run_columns(grid *g)
{
    grid_column(g, "form", "form", NULL);
    grid_column(g, "method", "method", NULL);
    grid_column(g, "step", "step", "%.4g");
    grid_column(g, "rtol", "rtol", "%.1e");
    grid_column(g, "status", "status", NULL);
}

void run_cells(grid *g, const dae_formulation *form, const dae_method *method, const run_result *r)
{
    grid_text(g, dae_formulation_describe(form).name);
    grid_text(g, dae_method_describe(method).name);
    grid_number(g, r->step);
    grid_number(g, r->rtol);
    grid_text(g, run_status_name(r));
}

json_t *run_cost_json(const run_result *r)
{
    const dae_statistics *c = &r->count;
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I}", "seconds", json_number(r->seconds),
                     "steps", (json_int_t)c->steps, "rejected", (json_int_t)c->rejected, "rhs",
                     (json_int_t)c->rhs, "jacobians", (json_int_t)c->jacobians, "factorizations",
                     (json_int_t)c->factorizations);
}

json_t *run_drift_json(const double *levels, double energy)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "position", json_number(levels[0]), "velocity",
                     json_number(levels[1]), "acceleration", json_number(levels[2]), "energy",
                     json_number(energy));
}
