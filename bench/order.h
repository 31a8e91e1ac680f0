/* order.h - observed orders of convergence, with a reference and without one */
#ifndef DAELAB_ORDER_H
#define DAELAB_ORDER_H

#include "run.h"

typedef struct {
    double observed;            /* slope of log error against log step (or rtol); NaN: none */
    double declared;            /* of the method for this class and index; NaN: none */
    int levels;                 /* that stood above the rounding floor */
    int dropped;                /* that did not */
    double error;               /* true error at the finest level that succeeded */
    double estimated_order, estimated_error;    /* Richardson's, without a reference; NaN: none */
    const char *verdict;
} order_result;

/* Orders of class c over count runs with falling step or rtol, in the ratio between neighbours; ratio
 * NaN: the levels are tolerances, for which nothing is declared. */
order_result order_observe(const run_result *runs, int count, dae_class c,
                           const dae_method_info *method, int index, double ratio);

/* Least-squares slope of y against x; NaN for fewer than two points. */
double least_squares_slope(const double *x, const double *y, int count);

#endif
