/* test_bench.c - work-precision studies: reading a curve, the shape of the result, and that its
 * errors are those of a convergence study; nothing here depends on how fast anything is */
#include "cli_json.h"
#include "study/work.h"

/* Enough for a shape, quickly. */
#define QUICK " --runs 2 --seconds 1e-9 --format json"

/* ---- reading a curve ---------------------------------------------------------------------- */

/* error = 1e-3 10^-i, time = 1e-5 2^i: a straight line, log-log. */
enum { POINTS = 8 };

static void straight(double *error, double *seconds)
{
    for (int i = 0; i < POINTS; i++) {
        error[i] = 1e-3 * pow(10, -i);
        seconds[i] = 1e-5 * pow(2, i);
    }
}

TEST(test_time_at)
{
    double error[POINTS + 3], seconds[POINTS + 3];
    straight(error, seconds);
    assert_close(work_time_at(error, seconds, POINTS, 1e-6), 8e-5, 1e-18);
    assert_close(work_time_at(error, seconds, POINTS, pow(10, -6.5)), 8e-5 * sqrt(2), 1e-17);
    assert_close(work_time_at(error, seconds, POINTS, 1e-2), 1e-5, 0);      /* all are better */
    assert_true(isnan(work_time_at(error, seconds, POINTS, 0.99e-10)));     /* none is */
    assert_true(isnan(work_time_at(error, seconds, 0, 1e-6)));
    /* points that another one beats, and points that failed, change nothing */
    const double beaten[] = {2e-6, 1e-6, NAN}, slow[] = {1e-3, 1e-4, 1e-9};
    for (int i = 0; i < 3; i++) {
        error[POINTS + i] = beaten[i];
        seconds[POINTS + i] = slow[i];
    }
    assert_close(work_time_at(error, seconds, POINTS + 3, pow(10, -5.5)), 4e-5 * sqrt(2), 1e-17);
    assert_close(work_time_at(error, seconds, POINTS + 3, pow(10, -6.5)), 8e-5 * sqrt(2), 1e-17);
    /* a point better in both replaces those that it beats */
    error[POINTS] = 1e-8;
    seconds[POINTS] = 1e-5;
    assert_close(work_time_at(error, seconds, POINTS + 3, 1e-5), 1e-5, 0);
    assert_close(work_time_at(error, seconds, POINTS + 3, 1e-9), 64e-5, 1e-17);
}

/* In any order of the points the answer is the same; equal points are one. */
TEST(test_order_of_points)
{
    double error[POINTS + 1], seconds[POINTS + 1], e[POINTS + 1], s[POINTS + 1];
    straight(error, seconds);
    error[POINTS] = error[3];
    seconds[POINTS] = seconds[3];
    for (int shift = 0; shift <= POINTS; shift++) {
        for (int i = 0; i <= POINTS; i++) {
            e[i] = error[(i + shift) % (POINTS + 1)];
            s[i] = seconds[(i + shift) % (POINTS + 1)];
        }
        assert_close(work_time_at(e, s, POINTS + 1, pow(10, -6.5)), 8e-5 * sqrt(2), 1e-17);
    }
}

