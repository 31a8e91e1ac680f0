/* test_stiff_springs.c - a mass on a spring so stiff that the equations, an ODE, are near to index 3:
 * r'' = -k (|r| - 1) r/|r|, on the circle where k (|r| - 1) = |r| */
#ifndef DAE_PASS
enum { K };
#include <daelab/model.h>

#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const long MOST_STEPS = 21000;

static void on_circle(const double *p, double *u)
{
    u[0] = u[3] = p[K] / (p[K] - 1);
    u[1] = u[2] = 0;
}

static const dae_problem circle = {
    .name = "circle", .title = "", .citation = "", .equations = "", .variables = "x y vx vy", .units = "- - - -",
    .parameters = {{"k", 1e8, "", "", DAE_POSITIVE}},
    .first_order = {.n = 4, .index = 0, .rhs = DAE_MODEL(attract)}, .start = {on_circle}, .t_end = 10};

/* The largest error at the end, in tolerances of numbers of size 1; NAN where the run says itself that it failed, or
 * takes more steps */
static double error_within(long most_steps, const dae_method *method, double k, double rtol, char *why_not)
{
    double u[4], largest = 0;
    dae_system *sys;
    dae_solver *s;
    dae_report why = {0};
    dae_options o = tolerance(rtol);
    o.max_steps = most_steps;
    assert_int_equal(0, dae_system_create(&sys, &circle, dae_find_formulation("native"), &k, NULL, &why));
    assert_int_equal(0, dae_system_start(sys, u, &why));
    assert_int_equal(0, dae_solver_create(&s, sys, method, &o, &why));
    assert_int_equal(0, dae_solver_start(s, 0, u));
    const dae_status status = dae_solver_advance(s, 10, u);
    snprintf(why_not, 320, "%s", dae_solver_report(s)->message);
    const double r = k / (k - 1), exact[4] = {r * cos(10), r * sin(10), -r * sin(10), r * cos(10)};
    for (int i = 0; i < 4; i++)
        largest = fmax(largest, fabs(u[i] - exact[i]) / (2 * rtol));
    dae_solver_free(s);
    dae_system_free(sys);
    return status ? NAN : largest;
}

static double error_of(const dae_method *method, double k, double rtol, char *why_not)
{
    return error_within(MOST_STEPS, method, k, rtol, why_not);
}

/* Errors of 1e4 steps in one direction were up to 10000 tolerances, the size of the motion. Explicit methods let
 * oscillations grow that they do not resolve: dopri5 those of h w > 1, of which it estimates a thousandth. */
static void test_circle(void **state)
{
    char why[320];
    const dae_formulation *form = dae_find_formulation("native");
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        const int low = !info.implicit && dae_method_order(dae_method_at(m), form, 0, DAE_DIFFERENTIAL) < 4;
        for (double k = 1e4; info.adaptive && !low && k < 1e13; k *= 100)
            for (double rtol = 1e-3; rtol > 5e-8; rtol /= 10) {
                const double error = error_of(dae_method_at(m), k, rtol, why);
                if (error > 100)
                    fail_msg("%s, k = %g, rtol %g: %g tolerances", info.name, k, rtol, error);
            }
    }
}

/* What holds is not refused, and what is refused says why. */
static void test_verdicts(void **state)
{
    char why[320];
    (void)state;
    assert_true(error_of(dae_find_method("radau"), 1e8, 1e-5, why) <= 20);
    assert_true(error_of(dae_find_method("rodas5p"), 1e6, 1e-5, why) <= 30);
    assert_true(error_of(dae_find_method("dirk"), 1e6, 1e-4, why) <= 30);
    assert_true(isnan(error_of(dae_find_method("ida"), 1e6, 1e-3, why)));
    assert_non_null(strstr(why, "ida and radau are"));
    assert_non_null(strstr(why, "stiff oscillates"));
    assert_true(isnan(error_of(dae_find_method("cvode"), 1e4, 1e-4, why)));
}

/* With the J of the begin for all stages Newton's iteration converges for h^4 k w^2 < 1, here h < 1e-3: 10 000 steps. */
static void test_few_steps(void **state)
{
    static const char *const methods[] = {"radau5", "radau9", "radau13", "radau"};
    char why[320];
    (void)state;
    for (int m = 0; m < 4; m++)
        for (double k = 1e4; k < 1e13; k *= 100)
            for (double rtol = 1e-3; rtol > 5e-9; rtol /= 10) {
                const double error = error_within(1200, dae_find_method(methods[m]), k, rtol, why);
                if (!(error <= 30))
                    fail_msg("%s, k = %g, rtol %g: %g tolerances; %s", methods[m], k, rtol, error, why);
            }
}

/* What is hindered little, or by something else, keeps the one J of a step: those of all stages cost three times the
 * F. */
static void test_one_jacobian(void **state)
{
    static const struct { const char *problem, *form; int most; } of[] = {{"andrews", "index1", 1},
                                                                            {"transistor_amplifier", "native", 2}};
    (void)state;
    for (int k = 0; k < 2; k++)
        for (double rtol = 1e-3; rtol > 5e-7; rtol /= 10) {
            const dae_problem *p = problem_named(of[k].problem);
            double u[MOST_UNKNOWNS];
            dae_system *sys;
            const dae_options o = tolerance(rtol);
            assert_int_equal(0, dae_system_create(&sys, p, dae_find_formulation(of[k].form), NULL, NULL, NULL));
            assert_int_equal(0, dae_system_start(sys, u, NULL));
            assert_int_equal(0, dae_consistent_start(sys, p->t0, u, NULL, NULL));
            const dae_statistics c = solve_to(sys, "radau", &o, p->t_end, u);
            if (c.jacobians > of[k].most * c.steps)
                fail_msg("%s, rtol %g: %ld J in %ld steps", p->name, rtol, c.jacobians, c.steps);
            dae_system_free(sys);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_circle), cmocka_unit_test(test_verdicts),
                                       cmocka_unit_test(test_few_steps),
                                       cmocka_unit_test(test_one_jacobian)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
static void FN(attract)(const param *p, real t, const real *u, real *F)
{
    const real r = sqrt(u[0] * u[0] + u[1] * u[1]), f = -p[K] * (r - 1) / r;
    F[0] = u[2];
    F[1] = u[3];
    F[2] = f * u[0];
    F[3] = f * u[1];
}
#endif
