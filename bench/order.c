/* order.c - observed orders: how an error falls with the step
 *
 * The error of a method of order p expands in the step, e = C h^p (1 + a h + b h^2 + ...). So p
 * comes from the finest levels by least squares,
 *
 *     sum_i w_i (log e_i - log C - p log h_i - a x_i - b x_i^2)^2 + a^2 + b^2 -> min,    x = h/h_1
 *
 * with h_1 the largest step: the last two terms keep a and b at 0 where the levels do not determine
 * them, so that few levels give the slope of a straight line. w = 1/(MODEL^2 + (noise/e)^2): what
 * a and b leave of log e, and rounding. e is the root mean square of the errors at RUN_SAMPLES
 * times where the runs have it: at one time alone the leading term may vanish, and the slope there
 * says nothing. Otherwise e is the error at the end.
 *
 * Rounding: a random walk of N steps leaves eps sqrt(N) in differential unknowns; an unknown of
 * index k is a derivative of order k - 1 of such and has N^(k-1) times as much, over an interval
 * that is a fair unit of time. NOISE times that has been seen; levels from the first one below
 * FLOOR times it on take no part.
 *
 * Without a reference, from three steps h_1 > h_2 > h_3 with differences e_1, e_2 of neighbours:
 *
 *     e_1/e_2 = (h_1^p - h_2^p)/(h_2^p - h_3^p),    error of the finest = e_2/((h_2/h_3)^p - 1)
 *
 * Kalitkin, Al'shin, Al'shina, Rogov (2005), Computations on Quasi-Uniform Grids, ch. 1.
 */
#include "order.h"

#include "run_output.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double AGREES = 0.15;              /* observed and declared order, ... */
static const double AGREES_HIGH = 0.3;          /* ... where it is above 5 */
static const double NOISE = 5, FLOOR = 40;      /* in units of the rounding of a random walk */
static const double MODEL = 0.02;
enum { FINEST = 6, TERMS = 4 };

/* ---- what is declared, and where more is known to be seen */

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
    return index >= 0 ? index : s->problem->first_order.index;
}

/* Without constraints all formulations are index 1, or an ODE. */
static double declared(const order_subject *s, dae_class c)
{
    const dae_formulation *form = is_unconstrained(s) ? dae_find_formulation("index1") : s->form;
    const double order = dae_method_orders(s->method, form, index_of(s))[c];
    return s->tolerances || order == DAE_UNDECLARED ? NAN : order;
}

static double circle(const order_subject *s)
{
    return fmin(declared(s, DAE_POSITION), 2 * declared(s, DAE_VELOCITY));
}

#define ON_A_CIRCLE "superconvergent: in index 3 the error of v lies along M^-1 G^T, and on a " \
                    "circle or sphere v' g_qq v, from which the multiplier is recovered, sees " \
                    "only its square"
#define ON_A_WALL "superconvergent: in index 3 CROS errs in v along M^-1 G^T S^-1 g_qq(v, v), " \
                  "which here does not turn the body, and the multipliers see its turning only"
#define ROUND "superconvergent: on a circle or sphere one order more than elsewhere"
#define FADES "transient: the terms behind the leading one still show where rounding begins"
#define UNSETTLED "unsettled: between the steps that show an order and rounding are too few " \
                  "levels, one less would show another"

