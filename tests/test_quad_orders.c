/* test_quad_orders.c - orders that steps in quad precision show, far below the rounding of doubles
 *
 * u' = u^2 cos t, u(0) = 1/2, is solved by 1/(2 - sin t). The error at t = 1 with N equal steps is
 * e = c_0 + c_1 h + c_2 h^2 + ... with h = 1/N: as many c_k follow from as many N.
 */
#ifndef DAE_PASS
#include "support.h"

#include "reference/reference.h"
#include "study/converge.h"

#include <daelab/model.h>
#include <daelab/quad_reference.h>

static void half(const double *p, double *u) { u[0] = 0.5; }

static const dae_problem growth = {
    .name = "growth", .title = "u' = u^2 cos t", .equations = "u' = u^2 cos t", .variables = "u",
    .units = "-", .first_order = {.n = 1, .rhs = DAE_MODEL(rhs)}, .start = {half}, .t_end = 1};

static void tenth(const double *p, double *u) { u[0] = 0.1; u[1] = 0; }

static const dae_problem rotation = {
    .name = "rotation", .title = "a fast rotation about a slow motion", .equations = "x' = ..., y' = ...",
    .variables = "x y", .units = "- -", .first_order = {.n = 2, .rhs = DAE_MODEL(turn)}, .start = {tenth}, .t_end = 1};

enum { FIRST = 24, SPACING = 6, BEHIND = 8, MOST = 24 };

/* The error with so many steps; 0 where coefficients cannot be shaken. */
static int error_of(dae_system *sys, const dae_method *method, int shaken, int steps, dae_quad *error)
{
    const double times[1] = {1};
    const dae_quad u0[1] = {0.5};
    dae_reference at;
    const dae_status status =
        dae_quad_steps(&at, NULL, sys, method, shaken, 0, u0, times, 1, steps, NULL);
    if (status == DAE_UNSUPPORTED && shaken)
        return 0;
    assert_int_equal(DAE_OK, status);
    *error = at.q[0] - 1 / (2 - dae_quad_sin(1));
    dae_reference_free(&at);
    return 1;
}

/* c_0 ... c_(count - 1), by elimination: powers of different h are independent. */
static void solve(int count, const dae_quad *error, dae_quad *c)
{
    dae_quad a[MOST][MOST + 1];
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++)
            a[i][k] = k ? a[i][k - 1] * FIRST / (FIRST + SPACING * i) : 1;
        a[i][count] = error[i];
    }
    for (int k = 0; k < count; k++)
        for (int i = 0; i < count; i++) {
            const dae_quad factor = a[i][k] / a[k][k];
            for (int j = k; i != k && j <= count; j++)
                a[i][j] -= factor * a[k][j];
        }
    for (int k = 0; k < count; k++)
        c[k] = a[k][count] / a[k][k];
}

/* c_k FIRST^-k; 0 where nothing can be shaken. */
static int expand(dae_system *sys, const dae_method *method, int shaken, int count, dae_quad *c)
{
    dae_quad error[MOST];
    for (int i = 0; i < count; i++)
        if (!error_of(sys, method, shaken, FIRST + SPACING * i, &error[i]))
            return 0;
    solve(count, error, c);
    return 1;
}

static int order_of(const dae_method *method)
{
    return (int)dae_method_order(method, dae_find_formulation("native"), 0, DAE_DIFFERENTIAL);
}

/* Terms below the declared order p are 0 but for those left out behind it, and for what rounding of the
 * coefficients makes of them; that of order p is not. */
static void check_terms(dae_system *sys, const dae_method *method)
{
    const int p = order_of(method), count = p + BEHIND;
    dae_quad c[MOST], other[MOST];
    expand(sys, method, 0, count, c);
    const int is_rounded = expand(sys, method, 1, count, other);
    double below = 0, rounding = 0;
    for (int k = 1; k < p; k++) {
        below = fmax(below, fabs((double)c[k]));
        rounding = fmax(rounding, is_rounded ? fabs((double)(c[k] - other[k])) : 0);
    }
    print_message("%-8s order %2d: %8.1e behind terms of %.1e, rounding of coefficients %.1e\n",
                  dae_method_describe(method).name, p, (double)c[p], below, rounding);
    assert_true(below < 30 * rounding + 1e-6 * fabs((double)c[p]));
}

/* The slope of the error where it is small, but a hundred times what rounding of the coefficients makes of
 * it. */
static void check_slope(dae_system *sys, const dae_method *method)
{
    const int p = order_of(method);
    double slope = 0, least = 0;
    for (int steps = 4; steps <= 256; steps *= 2) {
        dae_quad coarse, fine, shaken;
        error_of(sys, method, 0, steps, &coarse);
        error_of(sys, method, 0, 2 * steps, &fine);
        if (error_of(sys, method, 1, 2 * steps, &shaken)
            && dae_quad_fabs(fine) < 100 * dae_quad_fabs(fine - shaken))
            break;
        slope = log2(fabs((double)(coarse / fine)));
        least = fabs((double)fine);
        if (least < 1e-28)
            break;
    }
    print_message("%-8s order %2d: slope %.2f at an error of %.1e\n",
                  dae_method_describe(method).name, p, slope, least);
    assert_close(slope, p, 0.3);
    if (!error_of(sys, method, 1, 16, &(dae_quad){0}))
        assert_true(least < 1e-20);
}

