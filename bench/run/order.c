/* order.c - is the order that a ladder of steps shows the declared one?
 *
 * One rule for all: the order lies in the interval of order_interval.c, which comes from the errors
 * of this run and from what rounding makes of them in this run. The order of a leading term is a
 * whole number, so an interval that holds none is not one of leading terms. Where it is narrower
 * than twice 0.15 (0.3 above order 5) and holds a whole number,
 *
 *     "agrees"            the declared order is in it
 *     "below", "above"    it excludes the declared order
 *
 * and everything else is "not determined", with its reason. So is an order that the slopes have
 * passed and still move away from, and one that excludes the declared order while they move towards it.
 *
 * The error is the Euclidean norm of those of all unknowns of the class and, where the runs have
 * them, at RUN_SAMPLES times: one component at one time passes zero at some steps, and the slope
 * there says nothing.
 */
#include "run/order.h"

#include "run/richardson.h"
#include "numbers/quantile.h"
#include "numbers/slope_interval.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double AGREES = 0.15;              /* half-width of an interval that is one, ... */
static const double AGREES_HIGH = 0.3;          /* ... where the declared order is above 5 */
static const double ABOVE = 10;                 /* errors against tolerances: times SYSTEMATIC */
static const double ABOVE_EVENTS = 1000;        /* at events, which rounding of functions and actions moves, too */
static const double NOISE = 3;                  /* of three draws of rounding the largest, times */
static const double SYSTEMATIC = 2;     /* what the draws do not show: units of the last place */

/* ---- what is declared */

static int is_unconstrained(const order_subject *s)
{
    return s->problem->mechanical.nq > 0 && s->problem->mechanical.nl == 0;
}

/* The index of what has no constraint depends on its mass matrix. */
static int index_of(const order_subject *s)
{
    int index = dae_formulation_describe(s->form).index;
    dae_system *sys;
    if (index >= 0 && is_unconstrained(s)) {
        index = 0;
        if (!dae_system_create(&sys, s->problem, s->form, NULL, NULL, NULL)) {
            index = dae_system_index(sys);
            dae_system_free(sys);
        }
    }
    return index >= 0 ? index : dae_index_as_written(s->problem);
}

/* Without constraints all formulations are index 1, or an ODE. */
static double of_method(const order_subject *s, dae_class c)
{
    const dae_formulation *form = is_unconstrained(s) ? run_form_of_index(s->problem, 1) : s->form;
    return s->tolerances ? NAN : dae_method_order(s->method, form, index_of(s), c);
}

/* And where a theorem of the problem has more: dae_mechanical.square. */
static double declared_of_class(const order_subject *s, dae_class c)
{
    const double order = of_method(s, c);
    if (c != DAE_RECOVERED || !s->problem->mechanical.square || index_of(s) != 3)
        return order;
    return fmax(order, fmin(of_method(s, DAE_POSITION), 2 * of_method(s, DAE_VELOCITY)));
}

/* Is no mode of a higher index than 1? Without constraints none is. */
static int low_index(const order_subject *s)
{
    const int index = dae_formulation_describe(s->form).index;
    int low = index_of(s) <= 1;
    for (int m = 0; s->problem->modes && s->problem->modes[m]; m++) {
        const dae_problem *mode = s->problem->modes[m];
        low = low && (index < 0 ? dae_index_as_written(mode) <= 1 : index <= 1 || mode->mechanical.nl == 0);
    }
    return low;
}

/* Through events all that the motion depends on has the lowest order of it. */
static double declared_through_events(const order_subject *s, int k)
{
    const int mechanical = s->problem->mechanical.nq > 0;
    const double a = of_method(s, mechanical ? DAE_POSITION : DAE_DIFFERENTIAL);
    const double b = of_method(s, mechanical ? DAE_VELOCITY : DAE_ALGEBRAIC);
    const double order = isnan(b) && !mechanical ? a : fmin(a, b);
    if (!low_index(s) || isnan(a) || (mechanical && isnan(b)))
        return NAN;
    return k == DAE_MULTIPLIER || k == DAE_RECOVERED ? fmin(order, of_method(s, (dae_class)k)) : order;
}

