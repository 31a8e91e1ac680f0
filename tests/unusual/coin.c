/* coin - a leaning disc that rolls without slipping on a table: a constraint on positions, two of velocities
 *
 *   0 = z - r sin(theta)
 *   0 = x' + r cos(phi) (phi' cos(theta) + psi') - r theta' sin(theta) sin(phi)
 *   0 = y' + r sin(phi) (phi' cos(theta) + psi') + r theta' sin(theta) cos(phi)
 *
 * (x, y, z) is the centre, phi the heading, theta the angle of the disc with the table, psi that of rolling;
 * A and C are the moments about a diameter and the axle, with the angular velocities theta', phi' sin(theta)
 * and w = psi' + phi' cos(theta). With theta and phi' = Omega constant the centre moves on a circle, where
 *
 *   (C + m r^2) Omega w sin(theta) = A Omega^2 sin(theta) cos(theta) - m g r cos(theta)
 *
 * T = (m |v|^2 + A theta'^2 + A phi'^2 sin^2(theta) + C w^2)/2 makes M(theta), which is full.
 */
#ifndef DAE_PASS
enum { M, R, A, C, G, LEAN, OMEGA, TILT };
#include <daelab/model.h>

const dae_problem dae_coin = {
    .name = "coin", .title = "a coin that rolls on a circle",
    .variables = "x y z phi theta psi vx vy vz dphi dtheta dpsi N X Y",
    .units = "m m m rad rad rad m/s m/s m/s rad/s rad/s rad/s N N N",
    .parameters = {{"m", 0.5, "kg", "mass", DAE_POSITIVE},
                   {"r", 0.3, "m", "radius", DAE_POSITIVE},
                   {"A", 0.01125, "kg.m^2", "moment about a diameter", DAE_POSITIVE},
                   {"C", 0.0225, "kg.m^2", "moment about the axle", DAE_POSITIVE},
                   {"g", 9.81, "m/s^2", "gravity", DAE_ANY_VALUE},
                   {"theta0", 1, "rad", "lean", DAE_ANY_VALUE},
                   {"Omega", 3, "rad/s", "precession", DAE_ANY_VALUE},
                   {"tilt", 0, "rad/s", "dtheta at the start", DAE_ANY_VALUE}},
    .mechanical = {.nq = 6, .nl = 3, .nonholonomic = 2, .mass = DAE_MASS_VARIES, DAE_MECHANICAL_MODEL,
                   .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start), .t_end = 2};
#else
/* The spin w of steady motion */
static real FN(spin)(const param *p)
{
    const real c = cos(p[LEAN]), s = sin(p[LEAN]);
    return (p[A] * p[OMEGA] * p[OMEGA] * s - p[M] * p[G] * p[R]) * c
           / ((p[C] + p[M] * p[R] * p[R]) * p[OMEGA] * s);
}

static void FN(start)(const param *p, real *u)
{
    const real w = FN(spin)(p), c = cos(p[LEAN]), s = sin(p[LEAN]);
    u[2] = p[R] * s;
    u[4] = p[LEAN];
    u[6] = -p[R] * w;
    u[7] = -p[R] * s * p[TILT];
    u[8] = p[R] * c * p[TILT];
    u[9] = p[OMEGA];
    u[10] = p[TILT];
    u[11] = w - p[OMEGA] * c;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *out)
{
    const real c = cos(q[4]), s = sin(q[4]), spun = p[C] * (a[5] + c * a[3]);
    for (int i = 0; i < 3; i++)
        out[i] = p[M] * a[i];
    out[3] = p[A] * s * s * a[3] + c * spun;
    out[4] = p[A] * a[4];
    out[5] = spun;
}

/* Gravity, and what d/dt dT/dq' - dT/dq has beside M a */
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const real c = cos(q[4]), s = sin(q[4]);
    f[0] = f[1] = (real){0};
    f[2] = -p[M] * p[G];
    f[3] = v[4] * s * (p[C] * v[5] - 2 * (p[A] - p[C]) * c * v[3]);
    f[4] = s * v[3] * ((p[A] - p[C]) * c * v[3] - p[C] * v[5]);
    f[5] = p[C] * s * v[4] * v[3];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = q[2] - p[R] * sin(q[4]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *out)
{
    const real rolls = p[R] * (v[3] * cos(q[4]) + v[5]), falls = p[R] * v[4] * sin(q[4]);
    out[0] = v[2] - p[R] * cos(q[4]) * v[4];
    out[1] = v[0] + rolls * cos(q[3]) - falls * sin(q[3]);
    out[2] = v[1] + rolls * sin(q[3]) + falls * cos(q[3]);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *out)
{
    const real c = cos(q[4]), s = sin(q[4]);
    const real rolls = p[R] * (v[3] * c + v[5]), falls = p[R] * v[4] * s;
    const real drolls = p[R] * (a[3] * c - v[3] * s * v[4] + a[5]);
    const real dfalls = p[R] * (a[4] * s + v[4] * v[4] * c);
    out[0] = a[2] - p[R] * (c * a[4] - s * v[4] * v[4]);
    out[1] = a[0] + (drolls - falls * v[3]) * cos(q[3]) - (dfalls + rolls * v[3]) * sin(q[3]);
    out[2] = a[1] + (drolls - falls * v[3]) * sin(q[3]) + (dfalls + rolls * v[3]) * cos(q[3]);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *l, real *out)
{
    const real c = cos(q[4]), s = sin(q[4]);
    const real along = p[R] * (l[1] * cos(q[3]) + l[2] * sin(q[3]));
    const real aside = p[R] * (l[2] * cos(q[3]) - l[1] * sin(q[3]));
    out[0] = l[1];
    out[1] = l[2];
    out[2] = l[0];
    out[3] = c * along;
    out[4] = s * aside - p[R] * c * l[0];
    out[5] = along;
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    const real s = sin(q[4]), w = v[5] + cos(q[4]) * v[3];
    h[0] = (p[M] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + p[A] * (v[4] * v[4] + s * s * v[3] * v[3])
            + p[C] * w * w) / 2 + p[M] * p[G] * q[2];
}
#endif
