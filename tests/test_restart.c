/* test_restart.c - a solver that is started again ends with the same bits, whatever the run before has chosen */
#include "support.h"

#include <daelab/study.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 3000 };

/* The same run by a solver that has made it before: begun twice, to the same end. */
static int ends_with_the_same_bits(dae_system *sys, const dae_method *method, const dae_options *options,
                                   const double *start, double t_end)
{
    const size_t size = (size_t)dae_system_size(sys) * sizeof(double);
    double end[2][MOST_UNKNOWNS];
    long steps[2];
    dae_solver *solver;
    if (dae_solver_create(&solver, sys, method, options, NULL))
        return 1;
    for (int run = 0; run < 2; run++) {
        memcpy(end[run], start, size);
        dae_solver_start(solver, dae_system_problem(sys)->t0, start);
        dae_solver_advance(solver, t_end, end[run]);
        steps[run] = dae_solver_statistics(solver).steps;
    }
    dae_solver_free(solver);
    return memcmp(end[0], end[1], size) == 0 && steps[0] == steps[1];
}

/* Every problem, formulation and native implicit method with sparse factors, whose pivots are those of before
 * as long as these are good. */
static void test_sparse(void **state)
{
    double u[MOST_UNKNOWNS];
    (void)state;
    for (int k = 0; dae_problems[k]; k++) {
        const dae_problem *problem = with_few_copies(dae_problems[k]);
        for (int f = 0; dae_formulation_at(f); f++) {
            dae_system *sys = NULL;
            if (problem->modes || dae_system_create(&sys, problem, dae_formulation_at(f), NULL, NULL, NULL))
                continue;
            dae_report why = {0};
            if (dae_system_start(sys, u, &why) || dae_consistent_start(sys, problem->t0, u, NULL, &why))
                fail_msg("%s %s: %s", problem->name, dae_formulation_describe(dae_formulation_at(f)).name, why.message);
            for (int m = 0; dae_method_at(m); m++) {
                const dae_method_info info = dae_method_describe(dae_method_at(m));
                dae_options options = tolerance(1e-5);
                options.linear = DAE_LINEAR_KLU;
                options.max_steps = MOST_STEPS;
                if (info.adaptive && info.implicit
                    && !ends_with_the_same_bits(sys, dae_method_at(m), &options, u, problem->t_end))
                    fail_msg("%s %s %s", problem->name, dae_formulation_describe(dae_formulation_at(f)).name,
                             info.name);
            }
            dae_system_free(sys);
        }
    }
}

/* Seven bodies, whose pivots change on the way. */
static void test_pivots_that_change(void **state)
{
    double u[MOST_UNKNOWNS];
    (void)state;
    dae_system *sys = system_at_start("andrews", "ggl", 0, u);
    const dae_options options = tolerance(1e-8);
    assert_true(ends_with_the_same_bits(sys, dae_find_method("rodas5p"), &options, u, 0.03));
    dae_system_free(sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pivots_that_change), cmocka_unit_test(test_sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
