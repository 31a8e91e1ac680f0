/* double_pendulum - two point masses on two rigid rods, the second hanging from the first
 *
 *   m1 r1'' = (0, -m1 g) - d1/l1 T1 + d2/l2 T2        d1 = r1,  d2 = r2 - r1 [m], y upwards
 *   m2 r2'' = (0, -m2 g) - d2/l2 T2
 *   |d1|^2 = l1^2,  |d2|^2 = l2^2
 *
 * The constraints are written (|d|^2 - l^2)/(2l): the multipliers are the tensions of the rods. It
 * starts horizontal and at rest. Minimal coordinates: the angles a and b from the downward
 * vertical,
 *
 *   (m1 + m2) l1 a'' + m2 l2 cos(a - b) b'' = -m2 l2 sin(a - b) b'^2 - (m1 + m2) g sin a
 *           l1 cos(a - b) a'' +      l2 b'' =     l1 sin(a - b) a'^2 - g sin b
 */
#ifndef DAE_PASS
enum { M1, M2, L1, L2, G };
#include <daelab/drawing.h>
#include <daelab/model.h>

/* By d(d1 T1/l1 - d2 T2/l2)/dr1 and so on; the rows of a constraint are those of G at d, d' and
 * d''. */
static void rows(const double *p, const double *x, double factor, double *by)
{
    for (int i = 0; i < 2; i++) {
        const double d1 = factor * x[i] / p[L1], d2 = factor * (x[2 + i] - x[i]) / p[L2];
        by[i] = d1;
        by[4 + i] = -d2;
        by[4 + 2 + i] = d2;
    }
}

static void partials(const double *p, double t, const double *q, const double *v, const double *a,
                     const double *lambda, dae_partials *d)
{
    const double s1 = lambda[0] / p[L1], s2 = lambda[1] / p[L2];
    for (int i = 0; i < 2; i++) {
        d->r_q[i * 4 + i] = s1 + s2;
        d->r_q[(2 + i) * 4 + 2 + i] = s2;
        d->r_q[i * 4 + 2 + i] = d->r_q[(2 + i) * 4 + i] = -s2;
    }
    rows(p, q, 1, d->G);
    if (d->level == 0)
        return;
    rows(p, v, 1, d->rate_q);
    rows(p, a, 1, d->acc_q);
    rows(p, v, 2, d->acc_v);
}

static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const double radius = 0.025 * (p[L1] + p[L2]);
    dae_draw_body(out, 0, 0, 0);
    dae_draw_link(out, 0, 0, x[0], x[1]);
    dae_draw_link(out, x[0], x[1], x[2], x[3]);
    dae_draw_named_body(out, "bob", x[0], x[1], radius);
    dae_draw_named_body(out, "bob", x[2], x[3], radius);
}

