/* kinks.h - functions of dual numbers that have kinks and jumps, and questions about their values
 *
 * For authors of problems, through model.h. In C.
 *
 * Between kinks the derivative is the ordinary one, and the value is always that of the <math.h>
 * function. At a kink, and at a jump, a convention is needed:
 *
 *   fabs at 0         0, the middle of the slopes -1 and 1
 *   fmax, fmin, tie   the mean of x' and y', as max(x, y) = (x + y + |x - y|)/2 has it with
 *                     |.|'(0) = 0; it depends on neither the order nor the sign of a zero
 *   fmax, fmin, NaN   the other argument, value and derivative
 *   fdim, tie         (x' - y')/2, as fmax(x - y, 0) has it
 *   copysign          that of |x| or -|x|, hence 0 at x = 0; nothing by y, whose sign jumps
 *   floor, ceil, trunc, round, rint, nearbyint      0, at a jump, too
 *   fmod, remainder   x' - n y', where n = (x - f)/y is the whole number of the branch that the
 *                     value f lies on; at a jump, too
 *   value NaN         the derivative is NaN as well
 *
 * isnan, isinf, isfinite, isnormal and signbit answer for the value: they are for branches.
 */
#ifndef DAELAB_KINKS_H
#define DAELAB_KINKS_H

#include <math.h>

#include "dual.h"

static inline dae_dual dae_dual_fabs(dae_dual x)
{
    const double a = dae_dual_value(x), da = dae_dual_seed(x);
    return dae_dual_pack(fabs(a), a > 0.0 ? da : a < 0.0 ? -da : 0.0);
}

/* x' where x is chosen, y' where y is, the mean where x = y. */
static inline double dae_dual_choice(int x_chosen, int tie, dae_dual x, dae_dual y)
{
    const double da = dae_dual_seed(x), db = dae_dual_seed(y);
    return tie ? 0.5 * da + 0.5 * db : x_chosen ? da : db;
}

static inline dae_dual dae_dual_fmax(dae_dual x, dae_dual y)
{
    const double a = dae_dual_value(x), b = dae_dual_value(y);
    return dae_dual_pack(fmax(a, b), dae_dual_choice(a > b || b != b, a == b, x, y));
}

static inline dae_dual dae_dual_fmin(dae_dual x, dae_dual y)
{
    const double a = dae_dual_value(x), b = dae_dual_value(y);
    return dae_dual_pack(fmin(a, b), dae_dual_choice(a < b || b != b, a == b, x, y));
}

static inline dae_dual dae_dual_fdim(dae_dual x, dae_dual y)
{
    const double a = dae_dual_value(x), b = dae_dual_value(y), weight = a > b ? 1.0 : a < b ? 0.0 : 0.5;
    const double df = dae_dual_term(weight, dae_dual_seed(x)) - dae_dual_term(weight, dae_dual_seed(y));
    return dae_dual_pack(fdim(a, b), df);
}

static inline dae_dual dae_dual_copysign(dae_dual x, dae_dual y)
{
    const double a = dae_dual_value(x), f = copysign(a, dae_dual_value(y)), da = dae_dual_seed(x);
    return dae_dual_pack(f, a == 0.0 ? 0.0 : signbit(a) == signbit(f) ? da : -da);
}

static inline dae_dual dae_dual_floor(dae_dual x)
{
    return dae_dual_pack(floor(dae_dual_value(x)), 0.0);
}

static inline dae_dual dae_dual_ceil(dae_dual x)
{
    return dae_dual_pack(ceil(dae_dual_value(x)), 0.0);
}

static inline dae_dual dae_dual_trunc(dae_dual x)
{
    return dae_dual_pack(trunc(dae_dual_value(x)), 0.0);
}

static inline dae_dual dae_dual_round(dae_dual x)
{
    return dae_dual_pack(round(dae_dual_value(x)), 0.0);
}

static inline dae_dual dae_dual_rint(dae_dual x)
{
    return dae_dual_pack(rint(dae_dual_value(x)), 0.0);
}

static inline dae_dual dae_dual_nearbyint(dae_dual x)
{
    return dae_dual_pack(nearbyint(dae_dual_value(x)), 0.0);
}

/* f + (x' - n y') eps, n = (x - f)/y: a whole number but for rounding, which takes it to the nearest.
   The difference of quotients does not overflow where x - f would. */
static inline dae_dual dae_dual_modulo(dae_dual x, dae_dual y, double f)
{
    const double a = dae_dual_value(x), b = dae_dual_value(y);
    return dae_dual_pack(f, dae_dual_seed(x) - dae_dual_term(round(a / b - f / b), dae_dual_seed(y)));
}

static inline dae_dual dae_dual_fmod(dae_dual x, dae_dual y)
{
    return dae_dual_modulo(x, y, fmod(dae_dual_value(x), dae_dual_value(y)));
}

static inline dae_dual dae_dual_remainder(dae_dual x, dae_dual y)
{
    return dae_dual_modulo(x, y, remainder(dae_dual_value(x), dae_dual_value(y)));
}

/* The question `name` of <math.h> to each scalar. */
#define DAE_QUESTION(name)                                                                      \
    static inline int dae_double_##name(double x) { return __builtin_##name(x) != 0; }          \
    static inline int dae_dual_##name(dae_dual x) { return dae_double_##name(dae_dual_value(x)); } \
    static inline int dae_quad_##name(dae_quad x) { return __builtin_##name(x) != 0; }
DAE_QUESTION(isnan)
DAE_QUESTION(isinf)
DAE_QUESTION(isfinite)
DAE_QUESTION(isnormal)
DAE_QUESTION(signbit)
#undef DAE_QUESTION

#endif
