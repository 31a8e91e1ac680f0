/* test_lists.c - lists of problems and settings on the command line: each combination is a study, in the order of
 * problems and options, and mistakes in any of them are told before the first one runs */
#include "cli_json.h"

/* "#2": the third row */
static const char *row(int number)
{
    static char where[2][16];
    char *text = where[number % 2];
    snprintf(text, sizeof where[0], "#%d", number);
    return text;
}

TEST(test_values_of_settings)
{
    json_t *tree = parsed(0, "drift pendulum --method cros --form index1 --jacobian dual,fd,dual --t-end 1,2 --step "
                             "0.1,0.05 --format json");
    static const struct { double step, t_end; const char *jacobian; } wanted[] = {
        {0.1, 1, "dual"}, {0.05, 1, "dual"}, {0.1, 2, "dual"}, {0.05, 2, "dual"},
        {0.1, 1, "fd"},   {0.05, 1, "fd"},   {0.1, 2, "fd"},   {0.05, 2, "fd"}};
    assert_int_equal(count_rows(tree, "runs", ""), 8);  /* fd once, the last option fastest */
    for (int i = 0; i < 8; i++) {
        assert_true(number_in(tree, "runs", row(i), "step") == wanted[i].step);
        assert_true(number_in(tree, "runs", row(i), "t_end") == wanted[i].t_end);
        assert_string_equal(text_in(tree, "runs", row(i), "jacobian"), wanted[i].jacobian);
    }
    json_decref(tree);
}

/* Steps and tolerances in a list are these, and A:B goes from one to the other, in every command; a command that goes
 * down by itself has them in one study. */
TEST(test_levels)
{
    static const struct { const char *of, *options, *column; int count; double at[4]; } lists[] = {
        {"converge", "--method radau --rtol 1e-6,1e-4,1e-6", "rtol", 2, {1e-4, 1e-6}},
        {"converge", "--method radau --rtol 1e-7:1e-4", "rtol", 4, {1e-4, 1e-5, 1e-6, 1e-7}},
        {"converge", "--method cros --step 0.05,0.1", "step", 2, {0.1, 0.05}},
        {"converge", "--method cros --step 0.1:0.025", "step", 3, {0.1, 0.05, 0.025}},
        {"converge", "--method cros --step 0.1:0.025 --ratio 4", "step", 2, {0.1, 0.025}},
        {"bench", "--method radau --runs 1 --seconds 1e-9 --rtol 1e-5,1e-6", "rtol", 2, {1e-5, 1e-6}},
        {"bench", "--method cros --runs 1 --seconds 1e-9 --step 0.1:0.05", "step", 2, {0.1, 0.05}},
        {"bench", "--method radau --digits --rtol 1e-4,1e-6", "rtol", 2, {1e-4, 1e-6}},
        {"drift", "--method radau --rtol 1e-4:1e-6", "rtol", 3, {1e-4, 1e-5, 1e-6}},
        {"drift", "--method cros --step 0.1:0.025", "step", 3, {0.1, 0.05, 0.025}},
        {"solve", "--method radau --rtol 1e-4:1e-5", "rtol", 2, {1e-4, 1e-5}}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char line[256];
        snprintf(line, sizeof line, "%s pendulum --form index1 --quiet %s --format json", lists[i].of,
                 lists[i].options);
        json_t *tree = parsed(0, line);
        assert_int_equal(count_rows(tree, "runs", ""), lists[i].count);
        for (int k = 0; k < lists[i].count; k++)
            if (number_in(tree, "runs", row(k), lists[i].column) != lists[i].at[k])
                fail_msg("%s: row %d: %g", line, k, number_in(tree, "runs", row(k), lists[i].column));
        json_decref(tree);
    }
}

/* A solution has one formulation and one method, and each pair its own. */
TEST(test_solutions)
{
    json_t *tree = parsed(0, "solve pendulum --form index1,ode --method rk4,cros --step 0.1 --samples 1 --format json");
    assert_int_equal(count_rows(tree, "runs", ""), 4);
    assert_string_equal(text_in(tree, "runs", "#1", "form"), "index1");
    assert_string_equal(text_in(tree, "runs", "#1", "method"), "cros");
    assert_string_equal(text_in(tree, "runs", "#2", "form"), "ode");
    json_decref(tree);
    tree = parsed(0, "solve pendulum --rtol 1e-6 --atol T=1e-3,1e-7,1e-8,x=1e-2 --samples 1 --format json");
    assert_int_equal(count_rows(tree, "runs", ""), 2);
    assert_string_equal(text_in(tree, "runs", "atol=1e-7", "atol_of"), "T=0.001");
    assert_string_equal(text_in(tree, "runs", "atol=1e-8", "atol_of"), "T=0.001,x=0.01");
    json_decref(tree);
}

