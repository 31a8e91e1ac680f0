/* ladder - a uniform rod that slides down with one end on a wall and the other on the floor
 *
 *   m x'' = Nwall                       (x, y) the centre, theta the angle between rod and wall
 *   m y'' = Nfloor - m g                wall x = 0, floor y = 0, both without friction
 *   J theta'' = -Nwall (l/2) cos theta + Nfloor (l/2) sin theta,   J = m l^2/12
 *   0 = (l/2) sin theta - x             the upper end is on the wall
 *   0 = (l/2) cos theta - y             the lower end is on the floor
 *
 * Minimal coordinate theta: theta'' = 3 g/(2 l) sin theta. From rest at theta0
 *
 *   Nwall  = (3/4) m g sin theta (3 cos theta - 2 cos theta0)
 *   Nfloor = (m g/4) ((3 cos theta - cos theta0)^2 + sin^2 theta0)
 *
 * Both constraints hold the ladder from both sides. A real one leaves the wall where Nwall passes
 * zero, cos theta = (2/3) cos theta0; with the default parameters at t = 0.325 s.
 */
#ifndef DAE_PASS
enum { M, L, G, THETA0 };
#include <daelab/drawing.h>
#include <daelab/model.h>

static void partials(const double *p, double t, const double *q, const double *v, const double *a,
                     const double *lambda, dae_partials *d)
{
    const double s = p[L] / 2 * sin(q[2]), c = p[L] / 2 * cos(q[2]), w = v[2];
    d->f[0] = d->f[2] = 0;
    d->f[1] = -p[M] * p[G];
    d->G[0] = d->G[4] = -1;
    d->G[2] = c;
    d->G[5] = -s;
    d->r_q[8] = -s * lambda[0] - c * lambda[1];
    d->rate_q[2] = -s * w;
    d->rate_q[5] = -c * w;
    d->acc_q[2] = -s * a[2] - c * w * w;
    d->acc_q[5] = -c * a[2] + s * w * w;
    d->acc_v[2] = -2 * s * w;
    d->acc_v[5] = -2 * c * w;
}

static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const double dx = p[L] / 2 * sin(x[2]), dy = p[L] / 2 * cos(x[2]);
    dae_draw_wall(out, 0, 0, 0, 1.1 * p[L]);
    dae_draw_wall(out, 0, 0, 1.1 * p[L], 0);
    dae_draw_link(out, x[0] - dx, x[1] + dy, x[0] + dx, x[1] - dy);
    dae_draw_named_body(out, "centre", x[0], x[1], 0.02 * p[L]);
}

const dae_problem dae_ladder = {
    .name = "ladder",
    .title = "ladder that slides down between a wall and a floor",
    .citation = "Kapranidis, Koo (2008), College Math. J. 39, 374-379",
    .equations = "m x'' = Nwall,   m y'' = Nfloor - m g\n"
                 "J theta'' = -Nwall (l/2) cos theta + Nfloor (l/2) sin theta,   J = m l^2/12\n"
                 "0 = (l/2) sin theta - x,   0 = (l/2) cos theta - y\n"
                 "Nwall, Nfloor: forces of the wall and of the floor on the ladder",
    .variables = "x y theta vx vy omega Nwall Nfloor",
    .units = "m m rad m/s m/s rad/s N N",
    .parameters = {
        {"m", 1, "kg", "mass", DAE_POSITIVE},
        {"l", 1, "m", "length of the ladder", DAE_POSITIVE},
        {"g", 9.81, "m/s^2", "gravity", DAE_ANY_VALUE},
        {"theta0", 0.52359877559829887, "rad", "start angle from the wall, at rest",
         DAE_ANY_VALUE},
    },
    .mechanical = {
        .nq = 3, .nl = 2,
        DAE_MECHANICAL_MODEL,
        .energy = DAE_MODEL(energy), .conservative = 1, .partials = partials,
        .minimal = {.n = 1, .acceleration = DAE_MODEL(angular_acceleration),
                    .embed = DAE_MODEL(embed), .chart = DAE_MODEL(chart),
                    .names = "theta omega", .units = "rad rad/s"},
    },
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 0.4,
};

#else

static void FN(start)(const param *p, real *u)
{
    const param s = sin(p[THETA0]), c = cos(p[THETA0]);
    u[0] = p[L] / 2 * s;
    u[1] = p[L] / 2 * c;
    u[2] = p[THETA0];
    u[6] = 0.75 * p[M] * p[G] * s * c;
    u[7] = p[M] * p[G] / 4 * (4 * c * c + s * s);
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * a[1];
    r[2] = p[M] * p[L] * p[L] / 12 * a[2];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = f[2] = (real){0};
    f[1] = -p[M] * p[G];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = p[L] / 2 * sin(q[2]) - q[0];
    g[1] = p[L] / 2 * cos(q[2]) - q[1];
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    dg[0] = p[L] / 2 * cos(q[2]) * v[2] - v[0];
    dg[1] = -p[L] / 2 * sin(q[2]) * v[2] - v[1];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    const real s = sin(q[2]), c = cos(q[2]), square = v[2] * v[2];
    ddg[0] = p[L] / 2 * (c * a[2] - s * square) - a[0];
    ddg[1] = -p[L] / 2 * (s * a[2] + c * square) - a[1];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *N, real *r)
{
    r[0] = -N[0];
    r[1] = -N[1];
    r[2] = p[L] / 2 * (cos(q[2]) * N[0] - sin(q[2]) * N[1]);
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * (v[0] * v[0] + v[1] * v[1]) / 2
           + p[M] * p[L] * p[L] / 24 * v[2] * v[2] + p[M] * p[G] * q[1];
}

static void FN(angular_acceleration)(const param *p, real t, const real *theta, const real *omega,
                                     real *alpha)
{
    alpha[0] = 3 * p[G] / (2 * p[L]) * sin(theta[0]);
}

static void FN(embed)(const param *p, real t, const real *theta, const real *omega, real *u)
{
    const real s = p[L] / 2 * sin(theta[0]), c = p[L] / 2 * cos(theta[0]);
    u[0] = s;
    u[1] = c;
    u[2] = theta[0];
    u[3] = c * omega[0];
    u[4] = -s * omega[0];
    u[5] = omega[0];
}

static void FN(chart)(const param *p, real t, const real *q, const real *v, real *s)
{
    s[0] = q[2];
    s[1] = v[2];
}

#endif
