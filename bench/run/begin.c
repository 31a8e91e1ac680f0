/* begin.c - what the runs of a study share: the interval, a start that is consistent, the reference solution
 *
 * All that calls the model for the first time, and all that takes long, is the answer to a question: is the model
 * right, does its start exist, and what is the reference? Should the process that finds it out crash, the study begins
 * without a reference.
 */
#include "run/run_asked.h"

#include <daelab/check.h>

#include "host/allocate.h"
#include "host/interrupt.h"
#include "numbers/decimal.h"
#include "output/json_file.h"
#include "run/pace.h"
#include "run/run_measure.h"
#include "run/stencil.h"
#include "store/cache.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SECONDS = 600 };    /* for a reference */
enum { LONGEST = 1000 };        /* [s] of the question; a reference gives up by itself before that */
enum { TIMES_LIMIT = 10, LEAST_LIMIT = 60 };    /* of a reference, against a run */

/* ---- the reference ------------------------------------------------------------------------ */

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
    if (s->from)
        return s->setting->no_cache
            ? dae_reference_solve_quad(&s->path, sys, s->t0, s->from, times, RUN_SAMPLES, watch, why)
            : dae_cached_reference_quad(&s->path, sys, s->t0, s->from, times, RUN_SAMPLES, watch, &s->from_cache, why);
    return s->setting->no_cache
        ? dae_reference_solve_watched(&s->path, sys, s->t0, u0, times, RUN_SAMPLES, watch, why)
        : dae_cached_reference(&s->path, sys, s->t0, u0, times, RUN_SAMPLES, watch, &s->from_cache, why);
}