TEST(test_parameters)
{
    json_t *tree = parsed(0, "drift pendulum --method cros --step 0.1 --form ode --vary L=2,3 --vary m=1,4 --format "
                             "json");
    static const double wanted[][2] = {{2, 1}, {2, 4}, {3, 1}, {3, 4}};
    assert_int_equal(count_rows(tree, "runs", ""), 4);
    for (int i = 0; i < 4; i++) {
        assert_true(number_in(tree, "runs", row(i), "vary_L") == wanted[i][0]);
        assert_true(number_in(tree, "runs", row(i), "vary_m") == wanted[i][1]);
    }
    json_decref(tree);
    tree = parsed(0, "converge pendulum --method cros --form index1 --step 0.1 --levels 3 --vary L=2,3 --vary m=1,4 "
                     "--quiet --format json");                  /* converge varies one itself */
    assert_int_equal(count_rows(tree, "runs", ""), 12);
    assert_true(number_in(tree, "runs", "#6", "vary_m") == 4);
    json_decref(tree);
    tree = parsed(0, "drift pendulum,kepler --method rk4 --step 0.1 --param pendulum.L=4 --param kepler.e=0.1 --vary "
                     "pendulum.m=1,2 --quiet --format json");
    assert_non_null(strstr(text_in(tree, "runs", "problem=pendulum vary_m=2", "parameters"), "m=2 L=4 "));
    assert_non_null(strstr(text_in(tree, "runs", "problem=kepler", "parameters"), "e=0.1"));
    json_decref(tree);
    tree = parsed(0, "scale chain --method cros --vary m=1,2 --vary N=2,4 --t-end 0.1 --seconds 1e-9 --runs 1 --format "
                     "json");                                   /* sizes are what counts copies */
    assert_int_equal(count_rows(tree, "scale", "parameter=N vary_m=2"), 2);
    json_decref(tree);
}

/* Of the formulations that were named each problem has its own. */
TEST(test_problems)
{
    json_t *tree = parsed(0, "converge pendulum,kepler --form index1,ode --method rk4 --step 0.1 --levels 3 --quiet "
                             "--format json");
    assert_int_equal(count_rows(tree, "runs", "problem=pendulum"), 6);
    assert_int_equal(count_rows(tree, "runs", "problem=kepler form=native"), 3);
    json_decref(tree);
    tree = parsed(0, "drift pendulum --form index1 --method cros --step 0.1 --project none --project position "
                     "--format json");                          /* one study, as ever */
    assert_int_equal(count_rows(tree, "runs", ""), 2);
    json_decref(tree);
    tree = parsed(0, "converge pendulum --form index1 --method cros --step 0.1 --levels 3 --project none --project "
                     "position,velocity --quiet --format json");
    assert_int_equal(count_rows(tree, "runs", "project=none"), 3);
    assert_int_equal(count_rows(tree, "runs", "project=position,velocity"), 3);
    json_decref(tree);
}

/* One that cannot begin says why, and the others have their results. */
TEST(test_one_that_cannot_begin)
{
    json_t *tree = parsed(2, "drift pendulum --form index1 --method cros --step 0.1 --vary m=1,-1,2 --format json");
    assert_int_equal(count_rows(tree, "runs", "status=ok"), 2);
    assert_non_null(strstr(text_in(tree, "runs", "vary_m=-1 status=DAE_BAD_ARGUMENT", "reason"), "m = -1"));
    json_decref(tree);
}

TEST(test_mistakes_come_first)
{
    static const char *const mistakes[][2] = {
        {"drift pendulum --t-end 1,-1", "--t-end -1"},
        {"drift pendulum --jacobian dual,fdd", "fdd"},
        {"drift pendulum --jacobian dual,", "jacobian ''"},
        {"drift pendulum --alpha 1,2 --form index1", "--alpha 1 is not used"},
        {"drift pendulum,kepler --param L=2", "PROBLEM.L=2 is needed"},
        {"drift pendulum,kepler --param ladder.L=2", "ladder is none of the problems here"},
        {"drift pendulum --vary L=1,2 --vary L=3", "L is given twice"},
        {"drift pendulum --vary L", "NAME=VALUE"},
        {"drift pendulum --vary L=1,x", "--vary L=x: numbers are needed one by one"},
        {"drift pendulum --vary L=1,2 --param L=2", "L is given twice"},
        {"solve pendulum --method cros,ida --form index1,nix", "nix"},
        {"solve pendulum,kepler --step 0.1 --rtol 1e-3 --method cros", "--rtol 1e-3 is not used"},
        {"bench pendulum --rtol 1e-3:1e-6,1e-8", "a range A:B or a list A,B,C is needed"},
        {"converge pendulum --step 0.1,0.05 --levels 3", "--levels 3 is not used: the levels are given one by one"},
        {"drift pendulum --rtol 1e-3:0", "--rtol 0: a finite number above 0"}};
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (cli_run("", mistakes[i][0]) != 2 || !strstr(cli_said.err, mistakes[i][1]) || *cli_said.out)
            fail_msg("daelab %s: %d, '%s' is wanted: %s%s", mistakes[i][0], cli_said.status, mistakes[i][1],
                     cli_said.err, cli_said.out);
}

int main(void) { return run_all(cli_begin, cli_end); }
