/* test_derived_modes.c - models in words that switch, against closed forms: contacts, strings and friction
 *
 * The texts are those of tests/models. Formulas stand with each test; g, m, ... are the parameters of the text.
 */
#include "derived.h"

static const double pi = 3.14159265358979323846;

typedef struct { const char *name; double value; } setting;

typedef struct {
    const dae_problem *problem;
    double p[MOST_PARAMETERS];
    dae_hybrid *hybrid;
    double x[64];               /* (q, v, lambda) at the end */
    dae_status status;
} derived_run;

static double of(const derived_run *r, const char *name)
{
    return r->p[dae_parameter_index(r->problem, name)];
}

static void set_all(derived_run *r, const setting *changed)
{
    default_parameters(r->problem, r->p);
    for (; changed && changed->name; changed++) {
        assert_true(dae_parameter_index(r->problem, changed->name) >= 0);
        r->p[dae_parameter_index(r->problem, changed->name)] = changed->value;
    }
}

static derived_run run_model_at(double rtol, const char *name, const setting *changed, const char *form, double t_end)
{
    derived_run r = {0};
    char path[512];
    dae_options options = tolerance(rtol);
    snprintf(path, sizeof path, "%s/tests/models/%s.yaml", DAELAB_SOURCE_DIR, name);
    r.problem = loaded_from(path);
    set_all(&r, changed);
    r.hybrid = hybrid_of(r.problem, form, r.p, dae_find_method("radau"), &options);
    r.status = dae_hybrid_start(r.hybrid, 0, NULL);
    if (!r.status)
        r.status = dae_hybrid_advance(r.hybrid, t_end > 0 ? t_end : r.problem->t_end);
    if (r.status != DAE_OK && r.status != DAE_EVENT)
        fail_msg("%s: %s", name, dae_hybrid_report(r.hybrid)->message);
    assert_int_equal(dae_hybrid_state(r.hybrid, dae_hybrid_time(r.hybrid), dae_hybrid_unknowns(r.hybrid), r.x), DAE_OK);
    return r;
}

static derived_run run_model(const char *name, const setting *changed, const char *form, double t_end)
{
    return run_model_at(1e-12, name, changed, form, t_end);
}

static void near_to(const char *what, double value, double wanted, double tol)
{
    if (!(fabs(value - wanted) <= tol * fmax(fabs(wanted), 1)))
        fail_msg("%s is %.17g, and should be %.17g (off by %.2g)", what, value, wanted, value - wanted);
}

/* Event i, which must have this name and lead to this mode. */
static dae_event_record event_is(const derived_run *r, int i, const char *name, const char *mode, double t, double tol)
{
    if (i >= dae_hybrid_events(r->hybrid))
        fail_msg("there is no event %d", i);
    const dae_event_record e = dae_hybrid_event(r->hybrid, i);
    assert_string_equal(e.name, name);
    assert_string_equal(dae_hybrid_mode_name(r->hybrid, e.to), mode);
    near_to(name, e.t, t, tol);
    return e;
}

static void ends_in(derived_run *r, const char *mode, int events)
{
    assert_string_equal(dae_hybrid_mode_name(r->hybrid, dae_hybrid_mode(r->hybrid)), mode);
    assert_int_equal(dae_hybrid_events(r->hybrid), events);
    dae_hybrid_free(r->hybrid);
}

/* ---- friction whose normal force is a reaction --------------------------------------------- */

/* Up: s = v0^2/(2 g (sin + motion cos)); it stays where tan(slope) < rest, else comes down. */
TEST(test_incline)
{
    derived_run r = run_model("incline", NULL, "index1", 0);
    const double s = sin(of(&r, "slope")), c = cos(of(&r, "slope")), g = of(&r, "g"), v0 = of(&r, "v0");
    const double slows = g * (s + of(&r, "motion") * c), top = v0 * v0 / (2 * slows);
    event_is(&r, 0, "stays", "contact_stays", v0 / slows, 1e-10);
    near_to("the way up", r.x[0], top, 1e-10);
    near_to("N", r.x[4], of(&r, "m") * g * c, 1e-10);
    near_to("F", r.x[5], of(&r, "m") * g * s, 1e-10);
    ends_in(&r, "contact_stays", 1);
    const setting smoother[] = {{"rest", 0.25}, {"motion", 0.2}, {NULL, 0}};
    r = run_model("incline", smoother, "index1", 0);
    const double up = g * (s + 0.2 * c), down = g * (s - 0.2 * c), t1 = v0 / up;
    event_is(&r, 0, "stays", "contact_stays", t1, 1e-10);
    event_is(&r, 1, "down", "contact_down", t1, 1e-10);
    near_to("s", r.x[0], v0 * v0 / (2 * up) - down * (3 - t1) * (3 - t1) / 2, 1e-10);
    ends_in(&r, "contact_down", 2);
}

