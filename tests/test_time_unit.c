/* test_time_unit.c - the unit of time, as velocities have it */
#include "support.h"

#include "run/time_unit.h"

static void is_of(const char *units, int nq, const char *expected)
{
    char unit[TIME_UNIT];
    const dae_problem p = {.name = "p", .units = units, .mechanical = {.nq = nq}};
    assert_string_equal(time_unit(&p, unit), expected);
}

TEST(test_units)
{
    is_of("m m m/s m/s N", 2, "s");
    is_of("km km/h", 1, "h");
    is_of("rad  rad/ms", 1, "ms");
    is_of("m/s m/s/s", 1, "s");
    is_of("- - - -", 2, "");
    is_of("- 1/s", 1, "s");
    is_of("- - N", 1, "s");             /* a force has seconds in it */
    is_of(NULL, 1, "");
    is_of("", 1, "");
    is_of("m", 1, "s");
    is_of("V V V", 0, "s");
    is_of("m m/s.rad", 1, "s");
    is_of("m m/a-word-that-is-longer-than-the-room", 1, "s");
}

TEST(test_problems)
{
    char unit[TIME_UNIT];
    assert_string_equal(time_unit(problem_named("pendulum"), unit), "s");
    assert_string_equal(time_unit(problem_named("car_axis"), unit), "");
    assert_string_equal(time_unit(problem_named("andrews"), unit), "s");
}

TEST(test_titles)
{
    const dae_problem slow = {.name = "p", .units = "um um/ks", .mechanical = {.nq = 1}},
        pure = {.name = "p", .units = "- -"};
    char title[TIME_TITLE];
    assert_string_equal(time_title(&slow, "t", title), "t [ks]");
    assert_string_equal(time_title(&slow, "step", title), "step [ks]");
    assert_string_equal(time_title(&pure, "t", title), "t");
}
