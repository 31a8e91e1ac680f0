/* test_atol_settings.c - tolerances by name in studies: what they are at a level, in each formulation, in mescd
 * and in what a result says of itself */
#include "cli_json.h"

#include "run/run.h"
#include "study/specification.h"

static run_setting setting_of(const char *problem)
{
    run_setting s = run_default_setting(problem_named(problem));
    s.rtol = 1e-5;
    s.no_cache = 1;
    return s;
}

static void add(run_setting *s, const char *of, double value, int by_rtol)
{
    run_atol *entry = &s->atol_of[s->atols++];
    snprintf(entry->of, sizeof entry->of, "%s", of);
    entry->value = value;
    entry->by_rtol = by_rtol;
}

/* A number stays on a ladder, a multiple of rtol follows it; what a form does not have is left out. */
TEST(test_levels)
{
    double u[MOST_UNKNOWNS];
    dae_atol list[MAX_ATOLS];
    run_setting s = setting_of("pendulum");
    dae_system *index1 = system_at_start("pendulum", "index1", 0, u);
    dae_system *ode = system_at_start("pendulum", "ode", 0, u);
    add(&s, "T", 1e-3, 0);
    add(&s, "velocity", 100, 1);
    for (double rtol = 1e-4; rtol > 1e-7; rtol /= 10) {
        dae_options o = run_options(&s, dae_find_method("radau"), rtol);
        assert_true(o.atol == rtol);
        run_set_atols(&s, index1, &o, list);
        assert_int_equal(o.atol_count, 2);
        assert_string_equal(o.atol_of[0].of, "T");
        assert_true(o.atol_of[0].atol == 1e-3 && o.atol_of[1].atol == 100 * rtol);
        run_set_atols(&s, ode, &o, list);
        assert_int_equal(o.atol_count, 1);
        assert_string_equal(o.atol_of[0].of, "velocity");
    }
    s.atol = 0.5;
    s.atol_by_rtol = 1;
    assert_true(run_options(&s, dae_find_method("radau"), 1e-4).atol == 0.5e-4);
    dae_system_free(index1);
    dae_system_free(ode);
}

/* max |x - ref|/(atol/rtol + |ref|) over count unknowns */
static double mixed(const double *x, const dae_quad *reference, const double *absolute, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++) {
        const double r = (double)reference[i];
        largest = fmax(largest, fabs(x[i] - r) / (absolute[i] + fabs(r)));
    }
    return largest;
}

static void compare_form(const study *s, const char *form)
{
    const double positions[] = {0.5, 1}, velocities[] = {0.5, 1e4};
    dae_report why = {0};
    run_result r = study_run(s, dae_find_formulation(form), dae_find_method("radau"), 1e-5, NULL);
    if (r.status)
        fail_msg("%s: %s %s", form, r.message, why.message);
    assert_close(r.mixed[DAE_POSITION] / mixed(r.values[DAE_POSITION], s->reference.q, positions, 2), 1, 1e-6);
    assert_close(r.mixed[DAE_VELOCITY] / mixed(r.values[DAE_VELOCITY], s->reference.v, velocities, 2), 1, 1e-6);
    run_free(&r);
}

/* Each unknown of the reference has the ratio of its own, whatever the run's unknowns are. */
TEST(test_digits)
{
    study s;
    dae_report why = {0};
    run_setting setting = setting_of("pendulum");
    setting.atol = 0.5;
    setting.atol_by_rtol = 1;
    add(&setting, "y", 1e-5, 0);
    add(&setting, "vy", 0.1, 0);
    if (study_begin(&s, &setting, REFERENCE_AT_END, 0, &why))
        fail_msg("%s", why.message);
    compare_form(&s, "index2");
    compare_form(&s, "ode");
    study_end(&s);
}

TEST(test_result_says_it)
{
    json_t *tree = parsed(0, "solve robertson --method radau --rtol 1e-6 --atol 1e-8 --atol y2=1e-12,y3=2*rtol "
                             "--max-step 1e10 --first-step 1e-3 --estimate --format json");
    assert_true(number_at(tree, "options/atol") == 1e-8);
    assert_true(number_at(tree, "options/atol_of/y2") == 1e-12);
    assert_true(number_at(tree, "options/atol_of_by_rtol/y3") == 2);
    assert_true(number_at(tree, "options/max_step") == 1e10);
    assert_true(number_at(tree, "options/first_step") == 1e-3);
    json_decref(tree);
    assert_int_equal(cli_run("", "solve robertson --method radau --rtol 1e-6 --atol y2=1e-12,y3=2*rtol "
                                 "--max-step 1e10"), 0);
    assert_non_null(strstr(cli_said.out, "atol=rtol,y2=1e-12,y3=2*rtol"));
    assert_non_null(strstr(cli_said.out, "max-step=1e+10"));
    assert_int_equal(cli_run("", "drift pendulum --form index1,ode --method radau --rtol 1e-6 --atol T=1"), 0);
    assert_int_equal(cli_run("", "solve string_pendulum --atol T=1e-2,velocity=1e-3"), 0);
}

int main(void) { return run_all(cli_begin, cli_end); }
