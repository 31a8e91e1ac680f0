/* test_invariants.c - steps moved onto invariants, and what becomes of moves that are too large */
#include "projections.h"

/* ---- invariants ----------------------------------------------------------------------------- */

static const double period = 5.48813846813882624550304;

/* Over whole periods of predator_prey the exact state is the start (3, 1). */
static void test_predator_prey(void **state)
{
    (void)state;
    static const char *const methods[] = {"cros", "cros4", "radau5", "dopri5", "ida"};
    const double start[2] = {3, 1};
    for (int m = 0; m < 5; m++) {
        const double rtol = m == 0 ? 1e-6 : 1e-8;       /* cros is of order 2 */
        const result free_run = run("predator_prey", "native", methods[m], tolerance(rtol), 0,
                                    20 * period);
        const result ten = run("predator_prey", "native", methods[m], tolerance(rtol), 0,
                               10 * period);
        const result held = run("predator_prey", "native", methods[m], tolerance(rtol),
                                ON_INVARIANT, 20 * period);
        assert_false(free_run.status || ten.status || held.status);
        assert_true(held.seen.invariant < 1e-14);
        assert_true(free_run.seen.invariant > 1e-9);
        assert_true(free_run.seen.invariant > 1.5 * ten.seen.invariant);
        assert_true(distance(held.u, start, 2) <= distance(free_run.u, start, 2));
        assert_true(distance(held.u, start, 2) < 1e-3);
    }
}

/* Every method, energy and angular momentum, an eccentric and a circular orbit; in the circular one
 * both gradients are parallel, and only the energy is held. */
static void test_kepler(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++)
        for (int m = 0; dae_method_at(m); m++) {
            const double p[3] = {1, 1, circle ? 0 : 0.6};
            double u[4], exact[4];
            dae_system *sys;
            const dae_problem *kepler = problem_named("kepler");
            assert_int_equal(DAE_OK, dae_system_create(&sys, kepler, dae_find_formulation("native"),
                                                       p, NULL, NULL));
            assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
            const double t_end = 6 * 3.14159265358979324;
            kepler->first_order.exact.f(p, t_end, exact);
            const result held =
                run_system(sys, dae_method_at(m), tolerance(1e-6), ON_INVARIANT, t_end, u);
            const result loose = run_system(sys, dae_method_at(m), tolerance(1e-6), 0, t_end, u);
            if (held.status)
                fail_msg("%s: %s", name_at(m), held.said);
            if (!(held.seen.invariant < (circle ? loose.seen.invariant : 1e-14)))
                fail_msg("%s: invariants %g", name_at(m), held.seen.invariant);
            assert_true(loose.seen.invariant > 1e-9);
            if (!(distance(held.u, exact, 4) <= fmax(3 * distance(loose.u, exact, 4), 1e-4)))
                fail_msg("%s: off by %g, not held by %g", name_at(m), distance(held.u, exact, 4),
                         distance(loose.u, exact, 4));
            dae_system_free(sys);
        }
}

/* u = sin t, u^2 - sin^2 t = 0: without a gradient at the start, and now and then later. */
static void wave_rhs(const double *p, double t, const double *u, double *F)
{
    (void)p, (void)u;
    F[0] = cos(t);
    F[1] = u[0];
}

static void wave_rhs_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    (void)p;
    const double x = dae_dual_value(t);
    F[0] = dae_dual_make(cos(x), -sin(x) * dae_dual_derivative(t));
    F[1] = u[0];
}

static void wave_invariant(const double *p, double t, const double *u, double *I)
{
    (void)p;
    I[0] = u[0] * u[0] - sin(t) * sin(t);
}

static void wave_invariant_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *I)
{
    (void)p;
    const double x = sin(dae_dual_value(t));
    I[0] = u[0] * u[0] - x * x;
}

static void wave_start(const double *p, double *u) { (void)p, (void)u; }

static void test_no_gradient_at_the_start(void **state)
{
    static const char *const methods[] = {"cros", "rodas5p", "radau5", "dopri5", "dop853", "ida"};
    static const dae_problem wave = {
        .name = "wave", .title = "-", .citation = "-", .equations = "-", .variables = "u w",
        .units = "- -", .start = {wave_start}, .t_end = 20,
        .first_order = {.n = 2, .rhs = {.f = wave_rhs, .dual = wave_rhs_dual}},
        .invariants = {.n = 1, .value = {.f = wave_invariant, .dual = wave_invariant_dual},
                       .names = "I", .units = "-"}};
    (void)state;
    for (int m = 0; m < 6; m++) {
        double u[2];
        dae_system *sys;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &wave, dae_find_formulation("native"),
                                                   NULL, NULL, NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        const dae_method *method = dae_find_method(methods[m]);
        const result held = run_system(sys, method, tolerance(1e-5), ON_INVARIANT, 20, u);
        const result loose = run_system(sys, method, tolerance(1e-5), 0, 20, u);
        if (held.status)
            fail_msg("%s: %s", methods[m], held.said);
        if (!(held.seen.invariant < 4e-15))
            fail_msg("%s: off by %g", methods[m], held.seen.invariant);
        assert_true(loose.seen.invariant > 1e-11);
        assert_close(held.u[0], sin(20), 1e-14);
        assert_close(held.u[1], 1 - cos(20), 1e-3);
        dae_system_free(sys);
    }
}

/* Constraints and invariants of a mechanical problem together. */
static void test_all_levels(void **state)
{
    (void)state;
    static const char *const methods[] = {"cros", "cros4", "rk4", "rodas4", "radau5", "dopri5",
                                          "dop853", "ida"};
    for (int m = 0; m < 8; m++) {
        const result r = run("spherical_pendulum", "index1", methods[m], tolerance(1e-5),
                             BOTH | ON_INVARIANT, 50);
        assert_on_constraints(&r, 5, methods[m]);
        assert_true(r.seen.invariant < 1e-14);
        assert_true(run("spherical_pendulum", "index1", methods[m], tolerance(1e-5), BOTH, 50)
                        .seen.invariant > 1e-8);
    }
}

