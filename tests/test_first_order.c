/* test_first_order.c - what the first-order DAEs of the literature ask of the solvers: algebraic
 * equations that combine rows, error estimates that a remainder in algebraic equations does not
 * hold up, and steps that end where F is finite */
#include "support.h"

#include "small_models.h"

#include "stepper/derivative.h"

/* ---- algebraic equations ------------------------------------------------------------------ */

/* Rows 1 + 2, 4 + 5 and 7 + 8 of the amplifier: a start that violates them is seen and mended, with
 * the voltages of the capacitors, which have derivatives, as they were. */
TEST(test_start_of_the_amplifier)
{
    static const int kept[5][2] = {{1, 0}, {2, -1}, {4, 3}, {5, -1}, {7, 6}};
    double u[MOST_UNKNOWNS], before[MOST_UNKNOWNS], F[8], C[8];
    dae_start_change change;
    OWNED(dae_system) *sys = system_at_start("transistor_amplifier", "native", 1, u);
    for (int i = 0; i < 8; i++)
        u[i] += 1e-2 * cos(1 + 3 * i);
    memcpy(before, u, sizeof u);
    dae_system_rhs(sys, 0, u, F);
    assert_int_equal(3, dae_system_constraint(sys, 0, 0, u, C));
    for (int i = 0; i < 7; i += 3) {
        double nearest = 1;
        for (int k = 0; k < 3; k++)
            nearest = fmin(nearest, fabs(fabs(C[k]) - fabs(F[i] + F[i + 1])));
        assert_close(nearest, 0, 1e-18);
        assert_true(fabs(F[i] + F[i + 1]) > 1e-7);
    }
    assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, &change, NULL));
    assert_true(change.changed);
    dae_system_constraint(sys, 0, 0, u, C);
    for (int k = 0; k < 3; k++)
        assert_close(C[k], 0, 1e-15);
    for (int k = 0; k < 5; k++) {
        const int i = kept[k][0], j = kept[k][1];
        assert_close(u[i] - (j < 0 ? 0 : u[j]), before[i] - (j < 0 ? 0 : before[j]), 1e-13);
    }
    memcpy(before, u, sizeof u);
    assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, &change, NULL));
    assert_false(change.changed);
    assert_close(distance(u, before, 8), 0, 1e-13);
}

/* The published derivatives, for the first steps of all methods; F is wrong by 1/C = 1e6. */
TEST(test_derivative_of_the_amplifier)
{
    static const double published[] = {51.339276517180720598, 51.339276517180720598, -500.0 / 3,
        -24.970328515406328858, -24.970328515406328858, -250.0 / 3, -10.000276402456338651,
        -10.000276402456338651};
    static const char *const methods[] = {"cros", "radau", "rodas4", "ida"};
    const dae_options options = tolerance(1e-6);
    for (int m = 0; m < 4; m++) {
        double u[MOST_UNKNOWNS], du[8];
        OWNED(dae_system) *sys = system_at_start("transistor_amplifier", "native", 0, u);
        OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(methods[m]), &options, 0, NULL);
        dae_derivative_at(solver, 0, u, du);
        for (int i = 0; i < 8; i++)
            assert_close(du[i], published[i], 1e-5);
    }
}

/* ---- remainders --------------------------------------------------------------------------- */

/* A step leaves a remainder in nonlinear algebraic equations, which the next one closes whatever
 * its size: no reason to reject it. */
TEST(test_remainders_of_the_amplifier)
{
    static const double at_end[8] = {-5.5621450122622744e-03, 3.0065224719030427,
        2.8499587886081285, 2.9264225362062415, 2.7046178650105546, 2.7618377783931441,
        4.7709276316167722, 1.2369958680915475};
    for (int k = 0; k < 3; k++) {
        const dae_options options = tolerance(pow(10, -3 - k));
        double u[MOST_UNKNOWNS];
        OWNED(dae_system) *sys = system_at_start("transistor_amplifier", "native", 0, u);
        const dae_statistics count = solve_to(sys, "cros", &options, 0.2, u);
        for (int i = 0; i < 8; i++)
            assert_close(u[i], at_end[i], 5 * options.rtol);
        assert_true(10 * count.rejected < count.steps);
    }
}

TEST(test_remainders_of_mechanisms)
{
    static const char *const forms[] = {"index1", "index2", "index3", "baumgarte", "ggl"};
    static const char *const problems[] = {"slider_crank", "double_pendulum"};
    for (int p = 0; p < 2; p++)
        for (int f = 0; f < 5; f++)
            for (int k = 4; k < 7; k++) {
                const dae_options options = tolerance(pow(10, -k));
                double u[MOST_UNKNOWNS], g[2];
                OWNED(dae_system) *sys = system_at_start(problems[p], forms[f], 0, u);
                const double t_end = problem_named(problems[p])->t_end;
                const dae_statistics count = solve_to(sys, "cros", &options, t_end, u);
                assert_true(10 * count.rejected < count.steps);
                const int rows = dae_system_constraint(sys, 0, t_end, u, g);
                for (int i = 0; i < rows; i++)
                    assert_close(g[i], 0, 100 * options.rtol);
            }
}

