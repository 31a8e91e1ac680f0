/* test_commands.c - the commands as a user runs them: the golden run, the shape of the results, and
 * that every format says the same */
#include "cli_json.h"

/* The golden run by the command of the README: rows at 1.999, 2 and 100. */
TEST(test_golden_command)
{
    const char *line, *jacobians[] = {"analytic", "dual", "fd"};
    const double T_tolerance[] = {4.5e-9, 4.5e-9, 1e-3};
    for (int k = 0; k < 3; k++) {
        char arguments[256];
        double t, x, y, vx, vy, T;
        snprintf(arguments, sizeof arguments, "solve pendulum --form index3 --method cros --step "
                 "0.001 --t-end 100 --start as-given --samples 50 --format csv --jacobian %s",
                 jacobians[k]);
        assert_int_equal(0, cli_run("", arguments));
        line = strstr(cli_said.out, "\n2,");
        assert_non_null(line);
        assert_int_equal(6, sscanf(line, "\n%lf,%lf,%lf,%lf,%lf,%lf", &t, &x, &y, &vx, &vy, &T));
        assert_close(x, -2.7845575401166798, 1e-9);
        assert_close(y, -4.1528595367181325, 1e-9);
        assert_close(T, 7.540818604483046, T_tolerance[k]);
        line = strstr(cli_said.out, "\n100,");
        assert_non_null(line);
        assert_int_equal(6, sscanf(line, "\n%lf,%lf,%lf,%lf,%lf,%lf", &t, &x, &y, &vx, &vy, &T));
        assert_close(x, -0.6559716295749911, 1e-7);
        assert_close(y, -4.956785246046211, 1e-7);
        assert_close(T, 5.975489922303506, k < 2 ? 1e-7 : 1e-3);
    }
}

TEST(test_converge_json)
{
    json_t *tree = parsed(0, "converge pendulum --form index3,index1 --method cros,ida --levels 3 "
                          "--format json");
    assert_string_equal(DAELAB_VERSION, text_at(tree, "daelab"));
    assert_string_equal("pendulum", text_at(tree, "problem"));
    assert_close(number_at(tree, "parameters/L"), 5, 0);
    assert_close(number_at(tree, "t_end"), 2, 0);
    const char *T = text_in(tree, "references", "unknown=T", "value");
    assert_true(number_in(tree, "references", "unknown=T", "digits") >= 24);
    assert_true(strncmp("8.75119688362091", T, 16) == 0 && strlen(T) >= 25);
    assert_true(number_at(tree, "machine/cores") >= 1);
    assert_int_equal(12, count_rows(tree, "runs", "status=ok"));
    const char *cros = "form=index3 method=cros", *ida = "form=index3 method=ida";
    assert_close(number_in(tree, "runs", cros, "step"), 2.0 / 255, 1e-15);
    assert_true(isnan(number_in(tree, "runs", cros, "rtol")));
    assert_true(isnan(number_in(tree, "runs", ida, "step")));
    assert_close(number_in(tree, "runs", "form=index3 method=ida #2", "rtol"), 1e-6, 1e-20);
    const char *const positive[] = {"error_position", "error_velocity", "error_multiplier",
                                    "error_recovered", "drift_position", "drift_velocity",
                                    "drift_acceleration", "drift_energy", "seconds", "nonzeros", "fill"};
    for (size_t k = 0; k < sizeof positive / sizeof *positive; k++)
        assert_true(number_in(tree, "runs", k < 4 ? "form=index1 method=cros #1" : "#1", positive[k]) > 0);
    const char *const counts[] = {"steps", "jacobians", "factorizations"};
    for (int k = 0; k < 3; k++)
        assert_true(number_in(tree, "runs", "#1", counts[k]) == 510);
    cros = "form=index3 method=cros class=multiplier";
    assert_close(number_in(tree, "orders", cros, "observed"), 0, 0.15);
    assert_close(number_in(tree, "orders", cros, "declared"), 0, 0);
    assert_string_equal("agrees", text_in(tree, "orders", cros, "verdict"));
    assert_true(isnan(number_in(tree, "orders", ida, "declared")));
    json_decref(tree);
}

/* A study for each value of a parameter: those of single runs, with a reference each. */
TEST(test_vary)
{
    json_t *both = parsed(0, "converge pendulum --form index1,ode --method cros --vary L=5,6 "
                          "--levels 2 --format json");
    json_t *one = parsed(0, "converge pendulum --form index1,ode --method cros --param L=6 "
                         "--levels 2 --format json");
    assert_int_equal(8, count_rows(both, "runs", ""));
    assert_int_equal(2, count_rows(both, "runs", "vary_L=5 form=ode"));
    assert_true(number_in(both, "runs", "vary_L=6 form=ode #1", "error_position")
                == number_in(one, "runs", "form=ode #1", "error_position"));
    assert_string_equal(text_in(both, "references", "vary_L=6 unknown=T", "value"),
                        text_in(one, "references", "unknown=T", "value"));
    json_decref(both);
    json_decref(one);
    assert_int_equal(0, cli_run("", "converge pendulum --form ode --vary L=5,6 --levels 2 "
                                "--format csv"));
    assert_non_null(strstr(cli_said.out, "parameters,vary_L,t_start"));
    assert_non_null(strstr(cli_said.out,
                           ",ode,cros,m=1 L=6 g0=9.81 g1=0.05 frequency=1 x0=3 y0=-4 vx0=0 vy0=0 T0=0,6,"));
}

