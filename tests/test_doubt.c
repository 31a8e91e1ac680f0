/* test_doubt.c - what the declared orders say against a number stands beside it: on the terminal,
 * in the JSON and in the CSV, whatever the command */

#include "cli_json.h"

#include <daelab/doubt.h>
#include "study/solve.h"

static int remarks(const json_t *tree, const char *words)
{
    const json_t *list = at(tree, "remarks");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strstr(text_at(json_array_get(list, i), "text"), words))
            return 1;
    return 0;
}

/* Multipliers of index 3 by methods that declare order 0 for them, with fixed steps. */
TEST(test_order_zero)
{
    static const char *const runs[] = {
        "solve pendulum --form index3 --step 0.02",
        "drift pendulum --form all --step 0.02 --reference",
        "converge pendulum --form index3 --levels 2",
        "bench pendulum --form index3 --levels 1 --step 0.02 --runs 1 --seconds 1e-9"};
    static const char *const methods[] = {"cros", "cros4", "rodas4", "excros"};
    const char *const words = "multiplier has order 0, and converges to something else";
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            char arguments[256], said[128];
            snprintf(said, sizeof said, "index3 %s: %s", methods[m], words);
            snprintf(arguments, sizeof arguments, "%s --method %s", runs[r], methods[m]);
            assert_int_equal(0, cli_run("", arguments));
            assert_non_null(strstr(cli_said.out, said));
            if (r == 0)
                assert_non_null(strstr(cli_said.out, "T [N], wrong"));
            snprintf(arguments, sizeof arguments, "%s --method %s --format json", runs[r],
                     methods[m]);
            json_t *tree = parsed(0, arguments);
            assert_true(remarks(tree, said));
            assert_non_null(strstr(cli_said.err, said));
            json_decref(tree);
            snprintf(arguments, sizeof arguments, "%s --method %s --format csv --output d.csv",
                     runs[r], methods[m]);
            assert_int_equal(0, cli_run("", arguments));
            assert_non_null(strstr(cli_said.err, said));
        }
}

/* Nothing is said where there is nothing: other forms, methods, and chosen steps, whose
 * multipliers are those of the acceleration level. */
TEST(test_no_doubt)
{
    static const char *const runs[] = {
        "solve pendulum --form index2 --method cros --step 0.02",
        "solve pendulum --form index3 --method radau5 --step 0.02",
        "solve pendulum --form index3 --method rodas5p --step 0.02",
        "solve pendulum --form index3 --method ida",
        "solve pendulum --form index2 --method rodas4 --rtol 1e-4",
        "drift pendulum --form index1,index2,ggl,ode --method cros,ida --reference --step 0.02",
        "drift pendulum --form baumgarte --method cros,ida --reference --step 0.02"};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "%s --format json", runs[r]);
        json_t *tree = parsed(0, arguments);
        if (json_array_size(at(tree, "remarks")) != 0)
            fail_msg("daelab %s: %s", arguments, text_at(tree, "remarks/0/text"));
        assert_string_equal("", cli_said.err);
        json_decref(tree);
    }
    json_t *tree = parsed(0, "solve pendulum --form index3 --method cros --rtol 1e-4 "
                             "--format json");
    assert_false(remarks(tree, "something else"));
    json_decref(tree);
}

/* The estimate against the true error, that of a run of order 5 in index 1. */
TEST(test_low_order)
{
    json_t *tree = parsed(0, "solve slider_crank --form index1 --method radau5 --rtol 1e-10 "
                             "--samples 1 --format json");
    const double a1 = number_in(tree, "solution", "#1", "a1");
    json_decref(tree);
    tree = parsed(0, "solve slider_crank --form index3 --method rodas4 --rtol 1e-6 --samples 1 "
                     "--format json");
    assert_true(remarks(tree, "order 1 in index 3: the error of a1 is estimated at "));
    const char *number = strstr(text_at(tree, "remarks/0/text"), "estimated at ");
    const double estimate = strtod(number + strlen("estimated at "), NULL);
    assert_in_range(100 * fabs(number_in(tree, "solution", "#1", "a1") - a1) / estimate, 90, 230);
    assert_int_equal(count_rows(tree, "estimates", ""), 0);
    json_decref(tree);
    assert_int_equal(0, cli_run("", "drift slider_crank --form index3 --method rodas4 --rtol "
                                    "1e-3"));
    assert_non_null(strstr(cli_said.out, "order 1 in index 3, where errors may be far above"));
}

