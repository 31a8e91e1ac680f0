#include "run/run.h"

#include "host/allocate.h"
#include "host/timing.h"
#include "run/run_hybrid.h"
#include "run/run_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

dae_status study_system(const study *s, const dae_formulation *form, dae_system **sys, double **u,
                        dae_start_change *change, dae_report *report)
{
    const run_setting *o = s->setting;
    *u = NULL;
    *sys = NULL;
    *change = (dae_start_change){0};
    dae_status status = dae_system_create(sys, o->problem, form, o->parameters, &o->baumgarte, report);
    if (status)
        return status;
    *u = allocate((size_t)dae_system_size(*sys), sizeof **u);
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

/* ---- one run ------------------------------------------------------------------------------ */

run_result run_without(const study *s, const dae_method *method, double level)
{
    const int adaptive = run_chooses_steps(s->setting, method);
    run_result r = {.step = adaptive ? NAN : level, .rtol = adaptive ? level : NAN, .t_reached = s->t0,
                    .energy = NAN, .invariant = NAN, .seconds = NAN};
    run_clear(&r);
    for (int k = 0; k < DRIFT_LEVELS; k++)
        r.drift[k] = NAN;
    return r;
}

void run_note_end(const study *s, dae_status status, const char *message, run_result *r)
{
    r->status = status;
    if (status)
        snprintf(r->message, sizeof r->message, "%s", message);
    if (status != DAE_STOPPED)
        return;
    r->outcome = RUN_LIMIT_TIME;
    snprintf(r->message, sizeof r->message, "t = %.9g: stopped after %g s of CPU time, and %ld steps",
             r->t_reached, s->limit, r->count.steps);
}

void run_note_drift(const monitor *m, run_result *r)
{
    memcpy(r->drift, m->largest, sizeof r->drift);
    r->energy = m->largest[DRIFT_ENERGY];
    r->invariant = m->largest[DRIFT_INVARIANT];
}

static int is_late(void *context, double t, const double *u)
{
    const double *end = context;
    (void)t, (void)u;
    return seconds_of(CLOCK_THREAD_CPUTIME_ID) > *end;
}

/* What a solver has failed by, or the derivatives beside it. */
static const char *why_failed(const dae_solver *solver, const run_derivatives *along)
{
    return along->report.status ? along->report.message : dae_solver_report(solver)->message;
}

static void advance(const study *s, dae_solver *solver, run_derivatives *along, double *u, run_result *r)
{
    dae_status status = derivatives_start(along, solver, s->t0, u);
    const double begin = seconds_of(CLOCK_MONOTONIC);
    double end = seconds_of(CLOCK_THREAD_CPUTIME_ID) + s->limit;     /* that of all is coarse under a timer */
    if (s->limit > 0)
        dae_solver_observe(solver, is_late, &end);
    if (!status)
        status = dae_solver_advance(solver, s->t_end, u);
    dae_solver_observe(solver, NULL, NULL);
    r->seconds = seconds_of(CLOCK_MONOTONIC) - begin;
    r->t_reached = dae_solver_time(solver);
    r->count = dae_solver_statistics(solver);
    run_note_end(s, status, why_failed(solver, along), r);
}

typedef struct {
    const study *s;
    monitor *m;
    dae_rank_watch *ranks;
} watching;

static int watch_step(void *context, double t, const double *u)
{
    const watching *w = context;
    dae_rank_watch_step(w->ranks, t, u, w->m->solver);
    monitor_observe(w->m, t, u);
    front_part(&w->s->setting->front, (t - w->s->t0) / (w->s->t_end - w->s->t0));
    return 0;
}

/* The same run once more, watched. */
static void watch(const study *s, dae_solver *solver, dae_system *sys, const dae_options *options,
                  const double *u0, double *u, monitor *m, run_result *r)
{
    watching w = {.s = s, .m = m};
    memcpy(u, u0, (size_t)dae_system_size(sys) * sizeof *u);
    monitor_begin(m, sys, s->t0, s->t_end, u0);
    m->solver = solver;
    dae_status status = dae_rank_watch_create(&w.ranks, sys, options, NULL);
    if (status == DAE_NO_MEMORY) {
        r->status = status;
        return;
    }
    dae_rank_watch_begin(w.ranks, s->t0, u0);
    dae_solver_observe(solver, watch_step, &w);
    status = dae_solver_start(solver, s->t0, u);
    if (!status)
        status = dae_solver_advance(solver, s->t_end, u);
    if (dae_rank_watch_end(w.ranks, &r->lost, NULL) || status == DAE_NO_MEMORY)
        r->status = DAE_NO_MEMORY;
    dae_rank_watch_free(w.ranks);
    run_note_drift(m, r);
}

static void run_system(const study *s, const dae_method *method, double level, dae_system *sys,
                       double *u, monitor *m, run_result *r)
{
    dae_options options = run_options(s->setting, method, level);
    dae_atol list[MAX_ATOLS];
    const size_t n = (size_t)dae_system_size(sys);
    dae_report report = {0};
    dae_solver *solver = NULL;
    run_derivatives along = {.of = NULL};
    run_set_atols(s->setting, sys, &options, list);
    r->status = dae_solver_create(&solver, sys, method, &options, &report);
    if (!r->status) {
        r->status = derivatives_create(&along, s->setting, sys, solver);
        report = along.report;
    }
    snprintf(r->message, sizeof r->message, "%s", report.message);
    if (r->status) {
        derivatives_free(&along);
        dae_solver_free(solver);
        return;
    }
    double *u0 = allocate(n, sizeof *u0);
    r->jacobian = dae_solver_jacobian(solver);
    r->linear = dae_solver_linear(solver);
    memcpy(u0, u, n * sizeof *u0);
    advance(s, solver, &along, u, r);
    if (!r->status)
        r->status = run_keep(r, sys, s->t_end, u);
    if (!r->status && derivatives_keep(&along, s->setting, sys, s->t_end, u, r))
        run_note_end(s, along.report.status, along.report.message, r);
    if (!r->status && s->referenced)
        run_measure(s, &s->reference, 0, r, sys);
    if (!r->status && s->again)
        r->status = s->again(s->again_context, &(made_run){.solver = solver, .along = &along, .n = (int)n, .u0 = u0,
                                                           .u_end = u}, r);
    if (!r->status)
        r->status = run_sample(s, solver, &along, sys, u0, u, r);
    derivatives_free(&along);
    if (m)
        watch(s, solver, sys, &options, u0, u, m, r);
    dae_solver_free(solver);
    free(u0);
}

run_result study_run(const study *s, const dae_formulation *form, const dae_method *method,
                     double level, monitor *m)
{
    run_result r = run_without(s, method, level);
    dae_report report = {0};
    dae_system *sys;
    double *u;
    front_run(&s->setting->front, dae_formulation_describe(form).name,
              dae_method_describe(method).name, level);
    if (!run_is_smooth(s->setting->problem)) {
        run_hybrid(s, form, method, level, m, &r);
    } else {
        r.status = study_system(s, form, &sys, &u, &r.start, &report);
        snprintf(r.message, sizeof r.message, "%s", report.message);
        if (!r.status)
            run_system(s, method, level, sys, u, m, &r);
        free(u);
        dae_system_free(sys);
    }
    if (r.outcome == RUN_BY_ITSELF)
        r.outcome = run_outcome_of(s->setting, r.status);
    return r;
}

/* ---- how many went how -------------------------------------------------------------------- */

void run_count_result(run_tally *tally, const dae_formulation *form, const dae_method *method, const run_result *r)
{
    if (r->outcome == RUN_NOT_RUN) {
        tally->runs++;
        tally->missing++;
        return;
    }
    run_count(tally, form, method, r->status, *r->message ? r->message : outcome_sentence(r->outcome, r->status));
}

void run_count(run_tally *tally, const dae_formulation *form, const dae_method *method, dae_status status,
               const char *reason)
{
    tally->runs++;
    if (status == DAE_UNSUPPORTED && !tally->unsupported++)
        tally->absent = reason;
    tally->memory |= status == DAE_NO_MEMORY;
    if (!status || status == DAE_UNSUPPORTED || tally->failed++)
        return;
    tally->first = *reason ? reason : dae_status_sentence(status);
    tally->form = form;
    tally->method = method;
}

dae_status run_tally_status(const run_tally *tally, const char *problem, dae_report *report)
{
    if (tally->unsupported > 0 && tally->unsupported == tally->runs)
        return dae_fail(report, DAE_UNSUPPORTED, "%s", tally->absent);
    if (!tally->failed)
        return DAE_OK;
    return dae_fail(report, tally->memory ? DAE_NO_MEMORY : DAE_BACKEND,
                    "%d of %d runs of %s failed%s: %s %s: %s", tally->failed, tally->runs, problem,
                    tally->failed > 1 ? ", the first" : "", dae_formulation_describe(tally->form).name,
                    dae_method_describe(tally->method).name, tally->first);
}
