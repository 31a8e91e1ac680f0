/* solve.c - daelab solve: one run, the solution against time */
#include "choices.h"
#include "document.h"
#include "plot.h"
#include "run.h"
#include "trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 48 };

/* Name and unit of column i of a trajectory: t, the unknowns, the recovered multipliers. */
static void column_name(const trajectory *tr, int i, char *name, char *unit)
{
    if (i == 0) {
        snprintf(name, NAME, "t");
        snprintf(unit, NAME, "s");
        return;
    }
    if (i <= tr->n) {
        dae_system_unknown(tr->sys, i - 1, name, unit, NAME);
        return;
    }
    const dae_problem *problem = dae_system_problem(tr->sys);
    const int place = 2 * dae_system_positions(tr->sys) + i - 1 - tr->n;
    if (place < tr->n && dae_system_class(tr->sys, place) == DAE_MULTIPLIER) {
        dae_system_unknown(tr->sys, place, name, unit, NAME);
        const size_t end = strlen(name);
        snprintf(name + end, NAME - end, "_recovered");
        return;
    }
    const char *lists[2] = {problem->variables, problem->units};
    char *out[2] = {name, unit};
    for (int k = 0; k < 2; k++) {
        const char *c = lists[k] ? lists[k] : "";
        for (int skip = place; skip > 0; skip--) {
            c += strcspn(c, " ");
            c += strspn(c, " ");
        }
        snprintf(out[k], NAME, "%.*s%s", (int)strcspn(c, " "), c, k == 0 ? "_recovered" : "");
    }
}

static grid *solution_grid(const trajectory *tr)
{
    grid *g = grid_new();
    if (!g)
        return NULL;
    for (int i = 0; i < tr->width; i++) {
        char name[NAME], unit[NAME], title[2 * NAME + 4];
        column_name(tr, i, name, unit);
        snprintf(title, sizeof title, "%s [%s]", name, unit);
        grid_column(g, name, title, i == 0 ? "%.6g" : "%.15g");
    }
    for (size_t k = 0; k < (size_t)tr->count * (size_t)tr->width; k++)
        grid_number(g, tr->rows[k]);
    return g;
}

static json_t *statistics_json(const dae_statistics *c)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "steps",
                     (json_int_t)c->steps, "rejected", (json_int_t)c->rejected, "rhs",
                     (json_int_t)c->rhs, "jacobians", (json_int_t)c->jacobians,
                     "factorizations", (json_int_t)c->factorizations, "solves",
                     (json_int_t)c->solves, "newton_failures", (json_int_t)c->newton_failures,
                     "explicit_steps", (json_int_t)c->explicit_steps, "switches",
                     (json_int_t)c->switches, "projections", (json_int_t)c->projections, "too_far",
                     (json_int_t)c->too_far, "correction", json_number(c->correction));
}

static document *report(const study *s, const trajectory *tr, dae_solver *solver,
                        const dae_options *options, dae_status status,
                        const dae_start_change *change)
{
    const cli_options *o = s->options;
    const dae_method_info info = dae_method_describe(o->method[0]);
    const dae_statistics count = dae_solver_statistics(solver);
    document *doc = document_new("solve", o, s->t0, s->t_end);
    grid *g = doc ? solution_grid(tr) : NULL;
    if (!g) {
        document_free(doc);
        return NULL;
    }
    document_set(doc, "form", json_string(dae_formulation_describe(o->form[0]).name));
    document_set(doc, "method", json_string(info.name));
    document_set(doc, "step", json_number(options->step > 0 ? options->step : NAN));
    document_set(doc, "rtol", json_number(options->step > 0 ? NAN : options->rtol));
    document_set(doc, "atol", json_number(options->step > 0 ? NAN : options->atol));
    document_set(doc, "jacobian", json_string(cli_jacobian_name(dae_solver_jacobian(solver))));
    document_set(doc, "linear", json_string(cli_linear_name(dae_solver_linear(solver))));
    document_set(doc, "status", json_string(status ? dae_status_name(status) : "ok"));
    document_set(doc, "t_reached", json_number(dae_solver_time(solver)));
    document_set(doc, "statistics", statistics_json(&count));
    document_set(doc, "solution", grid_json(g));
    document_section_add(doc, NULL, g);
    document_note(doc, "%s %s: %ld steps, %ld rejected, %ld F, %ld J, %ld factorisations",
                  dae_formulation_describe(o->form[0]).name, info.name, count.steps,
                  count.rejected, count.rhs, count.jacobians, count.factorizations);
    if (strcmp(info.name, "auto") == 0)
        document_note(doc, "%ld steps explicit, %ld implicit, %ld switches between them",
                      count.explicit_steps, count.steps - count.explicit_steps, count.switches);
    if (o->project)
        document_note(doc, "projection on %s: %ld states moved, by %.2e at most; %ld steps undone "
                      "that would have been moved too far", cli_project_name(o->project),
                      count.projections, count.correction, count.too_far);
    if (change->position > 0 || change->velocity > 0)
        document_note(doc, "the start was moved onto the constraints: positions by %.2e, "
                      "velocities by %.2e, multipliers by %.2e", change->position,
                      change->velocity, change->multiplier);
    if (status)
        document_note(doc, "stopped: %s", dae_solver_report(solver)->message);
    return doc;
}

