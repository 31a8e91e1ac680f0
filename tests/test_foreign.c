/* test_foreign.c - methods that daelab does not have: coefficients in a file, and a solver of another hand
 *
 * The coefficients are those of docs/own_methods.md; the solver and its wrapper stand in examples/foreign/.
 */
#include "cli_json.h"

enum { DONE, NUMERICAL, USAGE, SYSTEM };

/* The coefficients of Bogacki and Shampine, changed by sed. */
static void write_bs32(const char *name, const char *change)
{
    static const char text[] =
        "#include <daelab/plugin.h>\\n#include <daelab/tableau.h>\\n"
        "static const dae_butcher coefficients = {.stages = 4, .c = {0, 0.5, 0.75, 1},\\n"
        "    .A = {{0}, {0.5}, {0, 0.75}, {2. / 9, 1. / 3, 4. / 9}},\\n"
        "    .b = {2. / 9, 1. / 3, 4. / 9}, .b_hat = {7. / 24, 0.25, 1. / 3, 0.125}};\\n"
        "static const dae_method bs32 = {.info = {.name = \"bs32\", .title = \"a pair\", .fixed = 1,\\n"
        "    .adaptive = 1, .order = DAE_ORDERS(3)}, DAE_EXPLICIT_METHOD(coefficients, 2)};\\n"
        "DAE_PLUGIN_METHODS(&bs32);\\n";
    char command[2048];
    assert_in_range(snprintf(command, sizeof command, "printf '%s' | sed -e '%s' >'%s/%s'", text, change,
                             cli_folder, name), 1, sizeof command - 1);
    assert_int_equal(system(command), 0);
}

static void run(const char *arguments)
{
    if (cli_run("", arguments) != DONE)
        fail_msg("%s: %s", arguments, cli_said.err);
}

TEST(test_coefficients)
{
    write_bs32("bs32.c", "");
    assert_true(agreeing_orders("converge pendulum --form index1,ode --method ./bs32.c,rk4 --format json") >= 14);
    assert_true(agreeing_orders("converge predator_prey --plugin ./bs32.c --method bs32 --format json") >= 1);
    run("drift pendulum --form index1 --plugin bs32.c --method bs32,dopri5 --rtol 1e-6");
    assert_non_null(strstr(cli_said.out, "index1  bs32"));
    run("bench predator_prey --plugin bs32.c --method bs32,rodas4 --rtol 1e-6 --levels 1 --runs 1 --seconds 1e-6");
    assert_non_null(strstr(cli_said.out, "native  bs32"));
}

TEST(test_slips)
{
    write_bs32("slip.c", "s/4. \\/ 9}}/4. \\/ 9.0001}}/");
    assert_int_not_equal(cli_run("", "converge predator_prey --method ./slip.c"), DONE);
    assert_non_null(strstr(cli_said.err, "bs32: c_4 = 1, and row 4 of A sums to 0.99999"));
    write_bs32("slip.c", "s/, 0.125}/, 0.25}/");
    assert_int_not_equal(cli_run("", "solve predator_prey --rtol 1e-6 --method ./slip.c"), DONE);
    assert_non_null(strstr(cli_said.err, "bs32: its coefficients have not the order 2: with b_hat"));
}

/* The number of steps of the first run of a drift. */
static double steps_taken(const char *arguments)
{
    json_t *tree = parsed(DONE, arguments);
    const double steps = number_in(tree, "runs", "", "steps");
    json_decref(tree);
    return steps;
}

/* A solver that knows nothing of them keeps a largest and a first step. */
TEST(test_bounded_steps)
{
    static const char start[] = "drift predator_prey --plugin '" FOREIGN_METHOD "' --method eulex --rtol 1e-4 "
                                "--t-end 2 --format json";
    char arguments[512];
    const double free_steps = steps_taken(start);
    snprintf(arguments, sizeof arguments, "%s --max-step 0.01", start);
    const double steps = steps_taken(arguments);
    assert_true(steps >= 200 && steps <= 400);
    assert_true(free_steps < 100);
    snprintf(arguments, sizeof arguments, "%s --first-step 1e-9", start);
    assert_true(steps_taken(arguments) > free_steps);
}

TEST(test_another_hand)
{
    assert_true(agreeing_orders("converge pendulum --form index1 --plugin '" FOREIGN_METHOD "' --method eulex,rodas4 "
                                "--format json") >= 8);
    assert_true(agreeing_orders("converge predator_prey --plugin '" FOREIGN_METHOD "' --method eulex --format json")
                >= 1);
    run("drift pendulum --form index1,ode --plugin '" FOREIGN_METHOD "' --method eulex,ida --rtol 1e-6");
    assert_non_null(strstr(cli_said.out, "index1  eulex"));
    run("bench hires,robertson --plugin '" FOREIGN_METHOD "' --method eulex,rodas4 --rtol 1e-6 --levels 1 "
        "--runs 1 --seconds 1e-6");
    assert_non_null(strstr(cli_said.out, "native  eulex"));
    assert_null(strstr(cli_said.out, "failed"));
    run("solve van_der_pol --plugin '" FOREIGN_METHOD "' --method eulex --rtol 1e-6");
    assert_non_null(strstr(cli_said.out, "1.706168"));
}

int main(void) { return run_all(cli_begin, cli_end); }
