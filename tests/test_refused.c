/* A mode that refuses a state, and actions that cannot be, lose nothing: the run ends at the last
 * good state, in its mode, with its parameters */
#ifndef DAE_PASS
#include "support.h"

enum { COPIES, HEIGHT, MASS };
#include <daelab/model.h>

/* Free bodies (x, y) that move evenly; floor: y = 0. One copy, or more. */
static void start(const double *p, double *u)
{
    for (int k = 0; k < (int)p[COPIES]; k++) {
        u[2 * k + 1] = p[HEIGHT];
        u[2 * (int)p[COPIES] + 2 * k] = 3;
        u[2 * (int)p[COPIES] + 2 * k + 1] = -1;
    }
}

static double half(const double *p, double t, const double *x, int k) { return t - 0.5; }
static double quarter(const double *p, double t, const double *x, int k) { return t - 0.25; }
static int heavier(const double *p, double t, double *x, double *p_new, int k)
{
    p_new[MASS] = 7;
    x[0] += 1;
    return 0;
}
static int weightless(const double *p, double t, double *x, double *p_new, int k)
{
    p_new[MASS] = -1;
    x[0] += 1;
    return 0;
}
static int more(const double *p, double t, double *x, double *p_new, int k) { p_new[COPIES] += 1; return 0; }
static int nowhere(const double *p, double t, double *x, double *p_new, int k) { x[1] = NAN; return 0; }
static int lifts(const double *p, double t, double *x, double *p_new, int k) { x[1] += 1; return 0; }

static const dae_problem floor_mode = {
    .name = "floor", .start = {start}, .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}};
static const dae_problem air = {
    .name = "air", .start = {start},
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)}};
static const dae_problem *const modes[] = {&floor_mode, &air, NULL};
static const dae_problem bodies = {
    .name = "bodies", .start = {start}, .t_end = 1, .mode = "free", .modes = modes,
    .parameters = {{"N", 2, "-", "bodies", DAE_COUNT}, {"height", 5, "m", "start"},
                   {"mass", 1, "kg", "of each", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)}};

typedef struct {
    const char *what;
    dae_event event;
    dae_status status;
    const char *says;
} bad_event;

#define AT_HALF .value = {half}, .direction = DAE_RISING
static const bad_event bad[] = {
    {"entry", {.name = "late", AT_HALF, .mode = "floor"}, DAE_INCONSISTENT, "constraints of floor"},
    {"entry after an action", {.name = "lifts", AT_HALF, .action = {lifts}, .mode = "floor"},
     DAE_INCONSISTENT, "constraints of floor"},
    {"entry with other parameters", {.name = "heavier", AT_HALF, .action = {heavier},
     .mode = "floor"}, DAE_INCONSISTENT, "constraints of floor"},
    {"parameter", {.name = "weightless", AT_HALF, .action = {weightless}}, DAE_BAD_ARGUMENT, "mass"},
    {"size", {.name = "more", AT_HALF, .action = {more}}, DAE_UNSUPPORTED, "12 unknowns of this one of 8"},
    {"number", {.name = "nowhere", AT_HALF, .action = {nowhere}, .mode = "air"}, DAE_NOT_FINITE,
     ""}};

static dae_hybrid *hybrid_with(const dae_problem *p, const char *form, const char *method)
{
    const dae_options options = tolerance(1e-8);
    return hybrid_of(p, form, NULL, dae_find_method(method), &options);
}

/* At t = 1/2, where body k is at (1.5, 4.5), and in the mode it was in */
static void expect_before(const char *what, dae_hybrid *run, int mode)
{
    const double *u = dae_hybrid_unknowns(run);
    if (dae_hybrid_mode(run) != mode)
        fail_msg("%s: mode %d", what, dae_hybrid_mode(run));
    assert_close(dae_hybrid_time(run), 0.5, 1e-12);
    assert_close(dae_hybrid_parameters(run)[MASS], 1, 0);
    assert_close(dae_hybrid_parameters(run)[COPIES], 2, 0);
    assert_int_equal(dae_system_size(dae_hybrid_system(run)), 8);
    for (int k = 0; k < 2; k++) {
        assert_close(u[2 * k], 1.5, 1e-7);
        assert_close(u[2 * k + 1], 4.5, 1e-7);
        assert_close(u[4 + 2 * k], 3, 1e-7);
        assert_close(u[5 + 2 * k], -1, 1e-7);
    }
}