/* s->referenced, or why_not; answers why. Where events accumulate, a shorter interval has a reference. */
static dae_status find_reference(study *s, reference_kind wanted, dae_system *sys, const double *u)
{
    dae_report why = {0};
    waiting w = {.s = s, .begun = clock()};
    const dae_reference_watch watch = {tell, &w};
    front_run(&s->setting->front, "reference", "in quad precision to t =", s->t_end);
    const dae_status status = refer_to(s, sys, u, &watch, &why);
    s->referenced = !status;
    if (w.late)
        dae_fail(&why, DAE_STOPPED, "a reference takes more than %d s: it is stopped", MOST_SECONDS);
    snprintf(s->why_not, sizeof s->why_not, "%s", why.message);
    if (status == DAE_ACCUMULATION)
        strncat(s->why_not, "; an interval that ends before has a reference",
                sizeof s->why_not - strlen(s->why_not) - 1);
    s->pace = wanted == REFERENCE_ON_PATH ? study_pace(s) : 0;
    front_end(&s->setting->front);
    return status;
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

/* s->reference: where the path, or the motion through events, ends. */
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

/* ---- the question: model, start and reference --------------------------------------------- */

typedef struct {
    const study *s;
    reference_kind wanted;
} request;

static const field_place known[] = {
    FIELD_AT(study, referenced, FIELD_INT), FIELD_AT(study, from_cache, FIELD_INT), FIELD_AT(study, pace, FIELD_DOUBLE),
    FIELD_ARRAY(study, why_not, FIELD_TEXT), {NULL, FIELD_END, 0, 0}};

/* A system of the first formulation that the problem has, at its start. */
static dae_status first_system(const study *s, dae_system **sys, double **u, dae_start_change *change,
                               dae_report *report)
{
    int i = 0;
    while (!dae_formulation_applies(dae_formulation_at(i), s->setting->problem))
        i++;
    return study_system(s, dae_formulation_at(i), sys, u, change, report);
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

static dae_status find_out(study *s, reference_kind wanted, dae_report *report)
{
    dae_system *sys;
    dae_start_change change;
    double *u;
    dae_status status = first_system(s, &sys, &u, &change, report);
    if (status)
        return explain_start(s->setting, status, report);
    status = check_model(s->setting, report);
    if (!status && wanted != REFERENCE_NONE && find_reference(s, wanted, sys, u) == DAE_NO_MEMORY)
        status = DAE_NO_MEMORY;
    free(u);
    dae_system_free(sys);
    return status;
}

static json_t *compute(void *context)
{
    const request *q = context;
    study s = *q->s;
    dae_report why = {0};
    const dae_status status = find_out(&s, q->wanted, &why);
    if (status == DAE_NO_MEMORY)
        allocate_end();
    json_t *answer = field_write(known, &s);
    json_object_set_new(answer, "status", json_integer(status));
    json_object_set_new(answer, "message", json_text(why.message));
    if (s.referenced)
        json_object_set_new(answer, "reference", field_text(run_is_smooth(s.setting->problem)
                                                            ? reference_text(&s.path, RUN_SAMPLES)
                                                            : event_reference_text(&s.events)));
    dae_reference_free(&s.path);
    dae_event_reference_free(&s.events);
    return answer;
}

static runner_reply ask(request *q, double limit)
{
    const study *s = q->s;
    const double of_reference = fmax(LEAST_LIMIT, (q->wanted == REFERENCE_NONE ? 1 : TIMES_LIMIT) * limit);
    char what[64];
    snprintf(what, sizeof what, "reference in quad precision to t = %g", s->t_end);
    json_t *cell = study_cell(s, "begin");
    json_object_set_new(cell, "wanted", json_integer(q->wanted));
    cell_set_settings(cell, s->setting, KEY_BEGIN);
    return ask_within(s, cell, 1, (runner_question){
        .limits.seconds = limit > 0 ? of_reference : LONGEST, .compute = compute, .context = q,
        .what = q->wanted == REFERENCE_NONE ? NULL : what});
}

/* ---- what follows from the answer --------------------------------------------------------- */

static void start_words(const dae_problem *problem, const dae_start_change *change, char *words, size_t length)
{
    if (problem->mechanical.nq > 0)
        snprintf(words, length, "positions by %.2e, velocities by %.2e, multipliers by %.2e", change->position,
                 change->velocity, change->multiplier);
    else
        snprintf(words, length, "differential unknowns by %.2e, algebraic ones by %.2e", change->position,
                 change->multiplier);
}

/* s->start_set := "--set x=4.5,y=-2": what was moved but for multipliers; "" where that is too much. */
static void set_words(study *s, dae_system *sys, const double *given, const double *u)
{
    const size_t length = sizeof s->start_set;
    char name[64], unit[64], number[DECIMAL], *words = s->start_set;
    const size_t head = (size_t)snprintf(words, length, "%s ", front_field(&s->setting->front, "set").text);
    size_t at = head;
    for (int i = 0; i < dae_system_size(sys) && at < length; i++) {
        const dae_class c = dae_system_class(sys, i);
        if (u[i] == given[i] || c == DAE_MULTIPLIER || c == DAE_AUXILIARY)
            continue;
        dae_system_unknown(sys, i, name, unit, (int)sizeof name);
        at += (size_t)snprintf(words + at, length - at, "%s%s=%s", at > head ? "," : "", name, decimal(u[i], number));
    }
    if (at == head || at >= length)
        *words = 0;
}

/* By how much the given state was moved to u; as_given: would have been. */
static void say_start(study *s, dae_system *sys, const double *given, const double *u, const dae_start_change *change)
{
    static const double FAR = 0.1;
    const run_setting *o = s->setting;
    char by[128];
    *s->start_said = *s->start_set = 0;
    s->start_open = change->open;
    if (!(change->position > 0 || change->velocity > 0 || (!o->problem->mechanical.nq && change->changed)))
        return;
    start_words(o->problem, change, by, sizeof by);
    set_words(s, sys, given, u);
    snprintf(s->start_said, sizeof s->start_said, o->as_given ? "the start is as given, and not consistent: the "
             "nearest that is differs in %s%s" : "the start was not consistent and was moved (%s)%s", by,
             change->relative > FAR ? ", far from what was given: more than 0.1 of the size of the motion" : "");
}

const char *study_start_words(const study *s, int placed, char words[START_WORDS])
{
    const run_setting *o = s->setting;
    size_t end = 0;
    words[0] = 0;
    if (*s->start_said)
        end += (size_t)snprintf(words, START_WORDS, "%s", s->start_said);
    if (*s->start_said && placed && *s->start_set)
        end += (size_t)snprintf(words + end, START_WORDS - end, "; %s begins there", s->start_set);
    if (*s->start_said && !o->as_given)
        end += (size_t)snprintf(words + end, START_WORDS - end, "; %s as-given keeps it",
                                front_field(&o->front, "start").text);
    if (s->start_open)
        snprintf(words + end, START_WORDS - end, "%sderivatives of the constraints were not solved for the start, "
                 "where they may not hold: unknowns may jump at t0", end ? "; " : "");
    return words;
}

/* The start beside that which was given, or the nearest one that is consistent. */
static void compare_starts(study *s, dae_system *sys, const double *u, dae_start_change *change)
{
    const size_t n = (size_t)dae_system_size(sys);
    double *other = allocate(n, sizeof *other);
    if (!s->setting->as_given) {
        if (!dae_system_start(sys, other, NULL))
            say_start(s, sys, other, u, change);
    } else {
        memcpy(other, u, n * sizeof *other);
        if (!dae_consistent_start(sys, s->t0, other, change, NULL))
            say_start(s, sys, u, other, change);
    }
    free(other);
}

/* The start once more in this process: it is where runs begin, whose tolerances it has. */
static dae_status begin_at_start(study *s, dae_report *report)
{
    dae_system *sys;
    dae_start_change change;
    const dae_status status = first_system(s, &sys, &s->start, &change, report);
    if (status)
        return status;
    run_absolute_begin(&s->absolute, s->setting, sys);
    compare_starts(s, sys, s->start, &change);
    dae_system_free(sys);
    return DAE_OK;
}

static dae_status take_over(study *s, reference_kind wanted, const json_t *answer, dae_report *report)
{
    const dae_status found = (dae_status)json_integer_value(json_object_get(answer, "status"));
    const char *text = json_string_value(json_object_get(answer, "reference"));
    if (found)
        return dae_fail(report, found, "%s", json_string_value(json_object_get(answer, "message")));
    const dae_status status = begin_at_start(s, report);
    if (status)
        return status;
    field_read(known, answer, s);
    if (run_is_smooth(s->setting->problem))
        s->referenced = text && reference_read(text, RUN_SAMPLES, &s->path);
    else
        s->referenced = text && event_reference_read(text, RUN_SAMPLES, &s->events);
    s->sampled = s->referenced && wanted == REFERENCE_ON_PATH;
    if (s->referenced)
        set_reference(s);
    return DAE_OK;
}

/* The process that was asked has ended: the study begins without a reference, or where none was wanted not at all. */
static dae_status begin_without(study *s, reference_kind wanted, double limit, const runner_reply *reply,
                                dae_report *report)
{
    const char *name = s->setting->problem->name;
    run_result ended = {.status = DAE_OK};
    run_was_ended(&ended, reply);
    if (reply->end == RUNNER_NOT_RUN || reply->end == RUNNER_LATER)
        return dae_fail(report, DAE_BACKEND, "%s: the study was stopped before its first run", name);
    if (wanted == REFERENCE_NONE)
        return dae_fail(report, ended.status < 0 ? ended.status : DAE_BACKEND, "%s: %s, in its functions at the start",
                        name, ended.message);
    if (ended.status == DAE_NO_MEMORY && ended.outcome == RUN_BY_ITSELF)        /* at no limit: nothing is left */
        return dae_fail(report, DAE_NO_MEMORY, "%s: out of memory for the reference", name);
    const dae_status status = study_begin(s, s->setting, REFERENCE_NONE, limit, report);
    if (!status)
        snprintf(s->why_not, sizeof s->why_not, "%s", ended.message);
    return status;
}

static dae_status begin(study *s, reference_kind wanted, double limit, dae_report *report)
{
    const run_setting *setting = s->setting;
    dae_status status = run_check_setting(setting, report);
    if (status)
        return status;
    request q = {s, wanted};
    const runner_reply reply = ask(&q, limit);
    status = reply.end == RUNNER_ANSWERED ? take_over(s, wanted, reply.answer, report)
                                          : begin_without(s, wanted, limit, &reply, report);
    json_decref(reply.answer);
    if (!status && s->referenced && setting->sensitivities)
        status = stencil_begin(s, limit, report);
    if (status && s->start)
        study_end(s);
    return status;
}

dae_status study_begin(study *s, const run_setting *setting, reference_kind wanted, double limit, dae_report *report)
{
    *s = (study){.setting = setting, .t0 = setting->problem->t0, .t_end = run_end(setting)};
    return begin(s, wanted, limit, report);
}

dae_status study_begin_from(study *s, const run_setting *setting, const dae_quad *u0, int n, double limit,
                            dae_report *report)
{
    *s = (study){.setting = setting, .t0 = setting->problem->t0, .t_end = run_end(setting), .from = u0, .from_size = n};
    return begin(s, REFERENCE_AT_END, limit, report);
}

void study_end(study *s)
{
    if (s->referenced) {
        dae_reference_free(&s->path);
        dae_event_reference_free(&s->events);
    }
    stencil_end(s);
    run_absolute_free(&s->absolute);
    free(s->start);
    s->start = NULL;
}

void study_quad_text(const study *s, dae_quad x, char *text)
{
    dae_quad_text(x, s->reference.digits < 30 ? (int)s->reference.digits : 30, text, DAE_QUAD_TEXT);
}

double study_reference_end(const study *s)
{
    const dae_event_reference *e = &s->events;
    return e->ended ? (double)e->event[e->events - 1].t : s->t_end;
}
