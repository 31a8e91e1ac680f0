/* test_radau.c - Radau IIA: coefficients, orders, control, dense output, stiffness, failures
 *
 * Reference of the pendulum at t = 2 and 100: quad precision, two independent programs.
 */
#include "support.h"

#include "stops.h"

#include "stepper/radau_tableau.h"

#include <math.h>
#include <string.h>

enum { POSITION, VELOCITY, TENSION, KINDS };

/* ---- coefficients --------------------------------------------------------------------------- */

/* A[s x s] := T Lambda^-1 T^-1, from the coefficients that the stepper works with. */
static void runge_kutta_matrix(const radau_tableau *tab, double *A)
{
    const int s = tab->s;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            double sum = tab->T[i] * tab->T_inverse[j * s] / tab->mu;
            for (int k = 0; k < s / 2; k++) {           /* w/(alpha + i beta) */
                const double a = tab->alpha[k], b = tab->beta[k], d = a * a + b * b;
                const double re = tab->T_inverse[j * s + 2 * k + 1];
                const double im = tab->T_inverse[j * s + 2 * k + 2];
                sum += tab->T[(2 * k + 1) * s + i] * (a * re + b * im) / d
                       + tab->T[(2 * k + 2) * s + i] * (a * im - b * re) / d;
            }
            A[i * s + j] = sum;
        }
}

static void check_simplifying_conditions(const radau_tableau *tab)
{
    const int s = tab->s;
    double A[RADAU_STAGES * RADAU_STAGES];
    runge_kutta_matrix(tab, A);
    const double *b = A + (s - 1) * s, *c = tab->c;
    assert_true(c[s - 1] == 1);
    for (int k = 1; k <= 2 * s - 1; k++) {              /* B(2s-1): sum b c^(k-1) = 1/k */
        double sum = 0;
        for (int j = 0; j < s; j++)
            sum += b[j] * pow(c[j], k - 1);
        assert_close(sum, 1.0 / k, 1e-14);
    }
    for (int k = 1; k <= s; k++)                        /* C(s): sum a_ij c_j^(k-1) = c_i^k/k */
        for (int i = 0; i < s; i++) {
            double sum = 0;
            for (int j = 0; j < s; j++)
                sum += A[i * s + j] * pow(c[j], k - 1);
            assert_close(sum, pow(c[i], k) / k, 1e-14);
        }
    for (int k = 1; k < s; k++)             /* D(s-1): sum b_i c_i^(k-1) a_ij = b_j (1 - c_j^k)/k */
        for (int j = 0; j < s; j++) {
            double sum = 0;
            for (int i = 0; i < s; i++)
                sum += b[i] * pow(c[i], k - 1) * A[i * s + j];
            assert_close(sum, b[j] * (1 - pow(c[j], k)) / k, 1e-14);
        }
}

/* l_j interpolates tau^k for k = 1 .. s inside and outside the step, and so does its slope at 0. */
static void check_basis(const radau_tableau *tab)
{
    for (int k = 1; k <= tab->s; k++) {
        double slope = 0, l[RADAU_STAGES];
        for (int j = 0; j < tab->s; j++)
            slope += tab->slope[j] * pow(tab->c[j], k);
        assert_close(slope, k == 1, 2e-13);
        for (double tau = 0; tau <= 1.25; tau += 0.125) {
            double sum = 0;
            dae_radau_basis(tab, tau, l);
            for (int j = 0; j < tab->s; j++)
                sum += l[j] * pow(tab->c[j], k);
            assert_close(sum, pow(tau, k), 1e-13);
        }
    }
}

static void test_coefficients(void **state)
{
    (void)state;
    for (int s = 3; s <= RADAU_STAGES; s += 2) {
        const radau_tableau *tab = dae_radau_tableau(s);
        assert_int_equal(s, tab->s);
        check_simplifying_conditions(tab);
        check_basis(tab);
    }
    const radau_tableau *tab = dae_radau_tableau(3);    /* known in closed form */
    assert_close(tab->c[0], (4 - sqrt(6)) / 10, 1e-16);
    assert_close(tab->c[1], (4 + sqrt(6)) / 10, 1e-16);
    assert_close(tab->mu, 30 / (6 + cbrt(81) - cbrt(9)), 1e-14);
}

/* ---- orders --------------------------------------------------------------------------------- */

static const double at_2[] = {-2.78455740343261398, -4.15285926404791843, -1.44252782029712829,
                              0.967237574468290827, 8.75119688362091341};
static const double at_100[] = {-0.655980968123855157, -4.95678211841707742, 4.29381951763561343,
                                -0.568244441017956507, 13.4771640752895743};

static void errors_of(const double *u, const double *reference, double *error)
{
    error[POSITION] = fmax(fabs(u[0] - reference[0]), fabs(u[1] - reference[1]));
    error[VELOCITY] = fmax(fabs(u[2] - reference[2]), fabs(u[3] - reference[3]));
    error[TENSION] = fabs(u[4] - reference[4]);
}

