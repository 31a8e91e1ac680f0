/* test_rank_loss.c - a run that passes a state where its constraints lose rank says so, and no other one
 *
 * unusual/parallelogram.c is on a line at w t = pi - atan2(0.8, 0.6), whatever its lengths.
 */
#include "cli_json.h"

#include "report/report.h"
#include "study/drift.h"
#include "study/solve.h"

extern const dae_problem dae_parallelogram, dae_four_bar;

static const double on_line = 2.214297435588181;

static int says(const document *doc, const char *words)
{
    const json_t *list = json_object_get(doc->json, "remarks");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strstr(text_at(json_array_get(list, i), "text"), words))
            return 1;
    return 0;
}

/* A run by form and method; NaN: what is not given. */
static study_specification specify(const dae_problem *problem, const char *form, const char *method)
{
    study_specification o = study_default_specification(problem);
    o.forms = o.methods = 1;
    o.form[0] = dae_find_formulation(form);
    o.method[0] = dae_find_method(method);
    o.run.no_cache = 1;
    return o;
}

static dae_rank_loss run(const study_specification *given, int *said)
{
    study_specification o = *given;
    solve_result r;
    dae_report why = {0};
    assert_int_equal(DAE_OK, solve_fill_in(&o, NULL));
    if (study_prepare(&o, &why) || solve_study(&r, &o, &why))
        fail_msg("%s: %s", o.run.problem->name, why.message);
    document *doc = report_item(&(study_item){.kind = STUDY_SOLVE, .spec = r.spec, .run = 1, .result.solve = r});
    *said = says(doc, "within the error of the run");
    document_free(doc);
    const dae_rank_loss lost = r.run.lost;
    solve_result_free(&r);
    return lost;
}

/* The methods that fold over, and those that do not: both have passed the line. */
TEST(test_passed)
{
    static const char *const runs[][2] = {
        {"index2", "radau"}, {"index1", "radau"}, {"index2", "rodas4"}, {"index2", "cros"}, {"index1", "ida"},
        {"index2", "ida"}, {"index2", "radau5"}, {"index1", "dop853"}, {"index3", "radau"}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (int small = 0; small < 2; small++) {
            const double length = small ? 1e-6 : 1;
            const double p[] = {1, length, 2 * length, 1};
            study_specification o = specify(&dae_parallelogram, runs[i][0], runs[i][1]);
            int said;
            if (!dae_formulation_applies(o.form[0], o.run.problem))
                continue;
            o.run.parameters = p;
            o.run.rtol = 1e-6;
            o.run.atol = 1e-6 * length;
            const dae_rank_loss lost = run(&o, &said);
            if (!lost.found || !said || fabs(lost.t - on_line) > 3e-3 || lost.rows != 3
                || strcmp(lost.which, "1, 2, 3") != 0)
                fail_msg("%s %s, L = %g: found %d, t = %.9g, rows %s", runs[i][0], runs[i][1], length, lost.found,
                         lost.t, lost.which);
        }
}

/* A run that ends before, in steps as long as its lengths, or of fixed steps. */
TEST(test_ends_and_steps)
{
    int said;
    study_specification o = specify(&dae_parallelogram, "index1", "dop853");
    o.run.rtol = 1e-3;
    assert_true(run(&o, &said).found && said);
    o.run.t_end = 2.2;
    assert_false(run(&o, &said).found || said);
    o.run.t_end = on_line;                              /* the last state is one */
    o.run.rtol = 1e-6;
    assert_true(run(&o, &said).found && said);
    o = specify(&dae_parallelogram, "index2", "rodas4");
    o.run.step = 0.02;
    assert_true(run(&o, &said).found && said);
    o.run.t_end = 2;
    assert_false(run(&o, &said).found || said);
}

TEST(test_drift)
{
    study_specification o = specify(&dae_parallelogram, "index2", "radau");
    drift_result r;
    dae_report why = {0};
    o.run.rtol = 1e-6;
    if (study_prepare(&o, &why) || drift_study(&r, &o, &why))
        fail_msg("%s", why.message);
    document *doc = report_item(&(study_item){.kind = STUDY_DRIFT, .spec = r.spec, .run = 1, .result.drift = r});
    assert_true(r.runs[0].run.lost.found);
    assert_true(says(doc, "index2 radau: at t = 2.214"));
    document_free(doc);
    drift_result_free(&r);
}

/* All problems of the table by default, in all formulations, and a linkage that is nearly a rhombus. */
TEST(test_none_else)
{
    static const char *const forms[] = {"index1", "index2", "index3", "ggl", "ode"};
    for (int i = -1; i < 0 || dae_problems[i]; i++)
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            study_specification o = specify(i < 0 ? &dae_four_bar : dae_problems[i], forms[f], "radau");
            int said;
            if (!o.run.problem->mechanical.nq || !dae_formulation_applies(o.form[0], o.run.problem))
                continue;
            const dae_rank_loss lost = run(&o, &said);
            if (lost.found || said)
                fail_msg("%s %s: t = %.9g, rows %s", o.run.problem->name, forms[f], lost.t, lost.which);
        }
}

/* Above 0.1 an rtol asks for no digit. */
TEST(test_loose)
{
    static const char *const runs[] = {
        "solve pendulum --form index2 --method rodas4", "drift double_pendulum --form index1 --method cros4",
        "converge pendulum --form index2 --method rodas4 --levels 2",
        "bench pendulum --form index2 --method rodas4 --levels 1 --runs 1 --seconds 1e-9"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (int loose = 0; loose < 2; loose++) {
            char arguments[200];
            snprintf(arguments, sizeof arguments, "%s --rtol %g", runs[i], loose ? 0.5 : 0.1);
            cli_run("", arguments);
            if ((strstr(cli_said.out, "--rtol 0.5 asks for no digit") != NULL) != loose)
                fail_msg("daelab %s: %s%s", arguments, cli_said.out, cli_said.err);
        }
}

int main(void) { return run_all(cli_begin, cli_end); }
