/* test_growth_law - the law by which a drift grows: on series that are known, with oscillations and noise */
#include "support.h"

#include "base/numbers.h"
#include "numbers/growth_law.h"

enum { N = 1000 };

/* y = a + b s + c s^2 + d exp(l s), s = t/T, times oscillations and noise. */
typedef struct {
    double a, b, c, d, l, power;
    double swing, periods;      /* 1 + swing sin(2 pi periods s) */
    double noise;               /* (1 + noise * uniform in -1 ... 1) */
} series;

static uint64_t state_of_noise;

static growth observe(const series *p, double end, double t0, double unit)
{
    double t[N], y[N];
    for (int i = 0; i < N; i++) {
        const double s = (i + 1.0) / N;
        t[i] = t0 + end * s;
        y[i] = p->a + p->b * s + p->c * s * s + p->d * exp(p->l * s) + (p->power > 0 ? pow(s, p->power) : 0);
        y[i] *= unit * (1 + p->swing * sin(2 * acos(-1) * p->periods * s))
                * (1 + p->noise * dae_random(&state_of_noise));
    }
    return growth_observe(t, y, N, t0, 1e-16 * unit);
}

static void expect(const series *p, growth_law law, double rate, double tolerance)
{
    static const double ends[] = {1, 1e-9, 3e6}, units[] = {1, 1e-20, 1e15};
    for (int k = 0; k < 3; k++) {
        const double end = ends[k], unit = units[2 - k];
        const growth g = observe(p, end, k == 1 ? -7e-9 : 0, unit);
        if (g.law != law)
            fail_msg("%s is taken for %s (%s, t^%.2f)", growth_names[law], growth_names[g.law], g.reason, g.power);
        const double in_units = law == GROWTH_BOUNDED ? rate * unit : law == GROWTH_LINEAR ? rate * unit / end
                                : law == GROWTH_QUADRATIC ? rate * unit / (end * end) : rate / end;
        if (!(fabs(g.rate / in_units - 1) < tolerance))
            fail_msg("%s: rate %g of %g", growth_names[law], g.rate, in_units);
        assert_string_equal(g.reason, "");
        if (law != GROWTH_BOUNDED)
            assert_true(g.low <= g.rate && g.rate <= g.high);
    }
}

TEST(test_pure)
{
    expect(&(series){.a = 3}, GROWTH_BOUNDED, 3, 1e-9);
    expect(&(series){.b = 3}, GROWTH_LINEAR, 3, 0.01);
    expect(&(series){.c = 3}, GROWTH_QUADRATIC, 3, 0.03);
    expect(&(series){.d = 1e-9, .l = 20}, GROWTH_EXPONENTIAL, 20, 0.01);
    expect(&(series){.d = 1, .l = 5}, GROWTH_EXPONENTIAL, 5, 0.01);
}

/* Part of a law is what it begins with: an oscillation that stays, a term of lower order. */
TEST(test_parts)
{
    expect(&(series){.a = 1, .b = 4}, GROWTH_LINEAR, 4, 0.02);
    expect(&(series){.a = 0.3, .c = 3}, GROWTH_QUADRATIC, 3, 0.05);
    expect(&(series){.b = 1, .c = 4}, GROWTH_QUADRATIC, 4, 0.1);
}

/* |sin|-like curves under an envelope, with many periods and few, and noise of 10 %. */
TEST(test_oscillations)
{
    static const double periods[] = {40, 100, 237};
    for (int k = 0; k < 3; k++) {
        const double swing = 1, of = periods[k];
        expect(&(series){.a = 3, .swing = swing, .periods = of}, GROWTH_BOUNDED, 6, 0.03);
        expect(&(series){.b = 3, .swing = swing, .periods = of}, GROWTH_LINEAR, 6, 0.1);
        expect(&(series){.c = 3, .swing = swing, .periods = of}, GROWTH_QUADRATIC, 6, 0.2);
        expect(&(series){.d = 1e-9, .l = 15, .swing = swing, .periods = of}, GROWTH_EXPONENTIAL, 15, 0.1);
    }
}

