/* bracket.c - a zero of a function between two signs, and how far it reaches between two points */
#include "bracket.h"

#define SCALAR double
#include "base/chandrupatla.h"

#include <float.h>
#include <math.h>

enum { MOST_STEPS = 300, MOST_TRIALS = 60 };
static const double GOLDEN = 0.38196601125010515;       /* (3 - sqrt 5)/2 */
static const double WIDTH = 1e-8;       /* of the interval: about sqrt(eps), where g is flat */

dae_status dae_bracket_zero(dae_scalar value, void *context, double length, double l, double g_l,
                            double r, double g_r, double *t)
{
    point x = {r, g_r}, y = {l, g_l};           /* the newest, and the other side */
    double part = g_r / (g_r - g_l);
    for (int k = 0; k < MOST_STEPS && x.g != 0; k++) {
        const double nearest = fabs(x.g) < fabs(y.g) ? x.t : y.t;
        const double least = DBL_EPSILON * (fabs(nearest) + DBL_EPSILON * length)
                             / fabs(y.t - x.t);
        if (!(least < 0.5))
            break;
        point trial = {x.t + fmin(fmax(part, least), 1 - least) * (y.t - x.t), 0};
        const dae_status status = value(context, trial.t, &trial.g);
        if (status)
            return status;
        part = take_trial(&x, &y, trial);
    }
    *t = x.g == 0 || (x.g > 0) == (g_r > 0) ? x.t : y.t;
    return DAE_OK;
}

/* The step from x to the extremum of the parabola through three points, NAN where there is none. */
static double parabola(point x, point v, point w)
{
    const double a = (x.t - w.t) * (x.g - v.g), b = (x.t - v.t) * (x.g - w.g);
    return a == b ? NAN : ((x.t - v.t) * b - (x.t - w.t) * a) / (2 * (a - b));
}

/* A new trial between l and r: the narrower interval, and the best three points in order. */
static void narrow(point best[3], point next, double *l, double *r)
{
    const int better = next.g <= best[0].g, before = next.t < best[0].t;
    *(better == before ? r : l) = better ? best[0].t : next.t;
    if (better || next.g <= best[1].g) {
        best[2] = best[1];
        best[1] = better ? best[0] : next;
        best[0] = better ? next : best[0];
    } else if (next.g <= best[2].g) {
        best[2] = next;
    }
}

dae_status dae_bracket_beyond(dae_scalar value, void *context, int toward, double noise, double l,
                              double g_l, double r, double g_r, double *t, double *g)
{
    const double width = WIDTH * (r - l);
    point best[3] = {{*t, 0}, {l, -toward * g_l}, {r, -toward * g_r}};  /* -toward g is minimised */
    double last = r - l, before = r - l;                                /* steps */
    dae_status status = value(context, *t, &best[0].g);
    best[0].g *= -toward;
    for (int k = 0; k < MOST_TRIALS && !status && best[0].g >= -noise; k++) {
        const double x = best[0].t, middle = (l + r) / 2, least = width + 2 * DBL_EPSILON * fabs(x);
        if (fabs(x - middle) + (r - l) / 2 <= 2 * least)
            break;
        double step = parabola(best[0], best[1], best[2]);
        if (fabs(step) < fabs(before) / 2 && x + step > l && x + step < r) {
            before = last;
        } else {
            before = x < middle ? r - x : l - x;
            step = GOLDEN * before;
        }
        if (x + step - l < least || r - x - step < least)
            step = copysign(least, middle - x);
        last = copysign(fmax(fabs(step), least), step);
        point next = {x + last, 0};
        status = value(context, next.t, &next.g);
        next.g *= -toward;
        narrow(best, next, &l, &r);
    }
    *t = best[0].t;
    *g = -toward * best[0].g;
    return status;
}
