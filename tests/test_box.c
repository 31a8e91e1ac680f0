/* test_box.c - the point in the box against its exact parabolas: the first 20 events, where the
 * hits of the floor accumulate, the stop by a jump; two walls hit at once */
#include "switching.h"

typedef long double real;

/* A hit: when, which wall, and the state x y vx vy after it. */
typedef struct {
    real t;
    const char *wall;
    real x[4];
} hit;

static const double xmin = -2, xmax = 5, ymin = -2, ymax = 2, g = 9.807, e = 0.9;

/* The next hit after h: between walls x is linear and y a parabola in t. */
static hit next_hit(hit h)
{
    real *x = h.x;
    const real side = ((x[2] > 0 ? xmax : xmin) - x[0]) / x[2];
    const real down = (x[3] + sqrtl(x[3] * x[3] + 2 * (real)g * (x[1] - ymin))) / g;
    const real high = ymax - x[1], rest = x[3] * x[3] - 2 * (real)g * high;
    const real up = x[3] > 0 && rest > 0 ? 2 * high / (x[3] + sqrtl(rest)) : INFINITY;
    const real s = fminl(side, fminl(down, up));
    h.wall = s == side ? x[2] > 0 ? "right" : "left" : s == down ? "floor" : "ceiling";
    h.t += s;
    x[0] += x[2] * s;
    x[1] += (x[3] - (real)g * s / 2) * s;
    x[3] -= (real)g * s;
    if (s == side) {
        x[0] = x[2] > 0 ? xmax : xmin;
        x[2] *= -(real)e;
    } else {
        x[1] = s == down ? ymin : ymax;
        x[3] *= -(real)e;
    }
    return h;
}

static hit first_hit(void)
{
    const real v = 5 * sqrtl(2);
    return next_hit((hit){.x = {0, 0, v, v}});
}

/* t, x, y, vx, vy after the hits, computed with 60 digits. */
static const struct { double t, x[4]; } published[] = {
    {0.386356204334508288,
     {2.731950920384262, 2.0, 7.0710678118654752, -2.9538652643612572}},
    {0.707106781186547524,
     {5.0, 0.54806935974950911, -6.3639610306789277, -6.099466171549206}},
    {1.03724113366074658,
     {2.8990378459657758, -2.0, -6.3639610306789277, 8.4033843896373085}},
    {1.80705066303228812,
     {-2.0, 1.563158372219518, 5.7275649276110349, 0.85386233509060061}},
    {2.7509934309254164,
     {3.4064934910567653, -2.0, 5.7275649276110349, 7.5630459506735777}},
    {3.02921053174977767,
     {5.0, -0.27538549928179369, -5.1548084348499315, 4.8345708428890668}},
    {4.29337049846361925,
     {-1.5165024594161192, -2.0, -5.1548084348499315, 6.8067413556062199}},
    {4.38716594143587716,
     {-2.0, -1.4046976380008298, 4.6393275913649383, 5.8868894463772865}},
    {5.68150985924800181,
     {4.0048854506211819, -2.0, 4.6393275913649383, 6.1260672200455979}},
    {5.89600528553154327,
     {5.0, -0.91158823989546267, -4.1753948322284445, 4.0225105744829068}},
    {6.93083528395394612,
     {0.67917617235212982, -2.0, -4.1753948322284445, 5.5134604980410381}},
    {7.57249344563783895,
     {-2.0, -0.48113757313003021, 3.7578553490056, -0.7792810935928989}},
    {8.05522816618929599,
     {-0.1859527482249836, -2.0, 3.7578553490056, 4.9621144482369343}},
    {9.06718176020111088,
     {3.6168224779777563, -2.0, 3.7578553490056, 4.4659030034132409}},
    {9.43525806797816748,
     {5.0, -1.0205339171016737, -3.38206981410504, 0.85617865304364678}},
    {9.97793999481174428,
     {3.1646118365958, -2.0, -3.38206981410504, 4.0193127030719168}},
    {10.7976224059613143,
     {0.39238869669400259, -2.0, -3.38206981410504, 3.6173814327647251}},
    {11.5049965372451992,
     {-2.0, -1.8947622669284223, 3.043862832694536, -3.3198366727363336}},
    {11.5353365759959274,
     {-1.9076490837041464, -2.0, 3.043862832694536, 3.2556432894882526}},
    {12.1992793290270791,
     {0.11330158528426386, -2.0, 3.043862832694536, 2.9300789605394273}},
};

enum { HITS = sizeof published / sizeof *published };
static const double after_hits = 12.3;

