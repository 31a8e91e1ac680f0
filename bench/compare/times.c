#include "compare/times.h"

#include <math.h>
#include <stdlib.h>

/* ---- two samples ---- */

enum { LEAST = 5 };

/* The square of the standard error of the median. */
static double variance(const time_sample *s)
{
    const double sigma = (s->upper - s->lower) / 1.349, error = 1.2533 * sigma / sqrt(s->repeats);
    return error * error;
}

/* Two-sided, of a t with nu degrees of freedom: it becomes normal by Wallace's transformation. */
static double t_p(double t2, double nu)
{
    const double z = sqrt(nu * log1p(t2 / nu)) * (8 * nu + 1) / (8 * nu + 3);
    return erfc(z / sqrt(2));
}

double times_p(const time_sample *a, const time_sample *b)
{
    const double efficiency = 0.37;                     /* of quartiles, for the sigma of normal samples */
    if (!(a->repeats >= LEAST && b->repeats >= LEAST))
        return NAN;
    const double difference = a->median - b->median, sum = variance(a) + variance(b);
    if (isnan(difference) || isnan(sum))
        return NAN;
    return difference == 0 ? 1 : t_p(difference * difference / sum, efficiency * (a->repeats + b->repeats - 2));
}

/* ---- many ratios ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The probability that of n fair coins at most k show heads. */
static double at_most(int n, int k)
{
    double sum = 0;
    for (int i = 0; i <= k; i++)
        sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) - n * log(2));
    return sum;
}

double times_median(double *x, int n, double level, double *low, double *high, double *covered)
{
    int k = -1;
    *low = *high = *covered = NAN;
    if (n <= 0)
        return NAN;
    qsort(x, (size_t)n, sizeof *x, ascending);
    while (2 * (k + 2) <= n && 1 - 2 * at_most(n, k + 1) >= level)
        k++;
    if (k >= 0) {
        *low = x[k];
        *high = x[n - 1 - k];
        *covered = 1 - 2 * at_most(n, k);
    }
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}
