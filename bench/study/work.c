/* work.c - how long each method takes to reach which accuracy
 *
 * A point is one formulation by one method at one tolerance or step: a run, which gives the errors and the
 * counts. Those that went well are then timed in turn, in rounds.
 */
#include "study/work.h"

#include "catalogue/catalogue.h"
#include "host/allocate.h"
#include "study/converge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, LEVELS = 7 };

static const double DIGITS_RTOL = 1e-7, DIGITS_LIMIT = 20;

static const double LEAST_SECONDS = 0.02, RTOL_FIRST = 1e-3, RTOL_LAST = 1e-12;

/* ---- one point ---------------------------------------------------------------------------- */

/* -log10 of the largest x[class]; recovered multipliers are no part of the state and are left out */
static double digits(const double *x)
{
    double largest = NAN;
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (c != DAE_RECOVERED)
            largest = fmax(largest, x[c]);
    return largest > 0 ? -log10(largest) : NAN;
}

/* The point of a run; it is timed later. */
static work_point point_of(const work_curve *c, double level, const run_result *run)
{
    return (work_point){.run = *run, .timed = {.form = c->form, .method = c->method, .level = level},
                        .wall = work_spread_of(NULL, 0), .cpu = NAN, .repeatable = 1,
                        .scd = run->status ? NAN : digits(run->relative),
                        .mescd = run->status ? NAN : digits(run->mixed)};
}

double work_digits(const study_specification *o, const work_point *p)
{
    return o->of == DAE_CLASSES ? p->mescd : p->run.mixed[o->of] > 0 ? -log10(p->run.mixed[o->of]) : NAN;
}

const char *work_reason(const work_point *p)
{
    return p->run.status ? p->run.message : *p->timed.reason ? p->timed.reason
           : p->repeatable ? "" : "a repeat did not end with the same bits as the first run";
}

/* ---- curves ------------------------------------------------------------------------------- */

/* The levels of a curve: tolerances by decades, or steps that are halved. */
static void set_levels(const study_specification *o, const study *s, work_curve *c)
{
    const int levels = o->digits ? 1 : LEVELS;
    const order_ladder ladder = study_ladder(o, c->adaptive, c->adaptive
                                             ? (order_ladder){RTOL_FIRST, 10, levels}
                                             : (order_ladder){(s->t_end - s->t0) / 100, 2, levels});
    c->levels = ladder.levels;
    for (int i = 0; i < c->levels; i++)
        c->level[i] = study_level(o, c->adaptive, &ladder, i);
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
            set_levels(o, s, c);
            runs += c->levels;
        }
    return runs;
}

/* The work of the levels from, ..., levels - 1. */
static double amount(const study *s, const work_curve *c, int from, int levels)
{
    double sum = 0;
    for (int i = from; i < levels; i++)
        sum += run_amount(s->setting, c->method, c->level[i]);
    return sum;
}

/* Run a curve: its points, and the orders that they show. */
static void run_curve(const study_specification *o, const study *s, work_curve *c)
{
    const order_subject subject = {s->setting->problem, c->form, c->method, c->adaptive, s->pace};
    const int levels = run_possible(s, c->form, c->method, c->level[0]) ? 1 : c->levels;
    run_result *runs = allocate((size_t)levels, sizeof *runs);  /* copied into points, which own what they point to */
    if (levels < c->levels)
        front_plan(&s->setting->front, 1 - c->levels, -amount(s, c, 1, c->levels));
    c->levels = study_run_levels(s, c->form, c->method, c->level, levels, study_watches(o), runs);
    c->point = allocate((size_t)c->levels, sizeof *c->point);
    for (int i = 0; i < c->levels; i++)
        c->point[i] = point_of(c, c->level[i], &runs[i]);
    for (int k = 0; c->levels > 1 && k < ORDER_CLASSES; k++)
        if (order_shows(s->setting, k))
            c->order[k] = order_observe(&subject, runs, c->levels, k);
    free(runs);
}

static int point_count(const work_result *r)
{
    int points = 0;
    for (int i = 0; i < r->count; i++)
        points += r->curves[i].levels;
    return points;
}

/* ---- times -------------------------------------------------------------------------------- */

