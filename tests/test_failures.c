/* test_failures.c - models that fail: a right-hand side that returns NaN, a singular pencil, a mass
 * that is not positive; the library answers a status and a sentence and keeps the last state */
#include "support.h"

#include "small_models.h"

/* Run from 0 to 1; the status, with the end state and the report. */
static dae_status run(const dae_problem *problem, const char *method, dae_jacobian_kind jacobian,
                      dae_linear_kind linear, double *u, double *t, dae_report *why)
{
    dae_options options = dae_default_options();
    if (dae_method_describe(dae_find_method(method)).fixed)
        options.step = 0.01;
    options.jacobian = jacobian;
    options.linear = linear;
    OWNED(dae_system) *sys = system_of(problem, "native", NULL, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &options, 0, NULL);
    dae_status status = dae_solver_start(solver, 0, u);
    if (!status)
        status = dae_solver_advance(solver, 1, u);
    *t = dae_solver_time(solver);
    *why = *dae_solver_report(solver);
    return status;
}

TEST(test_not_finite)
{
    const char *const methods[] = {"cros", "euler", "heun", "rk4"};
    for (int m = 0; m < 4; m++) {
        double u[1], t;
        dae_report why = {0};
        assert_int_equal(DAE_NOT_FINITE, run(&dae_stops, methods[m], DAE_JACOBIAN_DUAL,
                                             DAE_LINEAR_BEST, u, &t, &why));
        assert_non_null(strstr(why.message, "t = 0.5"));
        assert_non_null(strstr(why.message, "(y)"));
        assert_true(t > 0.48 && t < 0.52);
        assert_close(u[0], t, 1e-12);                   /* the last accepted state */
    }
}

TEST(test_ida_not_finite)
{
    double u[1], t;
    dae_report why = {0};
    const dae_status status =
        run(&dae_stops, "ida", DAE_JACOBIAN_DUAL, DAE_LINEAR_BEST, u, &t, &why);
    assert_true(status < 0);
    assert_true(strlen(why.message) > 20);
    assert_true(t > 0.4 && t <= 0.5 + 1e-9);
}

TEST(test_singular)
{
    for (dae_linear_kind linear = DAE_LINEAR_DENSE; linear <= DAE_LINEAR_KLU; linear++) {
        double u[1], t;
        dae_report why = {0};
        assert_int_equal(DAE_SINGULAR,
                         run(&dae_square, "cros", DAE_JACOBIAN_DUAL, linear, u, &t, &why));
        assert_non_null(strstr(why.message, "singular"));
        assert_non_null(strstr(why.message, "(z)"));
        assert_non_null(strstr(why.message, "t = 0"));
        assert_true(t == 0 && u[0] == 0);
    }
}

/* F = 1 - sqrt(y) has a value at y = 0, and no derivative: that is what is said, and not that the pencil is
 * singular. */
TEST(test_no_derivative)
{
    static const char *const methods[] = {"cros", "rodas4", "radau5"};
    for (int m = 0; m < 3; m++)
        for (dae_linear_kind linear = DAE_LINEAR_DENSE; linear <= DAE_LINEAR_KLU; linear++) {
            double u[1], t;
            dae_report why = {0};
            assert_int_equal(DAE_NOT_FINITE,
                             run(&dae_root, methods[m], DAE_JACOBIAN_DUAL, linear, u, &t, &why));
            assert_non_null(strstr(why.message, "the derivative of row 1 (y) of F by unknown 1 (y)"));
            assert_true(t == 0 && u[0] == 0);
        }
}

/* A start that is not a number, and a mass that is zero: refused when the system is made. */
static void nan_start(const double *p, double *u)
{
    u[0] = NAN;
}

TEST(test_bad_start)
{
    dae_problem bad = dae_stops;
    double u[1];
    dae_report why = {0};
    bad.start.f = nan_start;
    OWNED(dae_system) *sys = system_of(&bad, "native", NULL, NULL);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_start(sys, u, &why));
    assert_non_null(strstr(why.message, "nan"));
}

static void zero_mass(const double *p, double t, const double *q, const double *a, double *r)
{
    r[0] = a[0];
    r[1] = 0;
}

static void coupled_mass(const double *p, double t, const double *q, const double *a, double *r)
{
    r[0] = 2 * a[0] + a[1];
    r[1] = a[0] + 2 * a[1];
}

static void negative_mass(const double *p, double t, const double *q, const double *a, double *r)
{
    for (int i = 0; i < 2 * p[0]; i++)
        r[i] = -a[i];
}

TEST(test_bad_mass)
{
    dae_problem bad = *problem_named("pendulum");
    OWNED(dae_system) *sys = NULL;
    dae_report why = {0};
    bad.mechanical.inertia.f = zero_mass;
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_create(&sys, &bad, dae_find_formulation("index2"),
                                                         NULL, NULL, &why));
    assert_non_null(strstr(why.message, "mass of coordinate 2"));
    bad.mechanical.inertia.f = coupled_mass;
    sys = system_of(&bad, "index2", NULL, NULL);
    assert_int_equal(7, dae_system_size(sys));          /* with accelerations as unknowns */
    dae_system_free(sys);
    bad = *problem_named("chain");
    bad.parameters[0].value = 50;
    bad.mechanical.inertia.f = negative_mass;
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_create(&sys, &bad, dae_find_formulation("index2"),
                                                         NULL, NULL, &why));
    bad.mechanical.inertia.f = coupled_mass;
    assert_int_equal(DAE_UNSUPPORTED, dae_system_create(&sys, &bad, dae_find_formulation("index2"),
                                                        NULL, NULL, &why));
    assert_non_null(strstr(why.message, "diagonal"));
}

TEST(test_statuses)
{
    assert_string_equal("DAE_SINGULAR", dae_status_name(DAE_SINGULAR));
    assert_string_equal("done", dae_status_sentence(DAE_OK));
    assert_string_equal("unknown status", dae_status_name((dae_status)77));
}

/* KINSOL comes to z = 0 by halves and ends beside it, where it takes z^2 for zero. */
TEST(test_double_zero_is_not_consistent)
{
    dae_report why = {0};
    double z = 1;
    OWNED(dae_system) *sys = system_of(&dae_square, "native", NULL, NULL);
    assert_int_equal(DAE_INCONSISTENT, dae_consistent_start(sys, 0, &z, NULL, &why));
    assert_non_null(strstr(why.message, "more than rounding"));
}

/* u' = u^2, u(0) = 1 has a pole at t = 1: no method passes it, none steps on the spot for ever. */
TEST(test_pole)
{
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        dae_options options = dae_default_options();
        double u[1];
        if (!info.adaptive)
            continue;
        options.max_steps = 100000;
        OWNED(dae_system) *sys = system_of(&dae_blow_up, "native", NULL, u);
        OWNED(dae_solver) *solver = solver_of(sys, dae_method_at(m), &options, 0, u);
        const dae_status status = dae_solver_advance(solver, 2, u);
        if (status >= 0 || !(dae_solver_time(solver) < 1.001) || !isfinite(u[0]))
            fail_msg("%s: %s at t = %.17g, u = %g", info.name, dae_status_name(status),
                     dae_solver_time(solver), u[0]);
        if (u[0] > 1e20)
            fail_msg("%s: u = %g: steps that do not change t were kept", info.name, u[0]);
        assert_true(strlen(dae_solver_report(solver)->message) > 10);
    }
}
