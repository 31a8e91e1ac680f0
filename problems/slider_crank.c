/* slider_crank - a crank, a rod and a slider on the x axis: a mass matrix that depends on the state
 *
 * q = (phi, psi), the angles of crank and rod from the x axis; the crank turns about the origin,
 * the joint is at l1 (cos phi, sin phi), the slider at l1 cos phi + l2 cos psi. Crank and rod are
 * uniform, of masses m1 and m2; m3 is the slider's. M(q) v' = f - G^T lambda with
 *
 *   M11 = (m1/3 + m2) l1^2 + m3 l1^2 sin^2 phi       M22 = m2 l2^2/3 + m3 l2^2 sin^2 psi
 *   M12 = m2 l1 l2 cos(phi - psi)/2 + m3 l1 l2 sin phi sin psi
 *   0 = l1 sin phi + l2 sin psi                      lambda the force of the guide [N]
 *
 * and f the rest of Lagrange's equations. Data of the rigid mechanism: Simeon (1996), Mathematical
 * Modelling of Systems 2, 1-18, doi 10.1080/13873959608837026.
 */
#ifndef DAE_PASS
enum { L1, L2, M1, M2, M3, G, OMEGA };
#include <daelab/drawing.h>
#include <daelab/model.h>

/* The slider passes between two walls. */
static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const double jx = p[L1] * cos(x[0]), jy = p[L1] * sin(x[0]), half = 0.12 * p[L1];
    const double sx = jx + p[L2] * cos(x[1]), sy = jy + p[L2] * sin(x[1]);
    const double end = p[L1] + p[L2] + half, begin = p[L2] > p[L1] ? p[L2] - p[L1] - half : -end;
    dae_draw_wall(out, begin, half, end, half);
    dae_draw_wall(out, begin, -half, end, -half);
    dae_draw_body(out, 0, 0, 0);
    dae_draw_link(out, 0, 0, jx, jy);
    dae_draw_link(out, jx, jy, sx, sy);
    dae_draw_named_body(out, "joint", jx, jy, half / 2);
    dae_draw_named_body(out, "slider", sx, sy, half);
}

const dae_problem dae_slider_crank = {
    .name = "slider_crank",
    .title = "rigid slider-crank in angles, its mass matrix depending on them",
    .citation = "Simeon (1996), Mathematical Modelling of Systems 2, 1-18",
    .equations = "M(phi, psi) (phi'', psi'')^T = f - G^T lambda\n"
                 "0 = l1 sin phi + l2 sin psi,  lambda the force of the guide",
    .variables = "phi psi phi' psi' lambda",
    .units = "rad rad rad/s rad/s N",
    .parameters = {
        {"l1", 0.15, "m", "length of the crank", DAE_POSITIVE},
        {"l2", 0.3, "m", "length of the rod", DAE_POSITIVE},
        {"m1", 0.36, "kg", "mass of the crank", DAE_POSITIVE},
        {"m2", 0.151104, "kg", "mass of the rod", DAE_POSITIVE},
        {"m3", 0.075552, "kg", "mass of the slider", DAE_POSITIVE},
        {"g", 0, "m/s^2", "gravity, downwards", DAE_ANY_VALUE},
        {"omega0", 150, "rad/s", "start velocity of the crank", DAE_ANY_VALUE},
    },
    .mechanical = {.nq = 2, .nl = 1, .mass = DAE_MASS_VARIES, DAE_MECHANICAL_MODEL,
                   .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 0.1,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[2] = p[OMEGA];
    u[3] = -p[L1] / p[L2] * p[OMEGA];
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    const real s1 = p[L1] * sin(q[0]), s2 = p[L2] * sin(q[1]), l1 = p[L1], l2 = p[L2];
    const real slider = p[M3] * (s1 * a[0] + s2 * a[1]);
    const real joint = p[M2] * l1 * l2 / 2 * cos(q[0] - q[1]);
    r[0] = (p[M1] / 3 + p[M2]) * l1 * l1 * a[0] + joint * a[1] + s1 * slider;
    r[1] = p[M2] * l2 * l2 / 3 * a[1] + joint * a[0] + s2 * slider;
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const real s1 = p[L1] * sin(q[0]), s2 = p[L2] * sin(q[1]), l1 = p[L1], l2 = p[L2];
    const real c1 = p[L1] * cos(q[0]), c2 = p[L2] * cos(q[1]);
    const real slider = p[M3] * (c1 * v[0] * v[0] + c2 * v[1] * v[1]);
    const real joint = p[M2] * l1 * l2 / 2 * sin(q[0] - q[1]);
    f[0] = -joint * v[1] * v[1] - s1 * slider - p[G] * c1 * (p[M1] / 2 + p[M2]);
    f[1] = joint * v[0] * v[0] - s2 * slider - p[G] * c2 * p[M2] / 2;
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = p[L1] * sin(q[0]) + p[L2] * sin(q[1]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = p[L1] * cos(q[0]) * v[0] + p[L2] * cos(q[1]) * v[1];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *r)
{
    r[0] = p[L1] * (cos(q[0]) * a[0] - sin(q[0]) * v[0] * v[0])
           + p[L2] * (cos(q[1]) * a[1] - sin(q[1]) * v[1] * v[1]);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *guide, real *r)
{
    r[0] = p[L1] * cos(q[0]) * guide[0];
    r[1] = p[L2] * cos(q[1]) * guide[0];
}

/* v^T M v/2 and the potential of crank and rod */
static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    real Mv[2];
    FN(inertia)(p, t, q, v, Mv);
    h[0] = (v[0] * Mv[0] + v[1] * Mv[1]) / 2
           + p[G] * (p[L1] * sin(q[0]) * (p[M1] / 2 + p[M2])
                     + p[L2] * sin(q[1]) * p[M2] / 2);
}

#endif
