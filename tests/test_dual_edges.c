/* test_dual_edges.c - dual numbers where functions have edges, jumps and kinks, and the traps of their carrier */
#include "testing.h"

#include <complex.h>
#include <fenv.h>

#include "daelab/functions.h"

#define dual(a, b) dae_dual_make(a, b)
#define same(a, b) ((a) == (b) || (isnan(a) && isnan(b)))
#define assert_dual(x, a, b) expect(x, a, b, #x, __LINE__)

static const double INF = HUGE_VAL, NOT = NAN;

static void expect(dae_dual x, double a, double b, const char *text, int line)
{
    const double u = value(x), v = dae_dual_derivative(x);
    if (!same(u, a) || !same(v, b)) {
        fail_msg("line %d: %s = %g + %g eps, not %g + %g eps", line, text, u, v, a, b);
    }
}

TEST(test_pow_at_the_edges)
{
    assert_dual(pow(dual(-3, 1), 2), 9, -6);
    assert_dual(pow(dual(-2, 1), -1), -0.5, -0.25);
    assert_dual(pow(dual(0, 1), 2), 0, 0);
    assert_dual(pow(dual(0, 3), 1), 0, 3);
    assert_dual(pow(dual(0, 1), 0.5), 0, INF);
    assert_dual(pow(dual(0, 1), 0), 1, 0);
    assert_dual(pow(dual(INF, 1), 2), INF, INF);
    assert_dual(pow(dual(2, 0), dual(3, 1)), 8, 8 * log(2.0));
    assert_dual(pow(dual(0, 0), dual(3, 1)), 0, 0);
    assert_dual(pow(dual(0, 1), dual(1, 1)), 0, 1);
    assert_dual(pow(dual(-3, 0), dual(2, 1)), 9, NOT);
    assert_dual(pow(dual(0, 0), 0.5), 0, 0);
}

TEST(test_outside_the_domain_is_nan)
{
    for (double seed = 0; seed <= 1; seed++) {
        assert_dual(sqrt(dual(-1, seed)), NOT, NOT);
        assert_dual(log(dual(-1, seed)), NOT, NOT);
        assert_dual(asin(dual(2, seed)), NOT, NOT);
        assert_dual(acos(dual(-2, seed)), NOT, NOT);
        assert_dual(pow(dual(-2, seed), 0.5), NOT, NOT);
        assert_dual(pow(dual(-2, 0), dual(0.5, seed)), NOT, NOT);
        assert_dual(sin(dual(INF, seed)), NOT, NOT);
    }
}

TEST(test_fabs_and_ties)
{
    assert_dual(fabs(dual(3, 2)), 3, 2);
    assert_dual(fabs(dual(-3, 2)), 3, -2);
    assert_dual(fabs(dual(-0.0, 2)), 0, 0);
    assert_dual(fmax(dual(1, 5), dual(1, 2)), 1, 3.5);
    assert_dual(fmin(dual(1, 5), dual(1, 2)), 1, 3.5);
    assert_dual(fmax(dual(0.0, 1), -0.0), 0, 0.5);
    assert_dual(fmax(dual(NOT, 5), dual(1, 2)), 1, 2);
    assert_dual(fmin(dual(1, 2), NOT), 1, 2);
    assert_dual(fmin(dual(NOT, 5), dual(NOT, 2)), NOT, NOT);
}

/* Infinite slopes at the edge of a domain, and a zero seed that beats them. */
TEST(test_edges)
{
    assert_dual(sqrt(dual(0, 2)), 0, INF);
    assert_dual(sqrt(dual(-0.0, 2)), 0, INF);
    assert_dual(sqrt(dual(0, 0)), 0, 0);
    assert_dual(log(dual(0, 1)), -INF, INF);
    assert_dual(log(dual(0, 0)), -INF, 0);
    assert_dual(asin(dual(-1, 1)), asin(-1.0), INF);
    assert_dual(acos(dual(1, 1)), 0, -INF);
    assert_dual(cbrt(dual(0, 1)), 0, INF);
    assert_dual(cbrt(dual(INF, 1)), INF, 0);
    assert_dual(exp(dual(1000, 0)), INF, 0);
    assert_dual(tanh(dual(1000, 1)), 1, 0);
    assert_dual(tanh(dual(-INF, 1)), -1, 0);
    assert_dual(cosh(dual(1000, 1)), INF, INF);
    assert_dual(sinh(dual(-1000, 0)), -INF, 0);
    assert_dual(atan(dual(1e200, 1)), atan(1e200), 0);
}

