/* findings.h - differences that checks of a model have found: one finding for each function, its worst */
#ifndef DAE_FINDINGS_H
#define DAE_FINDINGS_H

#include "daelab/check.h"
#include "daelab/scalar.h"

enum { DAE_MOST_FINDINGS = 64 };

typedef struct {
    int count;
    dae_finding item[DAE_MOST_FINDINGS];
    double part[DAE_MOST_FINDINGS];     /* how wrong each is, for the worst */
} dae_findings;

/* Of two findings of one function that which failed is kept, of two that did the worse; of another function beyond the
 * room none. Has this function failed? */
int dae_findings_blame(const dae_findings *list, const char *function);

/* Differences so far, at time t. */
typedef struct {
    double t, digits;           /* digits: -log10 of the largest one */
    double rounding;            /* differences up to this part of the size of a row are none: those that rounding to
                                   double makes, or more where slopes are rough */
    dae_status status;          /* DAE_BAD_ARGUMENT: something failed; DAE_NO_MEMORY, ...: it was not looked at */
    dae_report *report;         /* of the first failure; may be NULL */
    const char *problem;        /* its name, in sentences */
    dae_findings *list;         /* of all of them; may be NULL */
} dae_comparison;

/* rounding of a check that is not rough, and of one that is */
extern const double dae_double_rounding, dae_rough_rounding;

/* The part of size by which found and expected differ beyond 16 error; 0 where that is rounding in quad, or a
 * difference has no number and shows nothing. dae_show updates digits by it. */
double dae_difference(dae_quad found, dae_quad expected, dae_quad error, dae_quad size);
double dae_show(dae_comparison *c, dae_quad found, dae_quad expected, dae_quad error, dae_quad size);

/* 1 where found is expected, but for error and rounding of size. Updates digits; a failure is blamed. */
int dae_compare(dae_comparison *c, dae_quad found, dae_quad expected, dae_quad error, dae_quad size,
                const char *function, int row, const char *why);

/* Row and column of function are wrong: "t = ...: FUNCTION, row k, column j, WHY: x, and not y; ...".
 * Rows and columns count from 1, and the index in C is said, too. */
void dae_blame(dae_comparison *c, const char *function, int row, int column, double found,
               double expected, double part, const char *why);

/* A finding in these words, that failed, or is worth knowing; of those of one function that of the largest part is
 * kept. */
void dae_tell(dae_comparison *c, int failed, double part, const char *function, int row, double found,
              double expected, const char *format, ...) __attribute__((format(printf, 8, 9)));

#endif
