/* car_axis - the axis of a car on a bumpy road, index 3, constraints that depend on time
 *
 *   K xl'' = (L0 - Ll) xl/Ll        + lam1 xb + 2 lam2 (xl - xr)          yb(t) = r sin(w t)
 *   K yl'' = (L0 - Ll) yl/Ll        + lam1 yb + 2 lam2 (yl - yr) - K g    xb = sqrt(L^2 - yb^2)
 *   K xr'' = (L0 - Lr) (xr - xb)/Lr           - 2 lam2 (xl - xr)          Ll = |(xl, yl)|
 *   K yr'' = (L0 - Lr) (yr - yb)/Lr           - 2 lam2 (yl - yr) - K g    Lr = |(xr-xb, yr-yb)|
 *        0 = xb xl + yb yl                    the left spring is normal to the line of the wheels
 *        0 = (xl - xr)^2 + (yl - yr)^2 - L^2  the axis is rigid;   K = M eps^2/2
 *
 * The left wheel rests in the origin, the right one, at (xb, yb), goes up and down. With
 * g = -(both constraints) the lambda of M v' = f - G^T lambda are those written here. The start
 * satisfies all three levels: the springs have no force, the axis falls freely.
 */
#ifndef DAE_PASS
enum { L, L0, EPS, M, R, W, G };
#include <daelab/drawing.h>
#include <daelab/model.h>

/* Wheels on the road, which goes up and down below the right one, springs, and the axis on them. */
static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const double wheel = 0.06 * p[L], yb = p[R] * sin(p[W] * t), xb = sqrt(p[L] * p[L] - yb * yb);
    dae_draw_wall(out, -0.15 * p[L], -wheel, 0.3 * p[L], -wheel);
    dae_draw_wall(out, 0.3 * p[L], -wheel, 0.7 * p[L], yb - wheel);
    dae_draw_wall(out, 0.7 * p[L], yb - wheel, 1.15 * p[L], yb - wheel);
    dae_draw_spring(out, 0, 0, x[0], x[1], 0.08 * p[L]);
    dae_draw_spring(out, xb, yb, x[2], x[3], 0.08 * p[L]);
    dae_draw_link(out, x[0], x[1], x[2], x[3]);
    dae_draw_named_body(out, "left wheel", 0, 0, wheel);
    dae_draw_named_body(out, "right wheel", xb, yb, wheel);
    dae_draw_named_body(out, "left end", x[0], x[1], wheel / 3);
    dae_draw_named_body(out, "right end", x[2], x[3], wheel / 3);
}

const dae_problem dae_car_axis = {
    .name = "car_axis",
    .title = "axis of a car on a bumpy road, constraints that depend on time",
    .citation = "Schneider (1994), thesis, Geneva; Mazzia, Magherini (2008), Test Set for IVP "
                "Solvers 2.4",
    .equations = "K xl'' = (L0 - Ll) xl/Ll + lam1 xb + 2 lam2 (xl - xr)\n"
                 "K yl'' = (L0 - Ll) yl/Ll + lam1 yb + 2 lam2 (yl - yr) - K g\n"
                 "K xr'' = (L0 - Lr) (xr - xb)/Lr - 2 lam2 (xl - xr)\n"
                 "K yr'' = (L0 - Lr) (yr - yb)/Lr - 2 lam2 (yl - yr) - K g\n"
                 "0 = xb xl + yb yl,   0 = (xl - xr)^2 + (yl - yr)^2 - L^2\n"
                 "yb = r sin(w t), xb = sqrt(L^2 - yb^2), Ll = |(xl, yl)|, "
                 "Lr = |(xr - xb, yr - yb)|, K = M eps^2/2",
    .variables = "xl yl xr yr ul vl ur vr lam1 lam2",
    .units = "- - - - - - - - - -",
    .parameters = {
        {"L", 1, "-", "length of the axis, and of the way between the wheels", DAE_POSITIVE},
        {"L0", 0.5, "-", "length of the springs without force", DAE_POSITIVE},
        {"eps", 0.01, "-", "eps^-2 is the stiffness of the springs", DAE_POSITIVE},
        {"M", 10, "-", "mass of the axis", DAE_POSITIVE},
        {"r", 0.1, "-", "amplitude of the bumps, below L", DAE_ANY_VALUE},
        {"w", 10, "-", "angular frequency of the bumps", DAE_ANY_VALUE},
        {"g", 1, "-", "gravity", DAE_ANY_VALUE},
    },
    .mechanical = {.nq = 4, .nl = 2, DAE_MECHANICAL_MODEL},
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 3,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[1] = u[3] = p[L0];
    u[2] = p[L];
    u[4] = u[6] = -p[R] * p[W] * p[L0] / p[L];
}

/* The right wheel and its derivatives: b[k] = the k-th of (xb, yb), from xb^2 + yb^2 = L^2. */
static void FN(wheel)(const param *p, real t, real b[3][2])
{
    const real w = p[W];
    b[0][1] = p[R] * sin(w * t);
    b[1][1] = p[R] * w * cos(w * t);
    b[2][1] = -w * w * b[0][1];
    b[0][0] = sqrt(p[L] * p[L] - b[0][1] * b[0][1]);
    b[1][0] = -b[0][1] * b[1][1] / b[0][0];
    b[2][0] = -(b[1][1] * b[1][1] + b[0][1] * b[2][1] + b[1][0] * b[1][0]) / b[0][0];
}

static real FN(stiffness)(const param *p) { return p[M] * p[EPS] * p[EPS] / 2; }

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 4; i++)
        r[i] = FN(stiffness)(p) * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    real b[3][2];
    FN(wheel)(p, t, b);
    const real x = q[2] - b[0][0], y = q[3] - b[0][1];
    const real left = p[L0] / sqrt(q[0] * q[0] + q[1] * q[1]) - 1;
    const real right = p[L0] / sqrt(x * x + y * y) - 1, weight = FN(stiffness)(p) * p[G];
    f[0] = left * q[0];
    f[1] = left * q[1] - weight;
    f[2] = right * x;
    f[3] = right * y - weight;
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    real b[3][2];
    FN(wheel)(p, t, b);
    const real x = q[0] - q[2], y = q[1] - q[3];
    g[0] = -(b[0][0] * q[0] + b[0][1] * q[1]);
    g[1] = p[L] * p[L] - x * x - y * y;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    real b[3][2];
    FN(wheel)(p, t, b);
    dg[0] = -(b[1][0] * q[0] + b[0][0] * v[0] + b[1][1] * q[1] + b[0][1] * v[1]);
    dg[1] = -2 * ((q[0] - q[2]) * (v[0] - v[2]) + (q[1] - q[3]) * (v[1] - v[3]));
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    real b[3][2];
    FN(wheel)(p, t, b);
    const real vx = v[0] - v[2], vy = v[1] - v[3];
    ddg[0] = (real){0};
    for (int i = 0; i < 2; i++)
        ddg[0] -= b[2][i] * q[i] + 2 * b[1][i] * v[i] + b[0][i] * a[i];
    ddg[1] = -2 * ((q[0] - q[2]) * (a[0] - a[2]) + (q[1] - q[3]) * (a[1] - a[3])
                   + vx * vx + vy * vy);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    real b[3][2];
    FN(wheel)(p, t, b);
    const real x = 2 * lambda[1] * (q[0] - q[2]), y = 2 * lambda[1] * (q[1] - q[3]);
    r[0] = -lambda[0] * b[0][0] - x;
    r[1] = -lambda[0] * b[0][1] - y;
    r[2] = x;
    r[3] = y;
}

#endif
