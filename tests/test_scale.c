/* test_scale.c - scaling studies: fitted exponents, the shape of the result, points that fail;
 * nothing here depends on how fast anything is */
#include "cli_json.h"
#include "study/scale.h"

/* Enough for a shape, quickly. */
#define QUICK " --runs 2 --seconds 1e-9 --quiet"

/* ---- exponents ---------------------------------------------------------------------------- */

TEST(test_powers)
{
    const double x[] = {10, 30, 100, 300, 1000};
    for (double p = -1; p <= 3; p += 0.5) {
        double y[5];
        for (int i = 0; i < 5; i++)
            y[i] = 3e-6 * pow(x[i], p);
        const scale_fit fit = scale_exponent(x, y, 5);
        assert_int_equal(5, fit.points);
        assert_close(fit.exponent, p, 1e-12);
        assert_close(fit.last, p, 1e-12);
    }
}

/* y = 1, 1, 8 at x = 1, 2, 4: in logarithms to base 2 the points 0 0, 1 0, 2 3 with slope 3/2. */
TEST(test_least_squares)
{
    const double x[] = {1, 2, 4}, y[] = {1, 1, 8};
    const scale_fit fit = scale_exponent(x, y, 3);
    assert_close(fit.exponent, 1.5, 1e-14);
    assert_close(fit.last, 3, 1e-14);
}

/* Points that are missing, or not positive, change nothing; one point has no slope. */
TEST(test_missing)
{
    const double x[] = {-1, 0, 1, 2, 3, 4, 8}, y[] = {1, 1, 5, NAN, 0, 80, -INFINITY};
    const scale_fit fit = scale_exponent(x, y, 7);
    assert_int_equal(2, fit.points);
    assert_close(fit.exponent, 2, 1e-14);
    assert_close(fit.last, 2, 1e-14);
    assert_true(isnan(scale_exponent(x, y, 5).exponent));
    assert_int_equal(1, scale_exponent(x, y, 5).points);
    assert_int_equal(0, scale_exponent(x, y, 0).points);
    assert_true(isnan(scale_exponent(x, y, 0).last));
}

/* A peak counts where it stands above the pages of the program. */
TEST(test_pair)
{
    const study_specification o = {.smallest = 1};
    scale_pair pair = {.points = 4};
    for (int i = 0; i < 4; i++) {
        scale_point *p = &pair.point[i];
        p->value = pow(10, i);
        p->phase = SCALE_DONE;
        p->step = (work_spread){.median = 1, .smallest = 1e-6 * p->value};
        p->peak = 1e6 * p->value;
        p->held = p->value * p->value;
        p->solve.smallest = p->setup = i == 3 ? NAN : 2;
    }
    assert_close(scale_pair_fit(&o, &pair, SCALE_STEP).exponent, 1, 1e-12);
    assert_close(scale_pair_fit(&o, &pair, SCALE_HELD).exponent, 2, 1e-12);
    assert_close(scale_pair_fit(&o, &pair, SCALE_SOLVE).exponent, 0, 1e-12);
    assert_int_equal(3, scale_pair_fit(&o, &pair, SCALE_SETUP).points);
    assert_int_equal(2, scale_pair_fit(&o, &pair, SCALE_PEAK).points);
    pair.point[3].phase = SCALE_AT_SOLVE;               /* it did not end by itself */
    assert_int_equal(1, scale_pair_fit(&o, &pair, SCALE_PEAK).points);
}

/* ---- the result --------------------------------------------------------------------------- */

static void check_point(const json_t *tree, const char *where, int value)
{
    static const char *const keys[] = {"seconds_step", "step_runs", "seconds_solve", "solve_lower", "solve_upper",
                                       "solve_smallest", "solve_largest", "solve_runs", "seconds_setup", "steps",
                                       "rhs"};
    assert_string_equal("ok", text_in(tree, "scale", where, "status"));
    assert_true(number_in(tree, "scale", where, "unknowns") == 5 * value);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (!(number_in(tree, "scale", where, keys[k]) > 0))
            fail_msg("N = %d: %s", value, keys[k]);
    assert_false(number_in(tree, "scale", where, "bytes_memory") <= 0);     /* there may be no statistics of the heap */
    assert_true(number_in(tree, "scale", where, "bytes_peak") >= 0);
    assert_true(json_is_null(cell_at(tree, "scale", where, "reason")));
}

