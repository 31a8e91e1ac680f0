/* times.h - do two samples of times differ by more than their noise?
 *
 * Known of each are the median, the quartiles and the number n of repeats. The standard error of a median is
 * 1.2533 sigma/sqrt(n), and sigma is (upper - lower)/1.349, for normal samples (McGill, Tukey and Larsen (1978), The
 * American Statistician 32). The difference of the medians over both errors is Student's t, as sigma is itself an
 * estimate, with 0.37 (n + n' - 2) degrees of freedom: quartiles know as much of it as 37 % of the samples.
 * Repeats of one process know nothing of what differs from process to process; of that the spread of the ratios of many
 * pairs does, whose variance is added (degrees of freedom by Satterthwaite).
 */
#ifndef DAELAB_COMPARE_TIMES_H
#define DAELAB_COMPARE_TIMES_H

typedef struct { double median, lower, upper, repeats; } time_sample;

/* A variance that is an estimate. */
typedef struct { double value, freedom; } variance_estimate;

/* Of the difference of the logarithms of both medians; NaN where a sample has less than five repeats. */
variance_estimate times_variance(const time_sample *a, const time_sample *b);

/* What x[count], logarithms of ratios, which are sorted here, vary beyond what most of them have in common: from the
 * median of their distances to the median. 0 below ten. */
variance_estimate times_between(double *x, int count);

/* The probability of so large a difference by noise of these two variances alone, two-sided. */
double times_p(double difference, variance_estimate within, variance_estimate between);

#endif
