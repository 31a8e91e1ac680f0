/* curve_means.h - how the errors of one curve have changed from one result to another, as a whole
 *
 * A curve is a problem in a formulation by a method with the same settings, over its tolerances or steps. A single
 * error at the end of a run is large or small by chance, as it passes zero; the geometric mean of the ratios new/old
 * over the levels is less so. Where a change costs no accuracy, as many errors become larger as smaller, and as many
 * much larger as much smaller.
 */
#ifndef DAELAB_COMPARE_CURVE_MEANS_H
#define DAELAB_COMPARE_CURVE_MEANS_H

#include "output/table.h"

typedef struct {
    const table *of;
    int row;                    /* one of its runs, in the new result */
    const char *column;         /* "error_position" */
    int levels;                 /* at which both errors are known */
    double logarithms;          /* the sum of log(new/old) over them */
    double worst;               /* largest new/old of an error that matters; 0: none */
    int worst_row;
    int larger, smaller;        /* errors that changed by more than one in a hundred */
    int much_larger, much_smaller;      /* by more than CURVE_MUCH, where the larger of both matters */
} curve_mean;

typedef struct {
    json_t *place;              /* {key of a curve and a column: its place} */
    curve_mean *curve;
    int count, room, failed;
} curve_means;

/* An error within so many rtol of the size of its variables, or so many atol where all have the same, does not
 * matter: it is as good as was asked for. */
enum { CURVE_WITHIN = 10, CURVE_MUCH = 3 };

int curve_means_begin(curve_means *m);
void curve_means_free(curve_means *m);

/* The errors of a column of a run that both results have; what is not finite tells nothing, and what is below some
 * roundings of the variables, or zero, is as these. */
void curve_means_add(curve_means *m, const table *of, int row, const char *column, double before, double after);

double curve_mean_of(const curve_mean *c);

/* One row each, the largest mean first, at most so many; where `changed`, those only whose mean or worst ratio is not
 * 1. NULL where memory is short. */
table *curve_means_table(const curve_means *m, int changed, int most);

#endif
