/* test_derived_events.c - models in words switch when the problems that were written by hand do, and closed forms say
 *
 * Events, the modes that they enter, and the states there, of the string (in polar coordinates, against Cartesian
 * ones), the pendulum with friction, the block on the belt and the point in the box.
 */
#include "run/setting.h"
#include "derived.h"

static const char *const method = "radau";

static dae_hybrid *run_to(const dae_problem *problem, double rtol, double t_end, dae_status end)
{
    const dae_options options = tolerance(rtol);
    dae_hybrid *run = hybrid_of(problem, "index1", NULL, dae_find_method(method), &options);
    dae_status status = hybrid_to(run, t_end);
    if (status != end)
        fail_msg("%s ended with %s at t = %.17g: %s", problem->name, dae_status_name(status), dae_hybrid_time(run),
                 dae_hybrid_report(run)->message);
    return run;
}

static void event_close(int i, const char *what, double x, double y, double tol)
{
    if (!(fabs(x - y) <= tol))
        fail_msg("event %d: %s = %.17g, expected %.17g to %g (off by %.2g)", i + 1, what, x, y, tol, x - y);
}

/* The same events at the same times, in the same modes, with the same states; of names of their own. */
static void same_events(dae_hybrid *words, dae_hybrid *by_hand, int most, double tol)
{
    const int count = dae_hybrid_events(by_hand), n = dae_hybrid_state_size(by_hand);
    assert_int_equal(dae_hybrid_state_size(words), n);
    if (most > count)
        assert_int_equal(dae_hybrid_events(words), count);
    assert_true(dae_hybrid_events(words) >= (most < count ? most : count));
    for (int i = 0; i < count && i < most; i++) {
        const dae_event_record a = dae_hybrid_event(words, i), b = dae_hybrid_event(by_hand, i);
        event_close(i, "t", a.t, b.t, tol);
        assert_int_equal(a.accumulated, b.accumulated);
        if (dae_hybrid_modes(by_hand) > 1)
            assert_string_equal(dae_hybrid_mode_name(words, a.to), dae_hybrid_mode_name(by_hand, b.to));
        for (int k = 0; k < n; k++)
            event_close(i, "state", a.after[k], b.after[k], tol);
    }
}

static void compare(const char *name, const char *by_hand, double t_end, dae_status end, int least)
{
    dae_hybrid *words = run_to(example(name), 1e-12, t_end, end);
    dae_hybrid *c = run_to(problem_named(by_hand), 1e-12, t_end, end);
    assert_true(dae_hybrid_events(c) >= least);
    same_events(words, c, INT32_MAX, 1e-9);
    dae_hybrid_free(c);
    dae_hybrid_free(words);
}

/* ---- the string --------------------------------------------------------------------------- */

/* slack at cos(phi) = -1/sqrt(3), then through the nail, 3e-10 m before which it is met (string_pendulum.c) */
static void string_at(double rtol, double tol, double speed_tol)
{
    dae_hybrid *run = run_to(example("string"), rtol, 2, DAE_EVENT);
    assert_int_equal(dae_hybrid_events(run), 2);
    const dae_event_record slack = dae_hybrid_event(run, 0), nail = dae_hybrid_event(run, 1);
    assert_string_equal(dae_hybrid_mode_name(run, slack.from), "taut");
    assert_string_equal(dae_hybrid_mode_name(run, slack.to), "slack");
    assert_string_equal(nail.name, "nail");
    event_close(0, "t", slack.t, 0.5045385506662974569792907, tol);
    event_close(0, "angle", slack.before[1], 2.186276035465283960298786, 4 * tol);
    event_close(1, "t", nail.t, 1.121831979810940956460893, tol);
    event_close(1, "speed", nail.measure, 4.364923697300750093468525, speed_tol);
    assert_string_equal(nail.measures, "speed");
    assert_string_equal(nail.unit, "m/s");
    dae_hybrid_free(run);
}

TEST(test_string)
{
    string_at(run_own_rtol(example("string")), 1e-9 / 4, 1e-9);        /* as solve takes it */
    string_at(dae_default_options().rtol, 1e-8, 1e-7);                  /* a tenth of its tolerance and less */
}