/* Where a problem shows something else than its class of DAE guarantees: by order, or by shown. */
static const struct {
    const char *problem, *form, *method;                /* method NULL: any */
    dae_class class;
    double shown;
    double (*order)(const order_subject *s);
    const char *verdict, *reason;
} known[] = {
    {"pendulum", "index3", NULL, DAE_RECOVERED, 0, circle, "superconvergent", ON_A_CIRCLE},
    {"pendulum", "index3", "excros", DAE_POSITION, 3, NULL, "superconvergent", ROUND},
    {"pendulum", "ggl", "excros", DAE_POSITION, 5, NULL, "superconvergent", ROUND},
    {"pendulum", "ggl", "excros", DAE_VELOCITY, 5, NULL, "superconvergent", ROUND},
    {"pendulum", "ggl", "excros", DAE_MULTIPLIER, 5, NULL, "superconvergent", ROUND},
    {"pendulum", "ggl", "excros", DAE_RECOVERED, 5, NULL, "superconvergent", ROUND},
    {"pendulum", "index1", "excros", DAE_POSITION, 4.8, NULL, "transient", FADES},
    {"pendulum", "baumgarte", "excros", DAE_POSITION, 4.2, NULL, "transient", FADES},
    {"pendulum", "baumgarte", "excros", DAE_MULTIPLIER, 5.1, NULL, "transient", FADES},
    {"pendulum", "index3", "radau13", DAE_MULTIPLIER, 6.4, NULL, "transient", FADES},
    {"pendulum", "ode", "dop853", DAE_RECOVERED, 8.5, NULL, "transient", FADES},
    {"spherical_pendulum", "index3", NULL, DAE_RECOVERED, 0, circle, "superconvergent",
     ON_A_CIRCLE},
    {"spherical_pendulum", "index3", "excros", DAE_POSITION, 3, NULL, "superconvergent", ROUND},
    {"spherical_pendulum", "ggl", "excros", DAE_POSITION, 5, NULL, "superconvergent", ROUND},
    {"spherical_pendulum", "ggl", "excros", DAE_VELOCITY, 5, NULL, "superconvergent", ROUND},
    {"spherical_pendulum", "ggl", "excros", DAE_MULTIPLIER, 5, NULL, "superconvergent", ROUND},
    {"spherical_pendulum", "ggl", "excros", DAE_RECOVERED, 5, NULL, "superconvergent", ROUND},
    {"spherical_pendulum", "baumgarte", "excros", DAE_POSITION, 4.2, NULL, "transient", FADES},
    {"spherical_pendulum", "baumgarte", "excros", DAE_MULTIPLIER, 5.3, NULL, "transient", FADES},
    {"ladder", "index3", "cros", DAE_RECOVERED, 2, NULL, "superconvergent", ON_A_WALL},
    {"ladder", "index3", "excros", DAE_RECOVERED, 3, NULL, "superconvergent", ON_A_WALL},
    {"ladder", "index3", "excros", DAE_POSITION, 3, NULL, "superconvergent", ON_A_WALL},
    {"ladder", "index2", "excros", DAE_POSITION, 5.3, NULL, "transient", FADES},
    {"ladder", "index1", "excros", DAE_POSITION, 5.3, NULL, "transient", FADES},
    {"ladder", "baumgarte", "excros", DAE_RECOVERED, 4.2, NULL, "transient", FADES},
    {"ladder", "baumgarte", "rodas5p", DAE_MULTIPLIER, 5.2, NULL, "transient", FADES},
    {"ladder", "ode", "rodas5p", DAE_VELOCITY, 5.6, NULL, "transient", FADES},
    {"ladder", "ode", "rodas5p", DAE_RECOVERED, 5.4, NULL, "transient", FADES},
    {"double_pendulum", "index3", "rodas5p", DAE_POSITION, 1.7, NULL, "transient", FADES},
    {"double_pendulum", "index3", "radau9", DAE_VELOCITY, 7.3, NULL, "transient", FADES},
    {"double_pendulum", "index3", "radau9", DAE_MULTIPLIER, 7.2, NULL, "transient", FADES},
    {"double_pendulum", "index3", "radau9", DAE_RECOVERED, 6.1, NULL, "transient", FADES},
    {"double_pendulum", "index3", "radau13", DAE_RECOVERED, 7.8, NULL, "transient", FADES},
    {"double_pendulum", "index1", "dop853", DAE_VELOCITY, 8.6, NULL, "transient", FADES},
    {"double_pendulum", "baumgarte", "rodas5p", DAE_POSITION, 4.75, NULL, "transient", FADES},
    {"double_pendulum", "ode", "rodas4", DAE_VELOCITY, 3.8, NULL, "transient", FADES},
    {"double_pendulum", "ode", "dop853", DAE_POSITION, 8.5, NULL, "transient", FADES},
    {"slider_crank", "index3", "rodas5p", DAE_VELOCITY, 2.8, NULL, "transient", FADES},
    {"slider_crank", "index3", "rodas5p", DAE_RECOVERED, 2.65, NULL, "transient", FADES},
    {"slider_crank", "index1", "dopri5", DAE_POSITION, 5.3, NULL, "transient", FADES},
    {"slider_crank", "index1", "dopri5", DAE_VELOCITY, 5.2, NULL, "transient", FADES},
    {"slider_crank", "index1", "dopri5", DAE_MULTIPLIER, 5.2, NULL, "transient", FADES},
    {"slider_crank", "index1", "dopri5", DAE_RECOVERED, 5.2, NULL, "transient", FADES},
    {"slider_crank", "baumgarte", "excros", DAE_POSITION, 5.4, NULL, "transient", FADES},
    {"slider_crank", "baumgarte", "excros", DAE_VELOCITY, 5.6, NULL, "transient", FADES},
    {"slider_crank", "baumgarte", "excros", DAE_RECOVERED, 4.4, NULL, "transient", FADES},
    {"slider_crank", "ggl", "excros", DAE_POSITION, 4.3, NULL, "transient", FADES},
    {"slider_crank", "ggl", "excros", DAE_VELOCITY, 4.3, NULL, "transient", FADES},
    {"slider_crank", "ggl", "excros", DAE_MULTIPLIER, 4.3, NULL, "transient", FADES},
    {"slider_crank", "ggl", "excros", DAE_RECOVERED, 4.3, NULL, "transient", FADES},
    {"slider_crank", "index2", "radau9", DAE_MULTIPLIER, 3.5, NULL, "transient", FADES},
    {"slider_crank", "index3", "radau13", DAE_MULTIPLIER, 5.7, NULL, "transient", FADES},
    {"linear_dae", "index1", "rodas5p", DAE_ALGEBRAIC, 5.2, NULL, "transient", FADES},
};

