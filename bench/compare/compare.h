/* compare.h - what changed from one result of a study to another
 *
 * Rows are the same run where all their settings are; what was measured of them is compared to the bit. A number that
 * is better small (an error, a drift, a count of work) has become worse where it has grown by more than a tolerance,
 * and, of errors, by more than rounding. Times are samples: compare/times.h.
 */
#ifndef DAELAB_COMPARE_H
#define DAELAB_COMPARE_H

#include "compare/curve_means.h"
#include "compare/times.h"
#include "output/dataset.h"

typedef enum { CHANGE_SAME, CHANGE_BETTER, CHANGE_OTHER, CHANGE_WORSE, CHANGES } change_kind;

/* "same", "better", "changed", "worse" */
extern const char *const change_names[CHANGES];

/* What of a row is compared: an outcome (status, verdict), accuracy, work that was counted, a time, any value. */
typedef enum { OF_OUTCOME, OF_ACCURACY, OF_ORDER, OF_COUNT, OF_TIME, OF_VALUE, QUANTITIES } quantity_kind;

/* "outcomes", "accuracy", "orders", "counts", "times", "values" */
extern const char *const quantity_names[QUANTITIES];

typedef struct {
    const table *of;            /* the new one, or of a row that is no longer there the old one */
    const char *table;
    int row;                    /* in it */
    const char *column;         /* NULL: the row itself, which only one of the results has */
    quantity_kind quantity;
    change_kind kind;
    double before, after;       /* NaN: texts, or missing */
    const char *was, *is;       /* texts; NULL: numbers, or missing */
    variance_estimate noise;    /* of the logarithm of a ratio of times, by its repeats */
    double p;                   /* of a time: how likely noise alone makes it differ so; NaN */
} change;

typedef struct {
    double tolerance;           /* relative, of accuracy and counts */
    double time_tolerance;      /* relative, of times */
    int times;                  /* are they compared? */
} compare_options;

typedef struct {
    int count, room;
    change *change;             /* what is not the same, and each time that was compared */
    int rows;                   /* that both have */
    int compared[QUANTITIES];   /* values */
    int found[QUANTITIES][CHANGES];
    int gone, added;            /* rows that only the old one, only the new one has */
    double faster;              /* median over all times of new/old; NaN: none */
    double between;             /* standard deviation of these, beyond what they have in common; 0: too few */
    double low, high;           /* its interval, by the sign test; NaN: too few */
    double level;               /* of that interval */
    curve_means means;          /* of errors over the levels of a curve */
    const compare_options *options;
    int failed;                 /* memory */
} comparison;

/* Of two results, which have to stay. To be freed in any case; 0 where memory is short. */
int compare_datasets(comparison *c, const dataset *before, const dataset *after, const compare_options *options);
void compare_free(comparison *c);

/* Are the times as a whole longer, by more than the tolerance for certain? */
int compare_slower(const comparison *c);

/* Did anything change for the worse: a number, an outcome, a run that is no longer there? */
int compare_worse(const comparison *c);

#endif
