/* test_first_step.c - options.first_step: the first step of every start, where the error test lets it pass */
#include "switching.h"

#include <math.h>
#include <stdlib.h>

typedef struct { double t[3]; int count; } first_times;

static int note(void *context, double t, const double *u)
{
    first_times *times = context;
    (void)u;
    if (times->count < 3)
        times->t[times->count++] = t;
    return 0;
}

static dae_solver *solver_of(dae_system *sys, const dae_method *method, double first, first_times *times)
{
    dae_options o = tolerance(1e-6);
    dae_solver *s;
    dae_report why = {0};
    o.first_step = first;
    if (dae_solver_create(&s, sys, method, &o, &why))
        fail_msg("%s", why.message);
    dae_solver_observe(s, note, times);
    return s;
}

/* The first of a run, and of the next; then the method chooses. */
static void check_small(dae_system *sys, const dae_method *method, const double *start)
{
    const char *name = dae_method_describe(method).name;
    const double first = 3.7e-5;
    double u[MOST_UNKNOWNS];
    first_times times = {.count = 0};
    dae_solver *s = solver_of(sys, method, first, &times);
    for (int k = 0; k < 2; k++) {
        times.count = 0;
        if (dae_solver_start(s, 0, start) || dae_solver_advance(s, 0.5, u))
            fail_msg("%s: %s", name, dae_solver_report(s)->message);
        if (!(fabs(times.t[0] - first) <= 1e-12 * first) || !(times.t[2] - times.t[1] > first))
            fail_msg("%s: steps to %.17g, .. %.17g, and first_step = %g", name, times.t[0], times.t[2],
                     first);
    }
    dae_solver_free(s);
}

/* One that is far too long is undone, and the end as good as without. */
static void check_long(dae_system *sys, const dae_method *method, const double *start)
{
    const char *name = dae_method_describe(method).name;
    double u[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
    first_times times = {.count = 0};
    const dae_options tight = tolerance(1e-11);
    memcpy(v, start, sizeof v);
    solve_to(sys, "radau", &tight, 2, v);
    dae_solver *s = solver_of(sys, method, 2, &times);
    if (dae_solver_start(s, 0, start) || dae_solver_advance(s, 2, u))
        fail_msg("%s: %s", name, dae_solver_report(s)->message);
    if (!(times.t[0] < 1.9) || !(distance(u, v, 4) < 1e-2))
        fail_msg("%s: a first step of %g, and off by %g at the end", name, times.t[0], distance(u, v, 4));
    dae_solver_free(s);
}

static void test_methods(void **state)
{
    int methods = 0;
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        double start[MOST_UNKNOWNS];
        if (!dae_method_describe(dae_method_at(m)).adaptive)
            continue;
        dae_system *sys = system_at_start("pendulum", "index1", 0, start);
        if (method_solves(sys, dae_method_at(m))) {
            check_small(sys, dae_method_at(m), start);
            check_long(sys, dae_method_at(m), start);
            methods++;
        }
        dae_system_free(sys);
        sys = system_at_start("kepler", "native", 0, start);
        if (method_solves(sys, dae_method_at(m)))
            check_small(sys, dae_method_at(m), start);
        dae_system_free(sys);
    }
    assert_true(methods >= 8);
}

/* ---- after events ---- */

typedef struct { double t, shortest; int after; } event_times;

/* The first step behind each event. */
static int look(void *context, dae_hybrid *run)
{
    event_times *seen = context;
    const double t = dae_hybrid_time(run), h = t - seen->t;
    if (seen->after && h > 0) {
        seen->shortest = fmin(seen->shortest, h);
        seen->after = 0;
    }
    seen->after |= seen->t == t && dae_hybrid_events(run) > 0;
    seen->t = t;
    return 0;
}

static double after_event(const char *method, double first)
{
    dae_hybrid *run;
    event_times seen = {.shortest = INFINITY};
    dae_options o = tolerance(1e-6);
    o.first_step = first;
    assert_int_equal(dae_hybrid_create(&run, problem_named("bouncing_ball"), dae_find_formulation("index1"), NULL,
                                       NULL, dae_find_method(method), &o, NULL), DAE_OK);
    dae_hybrid_observe(run, look, &seen);
    if (dae_hybrid_start(run, 0, NULL) || dae_hybrid_advance(run, 0.6))
        fail_msg("%s: %s", method, dae_hybrid_report(run)->message);
    assert_int_equal(dae_hybrid_events(run), 1);
    dae_hybrid_free(run);
    return seen.shortest;
}

static void test_events(void **state)
{
    static const char *const methods[] = {"dopri5", "dop853", "radau", "cros", "excros", "auto", "rodas4"};
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const double h = after_event(methods[i], 2e-7);
        if (!(fabs(h - 2e-7) < 1e-14))
            fail_msg("%s: a step of %.17g after an event, and first_step = 2e-7", methods[i], h);
    }
}

/* One that t has no digits for is made longer. */
static void test_far_from_zero(void **state)
{
    double u[MOST_UNKNOWNS];
    first_times times = {.count = 0};
    dae_system *sys = system_at_start("kepler", "native", 0, u);
    dae_solver *s = solver_of(sys, dae_find_method("dopri5"), 1e-14, &times);
    (void)state;
    assert_int_equal(dae_solver_start(s, 1e6, u), DAE_OK);
    assert_int_equal(dae_solver_advance(s, 1e6 + 1, u), DAE_OK);
    assert_true(times.t[0] > 1e6 && times.t[0] < 1e6 + 1e-7);
    dae_solver_free(s);
    dae_system_free(sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods), cmocka_unit_test(test_events), cmocka_unit_test(test_far_from_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
