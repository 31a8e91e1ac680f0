/* test_radau_newton.c - Radau's Newton iteration where it has to be careful: models that overflow,
 * steps far shorter than the one before, corrections down to rounding
 */
#ifndef DAE_PASS
enum { RATE, STEP, SIZE, OFFSET };
#include <daelab/model.h>

#include "support.h"

#include "small_models.h"

static const char *const methods[] = {"radau", "auto", "radau5", "radau9", "radau13"};
enum { METHODS = sizeof methods / sizeof *methods };

/* The transistors' exponentials overflow where a prediction is poor: such a correction must tell
 * nothing of the contraction. Of radau13 the worst of twenty tolerances within a tenth of each other is 16 to 19
 * of them off, whichever of them that is. Reference:
 * Mazzia, Magherini (2008), Test Set for IVP Solvers 2.4. */
TEST(test_overflow)
{
    static const double reference[] = {-0.005562145012262709, 3.006522471903042, 2.849958788608128,
                                       2.926422536206241, 2.704617865010554, 2.761837778393145,
                                       4.770927631616772, 1.236995868091548};
    for (size_t m = 0; m < METHODS; m++)
        for (double rtol = 1e-2; rtol > 9e-7; rtol /= 3) {
            double u[MOST_UNKNOWNS];
            const dae_options options = tolerance(rtol);
            OWNED(dae_system) *sys = system_at_start("transistor_amplifier", "native", 0, u);
            solve_to(sys, methods[m], &options, 0.2, u);
            if (!(distance(u, reference, 8) <= 30 * rtol))
                fail_msg("%s, rtol %g: error %g", methods[m], rtol, distance(u, reference, 8));
        }
}

/* Robertson's reactions to forty times, each followed by one more. */
static dae_statistics outputs(const char *method, double more, double *u)
{
    const dae_options options = {.rtol = 1e-6, .atol = 1e-10, .max_steps = 100000};
    dae_status status = DAE_OK;
    OWNED(dae_system) *sys = system_at_start("robertson", "native", 0, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &options, 0, u);
    double t = 1e-3;
    for (int k = 0; k < 40 && !status; k++) {
        t *= 1.6;
        status = dae_solver_advance(solver, t, u);
        if (!status && more > 0)
            status = dae_solver_advance(solver, t * (1 + more), u);
    }
    assert_int_equal(DAE_OK, status);
    return dae_solver_statistics(solver);
}

/* A step of 1e-12 predicts nothing, and its contraction says nothing of a long one: output at close
 * times costs its steps, and no failures. */