/* Values in any order, each once; the methods by default, the explicit one without entries. */
TEST(test_shape)
{
    json_t *tree = parsed(0, "scale chain --vary N=4,2,8,4 --format json" QUICK);
    static const char *const methods[] = {"cros", "dop853", "radau", "ida"};
    assert_string_equal("scale", text_at(tree, "command"));
    assert_true(number_at(tree, "limit") == 60);
    assert_true(strlen(text_at(tree, "machine/cpu")) > 0);
    assert_int_equal(12, count_rows(tree, "scale", "parameter=N form=index1"));
    for (int i = 0; i < 4; i++) {
        char where[64];
        for (int k = 0; k < 3; k++) {
            snprintf(where, sizeof where, "value=%d method=%s", 2 << k, methods[i]);
            check_point(tree, where, 2 << k);
            assert_int_equal(i != 1, number_in(tree, "scale", where, "nonzeros") > 0);
            assert_int_equal(i != 1, number_in(tree, "scale", where, "fill") > 0);
        }
        for (scale_quantity q = SCALE_STEP; q <= SCALE_SETUP; q++) {
            snprintf(where, sizeof where, "method=%s quantity=%s", methods[i], scale_names[q]);
            assert_true(isfinite(number_in(tree, "exponents", where, "exponent")));
            assert_true(number_in(tree, "exponents", where, "points") == 3);
        }
    }
    assert_true(isnan(number_in(tree, "scale", "method=ida", "step")));
    json_decref(tree);
}

/* The exponents are those of the points. */
TEST(test_fits)
{
    json_t *tree = parsed(0, "scale chain --vary N=2,4,8 --method cros --time smallest "
                             "--format json" QUICK);
    double x[3], step[3], setup[3];
    for (int k = 0; k < 3; k++) {
        const char *const rows[] = {"#0", "#1", "#2"};
        x[k] = number_in(tree, "scale", rows[k], "value");
        step[k] = number_in(tree, "scale", rows[k], "step_smallest");
        setup[k] = number_in(tree, "scale", rows[k], "seconds_setup");
    }
    assert_string_equal("smallest", text_at(tree, "time"));
    assert_close(number_in(tree, "exponents", "quantity=step", "exponent"),
                 scale_exponent(x, step, 3).exponent, 1e-9);
    assert_close(number_in(tree, "exponents", "quantity=step", "last"),
                 scale_exponent(x, step, 3).last, 1e-9);
    assert_close(number_in(tree, "exponents", "quantity=setup", "exponent"),
                 scale_exponent(x, setup, 3).exponent, 1e-9);
    json_decref(tree);
}

