/* test_radau.c - Radau IIA: coefficients and steps by the definition, what it makes of a tolerance, failures
 * (errors that follow a tolerance: test_literature.c; Newton's iteration: test_radau_newton.c)
 */
#ifndef DAE_PASS
#include <daelab/model.h>

#include "support.h"

#include "radau_definition.h"
#include "small_models.h"

static const char *const methods[] = {"radau", "radau5", "radau9", "radau13"};
enum { METHODS = sizeof methods / sizeof *methods };

/* ---- the definition -------------------------------------------------------------------------- */

static void check_numbers(const char *name, int s, int count, const double *is, const double *should_be)
{
    for (int i = 0; i < count; i++)
        if (is[i] != should_be[i])
            fail_msg("%d stages, %s[%d] is %.17g, and should be %.17g", s, name, i, is[i], should_be[i]);
}

TEST(test_numbers)
{
    for (int s = 3; s <= RADAU_FINE; s += 2) {
        const radau_tableau *is = dae_radau_tableau(s);
        radau_tableau made;
        radau_from_definition(&made, s);
        assert_int_equal(s, is->s);
        check_numbers("mu", s, 1, &is->mu, &made.mu);
        check_numbers("c", s, s, is->c, made.c);
        check_numbers("lagrange", s, s, is->lagrange, made.lagrange);
        check_numbers("slope", s, s, is->slope, made.slope);
        check_numbers("last", s, s, is->last, made.last);
        check_numbers("last_but_one", s, s, is->last_but_one, made.last_but_one);
        check_numbers("alpha", s, s / 2, is->alpha, made.alpha);
        check_numbers("beta", s, s / 2, is->beta, made.beta);
        check_numbers("T", s, s * s, is->T, made.T);
        check_numbers("T_inverse", s, s * s, is->T_inverse, made.T_inverse);
    }
}

static void begin(const double *p, double *u) { u[0] = 1, u[1] = 3; }
static const dae_problem bent = {                       /* a = exp(sin t), b = 2 + cos 2t */
    .name = "bent", .variables = "a b", .units = "- -", .start = {begin}, .t_end = 2,
    .first_order = {.n = 2, .rhs = DAE_MODEL(bent)}};

static void slopes(long double t, const long double *u, long double *F)
{
    const long double d = u[1] - 2 - cosl(2 * t);
    F[0] = cosl(t) * u[0] + d * u[0];
    F[1] = -2 * sinl(2 * t) + u[0] * u[1] - expl(sinl(t)) * (2 + cosl(2 * t)) - d * d * d - 2 * d;
}

