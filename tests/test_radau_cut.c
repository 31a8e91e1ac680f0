/* test_radau_cut.c - Radau steps that end long before they should: at outputs and events that
 * follow closely, multipliers are as good as at the end of a whole step
 */
#include "support.h"

static const char *const methods[] = {"radau5", "radau", "radau9", "radau13"};
static const char *const forms[] = {"index2", "ggl", "index3"};
enum { METHODS = 4, FORMS = 3 };

static dae_solver *begin(dae_system *sys, const char *method, const dae_options *options,
                         const double *u)
{
    return solver_of(sys, dae_find_method(method), options, 0, u);
}

/* |T/T(q, v) - 1| with the tension that position and velocity need. */
static double error_of_tension(dae_system *sys, double t, const double *u)
{
    double a[2], tension;
    assert_int_equal(DAE_OK, dae_system_accelerate(sys, t, u, u + 2, a, &tension));
    return fabs(u[4] / tension - 1);
}

/* To t = 1, and on by h; the velocities are what they should be as well. */
static double after(const char *form, const char *method, const dae_options *options, double h)
{
    static const double at_1[] = {0.65837740803, -4.95646438387, -4.29282600800, -0.57022495097};
    double u[MOST_UNKNOWNS];
    dae_system *sys = system_at_start("pendulum", form, 0, u);
    dae_solver *solver = begin(sys, method, options, u);
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 1, u));
    if (h > 0)
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 1 + h, u));
    const double error = error_of_tension(sys, 1 + h, u);
    assert_close(distance(u, at_1, 4), 0, 5 * h + 1e-3);
    dae_solver_free(solver);
    dae_system_free(sys);
    return error;
}

static void check(const char *form, const char *method, const dae_options *options)
{
    const double whole = after(form, method, options, 0);
    for (double h = 1e-3; h > 1e-15; h /= 100) {
        const double error = after(form, method, options, h);
        if (!(error <= 3 * whole + 1e-10))
            fail_msg("%s %s, step %g: the tension is off by %g after %g, before by %g", form,
                     method, options->step, error, h, whole);
    }
}

TEST(test_chosen_steps)
{
    const dae_options options = tolerance(1e-6);
    for (int f = 0; f < FORMS; f++)
        for (int m = 0; m < 2; m++)
            check(forms[f], methods[m], &options);
}

TEST(test_fixed_steps)
{
    dae_options options = dae_default_options();
    options.step = 0.01;
    for (int f = 0; f < FORMS; f++)
        for (int m = 0; m < METHODS; m += 2)
            check(forms[f], methods[m], &options);
}

/* A first-order problem of index 2, whose z = -e^t/(2 - t) is as a multiplier. */
TEST(test_first_order)
{
    const dae_options options = tolerance(1e-6);
    for (int m = 0; m < METHODS; m++)
        for (double h = 1e-3; h > 1e-15; h /= 100) {
            double u[MOST_UNKNOWNS];
            dae_system *sys = system_at_start("linear_dae", "native", 0, u);
            dae_solver *solver = begin(sys, methods[m], &options, u);
            for (int k = 1; k <= 4; k++) {
                const double t = 0.1 * k + h;
                assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.1 * k, u));
                assert_int_equal(DAE_OK, dae_solver_advance(solver, t, u));
                assert_close(u[2] / (-exp(t) / (2 - t)), 1, 1e-4);
            }
            dae_solver_free(solver);
            dae_system_free(sys);
        }
}

/* ---- events: a step of the method ends on them, however close to its begin ------------------- */

static dae_status passes(void *context, double t, const double *u, double *g, dae_report *report)
{
    g[0] = t - *(const double *)context;
    return DAE_OK;
}

static int stop(void *context, double t, const double *u, const int *found)
{
    return 1;
}

TEST(test_events)
{
    const dae_options options = tolerance(1e-6);
    const dae_direction direction = DAE_ANY;
    double at = 0;
    const dae_watch watch = {.count = 1, .direction = &direction, .values = passes,
                             .happened = stop, .context = &at};
    for (int f = 0; f < FORMS; f++)
        for (int m = 0; m < 2; m++) {
            double u[MOST_UNKNOWNS], start[MOST_UNKNOWNS];
            dae_system *sys = system_at_start("pendulum", forms[f], 0, start);
            dae_solver *solver = begin(sys, methods[m], &options, start);
            assert_int_equal(DAE_OK, dae_solver_watch(solver, &watch));
            for (int k = 0; k < 100; k++) {
                at = 0.5 + k * 8e-3;
                assert_int_equal(DAE_OK, dae_solver_start(solver, 0, start));
                assert_int_equal(DAE_EVENT, dae_solver_advance(solver, 2, u));
                assert_close(error_of_tension(sys, dae_solver_time(solver), u), 0, 2e-3);
            }
            dae_solver_free(solver);
            dae_system_free(sys);
        }
}
