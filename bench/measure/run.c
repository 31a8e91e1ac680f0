#include "measure/run.h"

#include "cache/cache.h"
#include "measure/pace.h"
#include "measure/run_measure.h"
#include "host/timing.h"
#include "cli/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

dae_status study_system(const study *s, const dae_formulation *form, dae_system **sys, double **u,
                        dae_start_change *change, dae_report *report)
{
    const cli_options *o = s->options;
    *u = NULL;
    *change = (dae_start_change){0};
    dae_status status =
        dae_system_create(sys, o->problem, form, o->parameters, &o->baumgarte, report);
    if (status)
        return status;
    *u = calloc((size_t)dae_system_size(*sys), sizeof **u);
    if (!*u)
        status = dae_fail(report, DAE_NO_MEMORY, "no memory for a state");
    if (!status)
        status = dae_system_start(*sys, *u, report);
    const int minimal = dae_formulation_describe(form).index == 0;      /* says what it has moved */
    if (!status && (minimal || !o->as_given))
        status = dae_consistent_start(*sys, s->t0, *u, change, report);
    if (status) {
        free(*u);
        dae_system_free(*sys);
        *u = NULL;
        *sys = NULL;
    }
    return status;
}

int study_adaptive(const study *s, const dae_method *method)
{
    return usage_chooses_steps(s->options, method);
}

double study_level(const study *s, const dae_method *method)
{
    const cli_options *o = s->options;
    if (study_adaptive(s, method))
        return isnan(o->rtol) ? 1e-6 : o->rtol;
    const dae_method_info info = dae_method_describe(method);
    const int high = info.order[1][DAE_VELOCITY] > 4;   /* fewer steps, or there is rounding only */
    return isnan(o->step) ? (s->t_end - s->t0) / (high ? 40 : 400) : o->step;
}

dae_options study_options(const study *s, const dae_method *method, double level)
{
    dae_options options = dae_default_options();
    if (study_adaptive(s, method)) {
        options.rtol = level;
        options.atol = isnan(s->options->atol) ? level : s->options->atol;
    } else {
        options.step = level;
    }
    if (s->options->max_events)
        options.max_events = s->options->max_events;
    if (!isnan(s->options->accumulation))
        options.accumulation = s->options->accumulation;
    options.error_test = s->options->error_test;
    options.project = s->options->project;
    options.jacobian = s->options->jacobian;
    options.linear = s->options->linear;
    return options;
}

enum { MOST_SECONDS = 600 };    /* for a reference */

typedef struct {
    const study *s;
    progress *p;
    clock_t begun;
    int late;
} waiting;

/* Where the reference has come to; enough is enough. */
static int tell(void *context, double t)
{
    waiting *w = context;
    progress_part(w->p, (t - w->s->t0) / (w->s->t_end - w->s->t0));
    w->late = (clock() - w->begun) / CLOCKS_PER_SEC >= MOST_SECONDS;
    return w->late;
}

/* The reference on the path, for all studies the same; that at t_end is its last row. */
static int refer(study *s, dae_system *sys, const double *u0, progress *p, dae_report *why)
{
    waiting w = {.s = s, .p = p, .begun = clock()};
    const dae_reference_watch watch = {tell, &w};
    dae_reference *r = &s->path;
    double times[RUN_SAMPLES];
    for (int k = 0; k < RUN_SAMPLES; k++)
        times[k] = run_sample_time(s, k + 1);
    const dae_status status = s->options->no_cache
        ? dae_reference_solve_watched(r, sys, s->t0, u0, times, RUN_SAMPLES, &watch, why)
        : dae_cached_reference(r, sys, s->t0, u0, times, RUN_SAMPLES, &watch,
                               &s->from_cache, why);
    if (w.late)
        dae_fail(why, DAE_STOPPED, "a reference takes more than %d s: it is stopped", MOST_SECONDS);
    if (status != DAE_OK)
        return 0;
    s->reference = *r;
    s->reference.q += (RUN_SAMPLES - 1) * r->nq;
    if (r->v)
        s->reference.v += (RUN_SAMPLES - 1) * r->nq;
    if (r->lambda)
        s->reference.lambda += (RUN_SAMPLES - 1) * r->nl;
    return 1;
}

