/* test_radau_slow.c - Radau with fixed steps where Newton's iteration hardly contracts: corrections
 * that are small because the motion is, and not because it has converged, end no step
 *
 *     u' = -L sin^2(pi t/h) (u - 1 - s cos t):  df/du is 0 wherever a step begins, and theta is
 *                                               what L h makes of it
 */
#ifndef DAE_PASS
enum { RATE, STEP, SIZE, OFFSET };
#include <daelab/model.h>

#include "support.h"

#include <math.h>

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
    dae_system *sys;
    dae_solver *s;
    o.step = 0.1;
    assert_int_equal(DAE_OK, dae_system_create(&sys, &slow, dae_find_formulation("native"), p, NULL,
                                               NULL));
    assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
    assert_int_equal(DAE_OK, dae_solver_create(&s, sys, dae_find_method(method), &o, NULL));
    assert_int_equal(DAE_OK, dae_solver_start(s, 0, u));
    const dae_status status = dae_solver_advance(s, 1, u);
    *y = (u[0] - offset) / size;
    dae_solver_free(s);
    dae_system_free(sys);
    return status;
}

/* The equation is linear: what is 1e-7 as large beside 1 is the same motion, to what an iteration
 * that is stuck may leave, 1e-10 of 1 and a sum of such; or the step fails. */
static void test_small_motion(void **state)
{
    (void)state;
    static const char *const methods[] = {"radau5", "radau9", "radau13"};
    int failed = 0, ended = 0;
    for (int m = 0; m < 3; m++)
        for (double L = 1; L < 200; L *= 1.1) {
            double large, small;
            const dae_status of_large = run(methods[m], L, 1, 0, &large);
            const dae_status of_small = run(methods[m], L, 1e-7, 1, &small);
            failed += of_small != DAE_OK;
            if (of_large || of_small)
                continue;
            ended++;
            assert_close(small, large, 2e-2);
        }
    assert_true(failed > 0 && ended > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_motion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const real s = sin(PI * t / p[STEP]);
    F[0] = -p[RATE] * s * s * (u[0] - p[OFFSET] - p[SIZE] * cos(t));
}

#endif
