/* level_rounding.h - are the rows that the solution of a level leaves no more than rounding? */
#ifndef DAE_LEVEL_ROUNDING_H
#define DAE_LEVEL_ROUNDING_H

#include "system/system.h"

/* Equations that are affine in x[n], of which evaluate leaves the residuals r[nl]. */
typedef struct {
    int n;
    void (*evaluate)(void *context, const double *x, double *r);
    void *context;
} dae_level;

/* Row k is 0 by cancellation in M^-1, or of terms inside of the model's functions, which the terms of the row do
 * not show. So r[nl], what is left at the solution x, is measured by its energy r^T S^-1 r, in the units of all
 * rows. It is rounding if that is
 *
 *     at most DAE_START_ROUNDING^2 energy, that of the velocities or of the reactions, or
 *     at most that of the rounding which is seen: r(x + d) - 2 r(x) + r(x - d), 0 but for rounding, for a few
 *     random d small beside x. Then at least half of their digits have to be left.
 *
 * r is r(x); evaluate may overwrite it. S is that of the last dae_system_factor_schur. *seen := the largest rounding
 * of a row, 0 where none was looked for.
 * DAE_OK; DAE_INCONSISTENT; DAE_NO_MEMORY. */
dae_status dae_level_is_solved(dae_system *sys, const dae_level *level, const double *x, const double *r, double energy,
                               double *seen);

/* Residual over the terms of an equation that holds. */
#define DAE_START_ROUNDING 1e-13

#endif
