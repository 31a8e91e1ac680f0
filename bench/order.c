/* order.c - the slope of log e against log h by least squares, over errors above rounding
 *
 * Without a reference, from three grids h, h/r, h/r^2 with differences e_1, e_2 of neighbours:
 *
 *     p = log(e_1/e_2)/log r,    error of the finest = e_2/(r^p - 1)
 *
 * Kalitkin, Al'shin, Al'shina, Rogov (2005), Computations on Quasi-Uniform Grids, ch. 1.
 */
#include "order.h"

#include <float.h>
#include <math.h>

static const double AGREES = 0.15;              /* observed and declared order, ... */
static const double AGREES_HIGH = 0.3;          /* ... where it is above 5 */
static const double FLOOR = 1e3 * DBL_EPSILON;  /* of the class's largest value: rounding */

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

static double level_of(const run_result *r)
{
    return isnan(r->step) ? r->rtol : r->step;
}

static void fit(order_result *o, const run_result *runs, int count, dae_class c)
{
    double x[MAX_LEVELS], y[MAX_LEVELS];
    for (int i = 0; i < count && o->levels < MAX_LEVELS; i++) {
        const run_result *r = &runs[i];
        if (r->status || isnan(r->error[c]))
            continue;
        o->error = r->error[c];
        if (o->dropped || !(r->error[c] > FLOOR * fmax(r->scale[c], DBL_MIN))) {
            o->dropped++;                               /* rounding from here on */
            continue;
        }
        x[o->levels] = log(level_of(r));
        y[o->levels++] = log(r->error[c]);
    }
    o->observed = least_squares_slope(x, y, o->levels);
}

static double distance(const run_result *a, const run_result *b, dae_class c)
{
    double largest = 0;
    for (int i = 0; i < a->length[c]; i++)
        largest = fmax(largest, fabs(a->values[c][i] - b->values[c][i]));
    return largest;
}

static void richardson(order_result *o, const run_result *runs, int count, dae_class c,
                       double ratio)
{
    const run_result *fine = runs + count - 1, *middle = fine - 1, *coarse = fine - 2;
    if (count < 3 || !fine->values[c] || !middle->values[c] || !coarse->values[c])
        return;
    const double e1 = distance(coarse, middle, c), e2 = distance(middle, fine, c);
    const double p = log(e1 / e2) / log(ratio);
    if (!(p > 0) || !isfinite(p))
        return;
    o->estimated_order = p;
    o->estimated_error = e2 / (pow(ratio, p) - 1);
}

static const char *verdict(const order_result *o)
{
    if (isnan(o->observed))
        return isnan(o->error) ? "no run" : o->dropped ? "at rounding" : "too few levels";
    if (isnan(o->declared))
        return "not declared";
    if (fabs(o->observed - o->declared) <= (o->declared > 5 ? AGREES_HIGH : AGREES))
        return "as declared";
    return o->observed > o->declared ? "above declared" : "below declared";
}

order_result order_observe(const run_result *runs, int count, dae_class c,
                           const dae_method_info *method, int index, double ratio)
{
    order_result o = {.observed = NAN, .declared = method->order[index][c], .error = NAN,
                      .estimated_order = NAN, .estimated_error = NAN};
    if (isnan(ratio) || o.declared == DAE_UNDECLARED)
        o.declared = NAN;
    fit(&o, runs, count, c);
    if (!isnan(ratio))
        richardson(&o, runs, count, c, ratio);
    o.verdict = verdict(&o);
    return o;
}
