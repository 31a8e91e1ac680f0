/* test_friction.c - stick and slip: the period of the block on the belt, and the turning angles of
 * the pendulum with a rough pivot, against closed forms */
#include "switching.h"

typedef long double real;

/* ---- the block: m = 1, k = 10, g = 9.81 --------------------------------------------------- */

static const double vb = 0.2;

/* xe and A of a block that sticks up to mu_s = 0.4 and slips with mu_k */
typedef struct { real xe, A, w; } cycle;
static cycle cycle_of(real mu_k)
{
    return (cycle){mu_k * 0.981L, (0.4L - mu_k) * 0.981L, sqrtl(10)};
}

static real slip_time(cycle c) { return (2 * acosl(-1) - 2 * atanl(c.A * c.w / vb)) / c.w; }

TEST(test_period)
{
    const cycle c = cycle_of(0.3L);
    assert_close((double)(slip_time(c) + 2 * c.A / vb), 2.33663058948005572, 1e-15);
}

/* Two events in each of 20 periods, at their times and places. */
static void sticks_and_slips(const char *method)
{
    enum { PERIODS = 20 };
    const cycle c = cycle_of(0.3L);
    const real slip = slip_time(c), stuck = 2 * c.A / vb, period = slip + stuck;
    OWNED(dae_hybrid) *run = hybrid_run("friction_block", "index1", method, NULL, 1e-12,
                                               (double)(PERIODS * period) + 0.1, DAE_OK);
    assert_int_equal(2 * PERIODS, dae_hybrid_events(run));
    for (int i = 0; i < 2 * PERIODS; i++) {
        const dae_event_record event = dae_hybrid_event(run, i);
        assert_true(is_named(&event, i % 2 ? "sticks" : "slips_back"));
        event_close(method, i, "t", event.t,
                    (double)(period * (i / 2) + stuck + (i % 2 ? slip : 0)), 1e-8);
        event_close(method, i, "x", event.after[0], (double)(c.xe + (i % 2 ? -c.A : c.A)), 1e-8);
        event_close(method, i, "v", event.after[1], vb, 1e-9);
        if (i >= 2)
            event_close(method, i, "period", event.t - dae_hybrid_event(run, i - 2).t,
                        (double)period, 1e-8);
    }
}

TEST(test_limit_cycle)
{
    for_dae_methods(0, sticks_and_slips);
}

/* At the default tolerance no more events than analysed either. */
static void no_chattering(const char *method)
{
    enum { PERIODS = 40 };
    const cycle c = cycle_of(0.3L);
    const real period = slip_time(c) + 2 * c.A / vb;
    OWNED(dae_hybrid) *run = hybrid_run("friction_block", "index1", method, NULL,
                                               dae_default_options().rtol, (double)(PERIODS * period) + 0.2,
                                               DAE_OK);
    assert_int_equal(2 * PERIODS, dae_hybrid_events(run));
}

TEST(test_no_chattering)
{
    for_dae_methods(1, no_chattering);
}

TEST(test_formulations)
{
    static const char *const forms[] = {"baumgarte", "index2", "ggl", "index3"};
    const cycle c = cycle_of(0.3L);
    const double stuck = (double)(2 * c.A / vb), slip = (double)slip_time(c);
    for (int f = 0; f < 4; f++) {
        OWNED(dae_hybrid) *run = hybrid_run("friction_block", forms[f], "radau5", NULL, 1e-10, 24, DAE_OK);
        assert_int_equal(20, dae_hybrid_events(run));
        event_close(forms[f], 19, "t", dae_hybrid_event(run, 19).t, 10 * (stuck + slip), 1e-7);
    }
}

/* The offset that the belt has left is a parameter that the run changes. */
TEST(test_parameter)
{
    const int offset = dae_parameter_index(problem_named("friction_block"), "offset");
    OWNED(dae_hybrid) *run = hybrid_run("friction_block", "index1", "dopri5", NULL, 1e-12, 2.5, DAE_OK);
    const dae_event_record sticks = dae_hybrid_event(run, 1);
    assert_close(dae_hybrid_parameters(run)[offset], sticks.after[0] - vb * sticks.t, 1e-15);
    assert_close(problem_named("friction_block")->parameters[offset].value, 0.1962, 0);
}

/* Thrown along the belt, faster than it, with the spring pressed: x = -xe + a cos(w s) + b sin(w s)
 * until x' = vb; then it sticks, and is carried to xe + A. */