/* Richardson's estimate for the tension in index 3 promises hundreds of times too much. */
TEST(test_richardson_is_fooled)
{
    json_t *tree = parsed(0, "converge pendulum --form index3 --method cros --format json");
    assert_close(number_in(tree, "runs", "#3", "error_multiplier"), 1.21, 0.01);
    assert_true(number_in(tree, "orders", "class=multiplier", "estimated_error") < 5e-3);
    const double estimate = number_in(tree, "orders", "class=position", "estimated_error");
    assert_close(estimate / number_in(tree, "runs", "#3", "error_position"), 1, 0.05);
    json_decref(tree);
}

/* IDA at rtol 1e-10 in index 1: T(2) of the quad reference to 1e-8. */
TEST(test_ida_tension)
{
    json_t *tree = parsed(0, "solve pendulum --form index1 --method ida --rtol 1e-10 --samples 1 "
                          "--format json");
    assert_close(number_in(tree, "solution", "t=2", "T"), 8.75119688362091, 1e-8);
    json_decref(tree);
}

/* With a step so small that it has converged, CSV and JSON carry the same numbers bit for bit. */
TEST(test_formats_agree)
{
    enum { COLUMNS = 6 };                               /* t x y vx vy T */
    json_t *tree = parsed(0, "solve pendulum --form ggl --samples 4 --format json");
    const json_t *rows = at(tree, "tables/solution/rows");
    assert_int_equal(5, json_array_size(rows));
    assert_int_equal(0, cli_run("", "solve pendulum --form ggl --samples 4 --format csv"));
    const char *c = strstr(cli_said.out, "\n0,");
    assert_non_null(c);
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < COLUMNS; k++) {
            char *end;
            const double x = strtod(++c, &end);
            assert_true(end > c);
            assert_true(x == json_number_value(json_array_get(json_array_get(rows, i), k)));
            c = k + 1 < COLUMNS ? end : strchr(end, '\n');
        }
    json_decref(tree);
    assert_int_equal(0, cli_run("", "solve pendulum --form ggl --samples 4 --format md"));
    assert_non_null(strstr(cli_said.out, "| t [s] |"));
}

/* Where neither steps nor a tolerance is given, steps are chosen: of a stiff problem, and by a method of order 2,
 * the end is that of the IVP test set. A method that estimates no error says so where it is asked to. */
TEST(test_default_steps)
{
    static const char *const lines[] = {"solve van_der_pol --samples 1 --format json",
                                        "solve van_der_pol --method cros --samples 1 --format json"};
    for (int i = 0; i < 2; i++) {
        json_t *tree = parsed(0, lines[i]);
        assert_close(number_in(tree, "solution", "#1", "y1"), 1.706167732170, 1e-4);
        assert_close(number_in(tree, "solution", "#1", "y2"), -0.892809701024, 1e-4);
        json_decref(tree);
    }
    assert_int_equal(0, cli_run("", "new trapeze --method"));
    assert_int_equal(2, cli_run("", "solve pendulum --method ./trapeze.c --rtol 1e-6"));
    assert_non_null(strstr(cli_said.err, "estimate no error and take fixed steps"));
    assert_int_equal(0, cli_run("", "solve pendulum --method ./trapeze.c"));
    assert_non_null(strstr(cli_said.out, "trapeze: 400 steps"));
    json_t *tree = parsed(0, "solve pendulum --method ./trapeze.c --samples 1 --format json");
    assert_string_equal("./trapeze.c", text_at(tree, "provenance/methods/trapeze"));
    json_decref(tree);
}

/* --output holds what standard output would have held, and nothing is printed. */
TEST(test_output_file)
{
    static char direct[CLI_TEXT], file[CLI_TEXT];
    assert_int_equal(0, cli_run("", "solve linear_dae --samples 50 --format csv"));
    memcpy(direct, cli_said.out, sizeof direct);
    assert_int_equal(0, cli_run("", "solve linear_dae --samples 50 --format csv --output d.csv"));
    assert_string_equal("", cli_said.out);
    assert_string_equal("", cli_said.err);
    cli_read("d.csv", file);
    assert_string_equal(direct, file);
}

/* Rows are where they are wanted, between steps too, and the end is always one. */
TEST(test_rows)
{
    assert_int_equal(0, cli_run("", "solve pendulum --every 0.6 --step 0.25 --format csv"));
    assert_non_null(strstr(cli_said.out, "\n0.6,"));
    assert_non_null(strstr(cli_said.out, "\n1.2,"));
    assert_non_null(strstr(cli_said.out, "\n2,"));
    assert_int_equal(0, cli_run("", "solve pendulum --every 0.7 --method ida --format csv"));
    assert_non_null(strstr(cli_said.out, "\n0.7,"));
    assert_non_null(strstr(cli_said.out, "\n1.4,"));
    assert_non_null(strstr(cli_said.out, "\n2,"));
}

