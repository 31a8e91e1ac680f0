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

const char *const run_class_names[DAE_CLASSES] = {
    [DAE_POSITION] = "position", [DAE_VELOCITY] = "velocity", [DAE_MULTIPLIER] = "multiplier",
    [DAE_RECOVERED] = "recovered", [DAE_DIFFERENTIAL] = "differential",
    [DAE_ALGEBRAIC] = "algebraic"};

int run_shows(const cli_options *o, dae_class c)
{
    const int mechanical = c <= DAE_RECOVERED;
    return c != DAE_AUXILIARY && mechanical == (o->problem->mechanical.nq > 0);
}

int run_people(const cli_options *o)
{
    return o->format == FORMAT_TABLE || o->format == FORMAT_MARKDOWN;
}

void run_error_columns(grid *g, const cli_options *o)
{
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(o, c)) {
            char name[48];
            snprintf(name, sizeof name, "error_%s", dae_class_name(c));
            grid_column(g, name, run_class_names[c], "%.3e");
        }
}

void run_error_cells(grid *g, const cli_options *o, const run_result *r)
{
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(o, c))
            grid_number(g, r->error[c]);
}

json_t *run_error_json(const cli_options *o, const run_result *r)
{
    json_t *error = json_object();
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (run_shows(o, c))
            json_object_set_new(error, dae_class_name(c), json_number(r->error[c]));
    return error;
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