/* Derivatives are those of the steps, and have the order of what the steps compute. */
static double declared(const order_subject *s, int k)
{
    return run_is_smooth(s->problem) ? declared_of_class(s, (dae_class)(k % RUN_DERIVATIVES))
                                     : declared_through_events(s, k);
}

/* ---- what was measured */

/* Of one class in one run. */
typedef struct {
    double error, norm, noise, scale, path, path_scale;
} measured;

static measured measured_of(const run_result *r, int k)
{
    const run_events *e = &r->events;
    if (k < RUN_CLASSES)
        return (measured){r->error[k], r->norm[k], r->noise[k], r->scale[k], r->path[k], r->path_scale[k]};
    if (k == ORDER_EVENT_TIME)
        return (measured){e->error, e->norm, e->noise, e->count ? fabs(e->at[e->count - 1].t) : NAN, NAN, NAN};
    k -= ORDER_AFTER;
    return (measured){e->after[k], e->after_norm[k], e->after_noise[k], e->after_scale[k], NAN, NAN};
}

double order_scale(const run_result *run, int k) { return measured_of(run, k).scale; }

int order_shows(const run_setting *s, int k)
{
    const dae_problem *problem = s->problem;
    if (k < RUN_CLASSES)
        return (k < RUN_DERIVATIVES || s->sensitivities) && run_shows(problem, (dae_class)(k % RUN_DERIVATIVES));
    if (run_is_smooth(problem))
        return 0;
    return k == ORDER_EVENT_TIME || (k != ORDER_AFTER + DAE_MULTIPLIER && k != ORDER_AFTER + DAE_RECOVERED
                                     && run_shows(problem, (dae_class)(k - ORDER_AFTER)));
}

static const char *const names[ORDER_CLASSES][2] = {
    [RUN_DERIVATIVES + DAE_POSITION] = {"d_position", "d position"},
    [RUN_DERIVATIVES + DAE_VELOCITY] = {"d_velocity", "d velocity"},
    [RUN_DERIVATIVES + DAE_MULTIPLIER] = {"d_multiplier", "d multiplier"},
    [RUN_DERIVATIVES + DAE_RECOVERED] = {"d_recovered", "d recovered"},
    [RUN_DERIVATIVES + DAE_DIFFERENTIAL] = {"d_differential", "d differential"},
    [RUN_DERIVATIVES + DAE_ALGEBRAIC] = {"d_algebraic", "d algebraic"},
    [ORDER_EVENT_TIME] = {"event_time", "event time"},
    [ORDER_AFTER + DAE_POSITION] = {"position_after_events", "position after events"},
    [ORDER_AFTER + DAE_VELOCITY] = {"velocity_after_events", "velocity after events"},
    [ORDER_AFTER + DAE_DIFFERENTIAL] = {"differential_after_events", "differential after events"},
    [ORDER_AFTER + DAE_ALGEBRAIC] = {"algebraic_after_events", "algebraic after events"},
};

const char *order_class_name(int k)
{
    return k < DAE_CLASSES ? dae_class_name((dae_class)k) : names[k][0] ? names[k][0] : "";
}

const char *order_class_title(int k) { return k < DAE_CLASSES ? dae_class_name((dae_class)k) : names[k][1]; }

/* ---- ladders */

/* By the highest order declared. Low orders need small steps for the terms behind the leading one
 * to fade, high ones large steps to stay above rounding. */
static const struct { double order; order_ladder ladder; } ladders[] = {
    {2, {255, 2, 4}},   {3, {48, 2, 7}},         {4, {18, 1.6, 10}},
    {5, {12, 1.4, 10}}, {HUGE_VAL, {6, 1.1, 14}},
};

