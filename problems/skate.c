/* skate - a knife edge that slides without friction on an inclined plane, and not sideways
 *
 *   m x'' = m g sin(slope) - sin(phi) N,   m y'' = cos(phi) N,   J phi'' = 0
 *   0 = x' sin(phi) - y' cos(phi)
 *
 * q = (x, y, phi): x [m] down the plane, y [m] across it, phi [rad] from x to the edge; N [N] the force of
 * the plane on the edge, from its left side to its right. The constraint is nonholonomic: the skate comes to any
 * (x, y, phi), but moves only along its edge, with u = x' cos(phi) + y' sin(phi). With phi = phi0 + w t
 *
 *   u = u0 + g sin(slope)/w (sin(phi) - sin(phi0)),   N = m (w u + g sin(slope) sin(phi))
 *
 * and let go with u0 = phi0 = 0 it does not slide down but sideways, on a cycloid:
 *
 *   x = a (1 - cos(2 w t)),  y = a (2 w t - sin(2 w t)),  a = g sin(slope)/(4 w^2)
 */
#ifndef DAE_PASS
enum { M, J, G, SLOPE, LENGTH, PHI0, U0, W0 };
#include <daelab/drawing.h>
#include <daelab/model.h>

static void partials(const double *p, double t, const double *q, const double *v, const double *a,
                     const double *lambda, dae_partials *d)
{
    const double c = cos(q[2]), s = sin(q[2]), along = v[0] * c + v[1] * s;
    d->f[0] = p[M] * p[G] * sin(p[SLOPE]);
    d->f[1] = d->f[2] = 0;
    d->r_q[2] = lambda[0] * c;
    d->r_q[5] = lambda[0] * s;
    d->G[0] = s;
    d->G[1] = -c;
    d->rate_q[2] = along;
    d->acc_q[2] = a[0] * c + a[1] * s - v[2] * (v[0] * s - v[1] * c);
    d->acc_v[0] = v[2] * c;
    d->acc_v[1] = v[2] * s;
    d->acc_v[2] = along;
}

/* Seen along the normal of the plane, which falls downwards: (x, y) at (y, -x). */
static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const double c = cos(x[2]) * p[LENGTH] / 2, s = sin(x[2]) * p[LENGTH] / 2;
    dae_draw_wall(out, -p[LENGTH], 0, p[LENGTH], 0);
    dae_draw_link(out, x[1] - s, -x[0] + c, x[1] + s, -x[0] - c);
    dae_draw_named_body(out, "skate", x[1], -x[0], 0.08 * p[LENGTH]);
}

const dae_problem dae_skate = {
    .name = "skate",
    .title = "knife edge on an inclined plane, which slides sideways",
    .citation = "Neimark, Fufaev (1972), Dynamics of Nonholonomic Systems, Transl. Math. Monogr. 33; "
                "Bloch (2003), Nonholonomic Mechanics and Control, section 1.6",
    .equations = "m x'' = m g sin(slope) - sin(phi) N,   m y'' = cos(phi) N,   J phi'' = 0\n"
                 "0 = x' sin(phi) - y' cos(phi), nonholonomic;  N the force of the plane on the edge\n"
                 "conserved: the energy and the spin J phi'",
    .variables = "x y phi vx vy omega N",
    .units = "m m rad m/s m/s rad/s N",
    .parameters = {
        {"m", 1, "kg", "mass", DAE_POSITIVE},
        {"J", 0.05, "kg.m^2", "moment of inertia about the contact", DAE_POSITIVE},
        {"g", 9.81, "m/s^2", "gravity", DAE_ANY_VALUE},
        {"slope", 0.3, "rad", "angle of the plane", DAE_ANY_VALUE},
        {"length", 0.3, "m", "of the edge, for the picture", DAE_POSITIVE},
        {"phi0", 0, "rad", "start direction", DAE_ANY_VALUE},
        {"u0", 0, "m/s", "start velocity along the edge", DAE_ANY_VALUE},
        {"omega0", 2, "rad/s", "start spin", DAE_ANY_VALUE},
    },
    .mechanical = {
        .nq = 3, .nl = 1, .nonholonomic = 1,
        .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force), .rate = DAE_MODEL(rate),
        .acceleration = DAE_MODEL(acceleration), .reaction = DAE_MODEL(reaction),
        .energy = DAE_MODEL(energy), .conservative = 1, .partials = partials,
    },
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 3,
    .invariants = {.n = 2, .value = DAE_MODEL(invariants), .names = "energy spin",
                   .units = "J kg.m^2/s"},
};

#else

static void FN(start)(const param *p, real *u)
{
    u[2] = p[PHI0];
    u[3] = p[U0] * cos(p[PHI0]);
    u[4] = p[U0] * sin(p[PHI0]);
    u[5] = p[W0];
    u[6] = p[M] * (p[W0] * p[U0] + p[G] * sin(p[SLOPE]) * sin(p[PHI0]));
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * a[1];
    r[2] = p[J] * a[2];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = p[M] * p[G] * sin(p[SLOPE]);
    f[1] = f[2] = (real){0};
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *across)
{
    across[0] = v[0] * sin(q[2]) - v[1] * cos(q[2]);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *across)
{
    const real c = cos(q[2]), s = sin(q[2]);
    across[0] = a[0] * s - a[1] * c + v[2] * (v[0] * c + v[1] * s);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *force, real *r)
{
    r[0] = sin(q[2]) * force[0];
    r[1] = -cos(q[2]) * force[0];
    r[2] = (real){0};
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * (v[0] * v[0] + v[1] * v[1]) / 2 + p[J] * v[2] * v[2] / 2
           - p[M] * p[G] * sin(p[SLOPE]) * q[0];
}

static void FN(invariants)(const param *p, real t, const real *x, real *I)
{
    FN(energy)(p, t, x, x + 3, I);
    I[1] = p[J] * x[5];
}

#endif
