/* test_event_reference_models.c - references through events of models that have their first run here
 *
 *   charger    C u' = i,  0 = (V - u) - R i   until u = high, then 0 = -u - R i until u = low, and so on: a DAE, in
 *              nanofarads and microseconds, by collocation
 *   throw      y' = v, v' = -g,  and a ceiling: reached twice, never, or touched
 */
#ifndef DAE_PASS
#include "support.h"

#include <daelab/event_reference.h>

enum { C, R, V, LOW, HIGH };
enum { G, CEILING, APART };
#include <daelab/model.h>

#include <math.h>
#include <string.h>

static const dae_event full[] = {
    {.name = "full", .value = DAE_MODEL(too_much), .direction = DAE_RISING, .mode = "discharge"}, {0}};
static const dae_event empty[] = {
    {.name = "empty", .value = DAE_MODEL(too_little), .direction = DAE_FALLING, .mode = "charge"}, {0}};
static const dae_problem discharge = {
    .name = "discharge", .start = DAE_MODEL(start_charger), .events = empty,
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(discharging)}};
static const dae_problem *const others[] = {&discharge, NULL};
static const dae_problem charger = {
    .name = "charger", .mode = "charge", .modes = others, .events = full, .start = DAE_MODEL(start_charger),
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(charging)},
    .variables = "u i", .units = "V A", .t0 = 0, .t_end = 1e-4,
    .parameters = {{"C", 1e-9, "F", "capacitor", DAE_POSITIVE}, {"R", 1e4, "Ohm", "resistor", DAE_POSITIVE},
                   {"V", 5e-3, "V", "supply", DAE_POSITIVE}, {"low", 1e-3, "V", "", DAE_POSITIVE},
                   {"high", 4e-3, "V", "", DAE_POSITIVE}}};

#define CEILING_EVENT(id, function) {.name = id, .value = DAE_MODEL(function), .direction = DAE_ANY}
static const dae_event touches[] = {CEILING_EVENT("ceiling", over), {0}};
static const dae_event doubled[] = {CEILING_EVENT("ceiling", over), CEILING_EVENT("same", over), {0}};
static const dae_event close_by[] = {CEILING_EVENT("ceiling", over), CEILING_EVENT("next", over_next), {0}};
#define THROW(id, list)                                                                                         \
    {.name = id, .events = list, .start = DAE_MODEL(start_throw), .t0 = 0, .t_end = 3,                          \
     .first_order = {.n = 2, .rhs = DAE_MODEL(thrown)},                                                         \
     .parameters = {{"g", 0.5, "-", "gravity", DAE_POSITIVE}, {"ceiling", 1, "-", "its height", DAE_POSITIVE},  \
                    {"apart", 0, "-", "of the next event", DAE_ANY_VALUE}}}
static const dae_problem throw = THROW("throw", touches), throw_doubled = THROW("doubled", doubled),
                         throw_close = THROW("close", close_by);

static dae_status solve(dae_event_reference *r, const dae_problem *problem, const double *p, double t_end,
                        dae_report *why)
{
    *why = (dae_report){0};
    return dae_event_reference_solve(r, problem, p, NULL, &t_end, 1, NULL, why);
}

static void is_near(dae_quad x, dae_quad y, dae_quad scale)
{
    if (!(dae_quad_fabs(x - y) <= 1e-19 * dae_quad_fabs(scale)))
        fail_msg("%.17g is off by %.3g", (double)x, (double)(x - y));
}

TEST(test_charger)
{
    OWNED(dae_event_reference) r = {0};
    dae_report why;
    if (solve(&r, &charger, NULL, 1e-4, &why))
        fail_msg("%s", why.message);
    assert_true(r.digits >= 18);
    assert_true(r.events >= 6);
    const dae_quad tau = (dae_quad)1e-9 * 1e4, v = 5e-3, low = 1e-3, high = 4e-3;
    const dae_quad up = tau * dae_quad_log((v - low) / (v - high)), down = tau * dae_quad_log(high / low);
    dae_quad t = tau * dae_quad_log(v / (v - high));
    for (int k = 0; k < r.events; k++) {
        const int rises = k % 2 == 0;
        const dae_quad u = rises ? high : low, *after = r.event[k].after, *before = r.event[k].before;
        is_near(r.event[k].t, t, tau);
        is_near(after[0], u, v);
        is_near(before[1], ((rises ? v : 0) - u) / 1e4, v / 1e4);
        is_near(after[1], ((rises ? 0 : v) - u) / 1e4, v / 1e4);
        assert_int_equal(r.event[k].to, rises);
        t += rises ? down : up;
    }
}

