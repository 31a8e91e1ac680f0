/* drift.c - daelab drift: how far each run leaves the constraints, the balance of energy and the
 * invariants, with and without projections */
#include "cli/choices.h"
#include "output/document.h"
#include "report/doubt.h"
#include "picture/plot.h"
#include "measure/run.h"
#include "report/run_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const dae_formulation *form;
    const dae_method *method;
    run_result run;
    monitor monitor;
    unsigned project;
    char label[96];
} drift_run;

static const char *const series_names[SERIES] = {"position", "velocity", "acceleration", "energy",
                                                 "invariant"};
static const char *const series_titles[SERIES] = {"|g|", "|dg/dt|", "|d2g/dt2|",
                                                  "energy balance", "invariants"};

/* So many of the series apply: the last one where the problem states invariants. */
static int series(const cli_options *o)
{
    return o->problem->invariants.n ? SERIES : DRIFT_INVARIANT;
}

static grid *drift_grid(const cli_options *o)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    run_columns(g);
    if (o->projects)
        grid_column(g, "project", "project", NULL);
    for (int k = 0; k < series(o); k++) {
        char name[48];
        snprintf(name, sizeof name, "drift_%s", series_names[k]);
        grid_column(g, name, series_titles[k], "%.3e");
    }
    if (o->referenced)
        run_error_columns(g, o);
    if (o->projects)
        grid_column(g, "correction", "moved by", "%.1e");
    grid_column(g, "t_reached", "t reached", "%.6g");
    grid_column(g, "steps", "steps", "%.0f");
    grid_column(g, "seconds", "seconds", "%.2e");
    return g;
}

static void add_row(grid *g, const cli_options *o, const drift_run *d)
{
    const run_result *r = &d->run;
    run_cells(g, d->form, d->method, r);
    if (o->projects)
        grid_text(g, cli_project_name(d->project));
    for (int k = 0; k < DRIFT_LEVELS; k++)
        grid_number(g, r->drift[k]);
    grid_number(g, r->energy);
    if (o->problem->invariants.n)
        grid_number(g, r->invariant);
    if (o->referenced)
        run_error_cells(g, o, r);
    if (o->projects)
        grid_number(g, d->project ? r->count.correction : NAN);
    grid_number(g, r->t_reached);
    grid_number(g, (double)r->count.steps);
    grid_number(g, r->seconds);
}

static json_t *levels_json(const cli_options *o, const double *levels, double energy,
                           double invariant)
{
    json_t *json = run_drift_json(levels, energy);
    if (json && o->problem->invariants.n)
        json_object_set_new(json, "invariant", json_number(invariant));
    return json;
}

static json_t *drift_json(const cli_options *o, const drift_run *d)
{
    const run_result *r = &d->run;
    const double *at = d->monitor.at;
    json_t *run = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "form",
        dae_formulation_describe(d->form).name, "method", dae_method_describe(d->method).name,
        "project", cli_project_name(d->project), "step", json_number(r->step), "rtol",
        json_number(r->rtol), "status", run_status_name(r),
        "t_reached", json_number(r->t_reached), "drift",
        levels_json(o, r->drift, r->energy, r->invariant), "at",
        levels_json(o, at, at[DRIFT_ENERGY], at[DRIFT_INVARIANT]), "cost", run_cost_json(r));
    if (run && o->referenced)
        json_object_set_new(run, "error", run_error_json(o, r));
    if (run && r->status)
        json_object_set_new(run, "message", json_string(r->message));
    return run;
}

/* Of errors, where they are shown. */
static void note_doubts(document *doc, const cli_options *o)
{
    for (int f = 0; f < o->forms; f++)
        for (int m = 0; m < o->methods; m++)
            if (o->referenced)
                doubt_remark(doc, o, o->form[f], o->method[m]);
            else
                doubt_remark_slow(doc, o, o->form[f], o->method[m]);
}

