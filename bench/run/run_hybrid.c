#include "run/run_hybrid.h"

#include "host/allocate.h"
#include "host/timing.h"
#include "run/event_errors.h"
#include "run/run_measure.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double HALF = 0.70710678118654752440;      /* 1/sqrt 2: of two that differ each has its part */

/* ---- one run ------------------------------------------------------------------------------- */

static int is_late(void *context, dae_hybrid *run)
{
    const double *end = context;
    (void)run;
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID) > *end;
}

/* To the end, or to an event that ends the run, which is no failure. */
static dae_status go(dae_hybrid *run, double t_end)
{
    const dae_status status = dae_hybrid_advance(run, t_end);
    return status == DAE_EVENT ? DAE_OK : status;
}

static void advance(const study *s, dae_hybrid *run, run_result *r)
{
    double end = seconds_of(CLOCK_PROCESS_CPUTIME_ID) + s->limit;
    dae_status status = dae_hybrid_start(run, s->setting->as_given, &r->start);
    const double begin = seconds_of(CLOCK_MONOTONIC);
    if (s->limit > 0)
        dae_hybrid_observe(run, is_late, &end);
    status = !status ? go(run, s->t_end) : status == DAE_EVENT ? DAE_OK : status;
    dae_hybrid_observe(run, NULL, NULL);
    r->seconds = seconds_of(CLOCK_MONOTONIC) - begin;
    r->t_reached = dae_hybrid_time(run);
    r->count = dae_hybrid_statistics(run);
    run_note_end(s, status, dae_hybrid_report(run)->message, r);
}

/* ---- what rounding is ---------------------------------------------------------------------- */

/* The state where run begins, off in its last bits. */
static double *other_start(dae_hybrid *run)
{
    double *x = allocate((size_t)dae_hybrid_most_unknowns(run), sizeof *x);
    if (dae_hybrid_start(run, 0, NULL)
        || dae_hybrid_state(run, dae_hybrid_time(run), dae_hybrid_unknowns(run), x)) {
        free(x);
        return NULL;
    }
    run_change_last_bits(dae_hybrid_state_size(run), x);
    return x;
}

/* The sum of so many steps is a time with that error, which another start does not show. */
static void add_noise_of_time(const study *s, run_result *r)
{
    const double part = DBL_EPSILON * sqrt((double)r->count.steps);
    run_events *e = &r->events;
    e->noise = fmax(e->noise, part * fmax(fabs(s->t0), fabs(s->t_end)));
    for (int c = 0; c < RUN_CLASSES; c++)
        r->noise[c] = isnan(r->scale[c]) ? r->noise[c] : fmax(r->noise[c], part * r->scale[c]);
    for (int c = 0; c < DAE_CLASSES; c++)
        e->after_noise[c] = isnan(e->after_scale[c]) ? NAN : fmax(e->after_noise[c], part * e->after_scale[c]);
}

/* r->noise at the end from both states; they are in the same mode. */
static void compare_ends(run_result *r, const run_result *other)
{
    for (int c = 0; c < RUN_CLASSES; c++) {
        double sum = 0;
        if (!r->values[c] || !other->values[c] || r->length[c] != other->length[c])
            continue;
        for (int i = 0; i < r->length[c]; i++)
            sum += (r->values[c][i] - other->values[c][i]) * (r->values[c][i] - other->values[c][i]);
        r->noise[c] = fmax(HALF * sqrt(sum), r->noise[c]);      /* of derivatives that of the reference */
    }
}

/* Once more from another start: it may cross into another sequence of events, then nothing is known. */
static void shake(const study *s, dae_hybrid *run, dae_hybrid *other, run_result *r)
{
    run_result shaken = {.status = DAE_OK};
    double *x = other_start(other);
    run_clear(&shaken);
    if (!x)
        return;
    dae_status status = dae_hybrid_start_at(other, 0, s->t0, x);
    free(x);
    if (!status || status == DAE_EVENT)
        status = status ? DAE_OK : go(other, s->t_end);
    if (!status && dae_hybrid_mode(run) == dae_hybrid_mode(other)) {
        run_keep(&shaken, dae_hybrid_system(other), dae_hybrid_time(other), dae_hybrid_unknowns(other));
        compare_ends(r, &shaken);
        event_noise(run, other, r);
    }
    add_noise_of_time(s, r);
    run_free(&shaken);
}

/* ---- drift --------------------------------------------------------------------------------- */

typedef struct {
    const study *s;
    monitor *m;
    int events;                 /* so many have happened */
    const dae_options *options;
    dae_rank_run *ranks;
} watching;