/* It bounces for t1 (1 + e)/(1 - e), while what it has along the slope falls, slides on, and rests: in steps in
 * which the hits are followed by a turn of the sliding velocity. */
static void thrown(double rtol, double tol)
{
    derived_run r = run_model_at(rtol, "thrown", NULL, "index1", 0);
    const double tilt = of(&r, "tilt") * pi / 180, g = of(&r, "g"), e = of(&r, "e"), v = of(&r, "v");
    const double t1 = sqrt(2 * of(&r, "h") / (g * cos(tilt))), t = t1 * (1 + e) / (1 - e);
    const double left = v - g * sin(tilt) * t, slows = g * (sin(tilt) + of(&r, "mu") * cos(tilt));
    const int last = dae_hybrid_events(r.hybrid) - 1;
    event_is(&r, 0, "hits_N_on_forwards", "off", t1, tol);
    event_is(&r, 1, "hits_N_on_forwards", "off", t1 * (1 + 2 * e), tol);
    event_is(&r, last - 1, "hits_N_on_forwards", "on_forwards", t, tol);
    event_is(&r, last, "sticking", "on_sticking", t + left / slows, tol);
    near_to("s", r.x[0], v * t - g * sin(tilt) * t * t / 2 + left * left / (2 * slows), tol);
    near_to("n", r.x[1], 0, tol);
    ends_in(&r, "on_sticking", last + 1);
}

TEST(test_thrown)
{
    thrown(1e-12, 1e-9);
    thrown(1e-9, 1e-7);
    thrown(1e-6, 1e-4);
}

/* At the wall with sqrt(v0^2 - 2 mu g D), back with e times that, over its square / (2 mu g). */
TEST(test_way_back)
{
    derived_run r = run_model("wall", NULL, "index1", 0);
    const double slows = of(&r, "mu") * of(&r, "g"), v0 = of(&r, "v0"), D = of(&r, "D");
    const double hits = sqrt(v0 * v0 - 2 * slows * D), back = of(&r, "e") * hits, t1 = (v0 - hits) / slows;
    const dae_event_record wall = event_is(&r, 0, "wall", "with_N_backwards", t1, 1e-10);
    near_to("velocity behind the wall", wall.after[2], -back, 1e-10);
    event_is(&r, 1, "sticking", "with_N_sticking", t1 + back / slows, 1e-10);
    near_to("x", r.x[0], D - back * back / (2 * slows), 1e-10);
    ends_in(&r, "with_N_sticking", 2);
}

/* The edge keeps x' sin(phi) = y' cos(phi) through an impact, whose impulse N has a part of: u becomes -e u. With
 * phi = omega t it is at x = u0 sin(phi)/omega, y = u0 (1 - cos(phi))/omega until sin(phi) = omega D/u0. */
TEST(test_edge_at_wall)
{
    static const char *const forms[] = {"index1", "index2"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        derived_run r = run_model("edge_at_wall", NULL, forms[i], 0);
        const double u0 = of(&r, "u0"), w = of(&r, "omega"), D = of(&r, "D"), e = of(&r, "e");
        const double hits = asin(w * D / u0), ends = w * r.problem->t_end;
        const dae_event_record wall = event_is(&r, 0, "wall", "edge_at_wall", hits / w, 1e-10);
        near_to("vx behind the wall", wall.after[3], -e * u0 * cos(hits), 1e-10);
        near_to("vy behind the wall", wall.after[4], -e * u0 * sin(hits), 1e-10);
        near_to("x", r.x[0], D - e * u0 / w * (sin(ends) - sin(hits)), 1e-10);
        near_to("y", r.x[1], u0 / w * (1 - cos(hits) + e * (cos(ends) - cos(hits))), 1e-10);
        near_to("N", r.x[6], -of(&r, "m") * w * e * u0, 1e-9);
        ends_in(&r, "edge_at_wall", 1);
    }
}