enum { PANELS = 3 };

typedef struct {
    char name[NAME], unit[NAME];
} column_label;

/* Which panel column i > 0 belongs to: positions, velocities, multipliers; differential, algebraic. */
static int panel_of(const trajectory *tr, int i)
{
    const dae_class c = i > tr->n ? DAE_RECOVERED : dae_system_class(tr->sys, i - 1);
    return c == DAE_POSITION || c == DAE_DIFFERENTIAL ? 0 : c == DAE_VELOCITY ? 1 : 2;
}

/* Column i as a curve in its panel; x holds the columns one behind the other. */
static void add_curve(const trajectory *tr, int i, double *x, column_label *labels,
                      plot_panel *panels, plot_curve *curves)
{
    const size_t count = (size_t)tr->count;
    double *y = x + (size_t)i * count;
    for (size_t r = 0; r < count; r++)
        y[r] = tr->rows[r * (size_t)tr->width + (size_t)i];
    column_name(tr, i, labels[i].name, labels[i].unit);
    if (i == 0)
        return;
    plot_panel *p = &panels[panel_of(tr, i)];
    curves[(p - panels) * tr->width + p->curves++] =
        (plot_curve){labels[i].name, PLOT_LINE, tr->count, x, y};
    if (strcmp(labels[i].unit, "-") != 0)
        p->ylabel = labels[i].unit;
}

static dae_status draw(const study *s, plot_panel *panels, int first_order, dae_report *why)
{
    static const char *const titles[2][PANELS] = {{"positions", "velocities", "multipliers"},
                                                  {"differential", "", "algebraic"}};
    char title[128];
    int used = 0;
    for (int k = 0; k < PANELS; k++) {
        panels[k].title = titles[first_order][k];
        panels[k].xlabel = "t [s]";
        if (panels[k].curves)
            panels[used++] = panels[k];
    }
    snprintf(title, sizeof title, "%s, %s, %s", s->options->problem->name,
             dae_formulation_describe(s->options->form[0]).name,
             dae_method_describe(s->options->method[0]).name);
    return plot_write(s->options->plot, title, panels, used, used, why);
}

static dae_status plot(const study *s, const trajectory *tr, dae_report *why)
{
    plot_curve *curves = calloc((size_t)tr->width * PANELS, sizeof *curves);
    double *x = calloc((size_t)tr->count * (size_t)tr->width, sizeof *x);
    column_label *labels = calloc((size_t)tr->width, sizeof *labels);
    plot_panel panels[PANELS];
    dae_status status = DAE_NO_MEMORY;
    for (int k = 0; k < PANELS; k++)
        panels[k] = (plot_panel){.ylabel = "", .curve = curves + k * tr->width};
    if (curves && x && labels) {
        for (int i = 0; i < tr->width; i++)
            add_curve(tr, i, x, labels, panels, curves);
        status = draw(s, panels, dae_system_positions(tr->sys) == 0, why);
    } else {
        dae_fail(why, status, "no memory for the plot");
    }
    free(curves);
    free(x);
    free(labels);
    return status;
}