static void slips_ahead(const char *method)
{
    const cycle c = cycle_of(0.3L);
    const real x0 = -0.2L, v0 = 0.5L, a = x0 + c.xe, b = v0 / c.w;
    const real s = (acosl(vb / (c.w * hypotl(a, b))) - atan2l(a, b)) / c.w;
    const real x1 = -c.xe + a * cosl(c.w * s) + b * sinl(c.w * s);
    const double start[2] = {(double)x0, (double)v0};
    OWNED(dae_hybrid) *run = hybrid_named("friction_block", "index1", method, NULL, 1e-12);
    assert_close((double)(c.w * (b * cosl(c.w * s) - a * sinl(c.w * s))), vb, 1e-15);
    assert_string_equal("slip_ahead", dae_hybrid_mode_name(run, 2));
    assert_int_equal(DAE_OK, dae_hybrid_start_at(run, 2, 0, start));
    assert_int_equal(DAE_OK, dae_hybrid_advance(run, 4));
    assert_true(dae_hybrid_events(run) >= 2);
    const dae_event_record sticks = dae_hybrid_event(run, 0), slips = dae_hybrid_event(run, 1);
    event_close(method, 0, "t", sticks.t, (double)s, 1e-9);
    event_close(method, 0, "x", sticks.after[0], (double)x1, 1e-9);
    assert_true(is_named(&sticks, "sticks"));
    assert_true(is_named(&slips, "slips_back"));
    event_close(method, 1, "t", slips.t, (double)(s + (c.xe + c.A - x1) / vb), 1e-8);
}

TEST(test_ahead)
{
    for_dae_methods(0, slips_ahead);
}

/* ---- the pendulum: m = L = 1, g = 9.81, r = 0.2 ------------------------------------------- */

static const real w2 = 9.81L, rest = 0.08L;             /* g/L, mu_s r/L */

/* omega^2 at theta, from `from` where it is y0; s = 1 forwards, -1 backwards */
static real square(real theta, real from, real y0, int s, real rho)
{
    const real a = w2 * (2 - 4 * rho * rho) / (1 + 4 * rho * rho);
    const real b = -6 * s * rho * w2 / (1 + 4 * rho * rho);
    const real C = y0 - a * cosl(from) - b * sinl(from);
    return a * cosl(theta) + b * sinl(theta) + C * expl(-2 * s * rho * (theta - from));
}

/* The next zero of omega^2: by bisection on the side beyond where it is largest. */
static real turning_angle(real from, real y0, int s, real rho)
{
    real inside = from, outside = from;
    while (outside == from || square(outside, from, y0, s, rho) > 0) {
        inside = outside;
        outside += s * 0.001L;
    }
    for (int i = 0; i < 80; i++) {
        const real middle = (inside + outside) / 2;
        if (square(middle, from, y0, s, rho) > 0)
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

/* d(omega^2)/dtheta by differences is what the equations of motion say. */
TEST(test_square)
{
    const real rho = 0.06L, d = 1e-5L;
    for (int s = -1; s <= 1; s += 2) {
        assert_close((double)square(0.7L, 0.7L, 3, s, rho), 3, 1e-15);
        const real slope = (square(0.5L + d, 0.7L, 3, s, rho) - square(0.5L - d, 0.7L, 3, s, rho))
                           / (2 * d);
        const real load = square(0.5L, 0.7L, 3, s, rho) + w2 * cosl(0.5L);
        assert_close((double)slope, (double)(-2 * w2 * sinl(0.5L) - 2 * s * rho * load), 1e-8);
    }
}

/* Every turn at its angle; it goes on at once where gravity overcomes friction, and else stays. */
static void swings(const char *method)
{
    OWNED(dae_hybrid) *run = hybrid_run("friction_pendulum", "index1", method, NULL, 1e-12, 10, DAE_OK);
    const int events = dae_hybrid_events(run);
    real from = 0, y0 = 16;
    int s = 1, i = 0;
    for (;; s = -s, y0 = 0) {
        from = turning_angle(from, y0, s, 0.06L);
        if (i >= events)
            fail_msg("%s: only %d events", method, events);
        const dae_event_record turns = dae_hybrid_event(run, i);
        assert_true(is_named(&turns, "turns"));
        event_close(method, i++, "theta", turns.after[0], (double)from, 1e-9);
        if (fabsl(tanl(from)) <= rest)
            break;
        const dae_event_record goes = dae_hybrid_event(run, i++);
        assert_true(is_named(&goes, s > 0 ? "swings_back" : "swings_ahead"));
        event_close(method, i, "t", goes.t, turns.t, 0);
    }
    assert_true(i >= 9);                                /* four swings go on */
    assert_int_equal(i, events);
    assert_string_equal("stick", dae_hybrid_mode_name(run, dae_hybrid_mode(run)));
    event_close(method, i, "t", dae_hybrid_time(run), 10, 0);
    double x[3];
    assert_int_equal(DAE_OK, dae_hybrid_state(run, 10, dae_hybrid_unknowns(run), x));
    event_close(method, i, "theta", x[0], (double)from, 1e-9);
    event_close(method, i, "omega", x[1], 0, 1e-12);
    event_close(method, i, "T", x[2], 9.81 * sin((double)from), 1e-8);
}

TEST(test_pendulum)
{
    for_dae_methods(0, swings);
}
