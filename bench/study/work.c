/* work.c - how long each method takes to reach which accuracy
 *
 * A point is one formulation by one method at one tolerance or step: a warm-up run, which also
 * gives the errors and the counts, then repeats on the same solver until there are enough of them
 * and they have lasted long enough. Timed is dae_solver_start and dae_solver_advance; nothing
 * observes.
 */
#include "study/work.h"

#include "catalogue/catalogue.h"
#include "cells/ahead.h"
#include "cells/begin_asked.h"
#include "cells/run_record.h"
#include "host/timing.h"
#include "numbers/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_RUNS = 5, LEVELS = 7 };

static const double DIGITS_RTOL = 1e-7, DIGITS_LIMIT = 20;

static const double LEAST_SECONDS = 0.02, RTOL_FIRST = 1e-3, RTOL_LAST = 1e-12;

/* ---- one point ---------------------------------------------------------------------------- */

typedef struct {
    const study_specification *spec;
    const study *study;
    double *samples;            /* [MAX_RUNS] */
    work_point *point;
} repeater;

static int least_runs(const study_specification *o) { return o->runs ? o->runs : LEAST_RUNS; }
static double least_seconds(const study_specification *o) { return isnan(o->seconds) ? LEAST_SECONDS : o->seconds; }

/* A run that was made, to be made again, with its end beside that of the first. */
typedef struct {
    dae_solver *solver;         /* from u0, or else */
    dae_hybrid *hybrid;
    const double *u0, *u_end;
    double *u;                  /* [n] */
    size_t bytes;
} repeated;

static dae_status run_again_now(const repeated *run, const study *s, double *seconds, int *same)
{
    const dae_status status = run->solver ? timed_run(run->solver, s->t0, run->u0, s->t_end, run->u, seconds)
                                          : timed_hybrid(run->hybrid, s->setting->as_given, s->t_end, seconds);
    const double *u = run->solver ? run->u : dae_hybrid_unknowns(run->hybrid);
    *same = *same && !status && memcmp(u, run->u_end, run->bytes) == 0;
    return status;
}

static dae_status repeat_all(const repeater *p, const repeated *run, run_result *r)
{
    const study_specification *o = p->spec;
    double total = 0;
    dae_status status = DAE_OK;
    int runs = 0, same = 1;
    const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    while (!status && runs < MAX_RUNS && (runs < least_runs(o) || total < least_seconds(o))) {
        status = run_again_now(run, p->study, &p->samples[runs], &same);
        total += p->samples[runs++];
    }
    p->point->cpu = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin) / (runs ? runs : 1);
    if (status)
        snprintf(r->message, sizeof r->message, "%s", run->solver ? dae_solver_report(run->solver)->message
                                                                  : dae_hybrid_report(run->hybrid)->message);
    p->point->runs = runs;
    p->point->repeatable = same;
    if (!status)
        p->point->wall = work_spread_of(p->samples, runs);
    return status;
}

static dae_status repeat(void *context, dae_solver *solver, int n, const double *u0,
                         const double *u_end, run_result *r)
{
    const size_t bytes = (size_t)n * sizeof(double);
    double *u = malloc(bytes);
    const repeated run = {.solver = solver, .u0 = u0, .u_end = u_end, .u = u, .bytes = bytes};
    const dae_status status = u ? repeat_all(context, &run, r) : DAE_NO_MEMORY;
    free(u);
    return status;
}

static dae_status repeat_events(void *context, dae_hybrid *hybrid, run_result *r)
{
    const size_t bytes = (size_t)dae_hybrid_size(hybrid, dae_hybrid_mode(hybrid)) * sizeof(double);
    double *end = malloc(bytes);
    const repeated run = {.hybrid = hybrid, .u_end = end, .bytes = bytes};
    if (!end)
        return DAE_NO_MEMORY;
    memcpy(end, dae_hybrid_unknowns(hybrid), bytes);
    const dae_status status = repeat_all(context, &run, r);
    free(end);
    return status;
}

