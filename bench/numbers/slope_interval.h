/* slope_interval.h - the slope of points about a line, and how far their scatter lets it be trusted */
#ifndef DAELAB_SLOPE_INTERVAL_H
#define DAELAB_SLOPE_INTERVAL_H

typedef struct {
    double slope;               /* least squares of y against x; NaN below two points */
    double low, high;           /* its confidence interval of 95 % (Student); NaN below three */
} slope_interval;

slope_interval slope_interval_of(const double *x, const double *y, int count);

/* The 97.5 % quantile of Student's distribution with so many degrees of freedom, from 1 on, to 0.1 %. */
double student_quantile(int degrees);

#endif