static dae_statistics pendulum(const char *form, const char *method, double step, double rtol,
                               double t_end, double *error)
{
    double u[MOST_UNKNOWNS];
    dae_options options = dae_default_options();
    dae_system *sys = system_at_start("pendulum", form, 0, u);
    options.step = step;
    options.rtol = options.atol = rtol;
    const dae_statistics count = solve_to(sys, method, &options, t_end, u);
    errors_of(u, t_end > 2 ? at_100 : at_2, error);
    dae_system_free(sys);
    return count;
}

typedef struct {
    const char *method, *form;
    double step;                /* and half of it */
    double order[KINDS];        /* NAN: at rounding */
    double tolerance;
} order_row;

static const order_row order_rows[] = {
    {"radau5", "index1", 0.05, {5, 5, 5}, 0.15},     {"radau5", "index2", 0.05, {5, 5, 3}, 0.15},
    {"radau5", "index3", 0.05, {5, 3, 2}, 0.15},     {"radau5", "ggl", 0.05, {5, 5, 3}, 0.15},
    {"radau5", "baumgarte", 0.025, {5, 5, 5}, 0.15}, {"radau9", "index2", 0.2, {9, 9, 5}, 0.3},
    {"radau9", "ggl", 0.2, {9, 9, 5}, 0.3},          {"radau9", "index3", 0.1, {NAN, 5, 4}, 0.3},
    {"radau9", "index1", 0.4, {9, 9, 9}, 0.8},       {"radau13", "index1", 1, {13, 13, 13}, 2},
};

/* The order 13 is seen only where steps are too long to be asymptotic: the coefficients above are
 * what proves it. More than declared is well. */
static void test_orders(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof order_rows / sizeof *order_rows; k++) {
        const order_row *r = &order_rows[k];
        double coarse[KINDS], fine[KINDS];
        pendulum(r->form, r->method, r->step, 1e-6, 2, coarse);
        pendulum(r->form, r->method, r->step / 2, 1e-6, 2, fine);
        for (int c = 0; c < KINDS; c++) {
            const double observed = log2(coarse[c] / fine[c]);
            if (observed < r->order[c] - r->tolerance)
                fail_msg("%s %s %d: order %.2f, expected %g", r->method, r->form, c, observed,
                         r->order[c]);
        }
    }
}

/* ---- tolerances ----------------------------------------------------------------------------- */

static const char *const methods[] = {"radau5", "radau9", "radau13", "radau"};
static const char *const forms[] = {"index1", "index2", "ggl", "index3"};

/* The error follows rtol, and the counts belong together. */
static void test_adaptive(void **state)
{
    (void)state;
    double error[KINDS];
    for (size_t m = 0; m < 4; m++)
        for (size_t f = 0; f < 4; f++)
            for (double rtol = 1e-4; rtol > 1e-11; rtol /= 100) {
                const dae_statistics n = pendulum(forms[f], methods[m], 0, rtol, 2, error);
                const double tolerable = (f == 3 ? 200 : 20) * rtol;
                if (error[POSITION] > tolerable)
                    fail_msg("%s %s rtol %g: error %g", methods[m], forms[f], rtol,
                             error[POSITION]);
                assert_true(n.steps > 0 && n.jacobians <= n.steps + 1 && n.solves > 2 * n.steps);
                assert_true(n.rhs >= 3 * n.steps && n.factorizations >= n.jacobians);
            }
}

/* t = 100 at rtol = 1e-8 within 100 rtol times the largest position, 5 m. */
static void test_long_run(void **state)
{
    (void)state;
    double error[KINDS];
    for (size_t m = 0; m < 4; m += 3)
        for (size_t f = 0; f < 3; f++) {
            pendulum(forms[f], methods[m], 0, 1e-8, 100, error);
            assert_close(error[POSITION], 0, 100 * 1e-8 * 5);
        }
}

/* Order 9 needs a fifth of the steps of order 5 at a tight tolerance. Where steps are so short that
 * Newton's iteration contracts well, order 13 takes over: fewer steps than at a looser one. */
static void test_variable_order(void **state)
{
    (void)state;
    double error[KINDS];
    const dae_statistics low = pendulum("index1", "radau5", 0, 1e-10, 2, error);
    const dae_statistics high = pendulum("index1", "radau", 0, 1e-10, 2, error);
    assert_true(high.steps < low.steps / 4);
    const dae_statistics loose = pendulum("index1", "radau", 0, 1e-11, 100, error);
    const dae_statistics tight = pendulum("index1", "radau", 0, 1e-13, 100, error);
    assert_true(tight.steps < loose.steps);
}

/* The spring's stiffness does not cost steps, with the tension outside the error test. */
static void test_stiff(void **state)
{
    (void)state;
    long steps[2];
    for (int k = 0; k < 2; k++) {
        const dae_problem *problem = problem_named("spring_tension");
        const int count = dae_parameter_count(problem);
        double p[MOST_PARAMETERS], u[MOST_UNKNOWNS];
        dae_system *sys;
        dae_report why = {0};
        dae_options options = dae_default_options();
        for (int i = 0; i < count; i++)
            p[i] = dae_parameter_default(problem, i);
        p[dae_parameter_index(problem, "k")] = k ? 1e12 : 1e6;
        options.error_test = DAE_TEST_DIFFERENTIAL;
        assert_int_equal(DAE_OK, dae_system_create(&sys, problem, dae_find_formulation("native"), p,
                                                   NULL, &why));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, &why));
        steps[k] = solve_to(sys, "radau5", &options, 2, u).steps;
        dae_system_free(sys);
    }
    assert_true(5 * steps[1] <= 6 * steps[0]);
}