TEST(test_exact)
{
    hit h = first_hit();
    for (int i = 0; i < HITS; i++, h = next_hit(h)) {
        assert_close((double)h.t, published[i].t, 4e-15);
        for (int k = 0; k < 4; k++)
            assert_close((double)h.x[k], published[i].x[k], 1e-13);
    }
}

static void compare_hits(const char *method, double tol, double time_error, double state_error)
{
    OWNED(dae_hybrid) *run = hybrid_run("box", "index1", method, NULL, tol, after_hits, DAE_OK);
    hit h = first_hit();
    for (int i = 0; i < HITS; i++, h = next_hit(h)) {
        if (i >= dae_hybrid_events(run))
            fail_msg("%s: only %d events", method, i);
        const dae_event_record event = dae_hybrid_event(run, i);
        if (!is_named(&event, h.wall))
            fail_msg("%s: event %d is %s at %.17g, expected %s at %.17Lg", method, i + 1,
                     event.name, event.t, h.wall, h.t);
        event_close(method, i, "t", event.t, (double)h.t, time_error);
        for (int k = 0; k < 4; k++)
            event_close(method, i, "x", event.after[k], (double)h.x[k], state_error);
        assert_int_equal(-1, event.direction);
        assert_int_equal(0, event.to);
    }
    assert_int_equal(HITS, dae_hybrid_events(run));
}

static void exact_hits(const char *method) { compare_hits(method, 1e-12, 1e-10, 1e-9); }

TEST(test_twenty_events)
{
    for_dae_methods(0, exact_hits);
}

/* At the default tolerance: the same walls in the same order, about where they are. */
static void rough_hits(const char *method)
{
    compare_hits(method, dae_default_options().rtol, 0.05, 0.5);
}

TEST(test_none_is_missed)
{
    for_dae_methods(1, rough_hits);
}

/* Where the hits of the floor accumulate: 2 w/(g (1 - e)) after event 3, w its rebound speed. */
static real accumulation(real *x)
{
    hit h = next_hit(next_hit(first_hit()));
    memset(x, 0, 4 * sizeof *x);
    const real t = h.t + 2 * h.x[3] / ((real)g * (1 - (real)e));
    for (; h.t < t - 1e-7L; h = next_hit(h)) {
        x[0] = h.x[0] + h.x[2] * (t - h.t);
        x[2] = h.x[2];
    }
    x[1] = ymin;
    x[3] = 0;
    return t;
}

static void slides_on(const char *method)
{
    real x[4];
    const real t = accumulation(x);
    assert_close((double)t, 18.1747641063074448627, 1e-14);
    assert_close((double)x[0], 2.474504661005764825740308, 1e-13);
    OWNED(dae_hybrid) *run = hybrid_run("box", "index1", method, NULL, 1e-12, 19, DAE_OK);
    const int last = dae_hybrid_events(run) - 1;
    const dae_event_record event = dae_hybrid_event(run, last);
    assert_true(is_named(&event, "floor"));
    assert_true(event.accumulated);
    event_close(method, last, "t", event.t, (double)t, 1e-9);
    for (int k = 0; k < 4; k++)
        event_close(method, last, "x", event.after[k], (double)x[k], 1e-8);
    assert_string_equal("sliding", dae_hybrid_mode_name(run, event.to));
    assert_int_equal(event.to, dae_hybrid_mode(run));
    double now[5];
    assert_int_equal(DAE_OK, dae_hybrid_state(run, dae_hybrid_time(run), dae_hybrid_unknowns(run),
                                              now));
    assert_close(now[4], g, 1e-9);                      /* N = m g */
    assert_close(now[0], (double)(x[0] + x[2] * (19 - t)), 1e-8);
}

TEST(test_accumulation)
{
    for_dae_methods(0, slides_on);
}

/* 5/v + (7/v) sum e^-k, the speed 10/sqrt(2) e^41 after it */
static void stops_by_a_jump(const char *method)
{
    OWNED(dae_hybrid) *run = hybrid_run("box", "index1", method, NULL, 1e-12, 700, DAE_EVENT);
    const real v = 5 * sqrtl(2);
    real t = 5 / v;
    for (int k = 1; k <= 40; k++)
        t += 7 / (v * powl(e, k));
    assert_close((double)t, 660.5575162201011296492536, 1e-11);
    int sides = 0;
    const int events = dae_hybrid_events(run);
    for (int i = 0; i < events; i++) {
        const dae_event_record event = dae_hybrid_event(run, i);
        sides += is_named(&event, "left") || is_named(&event, "right");
    }
    assert_int_equal(41, sides);
    const dae_event_record stop = dae_hybrid_event(run, events - 1);
    const dae_event_record wall = dae_hybrid_event(run, events - 2);
    assert_true(is_named(&stop, "stop"));
    assert_true(is_named(&wall, "right"));
    assert_int_equal(0, stop.direction);
    event_close(method, events - 1, "t", stop.t, (double)t, 1e-7);
    assert_close(wall.before[2], 0.104516625598129632, 1e-9);
    assert_close(stop.after[2], -0.094064963038316669, 1e-9);
    assert_close(dae_hybrid_time(run), stop.t, 0);
}

