/* median_interval.c - by the sign test: how many of n numbers lie below their median is binomial */
#include "numbers/median_interval.h"

#include "numbers/quantile.h"

#include <math.h>

/* The probability that of n fair coins at most k show heads. */
static double at_most(int n, int k)
{
    double sum = 0;
    for (int i = 0; i <= k; i++)
        sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) - n * log(2));
    return sum;
}

double median_interval(double *x, int n, double level, double *low, double *high, double *covered)
{
    int k = -1;
    *low = *high = *covered = NAN;
    if (n <= 0)
        return NAN;
    quantile_sort(x, n);
    const double middle = quantile(x, n, 0.5);
    while (2 * (k + 2) <= n && 1 - 2 * at_most(n, k + 1) >= level)
        k++;
    if (k >= 0) {
        *low = x[k];
        *high = x[n - 1 - k];
        *covered = 1 - 2 * at_most(n, k);
    }
    return middle;
}