/* Any Jacobian and any linear solver give the same solution. */
static void test_linear_algebra(void **state)
{
    (void)state;
    for (dae_jacobian_kind jacobian = DAE_JACOBIAN_BEST; jacobian <= DAE_JACOBIAN_FD; jacobian++)
        for (dae_linear_kind linear = DAE_LINEAR_BEST; linear <= DAE_LINEAR_KLU; linear++) {
            double u[MOST_UNKNOWNS], error[KINDS];
            dae_options options = dae_default_options();
            dae_system *sys = system_at_start("pendulum", "index2", 0, u);
            options.rtol = options.atol = 1e-8;
            options.jacobian = jacobian;
            options.linear = linear;
            solve_to(sys, "radau", &options, 2, u);
            errors_of(u, at_2, error);
            assert_close(error[POSITION], 0, 1e-7);
            dae_system_free(sys);
        }
}

/* ---- dense output --------------------------------------------------------------------------- */

typedef struct { dae_solver *solver; double before[MOST_UNKNOWNS], t_before, worst; } watch;

/* Inside each step against u = e^t, z = -e^t/(2-t); at its ends against the states there. */
static int look(void *context, double t, const double *u)
{
    watch *w = context;
    double x[MOST_UNKNOWNS];
    for (int k = 0; k <= 8; k++) {
        const double at = k == 8 ? t : w->t_before + k * (t - w->t_before) / 8;
        assert_int_equal(DAE_OK, dae_solver_interpolate(w->solver, at, x));
        w->worst = fmax(w->worst, fabs(x[0] - exp(at)));
        w->worst = fmax(w->worst, fabs(x[2] + exp(at) / (2 - at)));
        for (int i = 0; i < 3 && k % 8 == 0; i++)
            assert_close(x[i], k ? u[i] : w->before[i], 1e-13);
    }
    memcpy(w->before, u, 3 * sizeof *u);
    w->t_before = t;
    return 0;
}

static double worst_inside(const char *method, double step)
{
    watch w = {.worst = 0};
    double u[MOST_UNKNOWNS];
    dae_options options = dae_default_options();
    dae_report why = {0};
    dae_system *sys = system_at_start("linear_dae", "index1", 0, u);
    options.step = step;
    assert_int_equal(DAE_OK, dae_solver_create(&w.solver, sys, dae_find_method(method), &options,
                                               &why));
    assert_int_equal(DAE_OK, dae_solver_start(w.solver, 0, u));
    memcpy(w.before, u, sizeof w.before);
    dae_solver_observe(w.solver, look, &w);
    assert_int_equal(DAE_OK, dae_solver_advance(w.solver, 1, u));
    dae_solver_free(w.solver);
    dae_system_free(sys);
    return w.worst;
}

/* As good as the ends of the steps, of order 2 s - 1. */
static void test_dense_output(void **state)
{
    (void)state;
    const double order5 = log2(worst_inside("radau5", 0.1) / worst_inside("radau5", 0.05));
    assert_close(order5, 5, 0.3);
    assert_close(worst_inside("radau5", 0.1), 0, 2e-7);
    assert_close(worst_inside("radau9", 0.125), 0, 1e-13);
}

/* ---- failures ------------------------------------------------------------------------------- */

/* Adaptive steps walk up to the last finite state; fixed ones stop where they meet the wall. */
static void test_not_finite(void **state)
{
    (void)state;
    for (size_t m = 0; m < 8; m++) {
        double u[1] = {0};
        dae_system *sys;
        dae_solver *solver;
        dae_report why = {0};
        dae_options options = dae_default_options();
        options.step = m < 4 ? 0 : 0.125;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &stops, dae_find_formulation("native"),
                                                   NULL, NULL, &why));
        assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_find_method(methods[m % 4]),
                                                   &options, &why));
        assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
        const dae_status status = dae_solver_advance(solver, 1, u);
        assert_true(status == DAE_NO_CONVERGENCE || status == DAE_NOT_FINITE);
        assert_true(strlen(dae_solver_report(solver)->message) > 10);
        assert_close(dae_solver_time(solver), 0.5, m < 4 ? 1e-6 : 0);
        assert_close(u[0], dae_solver_time(solver), 1e-12);
        dae_solver_free(solver);
        dae_system_free(sys);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coefficients),   cmocka_unit_test(test_orders),
        cmocka_unit_test(test_adaptive),       cmocka_unit_test(test_long_run),
        cmocka_unit_test(test_variable_order), cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_linear_algebra), cmocka_unit_test(test_dense_output),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
