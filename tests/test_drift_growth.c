/* test_drift_growth - how drift grows in runs of which the law is known */
#include "cli_json.h"

static double expect(const char *arguments, const char *quantity, const char *law)
{
    char line[512], where[64];
    snprintf(line, sizeof line, "drift %s --format json", arguments);
    snprintf(where, sizeof where, "quantity=%s", quantity);
    json_t *tree = parsed(0, line);
    const char *found = text_in(tree, "growth", where, "law");
    if (strcmp(found, law) != 0)
        fail_msg("drift %s, %s: %s, not %s: %s", arguments, quantity, found, law,
                 text_in(tree, "growth", where, "reason"));
    const double rate = number_in(tree, "growth", where, "rate"), t = number_in(tree, "growth", where, "t_largest");
    assert_true(t >= number_in(tree, "growth", where, "t_start") && t <= number_in(tree, "growth", where, "t_end"));
    json_decref(tree);
    return rate;
}

/* Nothing holds the rope in index 1: d2g/dt2 = 0 holds to rounding, what rk4 adds to dg/dt in each step adds up, and
 * |g| is its integral: c = b/2. The rates do not depend on how long one looks. */
TEST(test_index_1)
{
    double b = 0, c = 0;
    for (int k = 0; k < 2; k++) {
        char run[128];
        snprintf(run, sizeof run, "pendulum --form index1 --method rk4 --step 0.02 --t-end %d", k ? 60 : 30);
        const double linear = expect(run, "velocity", "linear"), quadratic = expect(run, "position", "quadratic");
        assert_close(quadratic / linear, 0.5, 0.05);
        expect(run, "acceleration", "not determined");
        if (k) {
            assert_close(linear / b, 1, 0.05);
            assert_close(quadratic / c, 1, 0.05);
        }
        b = linear;
        c = quadratic;
    }
}

TEST(test_stabilised)
{
    static const char *const quantities[] = {"position", "velocity", "acceleration"};
    for (int i = 0; i < 3; i++) {
        const double bound = expect("pendulum --form ggl --method cros --step 0.02 --t-end 60", quantities[i],
                                    "bounded");
        assert_true(bound > 1e-5 && bound < 1);
    }
}

/* A planet by a method that is not symplectic: its energy falls at a rate that stays. */
TEST(test_planet)
{
    const double rate = expect("kepler --method rk4 --step 0.02 --t-end 300", "invariant", "linear");
    const double finer = expect("kepler --method rk4 --step 0.01 --t-end 300", "invariant", "linear");
    assert_close(log2(rate / finer), 5, 0.3);           /* h^5 of each period, to energy */
}

static const char spring[] =
    "#ifndef DAE_PASS\n"
    "enum { K };\n"
    "#include <daelab/model.h>\n"
    "const dae_problem dae_spring = {.name = \"spring\", .title = \"a mass on a spring\", .citation = \"-\",\n"
    "    .equations = \"x'' = -k x\", .variables = \"x v\", .units = \"m m/s\",\n"
    "    .parameters = {{\"k\", 4, \"1/s^2\", \"k\"}}, .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia),\n"
    "    .force = DAE_MODEL(force), .energy = DAE_MODEL(energy), .conservative = 1},\n"
    "    .start = DAE_MODEL(start), .t_end = 100};\n"
    "DAE_PLUGIN_PROBLEMS(&dae_spring);\n"
    "#else\n"
    "static void FN(start)(const param *p, real *u) { u[0] = 1; }\n"
    "static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r) { r[0] = a[0]; }\n"
    "static void FN(force)(const param *p, real t, const real *q, const real *v, real *f) { f[0] = -p[K] * q[0]; }\n"
    "static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)\n"
    "{ h[0] = (v[0] * v[0] + p[K] * q[0] * q[0]) / 2; }\n"
    "#endif\n";

/* Euler multiplies the energy of x'' = -k x by 1 + k h^2 in each step, exactly. */
TEST(test_euler)
{
    char path[256];
    snprintf(path, sizeof path, "%s/spring.c", cli_folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(spring, f);
    assert_int_equal(fclose(f), 0);
    const double h = 0.05, lambda = log1p(4 * h * h) / h;
    const double rate = expect("./spring.c --form index1 --method euler --step 0.05", "energy", "exponential");
    assert_close(rate / lambda, 1, 0.03);
}

/* A run that fails has no law, and says so. */
TEST(test_failed)
{
    json_t *tree = parsed(1, "drift chain --form index1 --method rk4 --step 0.01 --t-end 50 --format json");
    assert_string_equal(text_in(tree, "growth", "quantity=position", "law"), "not determined");
    assert_string_equal(text_in(tree, "growth", "quantity=position", "reason"), "the run failed");
    assert_int_equal(count_rows(tree, "growth", ""), 4);
    json_decref(tree);
}

TEST(test_table)
{
    assert_int_equal(0, cli_run("", "drift pendulum --form index1,ode --method rk4 --step 0.02 --t-end 30"));
    assert_non_null(strstr(cli_said.out, "how the largest so far grows"));
    assert_non_null(strstr(cli_said.out, "quadratic, 1"));
    assert_non_null(strstr(cli_said.out, "e-08/s^2"));
    assert_non_null(strstr(cli_said.out, "not determined (at rounding)"));
}

/* Steps that nobody has set are told, and only those. */
TEST(test_default_step)
{
    static const char *const set[] = {"--step 0.1", "--rtol 1e-4"};
    assert_int_equal(0, cli_run("", "drift pendulum --form index1 --method radau,cros,ida"));
    assert_non_null(strstr(cli_said.out,
                           "by default: 40 fixed steps of 0.05 by radau, 400 fixed steps of 0.005 by cros"));
    for (int k = 0; k < 2; k++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "drift pendulum --form index1 --method radau,cros %s", set[k]);
        assert_int_equal(0, cli_run("", arguments));
        assert_null(strstr(cli_said.out, "fixed steps of"));
    }
}

int main(void) { return run_all(cli_begin, cli_end); }
