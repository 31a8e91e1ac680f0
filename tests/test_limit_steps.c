/* test_limit_steps.c - a limit of steps is a typed end of a run, in each study */
#include "cli_json.h"
#include "cli_says.h"

/* Levels of 40, 80, 160 steps. */
TEST(test_converge)
{
    json_t *tree = parsed(1, "converge pendulum --form index1 --method rk4 --step 0.05 --levels 3 --limit-steps 100 "
                             "--format json");
    assert_string_equal(text_in(tree, "runs", "#1", "status"), "ok");
    assert_string_equal(text_in(tree, "runs", "#2", "status"), "limit_steps");
    assert_int_equal(json_integer_value(at(tree, "options/limit_steps")), 100);
    json_decref(tree);
}

TEST(test_every_study)
{
    static const char *const lines[][2] = {
        {"drift pendulum --form index1 --method radau5 --rtol 1e-9 --limit-steps 5", "runs"},
        {"bench pendulum --form index1 --method radau5 --rtol 1e-9 --levels 1 --runs 1 --limit-steps 5", "runs"},
        {"solve pendulum --form index1 --method radau5 --rtol 1e-9 --limit-steps 5", "runs"},
        {"solve string_pendulum --method radau5 --rtol 1e-9 --limit-steps 2", "runs"},
        {"scale chain --vary N=3 --method radau5 --rtol 1e-9 --runs 1 --limit-steps 3", "scale"},
    };
    char line[256];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(line, sizeof line, "%s --format json", lines[i][0]);
        json_t *tree = parsed(1, line);
        assert_string_equal(text_in(tree, lines[i][1], "", "status"), "limit_steps");
        json_decref(tree);
    }
}

/* More than are made change nothing; what is kept is of one limit. */
TEST(test_enough)
{
    json_t *with = parsed(0, "converge pendulum --form index1 --method rk4 --step 0.05 --levels 3 --limit-steps 160 "
                             "--format json");
    json_t *without = parsed(0, "converge pendulum --form index1 --method rk4 --step 0.05 --levels 3 --format json");
    assert_true(number_in(with, "runs", "#2", "error_position") == number_in(without, "runs", "#2", "error_position"));
    json_decref(with);
    json_decref(without);
    refused("", "solve pendulum --limit-steps 0", USAGE, "--limit-steps 0");
    refused("", "check pendulum --limit-steps 5", USAGE, "no option");
}

int main(void) { return run_all(cli_begin, cli_end); }
