/* test_event_reference.c - references through events, against closed forms in quad precision */
#include "testing.h"

#include "switching.h"

#include <daelab/event_reference.h>
#include <daelab/constants.h>
#include <daelab/problem.h>


static dae_event_reference solve(const char *problem, const double *p, const double *times, int count)
{
    dae_event_reference r;
    dae_report why = {0};
    if (dae_event_reference_solve(&r, problem_named(problem), p, NULL, times, count, NULL, &why))
        fail_msg("%s: %s", problem, why.message);
    if (!(r.digits >= 20))
        fail_msg("%s: %.1f digits", problem, r.digits);
    return r;
}

static void refuse(const char *problem, const double *p, double t_end, dae_status wanted, const char *words)
{
    dae_event_reference r;
    dae_report why = {0};
    const dae_status status = dae_event_reference_solve(&r, problem_named(problem), p, NULL, &t_end, 1, NULL, &why);
    if (status != wanted || !strstr(why.message, words))
        fail_msg("%s: %s: %s", problem, dae_status_name(status), why.message);
    assert_null(r.event);
}

/* |x - y| <= 1e-(digits) scale */
static void near(const char *what, int k, dae_quad x, dae_quad y, dae_quad scale)
{
    if (!(dae_quad_fabs(x - y) <= 1e-24 * dae_quad_fabs(scale)))
        fail_msg("%s %d: %.17g is off by %.3g", what, k, (double)x, (double)(x - y));
}

/* ---- bouncing_ball: hit n at T (1 + 2 (e + ... + e^(n-1))), and e^n sqrt(2 g h) behind it -- */

TEST(test_bounces)
{
    double p[MOST_PARAMETERS];
    const double e = 0.8, times[] = {0.1, 1, 3};
    set_parameter_of("bouncing_ball", "e", e, p);
    OWNED(dae_event_reference) r = solve("bouncing_ball", p, times, 3);
    const dae_quad g = p[1], T = dae_quad_sqrt(2 / g);
    dae_quad t = T, speed = dae_quad_sqrt(2 * g);
    assert_true(r.events >= 6);
    assert_int_equal(r.ended, 0);
    assert_int_equal(r.count, 3);
    for (int k = 0; k < r.events; k++) {
        assert_string_equal(r.event[k].name, "floor");
        assert_int_equal(r.event[k].direction, -1);
        near("hit", k, r.event[k].t, t, T);
        near("speed before hit", k, r.event[k].before[1], -speed, speed);
        speed *= e;
        near("speed after hit", k, r.event[k].after[1], speed, speed);
        if (k + 1 == r.events) {                /* a parabola from the last hit to the last time */
            const dae_quad s = 3 - t;
            near("height", k, r.x[2 * r.width], speed * s - g * s * s / 2, 1);
            near("speed", k, r.x[2 * r.width + 1], speed - g * s, 1);
        }
        t += 2 * speed / g;
    }
    assert_true(t > 3);
    near("height", 0, r.x[0], 1 - g * (dae_quad)0.1 * 0.1 / 2, 1);
}

TEST(test_accumulation)
{
    refuse("bouncing_ball", NULL, 2, DAE_ACCUMULATION, "events accumulate at t = 1.354570");
}

/* ---- string_pendulum: slack where T is 0, with the energy of the start; then a parabola ----- */

