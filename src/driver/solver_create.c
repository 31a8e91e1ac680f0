/* solver_create.c - checks of a solver's options, and creation of its parts */
#include "driver.h"

#include "projection/projection.h"
#include "stepper/derivative.h"
#include "guards.h"
#include "stepper/output.h"
#include "events/watch.h"
#include "index/variable_index.h"
#include "system/atol_of.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>

dae_options dae_default_options(void)
{
    return (dae_options){.rtol = 1e-6, .atol = 1e-6, .max_steps = 100000000,
                         .max_events = 1000000, .accumulation = 1e-5};
}

static dae_status check_atol(const dae_method *method, const dae_system *sys, const dae_options *o,
                             dae_report *report)
{
    char of[32] = "", unit[32];
    if (o->atols && o->atol_count)
        return dae_fail(report, DAE_BAD_ARGUMENT, "options: atols and atol_of exclude each other");
    for (int k = 0; o->step == 0 && o->atol_of && k < o->atol_count; k++)
        if (!(o->atol_of[k].atol > 0 && isfinite(o->atol_of[k].atol)))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: atol = %g of %s must be positive",
                            method->info.name, o->atol_of[k].atol,
                            o->atol_of[k].of ? o->atol_of[k].of : "nothing");
    const int given = sys->carried ? sys->carried->n : sys->n;
    for (int i = 0; o->step == 0 && i < (o->atols ? given : 1); i++) {
        const double atol = o->atols ? o->atols[i] : o->atol;
        if (atol > 0 && isfinite(atol))
            continue;
        if (o->atols)
            dae_system_unknown(sys, i, of, unit, (int)sizeof of);
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: atol = %g%s%s must be positive",
                        method->info.name, atol, o->atols ? " of " : "", of);
    }
    return DAE_OK;
}

/* Options that are enumerations. */
static dae_status check_choices(const dae_options *o, dae_report *report)
{
    const struct { const char *name; int value, most; } choices[] = {
        {"jacobian", (int)o->jacobian, DAE_JACOBIAN_FD}, {"linear", (int)o->linear, DAE_LINEAR_BAND},
        {"error_test", (int)o->error_test, DAE_TEST_DIFFERENTIAL}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (choices[i].value < 0 || choices[i].value > choices[i].most)
            return dae_fail(report, DAE_BAD_ARGUMENT, "options: %s = %d is none of 0 ... %d",
                            choices[i].name, choices[i].value, choices[i].most);
    return DAE_OK;
}

/* The largest and the first of steps that are chosen. */
static dae_status check_sizes(const dae_method *method, const dae_options *o, dae_report *report)
{
    const struct { const char *name; double h; } sizes[] = {
        {"max_step", o->max_step}, {"first_step", o->first_step}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (!(sizes[i].h >= 0 && isfinite(sizes[i].h)))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s = %g must be positive and finite, or 0 for "
                            "none", method->info.name, sizes[i].name, sizes[i].h);
        if (sizes[i].h > 0 && o->step > 0)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s = %g is for steps chosen by tolerance, and "
                            "step = %g fixes them", method->info.name, sizes[i].name, sizes[i].h, o->step);
    }
    if (o->max_step > 0 && o->first_step > o->max_step)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: first_step = %g is longer than max_step = %g",
                        method->info.name, o->first_step, o->max_step);
    return DAE_OK;
}

static dae_status check_options(const dae_method *method, const dae_options *o, dae_report *report)
{
    const char *name = method->info.name;
    if (!(o->step >= 0 && isfinite(o->step)))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: step = %g must be positive, or 0 for steps "
                        "chosen by tolerance", name, o->step);
    if (o->step > 0 && !method->info.fixed)
        return dae_fail(report, DAE_UNSUPPORTED, "%s chooses its own steps: give tolerances, not "
                        "step = %g", name, o->step);
    if (o->step == 0 && !method->info.adaptive)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s takes fixed steps: step = 0 must be positive",
                        name);
    if (o->step == 0 && !(o->rtol > 0 && o->rtol < 1))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: rtol = %g must be in (0, 1)", name,
                        o->rtol);
    if (o->max_steps <= 0)
        return dae_fail(report, DAE_BAD_ARGUMENT, "max_steps = %ld must be positive",
                        o->max_steps);
    const dae_status status = check_sizes(method, o, report);
    return status ? status : check_choices(o, report);
}

/* Of w = P u' no error is tested; its size is measured by the tolerance of u in the interval of the problem. */
static void measure_slopes(dae_solver *s, const dae_system *sys)
{
    const dae_state_mass *m = sys->carried;
    const double span = sys->problem->t_end - sys->problem->t0, T = span > 0 && isfinite(span) ? span : 1;
    for (int k = 0; m && k < m->nx; k++)
        s->atol[m->n + k] = s->atol[m->column[k]] / T;
}

static void set_up(dae_solver *s, dae_system *sys, const dae_method *method,
                   const dae_options *chosen)
{
    s->n = sys->n;
    s->u_old = s->u_new;
    s->sys = sys;
    s->method = method;
    for (int i = 0; i < s->n; i++)
        s->atol[i] = chosen->atols ? chosen->atols[i] : chosen->atol;
    s->options = *chosen;
    s->options.atols = s->atol;
    s->options.atol_of = NULL;
    s->options.atol_count = 0;
    s->adaptive = chosen->step == 0;
    driver(s)->scales_by_rate = s->adaptive && sys->index > 1;
    if (!driver(s)->scales_by_rate)
        driver(s)->largest = driver(s)->path = NULL;
    driver(s)->cuts = method->keeps_open && sys->index > 1;
    driver(s)->generation = sys->generation;
    driver(s)->keep_step = dae_solver_keep_step;
}

