/* test_modes.c - what follows from an event: jumps, modes, guards, parameters, failures */
#ifndef DAE_PASS
enum { G, X0, Y0, VX0, VY0 };
#include <daelab/model.h>

#include "glide.h"
#include "support.h"

static double x_wall(const double *p, double t, const double *x, int k) { return x[0] - 1; }
static double y_wall(const double *p, double t, const double *x, int k) { return x[1] - 1; }
static double height(const double *p, double t, const double *x, int k) { return x[1]; }
static double position(const double *p, double t, const double *x, int k) { return x[0]; }
static double speed(const double *p, double t, const double *x, int k) { return fabs(x[3]) - 0.75; }
static double root(const double *p, double t, const double *x, int k) { return sqrt(1 - x[0]) + 1; }
static double always(const double *p, double t, const double *x, int k) { return -1; }
static int turn_x(const double *p, double t, double *x, double *p_new, int k) { x[2] = -x[2]; return 0; }
static int turn_y(const double *p, double t, double *x, double *p_new, int k) { x[3] = -x[3]; return 0; }
static int halve_y(const double *p, double t, double *x, double *p_new, int k) { x[3] *= -0.5; return 0; }
static int back(const double *p, double t, double *x, double *p_new, int k) { x[0] = 0.5; return 0; }
static int forth(const double *p, double t, double *x, double *p_new, int k) { x[0] = 1.5; return 0; }
static int flip_gravity(const double *p, double t, double *x, double *p_new, int k)
{
    p_new[G] = -p[G];
    return 0;
}
static int spoil(const double *p, double t, double *x, double *p_new, int k) { p_new[G] = NAN; return 0; }
static int off_circle(const double *p, double t, double *x, double *p_new, int k) { x[0] += 1; return 0; }
static int stop_fast(const double *p, double t, double *x, double *p_new, int k) { return x[2] > 0.5; }

static const dae_event floor_event[] = {
    {.name = "floor", .value = {height}, .direction = DAE_FALLING, .action = {turn_y}}, {0}};

/* ---- what follows from an event ----------------------------------------------------------- */

TEST(a_jump_stops)
{
    static const dae_event events[] = {
        {.name = "floor", .value = {height}, .direction = DAE_FALLING, .action = {halve_y}},
        {.name = "slow", .title = "it is slow", .value = {speed}, .direction = DAE_FALLING,
         .terminal = 1}, {0}};
    const dae_problem p = with(events, 0, 1, 0, -1);
    EACH_METHOD(m) {
        assert_int_equal(run(&p, "native", m, 1e-6, 5), DAE_EVENT);
        event_is(0, "floor", 1, 1e-12);
        event_is(1, "slow", 1, 1e-12);
        assert_int_equal(dae_hybrid_event(hybrid, 1).direction, 0);
        message_has("slow: it is slow");
        assert_int_equal(dae_hybrid_advance(hybrid, 2), DAE_OK);        /* it may go on */
        assert_close(dae_hybrid_unknowns(hybrid)[1], 0.5, 1e-9);
        end();
    }
}

TEST(a_mode_without_exit)
{
    static const dae_event events[] = {
        {.name = "hold", .value = {x_wall}, .direction = DAE_RISING, .mode = "rest"}, {0}};
    const dae_problem p = with(events, 0, 0, 1, 1);
    EACH_METHOD(m) {
        assert_int_equal(run(&p, "native", m, 1e-6, 10), DAE_OK);
        assert_int_equal(dae_hybrid_mode(hybrid), 1);
        assert_string_equal(dae_hybrid_mode_name(hybrid, 1), "rest");
        const dae_event_record r = dae_hybrid_event(hybrid, 0);
        assert_int_equal(r.from, 0);
        assert_int_equal(r.to, 1);
        assert_close(dae_hybrid_time(hybrid), 10, 0);
        assert_close(dae_hybrid_unknowns(hybrid)[1], 1, 1e-9);
        end();
    }
}

TEST(a_guard_on_entry)
{
    static const dae_event events[] = {
        {.name = "beyond", .value = {always}, .direction = DAE_FALLING, .mode = "rest"}, {0}};
    const dae_problem p = with(events, 0, 0, 1, 1);
    assert_int_equal(run(&p, "native", "dopri5", 1e-6, 1), DAE_OK);
    event_is(0, "beyond", 0, 0);
    assert_int_equal(dae_hybrid_mode(hybrid), 1);
    end();
}

static int stop_y(const double *p, double t, double *x, double *p_new, int k) { x[3] = 0; return 0; }
static int thousandth_y(const double *p, double t, double *x, double *p_new, int k)
{
    x[3] *= -1e-3;
    return 0;
}