static int finish(const study *s, const trajectory *tr, dae_solver *solver,
                  const dae_options *options, dae_status status, const dae_start_change *change)
{
    dae_report why = {0};
    int code = document_finish(report(s, tr, solver, options, status, change), s->options);
    if (!code && s->options->plot && plot(s, tr, &why))
        code = cli_error(EXIT_SYSTEM, "%s", why.message);
    if (status)
        cli_error(0, "%s", dae_solver_report(solver)->message);
    return code ? code : cli_exit_status(status);
}

static int run(const study *s, dae_system *sys, double *u, const dae_start_change *change)
{
    const cli_options *o = s->options;
    const dae_options options =
        study_options(s, o->method[0], study_level(s, o->method[0]));
    dae_report why = {0};
    dae_solver *solver;
    trajectory tr;
    const double every = !isnan(o->every) ? o->every
                         : (s->t_end - s->t0) / (o->samples ? o->samples : o->plot ? 400 : 10);
    dae_status status = dae_solver_create(&solver, sys, o->method[0], &options, &why);
    if (status)
        return cli_error(cli_exit_status(status), "%s", why.message);
    if (!trajectory_begin(&tr, sys, s->t0, s->t_end, every)
        || !trajectory_add(&tr, s->t0, u)) {
        dae_solver_free(solver);
        trajectory_free(&tr);
        return cli_error(EXIT_SYSTEM, "out of memory");
    }
    progress p = progress_begin(1, o->quiet);
    progress_run(&p, dae_formulation_describe(o->form[0]).name,
                 dae_method_describe(o->method[0]).name, study_level(s, o->method[0]));
    tr.solver = solver;
    tr.method = o->method[0];
    tr.progress = &p;
    dae_solver_observe(solver, trajectory_observe, &tr);
    status = dae_solver_start(solver, s->t0, u);
    /* chosen steps without dense output are made to end at the rows */
    const int ends = options.step == 0 && !dae_method_describe(o->method[0]).dense_output;
    for (long k = 1; !status && ends && s->t0 + (double)k * every < s->t_end; k++)
        status = dae_solver_advance(solver, s->t0 + (double)k * every, u);
    if (!status)
        status = dae_solver_advance(solver, s->t_end, u);
    progress_end(&p);
    const int code = tr.failed ? cli_error(EXIT_SYSTEM, "out of memory")
                               : finish(s, &tr, solver, &options, status, change);
    trajectory_free(&tr);
    dae_solver_free(solver);
    return code;
}

int command_solve(const cli_options *given)
{
    cli_options options = *given;
    study s;
    dae_report why = {0};
    dae_system *sys;
    dae_start_change change;
    double *u;
    if (!options.forms)
        choose_default_form(&options);
    if (given->forms > 1 || given->methods > 1)
        return cli_error(EXIT_USAGE, "solve takes one formulation and one method");
    if (given->samples && !isnan(given->every))
        return cli_error(EXIT_USAGE, "--samples and --every exclude each other");
    const int wrong = choose_defaults(&options);
    const int code = wrong ? wrong : study_begin(&s, &options, REFERENCE_NONE);
    if (code)
        return code;
    if (s.t_end - s.t0 < options.every || (s.t_end - s.t0) / options.every > MAX_ROWS)
        return cli_error(EXIT_USAGE, "--every %g: at most the interval of %g, at least a millionth "
                         "of it", options.every, s.t_end - s.t0);
    const dae_status status = study_system(&s, options.form[0], &sys, &u, &change, &why);
    if (status)
        return cli_error(cli_exit_status(status), "%s", why.message);
    if ((change.position > 0 || change.velocity > 0) && !options.quiet)
        fprintf(stderr, "daelab: the start was not consistent and was moved (positions %.2e, "
                "velocities %.2e, multipliers %.2e); --start as-given keeps it\n",
                change.position, change.velocity, change.multiplier);
    const int result = run(&s, sys, u, &change);
    free(u);
    dae_system_free(sys);
    return result;
}
