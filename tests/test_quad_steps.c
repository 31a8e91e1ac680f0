/* test_quad_steps.c - fixed steps in quad precision, and what converge says by them
 *
 * On u' = -u the steps of Radau IIA of s stages multiply by the Pade approximation (s-1, s) of e^-h
 * (Hairer, Wanner (1996), Solving ODEs II, IV.3 and IV.5).
 */
#ifndef DAE_PASS
#include "support.h"

#include "study/converge.h"

#include <math.h>
#include <string.h>

#include <daelab/model.h>

static void one(const double *p, double *u) { u[0] = 1; }

static const dae_problem decay = {
    .name = "decay", .title = "u' = -u", .equations = "u' = -u", .variables = "u", .units = "-",
    .first_order = {.n = 1, .rhs = DAE_MODEL(rhs)}, .start = {one}, .t_end = 1};

/* R(z) of two and of three stages. */
static dae_quad two_stages(dae_quad z)
{
    return (1 + z / 3) / (1 - 2 * z / 3 + z * z / 6);
}

static dae_quad three_stages(dae_quad z)
{
    return (1 + 2 * z / 5 + z * z / 20) / (1 - 3 * z / 5 + 3 * z * z / 20 - z * z * z / 60);
}

static void test_stability_function(void **state)
{
    (void)state;
    const double times[2] = {0.5, 1}, u0[1] = {1};
    dae_system *sys;
    dae_reference at;
    dae_report why = {0};
    assert_int_equal(DAE_OK, dae_system_create(&sys, &decay, dae_find_formulation("native"), NULL,
                                               NULL, &why));
    for (int stages = 2; stages <= 3; stages++) {
        const dae_quad z = -(dae_quad)1 / 8, R = stages == 2 ? two_stages(z) : three_stages(z);
        dae_quad power = R * R * R * R;
        assert_int_equal(DAE_OK,
                         dae_quad_steps(&at, NULL, sys, stages, 0, u0, times, 2, 4, &why));
        for (int k = 0; k < 2; k++, power *= power)
            assert_true(fabsf128(at.q[k] - power) < 1e-30);
        dae_reference_free(&at);
    }
    dae_system_free(sys);
}

static void test_refusals(void **state)
{
    (void)state;
    const double times[1] = {1}, u0[1] = {1};
    dae_system *sys;
    dae_reference at;
    dae_report why = {0};
    assert_int_equal(DAE_OK, dae_system_create(&sys, &decay, dae_find_formulation("native"), NULL,
                                               NULL, &why));
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_quad_steps(&at, NULL, NULL, 3, 0, u0, times, 1, 4, &why));
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_quad_steps(&at, NULL, sys, 3, 0, u0, times, 1, 0, &why));
    assert_int_equal(DAE_UNSUPPORTED,
                     dae_quad_steps(&at, NULL, sys, 1, 0, u0, times, 1, 4, &why));
    assert_int_equal(DAE_UNSUPPORTED,
                     dae_quad_steps(&at, NULL, sys, 999, 0, u0, times, 1, 4, &why));
    dae_system_free(sys);
}

/* In double precision order 13 is at rounding before its expansion holds; in quad it is seen, in
 * every class of variable. */
static void test_order_13(void **state)
{
    (void)state;
    static const struct { const char *problem, *form; } where[] = {
        {"pendulum", "index3"}, {"pendulum", "ode"}, {"ladder", "index1"}};
    for (int i = 0; i < 3; i++) {
        cli_options o = {.problem = problem_named(where[i].problem), .step = NAN, .rtol = NAN,
                         .atol = NAN, .t_end = NAN, .ratio = NAN, .every = NAN, .quiet = 1,
                         .baumgarte = dae_default_formulation_options()};
        converge_study c = {.value = 0};
        int quad = 0;
        study s;
        for (int k = 0; k < dae_parameter_count(o.problem); k++)
            o.parameters[k] = o.problem->parameters[k].value;
        assert_int_equal(0, study_begin(&s, &o, REFERENCE_ON_PATH));
        converge_plan(&c, &s, dae_find_formulation(where[i].form), dae_find_method("radau13"));
        assert_true(converge_run(&s, &c));
        for (dae_class k = DAE_POSITION; k <= DAE_RECOVERED; k++) {
            if (!isnan(c.order[k].declared))
                assert_string_equal("agrees", c.order[k].verdict);
            quad += c.order[k].in_quad;
        }
        assert_true(quad >= 2);
        converge_free(&c);
        study_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stability_function),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_order_13),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
static void FN(rhs)(const param *p, real t, const real *u, real *F) { F[0] = -u[0]; }
#endif
