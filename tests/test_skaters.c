/* test_skaters.c - many nonholonomic constraints beside many on positions, dense and in a band
 *
 * unusual/skaters.c: skates in a bowl, tied to each other.
 */
#include "nonholonomic.h"

#include <daelab/method.h>
#include <daelab/reference.h>

/* The bowl, too, as a constraint of velocities: it holds them as well as positions that begin on it. */
static dae_problem without_positions(void)
{
    dae_problem p = dae_skaters;
    p.mechanical.nonholonomic = p.mechanical.nl;
    p.mechanical.constraint = (dae_map1){0};
    return p;
}

static dae_system *make_many(const dae_problem *problem, int count, const char *form, double *u)
{
    double p[MOST_PARAMETERS];
    default_parameters(&dae_skaters, p);
    p[0] = count;
    return system_of(problem, form, p, u);
}

static dae_system *make_skaters(int count, const char *form, double *u)
{
    return make_many(&dae_skaters, count, form, u);
}

/* The end of u is that of the reference. */
static void compare_many(int count, const double *u, const dae_plain_reference *right)
{
    for (int k = 0; k < 4 * count; k++) {
        assert_close(u[k], right->q[k].high, 1e-6);
        assert_close(u[4 * count + k], right->v[k].high, 1e-6);
    }
    for (int k = 0; k < 2 * count; k++)
        assert_close(u[8 * count + k], right->lambda[k].high, 1e-5);
}

/* Dense, and with more than 12 constraints in a band: as near to the reference in quad. */
TEST(test_many)
{
    static const struct { const char *form, *method; } runs[] = {
        {"index1", "dop853"}, {"index2", "radau"}, {"index2", "ida"}, {"index2", "excros"},
        {"baumgarte", "radau9"}, {"index1", "rodas5p"}};
    for (int count = 3; count <= 7; count += 4) {
        double u[MOST], t_end = 1;
        dae_report why = {0};
        OWNED(dae_plain_reference) right = {0};
        OWNED(dae_system) *first = make_skaters(count, "index1", u);
        if (dae_plain_reference_solve(&right, first, 0, u, &t_end, 1, NULL, &why))
            fail_msg("%d skaters: %s", count, why.message);
        for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
            const dae_options options = tolerance(1e-9);
            const dae_problem problems[] = {dae_skaters, without_positions()};
            for (int j = 0; j < 2; j++) {
                OWNED(dae_system) *sys = make_many(&problems[j], count, runs[i].form, u);
                assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, &why));
                solve_to(sys, runs[i].method, &options, 1, u);
                compare_many(count, u, &right);
            }
        }
    }
}

/* The residuals of a level at x of the last step are between those at its ends: a, b. */
static void compare_residuals(dae_solver *s, int level, double x, const double *a, const double *b)
{
    double u[MOST], out[MOST];
    const double t = (1 - x) * s->t_old + x * s->t;
    assert_int_equal(DAE_OK, dae_solver_interpolate(s, t, u));
    const int rows = dae_system_constraint(s->sys, level, t, u, out);
    for (int k = 0; k < rows; k++)
        assert_close(out[k], (1 - x) * a[k] + x * b[k], 1e-13);
}

static void residuals_between(dae_system *sys, const char *method, double *u)
{
    const dae_options options = tolerance(1e-5);
    double a[MOST], b[MOST];
    OWNED(dae_solver) *s = solver_of(sys, dae_find_method(method), &options, 0, u);
    for (int stop = 1; stop <= 4; stop++) {
        assert_int_equal(DAE_OK, dae_solver_advance(s, 0.2 * stop, u));
        for (int level = 0; level < 2; level++) {
            dae_system_constraint(sys, level, s->t_old, s->u_old, a);
            dae_system_constraint(sys, level, s->t, s->u, b);
            compare_residuals(s, level, 0.3, a, b);
            compare_residuals(s, level, 0.8, a, b);
        }
    }
}

/* What is shown inside of steps is as near to the constraints as their ends are. */
TEST(test_between)
{
    static const char *const methods[] = {"radau", "radau5", "rodas5p"};
    double u[MOST];
    for (int i = 0; i < 3; i++)
        for (int count = 0; count <= 7; count += 7) {
            OWNED(dae_system) *sys = count ? make_skaters(count, "index2", u) : make(&dae_coin, "index2", u);
            if (!count)
                u[10] = 0.5;                            /* it tilts: the motion is not steady */
            assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, NULL));
            residuals_between(sys, methods[i], u);
        }
}

/* The nearest start: positions on the bowl along G^T, M (q - q0) + G^T kappa = 0; heading and place of the edges
 * have no part in it; then velocities. */
TEST(test_starts_of_many)
{
    for (int count = 3; count <= 7; count += 4) {
        double u[MOST], given[MOST], out[MOST];
        dae_start_change change;
        dae_report why = {0};
        OWNED(dae_system) *sys = make_skaters(count, "index2", u);
        for (int i = 0; i < 8 * count; i++)
            u[i] += 0.01 * sin(3 * i);
        memcpy(given, u, sizeof u);
        if (dae_consistent_start(sys, 0, u, &change, &why))
            fail_msg("%s", why.message);
        assert_int_equal(count, dae_system_constraint(sys, 0, 0, u, out));
        assert_true(largest(out, count) < 1e-15);
        assert_int_equal(2 * count, dae_system_constraint(sys, 1, 0, u, out));
        assert_true(largest(out, 2 * count) < 1e-15);
        for (int i = 0; i < count; i++) {
            const double *q = u + 4 * i, *q0 = given + 4 * i, kappa = q[2] - q0[2];
            assert_close(q[0] - q0[0], -kappa * q[0] / 4, 1e-8);
            assert_close(q[1] - q0[1], -kappa * q[1] / 4, 1e-8);
            assert_true(q[3] == q0[3]);
        }
    }
}

/* Those of the bowl come first, of all skates. */
TEST(test_names)
{
    double u[MOST];
    char name[32], unit[32];
    OWNED(dae_system) *sys = make_skaters(2, "index2", u);
    static const char *const right[] = {"x1", "y1", "z1", "phi1", "x2", "y2", "z2", "phi2", "vx1", "vy1",
                                        "vz1", "omega1", "vx2", "vy2", "vz2", "omega2", "B1", "B2", "E1", "E2"};
    assert_int_equal(20, dae_system_size(sys));
    for (int i = 0; i < 20; i++) {
        dae_system_unknown(sys, i, name, unit, (int)sizeof name);
        assert_string_equal(right[i], name);
    }
    assert_string_equal("N", unit);
}
