/* test_rows.c - what a state shows: multipliers that know nothing of the last step's length
 *
 * The tension after an interval of 1e-6, 1e-9 or 1e-12 behind a long one is that of the reference, in
 * every form and with every method that chooses its steps, and so are the velocities. With fixed steps
 * the raw multiplier of index 3 stays what the method makes of it.
 */
#include "support.h"

#include <math.h>
#include <string.h>

enum { NQ = 2, LAMBDA = 4 };

/* The pendulum at t = 1 + extra, after a stop at 1; u := the state. 0: not supported. */
static int after_a_stop(const char *form, const char *method, double extra, double *u)
{
    dae_system *sys = system_at_start("pendulum", form, 0, u);
    const dae_options options = tolerance(1e-6);
    dae_solver *solver;
    const dae_status created = dae_solver_create(&solver, sys, dae_find_method(method), &options, NULL);
    dae_status status = created;
    if (!created) {
        status = dae_solver_start(solver, 0, u);
        if (!status)
            status = dae_solver_advance(solver, 1, u);
        if (!status)
            status = dae_solver_advance(solver, 1 + extra, u);
        if (status)
            fail_msg("%s %s: %s", form, method, dae_solver_report(solver)->message);
        dae_solver_free(solver);
    }
    assert_true(created == DAE_OK || created == DAE_UNSUPPORTED);
    dae_system_free(sys);
    return !created;
}

static void test_short_last_steps(void **state)
{
    (void)state;
    static const char *const forms[] = {"index1", "index2", "index3", "baumgarte", "ggl"};
    static const double extras[] = {1e-6, 1e-9, 1e-12};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (int m = 0; dae_method_at(m); m++) {
            const dae_method_info info = dae_method_describe(dae_method_at(m));
            const int coarse = info.order[1][DAE_VELOCITY] < 3 || strcmp(info.name, "cros4") == 0;
            double u[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
            if (!info.adaptive || coarse || !after_a_stop(forms[f], info.name, 0, u))
                continue;
            for (int k = 0; k < 3; k++) {
                after_a_stop(forms[f], info.name, extras[k], v);
                for (int i = 0; i <= LAMBDA; i++)
                    if (!(fabs(v[i] - u[i]) <= 20 * (extras[k] + 1e-7)))
                        fail_msg("%s %s: unknown %d is %.12g after 1, %.12g %g later", forms[f],
                                 info.name, i + 1, u[i], v[i], extras[k]);
            }
        }
}

/* The headline of this project: T of CROS in raw index 3, with fixed steps. */
static void test_raw_with_fixed_steps(void **state)
{
    (void)state;
    double u[MOST_UNKNOWNS];
    dae_options options = dae_default_options();
    dae_system *sys = system_at_start("pendulum", "index3", 1, u);
    options.step = 1e-3;
    solve_to(sys, "cros", &options, 2, u);
    assert_close(u[LAMBDA], 7.540818604483046, 1e-8);
    dae_system_free(sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_short_last_steps),
                                       cmocka_unit_test(test_raw_with_fixed_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