TEST(test_string)
{
    double p[MOST_PARAMETERS];
    const double t_end = 2;
    set_parameter_of("string_pendulum", NULL, 0, p);
    OWNED(dae_event_reference) r = solve("string_pendulum", NULL, &t_end, 1);
    const dae_quad m = p[0], L = p[1], g = p[2], v0 = p[3];
    assert_int_equal(r.events, 2);
    assert_int_equal(r.ended, 1);
    assert_int_equal(r.count, 0);
    const dae_reference_event *slack = &r.event[0], *nail = &r.event[1];
    assert_string_equal(slack->name, "slack");
    assert_string_equal(nail->name, "nail");
    assert_close((double)slack->t, 0.504538550666297457, 1e-15);
    assert_close((double)nail->t, 1.12183197981094096, 1e-15);
    const dae_quad *x = slack->after, *z = nail->before, s = nail->t - slack->t;
    const dae_quad v2 = x[2] * x[2] + x[3] * x[3];
    near("tension", 0, slack->before[4], 0, m * g);
    near("length", 0, dae_quad_hypot(x[0], x[1]), L, L);
    near("energy", 0, v2 / 2 + g * x[1], v0 * v0 / 2 - g * L, v0 * v0);
    near("height where it is slack", 0, x[1], v2 / g, L);       /* T = 0 */
    near("x of flight", 0, z[0], x[0] + s * x[2], L);
    near("y of flight", 0, z[1], x[1] + s * x[3] - g * s * s / 2, L);
    near("nearest to the nail", 0, z[0] * z[2] + z[1] * z[3], 0, L * v0);
    assert_int_equal(slack->to, nail->from);
}

/* ---- friction_block: stick and slip, of a period in closed form ------------------------------ */

TEST(test_period)
{
    double p[MOST_PARAMETERS];
    const double times[] = {24.9};
    set_parameter_of("friction_block", NULL, 0, p);
    OWNED(dae_event_reference) r = solve("friction_block", NULL, times, 1);
    const dae_quad m = p[0], k = p[1], w = dae_quad_sqrt(k / m), vb = p[5];
    const dae_quad A = ((dae_quad)p[3] - p[4]) * m * p[2] / k;
    const dae_quad period = (2 * DAE_PI_QUAD - 2 * dae_quad_atan2(A * w, vb)) / w + 2 * A / vb;
    assert_true(r.events >= 20);
    for (int i = 1; i + 2 < r.events; i++) {
        assert_string_equal(r.event[i].name, i % 2 ? "sticks" : "slips_back");
        near("period", i, r.event[i + 2].t - r.event[i].t, period, period);
    }
    near("velocity of the belt", 0, r.event[1].after[1], vb, vb);
}

/* ---- friction_pendulum: energy is lost by a law in closed form; at rest the guards of stick decide at once */

TEST(test_turns)
{
    double p[MOST_PARAMETERS];
    const double t_end = 10;
    set_parameter_of("friction_pendulum", NULL, 0, p);
    OWNED(dae_event_reference) r = solve("friction_pendulum", NULL, &t_end, 1);
    const dae_quad L = p[1], rho = (dae_quad)p[5] * p[3] / L, w2 = p[2] / L;
    dae_quad theta = p[6], y = (dae_quad)p[7] * p[7];
    int turns = 0;
    for (int k = 0; k < r.events; k++) {
        const dae_reference_event *e = &r.event[k];
        if (strcmp(e->name, "turns") != 0)
            continue;
        const dae_quad s = turns % 2 ? -1 : 1, d = 1 + 4 * rho * rho;
        const dae_quad a = w2 * (2 - 4 * rho * rho) / d, b = -6 * s * rho * w2 / d;
        const dae_quad C = (y - a * dae_quad_cos(theta) - b * dae_quad_sin(theta)) * dae_quad_exp(2 * s * rho * theta);
        theta = e->before[0];
        near("omega^2", k,
             a * dae_quad_cos(theta) + b * dae_quad_sin(theta) + C * dae_quad_exp(-2 * s * rho * theta), 0, w2);
        near("omega", k, e->after[1], 0, 1);
        y = 0;
        turns++;
        if (k + 1 < r.events && r.event[k + 1].direction == 0)          /* at once */
            near("time", k, r.event[k + 1].t, e->t, 1e-6);
    }
    assert_true(turns >= 3);
    near("at rest", 0, r.x[0], theta, 1);
    assert_int_equal(r.mode[0], r.event[r.events - 1].to);
}