/* examples/string.yaml without its event and with another start velocity, in the test's folder */
static const dae_problem *slower_string(const char *v0)
{
    char command[1024], path[256];
    snprintf(path, sizeof path, "%s/slower-%s.yaml", cli_folder, v0);
    snprintf(command, sizeof command,
             "sed -e '/^events/d; /^  nail: {/d; s/string/slower_string/; s/v0: [^ ]*/v0: %s/' "
             "'%s/examples/string.yaml' >'%s'", v0, DAELAB_SOURCE_DIR, path);
    assert_int_equal(system(command), 0);
    return loaded_from(path);
}

/* (x, y, vx, vy) of (r, phi, r', phi') */
static void to_cartesian(const double *polar, double *x)
{
    const double r = polar[0], s = sin(polar[1]), c = cos(polar[1]), along = polar[2], across = r * polar[3];
    x[0] = r * s;
    x[1] = -r * c;
    x[2] = along * s + across * c;
    x[3] = across * s - along * c;
}

/* With 5.5 m/s it goes slack, comes taut on the same side with an impulse, and so on; in Cartesian coordinates the
 * same events, beside those of the nail. */
TEST(test_string_comes_taut)
{
    dae_hybrid *run = run_to(slower_string("5.5"), 1e-12, 2, DAE_OK);
    const dae_options options = tolerance(1e-12);
    const dae_problem *by_hand = problem_named("string_pendulum");
    double p[MOST_PARAMETERS], a[4], b[4];
    default_parameters(by_hand, p);
    p[dae_parameter_index(by_hand, "v0")] = 5.5;
    dae_hybrid *c = started_hybrid(by_hand, "index1", p, dae_find_method(method), &options);
    assert_int_equal(dae_hybrid_advance(c, 2), DAE_OK);
    int i = 0;
    for (int k = 0; k < dae_hybrid_events(c); k++) {
        const dae_event_record expected = dae_hybrid_event(c, k);
        if (strcmp(expected.name, "nail") == 0)
            continue;
        assert_true(i < dae_hybrid_events(run));
        const dae_event_record event = dae_hybrid_event(run, i++);
        event_close(i, "t", event.t, expected.t, 1e-9);
        assert_string_equal(dae_hybrid_mode_name(run, event.to), dae_hybrid_mode_name(c, expected.to));
        to_cartesian(event.before, b);
        to_cartesian(event.after, a);
        for (int j = 0; j < 4; j++) {
            event_close(i, "state before", b[j], expected.before[j], 1e-9);
            event_close(i, "state after", a[j], expected.after[j], 1e-9);
        }
    }
    assert_int_equal(i, dae_hybrid_events(run));
    assert_true(i >= 2);
    dae_hybrid_free(c);
    dae_hybrid_free(run);
}

/* ---- friction ----------------------------------------------------------------------------- */

TEST(test_friction_pendulum)
{
    compare("friction_pendulum", "friction_pendulum", 10, DAE_OK, 9);
}

/* Two events in each period of (2 pi - 2 atan(A w/vb))/w + 2 A/vb; here of 2.3366 s. */
TEST(test_friction_block)
{
    compare("friction_block", "friction_block", 25, DAE_OK, 20);
    dae_hybrid *run = run_to(example("friction_block"), 1e-12, 25, DAE_OK);
    for (int i = 2; i < dae_hybrid_events(run); i++)
        event_close(i, "period", dae_hybrid_event(run, i).t - dae_hybrid_event(run, i - 2).t, 2.33663058948005572,
                    1e-9);
    dae_hybrid_free(run);
}

/* ---- the box ------------------------------------------------------------------------------ */

/* 20 hits, their accumulation at t = 18.17476 s, and the run to its end, by a hit of a side at t = 660.56 s */
TEST(test_box)
{
    dae_hybrid *words = run_to(example("box"), 1e-12, 700, DAE_EVENT);
    dae_hybrid *c = run_to(problem_named("box"), 1e-12, 700, DAE_EVENT);
    same_events(words, c, 20, 1e-9);
    int limit = 0;
    for (int i = 0; i < dae_hybrid_events(words); i++) {
        const dae_event_record event = dae_hybrid_event(words, i);
        if (event.accumulated) {
            event_close(i, "limit", event.t, 18.1747641063074448627, 1e-9);
            assert_string_equal(dae_hybrid_mode_name(words, event.to), "sliding");
            limit++;
        }
    }
    assert_int_equal(limit, 1);
    event_close(dae_hybrid_events(words), "end", dae_hybrid_time(words), 660.5575162201011296492536, 1e-9);
    dae_hybrid_free(c);
    dae_hybrid_free(words);
}

int main(void) { return run_all(cli_begin, cli_end); }
