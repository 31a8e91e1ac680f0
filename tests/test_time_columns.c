/* test_time_columns.c - times are told in the problem's own unit, in tables and above columns: none is said to be in
 * seconds that is not */
#include "cli_json.h"

static void expect(const char *problem, const char *time, const char *rate)
{
    static const char *const times[] = {"t_start", "t_end", "step", "t_reached"};
    char line[256];
    snprintf(line, sizeof line, "drift %s --form baumgarte --method cros --step 1e-3 --t-end 0.05 --format json",
             problem);
    json_t *tree = parsed(0, line);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        assert_string_equal(unit_of(tree, "runs", times[i]), time);
    assert_string_equal(unit_of(tree, "drift", "t"), time);
    assert_string_equal(unit_of(tree, "runs", "alpha"), rate);
    assert_string_equal(unit_of(tree, "runs", "seconds"), "s");
    json_decref(tree);
}

TEST(test_columns)
{
    expect("pendulum", "s", "1/s");
    expect("car_axis", "", "");                         /* all of it is without units */
    expect("pendulum,car_axis", "", "");                /* several units are none */
}

TEST(test_titles)
{
    assert_int_equal(cli_run("", "solve pendulum --samples 1 --t-end 0.01 --format md"), 0);
    assert_non_null(strstr(cli_said.out, "| t [s] |"));
    assert_int_equal(cli_run("", "solve car_axis --samples 1 --t-end 0.01 --format md"), 0);
    assert_non_null(strstr(cli_said.out, "| t |"));
    assert_null(strstr(cli_said.out, "[s]"));
}

int main(void) { return run_all(cli_begin, cli_end); }
