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

/* More than this part of a row's size is not the rounding of a number to double. */
extern const double dae_not_rounding;

/* Is a - b, up to error, below rounding of size? Counts its digits; says, once, what is wrong where
 * not: "t = ...: WHAT, row k, WHY". */
int dae_compare(dae_comparison *c, dae_quad apart, dae_quad error, dae_quad size, const char *what,
                int row, const char *why);

#endif
