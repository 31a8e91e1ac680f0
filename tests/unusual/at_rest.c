/* at_rest - two masses on one rod, hanging straight down and at rest: nothing ever moves */
#ifndef DAE_PASS
enum { M, L, G };
#include <daelab/model.h>

const dae_problem dae_at_rest = {
    .name = "at_rest", .title = "hangs, and stays", .variables = "x1 y1 x2 y2 vx1 vy1 vx2 vy2 S T",
    .units = "m m m m m/s m/s m/s m/s N N",
    .parameters = {{"m", 2, "kg", "mass", DAE_POSITIVE}, {"L", 0.7, "m", "length", DAE_POSITIVE},
                   {"g", 9.81, "m/s^2", "gravity"}},
    .mechanical = {.nq = 4, .nl = 2, DAE_MECHANICAL_MODEL, .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start), .t_end = 2};
#else
static void FN(start)(const param *p, real *u)
{
    u[1] = -p[L];
    u[3] = -2 * p[L];
    u[8] = 2 * p[M] * p[G];
    u[9] = p[M] * p[G];
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 4; i++)
        r[i] = p[M] * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = f[2] = 0;
    f[1] = f[3] = -p[M] * p[G];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const real x = q[2] - q[0], y = q[3] - q[1];
    g[0] = (q[0] * q[0] + q[1] * q[1] - p[L] * p[L]) / (2 * p[L]);
    g[1] = (x * x + y * y - p[L] * p[L]) / (2 * p[L]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = (q[0] * v[0] + q[1] * v[1]) / p[L];
    r[1] = ((q[2] - q[0]) * (v[2] - v[0]) + (q[3] - q[1]) * (v[3] - v[1])) / p[L];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    const real vx = v[2] - v[0], vy = v[3] - v[1];
    r[0] = (q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]) / p[L];
    r[1] = ((q[2] - q[0]) * (a[2] - a[0]) + (q[3] - q[1]) * (a[3] - a[1]) + vx * vx + vy * vy) / p[L];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[2] = (q[2] - q[0]) / p[L] * n[1];
    r[3] = (q[3] - q[1]) / p[L] * n[1];
    r[0] = q[0] / p[L] * n[0] - r[2];
    r[1] = q[1] / p[L] * n[0] - r[3];
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / 2 + p[M] * p[G] * (q[1] + q[3]);
}
#endif
