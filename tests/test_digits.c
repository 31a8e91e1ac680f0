/* test_digits.c - daelab bench --digits: one table of correct digits, where what has none says why */
#include "cli_json.h"

#include "report/report.h"
#include "study/work.h"

/* The cell of a row and a column of the table for people; NULL: a number. */
static const char *shown(const document *doc, int row, const char *title, double *x)
{
    const table *t = doc->section[0].table;
    int c = 0;
    while (c < table_columns(t) && strcmp(table_title_of(t, c), title) != 0)
        c++;
    assert_in_range(c, 0, table_columns(t) - 1);
    *x = table_number_at(t, row, c);
    return table_text_at(t, row, c);
}

TEST(test_table)
{
    static const char *const runs[] = {"problem=kepler form=native method=radau", "problem=kepler method=ida",
                                       "problem=pendulum form=index1 method=radau", "problem=pendulum method=ida"};
    json_t *tree = parsed(0, "bench kepler,pendulum --digits --rtol 1e-5 --format json");
    assert_int_equal(count_rows(tree, "work", "rtol=1e-5"), 4);
    for (int i = 0; i < 4; i++) {
        const double mescd = number_in(tree, "work", runs[i], "mescd");
        assert_true(mescd > 1 && mescd < 9);
    }
    json_decref(tree);
    assert_int_equal(cli_run("", "bench kepler,pendulum --digits --format md"), 0);
    assert_non_null(strstr(cli_said.out, "| problem | form | rtol | radau | ida |"));
    assert_non_null(strstr(cli_said.out, "| kepler | native | 1.0e-07 |"));
}

/* What made it: parameters of one problem, the end of all, steps where there are some. */
TEST(test_result_says_it)
{
    json_t *tree = parsed(0, "bench pendulum --digits --param L=3 --t-end 1 --step 0.01 --levels 2 --method "
                             "cros --format json");
    assert_true(number_at(tree, "parameters/L") == 3 && number_at(tree, "t_end") == 1);
    assert_true(number_in(tree, "work", "", "step") == 0.01);
    assert_true(number_in(tree, "work", "#1", "step") == 0.005);
    assert_true(number_in(tree, "work", "#1", "mescd") > 3);
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
TEST(test_one_class)
{
    static const char *const classes[] = {"position", "velocity", "multiplier"};
    double fewest = HUGE_VAL;
    char line[120], column[64];
    for (int c = 0; c < 3; c++) {
        snprintf(line, sizeof line, "bench pendulum,kepler --digits --method radau --of %s --format json",
                 classes[c]);
        json_t *tree = parsed(0, line);
        assert_string_equal(json_string_value(at(tree, "of")), classes[c]);
        snprintf(column, sizeof column, "mescd_%s", classes[c]);
        assert_true(isnan(number_in(tree, "work", "problem=kepler", column)));
        fewest = fmin(fewest, number_in(tree, "work", "problem=pendulum", column));
        json_decref(tree);
    }
    json_t *tree = parsed(0, "bench pendulum --digits --method radau --format json");
    assert_true(number_in(tree, "work", "", "mescd") == fewest);
    json_decref(tree);
}

/* Tolerances in rows; a run that does not exist, and one that takes too long. */
TEST(test_cells)
{
    json_t *tree = parsed(0, "bench pendulum --digits --form index3,ode --method radau,dop853 "
                             "--rtol 1e-4:1e-6 --format json");
    assert_string_equal(text_in(tree, "work", "form=index3 method=dop853", "status"), "DAE_UNSUPPORTED");
    assert_int_equal(count_rows(tree, "work", "form=ode method=dop853 status=ok"), 3);
    assert_true(number_in(tree, "work", "form=ode method=dop853", "mescd") > 2);
    json_decref(tree);
    assert_int_equal(cli_run("", "bench pendulum,kepler --digits --of position --form index3,ode --method "
                                 "radau,dop853"), 0);
    assert_non_null(strstr(cli_said.out, "unsupported"));
    assert_non_null(strstr(cli_said.out, "none of it"));
    tree = parsed(1, "bench kepler,predator_prey --digits --limit 1e-9 --method radau5 --rtol 1e-9 "
                     "--format json");
    assert_string_equal(text_in(tree, "work", "#1", "status"), "limit_time");
    assert_non_null(strstr(text_at(tree, "remarks/0/text"), "stopped after 1e-09 s"));
    json_decref(tree);
}

/* One that cannot begin has its status, and one with events its digits. */
TEST(test_none_is_left_out)
{
    dae_report why = {0};
    study_specification o = study_default_specification(problem_named("kepler"));
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
    document *doc = overview(&plan);
    assert_non_null(doc);
    double x;
    assert_int_equal(table_rows(doc->section[0].table), 3);
    assert_true(!shown(doc, 0, "radau", &x) && x > 6);
    assert_string_equal(shown(doc, 1, "radau", &x), "bad argument");
    assert_string_equal(shown(doc, 2, "problem", &x), "friction_block");
    assert_true(!shown(doc, 2, "radau", &x) && x > 6);
    assert_true(!shown(doc, 2, "ida", &x) && x > 3);
    document_free(doc);
    plan_free_results(&plan);
    free(p);
}

TEST(test_refused)
{
    static const char *const lines[][2] = {
        {"bench pendulum --digits --runs 3", "--runs 3 is not used: --digits"},
        {"bench pendulum,kepler --digits --at 1e-3", "--at 1e-3 is not used: --digits"},
        {"bench pendulum --digits --time smallest", "--time smallest is not used: --digits"},
        {"bench pendulum --digits --plot a.svg", "--plot a.svg is not used: --digits"},
        {"bench pendulum --digits --limit 0", "--limit 0"},
        {"scale pendulum --digits", "has no option --digits"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (cli_run("", lines[i][0]) != 2 || !strstr(cli_said.err, lines[i][1]))
            fail_msg("daelab %s: %d, %s", lines[i][0], cli_said.status, cli_said.err);
}

int main(void) { return run_all(cli_begin, cli_end); }
