/* comparison.h - what the checks of mechanical and of first-order models share */
#ifndef DAE_COMPARISON_H
#define DAE_COMPARISON_H

#include "model_check.h"

/* The largest difference so far. */
typedef struct {
    double t, digits;
    int failed;
    dae_report *report;
    const char *problem;
} dae_comparison;

/* Differences above this part of the size of a row are not caused by rounding to double. */
extern const double dae_not_rounding;

/* 1 where |apart| is at most error plus rounding of size. Updates digits; the first failure is reported as
 * "t = ...: WHAT, row k, WHY". */
int dae_compare(dae_comparison *c, dae_quad apart, dae_quad error, dae_quad size, const char *what,
                int row, const char *why);

#endif
