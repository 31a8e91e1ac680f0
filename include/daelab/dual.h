/* dual.h - the smooth elementary functions of dual numbers, by the chain rule.
 *
 * For authors of problems, through model.h. In C.
 *
 *     f(x + x' eps)           = f(x)    + f_x x' eps
 *     f(x + x' eps, y + y' eps) = f(x, y) + (f_x x' + f_y y') eps
 *
 * The value is always that of the <math.h> function, bit for bit.  The derivative is linear in
 * x' and y', so the scale h of scalar.h drops out and the imaginary parts are used as they are.
 * Those with kinks and jumps are in kinks.h.
 *
 * Conventions
 *   value NaN         the derivative is NaN as well: sqrt(-1), log(-1), asin(2), pow(-2, 0.5)
 *   x' = 0            contributes 0, even where f_x is infinite: sqrt(0 + 0 eps) = 0 + 0 eps
 *   edge of a domain  the one-sided slope: sqrt(0 + eps), log(0 + eps), asin(1 + eps) have
 *                     derivative +inf, for either sign of the zero; so have log1p(-1 + eps),
 *                     acosh(1 + eps), atanh(1 + eps)
 *   hypot at (0, 0)   0, so that hypot(x, 0) is fabs(x)
 *   pow, y' = 0       y x^(y-1) x' for any x; 0 where y = 0
 *   pow, y' != 0      x < 0: derivative NaN, as no neighbouring power is real; the value stands.
 *                     x = 0, y > 0: 0 for the y-part, the limit of x^y log x
 *   atan2 at (0, 0)   NaN, as the angle jumps there; 0 if x' = y' = 0
 *   atan2, hypot      of an infinite argument: derivative 0 or NaN, nothing to rely on
 */
#ifndef DAELAB_DUAL_H
#define DAELAB_DUAL_H

#include <float.h>
#include <math.h>

#include "scalar.h"

/* x', times h. */
static inline double dae_dual_seed(dae_dual x)
{
    return __builtin_cimag(x);
}

#define DAE_LOG_2 0.693147180559945309417232121458176568
#define DAE_LOG_10 2.30258509299404568401799145468436421
#define DAE_2_OVER_SQRT_PI 1.12837916709551257389615890312154517

/* slope * seed, where a zero seed beats an infinite slope. */
static inline double dae_dual_term(double slope, double seed)
{
    return seed == 0.0 ? 0.0 : slope * seed;
}

/* The dual number f + df eps, df NaN if f is. */
static inline dae_dual dae_dual_pack(double f, double df)
{
    return __builtin_complex(f, f != f ? f : df);
}

/* f + (slope * seed) eps. */
static inline dae_dual dae_dual_times(double f, double slope, double seed)
{
    return dae_dual_pack(f, dae_dual_term(slope, seed));
}

/* f + (seed / steepness) eps, where a zero seed beats a zero steepness. */
static inline dae_dual dae_dual_over(double f, double seed, double steepness)
{
    return dae_dual_pack(f, seed == 0.0 ? 0.0 : seed / steepness);
}

/* Most passes of a Jacobian seed something else: the slope is computed where it is needed. */
static inline dae_dual dae_dual_sin(dae_dual x)
{
    const double a = dae_dual_value(x), seed = dae_dual_seed(x);
    return dae_dual_pack(sin(a), seed == 0.0 ? 0.0 : cos(a) * seed);
}

static inline dae_dual dae_dual_cos(dae_dual x)
{
    const double a = dae_dual_value(x), seed = dae_dual_seed(x);
    return dae_dual_pack(cos(a), seed == 0.0 ? 0.0 : -sin(a) * seed);
}

/* tan' = 1 + tan^2 */
static inline dae_dual dae_dual_tan(dae_dual x)
{
    const double t = tan(dae_dual_value(x));
    return dae_dual_times(t, 1.0 + t * t, dae_dual_seed(x));
}

/* sqrt(1 - x^2); the factors keep all digits near x = 1 and x = -1. */
static inline double dae_dual_cosine_of_asin(double a)
{
    return sqrt((1.0 - a) * (1.0 + a));
}

static inline dae_dual dae_dual_asin(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_over(asin(a), dae_dual_seed(x), dae_dual_cosine_of_asin(a));
}

