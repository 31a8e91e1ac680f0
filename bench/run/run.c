#include "run/run.h"

#include <daelab/check.h>

#include "store/cache.h"
#include "store/event_cache.h"
#include "run/pace.h"
#include "run/run_hybrid.h"
#include "run/run_measure.h"
#include "host/interrupt.h"
#include "host/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void study_quad_text(const study *s, dae_quad x, char *text)
{
    dae_quad_text(x, s->reference.digits < 30 ? (int)s->reference.digits : 30, text, DAE_QUAD_TEXT);
}

double study_reference_end(const study *s)
{
    const dae_event_reference *e = &s->events;
    return e->ended ? (double)e->event[e->events - 1].t : s->t_end;
}

dae_status study_system(const study *s, const dae_formulation *form, dae_system **sys, double **u,
                        dae_start_change *change, dae_report *report)
{
    const run_setting *o = s->setting;
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

enum { MOST_SECONDS = 600 };    /* for a reference */

typedef struct {
    const study *s;
    clock_t begun;
    int late;
} waiting;

/* Where the reference has come to; enough is enough. */
static int tell(void *context, double t)
{
    waiting *w = context;
    front_part(&w->s->setting->front, (t - w->s->t0) / (w->s->t_end - w->s->t0));
    w->late = (clock() - w->begun) / CLOCKS_PER_SEC >= MOST_SECONDS;
    return w->late || interrupt_noted();
}

/* The reference on the path, for all studies the same; that at t_end is its last row. Through events there is
 * none but at the end. */
static dae_status refer_to(study *s, dae_system *sys, const double *u0, const dae_reference_watch *watch,
                           dae_report *why)
{
    double times[RUN_SAMPLES];
    for (int k = 0; k < RUN_SAMPLES; k++)
        times[k] = run_sample_time(s, k + 1);
    if (!run_is_smooth(s->setting->problem))
        return s->setting->no_cache
            ? dae_event_reference_solve(&s->events, s->setting->problem, s->setting->parameters, NULL, &s->t_end, 1,
                                        watch, why)
            : dae_cached_event_reference(&s->events, sys, &s->t_end, 1, watch, &s->from_cache, why);
    return s->setting->no_cache
        ? dae_reference_solve_watched(&s->path, sys, s->t0, u0, times, RUN_SAMPLES, watch, why)
        : dae_cached_reference(&s->path, sys, s->t0, u0, times, RUN_SAMPLES, watch, &s->from_cache, why);
}

/* A shorter interval has a reference. */
static void end_earlier(dae_report *why)
{
    const dae_report of = *why;
    dae_fail(why, of.status, "%s; an interval that ends before has a reference", of.message);
}

static int refer(study *s, dae_system *sys, const double *u0, dae_report *why)
{
    waiting w = {.s = s, .begun = clock()};
    const dae_reference_watch watch = {tell, &w};
    const dae_status status = refer_to(s, sys, u0, &watch, why);
    if (status == DAE_ACCUMULATION)
        end_earlier(why);
    if (w.late)
        dae_fail(why, DAE_STOPPED, "a reference takes more than %d s: it is stopped", MOST_SECONDS);
    return status == DAE_OK;
}

/* Multipliers of a mode, where the largest number of any is so many. */
static int multipliers_of(const dae_problem *problem, int mode, int most)
{
    const dae_problem *of = mode > 0 ? problem->modes[mode - 1] : problem;
    int largest = problem->mechanical.nl;
    for (int m = 0; problem->modes && problem->modes[m]; m++)
        largest = problem->modes[m]->mechanical.nl > largest ? problem->modes[m]->mechanical.nl : largest;
    return largest > 0 ? most / largest * of->mechanical.nl : 0;
}

/* Where a solution with events ends: at the end, or behind the event that ends it. */
static dae_reference event_end(dae_event_reference *r, const dae_problem *problem)
{
    const size_t last = (size_t)(2 * r->events - 1);
    const int nq = problem->mechanical.nq > 0 ? r->size / 2 : 0;
    const int mode = r->count > 0 ? r->mode[r->count - 1] : r->event[r->events - 1].to;
    dae_quad *x = r->count > 0 ? r->x : r->states + last * (size_t)r->width;
    return (dae_reference){.nq = nq ? nq : r->size, .q = x, .v = nq ? x + nq : NULL,
                           .nl = nq ? multipliers_of(problem, mode, r->width - r->size) : 0,
                           .lambda = nq ? x + r->size : NULL, .digits = r->digits, .source = r->source};
}

static void set_reference(study *s)
{
    const dae_reference *r = &s->path;
    if (!run_is_smooth(s->setting->problem)) {
        s->reference = event_end(&s->events, s->setting->problem);
        return;
    }
    s->reference = *r;
    s->reference.q += (RUN_SAMPLES - 1) * r->nq;
    if (r->v)
        s->reference.v += (RUN_SAMPLES - 1) * r->nq;
    if (r->lambda)
        s->reference.lambda += (RUN_SAMPLES - 1) * r->nl;
}

/* A start that was moved so far is hardly the one that was meant. */
static void warn(const dae_start_change *change, const run_front *front)
{
    static const double FAR = 0.1;
    if (change->relative > FAR)
        front_warn(front, "warning: the start was not consistent, and the nearest consistent "
                   "state is far from it: %.2e, which is more than %g of the size of the motion",
                   change->position, FAR);
    if (change->open)
        front_warn(front, "warning: derivatives of the constraints were not solved for the start, where they may not "
                   "hold: unknowns may jump at t0");
}

void run_start_words(const dae_problem *problem, const dae_start_change *change, char *words, size_t length)
{
    if (problem->mechanical.nq > 0)
        snprintf(words, length, "positions by %.2e, velocities by %.2e, multipliers by %.2e", change->position,
                 change->velocity, change->multiplier);
    else
        snprintf(words, length, "differential unknowns by %.2e, algebraic ones by %.2e", change->position,
                 change->multiplier);
}

/* A start that is used as it was given: would it have been moved? */
static void warn_given(const study *s, dae_system *sys, const double *u)
{
    const run_setting *o = s->setting;
    const size_t size = (size_t)dae_system_size(sys) * sizeof *u;
    double *state = o->as_given ? malloc(size) : NULL;
    dae_start_change change = {0};
    char words[128];
    if (!state)
        return;
    memcpy(state, u, size);
    const int good = !dae_consistent_start(sys, s->t0, state, &change, NULL);
    if (good && (change.position > 0 || change.velocity > 0 || (!o->problem->mechanical.nq && change.changed))) {
        run_start_words(o->problem, &change, words, sizeof words);
        front_warn(&o->front, "the start is as given, and not consistent: the nearest that is differs in %s", words);
    }
    free(state);
}

/* Do the functions of the model agree with each other? Its first contradiction ends the study. */
static dae_status check_model(const run_setting *setting, dae_report *report)
{
    const dae_check_options how = {.quick = 1};
    dae_finding worst = {0};
    int count = 0;
    if (setting->no_check)
        return DAE_OK;
    const dae_status status = dae_check_model(setting->problem, setting->parameters, &setting->baumgarte,
                                              &how, &worst, 1, &count, report);
    if (status || !count || !worst.failed)
        return status;
    return dae_fail(report, DAE_BAD_MODEL, "%s", worst.sentence);
}

/* Why there is no start: where the functions of the model contradict each other, that. */
static dae_status explain_start(const run_setting *setting, dae_status status, dae_report *report)
{
    dae_report why = {0};
    if (status == DAE_BAD_ARGUMENT || status == DAE_NO_MEMORY || check_model(setting, &why) != DAE_BAD_MODEL)
        return status;
    return dae_fail(report, DAE_BAD_MODEL, "%s", why.message);
}

/* Before anything is run from the start of a system. */
static dae_status look_at_start(study *s, const dae_system *sys, const dae_start_change *change,
                                int looked_at, dae_report *report)
{
    const dae_status status = looked_at ? DAE_OK : check_model(s->setting, report);
    if (status)
        return status;
    warn(change, &s->setting->front);
    return run_absolute_begin(&s->absolute, s->setting, sys, report);
}

static void find_reference(study *s, reference_kind wanted, dae_system *sys, double *u, dae_report *why)
{
    front_run(&s->setting->front, "reference", "in quad precision to t =", s->t_end);
    s->referenced = refer(s, sys, u, why);
    snprintf(s->why_not, sizeof s->why_not, "%s", why->message);
    s->pace = wanted == REFERENCE_ON_PATH ? study_pace(s) : 0;
    front_end(&s->setting->front);
}

static void take_over(study *s, const study_known *known)
{
    s->referenced = known->referenced;
    s->from_cache = known->from_cache;
    s->path = known->path;
    s->events = known->events;
    s->pace = known->pace;
    snprintf(s->why_not, sizeof s->why_not, "%s", known->why_not);
}

/* Where one is wanted. */
static void set_references(study *s, reference_kind wanted, const study_known *known, dae_system *sys, double *u,
                           dae_report *why)
{
    if (known)
        take_over(s, known);
    else if (wanted != REFERENCE_NONE)
        find_reference(s, wanted, sys, u, why);
    s->sampled = s->referenced && wanted == REFERENCE_ON_PATH;
    if (s->referenced)
        set_reference(s);
}

/* The problem's start in its first formulation: bad parameters and a start that cannot be made
 * consistent end the study here. From it, the reference where it is wanted. */
static dae_status try_start(study *s, reference_kind wanted, const study_known *known, dae_report *report)
{
    dae_system *sys;
    dae_start_change change;
    dae_report why = {0};
    double *u;
    int i = 0;
    while (!dae_formulation_applies(dae_formulation_at(i), s->setting->problem))
        i++;
    dae_status status = study_system(s, dae_formulation_at(i), &sys, &u, &change, report);
    if (status)
        return explain_start(s->setting, status, report);
    status = look_at_start(s, sys, &change, known != NULL, report);
    if (status) {
        dae_system_free(sys);
        free(u);
        return status;
    }
    warn_given(s, sys, u);
    set_references(s, wanted, known, sys, u, &why);
    if (s->sampled)
        s->start = u;
    else
        free(u);
    dae_system_free(sys);
    if (!s->referenced && why.status == DAE_NO_MEMORY) {
        run_absolute_free(&s->absolute);
        *report = why;
        return DAE_NO_MEMORY;
    }
    return DAE_OK;
}

static dae_status begin(study *s, const run_setting *setting, reference_kind wanted, const study_known *known,
                        dae_report *report)
{
    dae_report why = {0};
    *s = (study){.setting = setting, .t0 = setting->problem->t0, .t_end = run_end(setting)};
    dae_status status = run_check_setting(setting, &why);
    if (!status)
        status = try_start(s, wanted, known, &why);
    if (status && report)
        *report = why;
    return status;
}

dae_status study_begin(study *s, const run_setting *setting, reference_kind wanted,
                       dae_report *report)
{
    return begin(s, setting, wanted, NULL, report);
}

dae_status study_begin_known(study *s, const run_setting *setting, reference_kind wanted,
                             const study_known *known, dae_report *report)
{
    const dae_status status = begin(s, setting, wanted, known, report);
    if (status && known->referenced) {
        dae_reference path = known->path;
        dae_event_reference events = known->events;
        dae_reference_free(&path);
        dae_event_reference_free(&events);
    }
    return status;
}

void study_end(study *s)
{
    if (s->referenced) {
        dae_reference_free(&s->path);
        dae_event_reference_free(&s->events);
    }
    run_absolute_free(&s->absolute);
    free(s->start);
    s->start = NULL;
}

static int is_late(void *context, double t, const double *u)
{
    const double *end = context;
    (void)t, (void)u;
    return seconds_of(CLOCK_THREAD_CPUTIME_ID) > *end;
}

static dae_status advance(const study *s, dae_solver *solver, double *u, run_result *r)
{
    dae_status status = dae_solver_start(solver, s->t0, u);
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
    if (status)
        snprintf(r->message, sizeof r->message, "%s", dae_solver_report(solver)->message);
    if (status == DAE_STOPPED) {
        r->outcome = RUN_LIMIT_TIME;
        snprintf(r->message, sizeof r->message, "t = %.9g: stopped after %g s of CPU time, and %ld steps",
                 r->t_reached, s->limit, r->count.steps);
    }
    return status;
}

static void tick(const void *context, double fraction)
{
    const study *s = context;
    front_part(&s->setting->front, fraction);
}

/* The same run once more, watched. */
static void watch(const study *s, dae_solver *solver, dae_system *sys, const dae_options *options,
                  const double *u0, double *u, monitor *m, run_result *r)
{
    memcpy(u, u0, (size_t)dae_system_size(sys) * sizeof *u);
    if (!monitor_begin(m, sys, s->t0, s->t_end, u0)
        || dae_rank_watch_create(&m->ranks, sys, options, NULL) == DAE_NO_MEMORY) {
        r->status = DAE_NO_MEMORY;
        return;
    }
    dae_rank_watch_begin(m->ranks, s->t0, u0);
    m->tick = tick;
    m->tick_context = s;
    m->solver = solver;
    dae_solver_observe(solver, monitor_observe, m);
    dae_status status = dae_solver_start(solver, s->t0, u);
    if (!status)
        status = dae_solver_advance(solver, s->t_end, u);
    if (dae_rank_watch_end(m->ranks, &r->lost, NULL) || m->failed || status == DAE_NO_MEMORY)
        r->status = DAE_NO_MEMORY;
    dae_rank_watch_free(m->ranks);
    m->ranks = NULL;
    memcpy(r->drift, m->largest, sizeof r->drift);
    r->energy = m->largest[DRIFT_ENERGY];
    r->invariant = m->largest[DRIFT_INVARIANT];
}

static void run_system(const study *s, const dae_method *method, double level, dae_system *sys,
                       double *u, monitor *m, run_result *r)
{
    dae_options options = run_options(s->setting, method, level);
    dae_atol list[MAX_ATOLS];
    const size_t n = (size_t)dae_system_size(sys);
    dae_report report = {0};
    dae_solver *solver = NULL;
    double *u0 = malloc(n * sizeof *u0);
    run_set_atols(s->setting, sys, &options, list);
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
            watch(s, solver, sys, &options, u0, u, m, r);
    }
    dae_solver_free(solver);
    free(u0);
}