/* min over the components of the state of -log10 of x: the recovered multiplier is not one of it */
static double digits(const double *x)
{
    double largest = NAN;
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (c != DAE_RECOVERED)
            largest = fmax(largest, x[c]);
    return largest > 0 ? -log10(largest) : NAN;
}

/* Here and now. */
static void measure_here(study *s, const work_curve *c, double level, repeater *again)
{
    s->again = again->spec->digits ? NULL : repeat;
    s->again_events = again->spec->digits ? NULL : repeat_events;
    s->again_context = again;
    monitor watched = {.sys = NULL};
    again->point->run = study_run(s, c->form, c->method, level, study_watches(again->spec) ? &watched : NULL);
    monitor_free(&watched);
}

/* ---- a point that the runner answers */

const field_place work_point_fields[] = {
    FIELD_AT(work_point, runs, FIELD_INT), FIELD_AT(work_point, wall.median, FIELD_DOUBLE),
    FIELD_AT(work_point, wall.lower, FIELD_DOUBLE), FIELD_AT(work_point, wall.upper, FIELD_DOUBLE),
    FIELD_AT(work_point, wall.smallest, FIELD_DOUBLE), FIELD_AT(work_point, wall.largest, FIELD_DOUBLE),
    FIELD_AT(work_point, cpu, FIELD_DOUBLE), FIELD_AT(work_point, repeatable, FIELD_INT),
    {NULL, FIELD_END, 0, 0}};

typedef struct {
    study_copy copy;
    const work_curve *curve;
    double level;
    repeater again;
} request;

static json_t *compute(void *context)
{
    request *q = context;
    measure_here(&q->copy.s, q->curve, q->level, &q->again);
    json_t *answer = run_answer(&q->copy.s, &q->again.point->run, NULL);
    if (answer && !field_write(work_point_fields, q->again.point, answer)) {
        json_decref(answer);
        answer = NULL;
    }
    run_free(&q->again.point->run);
    return answer;
}

/* How a run is repeated, and whether others run beside it: a time then is none of a run that is alone. */
static int set_repeats(json_t *cell, const study_specification *o, const struct runner *of)
{
    return json_object_set_new(cell, "repeats", json_pack("[i, o]", least_runs(o), field_number(least_seconds(o)))) == 0
           && (!runner_times_together(of) || json_object_set_new(cell, "beside_others", json_true()) == 0);
}

/* The cell of a run, and of its repeats. */
static json_t *point_cell(const study *s, const work_curve *c, double level, const study_specification *o)
{
    json_t *cell = run_cell(s, c->form, c->method, level, study_watches(o));
    if (!cell || o->digits || set_repeats(cell, o, s->setting->runner))
        return cell;
    json_decref(cell);
    return NULL;
}

/* 0 where there is nobody to ask. */
static int ask_for_point(study *s, const work_curve *c, double level, work_point *p, double *samples,
                         const study_specification *o)
{
    json_t *cell = s->setting->runner ? point_cell(s, c, level, o) : NULL;
    work_point computed = *p;
    request q = {.curve = c, .level = level, .again = {o, &q.copy.s, samples, &computed}};
    if (!cell)
        return 0;
    study_copy_quiet(&q.copy, s);
    front_run(&s->setting->front, dae_formulation_describe(c->form).name, c->info.name, level);
    runner_reply reply =
        ask_within(s, cell, 1 + (o->digits ? 0 : least_runs(o)),
                   (runner_question){.timed = !o->digits, .compute = compute, .context = &q});
    if (!run_read(json_object_get(reply.answer, "run"), &p->run, NULL, 0)
        || !field_read(work_point_fields, reply.answer, p)) {
        run_free(&p->run);
        *p = (work_point){.wall = work_spread_of(NULL, 0), .cpu = NAN, .repeatable = 1,
                          .run = run_without(s, c->method, level)};
        run_was_ended(&p->run, &reply);
    }
    json_decref(reply.answer);
    return 1;
}

