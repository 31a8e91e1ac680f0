/* test_own_tolerance - dae_problem.rtol: of one run, where nobody says another */
#include "catalogue/catalogue.h"
#include "study/specification.h"
#include "support.h"

static dae_problem with_rtol(double rtol)
{
    dae_problem problem = *catalogue_find_problem("pendulum");
    problem.rtol = rtol;
    return problem;
}

TEST(test_a_run_takes_it)
{
    const dae_problem own = with_rtol(3e-9), none = with_rtol(0);
    const dae_problem *const problems[] = {&own, &none};
    const double expected[] = {3e-9, 1e-6};
    for (int i = 0; i < 2; i++) {
        study_specification s = study_default_specification(problems[i]);
        study_adaptive_run(&s);
        assert_true(run_level(&s.run, s.method[0]) == expected[i]);
        assert_true(run_options(&s.run, s.method[0], expected[i]).rtol == expected[i]);
        s.run.rtol = 1e-4;                              /* somebody says another */
        assert_true(run_level(&s.run, s.method[0]) == 1e-4);
    }
}

TEST(test_others_are_refused)
{
    const double wrong[] = {1, -1e-6, NAN};
    for (int i = 0; i < 3; i++) {
        const dae_problem problem = with_rtol(wrong[i]);
        dae_system *sys = NULL;
        dae_report why = {0};
        assert_int_equal(dae_system_create(&sys, &problem, dae_find_formulation("index1"), NULL, NULL, &why),
                         DAE_BAD_ARGUMENT);
        assert_non_null(strstr(why.message, "rtol"));
        assert_null(sys);
    }
}
