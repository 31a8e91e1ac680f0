/* test_radau_growth.c - a step that Newton's iteration does not bear is not asked for again and again
 *
 * An error far below its tolerance asks for longer steps. Where the iteration fails for them, each step would be tried long,
 * with the old and a new Jacobian, and made short: more tries than steps.
 */
#include "support.h"

enum { LINKS = 40 };

/* The beam in index 1, and how often its iteration failed */
static void check_beam(const char *method, double rtol)
{
    const dae_problem *problem = problem_named("elastica");
    double u[512];
    dae_report report = {0};
    dae_system *sys = NULL;
    dae_solver *solver = NULL;
    double parameters[DAE_PARAMETER_ENTRIES];
    int count = 0;
    for (; problem->parameters[count].name; count++)
        parameters[count] = problem->parameters[count].range == DAE_COUNT ? LINKS
                            : problem->parameters[count].value;
    dae_options options = dae_default_options();
    options.rtol = options.atol = rtol;
    assert_int_equal(DAE_OK, dae_system_create(&sys, problem, dae_find_formulation("index1"), parameters, NULL, &report));
    assert_true(dae_system_size(sys) <= 512);
    assert_int_equal(DAE_OK, dae_system_start(sys, u, &report));
    assert_int_equal(DAE_OK, dae_consistent_start(sys, problem->t0, u, NULL, &report));
    assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_find_method(method), &options, &report));
    assert_int_equal(DAE_OK, dae_solver_start(solver, problem->t0, u));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, problem->t_end, u));
    const dae_statistics count_of = dae_solver_statistics(solver);
    print_message("%s, rtol %g: %ld steps, Newton's iteration failed %ld times\n", method, rtol, count_of.steps,
                  count_of.newton_failures);
    assert_true(3 * count_of.newton_failures < count_of.steps);
    dae_solver_free(solver);
    dae_system_free(sys);
}

static void test_beam(void **state)
{
    (void)state;
    check_beam("radau5", 1e-4);
    check_beam("radau", 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_beam)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