static timed_plan plan_times(const work_result *r)
{
    timed_plan plan = {.rounds = r->spec.runs ? r->spec.runs : ROUNDS,
                       .seconds = isnan(r->spec.seconds) ? LEAST_SECONDS : r->spec.seconds};
    for (int i = 0; i < r->count; i++)
        plan.amount += amount(&r->s, &r->curves[i], 0, r->curves[i].levels);
    return plan;
}

/* What all rounds together say of a point. */
static void sum_up(work_point *p, double *samples)
{
    double cpu = 0, smallest = INFINITY, largest = 0;
    int known = 0;
    p->repeatable = 1;
    for (int r = 0; r < p->timed.rounds; r++) {
        const timed_round *round = &p->timed.round[r];
        if (!isfinite(round->median))
            continue;
        samples[known++] = round->median;
        smallest = fmin(smallest, round->smallest);
        largest = fmax(largest, round->largest);
        cpu += round->cpu * round->runs;
        p->runs += round->runs;
        p->repeatable &= round->repeatable;
    }
    p->wall = work_spread_of(samples, known);
    if (!known)
        return;
    p->wall.smallest = smallest;
    p->wall.largest = largest;
    p->cpu = cpu / p->runs;
}

/* Time the points whose run succeeded. */
static void time_all(work_result *r)
{
    const timed_plan plan = plan_times(r);
    timed_point **timed = allocate((size_t)point_count(r), sizeof *timed);
    double *samples = allocate((size_t)plan.rounds, sizeof *samples);
    int count = 0;
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->curves[i].levels; k++)
            if (!r->curves[i].point[k].run.status)
                timed[count++] = &r->curves[i].point[k].timed;
    if (count)
        timed_rounds_ask(&r->s, timed, count, &plan);
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->curves[i].levels; k++)
            if (r->curves[i].point[k].timed.rounds)
                sum_up(&r->curves[i].point[k], samples);
    r->rounds = count ? plan.rounds : 0;
    free(samples);
    free(timed);
}

static void free_curves(work_curve *curves, int count)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; curves[i].point && k < curves[i].levels; k++) {
            run_free(&curves[i].point[k].run);
            free(curves[i].point[k].timed.round);
        }
        free(curves[i].point);
    }
    free(curves);
}

/* ---- the study ---------------------------------------------------------------------------- */

/* A method that chooses steps, of order 4 at least, or of an order that is not declared. */
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
    if (isnan(o->run.rtol))
        o->rtols.last = RTOL_LAST;
    if (isnan(o->run.step) && isnan(o->run.rtol))
        o->run.rtol = RTOL_FIRST;
    if (o->of == DAE_CLASSES && !o->digits)
        o->of = o->run.problem->mechanical.nq > 0 ? DAE_POSITION : DAE_DIFFERENTIAL;
    const run_front *front = &o->run.front;
    const dae_status no_axes = o->axes ? check_axes(o, report) : DAE_OK;
    if (no_axes)
        return no_axes;
    if (!o->digits && !run_shows(o->run.problem, o->of))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s %s: %s has no such variables",
                        front_field(front, "of").text, dae_class_name(o->of), o->run.problem->name);
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
            const work_curve *c = &r->curves[i];
            const work_point *p = &c->point[k];
            run_result stopped = {.outcome = RUN_NOT_RUN};
            if (p->run.status || p->timed.not_run)
                run_count_result(&r->tally, c->form, c->method, p->run.status ? &p->run : &stopped);
            else
                run_count(&r->tally, c->form, c->method, *work_reason(p) ? DAE_BACKEND : DAE_OK, work_reason(p));
        }
}

/* Orders observed with fixed steps need the size of rounding, which run_sample measures, with a reference on the path
 * only. */
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
    const dae_status status = study_begin_runs(&r->s, spec, &r->spec.run, work_reference(spec), report);
    if (status)
        return status;
    r->begun = 1;
    r->count = spec->forms * spec->methods;
    r->curves = allocate((size_t)r->count, sizeof *r->curves);
    const int points = plan(&r->spec, &r->s, r->curves), rounds = spec->digits ? 0 : plan_times(r).rounds;
    front_plan(&spec->run.front, points + rounds, (1 + rounds) * plan_times(r).amount);
    const long open = runner_open(spec->run.runner);
    for (int i = 0; i < r->count; i++)
        run_curve(&r->spec, &r->s, &r->curves[i]);
    if (!spec->digits && runner_open(spec->run.runner) == open)
        time_all(r);
    front_end(&spec->run.front);
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
