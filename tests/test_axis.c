/* test_axis.c - axes of figures: rounded ends, ticks, places */
#include "support.h"

#include "page/axis.h"

#include <math.h>
#include <string.h>

static axis of(int log, const double *x, int count)
{
    axis a = axis_begin(log);
    for (int i = 0; i < count; i++)
        axis_take(&a, x[i]);
    axis_end(&a);
    return a;
}

/* Ends hold what was taken, in any unit; there are some ticks, within. */
static void test_ranges(void **state)
{
    static const double spans[][2] = {{0, 2}, {1e-12, 3e-12}, {-5e7, 2e9}, {7, 7}, {0, 0}, {-3e-300, 1e-300},
                                      {1e-3, 1e3}};
    (void)state;
    for (int log = 0; log < 2; log++)
        for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
            const axis a = of(log, spans[i], 2);
            double tick[AXIS_TICKS];
            const int ticks = axis_ticks(&a, tick);
            assert_in_range(ticks, 2, 12);
            assert_true(a.high > a.low);
            for (int k = 0; k < ticks; k++)
                assert_true(axis_place(&a, tick[k]) > -1e-6 && axis_place(&a, tick[k]) < 1 + 1e-6);
            for (int k = 0; k < 2; k++)
                assert_true(axis_place(&a, spans[i][k]) >= 0 && axis_place(&a, spans[i][k]) <= 1);
        }
}

static void test_decades(void **state)
{
    char text[AXIS_LABEL];
    double tick[AXIS_TICKS];
    const double x[] = {3e-7, 2e-4, NAN, 0, -1, INFINITY};
    const axis a = of(1, x, 6);
    (void)state;
    assert_true(a.low == -7 && a.high == -3);
    assert_int_equal(axis_ticks(&a, tick), 5);
    axis_label(&a, tick[0], text);
    assert_string_equal(text, "10⁻⁷");
    assert_true(fabs(axis_place(&a, 1e-5) - 0.5) < 1e-12);
    assert_true(axis_place(&a, 0) == 0);                /* a zero lies on the edge */
    assert_true(isnan(axis_place(&a, NAN)));
}

static void test_linear(void **state)
{
    char text[AXIS_LABEL];
    double tick[AXIS_TICKS];
    const double x[] = {0, 2};
    const axis a = of(0, x, 2);
    (void)state;
    assert_int_equal(axis_ticks(&a, tick), 5);
    axis_label(&a, tick[1], text);
    assert_string_equal(text, "0.5");
}

static void test_nothing(void **state)
{
    double tick[AXIS_TICKS];
    const axis a = of(1, NULL, 0);
    (void)state;
    assert_true(a.high > a.low);
    assert_true(axis_ticks(&a, tick) >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranges), cmocka_unit_test(test_decades),
                                       cmocka_unit_test(test_linear), cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