/* A start that was moved so far is hardly the one that was meant. */
static void warn(const dae_start_change *change, const cli_options *o)
{
    static const double FAR = 0.1;
    if (!o->quiet && change->relative > FAR)
        fprintf(stderr, "daelab: warning: the start was not consistent, and the nearest consistent "
                "state is far from it: %.2e, which is more than %g of the size of the motion\n",
                change->position, FAR);
}

/* The problem's start in its first formulation: bad parameters and a start that cannot be made
 * consistent end the study here. From it, the reference where it is wanted. */
static dae_status try_start(study *s, reference_kind wanted, dae_report *report)
{
    dae_system *sys;
    dae_start_change change;
    dae_report why = {0};
    double *u;
    int i = 0;
    while (!dae_formulation_applies(dae_formulation_at(i), s->options->problem))
        i++;
    const dae_status status = study_system(s, dae_formulation_at(i), &sys, &u, &change, report);
    if (status)
        return status;
    warn(&change, s->options);
    if (wanted != REFERENCE_NONE) {
        progress p = progress_begin(1, s->options->quiet);
        progress_run(&p, "reference", "in quad precision to t =", s->t_end);
        progress_now(&p);
        s->referenced = refer(s, sys, u, &p, &why);
        s->sampled = s->referenced && wanted == REFERENCE_ON_PATH;
        s->pace = wanted == REFERENCE_ON_PATH ? study_pace(s) : 0;
        progress_end(&p);
    }
    snprintf(s->why_not, sizeof s->why_not, "%s", why.message);
    if (s->sampled)
        s->start = u;
    else
        free(u);
    dae_system_free(sys);
    if (!s->referenced && why.status == DAE_NO_MEMORY) {
        *report = why;
        return DAE_NO_MEMORY;
    }
    return DAE_OK;
}

/* As typed: a number in other digits may be another number. */
static const char *typed(const cli_options *o, option_id id)
{
    return o->given[id] ? o->given[id] : "";
}

int study_check(const cli_options *o)
{
    const double t0 = o->problem->t0, t_end = isnan(o->t_end) ? o->problem->t_end : o->t_end;
    if (!(t_end > t0))
        return cli_error(EXIT_USAGE, "--t-end %s: it must lie after the start, t = %g",
                         typed(o, O_T_END), t0);
    if (!isfinite(t_end - t0))
        return cli_error(EXIT_USAGE, "--t-end %s: the interval from %g on is too long for a number",
                         typed(o, O_T_END), t0);
    if (o->step > t_end - t0)
        return cli_error(EXIT_USAGE, "--step %s is larger than the interval from %g to %g",
                         typed(o, O_STEP), t0, t_end);
    if (o->rtol >= 1)
        return cli_error(EXIT_USAGE, "--rtol %s must be below 1", typed(o, O_RTOL));
    return 0;
}

int study_begin(study *s, const cli_options *o, reference_kind wanted)
{
    dae_report report = {0};
    *s = (study){.options = o, .t0 = o->problem->t0,
                 .t_end = isnan(o->t_end) ? o->problem->t_end : o->t_end};
    const int wrong = study_check(o);
    if (wrong)
        return wrong;
    const dae_status status = try_start(s, wanted, &report);
    return status ? cli_error(cli_exit_status(status), "%s", report.message) : 0;
}

void study_end(study *s)
{
    if (s->referenced)
        dae_reference_free(&s->path);
    free(s->start);
    s->start = NULL;
}

static dae_status advance(const study *s, dae_solver *solver, double *u, run_result *r)
{
    dae_status status = dae_solver_start(solver, s->t0, u);
    const double begin = seconds_of(CLOCK_MONOTONIC);
    if (!status)
        status = dae_solver_advance(solver, s->t_end, u);
    r->seconds = seconds_of(CLOCK_MONOTONIC) - begin;
    r->t_reached = dae_solver_time(solver);
    r->count = dae_solver_statistics(solver);
    if (status)
        snprintf(r->message, sizeof r->message, "%s", dae_solver_report(solver)->message);
    return status;
}

static void tick(void *context, double fraction)
{
    progress_part(context, fraction);
}

