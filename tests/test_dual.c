/* test_dual.c - dual numbers against binary128 (test_dual_edges.c: at edges, jumps and kinks)
 *
 * Each row of the table holds a function f(x, y) to its quad reference at random points: the
 * value f and the derivative f_x x' + f_y y', both in ulp (units in the last place of the
 * double nearest the reference).  A derivative of two terms may cancel, whatever the formula;
 * its ulp is that of |f_x x'| + |f_y y'|.  Seeds x', y' are random, +-[1, 2) 2^[-20, 20].
 */
#include "testing.h"

#include "daelab/functions.h"

enum { POINTS = 4000 };

/* ---- sampling ------------------------------------------------------------------------- */

typedef enum { NONE, LIN, LOG, POS, NEAR1, WHOLE } spacing;

/* LIN: uniform in [lo, hi); POS: log-uniform; LOG: the same with either sign;
   NEAR1: +-(1 - LOG); WHOLE: integers in [lo, hi).  `fixed`: the seed is 0. */
typedef struct {
    spacing kind;
    double lo, hi;
    int fixed;
} domain;

static uint64_t random_state;

static double uniform(double lo, double hi)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return lo + (hi - lo) * (double)(random_state >> 11) * 0x1p-53;
}
#define random_sign() copysign(1.0, uniform(-1.0, 1.0))

static double sample(const domain *d)
{
    const double u = uniform(0.0, 1.0), linear = d->lo + u * (d->hi - d->lo);
    if (d->kind == NONE || d->kind == LIN || d->kind == WHOLE) {
        return d->kind == WHOLE ? floor(linear) : linear;
    }
    const double positive = exp((1.0 - u) * log(d->lo) + u * log(d->hi));
    return d->kind == POS ? positive : random_sign() * (d->kind == LOG ? positive : 1.0 - positive);
}

static double random_seed(const domain *d)
{
    const double sign = random_sign(), size = uniform(1.0, 2.0), power = uniform(-20.0, 20.0);
    return d->kind == NONE || d->fixed ? 0.0 : sign * ldexp(size, (int)power);
}

/* |got - reference| in ulp of the double nearest scale, whose exponent is at least `least`. */
static double ulps(double got, dae_quad reference, dae_quad scale, int least)
{
    int e;
    (void)dae_quad_frexp(fmax(fabs(scale), dae_quad_ldexp(DAE_QUAD_C(0.5), least)), &e);
    return value(fabs((dae_quad)got - reference) / dae_quad_ldexp(1, e - DBL_MANT_DIG));
}

/* ---- the functions and their references {f, f_x, f_y} ---------------------------------- */

#define BINARY(name, d, f, fx, fy)                                                              \
    static dae_dual dual_##name(dae_dual x, dae_dual y) { return (void)y, d; }                  \
    static void quad_##name(dae_quad x, dae_quad y, dae_quad r[3])                              \
    {                                                                                           \
        (void)y, r[0] = f, r[1] = fx, r[2] = fy;                                                \
    }
#define UNARY(name, fx) BINARY(name, dae_dual_##name(x), name(x), fx, 0)

UNARY(sin, cos(x))
UNARY(cos, -sin(x))
UNARY(tan, 1 + tan(x) * tan(x))
UNARY(asin, 1 / sqrt((1 - x) * (1 + x)))
UNARY(acos, -1 / sqrt((1 - x) * (1 + x)))
UNARY(atan, 1 / (1 + x * x))
UNARY(sinh, cosh(x))
UNARY(cosh, sinh(x))
UNARY(tanh, 1 / (cosh(x) * cosh(x)))
UNARY(exp, exp(x))
UNARY(log, 1 / x)
UNARY(asinh, 1 / sqrt(x * x + 1))
UNARY(acosh, 1 / sqrt((x - 1) * (x + 1)))
UNARY(atanh, 1 / ((1 - x) * (1 + x)))
UNARY(exp2, exp(x * log((dae_quad)2)) * log((dae_quad)2))
UNARY(expm1, exp(x))
UNARY(log2, 1 / (x * log((dae_quad)2)))
UNARY(log10, 1 / (x * log((dae_quad)10)))
UNARY(log1p, 1 / (1 + x))
UNARY(erf, 2 / sqrt(DAE_PI_QUAD) * exp(-x * x))
UNARY(erfc, -2 / sqrt(DAE_PI_QUAD) * exp(-x * x))
UNARY(sqrt, 1 / (2 * sqrt(x)))
UNARY(cbrt, 1 / (3 * cbrt(x) * cbrt(x)))
UNARY(fabs, x > 0 ? 1 : -1)
UNARY(floor, 0)
UNARY(ceil, 0)
UNARY(trunc, 0)
UNARY(round, 0)
UNARY(rint, 0)
UNARY(nearbyint, 0)
BINARY(atan2, dae_dual_atan2(x, y), atan2(x, y), y / (x * x + y * y), -x / (x * x + y * y))
BINARY(hypot, dae_dual_hypot(x, y), hypot(x, y), x / hypot(x, y), y / hypot(x, y))
BINARY(fmax, dae_dual_fmax(x, y), x > y ? x : y, x > y, x < y)
BINARY(fmin, dae_dual_fmin(x, y), x < y ? x : y, x < y, x > y)
BINARY(fdim, dae_dual_fdim(x, y), x > y ? x - y : 0, x > y, -(x > y))
BINARY(copysign, dae_dual_copysign(x, y), y > 0 ? fabs(x) : -fabs(x), (x > 0) == (y > 0) ? 1 : -1, 0)
BINARY(fmod, dae_dual_fmod(x, y), x - y * trunc(x / y), 1, -trunc(x / y))
BINARY(remainder, dae_dual_remainder(x, y), x - y * rint(x / y), 1, -rint(x / y))
BINARY(pow, dae_dual_pow(x, y), pow(x, y), y * pow(x, y - 1), x > 0 ? pow(x, y) * log(x) : 0)
BINARY(add, x + y, x + y, 1, 1)
BINARY(sub, x - y, x - y, 1, -1)
BINARY(mul, x * y, x * y, y, x)
BINARY(div, x / y, x / y, 1 / y, -x / (y * y))