TEST(test_close_outputs)
{
    for (size_t m = 0; m < METHODS; m++) {
        double u[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
        const dae_statistics plain = outputs(methods[m], 0, u);
        for (double more = 1e-6; more > 1e-13; more /= 1e3) {
            const dae_statistics close = outputs(methods[m], more, v);
            if (close.newton_failures > plain.newton_failures + 3
                || 2 * close.steps > 3 * plain.steps + 80)
                fail_msg("%s, %g: %ld failures for %ld, %ld steps for %ld", methods[m], more,
                         close.newton_failures, plain.newton_failures, close.steps, plain.steps);
            assert_close(v[0], u[0], u[0] * (more + 1e-6));
        }
    }
}

/* ---- fixed steps: to rounding, each unknown for itself --------------------------------------- */

/* In index 3 corrections of multipliers are at rounding when those of positions are not. The
 * reference: dop853 in index 1 and radau9 in three forms at rtol 1e-12 and below, to all digits. */
TEST(test_positions_at_rounding)
{
    static const double phi = 12.13587818892877, psi = 0.2102037556679;
    for (int steps = 228; steps <= 252; steps += 3) {
        double u[MOST_UNKNOWNS];
        dae_options options = dae_default_options();
        OWNED(dae_system) *sys = system_at_start("slider_crank", "index3", 0, u);
        options.step = 0.1 / steps;
        solve_to(sys, "radau13", &options, 0.1, u);
        assert_close(u[0], phi, 2e-11);
        assert_close(u[1], psi, 2e-11);
    }
}

static double error_of_square(const char *method, double c, double step)
{
    double u[1];
    dae_options options = dae_default_options();
    options.step = step;
    OWNED(dae_system) *sys = system_of(&dae_decline, "native", &c, u);
    solve_to(sys, method, &options, 2, u);
    return fabs(3 * u[0] / c - 1);
}

/* The same to the last bits for any size of the unknown. */
TEST(test_any_size)
{
    for (size_t m = 2; m < METHODS; m++)
        for (double step = 0.5; step > 0.1; step /= 2) {
            const double error = error_of_square(methods[m], 1, step);
            for (int k = -200; k <= 200; k += 20)
                assert_close(error_of_square(methods[m], ldexp(1, k), step), error, 0);
        }
    for (double c = 1e-24; c < 1e25; c *= 1e8)
        assert_close(error_of_square("radau5", c, 0.2) / error_of_square("radau5", c, 0.1), 200,
                     100);
}

/* ---- below rounding -------------------------------------------------------------------------- */

static dae_status solve_cancels(const char *method, double X, const dae_options *options, double *u,
                                dae_report *why)
{
    OWNED(dae_system) *sys = system_of(&dae_cancels, "native", &X, u);
    return try_to(sys, method, options, 1, u, why);
}

/* eps X^2 is what z can be known to. A tolerance below that is refused in these words, a larger one
 * is kept, and fixed steps come as near as that, which an absolute bound would not let them. */
TEST(test_below_rounding)
{
    dae_report why = {0};
    double u[2];
    for (size_t m = 0; m < METHODS; m++)
        for (double X = 1e3; X < 2e6; X *= 10) {
            const double noise = 1.1e-16 * X * X, at_1 = exp(-1);
            dae_options options = {.rtol = fmin(0.1, 200 * noise), .max_steps = 10000};
            options.atol = 1e-4 * options.rtol;
            assert_int_equal(DAE_OK, solve_cancels(methods[m], X, &options, u, &why));
            assert_close(u[0], at_1, 10 * options.rtol);
            options.rtol = noise / 100;
            options.atol = noise / 1e6;
            assert_int_equal(DAE_NO_CONVERGENCE, solve_cancels(methods[m], X, &options, u, &why));
            if (!strstr(why.message, "below what rounding permits: rounding alone moves z by"))
                fail_msg("%s, X = %g: %s", methods[m], X, why.message);
            options.step = 0.05;
            options.rtol = options.atol = 1e-6;
            if (m < 2)
                continue;
            assert_int_equal(DAE_OK, solve_cancels(methods[m], X, &options, u, &why));
            assert_close(u[0], at_1, 1e-10 + 10 * noise);
        }
}

/* ---- where it hardly contracts ---------------------------------------------------------------- */

/* Radau with fixed steps where Newton's iteration hardly contracts: corrections
 * that are small because the motion is, and not because it has converged, end no step
 *
 *     u' = -L sin^2(pi t/h) (u - 1 - s cos t):  df/du is 0 wherever a step begins, and theta is
 *                                               what L h makes of it
 */

static void start(const double *p, double *u) { u[0] = p[OFFSET]; }

static const dae_problem slow = {
    .name = "slow", .variables = "u", .units = "-", .start = {start}, .t_end = 1,
    .parameters = {{"rate", 1, "1/s", "L", DAE_POSITIVE}, {"step", 0.1, "s", "h", DAE_POSITIVE},
                   {"size", 1, "-", "s", DAE_POSITIVE}, {"offset", 0, "-", "", DAE_ANY_VALUE}},
    .first_order = {.n = 1, .rhs = DAE_MODEL(rhs)}};

/* (u(1) - offset)/size, or the status */
static dae_status run(const char *method, double L, double size, double offset, double *y)
{
    const double p[] = {L, 0.1, size, offset};
    dae_options o = dae_default_options();
    double u[1];
    o.step = 0.1;
    OWNED(dae_system) *sys = system_of(&slow, "native", p, u);
    OWNED(dae_solver) *s = solver_of(sys, dae_find_method(method), &o, 0, u);
    const dae_status status = dae_solver_advance(s, 1, u);
    *y = (u[0] - offset) / size;
    return status;
}

/* The equation is linear: what is 1e-7 as large beside 1 is the same motion, to what an iteration
 * that is stuck may leave, 1e-10 of 1 and a sum of such; or the step fails. */
TEST(test_small_motion)
{
    static const char *const fixed[] = {"radau5", "radau9", "radau13"};
    int failed = 0, ended = 0;
    for (int m = 0; m < 3; m++)
        for (double L = 1; L < 200; L *= 1.1) {
            double large, small;
            const dae_status of_large = run(fixed[m], L, 1, 0, &large);
            const dae_status of_small = run(fixed[m], L, 1e-7, 1, &small);
            failed += of_small != DAE_OK;
            if (of_large || of_small)
                continue;
            ended++;
            assert_close(small, large, 2e-2);
        }
    assert_true(failed > 0 && ended > 0);
}

#else

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const real s = sin(PI * t / p[STEP]);
    F[0] = -p[RATE] * s * s * (u[0] - p[OFFSET] - p[SIZE] * cos(t));
}

#endif
