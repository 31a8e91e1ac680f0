/* wearing_ball - a ball bounces, loses restitution with each hit, and rests; actions change a parameter */
#ifndef DAE_PASS
enum { G, E, WEAR };
#include <daelab/model.h>

static const dae_event hits[] = {
    {.name = "floor", .title = "hits the floor", .direction = DAE_FALLING, .value = DAE_MODEL(height),
     .action = DAE_MODEL(bounce), .limit = "resting"}, {0}};

static const dae_problem resting = {
    .name = "resting", .title = "on the floor", .variables = "y v N", .units = "m m/s N",
    .mechanical = {.nq = 1, .nl = 1, DAE_MECHANICAL_MODEL}, .start = DAE_MODEL(rest)};
static const dae_problem *const others[] = {&resting, NULL};

const dae_problem dae_wearing_ball = {
    .name = "wearing_ball", .title = "a ball that wears", .variables = "y v", .units = "m m/s",
    .parameters = {{"g", 9.81, "m/s^2", "gravity", DAE_POSITIVE},
                   {"e", 0.8, "-", "restitution", DAE_NONNEGATIVE},
                   {"wear", 0.95, "-", "its factor, each hit", DAE_NONNEGATIVE}},
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force),
                   .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start), .t_end = 5, .events = hits, .mode = "flying", .modes = others};
#else
static void FN(start)(const param *p, real *u) { u[0] = 1; }
static void FN(rest)(const param *p, real *u) { u[2] = p[G]; }
static real FN(height)(const param *p, real t, const real *x, int k) { return x[0]; }

static int FN(bounce)(const param *p, real t, real *x, real *p_new, int k)
{
    x[1] *= -p[E];
    p_new[E] = p[E] * p[WEAR];
    return 0;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r) { r[0] = a[0]; }
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f) { f[0] = -p[G]; }

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = v[0] * v[0] / 2 + p[G] * q[0];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g) { g[0] = -q[0]; }
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r) { r[0] = -v[0]; }

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = -a[0];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r) { r[0] = -n[0]; }
#endif
