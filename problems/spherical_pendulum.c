/* spherical_pendulum - a mass on a rigid rope in space
 *
 *   m q'' = -(q/L) T - m g e_z         q = (x, y, z) [m], z upwards, the pivot at the origin
 *   x^2 + y^2 + z^2 = L^2              T the tension of the rope [N]
 *
 * The constraint is written (|q|^2 - L^2)/(2L): G^T = q/L. Conserved are the energy and, because
 * gravity and rope exert no torque about the vertical, m (x vy - y vx).
 * No minimal coordinates: no chart of the sphere covers it.
 */
#ifndef DAE_PASS
enum { M, L, G, X0, Y0, Z0, VX0, VY0, VZ0 };
#include <daelab/drawing.h>
#include <daelab/model.h>

static void partials(const double *p, double t, const double *q, const double *v, const double *a,
                     const double *lambda, dae_partials *d)
{
    const double over = 1 / p[L];
    d->f[0] = d->f[1] = 0;
    d->f[2] = -p[M] * p[G];
    for (int i = 0; i < 3; i++) {
        d->r_q[4 * i] = over * lambda[0];               /* d(q T/L)/dq = (T/L) I */
        d->G[i] = over * q[i];
        d->rate_q[i] = over * v[i];
        d->acc_q[i] = over * a[i];
        d->acc_v[i] = 2 * over * v[i];
    }
}

/* Seen from 20 degrees above the horizontal, against the y axis: (x, y, z) at (x, z c + y s). Below
 * it a circle of radius L on the floor, and the shadow of the mass there. */
static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    enum { SIDES = 60 };
    const double c = 0.93969262078590838, s = 0.34202014332566873, floor = -1.05 * p[L];
    for (int k = 0; k < SIDES; k++) {
        const double a = 2 * DAE_PI_DOUBLE * k / SIDES, b = 2 * DAE_PI_DOUBLE * (k + 1) / SIDES;
        dae_draw_wall(out, p[L] * cos(a), c * floor + s * p[L] * sin(a), p[L] * cos(b),
                      c * floor + s * p[L] * sin(b));
    }
    dae_draw_body(out, 0, 0, 0);
    dae_draw_body(out, x[0], c * floor + s * x[1], 0);
    dae_draw_link(out, 0, 0, x[0], c * x[2] + s * x[1]);
    dae_draw_named_body(out, "bob", x[0], c * x[2] + s * x[1], 0.04 * p[L]);
}

const dae_problem dae_spherical_pendulum = {
    .name = "spherical_pendulum",
    .title = "pendulum on a rigid rope in space",
    .citation = "Landau, Lifshitz (1976), Mechanics, 3rd ed., section 14, problem 1",
    .equations = "m x'' = -(x/L) T,   m y'' = -(y/L) T,   m z'' = -(z/L) T - m g\n"
                 "0 = (x^2 + y^2 + z^2 - L^2)/(2L),  T the tension of the rope\n"
                 "conserved: the energy, and m (x vy - y vx)",
    .variables = "x y z vx vy vz T",
    .units = "m m m m/s m/s m/s N",
    .parameters = {
        {"m", 1, "kg", "mass", DAE_POSITIVE},
        {"L", 5, "m", "length of the rope", DAE_POSITIVE},
        {"g", 9.81, "m/s^2", "gravity", DAE_ANY_VALUE},
        {"x0", 3, "m", "start position", DAE_ANY_VALUE},
        {"y0", 0, "m", "start position", DAE_ANY_VALUE},
        {"z0", -4, "m", "start position, upwards", DAE_ANY_VALUE},
        {"vx0", 0, "m/s", "start velocity", DAE_ANY_VALUE},
        {"vy0", 2, "m/s", "start velocity", DAE_ANY_VALUE},
        {"vz0", 0, "m/s", "start velocity, upwards", DAE_ANY_VALUE},
    },
    .mechanical = {
        .nq = 3, .nl = 1,
        DAE_MECHANICAL_MODEL,
        .energy = DAE_MODEL(energy), .conservative = 1, .partials = partials,
        .square = "on a sphere |v + c q|^2 = |v|^2 + c^2 |q|^2, as q^T v = 0, and gravity does not "
                  "see v",
    },
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 2,
    .invariants = {.n = 2, .value = DAE_MODEL(invariants), .names = "energy momentum",
                   .units = "J kg.m^2/s"},
};

#else

/* T = m (|v|^2 - g z)/L, where q and v satisfy the constraint */
static void FN(start)(const param *p, real *u)
{
    real square = (real){0};
    for (int i = 0; i < 6; i++)
        u[i] = p[X0 + i];
    for (int i = 3; i < 6; i++)
        square += u[i] * u[i];
    u[6] = p[M] * (square - p[G] * u[2]) / p[L];
}

static real FN(dot)(const real *x, const real *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 3; i++)
        r[i] = p[M] * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = f[1] = (real){0};
    f[2] = -p[M] * p[G];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = (FN(dot)(q, q) - p[L] * p[L]) / (2 * p[L]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    dg[0] = FN(dot)(q, v) / p[L];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    ddg[0] = (FN(dot)(q, a) + FN(dot)(v, v)) / p[L];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *tension, real *r)
{
    for (int i = 0; i < 3; i++)
        r[i] = q[i] / p[L] * tension[0];
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * FN(dot)(v, v) / 2 + p[M] * p[G] * q[2];
}

static void FN(invariants)(const param *p, real t, const real *x, real *I)
{
    FN(energy)(p, t, x, x + 3, I);
    I[1] = p[M] * (x[0] * x[4] - x[1] * x[3]);
}

#endif
