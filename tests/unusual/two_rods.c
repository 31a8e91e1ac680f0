/* two_rods - a double pendulum in angles: M(q), no constraints, chaotic, with its energy
 *
 * T = (2 w1^2 + w2^2 + 2 w1 w2 cos(a - b))/2 m L^2, V = -m g L (2 cos a + cos b)
 */
#ifndef DAE_PASS
enum { M, L, G };
#include <daelab/model.h>

const dae_problem dae_two_rods = {
    .name = "two_rods", .title = "a double pendulum in angles", .variables = "a b wa wb",
    .units = "rad rad rad/s rad/s",
    .parameters = {{"m", 0.1, "kg", "mass", DAE_POSITIVE}, {"L", 0.4, "m", "length", DAE_POSITIVE},
                   {"g", 9.81, "m/s^2", "gravity"}},
    .mechanical = {.nq = 2, .mass = DAE_MASS_VARIES, .inertia = DAE_MODEL(inertia),
                   .force = DAE_MODEL(force), .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start), .t_end = 20};
#else
static void FN(start)(const param *p, real *u)
{
    u[0] = 2.5;
    u[1] = -3;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    const real ml2 = p[M] * p[L] * p[L], c = cos(q[0] - q[1]);
    r[0] = ml2 * (2 * a[0] + c * a[1]);
    r[1] = ml2 * (c * a[0] + a[1]);
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const real ml2 = p[M] * p[L] * p[L], s = sin(q[0] - q[1]);
    f[0] = -ml2 * s * v[1] * v[1] - 2 * p[M] * p[G] * p[L] * sin(q[0]);
    f[1] = ml2 * s * v[0] * v[0] - p[M] * p[G] * p[L] * sin(q[1]);
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    const real ml2 = p[M] * p[L] * p[L], c = cos(q[0] - q[1]);
    h[0] = ml2 * (v[0] * v[0] + v[1] * v[1] / 2 + c * v[0] * v[1])
           - p[M] * p[G] * p[L] * (2 * cos(q[0]) + cos(q[1]));
}
#endif
