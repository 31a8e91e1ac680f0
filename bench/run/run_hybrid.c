#include "run/run_hybrid.h"


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

static dae_status create(const study *s, const dae_formulation *form, const dae_method *method,
                         const dae_options *options, dae_hybrid **run, dae_report *report)
{
    const run_setting *o = s->setting;
    return dae_hybrid_create(run, o->problem, form, o->parameters, &o->baumgarte, method, options, report);
}

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

static dae_status advance(const study *s, dae_hybrid *run, run_result *r)
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
    if (status)
        snprintf(r->message, sizeof r->message, "%s", dae_hybrid_report(run)->message);
    if (status == DAE_STOPPED) {
        r->outcome = RUN_LIMIT_TIME;
        snprintf(r->message, sizeof r->message, "t = %.9g: stopped after %g s of CPU time, and %ld steps",
                 r->t_reached, s->limit, r->count.steps);
    }
    return status;
}

/* ---- what rounding is ---------------------------------------------------------------------- */

/* The state where run begins, off in its last bits. */
static double *other_start(dae_hybrid *run)
{
    const int size = dae_hybrid_state_size(run);
    double *x = calloc((size_t)dae_hybrid_most_unknowns(run), sizeof *x);
    if (!x || dae_hybrid_start(run, 0, NULL)
        || dae_hybrid_state(run, dae_hybrid_time(run), dae_hybrid_unknowns(run), x)) {
        free(x);
        return NULL;
    }
    for (int i = 0; i < size; i++)
        if (x[i] != 0)
            x[i] = nextafter(x[i], i % 2 ? INFINITY : -INFINITY);
    return x;
}

/* The sum of so many steps is a time with that error, which another start does not show. */
static void add_noise_of_time(const study *s, run_result *r)
{
    const double part = DBL_EPSILON * sqrt((double)r->count.steps);
    run_events *e = &r->events;
    e->noise = fmax(e->noise, part * fmax(fabs(s->t0), fabs(s->t_end)));
    for (int c = 0; c < DAE_CLASSES; c++) {
        r->noise[c] = isnan(r->scale[c]) ? r->noise[c] : fmax(r->noise[c], part * r->scale[c]);
        e->after_noise[c] = isnan(e->after_scale[c]) ? NAN : fmax(e->after_noise[c], part * e->after_scale[c]);
    }
}

/* r->noise at the end from both states; they are in the same mode. */
static void compare_ends(run_result *r, const run_result *other)
{
    for (int c = 0; c < DAE_CLASSES; c++) {
        double sum = 0;
        if (!r->values[c] || !other->values[c] || r->length[c] != other->length[c])
            continue;
        for (int i = 0; i < r->length[c]; i++)
            sum += (r->values[c][i] - other->values[c][i]) * (r->values[c][i] - other->values[c][i]);
        r->noise[c] = HALF * sqrt(sum);
    }
}

/* Once more from another start: it may cross into another sequence of events, then nothing is known. */
static dae_status shake(const study *s, dae_hybrid *run, dae_hybrid *other, run_result *r)
{
    run_result shaken = {.status = DAE_OK};
    double *x = other_start(other);
    run_clear(&shaken);
    if (!x)
        return DAE_OK;
    dae_status status = dae_hybrid_start_at(other, 0, s->t0, x);
    free(x);
    if (!status || status == DAE_EVENT)
        status = status ? DAE_OK : go(other, s->t_end);
    if (!status && dae_hybrid_mode(run) == dae_hybrid_mode(other)) {
        if (!run_keep(&shaken, dae_hybrid_system(other), dae_hybrid_time(other), dae_hybrid_unknowns(other)))
            return DAE_NO_MEMORY;
        compare_ends(r, &shaken);
        event_noise(run, other, r);
    }
    add_noise_of_time(s, r);
    run_free(&shaken);
    return DAE_OK;
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
        w->m->failed = !monitor_begin(w->m, sys, w->s->t0, w->s->t_end, u);
        w->m->solver = dae_hybrid_solver(run);
    } else if (dae_hybrid_events(run) > w->events) {
        monitor_go_on(w->m, sys, dae_hybrid_solver(run), t, u);
    } else {
        monitor_observe(w->m, t, u);
    }
    w->events = dae_hybrid_events(run);
    front_part(&w->s->setting->front, (t - w->s->t0) / (w->s->t_end - w->s->t0));
    w->m->failed |= failed;
    return w->m->failed;
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
    if (dae_rank_run_end(w.ranks, &r->lost, NULL) || m->failed || status == DAE_NO_MEMORY)
        r->status = DAE_NO_MEMORY;
    memcpy(r->drift, m->largest, sizeof r->drift);
    r->energy = m->largest[DRIFT_ENERGY];
    r->invariant = m->largest[DRIFT_INVARIANT];
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Events, and the state at the end where that is where the reference ends. */
static void measure(const study *s, dae_hybrid *run, run_result *r)
{
    dae_system *sys = dae_hybrid_system(run);
    if (!event_errors(s, run, r)
        || (!r->status && !run_keep(r, sys, dae_hybrid_time(run), dae_hybrid_unknowns(run))))
        r->status = DAE_NO_MEMORY;
    else if (!r->status && s->referenced)
        run_measure(s, &s->reference, 0, r, sys);
}

static void run_created(const study *s, dae_hybrid *run, dae_hybrid *other, const dae_method *method,
                        const dae_options *options, monitor *m, run_result *r)
{
    r->jacobian = dae_solver_jacobian(dae_hybrid_solver(run));
    r->linear = dae_solver_linear(dae_hybrid_solver(run));
    r->status = advance(s, run, r);
    measure(s, run, r);
    if (!r->status && s->again_events)
        r->status = s->again_events(s->again_context, run, r);
    if (!r->status && s->sampled && !run_chooses_steps(s->setting, method))
        r->status = shake(s, run, other, r);
    if (m && r->status != DAE_NO_MEMORY)
        watch(s, run, options, m, r);
}

void run_hybrid(const study *s, const dae_formulation *form, const dae_method *method, double level,
                monitor *m, run_result *r)
{
    dae_report report = {0};
    dae_hybrid *run = NULL, *other = NULL;
    dae_options options = run_options(s->setting, method, level);
    dae_atol list[MAX_ATOLS];
    run_set_atols(s->setting, NULL, &options, list);
    r->status = create(s, form, method, &options, &run, &report);
    if (!r->status)
        r->status = create(s, form, method, &options, &other, &report);
    if (r->status)
        snprintf(r->message, sizeof r->message, "%s", report.message);
    else
        run_created(s, run, other, method, &options, m, r);
    dae_hybrid_free(run);
    dae_hybrid_free(other);
}
