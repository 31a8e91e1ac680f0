/* test_tableau.c - methods from published coefficients: their orders, their steps, and what is refused
 *
 *   bs32      Bogacki, Shampine (1989), Appl. Math. Lett. 2, 321-325: the last stage is the first of the next
 *   rkf54     Fehlberg (1969), NASA TR R-315, continued with the formula of order 5
 *   dp54      Dormand, Prince (1980), as dopri5
 *   ros2      Verwer, Spee, Blom, Hundsdorfer (1999), SIAM J. Sci. Comput. 20, 1456-1480
 *   rodas3    Sandu, Verwer, Blom, Spee, Carmichael, Potra (1997), Atmos. Environ. 31, 3459-3472
 */
#include "support.h"

#include "methods/tableau.h"

#include <daelab/tableau.h>

static const dae_butcher bs32_coefficients = {
    .stages = 4, .A = {[1] = {0.5}, {0, 0.75}, {2. / 9, 1. / 3, 4. / 9}}, .c = {0, 0.5, 0.75, 1},
    .b = {2. / 9, 1. / 3, 4. / 9}, .b_hat = {7. / 24, 0.25, 1. / 3, 0.125}};

static const dae_butcher rkf54_coefficients = {
    .stages = 6,
    .A = {[1] = {0.25}, {3. / 32, 9. / 32}, {1932. / 2197, -7200. / 2197, 7296. / 2197},
          {439. / 216, -8, 3680. / 513, -845. / 4104},
          {-8. / 27, 2, -3544. / 2565, 1859. / 4104, -11. / 40}},
    .c = {0, 0.25, 0.375, 12. / 13, 1, 0.5},
    .b = {16. / 135, 0, 6656. / 12825, 28561. / 56430, -9. / 50, 2. / 55},
    .b_hat = {25. / 216, 0, 1408. / 2565, 2197. / 4104, -0.2}};

