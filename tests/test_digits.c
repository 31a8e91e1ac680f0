/* test_digits.c - daelab bench --digits: one table of correct digits, where what has none says why */
#include "cli_json.h"

#include "overview/overview.h"
#include "study/work.h"

/* Of a grid in JSON. */
static const json_t *cell(const json_t *of, size_t i, const char *column)
{
    const json_t *columns = at(of, "columns"), *row = json_array_get(at(of, "rows"), i);
    for (size_t k = 0; k < json_array_size(columns); k++)
        if (strcmp(json_string_value(json_array_get(columns, k)), column) == 0)
            return json_array_get(row, k);
    fail_msg("no column %s", column);
    return NULL;
}

static const char *word(const json_t *of, size_t i, const char *column)
{
    const char *text = json_string_value(cell(of, i, column));
    return text ? text : "";
}

/* The number of a problem, form and method among the runs, one behind the other. */
static double mescd_of(const json_t *runs, const char *problem, const char *form, const char *method)
{
    for (size_t i = 0; i < json_array_size(at(runs, "rows")); i++)
        if (!strcmp(word(runs, i, "problem"), problem) && !strcmp(word(runs, i, "form"), form)
            && !strcmp(word(runs, i, "method"), method))
            return json_number_value(cell(runs, i, "mescd"));
    fail_msg("no run of %s %s %s", problem, form, method);
    return NAN;
}

static void test_table(void **state)
{
    static const char *const problems[] = {"kepler", "pendulum"}, *const forms[] = {"native", "index1"};
    static const char *const methods[] = {"radau", "ida"};
    (void)state;
    json_t *tree = parsed(0, "bench kepler,pendulum --digits --rtol 1e-5 --format json");
    const json_t *digits = at(tree, "digits");
    assert_int_equal(json_array_size(at(digits, "rows")), 2);
    for (size_t i = 0; i < 2; i++)
        for (int m = 0; m < 2; m++) {
            const double mescd = json_number_value(cell(digits, i, methods[m]));
            assert_string_equal(word(digits, i, "problem"), problems[i]);
            assert_string_equal(word(digits, i, "form"), forms[i]);
            assert_true(json_number_value(cell(digits, i, "rtol")) == 1e-5);
            assert_true(mescd == mescd_of(at(tree, "runs"), problems[i], forms[i], methods[m]));
            assert_true(mescd > 1 && mescd < 9);
        }
    json_decref(tree);
    assert_int_equal(cli_run("", "bench kepler,pendulum --digits --format md"), 0);
    assert_non_null(strstr(cli_said.out, "| problem | form | rtol | radau | ida |"));
    assert_non_null(strstr(cli_said.out, "| kepler | native | 1.0e-07 |"));
}

/* What made it: parameters of one problem, the end of all, steps where there are some. */
static void test_result_says_it(void **state)
{
    (void)state;
    json_t *tree = parsed(0, "bench pendulum --digits --param L=3 --t-end 1 --step 0.01 --levels 2 --method "
                             "cros --format json");
    assert_true(number_at(tree, "parameters/L") == 3 && number_at(tree, "t_end") == 1);
    assert_true(json_number_value(cell(at(tree, "digits"), 0, "step")) == 0.01);
    assert_true(json_number_value(cell(at(tree, "digits"), 1, "step")) == 0.005);
    assert_true(json_number_value(cell(at(tree, "digits"), 1, "cros")) > 3);
    json_decref(tree);
    tree = parsed(0, "bench kepler,pendulum --digits --t-end 0.5 --rtol 1e-4 --method radau5 --format json");
    assert_true(number_at(tree, "t_end") == 0.5);
    json_decref(tree);
    tree = parsed(0, "bench kepler,skate --digits --alpha 3 --form native,baumgarte --method radau --format json");
    assert_true(number_at(tree, "options/alpha") == 3);     /* beta is another one for each */
    assert_true(json_is_null(at(at(tree, "options"), "beta")));
    json_decref(tree);
}

/* The digits of all components are the fewest of those of any class; a problem may have none of it. */
static void test_one_class(void **state)
{
    static const char *const classes[] = {"position", "velocity", "multiplier"};
    double fewest = HUGE_VAL;
    char line[120];
    (void)state;
    for (int c = 0; c < 3; c++) {
        snprintf(line, sizeof line, "bench pendulum,kepler --digits --method radau --of %s --format json",
                 classes[c]);
        json_t *tree = parsed(0, line);
        assert_string_equal(json_string_value(at(tree, "of")), classes[c]);
        assert_string_equal(word(at(tree, "digits"), 1, "radau"), "none of it");
        fewest = fmin(fewest, json_number_value(cell(at(tree, "digits"), 0, "radau")));
        json_decref(tree);
    }
    json_t *tree = parsed(0, "bench pendulum --digits --method radau --format json");
    assert_true(json_number_value(cell(at(tree, "digits"), 0, "radau")) == fewest);
    json_decref(tree);
}