static void measure_point(study *s, const work_curve *c, double level, work_point *p, double *samples,
                          const study_specification *o)
{
    *p = (work_point){.wall = work_spread_of(NULL, 0), .cpu = NAN, .repeatable = 1};
    if (!ask_for_point(s, c, level, p, samples, o)) {
        repeater again = {o, s, samples, p};
        measure_here(s, c, level, &again);
    }
    p->scd = p->run.status ? NAN : digits(p->run.relative);
    p->mescd = p->run.status ? NAN : digits(p->run.mixed);
}

const char *work_reason(const work_point *p)
{
    return p->run.status ? p->run.message
           : p->repeatable ? "" : "a repeat did not end with the same bits as the first run";
}

/* ---- curves ------------------------------------------------------------------------------- */

/* Levels from A down to B: as many as asked for, else by the ratio. */
static void tolerance_levels(const study_specification *o, work_curve *c)
{
    const double last = isnan(o->run.rtol) ? RTOL_LAST : o->rtol_last;
    c->first = isnan(o->run.rtol) ? RTOL_FIRST : o->run.rtol;
    c->ratio = isnan(o->ratio) ? 10 : o->ratio;
    c->levels = o->levels ? o->levels : o->digits ? 1 : LEVELS;
    if (isnan(last))
        return;
    if (!o->levels)
        c->levels = 1 + (int)fmin(MAX_LEVELS - 1, log(c->first / last) / log(c->ratio) + 1e-9);
    else if (isnan(o->ratio) && o->levels > 1)
        c->ratio = pow(c->first / last, 1.0 / (o->levels - 1));
}

static int plan(const study_specification *o, const study *s, work_curve *curves)
{
    int runs = 0;
    for (int f = 0; f < o->forms; f++)
        for (int m = 0; m < o->methods; m++) {
            work_curve *c = &curves[f * o->methods + m];
            c->form = o->form[f];
            c->method = o->method[m];
            c->info = dae_method_describe(c->method);
            c->adaptive = run_chooses_steps(&o->run, c->method);
            if (c->adaptive) {
                tolerance_levels(o, c);
            } else {
                c->first = isnan(o->run.step) ? (s->t_end - s->t0) / 100 : o->run.step;
                c->ratio = isnan(o->ratio) ? 2 : o->ratio;
                c->levels = o->levels ? o->levels : o->digits ? 1 : LEVELS;
            }
            runs += c->levels;
        }
    return runs;
}

/* The orders that the levels show; 0 where memory is short. */
static int observe(const study *s, work_curve *c)
{
    const order_subject subject = {s->setting->problem, c->form, c->method, c->adaptive, s->pace};
    run_result *runs = calloc((size_t)c->levels + 1, sizeof *runs);
    for (int i = 0; runs && i < c->levels; i++)
        runs[i] = c->point[i].run;
    for (int k = 0; runs && c->levels > 1 && k < ORDER_CLASSES; k++)
        if (order_shows(s->setting->problem, k))
            c->order[k] = order_observe(&subject, runs, c->levels, k);
    free(runs);                                         /* what its members point to is the points' */
    return runs != NULL;
}

/* Level i; steps are divided one by one, as they are exactly where the ratio is 2. */
static double level_of(const work_curve *c, int i)
{
    double level = c->first;
    for (int k = 0; k < i; k++)
        level /= c->ratio;
    return c->adaptive ? decimal_level(c->first, c->ratio, i) : level;
}

/* The work of levels from this one on. */
static double amount(const study *s, const work_curve *c, int from, int levels)
{
    double sum = 0;
    for (int i = from; i < levels; i++)
        sum += run_amount(s->setting, c->method, level_of(c, i));
    return sum;
}

/* All levels; where the combination does not exist one says so. */
static int run_curve(const study_specification *o, study *s, work_curve *c, double *samples)
{
    const run_front *front = &s->setting->front;
    const int levels = c->levels;
    c->point = calloc((size_t)levels, sizeof *c->point);
    c->levels = 0;
    for (int i = 0; c->point && i < levels; i++) {
        front_next(front, amount(s, c, i, i + 1));
        measure_point(s, c, level_of(c, i), &c->point[i], samples, o);
        c->levels++;
        if (c->point[i].run.status == DAE_UNSUPPORTED) {
            front_skip(front, levels - 1 - i);
            front_work(front, -amount(s, c, i + 1, levels));
            break;
        }
    }
    return c->point && observe(s, c);
}

