/* test_radau.c - Radau IIA: coefficients, orders, control, stiffness, failures
 */
#include "support.h"

#include "small_models.h"

#include "stepper/radau_tableau.h"

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

TEST(test_coefficients)
{
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

/* ---- tolerances (orders: test_orders.c) ------------------------------------------------------ */

static dae_statistics pendulum(const char *method, double rtol, double t_end)
{
    double u[MOST_UNKNOWNS];
    const dae_options options = tolerance(rtol);
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    return solve_to(sys, method, &options, t_end, u);
}

/* Order 9 needs a fifth of the steps of order 5 at a tight tolerance. Where steps are so short that
 * Newton's iteration contracts well, order 13 takes over: fewer steps than at a looser one. */
TEST(test_variable_order)
{
    const dae_statistics low = pendulum("radau5", 1e-10, 2);
    const dae_statistics high = pendulum("radau", 1e-10, 2);
    assert_true(high.steps < low.steps / 4);
    const dae_statistics loose = pendulum("radau", 1e-11, 100);
    const dae_statistics tight = pendulum("radau", 1e-13, 100);
    assert_true(tight.steps < loose.steps);
}

/* The spring's stiffness does not cost steps, with the tension outside the error test. */
TEST(test_stiff)
{
    long steps[2];
    for (int k = 0; k < 2; k++) {
        const dae_problem *problem = problem_named("spring_tension");
        double p[MOST_PARAMETERS], u[MOST_UNKNOWNS];
        dae_options options = dae_default_options();
        default_parameters(problem, p);
        p[dae_parameter_index(problem, "k")] = k ? 1e12 : 1e6;
        options.error_test = DAE_TEST_DIFFERENTIAL;
        OWNED(dae_system) *sys = system_of(problem, "native", p, u);
        steps[k] = solve_to(sys, "radau5", &options, 2, u).steps;
    }
    assert_true(5 * steps[1] <= 6 * steps[0]);
}

/* ---- failures ------------------------------------------------------------------------------- */

static const char *const methods[] = {"radau5", "radau9", "radau13", "radau"};

/* Adaptive steps walk up to the last finite state; fixed ones stop where they meet the wall. */
TEST(test_not_finite)
{
    for (size_t m = 0; m < 8; m++) {
        double u[1] = {0};
        dae_options options = dae_default_options();
        options.step = m < 4 ? 0 : 0.125;
        OWNED(dae_system) *sys = system_of(&dae_stops, "native", NULL, NULL);
        OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(methods[m % 4]), &options, 0, u);
        const dae_status status = dae_solver_advance(solver, 1, u);
        assert_true(status == DAE_NO_CONVERGENCE || status == DAE_NOT_FINITE);
        assert_true(strlen(dae_solver_report(solver)->message) > 10);
        assert_close(dae_solver_time(solver), 0.5, m < 4 ? 1e-6 : 0);
        assert_close(u[0], dae_solver_time(solver), 1e-12);
    }
}
