/* moving_pivot - a pendulum whose pivot shakes sideways: a constraint that depends on time
 *
 * g = ((x - s)^2 + y^2 - L^2)/(2 L), s = A sin(w t); a force that follows the velocity, and no energy.
 */
#ifndef DAE_PASS
enum { M, L, G, A, W };
#include <daelab/model.h>

const dae_problem dae_moving_pivot = {
    .name = "moving_pivot", .title = "a pendulum on a pivot that shakes",
    .variables = "x y vx vy T", .units = "m m m/s m/s N",
    .parameters = {{"m", 0.3, "kg", "mass", DAE_POSITIVE}, {"L", 2, "m", "length", DAE_POSITIVE},
                   {"g", 9.81, "m/s^2", "gravity"}, {"A", 0.1, "m", "amplitude"},
                   {"w", 7, "1/s", "frequency"}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}, .start = DAE_MODEL(start), .t_end = 3};
#else
static void FN(start)(const param *p, real *u)
{
    u[1] = -p[L];
    u[2] = p[A] * p[W];
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -0.01 * v[0];
    f[1] = -0.01 * v[1] - p[M] * p[G];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const real x = q[0] - p[A] * sin(p[W] * t);
    g[0] = (x * x + q[1] * q[1] - p[L] * p[L]) / (2 * p[L]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    const real x = q[0] - p[A] * sin(p[W] * t), vx = v[0] - p[A] * p[W] * cos(p[W] * t);
    r[0] = (x * vx + q[1] * v[1]) / p[L];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    const real s = p[A] * sin(p[W] * t), x = q[0] - s, vx = v[0] - p[A] * p[W] * cos(p[W] * t);
    r[0] = (x * (a[0] + p[W] * p[W] * s) + vx * vx + q[1] * a[1] + v[1] * v[1]) / p[L];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = (q[0] - p[A] * sin(p[W] * t)) / p[L] * n[0];
    r[1] = q[1] / p[L] * n[0];
}
#endif
