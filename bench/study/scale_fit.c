/* scale_fit.c - how cost grows with size: p of y = C x^p */
#include "numbers/order_interval.h"
#include "study/scale.h"

#include <math.h>

const char *const scale_names[SCALE_QUANTITIES] = {"step", "solve", "setup", "memory", "peak"};

const double scale_peak_resolved = 16e6;

scale_fit scale_exponent(const double *x, const double *y, int count)
{
    double log_x[MAX_VALUES], log_y[MAX_VALUES];
    scale_fit fit = {NAN, NAN, 0};
    for (int i = 0; i < count && fit.points < MAX_VALUES; i++)
        if (isfinite(x[i]) && x[i] > 0 && isfinite(y[i]) && y[i] > 0) {
            log_x[fit.points] = log(x[i]);
            log_y[fit.points++] = log(y[i]);
        }
    if (fit.points < 2)
        return fit;
    fit.exponent = least_squares_slope(log_x, log_y, fit.points);
    fit.last = least_squares_slope(log_x + fit.points - 2, log_y + fit.points - 2, 2);
    return fit;
}

double scale_value(const study_specification *o, const scale_point *p, scale_quantity q)
{
    switch (q) {
    case SCALE_STEP: return o->smallest ? p->step.smallest : p->step.median;
    case SCALE_SOLVE: return o->smallest ? p->solve.smallest : p->solve.median;
    case SCALE_SETUP: return p->setup;
    case SCALE_HELD: return p->held;
    case SCALE_PEAK: return p->peak;
    case SCALE_QUANTITIES: break;
    }
    return NAN;
}

scale_fit scale_pair_fit(const study_specification *o, const scale_pair *pair, scale_quantity q)
{
    double x[MAX_VALUES], y[MAX_VALUES];
    for (int i = 0; i < pair->points; i++) {
        x[i] = pair->point[i].value;
        y[i] = scale_value(o, &pair->point[i], q);
        if (q == SCALE_PEAK && (y[i] < scale_peak_resolved || pair->point[i].phase != SCALE_DONE))
            y[i] = NAN;
    }
    return scale_exponent(x, y, pair->points);
}
