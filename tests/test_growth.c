/* test_growth.c - a solution that grows is told from an error that does, and a tolerance below
 * rounding from a problem that does not converge */
#ifndef DAE_PASS
#include "support.h"

enum { RATE };
#include <daelab/model.h>

static void seed(const double *p, double *u) { u[0] = 1e-12; }
static void rest(const double *p, double *u) { u[0] = u[1] = 0; }

#define RECORD(record_name, count, rank, F, begin, end, ...)                                      \
    static const dae_problem record_name = {                                                      \
        .name = #record_name, .parameters = {{"rate", 1, "1/s", "of growth", DAE_ANY_VALUE}},     \
        .first_order = {.n = count, .index = rank, .rhs = DAE_MODEL(F), __VA_ARGS__},             \
        .start = {begin}, .t_end = end}
RECORD(growing, 1, 0, proportional, start_one, 100, .mass = {0});
RECORD(logistic, 1, 0, saturated, seed, 60, .mass = {0});
RECORD(relaxing, 1, 0, relaxed, start_one, 3, .mass = {0});
RECORD(pulled, 2, 0, oscillating, rest, 100, .mass = {0});
RECORD(leaving, 1, 0, repelled, rest, 3, .mass = {0});
RECORD(passing, 2, 0, amplified, start_ones, 2.2, .mass = {0});
RECORD(noisy, 2, 2, cancelling, start_slope, 1, .mass = DAE_MODEL(first_of_two));

static dae_status run(const dae_problem *problem, const char *method, const dae_options *o,
                      const double *p, int pieces, double *u, dae_report *why)
{
    OWNED(dae_system) *sys = system_of(problem, "native", p, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), o, 0, NULL);
    dae_status status = dae_solver_start(solver, problem->t0, u);
    for (int k = 1; !status && k <= pieces; k++)
        status = dae_solver_advance(solver,
                                    problem->t0 + (problem->t_end - problem->t0) * k / pieces, u);
    *why = *dae_solver_report(solver);
    return status;
}

static long work_of(const dae_problem *problem, const char *method, const dae_options *o, int pieces)
{
    double u[2];
    OWNED(dae_system) *sys = system_of(problem, "native", NULL, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), o, problem->t0, u);
    for (int k = 1; k <= pieces; k++)
        assert_int_equal(DAE_OK, dae_solver_advance(solver, problem->t_end * k / pieces, u));
    return dae_solver_statistics(solver).rhs;
}

static dae_options steps_of(double h)
{
    dae_options o = dae_default_options();
    o.step = h;
    return o;
}

/* 43 decades that are right. */
TEST(test_true_growth)
{
    double u[1];
    dae_report why;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        if (info.order[0][DAE_DIFFERENTIAL] > 0 && info.order[0][DAE_DIFFERENTIAL] < 3)
            continue;                                   /* their errors are no small ones here */
        for (int pieces = 1; pieces <= 10; pieces += 9) {
            dae_options o = tolerance(1e-6);
            if (run(&growing, info.name, &o, NULL, pieces, u, &why))
                fail_msg("%s: %s", info.name, why.message);
            assert_close(log(u[0]), 100, 0.05);
            o.atol = 1e-18;
            if (run(&logistic, info.name, &o, NULL, pieces, u, &why))
                fail_msg("%s: %s", info.name, why.message);
            assert_close(u[0], 1, 1e-3);
        }
    }
    const dae_options fixed = steps_of(0.05);
    assert_int_equal(DAE_OK, run(&growing, "rk4", &fixed, NULL, 1, u, &why));
    assert_close(log(u[0]), 100, 1e-3);
}

static void expect_told(dae_status status, const dae_report *why, const char *says)
{
    if (status != DAE_ERROR_TEST || !strstr(why->message, "the error exceeds the solution")
        || !strstr(why->message, says))
        fail_msg("%s, \"%s\" is not in: %s", dae_status_name(status), says, why->message);
}

/* Steps for which the method is not stable, or so large that e^100 is not seen. */
TEST(test_large_steps)
{
    static const struct { const char *method; double h; } cases[] = {
        {"euler", 0.025}, {"heun", 0.025}, {"rk4", 0.04}, {"dopri5", 0.05}, {"dop853", 0.09}};
    double u[5];
    const double rate[1] = {100};
    dae_report why;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int pieces = 1; pieces <= 3; pieces += 2) {
            const dae_options o = steps_of(cases[k].h);
            expect_told(run(&relaxing, cases[k].method, &o, rate, pieces, u, &why), &why,
                        "half the step");
        }
    const dae_options coarse = steps_of(0.2), spring = steps_of(0.005);
    expect_told(run(&growing, "euler", &coarse, NULL, 1, u, &why), &why, "half the step");
    expect_told(run(problem_named("spring_tension"), "excros", &spring, NULL, 1, u, &why), &why,
                "row 1 (x)");
}

/* With an absolute tolerance that is not small beside y2, Robertson's reactions run away from a
 * state that is within it: a true solution, but not of this start. */
