/* test_auto_events.c - events in the steps with which auto changes its method
 *
 * x' = -3 sin 3t - k (x - cos 3t), y' likewise after sin 3t, with a stiffness k(t) between e^-2 and
 * e^7 in turn: the solution stays the unit circle. */
#ifndef DAE_PASS
#include <daelab/model.h>
#include <daelab/hybrid.h>

#include "support.h"

#include <math.h>

static void begin(const double *p, double *u) { u[0] = 1; }

static const dae_problem circle = {
    .name = "circle", .variables = "x y", .units = "- -", .start = {begin}, .t_end = 30,
    .first_order = {.n = 2, .rhs = DAE_MODEL(circle)}};

static double frequency, phase, worst;
static long changes;
static int within;
static dae_solver *solver;

static dae_status wave(void *context, double t, const double *u, double *g, dae_report *report)
{
    g[0] = u[0] - 0.9 * sin(frequency * t + phase);
    return DAE_OK;
}

/* In the step that changes the method, which counts as one before the observer has seen its end. */
static int note(void *context, double t, const double *u, const int *fired)
{
    if (dae_solver_statistics(solver).switches != changes) {
        within++;
        worst = fmax(worst, fmax(fabs(u[0] - cos(3 * t)), fabs(u[1] - sin(3 * t))));
    }
    return 0;
}

static int look(void *context, double t, const double *u)
{
    changes = dae_solver_statistics(solver).switches;
    return 0;
}

static void states_at_events(void **state)
{
    const dae_options options = tolerance(1e-8);
    const dae_direction any = DAE_ANY;
    const dae_watch watch = {.count = 1, .direction = &any, .values = wave, .happened = note};
    dae_system *sys;
    assert_int_equal(DAE_OK, dae_system_create(&sys, &circle, dae_find_formulation("native"), NULL,
                                               NULL, NULL));
    assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_find_method("auto"), &options,
                                               NULL));
    assert_int_equal(DAE_OK, dae_solver_watch(solver, &watch));
    dae_solver_observe(solver, look, NULL);
    for (frequency = 1; frequency < 12; frequency += 1)
        for (phase = 0; phase < 3; phase += 0.5) {
            double u[2] = {1, 0};
            changes = 0;
            assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
            assert_int_equal(DAE_OK, dae_solver_advance(solver, 30, u));
        }
    assert_true(within > 20);
    assert_close(worst, 0, 1e-5);
    dae_solver_free(solver);
    dae_system_free(sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_at_events)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
static void FN(circle)(const param *p, real t, const real *u, real *F)
{
    const real k = exp(4.5 * cos(0.5235987755982988 * t) + 2.5);
    F[0] = -3 * sin(3 * t) - k * (u[0] - cos(3 * t));
    F[1] = 3 * cos(3 * t) - k * (u[1] - sin(3 * t));
}
#endif