/* A solver without its parts; NULL: no memory. */
static dae_solver *allocate(dae_system *sys, const dae_method *method, const dae_options *chosen)
{
    const size_t n = (size_t)sys->n, higher = sys->index > 1 ? n : 0, rates = chosen->step == 0 ? higher : 0;
    dae_driver *d = dae_zeroed(1, sizeof *d);
    if (d)
        d->memory = DAE_PARTS(d,
            DAE_PART(dae_driver, solver.u, n), DAE_PART(dae_driver, solver.u_new, n),
            DAE_PART(dae_driver, solver.work, 2 * n), DAE_PART(dae_driver, solver.atol, n),
            DAE_PART(dae_driver, shown, n), DAE_PART(dae_driver, half, 2 * n), DAE_PART(dae_driver, open, higher),
            DAE_PART(dae_driver, largest, rates), DAE_PART(dae_driver, path, rates),
            DAE_PART(dae_driver, solver.variable_index, n));
    if (!d || !d->memory) {
        free(d);
        return NULL;
    }
    set_up(&d->solver, sys, method, chosen);
    return &d->solver;
}

static dae_status create_parts(dae_solver *s)
{
    dae_status status = dae_index_variables(s);
    if (!status)
        status = s->method->create ? s->method->create(s) : DAE_OK;
    if (!status && s->adaptive && s->sys->nondiagonal_mass && !driver(s)->derivative)
        status = dae_derivative_create(s);
    if (!status)
        status = dae_projection_create(s);
    if (!status)
        status = dae_output_create(s);
    if (!status)
        status = dae_crossing_create(s);
    driver(s)->followers = 0;
    if (driver(s)->crossing)
        dae_follow_with(s, dae_crossing_kept);
    if (driver(s)->scales_by_rate)
        dae_follow_with(s, dae_rate_kept);
    if (!status)
        status = dae_guards_create(s);
    if (driver(s)->projection)
        dae_follow_with(s, dae_projection_kept);
    if (driver(s)->corrects_output)
        dae_follow_with(s, dae_output_step_kept);
    return status;
}

static dae_status create(dae_solver **out, dae_system *sys, const dae_method *method, const dae_options *options,
                         int unguarded, dae_report *report)
{
    const dae_options chosen = options ? *options : dae_default_options();
    *out = NULL;
    dae_status status = check_options(method, &chosen, report);
    if (!status)
        status = check_atol(method, sys, &chosen, report);
    if (!status && method->supports)
        status = method->supports(method, sys, report);
    if (status)
        return status;
    dae_solver *s = allocate(sys, method, &chosen);
    if (!s)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a solver");
    driver(s)->unguarded = unguarded;
    if (chosen.atol_count)
        status = dae_system_atols(sys, chosen.atol, chosen.atol_of, chosen.atol_count, s->atol, &s->report);
    measure_slopes(s, sys);
    if (!status)
        status = create_parts(s);
    if (status) {
        if (report)
            *report = s->report;
        dae_driver_free(s);
        return status;
    }
    *out = s;
    return DAE_OK;
}

dae_status dae_driver_create(dae_solver **out, dae_system *sys, const dae_method *method,
                             const dae_options *options, dae_report *report)
{
    return create(out, sys, method, options, 0, report);
}

dae_status dae_driver_create_unguarded(dae_solver **out, dae_system *sys, const dae_method *method,
                                       const dae_options *options, dae_report *report)
{
    return create(out, sys, method, options, 1, report);
}

static void free_parts(dae_solver *s)
{
    if (s->method->destroy)
        s->method->destroy(s);
    dae_stop_watching(s);
    dae_derivative_free(driver(s)->derivative);
    dae_projection_free(driver(s)->projection);
    dae_guards_free(s);
    free(driver(s)->crossing);
    dae_output_free(driver(s)->output);
    free(driver(s)->memory);
    dae_components_free(driver(s)->components);
}

void dae_driver_free(dae_solver *s)
{
    if (!s)
        return;
    free_parts(s);
    free(driver(s));
}

dae_status dae_solver_renew(dae_solver *s)
{
    const dae_watch watch = dae_watched(s) ? *dae_watched(s) : (dae_watch){.count = 0};
    dae_solver *made = allocate(s->sys, s->method, &s->options);
    if (!made)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for a solver");
    driver(made)->observer = driver(s)->observer;
    driver(made)->observer_context = driver(s)->observer_context;
    driver(made)->inside = driver(s)->inside;
    driver(made)->unguarded = driver(s)->unguarded;
    driver(made)->varied = driver(s)->varied;
    driver(made)->vary = driver(s)->vary;
    driver(made)->test = driver(s)->test;
    driver(made)->generation = -1;                                 /* until all is there */
    free_parts(s);
    *driver(s) = *driver(made);
    free(driver(made));
    dae_status status = s->method->supports ? s->method->supports(s->method, s->sys, &s->report) : DAE_OK;
    if (!status)
        status = create_parts(s);
    if (!status && watch.count)
        status = dae_driver_watch(s, &watch);
    if (!status)
        driver(s)->generation = s->sys->generation;
    return status;
}

dae_status dae_solver_check_parameters(dae_solver *s)
{
    if (driver(s)->generation == s->sys->generation)
        return DAE_OK;
    return dae_fail(&s->report, DAE_BAD_ARGUMENT, "the system has other parameters since the solver was "
                    "started: dae_solver_start comes first");
}