order_ladder order_default_ladder(const order_subject *s)
{
    const int mechanical = s->problem->mechanical.nq > 0;
    double highest = 0;
    int i = 0;
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (c != DAE_AUXILIARY && mechanical == (c <= DAE_RECOVERED))
            highest = fmax(highest, declared_of_class(s, c));
    while (highest > ladders[i].order)
        i++;
    order_ladder ladder = ladders[i].ladder;
    if (s->pace > 0)
        ladder.first = fmax(RUN_SAMPLES, ladder.first * s->pace);
    return ladder;
}

double order_ladder_step(const order_ladder *ladder, double span, int level)
{
    double steps = 0;
    for (int i = 0; i <= level; i++) {
        const double wanted = ladder->first * pow(ladder->ratio, i) / RUN_SAMPLES;
        steps = fmax(steps + RUN_SAMPLES, RUN_SAMPLES * ceil(wanted * (1 - 1e-9)));
    }
    return span / steps;
}

double order_next_step(const order_ladder *ladder, double span, double step)
{
    static const double RATIO = 1.25, MOST = 8;
    const double finest = span / order_ladder_step(ladder, span, ladder->levels - 1);
    const double now = round(span / step);
    const double next = RUN_SAMPLES * ceil(now * fmax(RATIO, ladder->ratio) / RUN_SAMPLES - 1e-9);
    return next <= MOST * finest * (1 + 1e-9) ? span / next : NAN;
}

/* ---- levels */

static int all_sampled(const run_result *runs, int count, int k)
{
    for (int i = 0; i < count; i++)
        if (!runs[i].status && isnan(measured_of(&runs[i], k).path))
            return 0;
    return 1;
}

static double median(const double *x, int count)
{
    double sorted[MAX_LEVELS];
    memcpy(sorted, x, (size_t)count * sizeof *x);
    quantile_sort(sorted, count);
    return count > 0 ? sorted[count / 2] : 0;
}

/* A draw of rounding may be small by chance: so of a level and its neighbours the largest counts,
 * and no less than is usual on this ladder. */
static void smooth_noise(order_level *level, int count)
{
    double draw[MAX_LEVELS];
    for (int i = 0; i < count; i++)
        draw[i] = level[i].noise;
    const double usual = median(draw, count);
    for (int i = 0; i < count; i++) {
        level[i].noise = fmax(draw[i], usual);
        if (i > 0)
            level[i].noise = fmax(level[i].noise, draw[i - 1]);
        if (i + 1 < count)
            level[i].noise = fmax(level[i].noise, draw[i + 1]);
        level[i].noise *= NOISE;
    }
}

/* The levels that ran, with their noise; how many. */
static int collect(const run_result *runs, int count, int k, order_level *level)
{
    const int sampled = all_sampled(runs, count, k);
    double scale = 0, unit = DBL_EPSILON;
    int n = 0;
    for (int i = 0; i < count && n < MAX_LEVELS; i++) {
        const run_result *r = &runs[i];
        const measured of = measured_of(r, k);
        if (r->status || isnan(of.error))
            continue;
        level[n++] = (order_level){isnan(r->step) ? r->rtol : r->step, sampled ? of.path : of.norm,
                                   isnan(of.noise) ? 0 : of.noise};
        scale = fmax(scale, sampled ? of.path_scale : of.scale);
        unit = r->unit > 0 ? r->unit : DBL_EPSILON;
    }
    smooth_noise(level, n);
    for (int i = 0; i < n; i++)
        level[i].noise = fmax(level[i].noise, SYSTEMATIC * unit * scale);
    return n;
}

/* ---- verdicts */

static double tolerated(double order)
{
    return order > 5 ? AGREES_HIGH : AGREES;
}