static inline dae_dual dae_dual_acos(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_over(acos(a), -dae_dual_seed(x), dae_dual_cosine_of_asin(a));
}

static inline dae_dual dae_dual_atan(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_over(atan(a), dae_dual_seed(x), 1.0 + a * a);
}

/* A power of two s for which (s a)^2 + (s b)^2 neither overflows nor underflows. */
static inline double dae_dual_square_scale(double a, double b)
{
    const double m = fmax(fabs(a), fabs(b));
    return m > 0x1p400 ? 0x1p-600 : m < 0x1p-400 ? 0x1p600 : 1.0;
}

/* (x y' - y x') / (x^2 + y^2) */
static inline dae_dual dae_dual_atan2(dae_dual y, dae_dual x)
{
    const double b = dae_dual_value(y), a = dae_dual_value(x);
    const double db = dae_dual_seed(y), da = dae_dual_seed(x);
    const double s = dae_dual_square_scale(a, b), sa = s * a, sb = s * b;
    const double turn = dae_dual_term(sa, db) - dae_dual_term(sb, da);
    const double df = s * (turn / (sa * sa + sb * sb));
    return dae_dual_pack(atan2(b, a), da == 0.0 && db == 0.0 ? 0.0 : df);
}

static inline dae_dual dae_dual_sinh(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_times(sinh(a), cosh(a), dae_dual_seed(x));
}

static inline dae_dual dae_dual_cosh(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_times(cosh(a), sinh(a), dae_dual_seed(x));
}

/* tanh' = 1/cosh^2 = 4 e / (1 + e)^2, e = exp(-2|x|): no cancellation and no overflow. */
static inline dae_dual dae_dual_tanh(dae_dual x)
{
    const double a = dae_dual_value(x), e = exp(-2.0 * fabs(a));
    return dae_dual_times(tanh(a), 4.0 * e / (1.0 + e * (2.0 + e)), dae_dual_seed(x));
}

static inline dae_dual dae_dual_asinh(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_over(asinh(a), dae_dual_seed(x), hypot(1.0, a));
}

/* sqrt(x^2 - 1) in two factors: no cancellation near 1, no overflow. */
static inline dae_dual dae_dual_acosh(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_over(acosh(a), dae_dual_seed(x), sqrt(a - 1.0) * sqrt(a + 1.0));
}

static inline dae_dual dae_dual_atanh(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_over(atanh(a), dae_dual_seed(x), (1.0 - a) * (1.0 + a));
}

static inline dae_dual dae_dual_exp(dae_dual x)
{
    const double f = exp(dae_dual_value(x));
    return dae_dual_times(f, f, dae_dual_seed(x));
}

/* exp2' = 2^x log 2 */
static inline dae_dual dae_dual_exp2(dae_dual x)
{
    const double f = exp2(dae_dual_value(x));
    return dae_dual_times(f, f * DAE_LOG_2, dae_dual_seed(x));
}

static inline dae_dual dae_dual_expm1(dae_dual x)
{
    const double a = dae_dual_value(x), seed = dae_dual_seed(x);
    return dae_dual_pack(expm1(a), seed == 0.0 ? 0.0 : exp(a) * seed);
}

static inline dae_dual dae_dual_log(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_over(log(a), dae_dual_seed(x), fabs(a));
}

static inline dae_dual dae_dual_log2(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_over(log2(a), dae_dual_seed(x), fabs(a) * DAE_LOG_2);
}

static inline dae_dual dae_dual_log10(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_over(log10(a), dae_dual_seed(x), fabs(a) * DAE_LOG_10);
}

/* 1 + x is exact where it cancels. */
static inline dae_dual dae_dual_log1p(dae_dual x)
{
    const double a = dae_dual_value(x);
    return dae_dual_over(log1p(a), dae_dual_seed(x), 1.0 + a);
}

static inline dae_dual dae_dual_sqrt(dae_dual x)
{
    const double f = sqrt(dae_dual_value(x));
    return dae_dual_over(f, dae_dual_seed(x), 2.0 * fabs(f));
}

/* 3 x^(2/3) from c = x^(1/3) (1 + d): x/c = x^(2/3) / (1 + d), d = (c - x/c^2) / (3 c).
   The C library's c may be off by 4 ulp; d takes this out again.  0 at 0, inf at inf. */