/* Dropped from 5 m at g = 10: after 1 s on the floor, at (1 + e)/(1 - e) s at rest there. */
TEST(a_plastic_impact)
{
    static const dae_event events[2][2] = {
        {{.name = "floor", .value = {height}, .direction = DAE_FALLING, .action = {stop_y},
          .limit = "rest"}, {0}},
        {{.name = "floor", .value = {height}, .direction = DAE_FALLING, .action = {thousandth_y},
          .limit = "rest"}, {0}}};
    for (int k = 0; k < 2; k++) {
        dae_problem p = with(events[k], 0, 5, 1, 0);
        const double t = k ? 1.001 / 0.999 : 1;
        p.parameters[G].value = 10;
        EACH_METHOD(m) {
            if (strcmp(m, "euler") == 0)
                continue;                                   /* order 1 takes a million steps */
            if (run(&p, "native", m, 1e-8, 4))
                fail_msg("%s: %s", m, dae_hybrid_report(hybrid)->message);
            assert_int_equal(dae_hybrid_mode(hybrid), 1);
            const int last = dae_hybrid_events(hybrid) - 1;
            event_is(last, "floor", t, 1e-6);
            assert_int_equal(dae_hybrid_event(hybrid, last).accumulated, 1);
            assert_close(dae_hybrid_unknowns(hybrid)[0], t, 1e-6);
            assert_close(dae_hybrid_unknowns(hybrid)[1], 0, 1e-6);
            end();
        }
    }
}

TEST(its_own_reverse)
{
    static const dae_event events[] = {
        {.name = "back", .value = {x_wall}, .direction = DAE_RISING, .action = {back}},
        {.name = "forth", .value = {x_wall}, .direction = DAE_FALLING, .action = {forth}}, {0}};
    const dae_problem p = with(events, 0, 0, 1, 1);
    assert_int_equal(run(&p, "native", "dopri5", 1e-6, 5), DAE_MAX_EVENTS);
    assert_close(dae_hybrid_time(hybrid), 1, 1e-12);
    message_has("without time going on");
    end();
}

TEST(parameters_change)
{
    static const dae_event flip[] = {
        {.name = "flip", .value = {y_wall}, .direction = DAE_ANY, .action = {flip_gravity}}, {0}};
    dae_problem p = with(flip, 0, 0, 0, sqrt(40));      /* y = 1 at v = sqrt(20), then g = -10 */
    p.parameters[G].value = 10;
    EACH_METHOD(m) {
        if (strcmp(m, "euler") == 0)
            continue;                                   /* order 1 takes a million steps */
        assert_int_equal(run(&p, "native", m, 1e-9, 1), DAE_OK);
        const double t = (sqrt(40) - sqrt(20)) / 10, rest_of = 1 - t;
        assert_int_equal(dae_hybrid_events(hybrid), 1);
        event_is(0, "flip", t, 1e-7);
        assert_close(dae_hybrid_parameters(hybrid)[G], -10, 0);
        assert_close(dae_hybrid_unknowns(hybrid)[1],
                     1 + sqrt(20) * rest_of + 5 * rest_of * rest_of, 1e-6);
        end();
    }
    static const dae_event bad[] = {
        {.name = "spoil", .value = {y_wall}, .direction = DAE_ANY, .action = {spoil}}, {0}};
    const dae_problem q = with(bad, 0, 0, 1, 1);
    assert_int_equal(run(&q, "native", "dopri5", 1e-6, 2), DAE_BAD_ARGUMENT);
    message_has("parameter g");
    end();
}

TEST(an_action_that_stops)
{
    static const dae_event events[] = {
        {.name = "look", .value = {x_wall}, .direction = DAE_RISING, .action = {stop_fast}}, {0}};
    const dae_problem fast = with(events, 0, 0, 1, 0), slow = with(events, 0, 0, 0.25, 0);
    assert_int_equal(run(&fast, "native", "radau5", 1e-6, 5), DAE_EVENT);
    assert_close(dae_hybrid_time(hybrid), 1, 1e-12);
    end();
    assert_int_equal(run(&slow, "native", "radau5", 1e-6, 5), DAE_OK);
    event_is(0, "look", 4, 1e-12);
    end();
}

/* ---- failures ----------------------------------------------------------------------------- */

