/* quantile.h - quantiles of a sample */
#ifndef DAELAB_QUANTILE_H
#define DAELAB_QUANTILE_H

/* sample[count] in ascending order, in place. */
void quantile_sort(double *sample, int count);

/* The part-quantile, part in [0, 1], of sample[count], count >= 1, which ascends: linear between the values that
 * have a part of (i - 1)/(count - 1) below them (Hyndman, Fan (1996), definition 7). */
double quantile(const double *sorted, int count, double part);

#endif