/* A step, or what an event has made of its end: from there on the watch begins again. */
static int watch_step(void *context, dae_hybrid *run)
{
    watching *w = context;
    const double t = dae_hybrid_time(run), *u = dae_hybrid_unknowns(run);
    dae_system *sys = dae_hybrid_system(run);
    const int failed = w->ranks ? dae_rank_run_observe(w->ranks, run)
                          : dae_rank_run_create(&w->ranks, run, w->options, NULL) != DAE_OK;
    if (!w->m->t) {
        monitor_begin(w->m, sys, w->s->t0, w->s->t_end, u);
        w->m->solver = dae_hybrid_solver(run);
    } else if (dae_hybrid_events(run) > w->events) {
        monitor_go_on(w->m, sys, dae_hybrid_solver(run), t, u);
    } else {
        monitor_observe(w->m, t, u);
    }
    w->events = dae_hybrid_events(run);
    front_part(&w->s->setting->front, (t - w->s->t0) / (w->s->t_end - w->s->t0));
    return failed;
}

static void watch(const study *s, dae_hybrid *run, const dae_options *options, monitor *m, run_result *r)
{
    watching w = {.s = s, .m = m, .options = options};
    memset(m, 0, sizeof *m);
    dae_hybrid_observe(run, watch_step, &w);
    dae_status status = dae_hybrid_start(run, s->setting->as_given, NULL);
    if (!status)
        status = go(run, s->t_end);
    dae_hybrid_observe(run, NULL, NULL);
    if (dae_rank_run_end(w.ranks, &r->lost, NULL) || status == DAE_NO_MEMORY || status == DAE_STOPPED)
        r->status = DAE_NO_MEMORY;
    run_note_drift(m, r);
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Events, and the state at the end where that is where the reference ends. */
static void measure(const study *s, dae_hybrid *run, run_derivatives *along, run_result *r)
{
    dae_system *sys = dae_hybrid_system(run);
    if (!event_errors(s, run, r))
        r->status = DAE_NO_MEMORY;
    if (!r->status)
        r->status = run_keep(r, sys, dae_hybrid_time(run), dae_hybrid_unknowns(run));
    if (!r->status && derivatives_keep(along, s->setting, sys, dae_hybrid_time(run), dae_hybrid_unknowns(run), r))
        run_note_end(s, along->report.status, along->report.message, r);
    if (!r->status && s->referenced)
        run_measure(s, &s->reference, 0, r, sys);
}

static void run_created(const study *s, dae_hybrid *run, dae_hybrid *other, run_derivatives *along,
                        const dae_method *method, const dae_options *options, monitor *m, run_result *r)
{
    r->jacobian = dae_solver_jacobian(dae_hybrid_solver(run));
    r->linear = dae_solver_linear(dae_hybrid_solver(run));
    advance(s, run, r);
    measure(s, run, along, r);
    if (!r->status && s->again)
        r->status = s->again(s->again_context, &(made_run){
            .hybrid = run, .n = dae_hybrid_size(run, dae_hybrid_mode(run)), .u_end = dae_hybrid_unknowns(run)}, r);
    if (!r->status && s->sampled && !run_chooses_steps(s->setting, method))
        shake(s, run, other, r);
    derivatives_free(along);
    if (m && r->status != DAE_NO_MEMORY)
        watch(s, run, options, m, r);
}

void run_hybrid(const study *s, const dae_formulation *form, const dae_method *method, double level,
                monitor *m, run_result *r)
{
    const run_setting *o = s->setting;
    dae_report report = {0};
    dae_hybrid *run = NULL, *other = NULL;
    run_derivatives along = {.of = NULL};
    dae_options options = run_options(s->setting, method, level);
    dae_atol list[MAX_ATOLS];
    run_set_atols(o, NULL, &options, list);
    r->status = dae_hybrid_create(&run, o->problem, form, o->parameters, &o->baumgarte, method, &options, &report);
    if (!r->status)
        r->status = dae_hybrid_create(&other, o->problem, form, o->parameters, &o->baumgarte, method, &options,
                                      &report);
    if (!r->status && (r->status = derivatives_through(&along, o, run)) != DAE_OK)
        report = along.report;
    if (r->status)
        snprintf(r->message, sizeof r->message, "%s", report.message);
    else
        run_created(s, run, other, &along, method, &options, m, r);
    derivatives_free(&along);
    dae_hybrid_free(run);
    dae_hybrid_free(other);
}
