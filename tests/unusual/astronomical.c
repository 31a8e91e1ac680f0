/* astronomical - a planet of 6e24 kg on a rail, an ellipse with half axes of 1.5e11 m and 1.4e11 m, in SI units
 *
 * g = (x/a)^2 + (y/b)^2 - 1 is of size 1, its gradient of 1e-11, the multiplier of 1e33.
 */
#ifndef DAE_PASS
enum { M, A, B, MU };
#include <daelab/model.h>

const dae_problem dae_astronomical = {
    .name = "astronomical", .title = "a planet on an elliptic rail", .variables = "x y vx vy N",
    .units = "m m m/s m/s J",
    .parameters = {{"m", 6e24, "kg", "mass", DAE_POSITIVE}, {"a", 1.5e11, "m", "half axis", DAE_POSITIVE},
                   {"b", 1.4e11, "m", "half axis", DAE_POSITIVE},
                   {"mu", 1.327e20, "m^3/s^2", "of the sun", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL, .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start), .t_end = 3.2e7};
#else
static void FN(start)(const param *p, real *u)
{
    u[0] = p[A];
    u[3] = sqrt(p[MU] / p[A]);
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const real r2 = q[0] * q[0] + q[1] * q[1], k = p[M] * p[MU] / (r2 * sqrt(r2));
    f[0] = -k * q[0];
    f[1] = -k * q[1];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const real x = q[0] / p[A], y = q[1] / p[B];
    g[0] = x * x + y * y - 1;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = 2 * (q[0] * v[0] / (p[A] * p[A]) + q[1] * v[1] / (p[B] * p[B]));
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = 2 * ((q[0] * a[0] + v[0] * v[0]) / (p[A] * p[A]) + (q[1] * a[1] + v[1] * v[1]) / (p[B] * p[B]));
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = 2 * q[0] / (p[A] * p[A]) * n[0];
    r[1] = 2 * q[1] / (p[B] * p[B]) * n[0];
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * ((v[0] * v[0] + v[1] * v[1]) / 2 - p[MU] / sqrt(q[0] * q[0] + q[1] * q[1]));
}
#endif