static void not_found(order_result *o, const order_interval *found, const order_level *level)
{
    o->verdict = "not determined";
    if (found->finding == ORDER_ROUNDING)
        snprintf(o->reason, sizeof o->reason, "rounding, about %.0e, begins after %d %s, before "
                 "the slopes settle", level[o->levels].noise, o->levels,
                 o->levels == 1 ? "step" : "steps");
    else if (found->finding == ORDER_MOVING)
        snprintf(o->reason, sizeof o->reason, "the slopes still change at the finest step");
    else
        snprintf(o->reason, sizeof o->reason, "too few steps");
}

/* The last slopes lie beyond the whole number of the interval, and those before did less so: both
 * by more than far, and than noise. */
static int moves_away(const order_interval *found, double whole, double far)
{
    const double beyond = found->last - whole, moved = found->last - found->before;
    return fabs(beyond) > far && fabs(moved) > fmax(far, 3 * found->sigma) && beyond * moved > 0;
}

/* The last slopes move on towards the declared order, beyond the interval or by more than far. An order that
 * contradicts the declared one must be where the slopes come to rest, whatever part of their motion is
 * rounding. */
static int is_on_its_way(const order_result *o, const double *slope, double far)
{
    const double side = o->declared > o->high ? 1 : -1;
    const double end = side > 0 ? o->high : -o->low;
    const double first = side * slope[0], before = side * slope[1], last = side * slope[2];
    if (o->low <= o->declared && o->declared <= o->high)
        return 0;
    return last > fmax(end, before) || (before > first && last > before && last - first > far);
}

static void judge(order_result *o, const order_interval *found)
{
    const double width = tolerated(o->declared);
    const int holds = o->low <= o->declared && o->declared <= o->high;
    const double whole = holds ? o->declared : floor(o->high);
    o->verdict = o->declared < o->low ? "above" : o->declared > o->high ? "below" : "agrees";
    if (o->high - o->low > 2 * width)
        snprintf(o->reason, sizeof o->reason, "different choices of the steps show %.2f to %.2f",
                 o->low, o->high);
    else if (floor(o->high) < o->low)
        snprintf(o->reason, sizeof o->reason, "%.2f to %.2f holds no whole number: terms behind "
                 "the leading one still show", o->low, o->high);
    else if (moves_away(found, whole, width / 2))
        snprintf(o->reason, sizeof o->reason, "the slopes have passed %g, and move on: %.2f, %.2f",
                 whole, found->before, found->last);
    else if (is_on_its_way(o, found->slope, width / 2))
        snprintf(o->reason, sizeof o->reason, "the slopes leave %.2f to %.2f: %.2f, %.2f, %.2f", o->low,
                 o->high, found->slope[0], found->slope[1], found->slope[2]);
    if (*o->reason)
        o->verdict = "not determined";
}

static void observe_steps(order_result *o, const run_result *runs, int count, int k)
{
    order_level level[MAX_LEVELS];
    const int n = collect(runs, count, k, level);
    const order_interval found = order_interval_of(level, n, tolerated(o->declared));
    o->levels = found.levels;
    o->dropped = n - found.levels;
    o->observed = isnan(found.best) ? found.slope[ORDER_SLOPES - 1] : found.best;
    o->low = found.low;
    o->high = found.high;
    memcpy(o->slope, found.slope, sizeof o->slope);
    if (isnan(o->declared))
        o->verdict = "not declared";
    else if (found.finding == ORDER_FOUND)
        judge(o, &found);
    else
        not_found(o, &found, level);
}

/* Against the tolerance errors scatter about a line: its slope, above rounding. */
static void observe_tolerances(order_result *o, const run_result *runs, int count, int k)
{
    double x[MAX_LEVELS], y[MAX_LEVELS];
    for (int i = 0; i < count && o->levels < MAX_LEVELS; i++) {
        const run_result *r = &runs[i];
        const measured of = measured_of(r, k);
        if (r->status || isnan(of.error))
            continue;
        const double rounding = SYSTEMATIC * fmax(DBL_EPSILON * of.scale, of.noise);    /* NaN: not known */
        if (of.error > (k < RUN_CLASSES ? ABOVE : ABOVE_EVENTS) * rounding) {
            x[o->levels] = log(r->rtol);
            y[o->levels++] = log(of.error);
        } else {
            o->dropped++;
        }
    }
    const slope_interval found = slope_interval_of(x, y, o->levels);
    o->observed = found.slope;
    o->low = found.low;
    o->high = found.high;
    o->verdict = "slope against rtol";
}

