/* median_interval.h - the median of a sample, and how sure it is */
#ifndef DAELAB_MEDIAN_INTERVAL_H
#define DAELAB_MEDIAN_INTERVAL_H

/* Median of x[count], which are sorted here, and the narrowest interval of two of them, symmetric in rank, that holds
 * the median of what they were drawn from with a probability of at least level (sign test); NaN where there are too
 * few. Answers the median, NaN for count 0; *covered is the probability. */
double median_interval(double *x, int count, double level, double *low, double *high, double *covered);

#endif
