/* test_quad_libraries.c - the quad functions of the C library and those of libquadmath agree within 2 units in
 * the last place, those that need no rounding in all bits; so do numbers and text. Built where there are both. */
#include <daelab/quad.h>
#include <daelab/reference.h>

#include "support.h"

typedef dae_quad of_one(dae_quad x);
typedef dae_quad of_two(dae_quad x, dae_quad y);

#define DECLARE_ONE(f) of_one f##q, f##f128;
#define DECLARE_TWO(f) of_two f##q, f##f128;
#define PAIR(f) {#f, f##q, f##f128},

/* For every number, for |x| <= 1, x >= 1, x >= 0, x > -1, all rounded; then those that need no rounding. */
#define EVERYWHERE(F) F(sin) F(cos) F(tan) F(atan) F(sinh) F(cosh) F(tanh) F(asinh) F(exp) F(exp2) F(expm1) F(cbrt)   \
    F(erf) F(erfc)
#define WITHIN_ONE(F) F(asin) F(acos) F(atanh)
#define ABOVE_ONE(F) F(acosh)
#define ABOVE_ZERO(F) F(sqrt) F(log) F(log2) F(log10)
#define ABOVE_MINUS_ONE(F) F(log1p)
#define EXACT_ONES(F) F(fabs) F(floor) F(ceil) F(trunc) F(round) F(rint) F(nearbyint)
#define ROUNDED_TWOS(F) F(atan2) F(hypot)
#define EXACT_TWOS(F) F(fmax) F(fmin) F(fdim) F(fmod) F(remainder) F(copysign)

EVERYWHERE(DECLARE_ONE) WITHIN_ONE(DECLARE_ONE) ABOVE_ONE(DECLARE_ONE) ABOVE_ZERO(DECLARE_ONE)
ABOVE_MINUS_ONE(DECLARE_ONE) EXACT_ONES(DECLARE_ONE)
ROUNDED_TWOS(DECLARE_TWO) EXACT_TWOS(DECLARE_TWO) DECLARE_TWO(pow)
dae_quad fmaq(dae_quad x, dae_quad y, dae_quad z), fmaf128(dae_quad x, dae_quad y, dae_quad z);
dae_quad frexpq(dae_quad x, int *exponent), frexpf128(dae_quad x, int *exponent);
dae_quad ldexpq(dae_quad x, int exponent), ldexpf128(dae_quad x, int exponent);
int quadmath_snprintf(char *text, size_t size, const char *format, ...);
dae_quad strtoflt128(const char *text, char **end);
int strfromf128(char *restrict text, size_t size, const char *restrict format, dae_quad x);
dae_quad strtof128(const char *restrict text, char **restrict end);

typedef struct { const char *name; of_one *by_quadmath, *by_c; } pair_of_one;
typedef struct { const char *name; of_two *by_quadmath, *by_c; } pair_of_two;

enum { POINTS = 41 };

/* Point k of [from, to], with digits beyond a double's. */
static dae_quad point(int k, dae_quad from, dae_quad to)
{
    return from + (to - from) * (k + 1 / DAE_QUAD_C(7.0)) / POINTS;
}

/* |x - y| in units in the last place of y; 0 where both are NaN, or the same infinity. */
static double apart(dae_quad x, dae_quad y)
{
    int exponent;
    if (x == y || (x != x && y != y))
        return 0;
    (void)frexpf128(y, &exponent);
    return (double)(fabsf128(x - y) / ldexpf128(1, exponent - 113));
}

static void near(const char *name, dae_quad x, dae_quad y, dae_quad by_quadmath, dae_quad by_c, double units)
{
    const double off = apart(by_quadmath, by_c);
    if (!(off <= units))
        fail_msg("%s(%g, %g): %g units apart", name, (double)x, (double)y, off);
}

static void near_between(const pair_of_one *pairs, size_t count, dae_quad from, dae_quad to, double units)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < POINTS; k++) {
            const dae_quad x = point(k, from, to);
            near(pairs[i].name, x, 0, pairs[i].by_quadmath(x), pairs[i].by_c(x), units);
        }
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

TEST(test_of_one)
{
    static const pair_of_one everywhere[] = {EVERYWHERE(PAIR)}, within_one[] = {WITHIN_ONE(PAIR)},
        above_one[] = {ABOVE_ONE(PAIR)}, above_zero[] = {ABOVE_ZERO(PAIR)}, above_minus[] = {ABOVE_MINUS_ONE(PAIR)},
        exact[] = {EXACT_ONES(PAIR)};
    static const double reach[] = {1e-20, 1, 20};
    for (size_t k = 0; k < COUNT(reach); k++) {
        near_between(everywhere, COUNT(everywhere), -reach[k], reach[k], 2);
        near_between(exact, COUNT(exact), -reach[k], reach[k], 0);
        near_between(above_one, COUNT(above_one), 1, 1 + reach[k], 2);
        near_between(above_zero, COUNT(above_zero), 0, reach[k], 2);
        near_between(above_minus, COUNT(above_minus), -0.9, reach[k], 2);
    }
    near_between(within_one, COUNT(within_one), -1, 1, 2);
}

TEST(test_of_two)
{
    static const pair_of_two rounded[] = {ROUNDED_TWOS(PAIR)}, exact[] = {EXACT_TWOS(PAIR)};
    for (int k = 0; k < POINTS; k++)
        for (int l = 0; l < POINTS; l++) {
            const dae_quad x = point(k, -3, 3), y = point(l, -20, 20), z = point(k, 0, 3);
            for (size_t i = 0; i < COUNT(rounded); i++)
                near(rounded[i].name, x, y, rounded[i].by_quadmath(x, y), rounded[i].by_c(x, y), 2);
            for (size_t i = 0; i < COUNT(exact); i++)
                near(exact[i].name, x, y, exact[i].by_quadmath(x, y), exact[i].by_c(x, y), 0);
            near("pow", z, y, powq(z, y), powf128(z, y), 2);
            near("fma", x, y, fmaq(x, y, z), fmaf128(x, y, z), 0);
        }
}

TEST(test_text)
{
    char by_quadmath[DAE_QUAD_TEXT], by_c[DAE_QUAD_TEXT], chosen[DAE_QUAD_TEXT];
    for (int k = 0; k < POINTS; k++) {
        const dae_quad x = ldexpq(point(k, -1, 1), 40 * (k - 20));
        int e = 0, f = 1;
        assert_true(frexpq(x, &e) == frexpf128(x, &f) && e == f);
        quadmath_snprintf(by_quadmath, sizeof by_quadmath, "%.36Qg", x);
        strfromf128(by_c, sizeof by_c, "%.36g", x);
        dae_quad_text(x, 36, chosen, sizeof chosen);
        assert_string_equal(by_quadmath, by_c);
        assert_string_equal(chosen, by_c);
        assert_true(strtoflt128(by_c, NULL) == x && strtof128(by_c, NULL) == x && dae_quad_parse(by_c, NULL) == x);
    }
}

/* The choice is one of the two, and the headers' functions are those. */
TEST(test_choice)
{
#ifdef DAELAB_LIBQUADMATH
    assert_string_equal(DAE_QUAD_SINE, "sinq");
    assert_true((of_one *)DAE_QUAD_NAME(sin) == sinq);
#else
    assert_string_equal(DAE_QUAD_SINE, "sinf128");
    assert_true((of_one *)DAE_QUAD_NAME(sin) == sinf128);
#endif
    assert_true(dae_quad_sin(1) == DAE_QUAD_NAME(sin)(1));
}