static inline double dae_dual_cbrt_steepness(double x, double c)
{
    const double square = c * c, steepness = 3.0 * (x / c);
    if (x == 0.0 || square > DBL_MAX) {
        return square;
    }
    return steepness + steepness * ((c - x / square) / (3.0 * c));
}

static inline dae_dual dae_dual_cbrt(dae_dual x)
{
    const double a = dae_dual_value(x), c = cbrt(a);
    return dae_dual_over(c, dae_dual_seed(x), dae_dual_cbrt_steepness(a, c));
}

/* y x^(y-1), given p = x^y.  y p/x costs one power less and avoids the rounding of y - 1;
   where p has left the normal range, y - 1 is exact or x^(y-1) has left it too. */
static inline double dae_dual_pow_slope(double x, double y, double p)
{
    if (y == 0.0) {
        return 0.0;
    }
    return y * (isnormal(p) && x != 0.0 ? p / x : pow(x, y - 1.0));
}

/* x^y log x, with its limit 0 where x^y vanishes. */
static inline double dae_dual_pow_rate(double x, double p)
{
    return p == 0.0 && x >= 0.0 ? 0.0 : p * log(x);
}

static inline dae_dual dae_dual_pow(dae_dual x, dae_dual y)
{
    const double a = dae_dual_value(x), b = dae_dual_value(y), p = pow(a, b);
    const double da = dae_dual_seed(x), db = dae_dual_seed(y);
    const double by_base = da == 0.0 ? 0.0 : dae_dual_pow_slope(a, b, p) * da;
    const double by_exponent = db == 0.0 ? 0.0 : dae_dual_pow_rate(a, p) * db;
    return dae_dual_pack(p, by_base + by_exponent);
}

/* (x/r) x' + (y/r) y', r = hypot(x, y); the ratios of x/4 and y/4 where r overflows. */
static inline dae_dual dae_dual_hypot(dae_dual x, dae_dual y)
{
    const double a = dae_dual_value(x), b = dae_dual_value(y), f = hypot(a, b);
    const double s = f > DBL_MAX ? 0.25 : 1.0, r = f > DBL_MAX ? hypot(s * a, s * b) : f;
    const double df = dae_dual_term(s * a / r, dae_dual_seed(x))
                    + dae_dual_term(s * b / r, dae_dual_seed(y));
    return dae_dual_pack(f, f == 0.0 ? 0.0 : df);
}

/* exp(-x^2) with the rounding of x^2 taken out again, which is x^2 ulp of the result. */
static inline double dae_dual_bell(double x)
{
    const double square = x * x, e = exp(-square);
    return e > 0.0 ? e - e * fma(x, x, -square) : e;
}

/* erf' = 2/sqrt(pi) exp(-x^2) */
static inline dae_dual dae_dual_erf(dae_dual x)
{
    const double a = dae_dual_value(x), seed = dae_dual_seed(x);
    return dae_dual_pack(erf(a), seed == 0.0 ? 0.0 : DAE_2_OVER_SQRT_PI * dae_dual_bell(a) * seed);
}

static inline dae_dual dae_dual_erfc(dae_dual x)
{
    const double a = dae_dual_value(x), seed = dae_dual_seed(x);
    return dae_dual_pack(erfc(a), seed == 0.0 ? 0.0 : -DAE_2_OVER_SQRT_PI * dae_dual_bell(a) * seed);
}

/* x' y + x y' + z' */
static inline dae_dual dae_dual_fma(dae_dual x, dae_dual y, dae_dual z)
{
    const double a = dae_dual_value(x), b = dae_dual_value(y);
    const double by_factors = dae_dual_term(b, dae_dual_seed(x)) + dae_dual_term(a, dae_dual_seed(y));
    return dae_dual_pack(fma(a, b, dae_dual_value(z)), by_factors + dae_dual_seed(z));
}

/* x 2^exponent */
static inline dae_dual dae_dual_ldexp(dae_dual x, int exponent)
{
    return dae_dual_pack(ldexp(dae_dual_value(x), exponent), ldexp(dae_dual_seed(x), exponent));
}

#endif
