/* test_step_times.c - the size of a step is the difference of its times, wherever these lie
 *
 * Fast problems long after t = 0, where t + h is rounded; fixed steps that do not divide their interval, by any part
 * of a step.
 */
#ifndef DAE_PASS
enum { PERIOD };
#include <daelab/model.h>

#include "support.h"

#include <math.h>

static void swing_start(const double *p, double *u) { u[0] = 1; }
static void line_start(const double *p, double *u) { }

static const dae_problem swing = {                      /* u = cos t/T, v = -sin t/T */
    .name = "swing", .variables = "u v", .units = "- -", .start = {swing_start}, .t_end = 100,
    .parameters = {{"T", 1, "s", "time of change", DAE_POSITIVE}},
    .first_order = {.n = 2, .rhs = DAE_MODEL(swing)}};
static const dae_problem line = {                       /* u = t, v = t^3 */
    .name = "line", .variables = "u v", .units = "- -", .start = {line_start}, .t_end = 1,
    .parameters = {{"T", 1, "s", "time of change", DAE_POSITIVE}},
    .first_order = {.n = 2, .rhs = DAE_MODEL(line)}};

static dae_system *system_of(const dae_problem *problem, const double *p, double *u)
{
    dae_system *sys;
    assert_int_equal(DAE_OK, dae_system_create(&sys, problem, dae_find_formulation("native"), p, NULL, NULL));
    assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
    return sys;
}

/* Of the end of the run from t0 over ten units T of time, in tolerances. */
static double error_from(double t0, double T, const dae_method *method)
{
    dae_problem later = swing;
    dae_options o = tolerance(1e-7);
    double u[MOST_UNKNOWNS];
    later.t0 = t0;
    later.t_end = t0 + 10 * T;
    dae_system *sys = system_of(&later, &T, u);
    solve_to(sys, dae_method_describe(method).name, &o, later.t_end, u);
    dae_system_free(sys);
    const double x = (later.t_end - t0) / T;
    return fmax(fabs(u[0] - cos(x)), fabs(u[1] + sin(x))) / o.rtol;
}

/* The time of the end is rounded, too: eps t/T. */
static void test_late(void **state)
{
    static const double t0[] = {1000, 1e9}, T[] = {1e-6, 1};
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        for (int k = 0; k < 2 && info.adaptive && (info.order[0][DAE_DIFFERENTIAL] != 1); k++) {
            const double home = error_from(0, T[k], dae_method_at(m));
            const double late = error_from(t0[k], T[k], dae_method_at(m));
            if (!(late <= 2 * home + 3))
                fail_msg("%s: %g tolerances off from t = 0, %g from t = %g", info.name, home, late, t0[k]);
        }
    }
}

/* What a step below 1e-9 of h is left over for belongs to the last step. */
static void test_remainder(void **state)
{
    static const double steps[] = {0.4999999998, 0.5000000002, 0.3333333332, 0.33333333323, 0.3, 0.7};
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        for (size_t k = 0; k < sizeof steps / sizeof *steps && info.fixed; k++) {
            double u[MOST_UNKNOWNS];
            dae_options o = dae_default_options();
            dae_system *sys = system_of(&line, NULL, u);
            o.step = steps[k];
            const dae_statistics count = solve_to(sys, info.name, &o, 1, u);
            dae_system_free(sys);
            assert_int_equal(count.steps, (long)ceil(1 / steps[k] - 1e-9));
            if (fabs(u[0] - 1) > 1e-13)
                fail_msg("%s, step %.10g: u = t ends at 1 + %g", info.name, steps[k], u[0] - 1);
        }
    }
}

/* ---- constraints ------------------------------------------------------------------------------ */

/* Of positions and velocities, or of the multiplier, of the pendulum at t = 1 by steps of size h. */
static void errors(const char *form, const char *method, double h, double *x)
{
    double u[MOST_UNKNOWNS], exact[MOST_UNKNOWNS];
    dae_options o = tolerance(1e-12);
    dae_system *sys = system_at_start("pendulum", "index1", 0, exact);
    solve_to(sys, "radau", &o, 1, exact);
    dae_system_free(sys);
    sys = system_at_start("pendulum", form, 0, u);
    o = dae_default_options();
    o.step = h;
    solve_to(sys, method, &o, 1, u);
    dae_system_free(sys);
    x[0] = distance(u, exact, 4);
    x[1] = fabs(u[4] - exact[4]);
}

/* The last steps leave no more than others do, whatever part of a step the interval has over. */
static void test_parts(void **state)
{
    static const double over[] = {1e-8, 1e-6, 1e-4, 1e-2, 0.1, 0.3, 0.5};
    static const char *const forms[] = {"index2", "index3"};
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        for (int f = 0; f < 2 && info.fixed && info.implicit && info.order[3][DAE_POSITION] != 0; f++) {
            double whole[2], part[2];
            errors(forms[f], info.name, 0.01, whole);
            for (size_t k = 0; k < sizeof over / sizeof *over; k++) {
                errors(forms[f], info.name, 1 / (100 + over[k]), part);
                if (!(part[0] <= 2 * whole[0] + 1e-10 && part[1] <= 3 * whole[1] + 1e-5))
                    fail_msg("%s %s, %g of a step over: errors %g, multiplier %g; of none %g, %g", forms[f], info.name,
                             over[k], part[0], part[1], whole[0], whole[1]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_late), cmocka_unit_test(test_remainder),
                                       cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests_name("step_times", tests, NULL, NULL);
}

#else
static void FN(swing)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1] / p[PERIOD];
    F[1] = -u[0] / p[PERIOD];
}
static void FN(line)(const param *p, real t, const real *u, real *F)
{
    F[0] = 1;
    F[1] = 3 * t * t;
}
#endif