typedef struct {
    const char *name;
    dae_dual (*f)(dae_dual x, dae_dual y);
    void (*reference)(dae_quad x, dae_quad y, dae_quad r[3]);
    domain x, y;
    double value_ulps, derivative_ulps; /* bounds */
} row;

#define ROW(name) #name, dual_##name, quad_##name

static row table[] = {
    {ROW(sin), {LIN, -50, 50, 0}, {NONE, 0, 0, 0}, 1, 1.5},
    {ROW(sin), {LOG, 1e-300, 1e6, 0}, {NONE, 0, 0, 0}, 1, 1.5},
    {ROW(cos), {LIN, -50, 50, 0}, {NONE, 0, 0, 0}, 1, 1.5},
    {ROW(cos), {LOG, 1e-200, 1e6, 0}, {NONE, 0, 0, 0}, 1, 1.5},
    {ROW(tan), {LIN, -10, 10, 0}, {NONE, 0, 0, 0}, 1, 3.5},
    {ROW(tan), {LOG, 1e-300, 1e6, 0}, {NONE, 0, 0, 0}, 1, 3.5},
    {ROW(asin), {LIN, -1, 1, 0}, {NONE, 0, 0, 0}, 1, 2.5},
    {ROW(asin), {NEAR1, 1e-15, 1e-1, 0}, {NONE, 0, 0, 0}, 1, 2.5},
    {ROW(acos), {LIN, -1, 1, 0}, {NONE, 0, 0, 0}, 1, 2.5},
    {ROW(acos), {NEAR1, 1e-15, 1e-1, 0}, {NONE, 0, 0, 0}, 1, 2.5},
    {ROW(atan), {LOG, 1e-100, 1e100, 0}, {NONE, 0, 0, 0}, 1, 2.5},
    {ROW(atan), {LIN, -5, 5, 0}, {NONE, 0, 0, 0}, 1, 2.5},
    {ROW(sinh), {LIN, -20, 20, 0}, {NONE, 0, 0, 0}, 2, 2.5},
    {ROW(sinh), {LOG, 1e-100, 300, 0}, {NONE, 0, 0, 0}, 2, 2.5},
    {ROW(cosh), {LIN, -20, 20, 0}, {NONE, 0, 0, 0}, 2, 2.5},
    {ROW(cosh), {LOG, 1e-100, 300, 0}, {NONE, 0, 0, 0}, 2, 2.5},
    {ROW(tanh), {LIN, -5, 5, 0}, {NONE, 0, 0, 0}, 2.5, 3},
    {ROW(tanh), {LOG, 1e-100, 270, 0}, {NONE, 0, 0, 0}, 2.5, 3},
    {ROW(exp), {LIN, -500, 600, 0}, {NONE, 0, 0, 0}, 1, 1.5},
    {ROW(asinh), {LOG, 1e-100, 1e300, 0}, {NONE, 0, 0, 0}, 2, 2.5},
    {ROW(asinh), {LIN, -5, 5, 0}, {NONE, 0, 0, 0}, 2, 2.5},
    {ROW(acosh), {POS, 1, 1e300, 0}, {NONE, 0, 0, 0}, 2.5, 3},
    {ROW(acosh), {LIN, 1, 1.001, 0}, {NONE, 0, 0, 0}, 2.5, 3},
    {ROW(atanh), {LIN, -1, 1, 0}, {NONE, 0, 0, 0}, 2, 2.5},
    {ROW(atanh), {NEAR1, 1e-15, 1e-1, 0}, {NONE, 0, 0, 0}, 2, 2.5},
    {ROW(atanh), {LOG, 1e-100, 1, 0}, {NONE, 0, 0, 0}, 2, 2.5},
    {ROW(exp2), {LIN, -800, 900, 0}, {NONE, 0, 0, 0}, 1, 2.5},
    {ROW(expm1), {LIN, -500, 600, 0}, {NONE, 0, 0, 0}, 1, 1.5},
    {ROW(expm1), {LOG, 1e-100, 1, 0}, {NONE, 0, 0, 0}, 1, 1.5},
    {ROW(log2), {POS, 1e-300, 1e150, 0}, {NONE, 0, 0, 0}, 1.5, 2},
    {ROW(log2), {LIN, 0.5, 2, 0}, {NONE, 0, 0, 0}, 1.5, 2},
    {ROW(log10), {POS, 1e-300, 1e150, 0}, {NONE, 0, 0, 0}, 2, 2.5},
    {ROW(log10), {LIN, 0.5, 2, 0}, {NONE, 0, 0, 0}, 2, 2.5},
    {ROW(log1p), {LOG, 1e-100, 0.999, 0}, {NONE, 0, 0, 0}, 1.5, 1.5},
    {ROW(log1p), {POS, 0.5, 1e150, 0}, {NONE, 0, 0, 0}, 1.5, 1.5},
    {ROW(erf), {LIN, -6, 6, 0}, {NONE, 0, 0, 0}, 1.5, 3},
    {ROW(erf), {LIN, 6, 22, 0}, {NONE, 0, 0, 0}, 1.5, 3},
    {ROW(erf), {LOG, 1e-100, 1, 0}, {NONE, 0, 0, 0}, 1.5, 3},
    {ROW(erfc), {LIN, -22, 22, 0}, {NONE, 0, 0, 0}, 6, 3},
    {ROW(log), {POS, 1e-300, 1e150, 0}, {NONE, 0, 0, 0}, 1, 1},
    {ROW(log), {LIN, 0.5, 2, 0}, {NONE, 0, 0, 0}, 1, 1},
    {ROW(sqrt), {POS, 1e-300, 1e300, 0}, {NONE, 0, 0, 0}, 0.5, 1.5},
    {ROW(cbrt), {LOG, 1e-150, 1e150, 0}, {NONE, 0, 0, 0}, 4, 3.5},
    {ROW(cbrt), {LOG, 1e-300, 1e-158, 0}, {NONE, 0, 0, 0}, 4, 3.5},
    {ROW(fabs), {LOG, 1e-300, 1e300, 0}, {NONE, 0, 0, 0}, 0, 0},
    {ROW(floor), {LOG, 1e-3, 1e18, 0}, {NONE, 0, 0, 0}, 0, 0},
    {ROW(ceil), {LOG, 1e-3, 1e18, 0}, {NONE, 0, 0, 0}, 0, 0},
    {ROW(trunc), {LOG, 1e-3, 1e18, 0}, {NONE, 0, 0, 0}, 0, 0},
    {ROW(round), {LOG, 1e-3, 1e18, 0}, {NONE, 0, 0, 0}, 0, 0},
    {ROW(rint), {LOG, 1e-3, 1e18, 0}, {NONE, 0, 0, 0}, 0, 0},
    {ROW(nearbyint), {LOG, 1e-3, 1e18, 0}, {NONE, 0, 0, 0}, 0, 0},
    {ROW(atan2), {LIN, -3, 3, 0}, {LIN, -3, 3, 0}, 1, 4},
    {ROW(atan2), {LOG, 1e-90, 1e90, 0}, {LOG, 1e-3, 1e3, 0}, 1, 4},
    {ROW(atan2), {LOG, 1e-300, 1e-290, 0}, {LOG, 1e-300, 1e-290, 0}, 1, 4},
    {ROW(atan2), {LOG, 1e170, 1e175, 0}, {LOG, 1e170, 1e175, 0}, 1, 4},
    {ROW(hypot), {LIN, -3, 3, 0}, {LIN, -3, 3, 0}, 1, 3},
    {ROW(hypot), {LOG, 1e-300, 1e-290, 0}, {LOG, 1e-300, 1e-290, 0}, 1, 3},
    {ROW(hypot), {LOG, 1e300, 1e307, 0}, {LOG, 1e300, 1e307, 0}, 1, 3},
    {ROW(fmax), {LIN, -3, 3, 0}, {LIN, -3, 3, 0}, 0, 0},
    {ROW(fmin), {LIN, -3, 3, 0}, {LIN, -3, 3, 0}, 0, 0},
    {ROW(fdim), {LIN, -3, 3, 0}, {LIN, -3, 3, 0}, 0.5, 0.5},
    {ROW(copysign), {LOG, 1e-300, 1e300, 0}, {LOG, 1e-300, 1e300, 0}, 0, 0},
    {ROW(fmod), {LIN, -50, 50, 0}, {LOG, 0.1, 100, 0}, 0, 1.5},
    {ROW(fmod), {LOG, 1e-290, 1e-282, 0}, {LOG, 1e-294, 1e-290, 0}, 0, 1.5},
    {ROW(fmod), {LOG, 1e290, 1e300, 0}, {LOG, 1e290, 1e300, 0}, 0, 1.5},
    {ROW(remainder), {LIN, -50, 50, 0}, {LOG, 0.1, 100, 0}, 0, 1.5},
    {ROW(remainder), {LOG, 1e300, 1.7e308, 0}, {LOG, 1e300, 1.7e308, 0}, 0, 1.5},
    {ROW(pow), {POS, 1e-5, 1e5, 0}, {LIN, -20, 20, 0}, 1, 3.5},
    {ROW(pow), {LIN, 0.5, 2, 0}, {LIN, -500, 500, 0}, 1, 3.5},
    {ROW(pow), {POS, 1e-5, 1e5, 0}, {LIN, -3, 3, 1}, 1, 3.5},
    {ROW(pow), {LOG, 1e-5, 1e5, 0}, {WHOLE, -20, 20, 1}, 1, 3.5},
    {ROW(pow), {POS, 1e-180, 1e180, 0}, {LIN, -0.25, 0.25, 1}, 1, 3.5},
    {ROW(pow), {POS, 1e-160, 1e-155, 0}, {LIN, 2, 3, 1}, 1, 3.5},
    {ROW(add), {LOG, 1e-3, 1e3, 0}, {LOG, 1e-3, 1e3, 0}, 0.5, 0.5},
    {ROW(sub), {LOG, 1e-3, 1e3, 0}, {LOG, 1e-3, 1e3, 0}, 0.5, 0.5},
    {ROW(mul), {LOG, 1e-20, 1e20, 0}, {LOG, 1e-20, 1e20, 0}, 0.5, 1.5},
    {ROW(div), {LOG, 1e-20, 1e20, 0}, {LOG, 1e-20, 1e20, 0}, 2.5, 3},
};
enum { ROWS = sizeof table / sizeof table[0], FUNCTIONS = ROWS - 4 };