TEST(test_edges_of_logarithms)
{
    assert_dual(log10(dual(0, 1)), -INF, INF);
    assert_dual(log2(dual(-0.0, 1)), -INF, INF);
    assert_dual(log10(dual(0, 0)), -INF, 0);
    assert_dual(log10(dual(1000, 0)), 3, 0);
    assert_dual(log2(dual(8, 0)), 3, 0);
    assert_dual(log1p(dual(-1, 1)), -INF, INF);
    assert_dual(log1p(dual(-1, 0)), -INF, 0);
    assert_dual(log1p(dual(INF, 1)), INF, 0);
    assert_dual(acosh(dual(1, 1)), 0, INF);
    assert_dual(acosh(dual(1, 0)), 0, 0);
    assert_dual(acosh(dual(1e200, 1e200)), acosh(1e200), 1);
    assert_dual(acosh(dual(INF, 1)), INF, 0);
    assert_dual(asinh(dual(-INF, 1)), -INF, 0);
    assert_dual(asinh(dual(1e200, 1e200)), asinh(1e200), 1);
    assert_dual(atanh(dual(-1, 1)), -INF, INF);
    assert_dual(atanh(dual(1, 0)), INF, 0);
    assert_dual(expm1(dual(-INF, 1)), -1, 0);
    assert_dual(expm1(dual(1000, 0)), INF, 0);
    assert_dual(exp2(dual(3, 1)), 8, 8 * log(2.0));
    assert_dual(exp2(dual(2000, 0)), INF, 0);
    assert_dual(erf(dual(-INF, 1)), -1, 0);
    assert_dual(erf(dual(1e200, 1)), 1, 0);
    assert_dual(erfc(dual(INF, 1)), 0, 0);
    assert_dual(erfc(dual(0, 0)), 1, 0);
    for (double seed = 0; seed <= 1; seed++) {
        assert_dual(log10(dual(-1, seed)), NOT, NOT);
        assert_dual(log2(dual(-1, seed)), NOT, NOT);
        assert_dual(log1p(dual(-2, seed)), NOT, NOT);
        assert_dual(acosh(dual(0.5, seed)), NOT, NOT);
        assert_dual(atanh(dual(2, seed)), NOT, NOT);
    }
}

/* Zero at a jump, the branch of the value, and the mean at a kink. */
TEST(test_jumps)
{
    assert_dual(floor(dual(3, 1)), 3, 0);
    assert_dual(round(dual(-2.5, 1)), -3, 0);
    assert_dual(rint(dual(2.5, 1)), 2, 0);
    assert_dual(ceil(dual(INF, 1)), INF, 0);
    assert_dual(fmod(dual(7, 1), dual(2, 1)), 1, -2);
    assert_dual(fmod(dual(-7, 1), dual(2, 1)), -1, 4);
    assert_dual(fmod(dual(6, 1), 2), 0, 1);
    assert_dual(fmod(dual(6, 1), dual(2, 1)), 0, -2);
    assert_dual(fmod(dual(3, 1), dual(INF, 5)), 3, 1);
    assert_dual(fmod(dual(3, 1), 0), NOT, NOT);
    assert_dual(remainder(dual(7, 1), dual(4, 1)), -1, -1);
    assert_dual(remainder(dual(6, 1), dual(4, 1)), -2, -1);
    assert_dual(remainder(dual(1.7e308, 1), dual(1e308, 1)), remainder(1.7e308, 1e308), -1);
    assert_dual(fdim(dual(1, 4), dual(1, 2)), 0, 1);
    assert_dual(fdim(dual(0, 4), dual(1, 2)), 0, 0);
    assert_dual(fdim(dual(INF, 4), dual(1, 2)), INF, 2);
    assert_dual(copysign(dual(0, 1), -1), -0.0, 0);
    assert_dual(copysign(dual(-3, 1), dual(-0.0, 7)), -3, 1);
    assert_dual(copysign(dual(-3, 1), 2), 3, -1);
}

TEST(test_fma_and_ldexp)
{
    assert_dual(fma(dual(3, 1), dual(5, 2), dual(7, 4)), 22, 15);
    assert_dual(fma(dual(3, 1), 5, -15), 0, 5);
    assert_dual(fma(dual(1 + DBL_EPSILON, 0), 1 - DBL_EPSILON, -1), -DBL_EPSILON * DBL_EPSILON, 0);
    assert_dual(fma(dual(INF, 0), dual(2, 0), dual(1, 3)), INF, 3);
    assert_dual(fma(dual(NOT, 0), 2, dual(1, 3)), NOT, NOT);
    assert_dual(ldexp(dual(3, 5), -2), 0.75, 1.25);
    assert_dual(ldexp(dual(NOT, 5), 2), NOT, NOT);
}