/* Which solves take fixed steps: --step or --rtol alone decides for all, both together do not. */
TEST(test_steps)
{
    static const struct { const char *options; int cros, radau; } rows[] = {
        {"", 400, -1}, {"--step 0.05", 20, 20}, {"--rtol 1e-2", -1, -1},
        {"--step 0.05 --rtol 1e-3", 20, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char arguments[160];
        snprintf(arguments, sizeof arguments, "scale chain --vary N=2 --method cros,radau %s "
                 "--format json" QUICK, rows[i].options);
        json_t *tree = parsed(0, arguments);
        const int steps[] = {rows[i].cros, rows[i].radau};
        for (int m = 0; m < 2; m++) {
            const char *where = m ? "method=radau" : "method=cros";
            assert_int_equal(steps[m] < 0, isfinite(number_in(tree, "scale", where, "rtol")));
            if (steps[m] > 0)
                assert_true(number_in(tree, "scale", where, "steps") == steps[m]);
            assert_true(number_in(tree, "scale", where, "step_runs") == 2);
        }
        json_decref(tree);
    }
}

/* Methods that were named say where they do not exist; others are left out. */
TEST(test_unsupported)
{
    json_t *tree = parsed(0, "scale chain --form index2 --vary N=2,4 --format json" QUICK);
    assert_int_equal(6, count_rows(tree, "scale", ""));
    assert_int_equal(2, count_rows(tree, "scale", "method=radau"));
    json_decref(tree);
    tree = parsed(0, "scale chain --form index2 --method cros,rk4 --vary N=2,4 --format json" QUICK);
    assert_int_equal(1, count_rows(tree, "scale", "method=rk4"));
    assert_non_null(strstr(text_in(tree, "scale", "status=DAE_UNSUPPORTED", "reason"), "rk4 is explicit"));
    json_decref(tree);
}

/* An explicit method on a spring too stiff for its step: the reason, and no larger value. */
TEST(test_failure)
{
    json_t *tree = parsed(1, "scale spring_pendulum --vary k=1e2,1e12,1e13 --method rk4,cros "
                             "--step 0.01 --t-end 1 --format json" QUICK);
    const char *failed = "method=rk4 value=1e12 status=DAE_NOT_FINITE";
    assert_int_equal(4, count_rows(tree, "scale", "status=ok"));
    assert_int_equal(1, count_rows(tree, "scale", "method=rk4 status=ok"));
    assert_true(isnan(number_in(tree, "scale", failed, "seconds_step")));
    assert_true(isnan(number_in(tree, "scale", failed, "seconds_solve")));
    assert_true(isnan(number_in(tree, "scale", failed, "steps")));
    assert_non_null(strstr(text_in(tree, "scale", "status=skipped", "reason"), "k = 1e+12: t = "));
    assert_true(isnan(number_in(tree, "exponents", "method=rk4 quantity=solve", "exponent")));
    json_decref(tree);
}

/* A step that cannot be taken does not keep the solve from being timed. */
TEST(test_no_step)
{
    json_t *tree = parsed(1, "scale spring_tension --vary k=1e4 --method radau --step 1 "
                             "--rtol 1e-3 --format json" QUICK);
    assert_true(isnan(number_in(tree, "scale", "status=ok", "seconds_step")));
    assert_true(number_in(tree, "scale", "", "seconds_solve") > 0);
    assert_non_null(strstr(text_in(tree, "scale", "", "reason"), "no time of a step: t = "));
    json_decref(tree);
}

/* No process does anything in a millionth of a second. */
TEST(test_limit)
{
    json_t *tree = parsed(0, "scale chain --vary N=8,16 --method cros --limit 1e-6 "
                             "--format json" QUICK);
    assert_non_null(strstr(text_in(tree, "scale", "status=limit_time", "reason"), "more than 1e-06 s"));
    assert_string_equal("skipped", text_in(tree, "scale", "#1", "status"));
    json_decref(tree);
}

TEST(test_formats)
{
    static const char run[] = "scale chain --vary N=2,4,8 --method cros,ida";
    char arguments[256];
    snprintf(arguments, sizeof arguments, "%s --format csv" QUICK, run);
    assert_int_equal(0, cli_run("", arguments));
    assert_non_null(strstr(cli_said.out, ",vary_N,"));
    assert_non_null(strstr(cli_said.out, ",parameter,value,unknowns,status,reason,seconds_step,"));
    assert_non_null(strstr(cli_said.out, ",nonzeros,fill,bytes_memory,bytes_peak\n"));
    assert_non_null(strstr(cli_said.out, ",0.0025,,"));
    assert_non_null(strstr(cli_said.out, ",N,2,10,ok,"));
    snprintf(arguments, sizeof arguments, "%s --format csv --table exponents" QUICK, run);
    assert_int_equal(0, cli_run("", arguments));
    assert_non_null(strstr(cli_said.out, ",parameter,quantity,exponent,last,points\n"));
    assert_non_null(strstr(cli_said.out, ",N,setup,"));
    snprintf(arguments, sizeof arguments, "%s --format md" QUICK, run);
    assert_int_equal(0, cli_run("", arguments));
    assert_non_null(strstr(cli_said.out, "| N | status "));
    assert_non_null(strstr(cli_said.out, "exponents p of C N^p"));
    assert_null(strstr(cli_said.out, "| reason |"));
    snprintf(arguments, sizeof arguments, "%s" QUICK, run);
    assert_int_equal(0, cli_run("", arguments));
    assert_non_null(strstr(cli_said.out, "index1  ida "));
}

TEST(test_mistakes)
{
    static const struct { const char *arguments, *says; } mistakes[] = {
        {"scale", "which problem"},
        {"scale pendulum", "--vary"},
        {"scale chain --vary N", "NAME=VALUE"},
        {"scale chain --vary n=2", "did you mean N"},
        {"scale chain --vary N=2,4.5,8", "a whole number"},
        {"scale chain --vary N=0,2", "a whole number"},
        {"scale chain --vary N=2,1e9", "a whole number"},
        {"scale chain --vary N=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "more than 16"},
        {"scale chain --vary m=-1,1", "positive"},
        {"scale chain --vary N=2 --limit 0", "--limit 0"},
        {"scale chain --vary N=2 --step 2", "larger than the interval"},
        {"scale chain --vary N=2 --rtol 2", "below 1"},
        {"scale chain --form ode", "no formulation ode"},
        {"scale chain --levels 3", "no option"},
        {"animate pendulum --limit 3", "no option"},
        {"scael chain", "did you mean scale"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const int status = cli_run("", mistakes[i].arguments);
        if (status != 2 || !strstr(cli_said.err, mistakes[i].says))
            fail_msg("daelab %s: exit status %d: %s", mistakes[i].arguments, status, cli_said.err);
    }
}

int main(void) { return run_all(cli_begin, cli_end); }
