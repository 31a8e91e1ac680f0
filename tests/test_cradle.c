/* test_cradle.c - derivatives through several impacts of one instant: Newton's cradle */
#ifndef DAE_PASS
enum { BALLS = 4 };
enum { G, L, A, E, M };
enum { S = M + BALLS, B = S + BALLS };
#include <daelab/model.h>

#include "cradle.h"

#include <daelab/sensitivity.h>

OWNED_BY_POINTER(dae_hybrid_sensitivity)

enum { N = 5 * BALLS, STATE = 4 * BALLS, MOST_DIRECTIONS = 4 };

static const double QUARTER = 0.42924;  /* of the period at L = 0.7, g = 9.81, a = 0.6, about */

typedef struct {
    double u[N], du[MOST_DIRECTIONS][N], dt[MOST_DIRECTIONS];   /* dt: of the first event */
    int events, at_once;        /* how many happened at the time of the first */
    dae_status status;
    dae_report why;
} result;

/* A run to t_end with parameters p, along count of them; none: without derivatives */
static result run(const dae_problem *problem, const char *form, const char *method, double rtol, const double *p,
                  const int *along, int count, double t_end)
{
    result r = {.status = DAE_OK};
    const dae_options options = tolerance(rtol);
    const dae_directions directions = {.parameters = along, .parameter_count = count};
    OWNED(dae_hybrid) *h = hybrid_of(problem, form, p, dae_find_method(method), &options);
    OWNED(dae_hybrid_sensitivity) *s = NULL;
    if (count)
        assert_int_equal(DAE_OK, dae_hybrid_sensitivity_create(&s, h, &directions, NULL));
    assert_int_equal(DAE_OK, dae_hybrid_start(h, 0, NULL));
    if (dae_hybrid_advance(h, t_end))
        fail_msg("%s %s: %s", form, method, dae_hybrid_report(h)->message);
    memcpy(r.u, dae_hybrid_unknowns(h), sizeof r.u);
    r.events = dae_hybrid_events(h);
    for (int k = 0; k < r.events; k++)
        r.at_once += dae_hybrid_event(h, k).t == dae_hybrid_event(h, 0).t;
    if (count)
        r.status = dae_hybrid_sensitivity_at(s, r.du[0], NULL, &r.why);
    if (count && r.events && !r.status)
        assert_int_equal(DAE_OK, dae_hybrid_sensitivity_time(s, 0, r.dt, NULL));
    dae_hybrid_sensitivity_free(s);
    s = NULL;
    return r;
}

static void lift(double *p, const double *signs)
{
    default_parameters(&cradle, p);
    for (int k = 0; k < BALLS; k++)
        p[S + k] = signs[k];
}

/* place[k]: the ball that is the k-th from the left */
static void sort_balls(const double *u, int *place)
{
    for (int k = 0; k < BALLS; k++) {
        int i = k;
        for (; i > 0 && u[2 * place[i - 1]] > u[2 * k]; i--)
            place[i] = place[i - 1];
        place[i] = k;
    }
}

/* Positions and velocities of balls, and what they are moved by, beside those that go through each other */
static void same_as_free(const char *form, const char *method, double rtol, const double *signs, double t_end,
                         int at_once)
{
    static const int along[] = {G, L, A};
    double p[MOST_PARAMETERS];
    int place[BALLS];
    lift(p, signs);
    const result met = run(&cradle, form, method, rtol, p, along, 3, t_end);
    const result free = run(&free_balls, form, method, rtol, p, along, 3, t_end);
    if (met.status)
        fail_msg("%s %s to t = %g: %s", form, method, t_end, met.why.message);
    assert_true(met.at_once >= at_once);
    sort_balls(free.u, place);
    for (int k = 0; k < BALLS; k++)
        for (int i = 0; i < 4; i++) {                   /* x, y, vx, vy */
            const int here = i / 2 * 2 * BALLS + 2 * k + i % 2, there = here + 2 * (place[k] - k);
            assert_close(met.u[here], free.u[there], 100 * rtol);
            for (int c = 0; c < 3; c++)
                assert_close(met.du[c][here], free.du[c][there], 100 * rtol);
        }
}

static const double one[BALLS] = {-1}, two[BALLS] = {-1, -1}, three[BALLS] = {-1, -1, -1}, both[BALLS] = {-1, 0, 0, 1};

/* One, two and three that are lifted, and one on each side; to before the second meeting, and behind it */
TEST(balls_take_each_others_places)
{
    static const struct { const double *signs; int at_once; } rows[] = {{one, 3}, {two, 4}, {three, 3}, {both, 5}};
    for (int i = 0; i < 4; i++)
        for (int turns = 0; turns < 2; turns++) {
            const double t_end = (2 + 2 * turns) * QUARTER;
            same_as_free("index1", "radau", 1e-11, rows[i].signs, t_end, rows[i].at_once);
            same_as_free("index2", "radau", 1e-11, rows[i].signs, t_end, rows[i].at_once);
            same_as_free("index2", "radau", 1e-5, rows[i].signs, t_end, rows[i].at_once);
            same_as_free("index1", "dop853", 1e-11, rows[i].signs, t_end, rows[i].at_once);
        }
}

/* The time of the first meeting is a function of t sqrt(g/L). */
TEST(time_of_the_meeting)
{
    static const int along[] = {G, L};
    double p[MOST_PARAMETERS];
    lift(p, one);
    const result r = run(&cradle, "index2", "radau", 1e-11, p, along, 2, 2 * QUARTER);
    assert_int_equal(DAE_OK, r.status);
    assert_close(r.dt[0] * p[G], -r.dt[1] * p[L], 1e-9);
    assert_close(r.dt[0] * p[G], -QUARTER / 2, 1e-4);
}

/* With losses and other masses: beside differences of whole runs */
TEST(losses_and_masses)
{
    static const int along[] = {G, E, M, M + 2};
    static const double d = 1e-3, ends[] = {1.5, 2.6};
    double p[MOST_PARAMETERS];
    for (int k = 0; k < 2; k++) {
        lift(p, one);
        p[E] = 0.85;
        p[M] = 1.3;
        p[M + 2] = 0.8;
        const double t_end = ends[k] * QUARTER;
        const result r = run(&cradle, "index1", "radau", 1e-12, p, along, 4, t_end);
        assert_int_equal(DAE_OK, r.status);
        assert_true(r.at_once > 3);
        for (int c = 0; c < 4; c++) {
            double difference[STATE] = {0};
            for (int at = -2; at <= 2; at++) {
                const double weight = at ? at * (at * at == 4 ? -0.5 : 8) / (12 * d) : 0, own = p[along[c]];
                p[along[c]] += at * d;
                const result moved = run(&cradle, "index1", "radau", 1e-13, p, NULL, 0, t_end);
                p[along[c]] = own;
                for (int i = 0; i < STATE; i++)
                    difference[i] += weight * moved.u[i];
            }
            for (int i = 0; i < STATE; i++)
                assert_close(r.du[c][i], difference[i], 1e-9);
        }
    }
}

/* A ball that is let go elsewhere comes at another time than the others. */
TEST(balls_that_come_apart)
{
    static const int along[] = {B, B + 3};
    static const double *const starts[] = {two, both};
    double p[MOST_PARAMETERS];
    for (int i = 0; i < 2; i++) {
        lift(p, starts[i]);
        const result r = run(&cradle, "index1", "radau", 1e-9, p, &along[i], 1, 2 * QUARTER);
        assert_int_equal(DAE_UNSUPPORTED, r.status);
        assert_non_null(strstr(r.why.message, "move apart"));
    }
}

#else
#include "cradle.h"
#endif
