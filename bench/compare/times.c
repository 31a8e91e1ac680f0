#include "compare/times.h"

#include "numbers/quantile.h"

#include <math.h>
#include <stdlib.h>

/* ---- two samples ---- */

enum { LEAST = 5, LEAST_PAIRS = 10 };

static const double EFFICIENCY = 0.37;  /* of quartiles, for the sigma of normal samples */

/* The square of the relative standard error of the median. */
static double variance_of(const time_sample *s)
{
    const double sigma = (s->upper - s->lower) / 1.349, error = 1.2533 * sigma / sqrt(s->repeats) / s->median;
    return error * error;
}

variance_estimate times_variance(const time_sample *a, const time_sample *b)
{
    if (!(a->repeats >= LEAST && b->repeats >= LEAST))
        return (variance_estimate){NAN, NAN};
    return (variance_estimate){variance_of(a) + variance_of(b), EFFICIENCY * (a->repeats + b->repeats - 2)};
}

/* Two-sided, of a t with nu degrees of freedom: it becomes normal by Wallace's transformation. */
static double t_p(double t2, double nu)
{
    const double z = sqrt(nu * log1p(t2 / nu)) * (8 * nu + 1) / (8 * nu + 3);
    return erfc(z / sqrt(2));
}

double times_p(double difference, variance_estimate within, variance_estimate between)
{
    const double sum = within.value + between.value;
    if (isnan(difference) || isnan(sum))
        return NAN;
    if (difference == 0 || sum == 0)
        return difference == 0;
    const double freedom = sum * sum / (within.value * within.value / within.freedom
                                        + (between.value > 0 ? between.value * between.value / between.freedom : 0));
    return t_p(difference * difference / sum, freedom);
}

/* ---- many ratios ---- */

static double median_of(double *x, int n)
{
    quantile_sort(x, n);
    return quantile(x, n, 0.5);
}

variance_estimate times_between(double *x, int n)
{
    if (n < LEAST_PAIRS)
        return (variance_estimate){0, 1};
    const double middle = median_of(x, n);
    for (int i = 0; i < n; i++)
        x[i] = fabs(x[i] - middle);
    const double sigma = 1.4826 * median_of(x, n);      /* of normal ones */
    return (variance_estimate){sigma * sigma, EFFICIENCY * (n - 1)};
}
