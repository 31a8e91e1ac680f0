/* test_tangent_release.c - what leaves a constraint along it has left, however dense output errs beside it
 *
 * A point slides down a dome, 0 = R - r in polar coordinates, and leaves it where N passes zero. Then R - r falls
 * with the third power of time, while dense output, of r that is no polynomial, errs with the first.
 */
#ifndef DAE_PASS
enum { M, RADIUS, G, V0 };
enum { R, PHI, VR, W, N };
#include <daelab/model.h>

#include "switching.h"

static const dae_event on_it[] = {
    {.name = "leaves", .title = "N = 0", .value = DAE_MODEL(load), .direction = DAE_FALLING,
     .action = DAE_MODEL(let_go), .mode = "falls"}, {0}};
static const dae_event in_the_air[] = {
    {.name = "lands", .title = "on the dome", .value = DAE_MODEL(depth), .direction = DAE_RISING, .mode = "slides"},
    {.name = "ground", .title = "on the ground", .value = DAE_MODEL(height), .direction = DAE_FALLING,
     .terminal = 1}, {0}};

static const dae_problem falls = {
    .name = "falls", .title = "in the air", .equations = "-", .variables = "r phi vr w", .units = "m rad m/s rad/s",
    .mechanical = {.nq = 2, .mass = DAE_MASS_VARIES, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)},
    .start = DAE_MODEL(start), .events = in_the_air};
static const dae_problem *const modes[] = {&falls, NULL};

static const dae_problem dome = {
    .name = "dome", .title = "a point on a dome", .citation = "-", .equations = "-",
    .variables = "r phi vr w N", .units = "m rad m/s rad/s N",
    .parameters = {{"m", 1, "kg", "mass", DAE_POSITIVE}, {"R", 2, "m", "radius", DAE_POSITIVE},
                   {"g", 9.81, "m/s^2", "gravity"}, {"v0", 0.5, "m/s", "start velocity, at the top"}},
    .mechanical = {.nq = 2, .nl = 1, .mass = DAE_MASS_VARIES, DAE_MECHANICAL_MODEL},
    .start = DAE_MODEL(start), .t_end = 2, .events = on_it, .mode = "slides", .modes = modes};

/* cos(phi) = 2/3 + v0^2/(3 g R) where it leaves, and a parabola from there to the ground */
static void leaves_once(const char *method, double rtol, double tol)
{
    const double g = 9.81, radius = 2, c = 2 / 3.0 + 0.25 / (3 * g * radius), s = sqrt(1 - c * c);
    const double speed = sqrt(g * radius * c), down = speed * s;
    const double time = (sqrt(down * down + 2 * g * radius * c) - down) / g;
    const dae_options options = tolerance(rtol);
    OWNED(dae_hybrid) *run = started_hybrid(&dome, "index1", NULL, dae_find_method(method), &options);
    if (dae_hybrid_advance(run, 2) != DAE_EVENT || dae_hybrid_events(run) != 2)
        fail_msg("%s, rtol %g: %d events: %s", method, rtol, dae_hybrid_events(run), dae_hybrid_report(run)->message);
    const dae_event_record leaves = dae_hybrid_event(run, 0), ground = dae_hybrid_event(run, 1);
    event_close(method, 0, "cos(phi)", cos(leaves.after[PHI]), c, tol);
    event_close(method, 1, "t", ground.t - leaves.t, time, tol);
    event_close(method, 1, "x", ground.after[R], radius * s + speed * c * time, tol);
}

static void roughly(const char *method) { leaves_once(method, 1e-4, 2e-2); }
static void closely(const char *method) { leaves_once(method, 1e-8, 1e-6); }
static void tightly(const char *method) { leaves_once(method, 1e-12, 1e-9); }

TEST(test_any_tolerance)
{
    for_dae_methods(1, roughly);
    for_dae_methods(0, closely);
    for_dae_methods(0, tightly);
}

#else

static void FN(start)(const param *p, real *u)
{
    u[R] = p[RADIUS];
    u[W] = p[V0] / p[RADIUS];
}

static real FN(load)(const param *p, real t, const real *x, int k) { return x[N]; }
static real FN(depth)(const param *p, real t, const real *x, int k) { return p[RADIUS] - x[R]; }
static real FN(height)(const param *p, real t, const real *x, int k) { return x[R] * cos(x[PHI]); }

static int FN(let_go)(const param *p, real t, real *x, real *p_new, int k)
{
    x[R] = p[RADIUS];
    return 0;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * q[0] * q[0] * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = p[M] * (q[0] * v[1] * v[1] - p[G] * cos(q[1]));
    f[1] = p[M] * q[0] * (p[G] * sin(q[1]) - 2 * v[0] * v[1]);
}

static void FN(constraint)(const param *p, real t, const real *q, real *g) { g[0] = p[RADIUS] - q[0]; }
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg) { dg[0] = -v[0]; }
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *ddg)
{
    ddg[0] = -a[0];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *load, real *r)
{
    r[0] = -load[0];
    r[1] = (real){0};
}

#endif
