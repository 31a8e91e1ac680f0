/* chandrupatla.h - the next trial for a zero of a function between two signs, for one scalar
 *
 * Included once, with SCALAR defined: inverse quadratic interpolation by three points, or bisection.
 * T. R. Chandrupatla, A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without
 * using derivatives, Adv. Eng. Software 28 (1997) 145-149.
 */
#include "no_fast_math.h"

typedef struct {
    SCALAR t, g;
} point;

/* The part of the way from x to y at which the inverse quadratic through x, y and the older z vanishes, or
 * half of it where that is not monotone. */
static inline SCALAR part_of(point x, point y, point z)
{
    const SCALAR xi = (x.t - y.t) / (z.t - y.t), phi = (x.g - y.g) / (z.g - y.g);
    if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi))
        return 0.5;
    return x.g / (y.g - x.g) * (z.g / (y.g - z.g))
           + (z.t - x.t) / (y.t - x.t) * (x.g / (z.g - x.g)) * (y.g / (z.g - y.g));
}

/* After a trial between *x, the newest, and *y, of the other sign: those of the narrower interval, and the part of the
 * way from *x to *y for the next trial. */
static inline SCALAR take_trial(point *x, point *y, point trial)
{
    point z = *x;
    if ((trial.g > 0) != (x->g > 0)) {
        z = *y;
        *y = *x;
    }
    *x = trial;
    return part_of(*x, *y, z);
}
