/* pendulum - a mass on a rigid rope in Cartesian coordinates, gravity varying in time
 *
 *   m x'' = -(x/L) T              q = (x, y) [m], v = (vx, vy) [m/s], lambda = (T) [N]
 *   m y'' = -(y/L) T - m g(t)     g(t) = g0 + g1 sin(2 pi f t) [m/s^2]
 *   x^2 + y^2 = L^2               y upwards, the pivot at the origin
 *
 * The constraint is written (x^2 + y^2 - L^2)/(2L): G^T = (x, y)/L, so that the multiplier is the
 * tension of the rope, and near the circle g is the error of its length.
 * Minimal coordinates: theta from the downward vertical, L theta'' = -g(t) sin theta.
 */
#ifndef DAE_PASS
enum { M, L, G0, G1, FREQUENCY, X0, Y0, VX0, VY0, T0 };
#include <daelab/drawing.h>
#include <daelab/model.h>

static void partials(const double *p, double t, const double *q, const double *v, const double *a,
                     const double *lambda, dae_partials *d)
{
    const double w = 2 * DAE_PI_DOUBLE * p[FREQUENCY], over = 1 / p[L];
    const double mass = p[M], s = p[G1] * sin(w * t), c = p[G1] * cos(w * t);
    d->f[0] = 0;
    d->f[1] = -mass * (p[G0] + s);
    d->f_t[1] = -mass * w * c;
    d->r_q[0] = d->r_q[3] = over * lambda[0];           /* d(q T/L)/dq = (T/L) I */
    d->G[0] = over * q[0];
    d->G[1] = over * q[1];
    for (int i = 0; d->level > 0 && i < 2; i++) {
        d->rate_q[i] = over * v[i];
        d->acc_q[i] = over * a[i];
        d->acc_v[i] = 2 * over * v[i];
    }
}

static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    dae_draw_body(out, 0, 0, 0);
    dae_draw_link(out, 0, 0, x[0], x[1]);
    dae_draw_named_body(out, "bob", x[0], x[1], 0.04 * p[L]);
}

const dae_problem dae_pendulum = {
    .name = "pendulum",
    .title = "pendulum on a rigid rope, gravity varying in time",
    .citation = "Hairer, Wanner (1996), Solving Ordinary Differential Equations II, section VII.1",
    .equations = "m x'' = -(x/L) T\n"
                 "m y'' = -(y/L) T - m g(t),   g(t) = g0 + g1 sin(2 pi f t)\n"
                 "0 = (x^2 + y^2 - L^2)/(2L),  T the tension of the rope",
    .variables = "x y vx vy T",
    .units = "m m m/s m/s N",
    .parameters = {
        {"m", 1, "kg", "mass", DAE_POSITIVE},
        {"L", 5, "m", "length of the rope", DAE_POSITIVE},
        {"g0", 9.81, "m/s^2", "mean gravity", DAE_ANY_VALUE},
        {"g1", 0.05, "m/s^2", "amplitude of the change of gravity", DAE_ANY_VALUE},
        {"frequency", 1, "Hz", "frequency f of the change of gravity", DAE_ANY_VALUE},
        {"x0", 3, "m", "start position, to the right", DAE_ANY_VALUE},
        {"y0", -4, "m", "start position, upwards", DAE_ANY_VALUE},
        {"vx0", 0, "m/s", "start velocity, to the right", DAE_ANY_VALUE},
        {"vy0", 0, "m/s", "start velocity, upwards", DAE_ANY_VALUE},
        {"T0", 0, "N", "guess of the tension at the start", DAE_ANY_VALUE},
    },
    .mechanical = {
        .nq = 2, .nl = 1,
        DAE_MECHANICAL_MODEL,
        .energy = DAE_MODEL(energy), .conservative = 1, .partials = partials,
        .minimal = {.n = 1, .acceleration = DAE_MODEL(angular_acceleration),
                    .embed = DAE_MODEL(embed), .chart = DAE_MODEL(chart),
                    .names = "theta omega", .units = "rad rad/s"},
        .square = "on a circle |v + c q|^2 = |v|^2 + c^2 |q|^2, as q^T v = 0, and gravity does not "
                  "see v",
    },
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 2,
};

#else

static void FN(start)(const param *p, real *u)
{
    for (int i = 0; i < 5; i++)
        u[i] = p[X0 + i];
}

static real FN(gravity)(const param *p, real t)
{
    return p[G0] + p[G1] * sin(2 * PI * p[FREQUENCY] * t);
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = (real){0};
    f[1] = -p[M] * FN(gravity)(p, t);
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = (q[0] * q[0] + q[1] * q[1] - p[L] * p[L]) / (2 * p[L]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    const param over = 1 / p[L];
    dg[0] = over * (q[0] * v[0] + q[1] * v[1]);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    const param over = 1 / p[L];
    ddg[0] = over * (v[0] * v[0] + v[1] * v[1] + (q[0] * a[0] + q[1] * a[1]));
}

static void FN(reaction)(const param *p, real t, const real *q, const real *tension, real *r)
{
    const real pull = tension[0] / p[L];
    r[0] = pull * q[0];
    r[1] = pull * q[1];
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * (v[0] * v[0] + v[1] * v[1]) / 2 + p[M] * FN(gravity)(p, t) * q[1];
}

static void FN(angular_acceleration)(const param *p, real t, const real *theta, const real *omega,
                                     real *alpha)
{
    alpha[0] = -FN(gravity)(p, t) / p[L] * sin(theta[0]);
}

static void FN(embed)(const param *p, real t, const real *theta, const real *omega, real *u)
{
    const real s = sin(theta[0]), c = cos(theta[0]);
    u[0] = p[L] * s;
    u[1] = -p[L] * c;
    u[2] = p[L] * c * omega[0];
    u[3] = p[L] * s * omega[0];
}

static void FN(chart)(const param *p, real t, const real *q, const real *v, real *s)
{
    s[0] = atan2(q[0], -q[1]);
    s[1] = (q[0] * v[1] - q[1] * v[0]) / (q[0] * q[0] + q[1] * q[1]);
}

#endif