static document *report(const study *s, const drift_run *runs, int count)
{
    document *doc = document_new("drift", s->options, s->t0, s->t_end);
    grid *g = doc ? drift_grid(s->options) : NULL;
    json_t *array = json_array();
    if (!doc || !g || !array) {
        json_decref(array);
        document_free(doc);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        add_row(g, s->options, &runs[i]);
        json_array_append_new(array, drift_json(s->options, &runs[i]));
    }
    document_set(doc, "runs", array);
    document_section_add(doc, s->options->problem->invariants.n
                              ? "largest residual of the constraints, of energy minus the work of "
                                "time, and |I - I0|/(1 + |I0|) of the invariants, over the run"
                              : "largest residual of the constraints, and of energy minus the work "
                                "of time, over the run", g);
    for (int i = 0; i < count; i++)
        if (runs[i].run.status)
            document_note(doc, "%s: %s", runs[i].label, runs[i].run.message);
    note_doubts(doc, s->options);
    if (s->options->referenced) {
        document_set(doc, "reference", run_reference_json(s));
        run_note_reference(doc, s);
    }
    return doc;
}

static dae_status plot(const study *s, const drift_run *runs, int count, dae_report *why)
{
    char title[128];
    const int shown = series(s->options);
    plot_panel panels[SERIES];
    plot_curve *curves = calloc((size_t)(count * SERIES), sizeof *curves);
    if (!curves)
        return dae_fail(why, DAE_NO_MEMORY, "no memory for the plot");
    for (int k = 0; k < shown; k++) {
        for (int i = 0; i < count; i++)
            curves[k * count + i] = (plot_curve){runs[i].label, PLOT_LINE, runs[i].monitor.count,
                                                 runs[i].monitor.t, runs[i].monitor.value[k]};
        panels[k] = (plot_panel){series_titles[k], "t", series_names[k], 0, 1, count,
                                 curves + k * count};
    }
    snprintf(title, sizeof title, "%s: drift from the constraints and the energy balance",
             s->options->problem->name);
    const dae_status status = plot_write(s->options->plot, title, panels, shown, 2, why);
    free(curves);
    return status;
}

static int worst(const drift_run *runs, int count)
{
    run_tally tally = {0};
    for (int i = 0; i < count; i++)
        run_count(&tally, runs[i].run.status, runs[i].run.message);
    return run_tally_status(&tally);
}

/* The options are those of the study; their projection is set for each run. */
static void run_all(study *s, cli_options *o, drift_run *runs)
{
    const int settings = o->projects ? o->projects : 1;
    progress p = progress_begin(o->forms * o->methods * settings, o->quiet);
    s->progress = &p;
    for (int f = 0, i = 0; f < o->forms; f++)
        for (int m = 0; m < o->methods * settings; m++, i++) {
            drift_run *d = &runs[i];
            d->form = o->form[f];
            d->method = o->method[m / settings];
            d->project = o->project = o->projects ? o->each_project[m % settings] : 0;
            snprintf(d->label, sizeof d->label, "%s %s%s%s", dae_formulation_describe(d->form).name,
                     dae_method_describe(d->method).name, d->project ? " " : "",
                     d->project ? cli_project_name(d->project) : "");
            d->run = study_run(s, d->form, d->method, study_level(s, d->method), &d->monitor);
        }
    o->project = 0;                                     /* the table says it of each run */
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
    int status = wrong ? wrong : study_begin(&s, &options, options.referenced ? REFERENCE_AT_END
                                                                           : REFERENCE_NONE);
    if (status)
        return status;
    const int count = options.forms * options.methods * (options.projects ? options.projects : 1);
    drift_run *runs = calloc((size_t)count, sizeof *runs);
    if (!runs) {
        study_end(&s);
        return cli_error(EXIT_SYSTEM, "out of memory");
    }
    run_all(&s, &options, runs);
    status = finish(&s, runs, count);
    for (int i = 0; i < count; i++) {
        run_free(&runs[i].run);
        monitor_free(&runs[i].monitor);
    }
    free(runs);
    study_end(&s);
    return status;
}