static void energy_of(const double *p, double t, const double *x, double *I)
{
    const dae_problem *d = problem_named("double_pendulum");
    d->mechanical.energy.f(p, t, x, x + d->mechanical.nq, I);
}

static void energy_of_dual(const double *p, dae_dual t, const dae_dual *x, dae_dual *I)
{
    const dae_problem *d = problem_named("double_pendulum");
    d->mechanical.energy.dual(p, t, x, x + d->mechanical.nq, I);
}

/* In minimal coordinates s the invariant is that of (q, v)(s, s'). */
static void test_minimal_coordinates(void **state)
{
    (void)state;
    dae_problem problem = *problem_named("double_pendulum");
    problem.invariants = (dae_invariants){
        1, {.f = energy_of, .dual = energy_of_dual}, "energy", "J"};
    static const char *const forms[] = {"ode", "index1"};
    for (int f = 0; f < 2; f++) {
        double u[16];
        dae_system *sys;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &problem, dae_find_formulation(forms[f]),
                                                   NULL, NULL, NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, NULL));
        for (int m = 0; dae_method_at(m); m++) {
            const result r =
                run_system(sys, dae_method_at(m), tolerance(1e-4), ON_INVARIANT, 1, u);
            if (r.status == DAE_UNSUPPORTED)
                continue;
            if (r.status)
                fail_msg("%s: %s", name_at(m), r.said);
            if (!(r.seen.invariant < 1e-13))
                fail_msg("%s %s: %g", forms[f], name_at(m), r.seen.invariant);
        }
        dae_system_free(sys);
    }
}

/* ---- too far -------------------------------------------------------------------------------- */

static void one(const double *p, double t, const double *u, double *F)
{
    (void)p, (void)t, (void)u;
    F[0] = 1;
}

static void one_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    (void)p, (void)t, (void)u;
    F[0] = 1;
}

static void itself(const double *p, double t, const double *u, double *I)
{
    (void)p, (void)t;
    I[0] = u[0];
}

static void itself_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *I)
{
    (void)p, (void)t;
    I[0] = u[0];
}

static void jump(const double *p, double t, const double *u, double *I)
{
    (void)p;
    I[0] = u[0] - t + (t > 0.5);
}

static void jump_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *I)
{
    (void)p;
    I[0] = u[0] - t + (dae_dual_value(t) > 0.5);
}

static void start_at_one(const double *p, double *u)
{
    (void)p;
    u[0] = 1;
}

static const dae_problem standing = {
    .name = "standing", .title = "x' = 1 held on x = 1", .variables = "x", .units = "-",
    .first_order = {.n = 1, .rhs = {one, one_dual, NULL}}, .start = {start_at_one}, .t_end = 0.1,
    .invariants = {1, {itself, itself_dual, NULL}, "x", "-"}};

static const dae_problem jumping = {
    .name = "jumping", .title = "x' = 1 held on x - t, which jumps", .variables = "x",
    .units = "-", .first_order = {.n = 1, .rhs = {one, one_dual, NULL}}, .start = {start_at_one},
    .t_end = 1, .invariants = {1, {jump, jump_dual, NULL}, "I", "-"}};

/* x' = 1 is solved without error by any step. Held on x = 1 each step of size h is moved by h,
 * which must not exceed the tolerance, 2e-3. */
static void test_too_far(void **state)
{
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        double u[1] = {1};
        dae_system *sys;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &standing, dae_find_formulation("native"),
                                                   NULL, NULL, NULL));
        const result r = run_system(sys, dae_method_at(m), tolerance(1e-3), ON_INVARIANT, 0.1, u);
        if (r.status)
            fail_msg("%s: %s", name_at(m), r.said);
        assert_close(r.u[0], 1, 1e-15);
        assert_true(r.count.too_far > 0 && r.count.too_far <= r.count.rejected);
        assert_true(r.count.steps >= 50);
        assert_int_equal(r.count.steps, r.seen.looks - 1);
        assert_int_equal(r.count.steps, r.count.projections);
        dae_options options = dae_default_options();    /* fixed steps are moved however far */
        options.step = 0.01;
        if (dae_method_describe(dae_method_at(m)).fixed) {
            const result fixed = run_system(sys, dae_method_at(m), options, ON_INVARIANT, 0.1, u);
            assert_int_equal(DAE_OK, fixed.status);
            assert_close(fixed.u[0], 1, 1e-15);
            assert_close(fixed.count.correction, 0.01, 1e-14);
            assert_int_equal(10, fixed.count.steps);
        }
        dae_system_free(sys);
    }
}

static void test_in_vain(void **state)
{
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        double u[1] = {1};
        dae_system *sys;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &jumping, dae_find_formulation("native"),
                                                   NULL, NULL, NULL));
        const result r = run_system(sys, dae_method_at(m), tolerance(1e-4), ON_INVARIANT, 1, u);
        if (r.status != DAE_SMALL_STEP || !strstr(r.said, "times the tolerance"))
            fail_msg("%s: %s, %s", name_at(m), dae_status_name(r.status), r.said);
        assert_close(r.u[0], 1.5, 1e-2);
        dae_system_free(sys);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predator_prey),
        cmocka_unit_test(test_kepler),
        cmocka_unit_test(test_no_gradient_at_the_start),
        cmocka_unit_test(test_all_levels),
        cmocka_unit_test(test_minimal_coordinates),
        cmocka_unit_test(test_too_far),
        cmocka_unit_test(test_in_vain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