TEST(test_spread)
{
    double odd[] = {5, 1, 4, 2, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    work_spread s = work_spread_of(odd, 5);
    assert_true(s.median == 3 && s.lower == 2 && s.upper == 4 && s.smallest == 1 && s.largest == 5);
    s = work_spread_of(even, 4);
    assert_true(s.median == 2.5 && s.lower == 1 && s.upper == 4);
    s = work_spread_of(one, 1);
    assert_true(s.median == 7 && s.lower == 7 && s.upper == 7 && s.largest == 7);
    assert_true(isnan(work_spread_of(NULL, 0).median));
}

/* ---- the result --------------------------------------------------------------------------- */

TEST(test_shape)
{
    json_t *tree = parsed(0, "bench pendulum --form index1,ode --method ida,cros --rtol 1e-3:1e-5 "
                             "--levels 3" QUICK);
    assert_string_equal("bench", text_at(tree, "command"));
    assert_int_equal(12, count_rows(tree, "work", ""));
    assert_int_equal(3, count_rows(tree, "work", "form=ode method=ida"));
    assert_close(number_in(tree, "work", "#2", "rtol"), 1e-5, 1e-19);
    assert_true(isnan(number_in(tree, "work", "", "step")));
    assert_close(number_in(tree, "work", "method=cros #1", "rtol"), 1e-4, 1e-18);
    const char *const keys[] = {"cpu", "repeats", "scd", "mescd", "steps", "rhs", "factorizations", "solves"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        assert_true(number_in(tree, "work", "#1", keys[k]) > 0);
    const char *const wall[] = {"wall_smallest", "wall_lower", "wall_median", "wall_upper", "wall_largest"};
    double least = 0;
    for (int k = 0; k < 5; k++) {
        assert_true(number_in(tree, "work", "form=ode method=cros", wall[k]) >= least);
        least = number_in(tree, "work", "form=ode method=cros", wall[k]);
    }
    assert_true(least > 0);
    assert_true(number_in(tree, "work", "", "repeats") >= 2);
    assert_int_equal(0, count_rows(tree, "targets", ""));
    json_decref(tree);
}

/* Every result says which SUNDIALS ran. */
TEST(test_sundials)
{
    json_t *tree = parsed(0, "solve linear_dae --method cros --format json");
    const char *kind = text_at(tree, "machine/sundials/kind");
    assert_true(strcmp(kind, "distribution") == 0 || strcmp(kind, "own build") == 0);
    assert_true(strlen(text_at(tree, "machine/sundials/version")) > 2);
    assert_true(strlen(text_at(tree, "machine/sundials/how")) > 10);
    const json_t *optimised = at(tree, "machine/sundials/optimised");
    assert_true(json_is_boolean(optimised) || json_is_null(optimised));
    json_decref(tree);
}

/* |ref| of the pendulum's position at t = 2 lies in [2.78, 4.16]; with atol = rtol the denominator
 * of mescd is larger by 1. In minimal coordinates x, y, vx, vy are the state's components. */
TEST(test_digits)
{
    json_t *tree = parsed(0, "bench pendulum --form ode --method cros --step 0.01 --levels 1"
                             QUICK);
    const double x = number_in(tree, "work", "", "error_position"), v = number_in(tree, "work", "", "error_velocity");
    const double scd = number_in(tree, "work", "", "scd"), mescd = number_in(tree, "work", "", "mescd");
    assert_true(scd <= -log10(v / 1.4426) && scd >= -log10(fmax(x / 2.784, v / 0.967)));
    assert_true(mescd >= scd + log10(1.9672 / 0.96724) - log10(1.4426 / 0.96723) - 1e-9);
    assert_true(mescd <= -log10(v / 2.4426));
    json_decref(tree);
}

/* The row of `converge` with the same form, method and level: all errors and counts are the same. */
static void compare(const json_t *bench, const json_t *converge, const char *level)
{
    static const char *const same[] = {"status", "error_", "steps", "rejected", "rhs", "jacobians", "factorizations",
                                       "explicit_steps", "switches"};
    const json_t *columns = at(bench, "tables/work/columns");
    const int count = count_rows(bench, "work", "");
    for (int i = 0; i < count; i++) {
        char row[16], where[128];
        snprintf(row, sizeof row, "#%d", i);
        const char *status = text_in(bench, "work", row, "status");
        if (strcmp(status, "DAE_UNSUPPORTED") == 0 || isnan(number_in(bench, "work", row, level)))
            continue;                                   /* said once, or of its own default steps */
        snprintf(where, sizeof where, "form=%s method=%s %s=%.17g", text_in(bench, "work", row, "form"),
                 text_in(bench, "work", row, "method"), level, number_in(bench, "work", row, level));
        const json_t *mine = row_at(bench, "work", row), *other = row_at(converge, "runs", where);
        for (size_t c = 0; c < json_array_size(columns); c++)
            for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
                const char *column = json_string_value(json_array_get(columns, c));
                if (strncmp(column, same[k], strlen(same[k])) == 0)
                    assert_true(json_equal(json_array_get(mine, c),
                                           json_array_get(other, (size_t)column_at(converge, "runs", column))));
            }
        assert_string_equal("yes", text_in(bench, "work", row, "repeatable"));
    }
}

static json_t *anyhow(const char *arguments)
{
    json_error_t error;
    if (cli_run("", arguments) > 1)
        fail_msg("daelab %s: exit status %d\n%s", arguments, cli_said.status, cli_said.err);
    json_t *tree = json_loads(cli_said.out, 0, &error);
    if (!tree)
        fail_msg("daelab %s: not JSON, line %d: %s", arguments, error.line, error.text);
    return tree;
}

/* Every method in every formulation, by tolerance and by step: repeats are bit-identical, and
 * errors are those of `converge`. */
TEST(test_as_converge)
{
    static const struct { const char *run, *level; } rows[] = {
        {"pendulum --form all --method all --rtol 1e-3 --levels 3", "rtol"},
        {"pendulum --form all --method all --step 0.02 --levels 2", "step"},
        {"linear_dae --form all --method all --rtol 1e-4 --levels 2", "rtol"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char arguments[160];
        snprintf(arguments, sizeof arguments, "bench %s" QUICK, rows[i].run);
        json_t *bench = anyhow(arguments);
        snprintf(arguments, sizeof arguments, "converge %s --format json", rows[i].run);
        json_t *converge = anyhow(arguments);
        compare(bench, converge, rows[i].level);
        json_decref(bench);
        json_decref(converge);
    }
}

/* The times of --at are those of the curves; the ratio is to the best of the baseline. */
TEST(test_at)
{
    json_t *tree = parsed(0, "bench pendulum --form index1,ode --method ida --baseline ida "
                             "--rtol 1e-3:1e-8 --at 1e-4,1e-30 --of velocity" QUICK);
    double error[6], seconds[6];
    for (int i = 0; i < 2; i++) {
        const char *form = i ? "ode" : "index1";
        char where[80];
        for (int k = 0; k < 6; k++) {
            snprintf(where, sizeof where, "form=%s #%d", form, k);
            error[k] = number_in(tree, "work", where, "error_velocity");
            seconds[k] = number_in(tree, "work", where, "wall_median");
        }
        snprintf(where, sizeof where, "form=%s class=velocity baseline=ida error=1e-4", form);
        const double time = work_time_at(error, seconds, 6, 1e-4);
        assert_close(number_in(tree, "targets", where, "seconds"), time, 1e-12 * time);
        assert_true(number_in(tree, "targets", where, "ratio") <= 1);
        snprintf(where, sizeof where, "form=%s error=1e-30", form);
        assert_true(isnan(number_in(tree, "targets", where, "seconds")));
    }
    assert_int_equal(1, count_rows(tree, "targets", "error=1e-4 ratio=1"));
    json_decref(tree);
}

/* What fails says why, in its row. */
TEST(test_reasons)
{
    json_t *tree = parsed(0, "bench pendulum --form index3 --method ida,euler --levels 1" QUICK);
    assert_int_equal(1, count_rows(tree, "work", "method=euler"));
    assert_non_null(strstr(text_in(tree, "work", "method=euler", "reason"), "euler"));
    json_decref(tree);
    tree = parsed(1, "bench pendulum --form index1 --method ida --rtol 1e-4:1e-18 --levels 2"
                     QUICK);
    assert_string_equal("ok", text_in(tree, "work", "", "status"));
    assert_non_null(strstr(text_in(tree, "work", "#1", "reason"), "rounding"));
    assert_true(isnan(number_in(tree, "work", "#1", "wall_median")));
    json_decref(tree);
}

TEST(test_formats)
{
    static const char run[] =
        "bench pendulum --form index1,index3 --method ida,euler --rtol 1e-3:1e-5 "
        "--runs 1 --seconds 1e-9 --levels 2 --at 1e-3 --baseline ida";
    char arguments[256];
    snprintf(arguments, sizeof arguments, "%s --format csv", run);
    assert_int_equal(0, cli_run("", arguments));
    assert_non_null(strstr(cli_said.out, ",step,rtol,atol,"));
    assert_non_null(strstr(cli_said.out, ",wall_median,wall_lower,wall_upper,"));
    assert_non_null(strstr(cli_said.out, "euler is explicit"));
    snprintf(arguments, sizeof arguments, "%s --format csv --table targets", run);
    assert_int_equal(0, cli_run("", arguments));
    assert_non_null(strstr(cli_said.out, ",class,error,seconds,baseline,ratio"));
    assert_non_null(strstr(cli_said.out, ",position,0.001,"));
    snprintf(arguments, sizeof arguments, "%s --format md", run);
    assert_int_equal(0, cli_run("", arguments));
    assert_non_null(strstr(cli_said.out, "| time [s] |"));
    assert_non_null(strstr(cli_said.out, "| 0.001 [s] | x |"));
}

/* Several problems: each one's own result, then one table of all of them. */
TEST(test_several)
{
    static const char run[] = "bench ladder,robertson,ladder --form index2 --method radau,ida "
                              "--rtol 1e-6 --atol 1e-9 --t-end 0.4 --levels 1 --runs 1 "
                              "--seconds 1e-9";
    char arguments[256];
    snprintf(arguments, sizeof arguments, "%s --format json", run);
    json_t *tree = parsed(0, arguments);
    assert_int_equal(2, count_rows(tree, "work", "problem=ladder form=index2"));
    assert_int_equal(2, count_rows(tree, "work", "problem=robertson form=native"));
    json_decref(tree);
    assert_int_equal(0, cli_run("", run));
    const char *last = strstr(cli_said.out, "bench ladder,robertson,ladder");
    assert_non_null(last);
    assert_null(strstr(last, "t = 0 ..."));
    assert_non_null(strstr(last, "robertson  native  ida"));
}

TEST(test_mistakes)
{
    static const struct { const char *arguments, *says; } mistakes[] = {
        {"bench", "which problem"},
        {"bench pendulum,ladr", "did you mean ladder"},
        {"bench pendulum,,ladder", "there is no problem ''"},
        {"bench pendulum,ladder --param m=2", "of which"},
        {"bench pendulum --rtol 1e-3:1e-8,1e-9", "not both"},
        {"bench pendulum --rtol 1e-3:", "above 0"},
        {"bench pendulum --rtol :1e-3", "above 0"},
        {"bench pendulum --rtol 2:1e-3", "below 1"},
        {"bench pendulum --at 1e-6,,1e-8", "above 0"},
        {"bench pendulum --at -1", "above 0"},
        {"bench pendulum --at 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "more than 16"},
        {"bench pendulum --at 1e-6 --baseline idaa", "did you mean ida"},
        {"bench pendulum --baseline ida", "--at"},
        {"bench pendulum --of positon", "did you mean position"},
        {"bench pendulum --of algebraic", "no such variables"},
        {"bench pendulum --runs 0", "--runs 0"},
        {"bench pendulum --seconds 0", "--seconds 0"},
        {"bench pendulum --time mean", "median"},
        {"bench pendulum --levels 100000", "from 1 to 64"},
        {"bench pendulum --samples 3", "no option --samples; it is one of solve"},
        {"scale friction_block", "daelab solve friction_block"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const int status = cli_run("", mistakes[i].arguments);
        if (status != 2 || !strstr(cli_said.err, mistakes[i].says))
            fail_msg("daelab %s: exit status %d: %s", mistakes[i].arguments, status, cli_said.err);
    }
}

int main(void) { return run_all(cli_begin, cli_end); }