#define ASK(x, nan, inf, finite, normal, sign)                                                  \
    assert_true(isnan(x) == (nan) && isinf(x) == (inf) && isfinite(x) == (finite)               \
                && isnormal(x) == (normal) && signbit(x) == (sign))

TEST(test_questions_are_for_the_value)
{
    const dae_quad huge = dae_quad_ldexp(1, 12000), tiny = dae_quad_ldexp(-1, -12000);
    ASK(dual(NOT, 1), 1, 0, 0, 0, signbit(NOT));
    ASK(dual(-INF, 1), 0, 1, 0, 0, 1);
    ASK(dual(-2, NOT), 0, 0, 1, 1, 1);
    ASK(dual(0, 1), 0, 0, 1, 0, 0);
    ASK(huge, 0, 0, 1, 1, 0);
    ASK(tiny, 0, 0, 1, 1, 1);
    ASK(huge * huge, 0, 1, 0, 0, 0);
    ASK(huge * huge - huge * huge, 1, 0, 0, 0, signbit(huge * huge - huge * huge));
    ASK(-1e-320, 0, 0, 1, 0, 1);
}

TEST(test_hypot_and_atan2_on_the_axes)
{
    assert_dual(hypot(dual(0, 1), dual(0, 1)), 0, 0);
    assert_dual(hypot(dual(-2, 3), dual(0, 1)), 2, -3);
    assert_dual(hypot(dual(DBL_MAX, 5), dual(DBL_MAX / 4 * 3, 0)), INF, 4);
    assert_dual(hypot(dual(-INF, 0), dual(1, 0)), INF, 0);
    assert_dual(atan2(dual(0, 1), dual(2, 1)), 0, 0.5);
    assert_dual(atan2(dual(2, 1), dual(0, 1)), atan2(2.0, 0.0), -0.5);
    assert_dual(atan2(dual(0, 1), dual(-2, 1)), atan2(0.0, -2.0), -0.5);
    assert_dual(atan2(dual(-2, 1), dual(0, 1)), atan2(-2.0, 0.0), 0.5);
    assert_dual(atan2(dual(0, 1), dual(0, 1)), 0, NOT);
    assert_dual(atan2(dual(0, 0), dual(0, 0)), 0, 0);
}

/* (a + b eps)(c + d eps): the derivative always; the value while |bd| < 2^346 |ac|;
   nothing subnormal while |bd| > 2^-622. */
TEST(test_products_stay_normal)
{
    for (int i = -100; i <= 100; i += 4) {
        for (int j = -100; j <= 100; j += 4) {
            volatile double b = pow(10.0, i), d = pow(10.0, j);
            const dae_dual x = dual(1.5, b), y = dual(1.25, d);
            feclearexcept(FE_ALL_EXCEPT);
            volatile dae_dual z = x * y;
            const int underflow = fetestexcept(FE_UNDERFLOW);
            const double reference = 1.25 * b + 1.5 * d;
            assert_true(isnormal(__builtin_cimag(z)));
            assert_true(fabs(dae_dual_derivative(z) - reference) <= 2 * DBL_EPSILON * reference);
            assert_true(i + j <= -187 || !underflow);
            assert_true(i + j >= 104 || value(z) == 1.875);
        }
    }
}

/* What infix arithmetic on the carrier a + ihb does where the value is 0: a solver has to take
   values, and the test whether they are finite, from the double pass. */
TEST(test_limits_of_the_carrier)
{
    volatile dae_dual zero = dual(0, 1);
    assert_dual(zero * zero, -0x1p-400, 0);
    assert_true(isfinite(value(1.0 / zero)));
    assert_dual(zero / zero, 1, 0);
}

/* Why dual.h is there: the complex functions are analytic, the real ones are not. */
TEST(test_complex_functions_are_wrong)
{
    volatile dae_dual minus_one = dual(-1, 1), minus_three = dual(-3, 1);
    volatile double two = 2.0;
    assert_true(isfinite(value(csqrt(minus_one))));
    assert_true(isfinite(value(clog(minus_one))));
    assert_false(fabs(dae_dual_derivative(cpow(minus_three, two)) + 6.0) < 1.0);
    assert_true(cabs(minus_three) == 3.0); /* a double: the derivative is gone */
}