/* Tolerances in rows; a run that does not exist, and one that takes too long. */
static void test_cells(void **state)
{
    (void)state;
    json_t *tree = parsed(0, "bench pendulum --digits --form index3,ode --method radau,dop853 "
                             "--rtol 1e-4:1e-6 --format json");
    const json_t *digits = at(tree, "digits");
    assert_int_equal(json_array_size(at(digits, "rows")), 6);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(word(digits, i, "dop853"), "unsupported");
        assert_true(json_number_value(cell(digits, i + 3, "dop853")) > 2);
    }
    json_decref(tree);
    tree = parsed(1, "bench kepler,predator_prey --digits --limit 1e-9 --method radau5 --rtol 1e-9 "
                     "--format json");
    assert_string_equal(word(at(tree, "digits"), 1, "radau5"), "limit time");
    assert_non_null(strstr(text_at(tree, "remarks/0/text"), "stopped after 1e-09 s"));
    json_decref(tree);
}

/* One that cannot begin has its status, and one with events its digits. */
static void test_none_is_left_out(void **state)
{
    dae_report why = {0};
    study_specification o = study_default_specification(problem_named("kepler"));
    (void)state;
    o.digits = 1;
    o.run.no_cache = 1;
    assert_int_equal(work_fill_in(&o, &why), DAE_OK);
    study_item item[3] = {{.kind = STUDY_WORK, .spec = o}, {.kind = STUDY_WORK, .problem = 1, .spec = o},
                          {.kind = STUDY_WORK, .problem = 2, .spec = o}};
    study_part part = {.name = "bench", .kind = STUDY_WORK, .subject = "all", .problems = 3, .settings = 1, .count = 3};
    study_plan plan = {.title = "", .question = "", .parts = 1, .part = &part, .count = 3, .item = item};
    item[1].spec.run.problem = problem_named("pendulum");
    double *p = run_copy_parameters(&item[1].spec.run);
    p[0] = -1;                                          /* the mass */
    item[1].spec.run.parameters = p;
    item[2].spec.run.problem = problem_named("friction_block");
    item[2].spec.form[0] = dae_find_formulation("index1");
    for (int i = 0; i < 3; i++)
        plan_run_item(&item[i]);
    assert_int_equal(plan_item_status(&item[1], &why), DAE_BAD_ARGUMENT);
    document *doc = overview(&plan, 0);
    assert_non_null(doc);
    const json_t *digits = at(doc->json, "digits");
    assert_int_equal(json_array_size(at(digits, "rows")), 3);
    assert_true(json_number_value(cell(digits, 0, "radau")) > 6);
    assert_string_equal(word(digits, 1, "radau"), "bad argument");
    assert_string_equal(word(digits, 2, "problem"), "friction_block");
    assert_true(json_number_value(cell(digits, 2, "radau")) > 6);
    assert_true(json_number_value(cell(digits, 2, "ida")) > 3);
    document_free(doc);
    plan_free_results(&plan);
    free(p);
}

static void test_refused(void **state)
{
    static const char *const lines[][2] = {
        {"bench pendulum --digits --runs 3", "--runs 3 is not used: --digits"},
        {"bench pendulum,kepler --digits --at 1e-3", "--at 1e-3 is not used: --digits"},
        {"bench pendulum --digits --time smallest", "--time smallest is not used: --digits"},
        {"bench pendulum --digits --plot a.svg", "--plot a.svg is not used: --digits"},
        {"bench pendulum --digits --limit 0", "--limit 0"},
        {"scale pendulum --digits", "has no option --digits"}};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (cli_run("", lines[i][0]) != 2 || !strstr(cli_said.err, lines[i][1]))
            fail_msg("daelab %s: %d, %s", lines[i][0], cli_said.status, cli_said.err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table), cmocka_unit_test(test_result_says_it), cmocka_unit_test(test_one_class),
        cmocka_unit_test(test_cells), cmocka_unit_test(test_none_is_left_out), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, cli_begin, cli_end);
}
