/* test_cros_family.c - cros4 and excros: coefficients, orders, multipliers between steps */
#include "support.h"

#include "methods/complex/cros_tableau.h"
#include "methods/complex/excros.h"
#include "run/order.h"

/* Sums of the two-stage order conditions that are linear in (b1, b2): each with what it must be. */
static void elementary_weights(double _Complex b1, double _Complex b2, double out[9])
{
    const dae_cros_tableau *T = &dae_cros4_coefficients;
    const double _Complex a1 = T->a1, a2 = T->a2;
    const double c0 = creal(T->c21), c1 = creal(T->c21 * a1), c2 = creal(T->c21 * a1 * a1);
    const double A0 = creal(T->a21), A1 = creal(T->a21 * a1);
    const double sums[9] = {
        creal(b1 + b2),
        creal(b1 * a1 + b2 * (c0 + a2)),
        creal(b1 * a1 * a1 + b2 * (c1 + a2 * c0 + a2 * a2)),
        creal(b2 * (c0 * c0 / 2 + a2 * A0)),
        creal(b1 * a1 * a1 * a1 + b2 * (c2 + a2 * c1 + a2 * a2 * c0 + a2 * a2 * a2)),
        creal(b2 * (a2 * c0 * c0 / 2 + a2 * a2 * A0)),
        creal(b2 * (c0 * c1 + a2 * A0 * c0 + a2 * A1 + a2 * a2 * A0)),
        creal(b2 * (c0 * c0 * c0 / 6 + a2 * A0 * A0 / 2)),
        creal(b1 / a1 + b2 * (1 - creal(T->c21 / a1)) / a2)};       /* 1 - R(infinity) */
    memcpy(out, sums, sizeof sums);
}

TEST(test_cros4_order_conditions)
{
    const dae_cros_tableau *T = &dae_cros4_coefficients;
    const double order4[9] = {1, 1. / 2, 1. / 6, 1. / 6, 1. / 24, 1. / 24, 1. / 8, 1. / 24, 1};
    double sums[9];
    elementary_weights(T->b1, T->b2, sums);
    for (int i = 0; i < 8; i++)
        assert_close(sums[i], order4[i], 1e-14);
    assert_close(sums[8], 1, 1e-13);                    /* its terms reach 5 */
    assert_close(cimag(T->a1), sqrt(11) / 30, 1e-16);
    const double A0 = creal(T->a21), c0 = creal(T->c21);
    assert_close(creal(T->b2 * (c0 * c0 / (2 * T->a2) + A0)), 0.5, 1e-14);  /* index 1, order 3 */
}

/* e = b - b^: order 2, not 3, and R^(infinity) = 0. */
TEST(test_cros4_embedded)
{
    double sums[9];
    elementary_weights(dae_cros4_coefficients.e1, dae_cros4_coefficients.e2, sums);
    assert_close(sums[0], 0, 1e-15);
    assert_close(sums[1], 0, 1e-15);
    assert_close(sums[2], 1. / 240, 1e-14);
    assert_close(sums[8], 0, 1e-14);
}

/* sum w_j = 1 and the k - 1 powers from p on vanish, in long double, against their rounding. */
static void check_weights(int p, int n0, int k)
{
    double w[DAE_EXCROS_COLUMNS];
    dae_excros_weights(p, n0, k, w);
    for (int m = 0; m <= p + k - 2; m++) {
        long double sum = 0, size = 0;
        for (int j = 0; j < k; j++) {
            const long double term = w[j] * powl(n0 + j, -m);
            sum += term;
            size += fabsl(term);
        }
        if (m == 0 || m >= p)
            assert_close((double)sum, m == 0, 1e-15 * (double)(1 + size));
    }
}

TEST(test_excros_weights)
{
    double w[DAE_EXCROS_COLUMNS];
    for (int p = 1; p <= 2; p++)
        for (int n0 = 1; n0 <= 3; n0++)
            for (int k = 1; k <= DAE_EXCROS_COLUMNS; k++)
                check_weights(p, n0, k);
    dae_excros_weights(2, 1, 4, w);
    assert_close(w[0], -1. / 60, 1e-16);
    assert_close(w[3], 64. / 15, 1e-14);
}

/* Largest error of the unknowns first .. last at t = 2, with fixed steps. */
static double pendulum_error(const char *form, const char *method, double step, int first, int last)
{
    double u[MOST_UNKNOWNS], worst = 0;
    dae_options o = dae_default_options();
    o.step = step;
    dae_system *sys = system_at_start("pendulum", form, 0, u);
    solve_to(sys, method, &o, 2, u);
    dae_system_free(sys);
    for (int i = first; i <= last; i++)
        worst = fmax(worst, fabs(u[i] - pendulum_at_2[i]));
    return worst;
}

typedef struct { const char *form, *method; double step, q_and_v, lambda; } order_row;
static const order_row orders[] = {
    {"index1", "excros", 0.25, 5, 5},    {"index2", "excros", 0.25, 5, 5},
    {"ggl", "excros", 0.25, 5, 5},       {"baumgarte", "excros", 0.1, 4, 4},
    {"index1", "cros4", 0.05, 3, 3},     {"index2", "cros4", 0.05, 2, 1},
};

