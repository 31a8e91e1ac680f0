/* test_string_pendulum.c - where the string goes slack and the bob meets the nail, against closed
 * forms; other starts: by how much it misses, where the string comes taut again, and the impulse */
#include "switching.h"

typedef long double real;

static const double L = 1.1, g = 10;

/* Of a start with v0 that goes slack: the angle, the state there, when, and the time of flight
 * until |r| = L again: |r|^2 - L^2 = s^3 (v.a) + s^4 g^2/4 with r.v = 0 and v^2 + r.a = 0. */
typedef struct {
    real theta, t, x[4], flight;
} going_slack;

/* t = int dtheta/omega, omega^2 = v0^2/L^2 - 2 (g/L) (1 - cos(theta)), by Simpson's rule */
static real time_to(real theta, real v0)
{
    enum { PARTS = 20000 };
    real sum = 0;
    for (int i = 0; i <= PARTS; i++) {
        const real c = cosl(theta * i / PARTS);
        const real omega = sqrtl(v0 * v0 / L - 2 * (real)g * (1 - c)) / sqrtl(L);
        sum += (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2) / omega;
    }
    return sum * theta / (3 * PARTS);
}

static going_slack slack_from(real v0)
{
    going_slack s;
    const real c = (2 * (real)g - v0 * v0 / L) / (3 * (real)g), speed = sqrtl(-(real)g * L * c);
    s.theta = acosl(c);
    s.t = time_to(s.theta, v0);
    s.x[0] = L * sinl(s.theta);
    s.x[1] = -L * c;
    s.x[2] = speed * c;
    s.x[3] = speed * sinl(s.theta);
    s.flight = 4 * s.x[3] / g;
    return s;
}

static void fly(const real *x, real s, real *out)
{
    out[0] = x[0] + x[2] * s;
    out[1] = x[1] + (x[3] - (real)g * s / 2) * s;
    out[2] = x[2];
    out[3] = x[3] - (real)g * s;
}

/* v - (r.v) r/L^2 */
static void impulse(real *x)
{
    const real outwards = (x[0] * x[2] + x[1] * x[3]) / ((real)L * L);
    x[2] -= outwards * x[0];
    x[3] -= outwards * x[1];
}

/* When a flight is nearest to the nail, r.v = 0 with r.v rising: by bisection. */
static real nearest(const going_slack *s)
{
    real x[4], early = s->flight / 100, late = s->flight;
    for (int k = 0; k < 200; k++) {
        const real middle = (early + late) / 2;
        fly(s->x, middle, x);
        if (x[0] * x[2] + x[1] * x[3] < 0)
            early = middle;
        else
            late = middle;
    }
    return late;
}

static void state_close(const char *run, const double *x, const real *expected, double tol)
{
    for (int k = 0; k < 4; k++)
        event_close(run, 0, "state", x[k], (double)expected[k], tol);
}

TEST(test_exact)
{
    const going_slack s = slack_from(sqrtl(g * L * (2 + sqrtl(3))));
    real x[4];
    assert_close((double)s.theta, 2.186276035465283960298786, 1e-15);
    assert_close((double)s.t, 0.5045385506662974569792907, 1e-14);
    assert_close((double)s.x[2], -1.454974565766916697822842, 1e-15);
    fly(s.x, sqrtl(2) * powl(3, 0.25L) * sqrtl((real)L / g), x);
    assert_close((double)x[0], 0, 1e-15);
    assert_close((double)x[1], 0, 1e-15);
    fly(s.x, s.flight, x);
    assert_close((double)hypotl(x[0], x[1]), L, 1e-15);
}

static void meets_the_nail_in(const char *form, const char *method, double tol)
{
    OWNED(dae_hybrid) *run = hybrid_run("string_pendulum", form, method, NULL, 1e-12, 2, DAE_EVENT);
    assert_int_equal(2, dae_hybrid_events(run));
    const dae_event_record slack = dae_hybrid_event(run, 0), nail = dae_hybrid_event(run, 1);
    assert_true(is_named(&slack, "slack"));
    assert_true(is_named(&nail, "nail"));
    event_close(method, 0, "angle", atan2(slack.before[0], -slack.before[1]),
                2.186276035465283960298786, tol);
    event_close(method, 0, "t", slack.t, 0.5045385506662974569792907, tol);
    event_close(method, 1, "t", nail.t, 1.121831979810940956460893, tol);
    event_close(method, 1, "speed", hypot(nail.before[2], nail.before[3]),
                4.364923697300750093468525, tol);
    event_close(method, 1, "measure", nail.measure, 0, tol);
    assert_string_equal("m", nail.unit);
    assert_string_equal("slack", dae_hybrid_mode_name(run, slack.to));
    assert_close(dae_hybrid_time(run), nail.t, 0);
}