/* N of a rod that slides, while it does not turn yet: from M a = f - G^T N - mu N d_q
 * N = m g/(1 + 3 sin(lean) (sin(lean) - mu cos(lean))), at the start. Where that denominator is negative the run
 * ends. */
TEST(test_rod_on_a_rough_floor)
{
    derived_run r = run_model("chalk", NULL, "index1", 1e-9);
    const double s = sin(of(&r, "lean")), c = cos(of(&r, "lean")), m = of(&r, "m"), g = of(&r, "g");
    near_to("N", r.x[6], m * g / (1 + 3 * s * (s - of(&r, "mu") * c)), 1e-6);
    ends_in(&r, "standing_forwards", 0);
    const setting rough[] = {{"mu", 2.5}, {"lean", 0.9}, {NULL, 0}};
    r = run_model("chalk", rough, "index1", 0);
    assert_true(1 + 3 * sin(0.9) * (sin(0.9) - 2.5 * cos(0.9)) < 0);
    assert_int_equal(r.status, DAE_EVENT);
    event_is(&r, 0, "jams_F", "standing_forwards", 0, 1e-10);
    ends_in(&r, "standing_forwards", 1);
}

/* The first zero of f in (a, b) */
static double zero(double (*f)(const double *p, double t), const double *p, double a, double b)
{
    for (int i = 0; i < 200; i++) {
        const double middle = (a + b) / 2;
        *(f(p, a) * f(p, middle) <= 0 ? &b : &a) = middle;
    }
    return a;
}

/* p = (A w, w, mu g, t1): velocity of the block less that of the belt, from t1 on */
static double sliding(const double *p, double t)
{
    return p[0] * cos(p[1] * p[3]) - p[2] * (t - p[3]) - p[0] * cos(p[1] * t);
}

/* It sticks until A w^2 |sin(w t)| = mu g, slides with mu g against it until velocities are equal. */
TEST(test_shaken_belt)
{
    derived_run r = run_model("shaken_belt", NULL, "index1", 1.1);
    const double A = of(&r, "A"), w = of(&r, "w"), slows = of(&r, "mu") * of(&r, "g");
    const double t1 = asin(slows / (A * w * w)) / w, p[] = {A * w, w, slows, t1};
    event_is(&r, 0, "forwards", "forwards", t1, 1e-10);
    const double t2 = zero(sliding, p, t1 + 0.1, 0.7);
    const dae_event_record caught = event_is(&r, 1, "sticking", "sticking", t2, 1e-9);
    near_to("x", caught.after[0], A * sin(w * t1) + A * w * cos(w * t1) * (t2 - t1) - slows * pow(t2 - t1, 2) / 2,
            1e-9);
    event_is(&r, 2, "backwards", "backwards", pi / w + t1, 1e-9);
    ends_in(&r, "backwards", 3);
}

/* Kicked along the floor while friction holds it, over v^2/(2 mu g); then upwards, for 4 v/g, and once only. */
TEST(test_kicks)
{
    derived_run r = run_model("kicked", NULL, "index1", 1.9);
    const double v = of(&r, "v"), g = of(&r, "g"), slows = of(&r, "mu") * g;
    const dae_event_record along = event_is(&r, 0, "along", "floor_forwards", 0.5, 1e-10);
    near_to("x'", along.after[2], v, 1e-12);
    event_is(&r, 1, "sticking", "floor_sticking", 0.5 + v / slows, 1e-10);
    const dae_event_record up = event_is(&r, 2, "up", "air", 1, 1e-10);
    near_to("x", up.after[0], v * v / (2 * slows), 1e-10);
    near_to("y'", up.after[3], 2 * v, 1e-12);
    near_to("landing", dae_hybrid_event(r.hybrid, 3).t, 1 + 4 * v / g, 1e-10);
    ends_in(&r, "floor_sticking", 5);
}

/* Friction gives no impulse: v^2 = v0^2 - 2 mu g d comes in, v (1 - e r) and v (1 + e) (1 - r) go out, r = m2/(m1 +
 * m2). */
