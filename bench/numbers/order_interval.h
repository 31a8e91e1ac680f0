/* order_interval.h - the order with which an error falls with the step, as an interval */
#ifndef DAELAB_ORDER_INTERVAL_H
#define DAELAB_ORDER_INTERVAL_H

/* One run: its step, its error, and how much of that rounding may be. */
typedef struct { double step, error, noise; } order_level;

typedef enum {
    ORDER_FOUND,
    ORDER_ROUNDING,             /* rounding begins before the slopes settle */
    ORDER_MOVING,               /* the slopes have not settled on the finest step */
    ORDER_FEW                   /* too few levels to tell */
} order_finding;

enum { ORDER_SLOPES = 3 };

typedef struct {
    order_finding finding;
    double low, high, best;     /* where it was found; else NaN */
    int levels;                 /* that stand above rounding: the first ones */
    double last, before;        /* slopes of the last steps that span SPAN, of those before */
    double sigma;               /* of their difference, by noise; NaN: there are none */
    double slope[ORDER_SLOPES]; /* the last pairwise slopes of these, finest last; NaN: none */
} order_interval;

/* Levels with falling steps; width: how much the estimates of one choice of levels may differ. */
order_interval order_interval_of(const order_level *level, int count, double width);

/* Least-squares slope of y against x; NaN for fewer than two points. */
double least_squares_slope(const double *x, const double *y, int count);

#endif