static void meets_the_nail(const char *method)
{
    meets_the_nail_in("index1", method, 1e-9);
    meets_the_nail_in("ode", method, 1e-9);
}

TEST(test_nail)
{
    for_dae_methods(0, meets_the_nail);
}

TEST(test_formulations)
{
    static const char *const forms[] = {"baumgarte", "index2", "ggl", "index3"};
    for (int f = 0; f < 4; f++) {
        meets_the_nail_in(forms[f], "radau5", 1e-9);
        meets_the_nail_in(forms[f], "radau", 1e-9);
        if (f < 2)
            meets_the_nail_in(forms[f], "ida", 1e-9);
    }
}

/* At the default tolerance: the same two events, about where they are. */
static void rough_nail(const char *method)
{
    OWNED(dae_hybrid) *run = hybrid_run("string_pendulum", "index1", method, NULL,
                                               dae_default_options().rtol, 2, DAE_EVENT);
    assert_int_equal(2, dae_hybrid_events(run));
    const dae_event_record nail = dae_hybrid_event(run, 1);
    event_close(method, 1, "t", nail.t, 1.121831979810940956460893, 1e-3);
    assert_true(fabs(nail.measure) <= 1e-3);
}

TEST(test_default_tolerance)
{
    for_dae_methods(0, rough_nail);
}

/* Too slow by 0.1 m/s, it passes beside the nail and is caught on the other side. */
static void misses_the_nail(const char *method)
{
    double p[MOST_PARAMETERS], v0 = 6.307;
    real x[4];
    set_parameter_of("string_pendulum", "v0", v0, p);
    const going_slack s = slack_from(v0);
    const real passing = nearest(&s);
    OWNED(dae_hybrid) *run = hybrid_run("string_pendulum", "index1", method, p, 1e-12,
                                               (double)(s.t + s.flight) + 0.01, DAE_OK);
    assert_int_equal(3, dae_hybrid_events(run));
    const dae_event_record slack = dae_hybrid_event(run, 0), nail = dae_hybrid_event(run, 1);
    const dae_event_record taut = dae_hybrid_event(run, 2);
    event_close(method, 0, "t", slack.t, (double)s.t, 1e-9);
    fly(s.x, passing, x);
    assert_true(is_named(&nail, "nail"));
    event_close(method, 1, "t", nail.t, (double)(s.t + passing), 1e-9);
    event_close(method, 1, "measure", nail.measure, (double)hypotl(x[0], x[1]), 1e-9);
    assert_true(fabs(nail.measure) > 0.01);
    fly(s.x, s.flight, x);
    assert_true(is_named(&taut, "taut"));
    event_close(method, 2, "t", taut.t, (double)(s.t + s.flight), 1e-9);
    state_close(method, taut.before, x, 1e-8);
}

TEST(test_miss)
{
    for_dae_methods(0, misses_the_nail);
}

/* Slower: it goes slack above the horizontal and comes taut on the same side, with an impulse; what
 * swings on has the energy that is left. */
static void comes_taut(const char *method)
{
    double p[MOST_PARAMETERS], v0 = 5.5, now[5];
    real x[4];
    set_parameter_of("string_pendulum", "v0", v0, p);
    const going_slack s = slack_from(v0);
    const double end = (double)(s.t + s.flight) + 0.1;
    assert_true(s.x[0] + s.x[2] * s.flight > 0 && s.x[1] > 0);
    OWNED(dae_hybrid) *run = hybrid_run("string_pendulum", "index1", method, p, 1e-12, end, DAE_OK);
    assert_int_equal(3, dae_hybrid_events(run));
    const dae_event_record nail = dae_hybrid_event(run, 1), taut = dae_hybrid_event(run, 2);
    fly(s.x, nearest(&s), x);
    event_close(method, 1, "measure", nail.measure, (double)hypotl(x[0], x[1]), 1e-9);
    assert_true(is_named(&taut, "taut"));
    event_close(method, 2, "t", taut.t, (double)(s.t + s.flight), 1e-9);
    fly(s.x, s.flight, x);
    state_close(method, taut.before, x, 1e-8);
    const double before = (double)hypotl(x[2], x[3]);
    impulse(x);
    state_close(method, taut.after, x, 1e-8);
    assert_true((double)hypotl(x[2], x[3]) < 0.9 * before);
    assert_int_equal(DAE_OK, dae_hybrid_state(run, end, dae_hybrid_unknowns(run), now));
    const double energy = (double)((x[2] * x[2] + x[3] * x[3]) / 2 + (real)g * x[1]);
    event_close(method, 1, "energy", (now[2] * now[2] + now[3] * now[3]) / 2 + g * now[1], energy,
                1e-8);
    event_close(method, 1, "length", hypot(now[0], now[1]), L, 1e-9);
}

TEST(test_taut_again)
{
    for_dae_methods(0, comes_taut);
}
