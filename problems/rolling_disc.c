/* rolling_disc - an upright disc that rolls on an inclined plane without slipping
 *
 *   m x'' = m g sin(slope) - X,   m y'' = -Y
 *   I phi'' = 0,   J theta'' = r (cos(phi) X + sin(phi) Y)
 *   0 = x' - r theta' cos(phi),   0 = y' - r theta' sin(phi)
 *
 * q = (x, y, phi, theta): x [m] down the plane, y [m] across it, phi [rad] the heading from x, theta [rad] the
 * angle of rolling; X, Y [N] the friction that the disc exerts on the plane. Both constraints are
 * nonholonomic: by rolling the disc comes to any (x, y, phi, theta). With phi = phi0 + w t and the
 * velocity u = r theta' of its centre
 *
 *   (m + J/r^2) u' = m g sin(slope) cos(phi),   u = u0 + b (sin(phi) - sin(phi0))/w
 *   b = g sin(slope)/(1 + J/(m r^2))
 *   x = x0 + (u0/w - b sin(phi0)/w^2) (sin(phi) - sin(phi0)) + b (sin(phi)^2 - sin(phi0)^2)/(2 w^2)
 *
 * so that it does not roll down the plane in the mean, but along it.
 */
#ifndef DAE_PASS
enum { M, R, I, J, G, SLOPE, PHI0, U0, W0 };
#include <daelab/drawing.h>
#include <daelab/model.h>

/* Seen along the normal of the plane, which falls downwards: (x, y) at (y, -x), the disc from above. */
static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const double c = cos(x[2]), s = sin(x[2]);
    dae_draw_wall(out, -p[R], 0, p[R], 0);
    dae_draw_link(out, x[1] - p[R] * s, -x[0] + p[R] * c, x[1] + p[R] * s, -x[0] - p[R] * c);
    dae_draw_named_body(out, "centre", x[1], -x[0], 0.15 * p[R]);
}

const dae_problem dae_rolling_disc = {
    .name = "rolling_disc",
    .title = "upright disc that rolls on an inclined plane",
    .citation = "Neimark, Fufaev (1972), Dynamics of Nonholonomic Systems, Transl. Math. Monogr. 33; "
                "Bloch (2003), Nonholonomic Mechanics and Control, section 1.4",
    .equations = "m x'' = m g sin(slope) - X,   m y'' = -Y\n"
                 "I phi'' = 0,   J theta'' = r (cos(phi) X + sin(phi) Y)\n"
                 "0 = x' - r theta' cos(phi),   0 = y' - r theta' sin(phi), both nonholonomic\n"
                 "X, Y the friction of the disc on the plane; conserved: the energy and the spin I phi'",
    .variables = "x y phi theta vx vy omega rolling X Y",
    .units = "m m rad rad m/s m/s rad/s rad/s N N",
    .parameters = {
        {"m", 2, "kg", "mass", DAE_POSITIVE},
        {"r", 0.2, "m", "radius", DAE_POSITIVE},
        {"I", 0.02, "kg.m^2", "moment of inertia about the normal of the plane", DAE_POSITIVE},
        {"J", 0.04, "kg.m^2", "moment of inertia about the axle", DAE_POSITIVE},
        {"g", 9.81, "m/s^2", "gravity", DAE_ANY_VALUE},
        {"slope", 0.2, "rad", "angle of the plane", DAE_ANY_VALUE},
        {"phi0", 0.5, "rad", "start heading", DAE_ANY_VALUE},
        {"u0", 1, "m/s", "start velocity of the centre", DAE_ANY_VALUE},
        {"omega0", 1.5, "rad/s", "start spin", DAE_ANY_VALUE},
    },
    .mechanical = {
        .nq = 4, .nl = 2, .nonholonomic = 2,
        .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force), .rate = DAE_MODEL(rate),
        .acceleration = DAE_MODEL(acceleration), .reaction = DAE_MODEL(reaction),
        .energy = DAE_MODEL(energy), .conservative = 1,
    },
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 4,
    .invariants = {.n = 2, .value = DAE_MODEL(invariants), .names = "energy spin",
                   .units = "J kg.m^2/s"},
};

#else

/* X and Y of the closed form */
static void FN(start)(const param *p, real *u)
{
    const real c = cos(p[PHI0]), s = sin(p[PHI0]);
    const real pull = p[G] * sin(p[SLOPE]);
    const real b = pull / (1 + p[J] / (p[M] * p[R] * p[R])) * c;
    u[2] = p[PHI0];
    u[4] = p[U0] * c;
    u[5] = p[U0] * s;
    u[6] = p[W0];
    u[7] = p[U0] / p[R];
    u[8] = p[M] * (pull - b * c + p[U0] * p[W0] * s);
    u[9] = -p[M] * (b * s + p[U0] * p[W0] * c);
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *out)
{
    out[0] = p[M] * a[0];
    out[1] = p[M] * a[1];
    out[2] = p[I] * a[2];
    out[3] = p[J] * a[3];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = p[M] * p[G] * sin(p[SLOPE]);
    f[1] = f[2] = f[3] = (real){0};
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *slip)
{
    slip[0] = v[0] - p[R] * v[3] * cos(q[2]);
    slip[1] = v[1] - p[R] * v[3] * sin(q[2]);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *slip)
{
    const real c = cos(q[2]), s = sin(q[2]);
    slip[0] = a[0] - p[R] * (a[3] * c - v[3] * v[2] * s);
    slip[1] = a[1] - p[R] * (a[3] * s + v[3] * v[2] * c);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *friction, real *out)
{
    out[0] = friction[0];
    out[1] = friction[1];
    out[2] = (real){0};
    out[3] = -p[R] * (cos(q[2]) * friction[0] + sin(q[2]) * friction[1]);
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * (v[0] * v[0] + v[1] * v[1]) / 2 + (p[I] * v[2] * v[2] + p[J] * v[3] * v[3]) / 2
           - p[M] * p[G] * sin(p[SLOPE]) * q[0];
}

static void FN(invariants)(const param *p, real t, const real *x, real *out)
{
    FN(energy)(p, t, x, x + 4, out);
    out[1] = p[I] * x[6];
}

#endif
