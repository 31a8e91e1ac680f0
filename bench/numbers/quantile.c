/* quantile.c - linear between order statistics */
#include "numbers/quantile.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void quantile_sort(double *sample, int count)
{
    qsort(sample, (size_t)count, sizeof *sample, ascending);
}

double quantile(const double *sorted, int count, double part)
{
    const double place = part * (count - 1);
    const int below = (int)floor(place), above = (int)ceil(place);
    return below == above ? sorted[below] : sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}