/* ---- points ahead: those that are not timed, or beside others */

typedef struct {
    study_copy copy;
    const study_specification *spec;
    const work_curve *curve;
    double *samples;            /* [MAX_RUNS] */
    double level;
} point_job;

static void measure_ahead(void *context)
{
    point_job *job = context;
    work_point p;
    measure_point(&job->copy.s, job->curve, job->level, &p, job->samples, job->spec);
    run_free(&p.run);
}

static int point_count(const work_result *r)
{
    int points = 0;
    for (int i = 0; i < r->count; i++)
        points += r->curves[i].levels;
    return points;
}

/* jobs: [points]; the finest of a curve first */
static void expect_points(work_result *r, double *samples, point_job *jobs)
{
    struct runner *of = r->s.setting->runner;
    if (!of || !(r->spec.digits || runner_times_together(of)))
        return;
    for (int i = 0; i < r->count; i++) {
        const work_curve *c = &r->curves[i];
        if (!ahead_exists(&r->s, c->form, c->method, level_of(c, 0)))
            continue;
        for (int k = c->levels - 1; k >= 0; k--, jobs++) {
            *jobs = (point_job){.spec = &r->spec, .curve = c, .samples = samples, .level = level_of(c, k)};
            study_copy_quiet(&jobs->copy, &r->s);
            runner_expect(of, r, i, measure_ahead, jobs);
        }
    }
}

static void free_curves(work_curve *curves, int count)
{
    for (int i = 0; curves && i < count; i++) {
        for (int k = 0; curves[i].point && k < curves[i].levels; k++)
            run_free(&curves[i].point[k].run);
        free(curves[i].point);
    }
    free(curves);
}

/* ---- the study ---------------------------------------------------------------------------- */

/* A method that chooses steps and is of order 4 at least, or whose order varies. */
static int may_be_efficient(const dae_method *method)
{
    const dae_method_info info = dae_method_describe(method);
    const double order = info.order[1][DAE_VELOCITY];
    return info.adaptive && (order >= 4 || order == DAE_UNDECLARED);
}

int work_takes_any(const dae_method *method)
{
    const dae_method_info info = dae_method_describe(method);
    return may_be_efficient(method) && info.implicit && (info.roles & DAE_FOR_SCALING);
}

/* Methods that choose their steps where none are named, and the baseline among them. */
static void default_methods(study_specification *o)
{
    int known = o->baseline == NULL;
    if (!o->methods)
        for (int i = 0; catalogue_method(i) && o->methods < MAX_CHOICES; i++)
            if (o->digits ? work_takes_any(catalogue_method(i)) : may_be_efficient(catalogue_method(i)))
                o->method[o->methods++] = catalogue_method(i);
    for (int i = 0; i < o->methods; i++)
        known = known || o->method[i] == o->baseline;
    if (!known && o->methods < MAX_CHOICES)
        o->method[o->methods++] = o->baseline;
}

/* Has the problem what an axis shows? */
static int has(const dae_problem *p, work_quantity q)
{
    return q >= WORK_ERROR && q < WORK_SCD ? run_shows(p, (dae_class)(q - WORK_ERROR))
           : q >= WORK_DRIFT && q < WORK_ENERGY            ? dae_problem_describe(p).multipliers > 0
           : q == WORK_ENERGY                              ? p->mechanical.nq > 0
           : q == WORK_INVARIANT                           ? p->invariants.n > 0 : 1;
}

