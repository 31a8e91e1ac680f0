/* near_the_pole - free flight in polar coordinates that meets the origin but for rounding
 *
 *   m r'' = m r phi'^2 + m g cos(phi),   m r^2 phi'' = -2 m r r' phi' - m g r sin(phi)
 *
 * It begins as a bob whose string goes slack where cos(phi) = -1/sqrt(3), at r = L with phi'^2 = g/(sqrt(3) L):
 * the parabola leads to r = 0, after sqrt(2) 3^(1/4) sqrt(L/g), where phi' comes to 1e10 rad/s and more.
 */
#ifndef DAE_PASS
enum { M, L, G };
enum { R, PHI, VR, W };
#include <daelab/model.h>

static const dae_event events[] = {
    {.name = "fast", .title = "faster than at the start", .value = DAE_MODEL(faster), .direction = DAE_RISING,
     .measure = DAE_MODEL(speed), .measures = "speed", .unit = "m/s"}, {0},
};

const dae_problem dae_near_the_pole = {
    .name = "near_the_pole", .title = "free flight through the pole of polar coordinates",
    .variables = "r phi r' phi'", .units = "m rad m/s rad/s",
    .parameters = {{"m", 1, "kg", "mass", DAE_POSITIVE}, {"L", 1.1, "m", "first distance", DAE_POSITIVE},
                   {"g", 10, "m/s^2", "gravity"}},
    .mechanical = {.nq = 2, .mass = DAE_MASS_VARIES, .inertia = DAE_MODEL(inertia),
                   .force = DAE_MODEL(force), .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start), .t_end = 1, .events = events};
#else
static void FN(start)(const param *p, real *u)
{
    u[R] = p[L];
    u[PHI] = acos(-1 / sqrt((real){0} + 3));
    u[W] = sqrt(p[G] / (sqrt((real){0} + 3) * p[L]));
}

static real FN(speed)(const param *p, real t, const real *x, int k) { return hypot(x[VR], x[R] * x[W]); }
static real FN(faster)(const param *p, real t, const real *x,
                       int k) { return FN(speed)(p, t, x, k) - sqrt(p[G] * p[L]); }

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * q[0] * q[0] * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = p[M] * (q[0] * v[1] * v[1] + p[G] * cos(q[1]));
    f[1] = -p[M] * q[0] * (2 * v[0] * v[1] + p[G] * sin(q[1]));
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]) / 2 - p[M] * p[G] * q[0] * cos(q[1]);
}
#endif
