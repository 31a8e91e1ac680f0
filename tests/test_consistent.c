/* test_consistent.c - consistent starts: what holds is untouched, what does not is moved least */
#include "support.h"

#include "printed.h"

enum { MOST = 8 };

/* m (v^2/L + g(t) cos theta) with the defaults m = 1, L = 5, g = 9.81 + 0.05 sin 2 pi t */
static double tension(double t, const double *u)
{
    const double g = 9.81 + 0.05 * sin(2 * acos(-1) * t);
    return (u[2] * u[2] + u[3] * u[3]) / 5 - g * u[1] / 5;
}

static const char *const mechanical[] = {"index1", "index2", "index3", "baumgarte", "ggl"};
enum { MECHANICAL = sizeof mechanical / sizeof *mechanical };

TEST(exact_start_is_untouched)
{
    for (int i = 0; i < MECHANICAL; i++) {
        OWNED(dae_system) *sys = system_of(problem_named("pendulum"), mechanical[i], NULL, NULL);
        double u[MOST] = {3, -4, 0, 0, 7.848};
        const double before[4] = {3, -4, 0, 0};
        dae_start_change change;
        assert_int_equal(dae_consistent_start(sys, 0, u, &change, NULL), DAE_OK);
        assert_memory_equal(u, before, sizeof before);
        assert_close(u[4], 7.848, 0);
        assert_int_equal(change.changed, 0);
        assert_close(change.position + change.velocity + change.multiplier, 0, 0);
    }
}

TEST(multiplier_is_the_tension)
{
    OWNED(dae_system) *sys = system_of(problem_named("pendulum"), "index1", NULL, NULL);
    double u[MOST] = {3, -4, 4, 3, 0};                  /* v along the circle, 25/5 + g cos theta */
    dae_start_change change;
    assert_int_equal(dae_consistent_start(sys, 0.3, u, &change, NULL), DAE_OK);
    assert_close(u[0], 3, 0);
    assert_close(u[1], -4, 0);
    assert_close(u[2], 4, 0);
    assert_close(u[3], 3, 0);
    assert_close(u[4], tension(0.3, u), 1e-14 * u[4]);
    assert_close(change.multiplier, u[4], 0);
    assert_int_equal(change.changed, 1);
}

/* The nearest point of the circle is on the radius, the nearest velocity the tangential part. */
TEST(perturbed_start_moves_least)
{
    const double q[2] = {3.1, -4.2}, v[2] = {1, 0.25}, r = hypot(q[0], q[1]);
    const double n[2] = {q[0] / r, q[1] / r}, along = v[0] * n[0] + v[1] * n[1];
    for (int i = 0; i < MECHANICAL; i++) {
        OWNED(dae_system) *sys = system_of(problem_named("pendulum"), mechanical[i], NULL, NULL);
        double u[MOST] = {q[0], q[1], v[0], v[1], 100, 7};
        dae_start_change change;
        assert_int_equal(dae_consistent_start(sys, 0.1, u, &change, NULL), DAE_OK);
        for (int k = 0; k < 2; k++) {
            assert_close(u[k], 5 * n[k], 4e-15);
            assert_close(u[2 + k], v[k] - along * n[k], 2e-15);
        }
        assert_close(hypot(u[0], u[1]), 5, 2e-15);
        assert_close(u[0] * u[2] + u[1] * u[3], 0, 4e-15);
        assert_close(u[4], tension(0.1, u), 1e-14 * u[4]);
        assert_close(change.position, (r - 5) * -n[1], 1e-14);
        assert_close(change.velocity, fabs(along * n[1]), 1e-14);
        assert_int_equal(change.changed, 1);
        if (dae_system_size(sys) > 5)
            assert_close(u[5], 0, 0);                    /* mu of ggl */
    }
}

TEST(far_start_lands_on_the_nearest_point)
{
    const double r[] = {1e-6, 0.1, 300};                /* at the direction (1, -2) */
    for (int i = 0; i < 3; i++) {
        OWNED(dae_system) *sys = system_of(problem_named("pendulum"), "index1", NULL, NULL);
        double u[MOST] = {r[i], -2 * r[i], 0, 0, 0};
        assert_int_equal(dae_consistent_start(sys, 0, u, NULL, NULL), DAE_OK);
        assert_close(u[0], sqrt(5), 1e-14);
        assert_close(u[1], -2 * sqrt(5), 1e-14);
    }
}

