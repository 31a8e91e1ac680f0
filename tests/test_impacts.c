/* test_impacts.c - several impacts at one instant, and starts at rest on a floor, against closed forms
 *
 * Impacts act one after the other, in rounds: all contacts that are approached, in the order of the record, but for
 * those that are not any more; until none is. So do the numbers here, in quad, and for each problem by itself.
 */
#ifndef DAE_PASS
#include "switching.h"

#include <daelab/event_reference.h>

enum { MASS, E = MASS + 4, Q0 = E + 3, V0 = Q0 + 4, ANGLE = V0 + 4 };      /* of chain and wedge */
enum { HALF, INERTIA, G, EPS, HEIGHT, TILT, SPEED };                        /* of rod and drop */
#include <daelab/model.h>

#define PARAMETERS                                                                                \
    {{"mass", 1, "-", "", DAE_POSITIVE, .count = 4}, {"e", 1, "-", "", DAE_NONNEGATIVE, .count = 3}, \
     {"q0", 0, "-", "", DAE_ANY_VALUE, .count = 4}, {"v0", 0, "-", "", DAE_ANY_VALUE, .count = 4}, \
     {"angle", 1, "-", ""}}

static const dae_event gaps[] = {{.name = "gap", .count = 3, .direction = DAE_FALLING, .value = DAE_MODEL(gap),
                                  .action = DAE_MODEL(collide)}, {0}};
static const dae_problem chain = {
    .name = "chain", .parameters = PARAMETERS, .start = DAE_MODEL(start), .t_end = 2, .events = gaps,
    .mechanical = {.nq = 4, .inertia = DAE_MODEL(masses), .force = DAE_MODEL(no_force)}};

static const dae_event walls[] = {{.name = "wall", .count = 2, .direction = DAE_FALLING, .value = DAE_MODEL(distance),
                                   .action = DAE_MODEL(reflect)}, {0}};
static const dae_problem wedge = {
    .name = "wedge", .parameters = PARAMETERS, .start = DAE_MODEL(start), .t_end = 2, .events = walls,
    .mechanical = {.nq = 4, .inertia = DAE_MODEL(masses), .force = DAE_MODEL(no_force)}};

#define OF_THE_ROD                                                                                \
    {{"half", 0.5, "m", ""}, {"inertia", 0.05, "kg.m^2", ""}, {"g", 9.81, "m/s^2", ""},           \
     {"e", 0.5, "-", "", DAE_NONNEGATIVE}, {"height", 1, "m", "", DAE_ANY_VALUE},                 \
     {"tilt", 0, "rad", "", DAE_ANY_VALUE}, {"speed", 0, "m/s", "", DAE_ANY_VALUE}}

static const dae_event feet[] = {{.name = "foot", .count = 2, .direction = DAE_FALLING, .value = DAE_MODEL(foot),
                                  .action = DAE_MODEL(step)}, {0}};
static const dae_problem rod = {
    .name = "rod", .parameters = OF_THE_ROD, .start = DAE_MODEL(lifted), .t_end = 0.6, .events = feet,
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(rod), .force = DAE_MODEL(weight)}};

/* A ball on a floor that is tilted: y falls and x is free. */
static const dae_event floors[] = {{.name = "floor", .direction = DAE_FALLING, .value = DAE_MODEL(above),
                                    .action = DAE_MODEL(bounce), .limit = "resting"}, {0}};
static const dae_problem resting = {
    .name = "resting", .start = DAE_MODEL(lifted),
    .mechanical = {.nq = 2, .nl = 1, .inertia = DAE_MODEL(rod), .force = DAE_MODEL(weight),
                   .constraint = DAE_MODEL(on_floor), .rate = DAE_MODEL(floor_rate),
                   .acceleration = DAE_MODEL(floor_acceleration), .reaction = DAE_MODEL(floor_force)}};
static const dae_problem *const rests[] = {&resting, NULL};
static const dae_problem drop = {
    .name = "drop", .parameters = OF_THE_ROD, .start = DAE_MODEL(lifted), .t_end = 3, .events = floors,
    .mode = "flying", .modes = rests,
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(rod), .force = DAE_MODEL(weight)}};