TEST(a_function_without_value)
{
    static const dae_event events[] = {
        {.name = "root", .value = {root}, .direction = DAE_FALLING}, {0}};
    const dae_problem inside = with(events, 0, 0, 1, 1), outside = with(events, 2, 0, 1, 1);
    EACH_METHOD(m) {
        assert_int_equal(run(&inside, "native", m, 1e-6, 5), DAE_NOT_FINITE);
        message_has("event root has no finite value");
        end();
        assert_int_equal(run(&outside, "native", m, 1e-6, 5), DAE_NOT_FINITE);
        message_has("event root has no finite value");
        end();
    }
}

TEST(a_reset_off_the_constraints)
{
    static const dae_event events[] = {
        {.name = "bottom", .value = {position}, .direction = DAE_FALLING, .action = {off_circle}}, {0}};
    dae_problem p = *problem_named("pendulum");
    p.events = events;
    assert_int_equal(run(&p, "index1", "radau5", 1e-6, 2), DAE_INCONSISTENT);
    message_has("after bottom the state violates the constraints");
    end();
}

TEST(too_many)
{
    static const dae_event ends[] = {
        {.name = "right", .value = {x_wall}, .direction = DAE_RISING, .action = {turn_x}},
        {.name = "left", .value = {position}, .direction = DAE_FALLING, .action = {turn_x}}, {0}};
    const dae_problem p = with(ends, 0.5, 0, 1, 0);
    dae_options options = tolerance(1e-6);
    options.max_events = 3;
    begin(&p, "native", "dopri5", &options);
    assert_int_equal(dae_hybrid_start(hybrid, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_advance(hybrid, 10), DAE_MAX_EVENTS);
    assert_int_equal(dae_hybrid_events(hybrid), 3);
    end();
}

static dae_status refused(const dae_problem *p)
{
    const dae_options options = tolerance(1e-6);
    return dae_hybrid_create(&hybrid, p, dae_find_formulation("native"), NULL, NULL,
                             dae_find_method("dopri5"), &options, &why);
}

TEST(bad_records)
{
    static const dae_event nowhere[] = {{.name = "lost", .value = {height}, .mode = "limbo"}, {0}};
    static const dae_event blind[] = {{.name = "blind"}, {0}};
    static const dae_problem short_state = {
        .name = "short", .first_order = {.n = 2, .rhs = DAE_MODEL(spring)}, .start = {spring_start}};
    static const dae_problem *const shorter[] = {&short_state, NULL};
    dae_problem p = with(nowhere, 0, 0, 1, 1);
    assert_int_equal(refused(&p), DAE_BAD_ARGUMENT);
    assert_non_null(strstr(why.message, "unknown mode limbo"));
    p = with(blind, 0, 0, 1, 1);
    assert_int_equal(refused(&p), DAE_BAD_ARGUMENT);
    p = with(floor_event, 0, 0, 1, 1);
    p.modes = shorter;
    assert_int_equal(refused(&p), DAE_BAD_ARGUMENT);
    assert_non_null(strstr(why.message, "state of 2"));
    static const dae_problem nameless = {.first_order = {.n = 4, .rhs = DAE_MODEL(rest)}};
    static const dae_problem *const others[] = {&nameless, NULL};
    p.modes = others;
    assert_int_equal(refused(&p), DAE_BAD_ARGUMENT);
    assert_non_null(strstr(why.message, "mode 2 has no name"));
    p.mode = NULL;
    assert_int_equal(refused(&p), DAE_BAD_ARGUMENT);
    assert_non_null(strstr(why.message, "first mode has no name"));
    assert_null(hybrid);
}

/* ---- one passage in several modes ------------------------------------------------------------- */

/* Events of several modes that are one passage: what happens in one mode has happened in the next
 *
 * A point moves freely; at t = 1, 3, ... where sin(pi t) falls through zero it is given 1 more, and goes from mode slow
 * to fast, or back; so it does at t = 1.5, without more, while sin(pi t) is below zero.
 */

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

TEST(test_passage)
{
    const dae_options options = tolerance(1e-9);
    OWNED(dae_hybrid) *run = started_hybrid(&pushed, "index1", NULL, dae_find_method("radau"), &options);
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
}

/* A passage is no guard: it does not happen where a run starts past zero. */
TEST(test_start)
{
    const dae_options options = tolerance(1e-9);
    const double x[] = {0, 0};
    OWNED(dae_hybrid) *run = hybrid_of(&pushed, "index1", NULL, dae_find_method("radau"), &options);
    assert_int_equal(dae_hybrid_start_at(run, 0, 1.25, x), DAE_OK);
    assert_int_equal(dae_hybrid_advance(run, 2.9), DAE_OK);
    assert_int_equal(dae_hybrid_events(run), 0);
}

#else
#include "glide.h"

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