TEST(test_struck)
{
    derived_run r = run_model("struck", NULL, "index1", 0);
    const double slows = of(&r, "mu") * of(&r, "g"), d = of(&r, "d"), e = of(&r, "e"), m1 = of(&r, "m1"),
        m2 = of(&r, "m2");
    const double v = sqrt(of(&r, "v0") * of(&r, "v0") - 2 * slows * d);
    const double first = (m1 - e * m2) / (m1 + m2) * v, second = (1 + e) * m1 / (m1 + m2) * v;
    const dae_event_record met = dae_hybrid_event(r.hybrid, 0);
    near_to("t", met.t, (of(&r, "v0") - v) / slows, 1e-10);
    near_to("x'", met.after[2], first, 1e-10);
    near_to("y'", met.after[3], second, 1e-10);
    near_to("x", r.x[0], d - first * first / (2 * slows), 1e-9);
    near_to("y", r.x[1], d + second * second / (2 * slows), 1e-9);
    ends_in(&r, "sticking_A_sticking_B", 3);
}

/* At rest at a0 it drags the cart along where tan or mu do not hold it: (M + m) x'' + m l phi'' cos = mu N,
 * x'' cos + l phi'' + g sin = 0, N = (M + m) g + m l phi'' sin at rest. */
TEST(test_dragging_cart)
{
    derived_run r = run_model("dragging_cart", NULL, "index1", 1e-4);
    const double M = of(&r, "M"), m = of(&r, "m"), l = of(&r, "l"), g = of(&r, "g"), mu = of(&r, "mu");
    const double s = sin(of(&r, "a0")), c = cos(of(&r, "a0"));
    /* phi'' = -(g s + c x'')/l in the first and third: x'' (M + m - m c^2 - mu m s c) = m g s c - mu ((M + m) g - m g
     * s^2) */
    const double drag = (m * g * s * c - mu * ((M + m) * g - m * g * s * s)) / (M + m - m * c * c - mu * m * s * c);
    event_is(&r, 0, "forwards", "with_N_forwards", 0, 0);
    near_to("x''", r.x[3] / 1e-4, drag, 1e-6);
    near_to("phi''", r.x[5] / 1e-4, -(g * s + c * drag) / l, 1e-6);
    near_to("N", r.x[6], (M + m) * g - m * s * (g * s + c * drag), 1e-6);
    ends_in(&r, "with_N_forwards", 1);
}

/* It never leaves the strings, however close to their corner the events come to each other. */
TEST(test_two_strings)
{
    const double rtol[] = {1e-6, 1e-8, 1e-10};
    for (int k = 0; k < 3; k++) {
        derived_run r = run_model_at(rtol[k], "two_strings", NULL, "index1", 1);
        near_to("x", r.x[0], 0, 1e-6);
        near_to("y", r.x[1], -0.8, 1e-6);
        dae_hybrid_free(r.hybrid);
    }
}

/* ---- contacts ------------------------------------------------------------------------------ */

/* theta'^2 = 3 g/l (cos(tilt) - cos(theta)) until cos(theta) = 2/3 cos(tilt); from there on x' stays. */
static void ladder_in(const char *form)
{
    derived_run r = run_model("leaning_ladder", NULL, form, 0);
    const double l = of(&r, "l"), g = of(&r, "g"), c = cos(of(&r, "tilt")), along = sqrt(g * l * c) * c / 3;
    const dae_event_record leaves = dae_hybrid_event(r.hybrid, 0), flat = dae_hybrid_event(r.hybrid, 1);
    assert_string_equal(leaves.name, "free");
    near_to("cos(theta)", cos(leaves.before[2]), 2 * c / 3, 1e-9);
    near_to("x'", leaves.after[3], along, 1e-9);
    near_to("x' at the end", flat.after[3], along, 1e-9);
    near_to("theta'", flat.measure, sqrt(6 / (l * l) * (g * l / 2 * c - along * along / 2)), 1e-9);
    ends_in(&r, "free", 2);
}

TEST(test_ladder_leaves_the_wall)
{
    ladder_in("index1");
    ladder_in("ggl");
}

/* It leaves the wall with velocities along it, that is with the third power of time, while the floor holds, and
 * meets it no more: what errors of a run make of either, dense output or projection is no impact. */