static dae_status check_axes(const study_specification *o, dae_report *report)
{
    const work_quantity axes[] = {o->across, o->up};
    for (int i = 0; i < 2; i++)
        if (!has(o->run.problem, axes[i]))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s %s:%s: %s has no %s", front_field(&o->run.front, "axes").text,
                            work_quantity_names[o->across], work_quantity_names[o->up], o->run.problem->name,
                            work_quantity_names[axes[i]]);
    return DAE_OK;
}

/* Tolerances, not steps, where neither is given; errors of the positions, or of the differential
 * variables. */
dae_status work_fill_in(study_specification *o, dae_report *report)
{
    default_methods(o);
    if (o->digits && !o->forms)
        study_default_form(o);
    if (o->digits && isnan(o->limit))
        o->limit = DIGITS_LIMIT;
    if (o->digits && isnan(o->run.step) && isnan(o->run.rtol))
        o->run.rtol = DIGITS_RTOL;
    if (isnan(o->run.step) && isnan(o->run.rtol)) {
        o->run.rtol = RTOL_FIRST;
        o->rtol_last = RTOL_LAST;
    }
    if (o->of == DAE_CLASSES && !o->digits)
        o->of = o->run.problem->mechanical.nq > 0 ? DAE_POSITION : DAE_DIFFERENTIAL;
    const run_front *front = &o->run.front;
    const dae_status no_axes = o->axes ? check_axes(o, report) : DAE_OK;
    if (no_axes)
        return no_axes;
    if (!o->digits && !run_shows(o->run.problem, o->of))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s %s: %s has no such variables",
                        front_field(front, "of").text, run_class_names[o->of], o->run.problem->name);
    if (o->baseline && !o->targets)
        return dae_fail(report, DAE_BAD_ARGUMENT,
                        "%s compares times to reach an error: give %s too",
                        front_field(front, "baseline").text, front_field(front, "at").text);
    return DAE_OK;
}

static void count_runs(work_result *r)
{
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->curves[i].levels; k++) {
            const work_point *p = &r->curves[i].point[k];
            if (p->run.status)
                run_count_result(&r->tally, &p->run);
            else
                run_count(&r->tally, p->repeatable ? DAE_OK : DAE_BACKEND, work_reason(p));
        }
}

/* What rounding is in ladders of steps comes with runs on the path. */
reference_kind work_reference(const study_specification *o)
{
    int fixed = 0;
    for (int m = 0; m < o->methods; m++)
        fixed |= !run_chooses_steps(&o->run, o->method[m]);
    return fixed && !o->digits ? REFERENCE_ON_PATH : REFERENCE_AT_END;
}

dae_status work_study(work_result *r, const study_specification *spec, dae_report *report)
{
    *r = (work_result){.spec = *spec};
    const dae_status status =
        study_begin_asked(&r->s, &r->spec.run, work_reference(spec), study_limit(spec), report);
    if (status)
        return status;
    r->begun = 1;
    r->s.limit = study_limit(spec);
    r->count = spec->forms * spec->methods;
    r->curves = calloc((size_t)r->count, sizeof *r->curves);
    double *samples = malloc(MAX_RUNS * sizeof *samples);
    int good = r->curves && samples;
    front_begin(&spec->run.front, good ? plan(&r->spec, &r->s, r->curves) : 0);
    for (int i = 0; good && i < r->count; i++)
        front_work(&spec->run.front, amount(&r->s, &r->curves[i], 0, r->curves[i].levels));
    point_job *jobs = good ? malloc(((size_t)point_count(r) + 1) * sizeof *jobs) : NULL;
    good = good && jobs;
    if (good)
        expect_points(r, samples, jobs);
    for (int i = 0; good && i < r->count; i++)
        good = run_curve(&r->spec, &r->s, &r->curves[i], samples);
    runner_settle(spec->run.runner, r);
    front_end(&spec->run.front);
    free(jobs);
    free(samples);
    if (!good)
        return dae_fail(report, DAE_NO_MEMORY, "out of memory");
    count_runs(r);
    return DAE_OK;
}

void work_result_free(work_result *r)
{
    free_curves(r->curves, r->count);
    if (r->begun)
        study_end(&r->s);
    *r = (work_result){.count = 0};
}