TEST(at_an_event)
{
    static const char *const methods[] = {"dop853", "radau5", "ida"};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
        for (int m = 0; m < 3; m++) {
            const dae_event events[] = {bad[b].event, {0}};
            dae_problem p = bodies;
            p.events = events;
            OWNED(dae_hybrid) *run = hybrid_with(&p, "index1", methods[m]);
            assert_int_equal(dae_hybrid_start(run, 0, NULL), DAE_OK);
            const dae_status status = dae_hybrid_advance(run, 1);
            const char *said = dae_hybrid_report(run)->message;
            if (status != bad[b].status || !strstr(said, bad[b].says))
                fail_msg("%s: %s, %s", bad[b].what, dae_status_name(status), said);
            expect_before(bad[b].what, run, 0);
            assert_int_equal(dae_hybrid_events(run), 1);
            assert_int_equal(dae_hybrid_event(run, 0).to, 0);
            assert_int_equal(dae_hybrid_advance(run, 1), DAE_BAD_ARGUMENT);
            assert_int_equal(dae_hybrid_start(run, 0, NULL), DAE_OK);
        }
}

/* One round of events is good, the next, a guard of the mode that it leads to, is not: the run ends
 * in that mode. */
TEST(in_the_second_round)
{
    static const dae_event first[] = {{.name = "first", AT_HALF, .mode = "air"}, {0}};
    static const dae_event guard[] = {{.name = "guard", .value = {quarter}, .direction = DAE_RISING,
                                       .action = {heavier}, .mode = "floor"}, {0}};
    dae_problem p = bodies, second = air;
    const dae_problem *const others[] = {&floor_mode, &second, NULL};
    second.events = guard;
    p.events = first;
    p.modes = others;
    OWNED(dae_hybrid) *run = hybrid_with(&p, "index1", "dop853");
    assert_int_equal(dae_hybrid_start(run, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_advance(run, 1), DAE_INCONSISTENT);
    expect_before("second round", run, 2);
    assert_int_equal(dae_hybrid_event(run, 0).to, 2);
    assert_int_equal(dae_hybrid_event(run, 1).to, 2);
}

/* A state that a run cannot start from leaves what was there before. */
TEST(at_a_start)
{
    static const double above[] = {0, 5, 0, 5, 3, 0, 3, 0}, bad_one[] = {NAN, 5, 0, 5, 3, 0, 3, 0};
    static const dae_event plain[] = {{.name = "half", AT_HALF, .terminal = 1}, {0}};
    dae_problem p = bodies;
    p.events = plain;
    OWNED(dae_hybrid) *run = hybrid_with(&p, "index2", "radau");
    assert_int_equal(dae_hybrid_start(run, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_advance(run, 1), DAE_EVENT);
    assert_int_equal(dae_hybrid_start_at(run, 1, 0.9, above), DAE_INCONSISTENT);
    expect_before("a start above the floor", run, 0);
    assert_int_not_equal(dae_hybrid_start_at(run, 1, 0.9, bad_one), DAE_OK);
    expect_before("a start that is no number", run, 0);
    assert_int_equal(dae_hybrid_events(run), 1);
}

#else
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 2 * (int)p[COPIES]; i++)
        r[i] = p[MASS] * a[i];
}
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int i = 0; i < 2 * (int)p[COPIES]; i++)
        f[i] = 0;
}
static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    for (int k = 0; k < (int)p[COPIES]; k++)
        g[k] = -q[2 * k + 1];
}
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    for (int k = 0; k < (int)p[COPIES]; k++)
        r[k] = -v[2 * k + 1];
}
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *r)
{
    for (int k = 0; k < (int)p[COPIES]; k++)
        r[k] = -a[2 * k + 1];
}
static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    for (int k = 0; k < (int)p[COPIES]; k++) {
        r[2 * k] = 0;
        r[2 * k + 1] = -n[k];
    }
}
#endif