/* t_end = 1e11 says nothing about the first steps. */
TEST(test_long_interval)
{
    const dae_options options = tolerance(1e-4);
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("robertson", "native", 0, u);
    solve_to(sys, "cros", &options, 1e11, u);
    assert_close(u[2], 1, 1e-6);
}

/* IDA's error test must see the error, and not what Newton's iteration left: most steps pass it (near 1e-6 four or
 * nine of ten, as the tolerance is 1e-6 or 1.2e-6; without a test of convergence of our own, less than one), and a
 * tenth of the tolerance asks for at most twice the steps (order 3 and above). */
TEST(test_ida_on_the_amplifier)
{
    long before = 0;
    for (int k = 4; k <= 9; k++) {
        const dae_options options = tolerance(pow(10, -k));
        double u[MOST_UNKNOWNS];
        OWNED(dae_system) *sys = system_at_start("transistor_amplifier", "native", 0, u);
        const dae_statistics count = solve_to(sys, "ida", &options, 0.2, u);
        assert_close(u[7], 1.2369958680915475, 10 * options.rtol);
        assert_true(2 * count.rejected < count.steps);
        assert_true(k == 4 || count.steps < 2 * before);
        before = count.steps;
    }
}

/* The force T = k (r - L) of a stiff spring has k times the error of r: tested, it holds IDA at
 * steps of 6e-7 (3319621 of them at rtol 1e-8); kept out, it is as good as its r. */
TEST(test_ida_without_algebraic_unknowns)
{
    dae_options options = tolerance(1e-8);
    double u[MOST_UNKNOWNS], exact[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("spring_tension", "native", 0, exact);
    memcpy(u, exact, 5 * sizeof *u);
    solve_to(sys, "radau", &options, 2, exact);
    options.error_test = DAE_TEST_DIFFERENTIAL;
    const dae_statistics count = solve_to(sys, "ida", &options, 2, u);
    assert_true(count.steps < 5000);
    for (int i = 0; i < 4; i++)
        assert_close(u[i], exact[i], 4e-6);               /* a few hundred rtol, by chance */
}

/* ---- the edge of the domain --------------------------------------------------------------- */

/* Akzo Nobel's F has sqrt(y2), and y2 is small: a step that ends below 0 is undone. */
TEST(test_end_in_the_domain)
{
    static const char *const methods[] = {"radau", "auto", "radau5", "rodas4", "cros4", "cros"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int k = 0; k < 9; k++) {
            const dae_options options = tolerance(pow(10, -2 - k / 4.0));
            double u[MOST_UNKNOWNS];
            OWNED(dae_system) *sys = system_at_start("akzo_nobel", "native", 0, u);
            solve_to(sys, methods[m], &options, 180, u);
            assert_close(u[0], 1.1507949206617022e-01, 2 * options.rtol);
        }
}

/* A start of many unknowns that holds is left, one that does not is told. */
TEST(test_start_of_many)
{
    static double u[2 * MANY];
    dae_report why = {0};
    OWNED(dae_system) *sys = consistent_system(&dae_many, "native", NULL, u);
    u[MANY + 3] += 1;
    assert_int_equal(DAE_INCONSISTENT, dae_consistent_start(sys, 0, u, NULL, &why));
    assert_non_null(strstr(why.message, "off by 1"));
    u[MANY + 3] = NAN;
    assert_int_equal(DAE_INCONSISTENT, dae_consistent_start(sys, 0, u, NULL, &why));
}

/* u_i' = -u_i, and u_(i-1) besides after t = u_0 = 0.5037: an entry that no pattern found at the
 * start can hold. The run finds the pattern again and goes on: from there on w_i = e^t u_i has w_i'
 * = w_(i-1) with w_0 = e^t u_0, where sparse matrices and dense ones take the same steps. */
static long solve_late(const char *method, dae_options options, double *u)
{
    OWNED(dae_system) *sys = system_of(&dae_late, "native", NULL, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &options, 0, NULL);
    for (int run = 0; run < 2; run++) {                 /* the second has the pattern from the
                                                           start */
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.8, u));
    }
    return dae_solver_statistics(solver).nonzeros;
}

TEST(test_late_couplings)
{
    static const char *const methods[] = {"cros", "cros4", "rodas4", "radau", "excros", "ida"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (dae_jacobian_kind jacobian = DAE_JACOBIAN_DUAL; jacobian <= DAE_JACOBIAN_FD;
             jacobian++) {
            dae_options options = tolerance(1e-7);
            double dense[LATE], sparse[LATE];
            options.step = m < 5 ? 0.02 : 0;
            options.jacobian = jacobian;
            options.linear = DAE_LINEAR_DENSE;
            assert_int_equal(LATE * LATE, solve_late(methods[m], options, dense));
            options.linear = DAE_LINEAR_KLU;
            assert_int_equal(2 * LATE - 1, solve_late(methods[m], options, sparse));
            if (!(distance(dense, sparse, LATE) < (m < 5 ? 1e-9 : 1e-5)))
                fail_msg("%s: %g", methods[m], distance(dense, sparse, LATE));
            assert_true(fabs(dense[LATE - 1] - exp(-0.8)) > 0.1);
        }
}
