/* test_estimate.c - daelab solve --estimate: the error that a second run tells, against
 * references */
#include "cli_json.h"

static double estimated(const json_t *tree, const char *unknown)
{
    char where[64];
    snprintf(where, sizeof where, "unknown=%s", unknown);
    return number_in(tree, "estimates", where, "difference");
}

static int says(const json_t *tree, const char *words)
{
    const json_t *remarks = at(tree, "remarks");
    for (size_t i = 0; i < json_array_size(remarks); i++)
        if (strstr(text_at(json_array_get(remarks, i), "text"), words))
            return 1;
    return 0;
}

/* Against the pendulum at t = 2, method of order 2: e is 4/3 of the difference. */
TEST(test_half_the_step)
{
    json_t *tree = parsed(0, "solve pendulum --form index1 --method cros --step 0.005 --samples 1 "
                          "--estimate --format json");
    const double x = number_in(tree, "solution", "#1", "x"), T = number_in(tree, "solution", "#1", "T");
    assert_in_range(100 * fabs(x + 2.78455740343261398) / estimated(tree, "x"), 127, 140);
    assert_in_range(100 * fabs(T - 8.75119688362091325) / estimated(tree, "T"), 127, 140);
    assert_false(says(tree, "wrong"));
    json_decref(tree);
}

/* CROS in raw index 3: the tension is wrong at every step, and the run says so without a
 * reference. */
TEST(test_order_zero)
{
    json_t *tree = parsed(0, "solve pendulum --form index3 --method cros --step 0.001 --estimate "
                          "--format json");
    assert_true(says(tree, "T is wrong by about"));
    json_decref(tree);
}

/* By tolerance: a remark where the error is far above it, none where it is not. */
TEST(test_tenth_of_the_tolerance)
{
    json_t *tree = parsed(0, "solve pendulum --form index1 --method euler --rtol 1e-5 --estimate "
                          "--samples 1 --format json");
    const double x = number_in(tree, "solution", "#1", "x");
    assert_in_range(100 * fabs(x + 2.78455740343261398) / estimated(tree, "x"), 100, 200);
    assert_true(says(tree, "far above the tolerance"));
    json_decref(tree);
    tree = parsed(0, "solve pendulum --form index1 --method dop853 --rtol 1e-8 --estimate "
                  "--format json");
    assert_true(estimated(tree, "T") < 1e-6);
    assert_false(says(tree, "far above the tolerance"));
    json_decref(tree);
    /* after a revolution y and vx pass zero: their errors are within atol */
    tree = parsed(0, "solve kepler --t-end 6.283185307179586 --samples 1 --rtol 1e-6 --estimate --format json");
    assert_true(estimated(tree, "vx") < 1e-6);
    assert_false(says(tree, "far above the tolerance"));
    json_decref(tree);
}

/* Rows are compared where both runs have them, in one mode, also behind events. */
TEST(test_events)
{
    json_t *tree = parsed(0, "solve string_pendulum --rtol 1e-7 --estimate --format json");
    assert_true(estimated(tree, "x") > 0 && estimated(tree, "x") < 1e-5);
    assert_true(estimated(tree, "T") < 1e-4);
    json_decref(tree);
}

TEST(test_other_commands)
{
    assert_int_equal(2, cli_run("", "drift pendulum --estimate"));
    assert_non_null(strstr(cli_said.err, "--estimate"));
    json_t *tree = parsed(0, "solve pendulum --format json");
    assert_int_equal(count_rows(tree, "estimates", ""), 0);
    json_decref(tree);
}

/* Of which unknowns the error test holds less than the tolerance */
TEST(test_scaled_unknowns)
{
    static const struct { const char *arguments, *words; } of[] = {
        {"solve linear_dae --rtol 1e-6", "of index 2 and above, z: the error test"},
        {"solve linear_dae --rtol 1e-6 --method ida", "of index 2 and above, z: the error test"},
        {"solve chain --form index2 --rtol 1e-6", " and 4 more: the error test"},
        {"solve linear_dae --form index1", NULL}, {"solve pendulum", NULL}, {"solve linear_dae --step 0.1", NULL},
        {"solve linear_dae --estimate", NULL}, {"solve linear_dae --error-test differential", NULL}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        assert_int_equal(0, cli_run("", of[k].arguments));
        if (!strstr(cli_said.out, of[k].words ? of[k].words : "the error test") != !of[k].words)
            fail_msg("%s: %s", of[k].arguments, cli_said.out);
    }
}

int main(void) { return run_all(cli_begin, cli_end); }
