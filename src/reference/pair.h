/* pair.h - two runs of different order and step that are to agree, and what all runs have in common */
#ifndef DAE_PAIR_H
#define DAE_PAIR_H

#include "base/no_fast_math.h"
#include "daelab/quad_reference.h"
#include "daelab/scalar.h"
#include "daelab/study.h"

typedef struct {
    dae_quad t0;
    const dae_quad *times;      /* [count >= 1] not decreasing, times[0] >= t0 */
    int count;
} dae_quad_grid;

/* DAE_BAD_ARGUMENT where the times do not increase, or are not finite. */
dae_status dae_quad_grid_check(const dae_quad_grid *grid, dae_report *report);

/* DAE_STOPPED, with t, where the watch says so. */
dae_status dae_quad_watch(const dae_reference_watch *watch, dae_quad t, dae_report *report);

/* A run looks at F in every such part of its interval; two runs that do, at points shifted by this part of that. */
#define DAE_NARROW 1e-4
#define DAE_GOLDEN 0.3819660112501051

/* A number that is smaller than this part of the terms that it is the sum of counts as so large: rounding in
 * doubles leaves four digits of it. */
extern const double dae_quad_least_part;

typedef struct {
    const dae_quad_grid *grid;
    int n, trials;              /* n numbers at each time */
    double wanted, hopeful;     /* digits that are enough; trials go on below hopeful where they gain none */
    const char *runs, *because; /* for people */
    /* z[count x n] := the first or the second run of a trial; size[n] grows to the size of the numbers. *pass := 1
     * where the trial shows nothing. */
    dae_status (*run)(void *context, int trial, int second, dae_quad *z, dae_quad *size, int *pass, dae_report *report);
    void *context;
} dae_quad_pair;

/* z := the first run of the trial whose two agree best, digits := -log10 of their largest difference against size[n],
 * at most 33; DAE_NO_CONVERGENCE where fewer than 18 agree. */
dae_status dae_quad_agree(const dae_quad_pair *pair, dae_quad *z, dae_quad *size, double *digits, dae_report *report);

/* *worst := the largest |a_i - b_i| against size_i, that of the number in the run, if it is larger; and what that
 * is in digits, at most 33. */
void dae_quad_compare(dae_quad *worst, int m, const dae_quad *size, const dae_quad *a, const dae_quad *b);
double dae_quad_digits(dae_quad worst);

#endif