/* ---- the law ------------------------------------------------------------------------------- */

enum { MOST = 60 };

/* A mechanism of contacts: how fast contact k is approached, and v after its impact. */
typedef struct {
    int contacts;
    dae_quad (*approach)(const double *p, int k, const dae_quad *v);
    void (*act)(const double *p, int k, dae_quad *v);
} law;

static dae_quad gap_closes(const double *p, int k, const dae_quad *v) { return v[k] - v[k + 1]; }

static void balls_collide(const double *p, int k, dae_quad *v)
{
    const dae_quad a = p[MASS + k], b = p[MASS + k + 1];
    const dae_quad impulse = (1 + (dae_quad)p[E + k]) * (v[k] - v[k + 1]) * a * b / (a + b);
    v[k] -= impulse / a;
    v[k + 1] += impulse / b;
}

static dae_quad wall_nears(const double *p, int k, const dae_quad *v)
{
    return k ? dae_quad_cos(p[ANGLE]) * v[1] - dae_quad_sin(p[ANGLE]) * v[0] : -v[1];
}

/* A fold: the component towards the wall changes sign. */
static void wall_reflects(const double *p, int k, dae_quad *v)
{
    const dae_quad by = (1 + (dae_quad)p[E + k]) * wall_nears(p, k, v);
    v[0] += k ? by * dae_quad_sin(p[ANGLE]) : 0;
    v[1] += k ? -by * dae_quad_cos(p[ANGLE]) : by;
}

static const law of_chain = {3, gap_closes, balls_collide}, of_three = {2, gap_closes, balls_collide};
static const law of_wedge = {2, wall_nears, wall_reflects};

/* v after all impacts; returns how many there are, 0 where they do not end. */
static int follow_law(const law *l, const double *p, dae_quad *v)
{
    int count = 0, more = 1;
    while (more && count < MOST) {
        int wanted[3];
        more = 0;
        for (int k = 0; k < l->contacts; k++)
            more |= wanted[k] = l->approach(p, k, v) > 1e-13;
        for (int k = 0; k < l->contacts; k++)
            if (wanted[k] && l->approach(p, k, v) > 1e-13) {
                l->act(p, k, v);
                count++;
            }
    }
    return more ? 0 : count;
}

/* ---- runs ---------------------------------------------------------------------------------- */

static double uniform(double low, double high) { return low + (high - low) * rand() / RAND_MAX; }

/* All balls of the chain meet at x = 0, t = 1. */
static void meet(double *p)
{
    for (int i = 0; i < 4; i++) {
        p[MASS + i] = exp(uniform(-2, 2));
        p[V0 + i] = 1 - 0.5 * i + uniform(-0.15, 0.15);     /* apart, so that they meet at one time */
        p[E + i % 3] = uniform(0.4, 1);
    }
    for (int i = 0; i < 4; i++)
        p[Q0 + i] = -p[V0 + i];
}

/* The first ball meets three that touch. */
static void strike(double *p)
{
    meet(p);
    for (int i = 0; i < 4; i++) {
        p[V0 + i] = i == 0;
        p[Q0 + i] = -p[V0 + i];
    }
}

/* Into the very corner of a wedge; positions 2 and 3 stay. */
static void into_corner(double *p)
{
    p[ANGLE] = uniform(0.3, 3);
    const double from = p[ANGLE] * uniform(0.05, 0.95);
    p[V0] = -cos(from);
    p[V0 + 1] = -sin(from);
    for (int i = 0; i < 4; i++) {
        p[MASS + i] = 1;
        p[V0 + i] = i < 2 ? p[V0 + i] : 0;
        p[Q0 + i] = -p[V0 + i];
    }
    p[E] = p[E + 1] = uniform(0.7, 1);
}