/* y = t - t^2/4: the ceiling at t = 2 (1 -+ sqrt(1 - h)) */
TEST(test_throw)
{
    for (int k = 0; k < 4; k++) {
        OWNED(dae_event_reference) r = {0};
        dae_report why;
        const double h[] = {0.5, 0.7, 1 - 1e-6, 1 + 1e-6}, p[] = {0.5, h[k], 0};
        const dae_quad root = k < 3 ? dae_quad_sqrt(1 - (dae_quad)h[k]) : 0;
        const int twice = k < 3 && 2 * (1 + root) < 3;
        if (solve(&r, &throw, p, 3, &why))
            fail_msg("h = %.9g: %s", h[k], why.message);
        assert_int_equal(r.events, k == 3 ? 0 : twice ? 2 : 1);
        for (int i = 0; i < r.events; i++)
            is_near(r.event[i].t, 2 * (1 + (i ? root : -root)), 1);
        is_near(r.x[0], 3 - (dae_quad)9 / 4, 1);
    }
}

static void refuse(const dae_problem *problem, const double *p, const char *words)
{
    dae_event_reference r;
    dae_report why;
    const dae_status status = solve(&r, problem, p, 3, &why);
    if (status != DAE_NO_CONVERGENCE || !strstr(why.message, words))
        fail_msg("%s: %s: %s", problem->name, dae_status_name(status), why.message);
}

TEST(test_what_rounding_decides)
{
    const double touching[] = {0.5, 1, 0}, almost[] = {0.5, 1 + 1e-15, 0}, near_by[] = {0.5, 0.5, 1e-18};
    refuse(&throw, touching, "ceiling");
    refuse(&throw, almost, "ceiling");
    refuse(&throw_close, near_by, "which is the first");
}

TEST(test_together)
{
    const double p[] = {0.5, 0.5, 0};
    OWNED(dae_event_reference) r = {0};
    dae_report why;
    if (solve(&r, &throw_doubled, p, 2, &why))
        fail_msg("%s", why.message);
    assert_int_equal(r.events, 2);
    assert_string_equal(r.event[0].name, "ceiling");
    assert_string_equal(r.event[1].name, "same");
    assert_true(r.event[0].t == r.event[1].t);
    is_near(r.event[0].t, 2 - dae_quad_sqrt(2), 1);
}

/* Told of each step; the run that is told to stop at its n-th call does. */
static int stop_at;

static int count_down(void *context, double t)
{
    return ++*(int *)context >= stop_at;
}

TEST(test_watch)
{
    const double t_end = 2e-5;
    OWNED(dae_event_reference) r = {0};
    dae_report why = {0};
    int told = 0;
    const dae_reference_watch watch = {count_down, &told};
    stop_at = 1000000;
    assert_int_equal(DAE_OK, dae_event_reference_solve(&r, &charger, NULL, NULL, &t_end, 1, &watch, &why));
    dae_event_reference_free(&r);
    const int all = told, places[] = {1, all / 2, all - 1};
    assert_true(all > 10);
    for (int k = 0; k < 3; k++) {
        told = 0;
        stop_at = places[k];
        assert_int_equal(DAE_STOPPED, dae_event_reference_solve(&r, &charger, NULL, NULL, &t_end, 1, &watch, &why));
        assert_null(r.event);
    }
}

TEST(test_bad_arguments)
{
    dae_event_reference r;
    dae_report why = {0};
    const double times[] = {1, 1};
    assert_int_equal(DAE_BAD_ARGUMENT, dae_event_reference_solve(&r, &throw, NULL, NULL, times, 2, NULL, &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_event_reference_solve(&r, &throw, NULL, NULL, times, 0, NULL, &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_event_reference_solve(&r, NULL, NULL, NULL, times, 1, NULL, &why));
    const double at_event = 2 - sqrt(2), p[] = {0.5, 0.5, 0}, both[] = {at_event, 2};
    assert_int_equal(DAE_UNSUPPORTED, dae_event_reference_solve(&r, &throw, p, NULL, both, 2, NULL, &why));
    assert_non_null(strstr(why.message, "two states"));
}

#else

static void FN(start_charger)(const param *p, real *u)
{
    u[0] = (real){0};
    u[1] = p[V] / p[R];
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = p[C] * x[0];
    out[1] = (real){0};
}

static void FN(charging)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = p[V] - u[0] - p[R] * u[1];
}

static void FN(discharging)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -u[0] - p[R] * u[1];
}

static real FN(too_much)(const param *p, real t, const real *u, int k) { return u[0] - p[HIGH]; }
static real FN(too_little)(const param *p, real t, const real *u, int k) { return u[0] - p[LOW]; }

static void FN(start_throw)(const param *p, real *u) { u[1] = 1; }

static void FN(thrown)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -p[G];
}

static real FN(over)(const param *p, real t, const real *u, int k) { return u[0] - p[CEILING]; }
static real FN(over_next)(const param *p, real t, const real *u, int k)
{
    return u[0] - (p[CEILING] + p[APART]);
}

#endif