TEST(test_stop)
{
    for_dae_methods(0, stops_by_a_jump);
}

/* Without gravity along the diagonal of a square: every hit is one of two walls at once. */
static void hits_corners(const char *method)
{
    double p[MOST_PARAMETERS];
    static const char *const names[] = {"xmin", "xmax", "ymin", "ymax"};
    const dae_problem *box = problem_named("box");
    set_parameter_of("box", "g", 0, p);
    for (int i = 0; i < 4; i++)
        p[dae_parameter_index(box, names[i])] = i % 2 ? 2 : -2;
    OWNED(dae_hybrid) *run = hybrid_run("box", "index1", method, p, 1e-10, 2, DAE_OK);
    const double v = 5 * sqrt(2);
    double t = 2 / v, speed = v;
    assert_int_equal(6, dae_hybrid_events(run));
    for (int i = 0; i < 6; i += 2) {
        const dae_event_record one = dae_hybrid_event(run, i), two = dae_hybrid_event(run, i + 1);
        const int right = is_named(&one, "right") || is_named(&two, "right");
        const int left = is_named(&one, "left") || is_named(&two, "left");
        speed *= -e;
        event_close(method, i, "t", one.t, t, 1e-9);
        event_close(method, i + 1, "t", two.t, t, 1e-9);
        assert_int_equal(i % 4 == 0, right);
        assert_int_equal(i % 4 != 0, left);
        for (int k = 2; k < 4; k++)
            event_close(method, i + 1, "v", two.after[k], speed, 1e-9);
        t += 4 / fabs(speed);
    }
}

TEST(test_corner)
{
    for_dae_methods(0, hits_corners);
}

/* However late the limit is taken, with flights down to rounding, the end is that of the box. */
static void takes_the_limit_late(const char *method)
{
    const double parts[] = {1e-7, 1e-12, 0};
    for (int k = 0; k < 6; k++) {
        dae_options options = tolerance(k % 2 ? 1e-6 : 1e-12);
        options.accumulation = parts[k / 2];
        OWNED(dae_hybrid) *run = started_hybrid(problem_named("box"), "index1", NULL, dae_find_method(method),
                                                 &options);
        if (dae_hybrid_advance(run, 700) != DAE_EVENT)
            fail_msg("%s, accumulation %g: %s", method, options.accumulation,
                     dae_hybrid_report(run)->message);
        assert_close(dae_hybrid_time(run), 660.5575162201, 1e-6);
    }
}

TEST(test_late_limits)
{
    for_dae_methods(0, takes_the_limit_late);
}

/* A hit of the side 1e-4 s before the limit is not jumped over. */
TEST(test_hit_before_the_limit)
{
    double p[MOST_PARAMETERS];
    static const char *const methods[] = {"dopri5", "radau", "ida"};
    set_parameter_of("box", "xmax", 4.6319356432717225, p);
    for (int k = 0; k < 3; k++) {
        OWNED(dae_hybrid) *run = hybrid_run("box", "index1", methods[k], p, 1e-9, 700, DAE_EVENT);
        const double *u = dae_hybrid_unknowns(run);
        assert_true(u[0] < 4.64 && u[0] > -2.01);
        assert_close(u[1], -2, 1e-9);
    }
}

/* A first step behind each bounce is a guess; where it was too short the next one makes up for it. With
 * growth by 5 it took 392, 454 and 569 steps. */
TEST(test_steps_between_events)
{
    static const char *const methods[] = {"rodas5p", "rodas4", "cros4"};
    static const long most[] = {355, 410, 520};
    for (int k = 0; k < 3; k++) {
        OWNED(dae_hybrid) *run = hybrid_run("box", "index2", methods[k], NULL, 1e-6, 700, DAE_EVENT);
        if (dae_hybrid_statistics(run).steps > most[k])
            fail_msg("%s: %ld steps", methods[k], dae_hybrid_statistics(run).steps);
        assert_close(dae_hybrid_time(run), 660.55751622, 1e-4);
    }
}
