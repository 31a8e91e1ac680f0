/* test_passage.c - events of several modes that are one passage: what happens in one mode has happened in the next
 *
 * A point moves freely; at t = 1, 3, ... where sin(pi t) falls through zero it is given 1 more, and goes from mode slow
 * to fast, or back; so it does at t = 1.5, without more, while sin(pi t) is below zero.
 */
#ifndef DAE_PASS
#include "support.h"

#include <daelab/hybrid.h>
#include <daelab/model.h>

#include <math.h>

#define CHANGE(to) {.name = "change", .value = DAE_MODEL(later), .direction = DAE_RISING, .mode = to, \
                    .passage = "change"}
#define TICK(to) {.name = "tick", .value = DAE_MODEL(wave), .direction = DAE_FALLING, .action = DAE_MODEL(push), \
                  .mode = to, .passage = "tick"}
static const dae_event slow_events[] = {TICK("fast"), {0}};
static const dae_event fast_events[] = {TICK("slow"), CHANGE("slow"), {0}};
static const dae_problem fast = {
    .name = "fast", .start = DAE_MODEL(start), .events = fast_events,
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)}};
static const dae_problem *const others[] = {&fast, NULL};
static const dae_problem pushed = {
    .name = "pushed", .start = DAE_MODEL(start), .t0 = 0, .t_end = 4.5, .events = slow_events, .mode = "slow",
    .modes = others, .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)}};

static void test_passage(void **state)
{
    (void)state;
    dae_hybrid *run;
    dae_report why = {0};
    const dae_options options = tolerance(1e-9);
    assert_int_equal(dae_hybrid_create(&run, &pushed, dae_find_formulation("index1"), NULL, NULL,
                                       dae_find_method("radau"), &options, &why), DAE_OK);
    assert_int_equal(dae_hybrid_start(run, 0, NULL), DAE_OK);
    if (dae_hybrid_advance(run, 4.5))
        fail_msg("%s", dae_hybrid_report(run)->message);
    const double times[] = {1, 1.5, 3}, speeds[] = {1, 1, 2};
    assert_int_equal(dae_hybrid_events(run), 3);
    for (int i = 0; i < 3; i++) {
        const dae_event_record e = dae_hybrid_event(run, i);
        assert_true(fabs(e.t - times[i]) < 1e-9);
        assert_true(fabs(e.after[1] - speeds[i]) < 1e-12);
        assert_int_equal(e.from, i % 2);
        assert_int_equal(e.to, 1 - i % 2);
    }
    dae_hybrid_free(run);
}

/* A passage is no guard: it does not happen where a run starts past zero. */
static void test_start(void **state)
{
    (void)state;
    dae_hybrid *run;
    dae_report why = {0};
    const dae_options options = tolerance(1e-9);
    const double x[] = {0, 0};
    assert_int_equal(dae_hybrid_create(&run, &pushed, dae_find_formulation("index1"), NULL, NULL,
                                       dae_find_method("radau"), &options, &why), DAE_OK);
    assert_int_equal(dae_hybrid_start_at(run, 0, 1.25, x), DAE_OK);
    assert_int_equal(dae_hybrid_advance(run, 2.9), DAE_OK);
    assert_int_equal(dae_hybrid_events(run), 0);
    dae_hybrid_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_passage), cmocka_unit_test(test_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void FN(start)(const param *p, real *u)
{
    u[0] = 0;
}

static real FN(wave)(const param *p, real t, const real *x, int k) { return sin(PI * t); }
static real FN(later)(const param *p, real t, const real *x, int k) { return t - 1.5; }

static int FN(push)(const param *p, real t, real *x, real *p_new, int k)
{
    x[1] += 1;
    return 0;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = a[0];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = 0;
}

#endif