TEST(test_rubbing_ladder_leaves_once)
{
    double t = NAN;
    for (int k = 12; k >= 3; k--) {
        const double rtol = pow(10, -k);
        derived_run r = run_model_at(rtol, "rubbing_ladder", NULL, "index1", 0);
        const dae_event_record leaves = dae_hybrid_event(r.hybrid, 0);
        assert_string_equal(leaves.name, "clear");
        t = k == 12 ? leaves.t : t;
        near_to("t", leaves.t, t, 10 * rtol);
        ends_in(&r, "floor_clear_forwards", 1);
    }
}

TEST(test_bead_leaves_the_sphere)
{
    derived_run r = run_model("bead_on_sphere", NULL, "index1", 0);
    const dae_event_record leaves = dae_hybrid_event(r.hybrid, 0);
    const double R = of(&r, "R"), y = 2 * R / 3 * cos(of(&r, "tilt")), g = of(&r, "g");
    near_to("y", leaves.before[1], y, 1e-9);
    near_to("speed", hypot(leaves.after[2], leaves.after[3]), sqrt(2 * g * (R * cos(of(&r, "tilt")) - y)), 1e-9);
    near_to("distance behind", hypot(leaves.after[0], leaves.after[1]), R, 1e-15);
    ends_in(&r, "off", 1);
}

/* Parabolas, and sliding along the floor; in the corner N and W are the weight. */
TEST(test_corner)
{
    derived_run r = run_model("corner", NULL, "index1", 0);
    const double down = of(&r, "g") * cos(of(&r, "turned")), aside = of(&r, "g") * sin(of(&r, "turned"));
    event_is(&r, 0, "floor", "floor_beside", sqrt(2 * of(&r, "height") / down), 1e-10);
    event_is(&r, 1, "wall", "floor_wall", sqrt(2 * of(&r, "width") / aside), 1e-10);
    near_to("N", r.x[4], of(&r, "m") * down, 1e-10);
    near_to("W", r.x[5], of(&r, "m") * aside, 1e-10);
    for (int i = 0; i < 4; i++)
        near_to("x", r.x[i], 0, 1e-12);
    ends_in(&r, "floor_wall", 2);
}

/* Into the corner at once, where two constraints begin to act at the same time. */
TEST(test_both_at_once)
{
    const setting at_once[] = {{"width", 1}, {"height", 1}, {"turned", pi / 4}, {NULL, 0}};
    derived_run r = run_model("corner", at_once, "index1", 0);
    near_to("t", dae_hybrid_event(r.hybrid, 0).t, sqrt(2 / (9.81 * sqrt(0.5))), 1e-10);
    for (int i = 0; i < 4; i++)
        near_to("x", r.x[i], 0, 1e-9);
    ends_in(&r, "floor_wall", dae_hybrid_events(r.hybrid));
}

/* ---- strings ------------------------------------------------------------------------------- */

/* Taut where |(L/2 + u t, w t)| = L; then the masses turn with the relative angular momentum L w/2 about their
 * centre, which moves on, and S = mu omega^2 L/2 (g is twice the length). */
TEST(test_two_masses)
{
    derived_run r = run_model("two_masses", NULL, "index1", 0);
    const double L = of(&r, "L"), u = of(&r, "u"), w = of(&r, "w"), m1 = of(&r, "m1"), m2 = of(&r, "m2");
    const double b = u * L / 2, square = u * u + w * w, t = (sqrt(b * b + square * 3 * L * L / 4) - b) / square;
    event_is(&r, 0, "taut", "taut", t, 1e-10);
    const double omega = w / (2 * L), turned = atan2(w * t, L / 2 + u * t) + omega * (r.problem->t_end - t);
    near_to("x2 - x1", r.x[2] - r.x[0], L * cos(turned), 1e-9);
    near_to("y2 - y1", r.x[3] - r.x[1], L * sin(turned), 1e-9);
    near_to("centre", m1 * r.x[0] + m2 * r.x[2], m2 * (L / 2 + u * r.problem->t_end), 1e-9);
    near_to("S", r.x[8], m1 * m2 / (m1 + m2) * omega * omega * L / 2, 1e-9);
    ends_in(&r, "taut", 1);
}