/* A step that does not divide the interval is made to, so that the orders stay true; and what made a
 * result stands in every format, the orders too. */
TEST(test_converge_csv)
{
    assert_int_equal(0, cli_run("", "converge pendulum --form index3,baumgarte --method cros --step "
                                    "0.0053 --alpha 3 --start as-given --format csv"));
    assert_non_null(strstr(cli_said.out, ",as-given,"));
    assert_non_null(strstr(cli_said.out, ",none,3,"));
    assert_int_equal(0, cli_run("", "converge pendulum --form index3,baumgarte --method cros,ida --step "
                                    "0.0053 --alpha 3 --format csv --table orders"));
    assert_non_null(strstr(cli_said.out, "levels_by,class,observed,low,high,slope_1,"));
    assert_non_null(strstr(cli_said.out, ",step,multiplier,"));
    json_t *tree = parsed(0, "converge pendulum --form index1 --method cros --step 0.0053 "
                             "--format json");
    assert_close(number_in(tree, "runs", "", "step"), 2.0 / 378, 1e-15);
    json_decref(tree);
}

/* The classic demonstration: explicit methods on index 1 drift, with their own order. */
TEST(test_explicit_drift)
{
    json_t *tree = parsed(0, "drift pendulum --form index1,ode --method euler,heun,rk4 --step 0.01 "
                          "--t-end 10 --format json");
    double drift[6];
    for (int k = 0; k < 6; k++) {
        char where[16];
        snprintf(where, sizeof where, "#%d", k);
        drift[k] = number_in(tree, "runs", where, "drift_position");
    }
    assert_true(drift[0] > 0.1 && drift[1] < 1e-2 * drift[0] && drift[2] < 1e-2 * drift[1]);
    for (int k = 3; k < 6; k++)
        assert_true(drift[k] < 1e-14);                  /* minimal coordinates cannot drift */
    json_decref(tree);
}

/* One run for each --project, with the error at the end; solve says what was moved. */
TEST(test_projection)
{
    json_t *tree = parsed(0, "drift predator_prey --method dopri5 --rtol 1e-6 --project none --project "
                             "invariant --reference --format json --quiet");
    assert_true(number_in(tree, "runs", "project=none", "drift_invariant") > 1e-8);
    assert_true(number_in(tree, "runs", "project=none", "projections") == 0);
    assert_true(number_in(tree, "runs", "project=invariant", "drift_invariant") < 1e-14);
    assert_true(number_in(tree, "runs", "project=invariant", "error_differential") > 0);
    assert_true(number_in(tree, "runs", "project=invariant", "projections") > 10);
    assert_true(number_in(tree, "runs", "project=invariant", "correction") > 0);
    json_decref(tree);
    assert_int_equal(0, cli_run("", "solve pendulum --method rk4 --step 0.005 --project position,velocity --quiet"));
    assert_non_null(strstr(cli_said.out, "project=position,velocity"));
    assert_non_null(strstr(cli_said.out, "projection on position,velocity: 400 states moved"));
    assert_int_equal(2, cli_run("", "solve pendulum --project positon"));
    assert_non_null(strstr(cli_said.err, "did you mean position?"));
    assert_int_equal(2, cli_run("", "solve pendulum --project nonsense"));
    assert_non_null(strstr(cli_said.err, "known are none, position, velocity, invariant"));
    assert_int_equal(2, cli_run("", "solve pendulum --project invariant"));
    assert_non_null(strstr(cli_said.err, "states no invariants"));
    assert_int_equal(0, cli_run("", "info kepler"));
    assert_non_null(strstr(cli_said.out, "invariants: energy momentum"));
}

/* list and info know every name of the tables. */
TEST(test_list_and_info)
{
    json_t *tree = parsed(0, "list --json");
    const char *const lists[] = {"problems", "formulations", "methods"};
    for (int l = 0; l < 3; l++) {
        const json_t *rows = at(tree, lists[l]);
        assert_true(json_array_size(rows) > 1);
        for (size_t i = 0; i < json_array_size(rows); i++) {
            char arguments[128];
            snprintf(arguments, sizeof arguments, "info %s",
                     json_string_value(json_object_get(json_array_get(rows, i), "name")));
            assert_int_equal(0, cli_run("", arguments));
            assert_non_null(strstr(cli_said.out, "citation"));
        }
    }
    json_decref(tree);
    assert_int_equal(0, cli_run("", "info robertson"));
    assert_non_null(strstr(cli_said.out, "reference: M u' = F"));
    assert_int_equal(0, cli_run("", "info van_der_pol"));
    assert_non_null(strstr(cli_said.out, "reference: u' = F"));
    assert_int_equal(0, cli_run("", "--version"));
    assert_non_null(strstr(cli_said.out, DAELAB_VERSION));
    assert_int_equal(0, cli_run("", "--help"));
    assert_int_equal(0, cli_run("", "converge --help"));
    assert_non_null(strstr(cli_said.out, "--levels"));
}

int main(void) { return run_all(cli_begin, cli_end); }