static const dae_butcher dp54_coefficients = {
    .stages = 7, .projects = 1, .c = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1},
    .A = {[1] = {1. / 5}, {3. / 40, 9. / 40}, {44. / 45, -56. / 15, 32. / 9},
          {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
          {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
          {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}},
    .b = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
    .b_hat = {5179. / 57600, 0, 7571. / 16695, 393. / 640, -92097. / 339200, 187. / 2100, 1. / 40}};

static const dae_rosenbrock ros2_coefficients = {
    .stages = 2, .gamma = 0.29289321881345248, .alpha = {[1] = {1}},
    .gamma_ij = {[1] = {-0.58578643762690495}}, .b = {0.5, 0.5}, .b_hat = {1}};

static const dae_rosenbrock rodas3_coefficients = {
    .stages = 4, .gamma = 0.5, .alpha = {[2] = {1}, {0.75, -0.25, 0.5}},
    .gamma_ij = {[1] = {1}, {-0.25, -0.25}, {1. / 12, 1. / 12, -2. / 3}},
    .b = {5. / 6, -1. / 6, -1. / 6, 0.5}, .b_hat = {0.75, -0.25, 0.5}};

#define INFO(name_, p, q) .info = {.name = name_, .fixed = 1, .adaptive = 1, .order = DAE_ORDERS_ON_INDEX_1(p, q)}
static const dae_method bs32 = {INFO("bs32", 3, 3), DAE_EXPLICIT_METHOD(bs32_coefficients, 2)};
static const dae_method rkf54 = {INFO("rkf54", 5, 5), DAE_EXPLICIT_METHOD(rkf54_coefficients, 4)};
static const dae_method dp54 = {INFO("dp54", 5, 5), DAE_EXPLICIT_METHOD(dp54_coefficients, 4)};
static const dae_method ros2 = {INFO("ros2", 2, 0), DAE_ROSENBROCK_METHOD(ros2_coefficients, 1)};
static const dae_method rodas3 = {INFO("rodas3", 3, 3), DAE_ROSENBROCK_METHOD(rodas3_coefficients, 2)};
static const dae_method *const all[] = {&bs32, &rkf54, &dp54, &ros2, &rodas3};
enum { METHODS = sizeof all / sizeof *all };

/* From the start of a problem to t_end, in u; the counts. */
static dae_statistics solve(const dae_method *method, const char *problem, const char *form,
                            dae_options options, double t_end, double *u)
{
    OWNED(dae_system) *sys = system_at_start(problem, form, 0, u);
    OWNED(dae_solver) *solver = solver_of(sys, method, &options, 0, NULL);
    const double t0 = dae_system_problem(sys)->t0;
    assert_int_equal(DAE_OK, dae_solver_start(solver, t0, u));
    if (dae_solver_advance(solver, t_end, u))
        fail_msg("%s: %s", method->info.name, dae_solver_report(solver)->message);
    return dae_solver_statistics(solver);
}

/* By fixed steps of h and h/2, against steps of radau. */
static double order_of(const dae_method *method, const char *problem, const char *form, double h,
                       double t_end)
{
    double right[MOST_UNKNOWNS], u[MOST_UNKNOWNS], error[2];
    solve(dae_find_method("radau"), problem, form, tolerance(1e-13), t_end, right);
    for (int k = 0; k < 2; k++) {
        dae_options options = dae_default_options();
        options.step = h / (1 << k);
        solve(method, problem, form, options, t_end, u);
        error[k] = distance(u, right, 2);
    }
    return log2(error[0] / error[1]);
}

/* From the ends of 400, 800 and 1600 steps in quad. */
static double order_in_quad(const dae_method *method)
{
    double start[MOST_UNKNOWNS];
    const double t = 1;
    dae_quad end[3];
    dae_report why = {0};
    OWNED(dae_system) *sys = system_at_start("predator_prey", "native", 0, start);
    for (int k = 0; k < 3; k++) {
        OWNED(dae_reference) result = {0};
        if (dae_quad_steps(&result, NULL, sys, method, 0, 0, start_in_quad(sys, start).u, &t, 1, 400 << k, &why))
            fail_msg("%s: %s", method->info.name, why.message);
        end[k] = result.q[0];
    }
    return log2(fabs((double)(end[0] - end[1]) / (double)(end[1] - end[2])));
}

TEST(orders)
{
    for (int m = 0; m < METHODS; m++) {
        const double p = dae_method_order(all[m], NULL, 0, DAE_DIFFERENTIAL);
        assert_close(order_in_quad(all[m]), p, 0.2);
        assert_close(order_of(all[m], "pendulum", "ode", p < 4 ? 0.02 : 0.05, 2), p, 0.2);
    }
    assert_close(order_of(&bs32, "pendulum", "index1", 0.02, 2), 3, 0.2);
    assert_close(order_of(&rodas3, "pendulum", "index1", 0.01, 2), 3, 0.2);
    assert_close(order_of(&rodas3, "linear_dae", "index1", 0.02, 0.4), 3, 0.2);
}

TEST(chosen_steps)
{
    for (int m = 0; m < METHODS; m++) {
        double right[MOST_UNKNOWNS], u[MOST_UNKNOWNS], error[2];
        long steps[2];
        solve(dae_find_method("radau"), "kepler", "native", tolerance(1e-12), 10, right);
        for (int k = 0; k < 2; k++) {
            steps[k] = solve(all[m], "kepler", "native", tolerance(k ? 1e-8 : 1e-5), 10, u).steps;
            error[k] = distance(u, right, 4);
        }
        const double grown = pow(1000, 1. / (all[m]->error_order + 1));     /* C h^(q+1) = tolerance */
        if (!(error[1] < 0.02 * error[0] && error[1] < 1e-3 && (double)steps[1] > 0.5 * grown * (double)steps[0]
              && (double)steps[1] < 2 * grown * (double)steps[0]))
            fail_msg("%s: errors %.3g, %.3g, steps %ld, %ld", all[m]->info.name, error[0], error[1],
                     steps[0], steps[1]);
    }
    double u[MOST_UNKNOWNS], right[MOST_UNKNOWNS];
    solve(dae_find_method("radau"), "hires", "native", tolerance(1e-12), 321.8122, right);
    solve(&rodas3, "hires", "native", tolerance(1e-8), 321.8122, u);
    assert_close(distance(u, right, 8), 0, 1e-5);
    solve(dae_find_method("radau"), "robertson", "native", tolerance(1e-12), 40, right);
    solve(&rodas3, "robertson", "native", tolerance(1e-8), 40, u);
    assert_close(distance(u, right, 3), 0, 1e-6);
}

/* To rounding, as sums over stages that were compiled add the newest one last. */
TEST(the_same_steps)
{
    static const char *const where[][2] = {{"pendulum", "index1"}, {"predator_prey", "native"}};
    for (int k = 0; k < 2; k++) {
        double u[2][MOST_UNKNOWNS] = {{0}};
        dae_options options = dae_default_options();
        options.step = 0.01;
        const dae_statistics a = solve(&dp54, where[k][0], where[k][1], options, 1, u[0]);
        const dae_statistics b = solve(dae_find_method("dopri5"), where[k][0], where[k][1], options, 1, u[1]);
        for (int i = 0; i < MOST_UNKNOWNS; i++)
            assert_close(u[0][i], u[1][i], 200 * DBL_EPSILON * fabs(u[1][i]));
        assert_int_equal(a.rhs, b.rhs);
    }
}

/* In transformed form rodas3 is published, too: Sandu et al. (1997), and the code KPP. */
TEST(transformed)
{
    static const double A[3][3] = {{0}, {2, 0}, {2, 0, 1}}, C[3][3] = {{4}, {1, -1}, {1, -1, -8. / 3}};
    static const double m[4] = {2, 0, 1, 1}, e[4] = {0, 0, 0, 1}, c[4] = {0, 0, 1, 1}, d[4] = {0.5, 1.5, 0, 0};
    dae_rosenbrock_tableau T;
    assert_int_equal(DAE_OK, dae_rosenbrock_derive(&rodas3, &T, NULL));
    for (int i = 0; i < 4; i++) {
        assert_close(T.m[i], m[i], 1e-14);
        assert_close(T.e[i], e[i], 1e-14);
        assert_close(T.c[i], c[i], 1e-14);
        assert_close(T.d[i], d[i], 1e-14);
        for (int j = 0; j < i; j++) {
            assert_close(T.A[i][j], A[i - 1][j], 1e-14);
            assert_close(T.C[i][j], C[i - 1][j], 1e-14);
        }
    }
}

/* Their fixed steps in quad precision, beside those in double. */
TEST(in_quad)
{
    for (int m = 0; m < METHODS; m++) {
        double start[MOST_UNKNOWNS], u[MOST_UNKNOWNS];
        const double t = 1;
        dae_report why = {0};
        dae_options options = dae_default_options();
        OWNED(dae_system) *sys = system_at_start("predator_prey", "native", 0, start);
        assert_true(dae_method_describe(all[m]).quad_steps);
        for (int shaken = 0; shaken < 2; shaken++) {
            OWNED(dae_reference) result = {0};
            if (dae_quad_steps(&result, NULL, sys, all[m], shaken, 0, start_in_quad(sys, start).u, &t, 1, 50, &why))
                fail_msg("%s: %s", all[m]->info.name, why.message);
            options.step = 0.02;
            solve(all[m], "predator_prey", "native", options, 1, u);
            for (int i = 0; i < 2; i++)
                assert_close((double)result.q[i], u[i], 1e-13 * fabs(u[i]));
        }
    }
}

/* ---- refusals ------------------------------------------------------------------------------ */

static dae_status create(const dae_method *method, dae_report *why)
{
    double u[MOST_UNKNOWNS];
    dae_options options = tolerance(1e-6);
    options.step = method->info.adaptive ? 0 : 0.1;
    OWNED(dae_system) *sys = system_at_start("predator_prey", "native", 0, u);
    OWNED(dae_solver) *solver = NULL;
    return dae_solver_create(&solver, sys, method, &options, why);
}

/* A slip in x, one of the coefficients of method: refused, with the method's name. */
static int is_seen(const dae_method *method, double *x)
{
    dae_report why = {0};
    const double right = *x;
    *x = right + 1e-6;
    const dae_status status = create(method, &why);
    *x = right;
    assert_true(!status || (status == DAE_BAD_ARGUMENT && strstr(why.message, method->info.name)));
    return status != DAE_OK;
}

/* Every coefficient, b_hat and zeros below the diagonal too. What is not seen in rodas3 keeps the order on
 * ordinary differential equations. */
TEST(slips)
{
    int seen = 0, kept = 0;
    for (int m = 0; m < 3; m++) {
        dae_butcher T = *(const dae_butcher *)all[m]->tableau;
        dae_method method = *all[m];
        method.tableau = &T;
        for (int i = 0; i < T.stages; i++) {
            assert_true(is_seen(&method, &T.b[i]) && is_seen(&method, &T.b_hat[i])
                        && is_seen(&method, &T.c[i]));
            for (int j = 0; j < DAE_MOST_STAGES; j++)
                assert_true(is_seen(&method, &T.A[i][j]));
        }
    }
    for (int m = 3; m < METHODS; m++) {
        dae_rosenbrock T = *(const dae_rosenbrock *)all[m]->tableau;
        dae_method method = *all[m];
        method.tableau = &T;
        assert_true(is_seen(&method, &T.gamma));
        for (int i = 0; i < T.stages; i++) {
            assert_true(is_seen(&method, &T.b[i]) && is_seen(&method, &T.b_hat[i]));
            for (int j = 0; j < T.stages; j++) {
                seen += is_seen(&method, &T.alpha[i][j]) + is_seen(&method, &T.gamma_ij[i][j]);
                kept += 2;
            }
        }
    }
    kept -= seen;
    assert_true(seen >= 36 && kept <= 4);
}

static void expect(const dae_method *method, const char *words)
{
    dae_report why = {0};
    assert_int_equal(DAE_BAD_ARGUMENT, create(method, &why));
    if (!strstr(why.message, words))
        fail_msg("'%s' is not in: %s", words, why.message);
}

TEST(sentences)
{
    dae_butcher T = bs32_coefficients;
    dae_method method = bs32;
    method.tableau = &T;
    T.A[2][1] = 0.7;
    expect(&method, "c_3 = 0.75, and row 3 of A sums to 0.7");
    T.c[2] = 0.7;
    expect(&method, "with b the condition of order 2 of the tree [t] is 0.477");
    T = bs32_coefficients;
    T.b_hat[0] += 0.01;
    expect(&method, "with b_hat the condition of order 1 of the tree t is 1.01, not 1/1: off by 0.01");
    T = bs32_coefficients;
    T.A[0][1] = 1;
    expect(&method, "a_12 = 1: it is not explicit");
    T = bs32_coefficients;
    T.stages = 0;
    expect(&method, "1 to 15 stages");
    T = bs32_coefficients;
    method.error_order = 0;
    expect(&method, "without b_hat");
    method.info.adaptive = 0;
    dae_report why = {0};
    assert_int_equal(DAE_OK, create(&method, &why));
    method = (dae_method){INFO("bs42", 4, 4), DAE_EXPLICIT_METHOD(bs32_coefficients, 2)};
    expect(&method, "have not the order 4: with b the condition of order 4");
    method = (dae_method){.info = {.name = "bs", .adaptive = 1}, DAE_EXPLICIT_METHOD(bs32_coefficients, 2)};
    expect(&method, "declares no order");
    dae_rosenbrock R = ros2_coefficients;
    method = ros2;
    method.tableau = &R;
    R.gamma_ij[1][1] = 0.29;
    expect(&method, "gamma_22 = 0.29");
    R = ros2_coefficients;
    R.gamma = 0;
    expect(&method, "gamma is not positive");
}
