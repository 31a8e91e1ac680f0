/* comparison.h - what the checks of mechanical and of first-order models share */
#ifndef DAE_COMPARISON_H
#define DAE_COMPARISON_H

#include "findings.h"
#include "model_check.h"

/* Differences so far, at time t. */
typedef struct {
    double t, digits;           /* digits: -log10 of the largest one */
    int failed;
    dae_report *report;         /* of the first failure; may be NULL */
    const char *problem;        /* its name, in sentences */
    dae_findings *list;         /* of all of them; may be NULL */
} dae_comparison;

/* Differences above this part of the size of a row are not caused by rounding to double. */
extern const double dae_not_rounding;

/* The part of size by which found and expected differ beyond 16 error; 0 where that is rounding in quad, or a
 * difference has no number and shows nothing. */
double dae_difference(dae_quad found, dae_quad expected, dae_quad error, dae_quad size);

/* 1 where found is expected, but for error and rounding of size. Updates digits; a failure is blamed. */
int dae_compare(dae_comparison *c, dae_quad found, dae_quad expected, dae_quad error, dae_quad size,
                const char *function, int row, const char *why);

/* Row and column of function are wrong: "t = ...: FUNCTION, row k, column j, WHY: x, and not y; ...".
 * Rows and columns count from 1, and the index in C is said, too. */
void dae_blame(dae_comparison *c, const char *function, int row, int column, double found,
               double expected, double part, const char *why);

/* Worth knowing, nothing wrong; of those of one function the largest found is kept. */
void dae_remark(dae_comparison *c, const char *function, int row, double found, double expected,
                const char *sentence);

#endif