TEST(test_runaway)
{
    static const char *const methods[] = {"radau5", "radau9", "radau", "auto", "ida"};
    const dae_problem *robertson = problem_named("robertson");
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (double rtol = 1e-3; rtol > 1e-6; rtol /= 10) {
            const dae_options o = tolerance(rtol);
            double u[3];
            dae_report why;
            const dae_status status = run(robertson, methods[m], &o, NULL, 1, u, &why);
            if (!status && fabs(u[2] - 1) > rtol)
                fail_msg("%s, rtol %g: y3 = %g, and no word", methods[m], rtol, u[2]);
        }
}

/* From rest, with a tolerance far below what follows: what forces drive is not run again, an error that grows is
 * told. */
TEST(test_from_rest)
{
    static const char *const methods[] = {"rodas4", "cros4", "dopri5", "radau5"};
    const double rate[1] = {30};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        long rhs[2];
        for (int small = 0; small < 2; small++) {
            dae_options o = tolerance(1e-6);
            o.atol = small ? 1e-13 : 1e-11;
            rhs[small] = work_of(&pulled, methods[m], &o, 1);
        }
        if (2 * rhs[1] > 3 * rhs[0])
            fail_msg("%s: %ld F, and with a smaller tolerance at rest %ld", methods[m], rhs[0], rhs[1]);
        double u[1];
        dae_report why;
        const dae_options o = tolerance(1e-6);
        expect_told(run(&leaving, methods[m], &o, rate, 1, u, &why), &why, "tolerances of a hundredth");
    }
}

/* The error of y = cos 3t grows by e^40 and falls again within one advance; w' = 1e-8 y has its integral. */
TEST(test_down_again)
{
    static const struct { const char *method; double h; } cases[] = {
        {"radau", 0}, {"ida", 0}, {"cvode", 0}, {"dop853", 0}, {"rodas4", 0}, {"rk4", 0.01}, {"euler", 0.01}};
    const double rate[1] = {60};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double u[2];
        dae_report why;
        const dae_options o = cases[k].h > 0 ? steps_of(cases[k].h) : tolerance(1e-6);
        expect_told(run(&passing, cases[k].method, &o, rate, 1, u, &why), &why, "row 1 (u1) has grown");
    }
}

/* Van der Pol's y' is 1e6 in its jumps, which are no growth of errors: they are not made twice. */
TEST(test_jumps_are_made_once)
{
    static const char *const methods[] = {"radau", "radau5", "ida", "rodas4"};
    const dae_problem *van_der_pol = problem_named("van_der_pol");
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const dae_options o = tolerance(1e-3);
        const long once = work_of(van_der_pol, methods[m], &o, 1), pieces = work_of(van_der_pol, methods[m], &o, 7);
        if (2 * once > 3 * pieces)
            fail_msg("%s: %ld F in one piece, %ld in 7", methods[m], once, pieces);
    }
}

/* x' = z, 0 = (1e8 + x) - (1e8 + sin t): x is good to 1e-8, and z to 1e-8/h. */
TEST(test_below_rounding)
{
    static const char *const methods[] = {"rodas4", "rodas5p", "radau5", "radau9", "radau", "ida"};
    const double size[1] = {1e8};
    dae_report why;
    double u[2];
    int told = 0;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        dae_options o = tolerance(1e-11);
        o.max_steps = 2000;
        const dae_status status = run(&noisy, methods[m], &o, size, 1, u, &why);
        if (status && !strstr(why.message, "below rounding"))
            fail_msg("%s: %s", methods[m], why.message);
        told += status != DAE_OK;
    }
    assert_true(told > 0);
    for (int m = 0; dae_method_at(m); m++) {
        dae_options o = tolerance(1e-17);
        const char *method = dae_method_describe(dae_method_at(m)).name;
        o.atol = 1e-20;
        if (run(&relaxing, method, &o, size, 1, u, &why) != DAE_BAD_ARGUMENT
            || !strstr(why.message, "below rounding"))
            fail_msg("%s: %s", method, why.message);
    }
}

#else
#include "plain_terms.h"

static void FN(proportional)(const param *p, real t, const real *u, real *F)
{ F[0] = p[RATE] * u[0]; }
static void FN(saturated)(const param *p, real t, const real *u, real *F)
{ F[0] = u[0] * (1 - u[0]); }
static void FN(relaxed)(const param *p, real t, const real *u, real *F)
{ F[0] = p[RATE] * (cos(t) - u[0]); }
static void FN(oscillating)(const param *p, real t, const real *u, real *F)
{ F[0] = u[1]; F[1] = 1 - u[0]; }
static void FN(repelled)(const param *p, real t, const real *u, real *F)
{ F[0] = p[RATE] * (u[0] - sin(t)) + cos(t); }
static void FN(amplified)(const param *p, real t, const real *u, real *F)
{ F[0] = p[RATE] * cos(1.5 * t) * (u[0] - cos(3 * t)) - 3 * sin(3 * t); F[1] = 1e-8 * u[0]; }
static void FN(cancelling)(const param *p, real t, const real *u, real *F)
{
    const real large = p[RATE];
    F[0] = u[1];
    F[1] = (large + u[0]) - (large + sin(t));
}

#endif