/* The largest of a class that the runs have seen: at the end, on the way, after events. It may be at rest in one of
 * them. */
static double size_of(const run_result *runs, int count, int k)
{
    const int class = k > ORDER_EVENT_TIME ? k - ORDER_AFTER : k;
    double size = 0;
    for (int i = 0; i < count; i++) {
        if (runs[i].status)
            continue;
        size = fmax(size, measured_of(&runs[i], k).scale);
        if (k == ORDER_EVENT_TIME)
            continue;
        size = fmax(size, fmax(runs[i].scale[class], runs[i].path_scale[class]));
        if (runs[i].events.count > 0)
            size = fmax(size, runs[i].events.after_scale[class]);
    }
    return size;
}

/* Does the error stay where it is, far above rounding and above what the tolerance asks for? */
static int is_lost(const order_result *o, const run_result *runs, int count, int k)
{
    static const double LOST = 0.25;            /* half of the smallest slope of a method that converges */
    static const double ROUNDED = 1e6, FAR = 100;       /* units of the last place; times the tolerance */
    const double size = size_of(runs, count, k);
    double least = HUGE_VAL;
    if (!isnan(o->declared) || !(o->high < LOST) || !(size > 0))
        return 0;
    for (int i = 0; i < count; i++) {
        const measured m = measured_of(&runs[i], k);
        if (runs[i].status || isnan(m.error))
            continue;
        const double noise = isnan(m.noise) ? 0 : NOISE * ABOVE * m.noise;
        const double asked = isnan(runs[i].rtol) ? 0 : FAR * runs[i].rtol * size;
        least = fmax(fmax(ROUNDED * DBL_EPSILON * size, noise), asked);
    }
    return o->error > least;                            /* both of the finest run */
}

order_result order_observe(const order_subject *s, const run_result *runs, int count, int k)
{
    order_result o = {.observed = NAN, .low = NAN, .high = NAN, .declared = declared(s, k),
                      .error = NAN, .estimated_order = NAN, .estimated_error = NAN};
    for (int i = 0; i < ORDER_SLOPES; i++)
        o.slope[i] = NAN;
    for (int i = 0; i < count; i++)
        if (!runs[i].status && !isnan(measured_of(&runs[i], k).error))
            o.error = measured_of(&runs[i], k).error;
    if (!s->tolerances && k < RUN_CLASSES)
        richardson(runs, count, k, &o.estimated_order, &o.estimated_error);
    if (isnan(o.error))
        o.verdict = isnan(o.estimated_error) ? "no run" : "no reference";
    else if (s->tolerances)
        observe_tolerances(&o, runs, count, k);
    else
        observe_steps(&o, runs, count, k);
    o.lost = is_lost(&o, runs, count, k);
    return o;
}

int order_asks_for_more(const order_result *o)
{
    return !isnan(o->declared) && !isnan(o->error) && o->dropped == 0
           && strcmp(o->verdict, "agrees") != 0;
}

int order_is_near(const order_result *o) { return fabs(o->observed - o->declared) <= AGREES; }

order_result order_in_quad(const order_result *before, const order_result *now, const order_result *finer,
                           int rounded)
{
    order_result o = *finer;
    if (rounded || strcmp(finer->verdict, "not determined") == 0)
        return strcmp(now->verdict, "agrees") == 0 ? *now : *before;
    o.error = before->error;
    o.estimated_order = before->estimated_order;
    o.estimated_error = before->estimated_error;
    o.in_quad = 1;
    return o;
}