/* Radau IIA of order 5 by fixed-point iteration. Hairer, Wanner (1996), IV.5, table 5.6. */
static void steps_of_definition(int steps, long double *u)
{
    const long double r = sqrtl(6), h = 2.0L / steps, c[] = {(4 - r) / 10, (4 + r) / 10, 1};
    const long double A[3][3] = {{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
                                 {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
                                 {(16 - r) / 36, (16 + r) / 36, 1 / 9.0L}};
    u[0] = 1, u[1] = 3;
    for (int k = 0; k < steps; k++) {
        long double stage[3][2] = {{u[0], u[1]}, {u[0], u[1]}, {u[0], u[1]}}, F[3][2];
        for (int iteration = 0; iteration < 40; iteration++) {
            for (int i = 0; i < 3; i++)
                slopes((k + c[i]) * h, stage[i], F[i]);
            for (int i = 0; i < 3; i++)
                for (int m = 0; m < 2; m++)
                    stage[i][m] = u[m] + h * (A[i][0] * F[0][m] + A[i][1] * F[1][m] + A[i][2] * F[2][m]);
        }
        u[0] = stage[2][0], u[1] = stage[2][1];
    }
}

/* What is left of Newton's iteration has one sign: of many steps it would add up, to 1e-12 and more. */
TEST(test_steps)
{
    for (int steps = 100; steps < 350; steps = steps * 3 / 2) {
        double u[2];
        long double right[2];
        dae_options options = dae_default_options();
        options.step = 2.0 / steps;
        OWNED(dae_system) *sys = system_of(&bent, "native", NULL, u);
        solve_to(sys, "radau5", &options, 2, u);
        steps_of_definition(steps, right);
        for (int m = 0; m < 2; m++)
            if (!(fabsl(u[m] - right[m]) <= 2e-13L))
                fail_msg("%d steps: %c is off by %.3Lg", steps, "ab"[m], u[m] - right[m]);
    }
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

/* ---- the start ------------------------------------------------------------------------------ */

enum { MOST_STEPS = 400, MANY_UNKNOWNS = 256 };
typedef struct { int steps; double t[MOST_STEPS + 1]; } step_times;

static int note(void *context, double t, const double *u)
{
    step_times *seen = context;
    if (seen->steps < MOST_STEPS)
        seen->t[++seen->steps] = t;
    return 0;
}

static dae_statistics watched(const char *problem, const char *form, double links,
                              const char *method, double rtol, step_times *seen)
{
    double u[MANY_UNKNOWNS];
    const dae_options options = tolerance(rtol);
    const dae_problem *record = problem_named(problem);
    double p[MOST_PARAMETERS];
    for (int k = 0; k < MOST_PARAMETERS && record->parameters[k].name; k++)
        p[k] = links > 0 && strcmp(record->parameters[k].name, "N") == 0
                   ? links : dae_parameter_default(record, k);
    OWNED(dae_system) *sys = system_of(record, form, p, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &options, 0, NULL);
    *seen = (step_times){0};
    dae_solver_observe(solver, note, seen);
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, record->t_end, u));
    return dae_solver_statistics(solver);
}

/* From rest one short step, whose error estimate tells how long the next may be; a failure of
 * Newton's iteration costs another two. */
TEST(test_short_steps)
{
    for (int m = 0; m < METHODS; m++)
        for (double rtol = 1e-4; rtol > 0.9e-10; rtol /= 10) {
            step_times seen;
            int first = 0;
            const dae_statistics count =
                watched("pendulum", "index1", 0, methods[m], rtol, &seen);
            double longest = 0;
            for (int k = 1; k <= 4; k++)
                longest = fmax(longest, seen.t[k] - seen.t[k - 1]);
            while (seen.t[first + 1] - seen.t[first] < longest / 4)
                first++;
            if (first > 1 + 2 * count.newton_failures)
                fail_msg("%s, rtol %.2g: %d short steps", methods[m], rtol, first);
        }
}

/* A first step that was too long for Newton's iteration says nothing of the order: more stages need
 * far fewer steps. */
TEST(test_order_of_first_step)
{
    long few = 0, many = 0;
    for (double rtol = 1e-5; rtol > 0.9e-6; rtol /= sqrt(10)) {
        step_times seen;
        few += watched("chain", "index1", 40, "radau", rtol, &seen).steps;
        many += watched("chain", "index1", 40, "radau5", rtol, &seen).steps;
    }
    if (5 * few > 2 * many)
        fail_msg("%ld steps with 5 stages, %ld with 3", few, many);
}

/* Steps that Radau undoes: the size of the next one follows how the error has
 * changed from step to step, so that few are tried in vain where a solution turns stiff
 *
 * Gustafsson (1994), ACM Trans. Math. Softw. 20, 496-517; Hairer, Wanner (1996), Solving Ordinary
 * Differential Equations II, IV.8.
 */

TEST(test_rejected)
{
    static const char *const turning_stiff[] = {"hires", "oregonator", "van_der_pol", "robertson"};
    long steps = 0, rejected = 0;
    for (int p = 0; p < 4; p++)
        for (double rtol = 1e-3; rtol > 1e-8; rtol /= 3) {
            double u[MOST_UNKNOWNS];
            dae_options o = tolerance(rtol);
            o.atol = 1e-3 * rtol;
            OWNED(dae_system) *sys = system_at_start(turning_stiff[p], "native", 0, u);
            const dae_statistics c =
                solve_to(sys, "radau5", &o, dae_system_problem(sys)->t_end, u);
            steps += c.steps;
            rejected += c.rejected;
        }
    if (!(1000 * rejected < 61 * steps))                /* 57; 65 without the last step's error */
        fail_msg("%ld of %ld steps undone", rejected, steps);
}
/* ---- failures ------------------------------------------------------------------------------- */

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

#else
static void FN(bent)(const param *p, real t, const real *u, real *F)
{
    const real d = u[1] - 2 - cos(2 * t);
    F[0] = cos(t) * u[0] + d * u[0];
    F[1] = -2 * sin(2 * t) + u[0] * u[1] - exp(sin(t)) * (2 + cos(2 * t)) - d * d * d - 2 * d;
}
#endif
