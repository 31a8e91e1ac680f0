/* drift.c - daelab drift: how far each run leaves the constraints and the balance of energy */
#include "choices.h"
#include "document.h"
#include "plot.h"
#include "run.h"
#include "run_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const dae_formulation *form;
    const dae_method *method;
    run_result run;
    monitor monitor;
    char label[64];
} drift_run;

static const char *const series_names[SERIES] = {"position", "velocity", "acceleration", "energy"};
static const char *const series_titles[SERIES] = {"|g|", "|dg/dt|", "|d2g/dt2|",
                                                  "energy balance"};

static grid *drift_grid(void)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    run_columns(g);
    for (int k = 0; k < SERIES; k++) {
        char name[48];
        snprintf(name, sizeof name, "drift_%s", series_names[k]);
        grid_column(g, name, series_titles[k], "%.3e");
    }
    grid_column(g, "t_reached", "t reached", "%.6g");
    grid_column(g, "steps", "steps", "%.0f");
    grid_column(g, "seconds", "seconds", "%.2e");
    return g;
}

static void add_row(grid *g, const drift_run *d)
{
    const run_result *r = &d->run;
    run_cells(g, d->form, d->method, r);
    for (int k = 0; k < DRIFT_LEVELS; k++)
        grid_number(g, r->drift[k]);
    grid_number(g, r->energy);
    grid_number(g, r->t_reached);
    grid_number(g, (double)r->count.steps);
    grid_number(g, r->seconds);
}

static json_t *drift_json(const drift_run *d)
{
    const run_result *r = &d->run;
    json_t *run = json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "form",
        dae_formulation_describe(d->form).name, "method", dae_method_describe(d->method).name,
        "step", json_number(r->step), "rtol", json_number(r->rtol), "status", run_status_name(r),
        "t_reached", json_number(r->t_reached), "drift", run_drift_json(r->drift, r->energy),
        "at", run_drift_json(d->monitor.at, d->monitor.at[DRIFT_LEVELS]), "cost",
        run_cost_json(r));
    if (run && r->status)
        json_object_set_new(run, "message", json_string(r->message));
    return run;
}

static document *report(const study *s, const drift_run *runs, int count)
{
    document *doc = document_new("drift", s->options, s->t0, s->t_end);
    grid *g = doc ? drift_grid() : NULL;
    json_t *array = json_array();
    if (!doc || !g || !array) {
        json_decref(array);
        document_free(doc);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        add_row(g, &runs[i]);
        json_array_append_new(array, drift_json(&runs[i]));
    }
    document_set(doc, "runs", array);
    document_section_add(doc, "largest residual of the constraints, and of energy minus the work "
                              "of time, over the run", g);
    for (int i = 0; i < count; i++)
        if (runs[i].run.status)
            document_note(doc, "%s: %s", runs[i].label, runs[i].run.message);
    return doc;
}

static dae_status plot(const study *s, const drift_run *runs, int count, dae_report *why)
{
    char title[128];
    plot_panel panels[SERIES];
    plot_curve *curves = calloc((size_t)(count * SERIES), sizeof *curves);
    if (!curves)
        return dae_fail(why, DAE_NO_MEMORY, "no memory for the plot");
    for (int k = 0; k < SERIES; k++) {
        for (int i = 0; i < count; i++)
            curves[k * count + i] = (plot_curve){runs[i].label, PLOT_LINE, runs[i].monitor.count,
                                                 runs[i].monitor.t, runs[i].monitor.value[k]};
        panels[k] = (plot_panel){series_titles[k], "t", series_names[k], 0, 1, count,
                                 curves + k * count};
    }
    snprintf(title, sizeof title, "%s: drift from the constraints and the energy balance",
             s->options->problem->name);
    const dae_status status = plot_write(s->options->plot, title, panels, SERIES, 2, why);
    free(curves);
    return status;
}

static int worst(const drift_run *runs, int count)
{
    int supported = 0, failed = 0;
    for (int i = 0; i < count; i++) {
        supported += runs[i].run.status != DAE_UNSUPPORTED;
        failed += runs[i].run.status && runs[i].run.status != DAE_UNSUPPORTED;
    }
    return !supported ? EXIT_USAGE : failed ? EXIT_NUMERICAL : EXIT_DONE;
}

static void run_all(study *s, drift_run *runs)
{
    const cli_options *o = s->options;
    progress p = progress_begin(o->forms * o->methods, o->quiet);
    s->progress = &p;
    for (int f = 0, i = 0; f < o->forms; f++)
        for (int m = 0; m < o->methods; m++, i++) {
            drift_run *d = &runs[i];
            d->form = o->form[f];
            d->method = o->method[m];
            snprintf(d->label, sizeof d->label, "%s %s", dae_formulation_describe(d->form).name,
                     dae_method_describe(d->method).name);
            d->run = study_run(s, d->form, d->method, study_level(s, d->method), &d->monitor);
        }
    progress_end(&p);
}

static int finish(const study *s, const drift_run *runs, int count)
{
    dae_report why = {0};
    int status = document_finish(report(s, runs, count), s->options);
    if (!status && s->options->plot && plot(s, runs, count, &why))
        status = cli_error(EXIT_SYSTEM, "%s", why.message);
    return status ? status : worst(runs, count);
}

int command_drift(const cli_options *given)
{
    cli_options options = *given;
    study s;
    const int wrong = choose_defaults(&options);
    int status = wrong ? wrong : study_begin(&s, &options, REFERENCE_NONE);
    if (status)
        return status;
    const int count = options.forms * options.methods;
    drift_run *runs = calloc((size_t)count, sizeof *runs);
    if (!runs)
        return cli_error(EXIT_SYSTEM, "out of memory");
    run_all(&s, runs);
    status = finish(&s, runs, count);
    for (int i = 0; i < count; i++) {
        run_free(&runs[i].run);
        monitor_free(&runs[i].monitor);
    }
    free(runs);
    return status;
}
