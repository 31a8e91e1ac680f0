/* solve.c - daelab solve: one run, the solution against time */
#include "study/solve.h"

#include "cli/choices.h"
#include "numbers/decimal.h"
#include "report/doubt.h"

#include <math.h>

static int finish(const solve_run *run)
{
    const cli_options *o = run->study->options;
    dae_report why = {0};
    int code = document_finish(solve_report(run), o);
    if (!code && o->plot && solve_plot(run, &why))
        code = cli_error(EXIT_SYSTEM, "%s", why.message);
    if (run->status < 0)
        cli_error(0, "%s", dae_hybrid_report(run->hybrid)->message);
    return code ? code : cli_exit_status(run->status);
}

/* From the start, which may be an event that ends the run, to the end; an exit status, having
 * complained. */
static int integrate(solve_run *run, double every)
{
    const study *s = run->study;
    const cli_options *o = s->options;
    dae_report why = {0};
    progress p = progress_begin(1, o->quiet);
    dae_status status = trajectory_begin(&run->tr, run->hybrid, o, s->t0, s->t_end, every, &why);
    if (status)
        return cli_error(cli_exit_status(status), "%s", why.message);
    progress_run(&p, dae_formulation_describe(o->form[0]).name,
                 dae_method_describe(o->method[0]).name,
                 run->options.step > 0 ? run->options.step : run->options.rtol);
    run->tr.progress = &p;
    dae_hybrid_observe(run->hybrid, trajectory_observe, &run->tr);
    if (!run->status)
        run->status = dae_hybrid_advance(run->hybrid, s->t_end);
    progress_end(&p);
    return trajectory_end(&run->tr) ? 0 : cli_error(EXIT_SYSTEM, "out of memory");
}

/* A start that was moved is worth a remark. */
static void remark(const dae_start_change *change, const cli_options *o)
{
    const int minimal = dae_formulation_describe(o->form[0]).index == 0;
    if ((change->position > 0 || change->velocity > 0) && !o->quiet)
        fprintf(stderr, "daelab: the start was not consistent and was moved (positions %.2e, "
                "velocities %.2e, multipliers %.2e)%s\n",
                change->position, change->velocity, change->multiplier,
                minimal ? "" : "; --start as-given keeps it");
}

/* Numbers of which nothing is known. An exit status, having complained, or 0. */
static int refuse(const cli_options *o)
{
    if (o->forced || !doubt_unknown(o, o->form[0], o->method[0]))
        return 0;
    return cli_error(EXIT_USAGE, "%s has no order in %s of %s: its result may be anything; choose "
                     "another --method, or --force it", dae_method_describe(o->method[0]).name,
                     dae_formulation_describe(o->form[0]).name, o->problem->name);
}

/* An exit status, having complained. */
static int run_once(solve_run *run, double every)
{
    const cli_options *o = run->study->options;
    dae_report why = {0};
    const dae_status status = dae_hybrid_create(&run->hybrid, o->problem, o->form[0],
                                                o->parameters, &o->baumgarte, o->method[0],
                                                &run->options, &why);
    if (status)
        return cli_error(cli_exit_status(status), "%s", why.message);
    const int refused = refuse(o);
    const int code = refused ? refused : stops_begin(&run->stops, run->hybrid, o);
    if (code)
        return code;
    run->status = dae_hybrid_start(run->hybrid, o->as_given, &run->change);
    return run->status < 0 ? cli_error(cli_exit_status(run->status), "%s",
                                       dae_hybrid_report(run->hybrid)->message)
                           : integrate(run, every);
}

static void free_run(solve_run *run)
{
    trajectory_free(&run->tr);
    stops_free(&run->stops);
    dae_hybrid_free(run->hybrid);
}

/* The run once more, more accurately. */
static int run_finer(solve_run *run, solve_run *finer, double every)
{
    finer->options.step = run->options.step / 2;
    finer->options.rtol = decimal_clean(run->options.rtol / 10);
    finer->options.atol = decimal_clean(run->options.atol / 10);
    const int code = run_once(finer, every);
    if (code)
        return code;
    if (finer->status < 0)
        run->no_finer = dae_hybrid_report(finer->hybrid)->message;
    else
        run->finer = finer;
    return 0;
}

static int run_study(const study *s)
{
    const cli_options *o = s->options;
    const double every = !isnan(o->every) ? o->every
                         : (s->t_end - s->t0) / (o->samples ? o->samples : o->plot ? 400 : 10);
    solve_run run = {.study = s, .options = study_options(s, o->method[0],
                                                            study_level(s, o->method[0]))};
    solve_run finer = run;
    int code = run_once(&run, every);
    if (!code)
        remark(&run.change, o);
    if (!code && run.status >= 0 && (o->estimated || doubt_slow(o, o->form[0], o->method[0]) > 0))
        code = run_finer(&run, &finer, every);
    if (!code)
        code = finish(&run);
    free_run(&run);
    free_run(&finer);
    return code;
}

int command_solve(const cli_options *given)
{
    cli_options options = *given;
    study s;
    if (!options.forms)
        choose_default_form(&options);
    if (!choice_is_smooth(options.problem) || options.stops)
        choose_adaptive_run(&options);
    if (given->forms > 1 || given->methods > 1)
        return cli_error(EXIT_USAGE, "solve takes one formulation and one method");
    if (given->samples && !isnan(given->every))
        return cli_error(EXIT_USAGE, "--samples and --every exclude each other");
    const int wrong = choose_defaults(&options);
    const int code = wrong ? wrong : study_begin(&s, &options, REFERENCE_NONE);
    if (code)
        return code;
    if (s.t_end - s.t0 < options.every || (s.t_end - s.t0) / options.every > MAX_ROWS)
        return cli_error(EXIT_USAGE, "--every %s: at most the interval of %g, at least a millionth "
                         "of it", options.given[O_EVERY], s.t_end - s.t0);
    return run_study(&s);
}