TEST(repeating_changes_nothing)
{
    OWNED(dae_system) *sys = system_of(problem_named("pendulum"), "ggl", NULL, NULL);
    double u[MOST] = {-30, 1, 2, 5, 0, 1}, once[MOST];
    dae_start_change change;
    assert_int_equal(dae_consistent_start(sys, 1.7, u, NULL, NULL), DAE_OK);
    memcpy(once, u, sizeof u);
    assert_int_equal(dae_consistent_start(sys, 1.7, u, &change, NULL), DAE_OK);
    assert_memory_equal(once, u, sizeof u);
    assert_int_equal(change.changed, 0);
}

static void assert_fails(const char *form, const double *start, dae_status expected,
                         const char *words)
{
    OWNED(dae_system) *sys = system_of(problem_named("pendulum"), form, NULL, NULL);
    dae_report why = {0};
    double u[MOST];
    memcpy(u, start, sizeof u);
    const printed p = printed_begin();
    const dae_status status = dae_consistent_start(sys, 0, u, NULL, &why);
    assert_int_equal(printed_end(p), 0);
    assert_int_equal(status, expected);
    assert_memory_equal(u, start, sizeof u);
    assert_int_equal(why.status, expected);
    if (!strstr(why.message, words))
        fail_msg("'%s' does not say '%s'", why.message, words);
    assert_int_equal(dae_consistent_start(sys, 0, u, NULL, NULL), expected);
}

/* At the pivot G = 0: every direction leads to the circle. */
TEST(singular_start_is_told)
{
    const double pivot[MOST] = {0, 0, 1, 1, 1, 1};
    for (int i = 0; i < MECHANICAL; i++) {
        assert_fails(mechanical[i], pivot, DAE_INCONSISTENT, "positions");
        assert_fails(mechanical[i], pivot, DAE_INCONSISTENT, "off by 2.5");
        assert_fails(mechanical[i], pivot, DAE_INCONSISTENT, "KINSOL: The linear solver");
    }
}

TEST(start_that_is_not_finite_is_told)
{
    const double position[MOST] = {NAN, -4, 0, 0, 0}, velocity[MOST] = {3, -4, INFINITY, 0, 0};
    assert_fails("index1", position, DAE_NOT_FINITE, "positions");
    assert_fails("index2", velocity, DAE_NOT_FINITE, "velocities");
}

TEST(minimal_coordinates_are_always_consistent)
{
    OWNED(dae_system) *sys = system_of(problem_named("pendulum"), "ode", NULL, NULL);
    double u[2] = {1.25, -0.5};
    dae_start_change change;
    assert_int_equal(dae_consistent_start(sys, 0, u, &change, NULL), DAE_OK);
    assert_close(u[0], 1.25, 0);
    assert_close(u[1], -0.5, 0);
    assert_int_equal(change.changed, 0);
}

/* 0 = (t+2) x1 + (t^2-4) x2 - (t^2+t-2) e^t and its derivative, which determines z */
TEST(first_order_start_moves_least)
{
    const char *const forms[] = {"native", "index1"};
    const double t = 0.5, e = exp(t), c[2] = {t + 2, t * t - 4}, b = (t * t + t - 2) * e;
    for (int i = 0; i < 2; i++) {
        OWNED(dae_system) *sys = system_of(problem_named("linear_dae"), forms[i], NULL, NULL);
        double u[3] = {e + 0.1, e - 0.2, 3}, left[3];
        const double off = (c[0] * u[0] + c[1] * u[1] - b) / (c[0] * c[0] + c[1] * c[1]);
        const double x1 = u[0] - off * c[0], x2 = u[1] - off * c[1];
        dae_start_change change;
        assert_int_equal(dae_consistent_start(sys, t, u, &change, NULL), DAE_OK);
        assert_close(u[0], x1, 1e-14);
        assert_close(u[1], x2, 1e-14);
        assert_close(change.position, fmax(fabs(off * c[0]), fabs(off * c[1])), 1e-14);
        assert_close(change.velocity, 0, 0);
        for (int level = 0; level < 2; level++) {
            assert_int_equal(dae_system_constraint(sys, level, t, u, left), 1);
            assert_close(left[0], 0, 1e-13);
        }
    }
}

TEST(first_order_start_that_holds_keeps_its_differential_part)
{
    OWNED(dae_system) *sys = system_of(problem_named("linear_dae"), "native", NULL, NULL);
    double u[3] = {1, 1, 0};
    dae_start_change change;
    assert_int_equal(dae_consistent_start(sys, 0, u, &change, NULL), DAE_OK);
    assert_close(u[0], 1, 0);
    assert_close(u[1], 1, 0);
    assert_close(u[2], -0.5, 1e-15);
    assert_close(change.position, 0, 0);
    assert_close(change.multiplier, 0.5, 1e-15);
    assert_int_equal(change.changed, 1);
}