TEST(test_declared_orders)
{
    dae_system *sys;
    assert_int_equal(DAE_OK, dae_system_create(&sys, &growth, dae_find_formulation("native"), NULL, NULL,
                                               NULL));
    for (int m = 0; dae_method_at(m); m++)
        if (dae_method_describe(dae_method_at(m)).quad_steps) {
            if (order_of(dae_method_at(m)) > 5)
                check_slope(sys, dae_method_at(m));
            if (order_of(dae_method_at(m)) <= 8)
                check_terms(sys, dae_method_at(m));
        }
    dae_system_free(sys);
}

/* x = (1 + t)/10, y = t/10 are slow, and a method has them without an error. As a double the start is 6e-18 off, and
 * rotates for ever, at 20000/s: steps begin where references do, at the slow motion. */
TEST(test_stiff_start)
{
    const double end[1] = {1}, u0[2] = {0.1, 0};
    dae_reference slow, at;
    dae_system *sys;
    assert_int_equal(DAE_OK, dae_system_create(&sys, &rotation, dae_find_formulation("native"), NULL, NULL, NULL));
    assert_int_equal(DAE_OK, dae_reference_solve_in(&slow, sys, DAE_REFERENCE_COLLOCATION, 0, u0, end, 1, NULL));
    assert_int_equal(DAE_OK, dae_quad_steps(&at, NULL, sys, dae_find_method("rk4"), 0, 0, start_in_quad(sys, u0).u,
                                            end, 1, 80000, NULL));
    assert_near(slow.q[0], (dae_quad)1 / 5, 1e-26);
    for (int i = 0; i < 2; i++)
        assert_near(at.q[i], slow.q[i], 1e-20);
    dae_reference_free(&slow);
    dae_reference_free(&at);
    dae_system_free(sys);
}

/* In double precision order 13 is at rounding before its expansion holds; in quad it is seen, in
 * every class of variable. */
TEST(test_order_13)
{
    static const struct { const char *problem, *form; } where[] = {
        {"pendulum", "index3"}, {"pendulum", "ode"}, {"ladder", "index1"}, {"linear_dae", "native"}};
    for (int i = 0; i < 4; i++) {
        const study_specification spec =
            study_default_specification(problem_named(where[i].problem));
        converge_curve c = {.value = 0};
        int quad = 0;
        study s;
        assert_int_equal(0, study_begin(&s, &spec.run, REFERENCE_ON_PATH, 0, NULL));
        converge_plan(&c, &spec, &s, dae_find_formulation(where[i].form), dae_find_method("radau13"));
        converge_run(&spec, &s, &c);
        for (dae_class k = DAE_POSITION; k < DAE_CLASSES; k++) {
            if (c.order[k].verdict && !isnan(c.order[k].declared))
                assert_string_equal("agrees", c.order[k].verdict);
            quad += c.order[k].in_quad;
        }
        assert_true(quad >= 2);
        converge_free(&c);
        study_end(&s);
    }
}

/* Radau9 of van_der_pol with this epsilon. */
static void run_van_der_pol(double epsilon, study *s, converge_curve *c)
{
    const double parameters[] = {epsilon, 2, 0};            /* epsilon, y1(0), y2(0) */
    study_specification spec = study_default_specification(problem_named("van_der_pol"));
    spec.run.parameters = parameters;
    *c = (converge_curve){.value = 0};
    assert_int_equal(0, study_begin(s, &spec.run, REFERENCE_ON_PATH, 0, NULL));
    converge_plan(c, &spec, s, dae_find_formulation("native"), dae_find_method("radau9"));
    converge_run(&spec, s, c);
}

/* More than half of the ladder fails in Newton's iteration, and rounding disturbs the slopes at its end: the order is
 * seen in quad precision, from the first level that goes through. */
TEST(test_first_levels_fail)
{
    converge_curve c;
    study s;
    run_van_der_pol(2e-3, &s, &c);
    for (int i = 0; i <= c.ladder.levels / 2; i++)
        assert_int_not_equal(DAE_OK, c.runs[i].status);
    assert_int_equal(DAE_OK, c.runs[c.levels - 1].status);
    assert_string_equal("agrees", c.order[DAE_DIFFERENTIAL].verdict);
    assert_true(c.order[DAE_DIFFERENTIAL].in_quad);
    converge_free(&c);
    study_end(&s);
}

/* Where all steps of a ladder are too large for Newton's iteration, finer ones are made. */
TEST(test_all_too_coarse)
{
    converge_curve c;
    study s;
    run_van_der_pol(1e-3, &s, &c);
    for (int i = 0; i < c.ladder.levels; i++)
        assert_int_not_equal(DAE_OK, c.runs[i].status);
    assert_int_equal(DAE_OK, c.runs[c.levels - 1].status);
    assert_true(c.order[DAE_DIFFERENTIAL].error < 1e-8);
    converge_free(&c);
    study_end(&s);
}

#else
static void FN(rhs)(const param *p, real t, const real *u, real *F) { F[0] = u[0] * u[0] * cos(t); }

static void FN(turn)(const param *p, real t, const real *u, real *F)
{
    F[0] = EXACT(0.1) - 20000 * (u[1] - EXACT(0.1) * t);
    F[1] = EXACT(0.1) + 20000 * (u[0] - EXACT(0.1) * (1 + t));
}
#endif