/* x' = v, v' = z, 0 = x - (1 + t^2/2): index 3, where cros declares nothing. */
static void rhs(const double *p, double t, const double *u, double *F)
{
    F[0] = u[1];
    F[1] = u[2];
    F[2] = u[0] - 1 - t * t / 2;
}

static void rhs_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    F[0] = u[1];
    F[1] = u[2];
    F[2] = u[0] - 1 - t * t / 2;
}

static void mass(const double *p, double t, const double *u, const double *x, double *out)
{
    out[0] = x[0];
    out[1] = x[1];
    out[2] = 0 * x[2];
}

static void mass_dual(const double *p, dae_dual t, const dae_dual *u, const dae_dual *x, dae_dual *out)
{
    out[0] = x[0];
    out[1] = x[1];
    out[2] = 0 * x[2];
}

static void start(const double *p, double *u)
{
    u[0] = u[2] = 1;
    u[1] = 0;
}

static const dae_problem third = {
    .name = "third", .title = "of index 3", .citation = "none", .equations = "x'' = z",
    .variables = "x v z", .units = "m m/s m/s^2", .start = {start}, .t_end = 1,
    .first_order = {.n = 3, .index = 3, .mass = {.f = mass, .dual = mass_dual},
                    .rhs = {.f = rhs, .dual = rhs_dual}}};

static dae_status solve_third(const char *method, int forced)
{
    study_specification o = study_default_specification(&third);
    dae_report why = {0};
    solve_result r;
    o.forms = o.methods = 1;
    o.form[0] = dae_find_formulation("native");
    o.method[0] = dae_find_method(method);
    o.run.step = 0.1;
    o.forced = forced;
    const dae_status status = solve_study(&r, &o, &why);
    solve_result_free(&r);
    return status;
}

/* Refused unless forced, where a method that declares orders declares none for what is
 * differentiated. */
TEST(test_undeclared)
{
    assert_int_equal(DAE_BAD_ARGUMENT, solve_third("cros", 0));
    assert_int_not_equal(DAE_BAD_ARGUMENT, solve_third("cros", 1));
    assert_int_not_equal(DAE_BAD_ARGUMENT, solve_third("radau5", 0));
    assert_int_equal(0, cli_run("", "solve pendulum --force"));
    for (int i = 0; dae_problems[i]; i++)               /* none of those that are shipped */
        for (int f = 0; dae_formulation_at(f); f++)
            for (int m = 0; dae_method_at(m); m++) {
                const dae_problem *problem = dae_problems[i];
                const dae_options options = dae_default_options();
                const dae_formulation *form = dae_formulation_at(f);
                const dae_method *method = dae_method_at(m);
                dae_hybrid *run = NULL;
                if (!dae_hybrid_create(&run, problem, form, NULL, NULL, method, &options, NULL)
                    && dae_doubt_refuse(&(dae_doubt){.problem = problem, .form = form, .method = method}, "method",
                                        "force", NULL))
                    fail_msg("%s %s %s", problem->name, dae_formulation_describe(form).name,
                             dae_method_describe(method).name);
                dae_hybrid_free(run);
            }
}

/* A run that fails with steps that nobody chose says what chooses them; one with steps of the user's does not,
 * nor a method that has no others. */
TEST(test_default_steps)
{
    static const struct { const char *arguments; int hint; } runs[] = {
        {"drift robertson --method radau", 1}, {"solve robertson --method radau --step 1e9", 0},
        {"drift robertson --method radau --step 1e9", 0}, {"solve robertson --method euler", 0}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "%s --format json", runs[i].arguments);
        if (cli_run("", arguments) == 0)
            fail_msg("daelab %s does not fail", arguments);
        json_t *tree = json_loads(cli_said.out, 0, NULL);
        if (tree && remarks(tree, "with --rtol it chooses them") != runs[i].hint)
            fail_msg("daelab %s: %s", arguments, cli_said.out);
        assert_true(tree || !runs[i].hint);
        json_decref(tree);
    }
}

int main(void) { return run_all(cli_begin, cli_end); }