static double tolerated(double order)
{
    return order > 5 ? AGREES_HIGH : AGREES;
}

static int agrees(double observed, double order)
{
    return fabs(observed - order) <= tolerated(order);
}

/* Number of the row of known that explains the observed order; -1: none. */
static int explained(const order_subject *s, dae_class c, double observed)
{
    const char *form = dae_formulation_describe(s->form).name;
    const char *name = dae_method_describe(s->method).name;
    const char *method = strcmp(name, "radau") == 0 ? "radau13" : name;     /* with fixed steps */
    for (int i = 0; i < (int)(sizeof known / sizeof *known); i++)
        if (c == known[i].class && strcmp(s->problem->name, known[i].problem) == 0
            && strcmp(form, known[i].form) == 0
            && (!known[i].method || strcmp(method, known[i].method) == 0)
            && agrees(observed, known[i].order ? known[i].order(s) : known[i].shown))
            return i;
    return -1;
}

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
            highest = fmax(highest, declared(s, c));
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

/* ---- fits */

double least_squares_slope(const double *x, const double *y, int count)
{
    double mx = 0, my = 0, xx = 0, xy = 0;
    if (count < 2)
        return NAN;
    for (int i = 0; i < count; i++) {
        mx += x[i] / count;
        my += y[i] / count;
    }
    for (int i = 0; i < count; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xy / xx;
}

/* Gauss' elimination without pivoting of A x = r, symmetric and positive; the second unknown. */
static double second_unknown(double A[TERMS][TERMS], double r[TERMS])
{
    for (int k = TERMS; k-- > 0;)
        for (int i = 0; i < TERMS; i++) {
            const double f = A[i][k] / A[k][k];
            if (i == k)
                continue;
            for (int j = 0; j < TERMS; j++)
                A[i][j] -= f * A[k][j];
            r[i] -= f * r[k];
        }
    return r[1] / A[1][1];
}

/* p of y = log C + p x + a z + b z^2, z = exp(x - x[0]), with weights w; NaN for less than two. */
static double fitted_order(const double *x, const double *y, const double *w, int count)
{
    double A[TERMS][TERMS] = {[2] = {[2] = 1}, [3] = {[3] = 1}}, r[TERMS] = {0};
    if (count < 2)
        return NAN;
    for (int i = 0; i < count; i++) {
        const double z = exp(x[i] - x[0]), row[TERMS] = {1, x[i] - x[0], z, z * z};
        for (int j = 0; j < TERMS; j++) {
            for (int k = 0; k < TERMS; k++)
                A[j][k] += w[i] * row[j] * row[k];
            r[j] += w[i] * row[j] * y[i];
        }
    }
    return second_unknown(A, r);
}

static double level_of(const run_result *r)
{
    return isnan(r->step) ? r->rtol : r->step;
}

/* Index of the unknowns of a class: how often they are differentiated, and one. The positions of
 * index 3 see the noise of their velocities, as a random walk. */
static double class_index(const order_subject *s, dae_class c)
{
    const int index = index_of(s);
    if (index < 2 || (c == DAE_MULTIPLIER && declared(s, c) == declared(s, DAE_RECOVERED)))
        return 1;                                       /* excros recovers its multipliers */
    return c == DAE_MULTIPLIER || c == DAE_ALGEBRAIC ? index
           : index == 3 && c == DAE_VELOCITY ? 2 : index == 3 && c == DAE_POSITION ? 1.5 : 1;
}

static double rounding(const run_result *r, double scale, double class_index)
{
    const double steps = fmax(1, (double)r->count.steps);
    return DBL_EPSILON * fmax(scale, DBL_MIN) * sqrt(steps) * pow(steps, class_index - 1);
}

static int all_sampled(const run_result *runs, int count, dae_class c)
{
    for (int i = 0; i < count; i++)
        if (!runs[i].status && isnan(runs[i].path[c]))
            return 0;
    return 1;
}

static void fit(order_result *o, const order_subject *s, const run_result *runs, int count,
                dae_class c)
{
    double x[MAX_LEVELS], y[MAX_LEVELS], w[MAX_LEVELS];
    const int sampled = all_sampled(runs, count, c);
    const double k = s->tolerances ? 1 : class_index(s, c);
    for (int i = 0; i < count && o->levels < MAX_LEVELS; i++) {
        const run_result *r = &runs[i];
        if (r->status || isnan(r->error[c]))
            continue;
        const double e = sampled ? r->path[c] : r->error[c];
        const double scale = sampled ? r->path_scale[c] : r->scale[c];
        o->error = r->error[c];
        const double unit = rounding(r, scale, k), noise = NOISE * unit / e;
        if (o->dropped || !(e > FLOOR * unit)) {
            o->dropped++;                               /* rounding from here on */
            continue;
        }
        w[o->levels] = 1 / (MODEL * MODEL + noise * noise);
        x[o->levels] = log(level_of(r));
        y[o->levels++] = log(e);
    }
    const int coarse = o->levels > FINEST ? o->levels - FINEST : 0;
    const int fine = coarse + 1;
    o->observed = s->tolerances
                      ? least_squares_slope(x, y, o->levels)
                      : fitted_order(x + coarse, y + coarse, w + coarse, o->levels - coarse);
    o->without_coarsest = fitted_order(x + fine, y + fine, w + fine, o->levels - fine);
}

/* ---- without a reference */

static double distance(const run_result *a, const run_result *b, dae_class c)
{
    double largest = 0;
    for (int i = 0; i < a->length[c]; i++)
        largest = fmax(largest, fabs(a->values[c][i] - b->values[c][i]));
    return largest;
}

/* p where (h_1^p - h_2^p)/(h_2^p - h_3^p) = quotient: the left side grows with p. NaN: none. */
static double richardson_order(double r1, double r2, double quotient)
{
    double low = 1e-6, high = 64;                       /* r1 = h_1/h_2, r2 = h_2/h_3 */
#define LEFT(p) ((pow(r1, p) - 1) / (1 - pow(r2, -(p))))
    if (!(quotient > LEFT(low) && quotient < LEFT(high)))
        return NAN;
    while (high - low > 1e-12 * high) {
        const double middle = (low + high) / 2;
        if (LEFT(middle) < quotient)
            low = middle;
        else
            high = middle;
    }
#undef LEFT
    return (low + high) / 2;
}

static void richardson(order_result *o, const run_result *runs, int count, dae_class c)
{
    const run_result *fine = runs + count - 1, *middle = fine - 1, *coarse = fine - 2;
    if (count < 3 || !fine->values[c] || !middle->values[c] || !coarse->values[c])
        return;
    const double e1 = distance(coarse, middle, c), e2 = distance(middle, fine, c);
    const double ratio = middle->step / fine->step;
    const double p = richardson_order(coarse->step / middle->step, ratio, e1 / e2);
    if (isnan(p))
        return;
    o->estimated_order = p;
    o->estimated_error = e2 / (pow(ratio, p) - 1);
}

/* ---- verdicts */

static void judge(const order_subject *s, order_result *o, dae_class c)
{
    const int row = isnan(o->declared) ? -1 : explained(s, c, o->observed);
    if (isnan(o->observed))
        o->verdict = !isnan(o->error) ? (o->dropped ? "at rounding" : "too few levels")
                     : isnan(o->estimated_error) ? "no run" : "no reference";
    else if (isnan(o->declared))
        o->verdict = "not declared";
    else if (agrees(o->observed, o->declared))
        o->verdict = "as declared";
    else if (row >= 0)
        o->verdict = known[row].verdict;
    else
        o->verdict = o->observed > o->declared ? "above declared" : "below declared";
    if (row < 0 && (strcmp(o->verdict, "above declared") == 0
                    || strcmp(o->verdict, "below declared") == 0)
        && !(fabs(o->observed - o->without_coarsest) <= tolerated(o->declared))) {
        o->verdict = "unsettled";
        o->reason = UNSETTLED;
    }
    if (row >= 0 && o->verdict == known[row].verdict)
        o->reason = known[row].reason;
}

order_result order_observe(const order_subject *s, const run_result *runs, int count, dae_class c)
{
    order_result o = {.observed = NAN, .without_coarsest = NAN, .declared = declared(s, c),
                      .error = NAN, .estimated_order = NAN, .estimated_error = NAN};
    fit(&o, s, runs, count, c);
    if (!s->tolerances)
        richardson(&o, runs, count, c);
    judge(s, &o, c);
    return o;
}