/* Landed with v1, the other comes back with it after 2 v1/g, and both have m2/(m1 + m2) of it: for 2 v/a up and
 * down, a = g (m1 - m2)/(m1 + m2), and so on, at last both at rest with S = m2 g, N = (m1 - m2) g. Flights shorter than
 * sqrt(eps) are not seen in x. */
TEST(test_atwood)
{
    derived_run r = run_model("atwood", NULL, "index1", 0);
    const double m1 = of(&r, "m1"), m2 = of(&r, "m2"), g = of(&r, "g"), part = m2 / (m1 + m2);
    const double a = g * (m1 - m2) / (m1 + m2), t1 = sqrt(2 * of(&r, "H") / a), v1 = a * t1;
    event_is(&r, 0, "landed", "slack_landed", t1, 1e-10);
    const dae_event_record jerk = event_is(&r, 1, "taut", "taut_moving", t1 + 2 * v1 / g, 1e-10);
    near_to("x1'", jerk.after[2], -part * v1, 1e-9);
    near_to("x2'", jerk.after[3], part * v1, 1e-9);
    event_is(&r, 2, "landed", "slack_landed", t1 + 2 * v1 / g + 2 * part * v1 / a, 1e-9);
    const int events = dae_hybrid_events(r.hybrid);
    const double limit = t1 + v1 * (2 / g + 2 * part / a) / (1 - part);
    assert_true(event_is(&r, events - 1, "taut", "taut_landed", limit, 1e-6).accumulated);
    near_to("S", r.x[4], m2 * g, 1e-9);
    near_to("N", r.x[5], (m1 - m2) * g, 1e-9);
    ends_in(&r, "taut_landed", events);
}

/* Slack where 3 cos(theta) = 2 - v0^2/(g L); where it comes taut the radial velocity is turned by -e. */
TEST(test_jerked)
{
    derived_run r = run_model("jerked", NULL, "index1", 0);
    const double L = of(&r, "L"), g = of(&r, "g"), v0 = of(&r, "v0"), e = of(&r, "e");
    const dae_event_record slack = dae_hybrid_event(r.hybrid, 0), hit = dae_hybrid_event(r.hybrid, 1);
    assert_string_equal(slack.name, "slack");
    near_to("height", slack.before[1], -L * (2 - v0 * v0 / (g * L)) / 3, 1e-9);
    assert_string_equal(hit.name, "hits_S");
    const double *a = hit.before, *b = hit.after;
    near_to("distance", hypot(a[0], a[1]), L, 1e-9);
    near_to("radial velocity", b[0] * b[2] + b[1] * b[3], -e * (a[0] * a[2] + a[1] * a[3]), 1e-9);
    near_to("the other", b[0] * b[3] - b[1] * b[2], a[0] * a[3] - a[1] * a[2], 1e-9);
    const int events = dae_hybrid_events(r.hybrid);
    assert_true(dae_hybrid_event(r.hybrid, events - 1).accumulated);
    ends_in(&r, "taut", events);
    const setting plastic[] = {{"e", 0}, {NULL, 0}};
    r = run_model("jerked", plastic, "index1", 0);
    const dae_event_record first = event_is(&r, 1, "hits_S", "slack", dae_hybrid_event(r.hybrid, 1).t, 0);
    const dae_event_record last = event_is(&r, 2, "hits_S", "taut", first.t, 1e-12);
    assert_true(last.accumulated);
    near_to("radial velocity", last.after[0] * last.after[2] + last.after[1] * last.after[3], 0, 1e-12);
    dae_hybrid_free(r.hybrid);
}

/* ---- the start ----------------------------------------------------------------------------- */

/* A start below the floor ends the run at once, and says why. */
TEST(test_start_beyond)
{
    const setting below[] = {{"height", -0.1}, {NULL, 0}};
    derived_run r = run_model("corner", below, "index1", 0);
    assert_int_equal(r.status, DAE_EVENT);
    event_is(&r, 0, "beyond", "above_beside", 0, 0);
    assert_non_null(strstr(dae_hybrid_report(r.hybrid)->message, "the start lies beyond"));
    dae_hybrid_free(r.hybrid);
    const setting on[] = {{"height", 0}, {NULL, 0}};
    r = run_model("corner", on, "index1", 0);
    ends_in(&r, "floor_wall", 2);
}

int main(void) { return run_all(cli_begin, cli_end); }