/* The same run once more, watched. */
static void watch(const study *s, dae_solver *solver, dae_system *sys, const double *u0, double *u,
                  monitor *m, run_result *r)
{
    memcpy(u, u0, (size_t)dae_system_size(sys) * sizeof *u);
    if (!monitor_begin(m, sys, s->t0, s->t_end, u0)) {
        r->status = DAE_NO_MEMORY;
        return;
    }
    if (s->progress) {
        m->tick = tick;
        m->tick_context = s->progress;
    }
    m->solver = solver;
    dae_solver_observe(solver, monitor_observe, m);
    dae_status status = dae_solver_start(solver, s->t0, u);
    if (!status)
        status = dae_solver_advance(solver, s->t_end, u);
    if (m->failed || status == DAE_NO_MEMORY)
        r->status = DAE_NO_MEMORY;
    memcpy(r->drift, m->largest, sizeof r->drift);
    r->energy = m->largest[DRIFT_ENERGY];
    r->invariant = m->largest[DRIFT_INVARIANT];
}

static void run_system(const study *s, const dae_method *method, double level, dae_system *sys,
                       double *u, monitor *m, run_result *r)
{
    const dae_options options = study_options(s, method, level);
    const size_t n = (size_t)dae_system_size(sys);
    dae_report report = {0};
    dae_solver *solver = NULL;
    double *u0 = malloc(n * sizeof *u0);
    r->status = u0 ? dae_solver_create(&solver, sys, method, &options, &report) : DAE_NO_MEMORY;
    snprintf(r->message, sizeof r->message, "%s", report.message);
    if (!r->status) {
        r->jacobian = dae_solver_jacobian(solver);
        r->linear = dae_solver_linear(solver);
        memcpy(u0, u, n * sizeof *u0);
        r->status = advance(s, solver, u, r);
        if (!r->status && !run_keep(r, sys, s->t_end, u))
            r->status = DAE_NO_MEMORY;
        if (!r->status && s->referenced)
            run_measure(s, &s->reference, 0, r, sys);
        if (!r->status && s->again)
            r->status = s->again(s->again_context, solver, (int)n, u0, u, r);
        if (!r->status)
            r->status = run_sample(s, solver, sys, u0, u, r);
        if (m)
            watch(s, solver, sys, u0, u, m, r);
    }
    dae_solver_free(solver);
    free(u0);
}

run_result study_run(const study *s, const dae_formulation *form, const dae_method *method,
                     double level, monitor *m)
{
    const int adaptive = study_adaptive(s, method);
    run_result r = {.step = adaptive ? NAN : level, .rtol = adaptive ? level : NAN,
                    .t_reached = s->t0, .energy = NAN, .invariant = NAN,
                    .seconds = NAN};
    dae_report report = {0};
    dae_system *sys;
    double *u;
    run_clear(&r);
    for (int k = 0; k < DRIFT_LEVELS; k++)
        r.drift[k] = NAN;
    if (s->progress)
        progress_run(s->progress, dae_formulation_describe(form).name,
                     dae_method_describe(method).name, level);
    r.status = study_system(s, form, &sys, &u, &r.start, &report);
    if (r.status) {
        snprintf(r.message, sizeof r.message, "%s", report.message);
        return r;
    }
    run_system(s, method, level, sys, u, m, &r);
    free(u);
    dae_system_free(sys);
    return r;
}

void run_count(run_tally *tally, dae_status status, const char *reason)
{
    tally->runs++;
    if (status == DAE_UNSUPPORTED && !tally->unsupported++)
        tally->absent = reason;
    tally->memory |= status == DAE_NO_MEMORY;
    if (status && status != DAE_UNSUPPORTED && !tally->failed++)
        tally->first = *reason ? reason : dae_status_sentence(status);
}

int run_tally_status(const run_tally *tally)
{
    if (tally->unsupported == tally->runs)
        return cli_error(EXIT_USAGE, "%s", tally->absent);
    if (!tally->failed)
        return EXIT_DONE;
    return cli_error(tally->memory ? EXIT_SYSTEM : EXIT_NUMERICAL, "%d of %d runs failed%s: %s",
                     tally->failed, tally->runs, tally->failed > 1 ? ", the first" : "",
                     tally->first);
}