static const char *first_form(const dae_method *method)
{
    for (int i = 0; dae_formulation_at(i); i++) {
        const dae_formulation_info info = dae_formulation_describe(dae_formulation_at(i));
        if (info.index == 1 && info.stabilised == DAE_NOT_STABILISED)
            return info.name;
    }
    fail_msg("%s", dae_method_describe(method).name);
    return NULL;
}

static dae_hybrid *begin(const dae_problem *problem, const char *method, const double *p, double rtol)
{
    const dae_options options = tolerance(rtol);
    return hybrid_of(problem, first_form(dae_find_method(method)), p, dae_find_method(method), &options);
}

/* Errors of the run may part impacts that are at one time; then another order of them is as good. */
static int are_at_once(const dae_hybrid *run)
{
    int k = 1;
    while (k < dae_hybrid_events(run) && dae_hybrid_event(run, k).t == dae_hybrid_event(run, 0).t)
        k++;
    return k >= dae_hybrid_events(run);
}

/* v and the number of impacts are those of the law, and so is where things are at t = 2. */
static void check_run(const dae_problem *problem, const law *l, const double *p, const char *method)
{
    dae_quad v[4];
    for (int i = 0; i < 4; i++)
        v[i] = p[V0 + i];
    int count = follow_law(l, p, v);
    OWNED(dae_hybrid) *run = begin(problem, method, p, 1e-8);
    dae_status status = hybrid_to(run, 2);
    if (status && (count || status != DAE_ACCUMULATION))
        fail_msg("%s %s: %d impacts, %s", problem->name, method, count, dae_hybrid_report(run)->message);
    const double *u = dae_hybrid_unknowns(run);
    const double *after = dae_hybrid_event(run, dae_hybrid_events(run) - 1).after;
    count = are_at_once(run) ? count : 0;
    for (int i = 0; i < 4; i++)
        v[i] = count ? v[i] : after[4 + i];
    for (int k = 0; k < l->contacts; k++)                   /* nothing is approached, nor after infinitely many */
        assert_true(l->approach(p, k, v) < 1e-7);
    if (count && dae_hybrid_events(run) != count)
        fail_msg("%s %s: %d impacts, not %d", problem->name, method, dae_hybrid_events(run), count);
    for (int i = 0; count && i < 4; i++)
        if (!(fabs(u[4 + i] - (double)v[i]) < 1e-7) || !(fabs(u[i] - (p[Q0 + i] + p[V0 + i] + (double)v[i])) < 1e-6))
            fail_msg("%s %s: q[%d] = %.9g, v = %.9g, not %.9g", problem->name, method, i, u[i], u[4 + i], (double)v[i]);
}

enum { DRAWN = 12 };

static void all_at_once(const char *method)
{
    double p[32] = {0};
    srand(1);
    for (int k = 0; k < DRAWN; k++) {
        meet(p);
        check_run(&chain, &of_chain, p, method);
        strike(p);
        check_run(&chain, &of_chain, p, method);
        into_corner(p);
        check_run(&wedge, &of_wedge, p, method);
    }
}

TEST(test_random)
{
    for_adaptive_methods(1, all_at_once);
}

/* Balls of 1, 1 and 3, the last one far away: three impacts, (1, 0, 0) -> (-1/2, 0, 1/2). A corner of 40 degrees. */
static void known(const char *method)
{
    double p[32] = {1, 1, 3, 1, 1, 1, 1, -1, 0, 0, 9, 1, 0, 0, 0, 1};
    dae_quad v[4] = {1, 0, 0, 0};
    assert_int_equal(follow_law(&of_three, p, v), 3);
    assert_true(v[0] == -0.5 && v[1] == 0 && v[2] == 0.5);
    check_run(&chain, &of_three, p, method);
    double corner[32] = {1, 1, 1, 1, 1, 1, 1, 1, 0.5, 0, 0, -1, -0.5, 0, 0, 40 * 3.14159265358979324 / 180};
    v[0] = -1;
    v[1] = -0.5;
    v[2] = 0;
    assert_int_equal(follow_law(&of_wedge, corner, v), 4);
    const double turned = 4 * corner[ANGLE];                /* four reflections: turned by four times the angle */
    assert_true(fabs((double)v[0] - (-cos(turned) + 0.5 * sin(turned))) < 1e-14
                || fabs((double)v[0] - (-cos(turned) - 0.5 * sin(turned))) < 1e-14);
    check_run(&wedge, &of_wedge, corner, method);
}

