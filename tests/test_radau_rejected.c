/* test_radau_rejected.c - steps that Radau undoes: the size of the next one follows how the error has
 * changed from step to step, so that few are tried in vain where a solution turns stiff
 *
 * Gustafsson (1994), ACM Trans. Math. Softw. 20, 496-517; Hairer, Wanner (1996), Solving Ordinary
 * Differential Equations II, IV.8.
 */
#include "support.h"

static void test_rejected(void **state)
{
    (void)state;
    static const char *const problems[] = {"hires", "oregonator", "van_der_pol", "robertson"};
    long steps = 0, rejected = 0;
    for (int p = 0; p < 4; p++)
        for (double rtol = 1e-3; rtol > 1e-8; rtol /= 3) {
            double u[MOST_UNKNOWNS];
            dae_options o = tolerance(rtol);
            o.atol = 1e-3 * rtol;
            dae_system *sys = system_at_start(problems[p], "native", 0, u);
            const dae_statistics c =
                solve_to(sys, "radau5", &o, dae_system_problem(sys)->t_end, u);
            steps += c.steps;
            rejected += c.rejected;
            dae_system_free(sys);
        }
    if (!(1000 * rejected < 61 * steps))                /* 57; 65 without the last step's error */
        fail_msg("%ld of %ld steps undone", rejected, steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rejected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