TEST(test_noise)
{
    for (unsigned long seed = 1; seed <= 200; seed++) {
        state_of_noise = seed;
        expect(&(series){.a = 3, .noise = 0.3}, GROWTH_BOUNDED, 3.9, 0.05);
        expect(&(series){.b = 3, .noise = 0.1}, GROWTH_LINEAR, 3.2, 0.1);
        expect(&(series){.c = 3, .noise = 0.1}, GROWTH_QUADRATIC, 3.2, 0.2);
        expect(&(series){.d = 1e-9, .l = 15, .noise = 0.2}, GROWTH_EXPONENTIAL, 15, 0.03);
    }
}

static void expect_nothing(const series *p, const char *says)
{
    const growth g = observe(p, 2, 0, 1);
    if (g.law != GROWTH_NOT_DETERMINED || !strstr(g.reason, says))
        fail_msg("%s: %s, t^%.2f, not \"%s\"", growth_names[g.law], g.reason, g.power, says);
    assert_true(isnan(g.rate));
}

/* What is between the laws, or of none, is not one of them. */
TEST(test_not_determined)
{
    expect_nothing(&(series){.power = 0.5}, "t^0.50");
    expect_nothing(&(series){.power = 1.5}, "t^1.50");
    expect_nothing(&(series){.power = 3}, "t^3.00");
    expect_nothing(&(series){.a = 1, .swing = 1, .periods = 0.7}, "first half");
    expect_nothing(&(series){.a = 1e-15}, "at rounding");
    expect_nothing(&(series){.b = 1e-15}, "at rounding");
    expect_nothing(&(series){.b = 1, .swing = 0.9, .periods = 2.7}, "");
    expect_nothing(&(series){.a = 1, .b = 0.3}, "");
}

/* A random walk has no law: its running maximum is about t^0.5, and each one is another. At most a few are
 * taken for one. */
TEST(test_random_walk)
{
    double t[N], y[N];
    int taken[GROWTH_LAWS] = {0};
    for (unsigned long seed = 1; seed <= 400; seed++) {
        double sum = 0;
        state_of_noise = seed;
        for (int i = 0; i < N; i++) {
            t[i] = i + 1;
            y[i] = fabs(sum += dae_random(&state_of_noise));
        }
        taken[growth_observe(t, y, N, 0, 0).law]++;
    }
    print_message("random walks: %d not determined, %d bounded, %d linear, %d quadratic, %d exponential\n", taken[0],
                  taken[1], taken[2], taken[3], taken[4]);
    assert_true(taken[GROWTH_EXPONENTIAL] == 0 && taken[GROWTH_QUADRATIC] <= 4 && taken[GROWTH_LINEAR] <= 40);
}

/* Values that are missing, a run that ended early, nothing at all. */
TEST(test_gaps)
{
    double t[N], y[N];
    for (int i = 0; i < N; i++) {
        t[i] = i + 1;
        y[i] = i % 7 ? NAN : 2 * t[i];
        t[i] = i < 600 ? t[i] : NAN;
    }
    growth g = growth_observe(t, y, N, 0, 0);
    assert_int_equal(g.law, GROWTH_LINEAR);
    assert_true(fabs(g.rate - 2) < 0.1);
    g = growth_observe(t, y, 0, 0, 0);
    assert_int_equal(g.law, GROWTH_NOT_DETERMINED);
    assert_non_null(strstr(g.reason, "too few steps"));
    g = growth_observe(t, y, 10, 0, 0);
    assert_non_null(strstr(g.reason, "too few steps"));
    for (int i = 0; i < N; i++)
        t[i] = i + 1, y[i] = i < 500 ? 0 : i;
    g = growth_observe(t, y, N, 0, 0);
    assert_non_null(strstr(g.reason, "0 at first"));
    for (int i = 0; i < N; i++)
        y[i] = 0;
    g = growth_observe(t, y, N, 0, 0);
    assert_non_null(strstr(g.reason, "at rounding"));
}