TEST(test_known)
{
    for_adaptive_methods(1, known);
}

/* ---- a rod that falls flat on its two feet -------------------------------------------------- */

/* Both feet come with speed -1. With a^2/J = 5/m an impact adds (1 + e) 2/3 of its speed to the other foot's. */
static void flat(const char *method)
{
    double p[] = {0.5, 0.05, 9.81, 0.5, 1, 0, 0};
    OWNED(dae_hybrid) *run = begin(&rod, method, p, 1e-8);
    assert_int_equal(dae_hybrid_start(run, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_advance(run, 0.6), DAE_OK);
    assert_int_equal(dae_hybrid_events(run), 4);            /* (-1, -1) (1/2, -2) (-3/2, 1) (3/4, -1/2) (1/4, 1/4) */
    const double hit = sqrt(2 / p[G]), v = p[G] * hit / 4, s = 0.6 - hit, *u = dae_hybrid_unknowns(run);
    assert_true(fabs(u[0] - (v * s - p[G] * s * s / 2)) < 1e-6 && fabs(u[2] - (v - p[G] * s)) < 1e-6);
    assert_true(fabs(u[1]) < 1e-6 && fabs(u[3]) < 1e-6);
    p[EPS] = 0;                                             /* without end: the speeds fall by 2/3, and rest follows */
    dae_hybrid_free(run);
    run = begin(&rod, method, p, 1e-8);
    assert_int_equal(dae_hybrid_start(run, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_advance(run, 0.6), DAE_ACCUMULATION);
    const double *after = dae_hybrid_event(run, dae_hybrid_events(run) - 1).after;
    for (int i = 0; i < 4; i++)
        assert_true(fabs(after[i]) < 1e-7);
}

TEST(test_flat)
{
    for_adaptive_methods(0, flat);
}

/* ---- starts on a floor ---------------------------------------------------------------------- */

static void check_rest(const char *method, double height, double speed, double g, int mode)
{
    const double p[] = {0.5, 1, g, 0.5, height, 0.1, speed};
    OWNED(dae_hybrid) *run = begin(&drop, method, p, 1e-7);
    assert_int_equal(dae_hybrid_start(run, 0, NULL), DAE_OK);
    const dae_status status = dae_hybrid_advance(run, 1);
    const double *u = dae_hybrid_unknowns(run);
    if (status || dae_hybrid_mode(run) != mode || !(u[0] > -1e-6))
        fail_msg("%s from %g at %g: mode %d, y = %g, %s", method, height, speed, dae_hybrid_mode(run), u[0],
                 dae_hybrid_report(run)->message);
}

static void on_the_floor(const char *method)
{
    for (double g = 1e-4; g < 1e7; g *= 1e3)
        check_rest(method, 0, 0, g, 1);
    check_rest(method, 0, 0, -1, 0);                        /* it falls upwards, or nowhere */
    check_rest(method, 0, 0, 0, 0);
    check_rest(method, 0, -1, 10, 1);                       /* thrown into the floor: rests after 0.4 s */
    check_rest(method, 0, 10, 10, 0);                       /* and up from it */
    check_rest(method, 1e-3, 0, 10, 1);
}

TEST(test_starts)
{
    for_dae_methods(0, on_the_floor);
}

/* ---- references ----------------------------------------------------------------------------- */

static void check_reference(const dae_problem *problem, const law *l, const double *p)
{
    const double time = 2;
    OWNED(dae_event_reference) r = {0};
    dae_report why = {0};
    dae_quad v[4];
    for (int i = 0; i < 4; i++)
        v[i] = p[V0 + i];
    const int count = follow_law(l, p, v);
    if (dae_event_reference_solve(&r, problem, p, NULL, &time, 1, NULL, &why))
        fail_msg("%s: %s", problem->name, why.message);
    assert_int_equal(r.events, count);
    for (int i = 0; i < 4; i++)
        if (!(fabs((double)(r.x[i] - v[i])) < 1e-13) || !(fabs((double)(r.x[4 + i] - v[i])) < 1e-13))
            fail_msg("%s: component %d is %.17g, not %.17g", problem->name, i, (double)r.x[i], (double)v[i]);
}

TEST(test_references)
{
    double p[32] = {0};
    srand(2);
    for (int k = 0; k < 3; k++) {
        strike(p);
        check_reference(&chain, &of_chain, p);
    }
    double corner[32] = {1, 1, 1, 1, 1, 1, 1, 1, 0.5, 0, 0, -1, -0.5, 0, 0, 40 * 3.14159265358979324 / 180};
    check_reference(&wedge, &of_wedge, corner);
}

#else

static void FN(start)(const param *p, real *u)
{
    for (int i = 0; i < 4; i++) {
        u[i] = p[Q0 + i];
        u[4 + i] = p[V0 + i];
    }
}

static void FN(masses)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 4; i++)
        r[i] = p[MASS + i] * a[i];
}