/* Steps were bounded, and reached the bound. */
static void name_limit(const run_setting *o, run_result *r)
{
    if (r->outcome == RUN_BY_ITSELF)
        r->outcome = run_outcome_of(o, r->status);
}

run_result study_run(const study *s, const dae_formulation *form, const dae_method *method,
                     double level, monitor *m)
{
    const int adaptive = run_chooses_steps(s->setting, method);
    run_result r = {.step = adaptive ? NAN : level, .rtol = adaptive ? level : NAN,
                    .t_reached = s->t0, .energy = NAN, .invariant = NAN,
                    .seconds = NAN};
    dae_report report = {0};
    dae_system *sys;
    double *u;
    run_clear(&r);
    for (int k = 0; k < DRIFT_LEVELS; k++)
        r.drift[k] = NAN;
    front_run(&s->setting->front, dae_formulation_describe(form).name,
              dae_method_describe(method).name, level);
    if (!run_is_smooth(s->setting->problem)) {
        run_hybrid(s, form, method, level, m, &r);
        name_limit(s->setting, &r);
        return r;
    }
    r.status = study_system(s, form, &sys, &u, &r.start, &report);
    if (r.status) {
        snprintf(r.message, sizeof r.message, "%s", report.message);
        return r;
    }
    run_system(s, method, level, sys, u, m, &r);
    name_limit(s->setting, &r);
    free(u);
    dae_system_free(sys);
    return r;
}

void run_count_result(run_tally *tally, const run_result *r)
{
    if (r->outcome == RUN_NOT_RUN) {
        tally->runs++;
        tally->missing++;
        return;
    }
    run_count(tally, r->status, *r->message ? r->message : outcome_sentence(r->outcome, r->status));
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

dae_status run_tally_status(const run_tally *tally, dae_report *report)
{
    if (tally->unsupported > 0 && tally->unsupported == tally->runs)
        return dae_fail(report, DAE_UNSUPPORTED, "%s", tally->absent);
    if (!tally->failed)
        return DAE_OK;
    return dae_fail(report, tally->memory ? DAE_NO_MEMORY : DAE_BACKEND,
                    "%d of %d runs failed%s: %s", tally->failed, tally->runs,
                    tally->failed > 1 ? ", the first" : "", tally->first);
}