static void check_row(const row *t)
{
    random_state = 20240229u;
    for (int k = 0; k < POINTS; k++) {
        const double x = sample(&t->x), y = sample(&t->y);
        const double dx = random_seed(&t->x), dy = random_seed(&t->y);
        const dae_dual z = t->f(dae_dual_make(x, dx), dae_dual_make(y, dy));
        dae_quad r[3];
        t->reference((dae_quad)x, (dae_quad)y, r);
        const dae_quad a = r[1] * (dae_quad)dx, b = r[2] * (dae_quad)dy;
        const double u = ulps(value(z), r[0], r[0], DBL_MIN_EXP);
        const double d = ulps(dae_dual_derivative(z), a + b, fabs(a) + fabs(b), DBL_MIN_EXP + 200);
        if (!(u <= t->value_ulps && d <= t->derivative_ulps))
            fail_msg("%s(%.17g + %.17g eps, %.17g + %.17g eps): off by %.3g and %.3g ulp",
                     t->name, x, dx, y, dy, u, d);
    }
}

TEST(test_functions)
{
    for (int k = 0; k < ROWS; k++)
        check_row(&table[k]);
}

/* ---- not a number ------------------------------------------------------------------------ */

static void expect_nan(const char *name, dae_dual x)
{
    if (!isnan(value(x)) || !isnan(dae_dual_derivative(x)))
        fail_msg("%s of NaN is %g + %g eps", name, value(x), dae_dual_derivative(x));
}

/* Where a function does not pick one of its arguments, a NaN in either is one in value and derivative. */
TEST(test_nan_propagates)
{
    for (int k = 0; k < FUNCTIONS; k++) {
        const row *t = &table[k];
        const int picks = t->f == dual_fmax || t->f == dual_fmin || t->f == dual_copysign;
        for (int seed = 0; seed <= 1; seed++) {
            expect_nan(t->name, t->f(dae_dual_make(NAN, seed), dae_dual_make(NAN, 0)));
            if (!picks)
                expect_nan(t->name, t->f(dae_dual_make(NAN, seed), dae_dual_make(1.5, 1)));
            if (!picks && t->y.kind != NONE)
                expect_nan(t->name, t->f(dae_dual_make(1.5, 1), dae_dual_make(NAN, seed)));
        }
    }
}