const dae_problem dae_double_pendulum = {
    .name = "double_pendulum",
    .title = "double pendulum in Cartesian coordinates, starting horizontal and at rest",
    .citation = "Hairer, Wanner (1996), Solving Ordinary Differential Equations II, section VII.1",
    .equations = "m1 r1'' = (0, -m1 g) - r1/l1 T1 + (r2 - r1)/l2 T2\n"
                 "m2 r2'' = (0, -m2 g) - (r2 - r1)/l2 T2\n"
                 "0 = (|r1|^2 - l1^2)/(2 l1),  0 = (|r2 - r1|^2 - l2^2)/(2 l2)",
    .variables = "x1 y1 x2 y2 vx1 vy1 vx2 vy2 T1 T2",
    .units = "m m m m m/s m/s m/s m/s N N",
    .parameters = {
        {"m1", 1, "kg", "first mass", DAE_POSITIVE},
        {"m2", 1, "kg", "second mass", DAE_POSITIVE},
        {"l1", 1, "m", "length of the first rod", DAE_POSITIVE},
        {"l2", 1, "m", "length of the second rod", DAE_POSITIVE},
        {"g", 9.8, "m/s^2", "gravity", DAE_ANY_VALUE},
    },
    .mechanical = {
        .nq = 4, .nl = 2,
        DAE_MECHANICAL_MODEL,
        .energy = DAE_MODEL(energy), .conservative = 1, .partials = partials,
        .minimal = {.n = 2, .acceleration = DAE_MODEL(angular_acceleration),
                    .embed = DAE_MODEL(embed), .chart = DAE_MODEL(chart),
                    .names = "a b a' b'", .units = "rad rad rad/s rad/s"},
    },
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 2,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[0] = p[L1];
    u[2] = p[L1] + p[L2];
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M1] * a[0];
    r[1] = p[M1] * a[1];
    r[2] = p[M2] * a[2];
    r[3] = p[M2] * a[3];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = f[2] = (real){0};
    f[1] = -p[M1] * p[G];
    f[3] = -p[M2] * p[G];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const real x = q[2] - q[0], y = q[3] - q[1];
    g[0] = (q[0] * q[0] + q[1] * q[1] - p[L1] * p[L1]) / (2 * p[L1]);
    g[1] = (x * x + y * y - p[L2] * p[L2]) / (2 * p[L2]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = (q[0] * v[0] + q[1] * v[1]) / p[L1];
    r[1] = ((q[2] - q[0]) * (v[2] - v[0]) + (q[3] - q[1]) * (v[3] - v[1])) / p[L2];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *r)
{
    const real x = v[2] - v[0], y = v[3] - v[1];
    r[0] = (q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]) / p[L1];
    r[1] = ((q[2] - q[0]) * (a[2] - a[0]) + (q[3] - q[1]) * (a[3] - a[1]) + x * x + y * y) / p[L2];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *tension, real *r)
{
    const real s1 = tension[0] / p[L1], s2 = tension[1] / p[L2];
    r[2] = (q[2] - q[0]) * s2;
    r[3] = (q[3] - q[1]) * s2;
    r[0] = q[0] * s1 - r[2];
    r[1] = q[1] * s1 - r[3];
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M1] * (v[0] * v[0] + v[1] * v[1]) / 2 + p[M2] * (v[2] * v[2] + v[3] * v[3]) / 2
           + p[M1] * p[G] * q[1] + p[M2] * p[G] * q[3];
}

static void FN(angular_acceleration)(const param *p, real t, const real *s, const real *w,
                                     real *out)
{
    const real sine = sin(s[0] - s[1]), cosine = cos(s[0] - s[1]), m = p[M1] + p[M2];
    const real A = -p[M2] * p[L2] * sine * w[1] * w[1] - m * p[G] * sin(s[0]);
    const real B = p[L1] * sine * w[0] * w[0] - p[G] * sin(s[1]);
    const real det = m - p[M2] * cosine * cosine;
    out[0] = (A - p[M2] * cosine * B) / (p[L1] * det);
    out[1] = (m * B - cosine * A) / (p[L2] * det);
}

static void FN(embed)(const param *p, real t, const real *s, const real *w, real *u)
{
    u[0] = p[L1] * sin(s[0]);
    u[1] = -p[L1] * cos(s[0]);
    u[2] = u[0] + p[L2] * sin(s[1]);
    u[3] = u[1] - p[L2] * cos(s[1]);
    u[4] = p[L1] * cos(s[0]) * w[0];
    u[5] = p[L1] * sin(s[0]) * w[0];
    u[6] = u[4] + p[L2] * cos(s[1]) * w[1];
    u[7] = u[5] + p[L2] * sin(s[1]) * w[1];
}

static void FN(chart)(const param *p, real t, const real *q, const real *v, real *s)
{
    const real x = q[2] - q[0], y = q[3] - q[1];
    s[0] = atan2(q[0], -q[1]);
    s[1] = atan2(x, -y);
    s[2] = (q[0] * v[1] - q[1] * v[0]) / (q[0] * q[0] + q[1] * q[1]);
    s[3] = (x * (v[3] - v[1]) - y * (v[2] - v[0])) / (x * x + y * y);
}

#endif
