/* ring.c - a ring on a wire, y = x^2/2: a file that can be loaded; test_plugins takes it as it is and spoils it */
#ifndef DAE_PASS
enum { M, G };
#include <daelab/model.h>

const dae_problem dae_ring = {
    .name = "ring", .title = "ring on a parabolic wire", .citation = "a test",
    .equations = "m x'' = x N,  m y'' = -m g - N,  0 = y - x^2/2",
    .variables = "x y vx vy N", .units = "m m m/s m/s N",
    .parameters = {{"m", 1, "kg", "mass", DAE_POSITIVE}, {"g", 9.81, "m/s^2", "gravity"}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}, .start = DAE_MODEL(start), .t_end = 2};
DAE_PLUGIN_PROBLEMS(&dae_ring);
#else
static void FN(start)(const param *p, real *u)
{
    u[0] = 1;
    u[1] = 0.5;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = 0;
    f[1] = -p[M] * p[G];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = q[1] - q[0] * q[0] / 2;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = v[1] - q[0] * v[0];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = a[1] - q[0] * a[0] - v[0] * v[0];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = -q[0] * n[0];
    r[1] = n[0];
}
#endif