static void FN(no_force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int i = 0; i < 4; i++)
        f[i] = 0;
}

static real FN(gap)(const param *p, real t, const real *x, int k) { return x[k + 1] - x[k]; }

static int FN(collide)(const param *p, real t, real *x, real *p_new, int k)
{
    const param sum = p[MASS + k] + p[MASS + k + 1];
    const real by = (1 + p[E + k]) * (x[4 + k] - x[5 + k]) / sum;
    x[4 + k] -= p[MASS + k + 1] * by;
    x[5 + k] += p[MASS + k] * by;
    return 0;
}

static real FN(distance)(const param *p, real t, const real *x, int k)
{
    return k ? sin(p[ANGLE]) * x[0] - cos(p[ANGLE]) * x[1] : x[1];
}

static int FN(reflect)(const param *p, real t, real *x, real *p_new, int k)
{
    const param nx = k ? sin(p[ANGLE]) : 0 * p[ANGLE], ny = k ? -cos(p[ANGLE]) : 1 + 0 * p[ANGLE];
    const real by = (1 + p[E + k]) * (nx * x[4] + ny * x[5]);
    x[4] -= by * nx;
    x[5] -= by * ny;
    return 0;
}

static void FN(lifted)(const param *p, real *u)
{
    u[0] = p[HEIGHT];
    u[1] = p[TILT];
    u[2] = p[SPEED];
}

static void FN(rod)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = a[0];
    r[1] = p[INERTIA] * a[1];
}

static void FN(weight)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -p[G];
    f[1] = 0;
}

static real FN(foot)(const param *p, real t, const real *x, int k)
{
    return k ? x[0] + p[HALF] * sin(x[1]) : x[0] - p[HALF] * sin(x[1]);
}

static int FN(step)(const param *p, real t, real *x, real *p_new, int k)
{
    const real arm = k ? p[HALF] * cos(x[1]) : -p[HALF] * cos(x[1]);
    const real by = (1 + p[EPS]) * (x[2] + arm * x[3]) / (1 + arm * arm / p[INERTIA]);
    x[2] -= by;
    x[3] -= arm * by / p[INERTIA];
    return 0;
}

static real FN(above)(const param *p, real t, const real *x, int k) { return x[0]; }

static int FN(bounce)(const param *p, real t, real *x, real *p_new, int k)
{
    x[2] *= -p[EPS];
    return 0;
}

static void FN(on_floor)(const param *p, real t, const real *q, real *g) { g[0] = -q[0]; }
static void FN(floor_rate)(const param *p, real t, const real *q, const real *v, real *r) { r[0] = -v[0]; }

static void FN(floor_acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = -a[0];
}

static void FN(floor_force)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = -n[0];
    r[1] = 0;
}
#endif