TEST(test_orders_of_large_steps)
{
    for (size_t r = 0; r < sizeof orders / sizeof *orders; r++) {
        const order_row *o = &orders[r];
        double h[4], y[4], z[4];
        for (int k = 0; k < 4; k++) {
            const double step = ldexp(o->step, -k);
            h[k] = log(step);
            y[k] = log(pendulum_error(o->form, o->method, step, 0, 3));
            z[k] = log(pendulum_error(o->form, o->method, step, 4, 4));
        }
        if (least_squares_slope(h, y, 4) < o->q_and_v - 0.3)
            fail_msg("%s %s: (q, v) order %g", o->form, o->method, least_squares_slope(h, y, 4));
        if (least_squares_slope(h, z, 4) < o->lambda - 0.3)
            fail_msg("%s %s: lambda order %g", o->form, o->method, least_squares_slope(h, z, 4));
    }
}

/* theta'' = -(g0 + g1 sin(2 pi f t))/L sin theta with g1 as large as g0: F_t matters. Without a
 * reference: the slope of the differences of neighbouring grids. */
TEST(test_nonautonomous_ode)
{
    const dae_problem *p = problem_named("pendulum");
    double parameters[16], u[6][MOST_UNKNOWNS], h[3], e4[3], e5[3];
    for (int i = 0; i < dae_parameter_count(p); i++) {
        parameters[i] = dae_parameter_default(p, i);
        if (strcmp(p->parameters[i].name, "g1") == 0)
            parameters[i] = 9;
    }
    for (int method = 0; method < 2; method++) {
        for (int k = 0; k < 4; k++) {
            dae_options o = dae_default_options();
            o.step = ldexp(method ? 0.1 : 0.05, -k);
            OWNED(dae_system) *sys = system_of(p, "ode", parameters, u[k]);
            solve_to(sys, method ? "excros" : "cros4", &o, 2, u[k]);
        }
        for (int k = 0; k < 3; k++) {
            h[k] = -k * log(2);
            (method ? e5 : e4)[k] = log(hypot(u[k][0] - u[k + 1][0], u[k][1] - u[k + 1][1]));
        }
    }
    assert_true(least_squares_slope(h, e4, 3) > 3.85);
    assert_true(least_squares_slope(h, e5, 3) > 4.7);
}

/* Towards the pericentre the error of each step is larger than that of the last, and steps are made shorter before they
 * fail: of seventeen runs fewer than one try in twelve does, of runs that follow the last error alone one in nine. */
TEST(test_prediction)
{
    long steps = 0, rejected = 0;
    for (int k = 0; k <= 16; k++) {
        double u[MOST_UNKNOWNS];
        dae_options o = tolerance(1e-4 * pow(10, -k / 4.0));
        dae_system *sys = system_at_start("kepler", "native", 0, u);
        const dae_statistics count = solve_to(sys, "excros", &o, problem_named("kepler")->t_end, u);
        dae_system_free(sys);
        steps += count.steps;
        rejected += count.rejected;
    }
    if (12 * rejected >= steps)
        fail_msg("%ld steps, %ld rejected", steps, rejected);
}

/* With fixed steps of index 3 the tension of CROS is wrong, but one curve: between steps it lies
 * between those of the steps, and not at the right one. */
TEST(test_one_tension)
{
    static const char *const methods[] = {"cros", "cros4"};
    static const char *const forms[] = {"index1", "index2", "index3", "ggl", "baumgarte"};
    for (int m = 0; m < 2; m++)
        for (int f = 0; f < 5; f++) {
            double u[MOST_UNKNOWNS], before[MOST_UNKNOWNS], at[MOST_UNKNOWNS];
            dae_options o = dae_default_options();
            o.step = 1e-3;
            OWNED(dae_system) *sys = system_at_start("pendulum", forms[f], 0, u);
            OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(methods[m]), &o, 0, u);
            assert_int_equal(0, dae_solver_advance(solver, 1.999, before));
            assert_int_equal(0, dae_solver_advance(solver, 2, u));
            for (int k = 1; k < 8; k++) {
                assert_int_equal(0, dae_solver_interpolate(solver, 1.999 + k * 1e-3 / 8, at));
                assert_close(at[4], before[4] + (u[4] - before[4]) * k / 8, 1e-4);
            }
        }
}

/* z = -e^t/(2 - t) between the steps after one of 1e-12: differences over that one tell nothing. */
TEST(test_after_a_tiny_step)
{
    static const char *const methods[] = {"cros", "cros4"};
    for (int m = 0; m < 2; m++)
        for (double tiny = 1e-4; tiny > 1e-13; tiny /= 100) {
            double u[MOST_UNKNOWNS], at[MOST_UNKNOWNS];
            dae_options o = dae_default_options();
            o.step = 1e-2;
            OWNED(dae_system) *sys = system_at_start("linear_dae", "index1", 0, u);
            OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(methods[m]), &o, 0, u);
            assert_int_equal(0, dae_solver_advance(solver, 0.1, u));
            assert_int_equal(0, dae_solver_advance(solver, 0.1 + tiny, u));
            assert_int_equal(0, dae_solver_advance(solver, 0.11 + tiny, u));
            for (int k = 1; k < 8; k++) {
                const double t = 0.1 + tiny + 1e-2 * k / 8;
                assert_int_equal(0, dae_solver_interpolate(solver, t, at));
                assert_close(at[2], -exp(t) / (2 - t), 1e-5);
            }
        }
}
