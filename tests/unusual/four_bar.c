/* four_bar - crank, coupler and rocker close a loop: M(q) in three angles, two constraints, nearly a rhombus
 *
 * Bars of lengths l1, l2, l3 with point masses at the joints A = l1 e(a) and B = A + l2 e(b) only:
 * T = m |A'|^2/2 + m |B'|^2/2; the rocker l3 e(c) ends at B - D, D = (d, 0).
 */
#ifndef DAE_PASS
enum { M, L1, L2, L3, D, G };
#include <daelab/model.h>

const dae_problem dae_four_bar = {
    .name = "four_bar", .title = "a four-bar mechanism",
    .parameters = {{"m", 1.5, "kg", "masses of the joints", DAE_POSITIVE}, {"l1", 1, "m", "", DAE_POSITIVE},
                   {"l2", 1.1, "m", "", DAE_POSITIVE}, {"l3", 1.05, "m", "", DAE_POSITIVE},
                   {"d", 1.02, "m", "", DAE_POSITIVE}, {"g", 9.81, "m/s^2", ""}},
    .mechanical = {.nq = 3, .nl = 2, .mass = DAE_MASS_VARIES, DAE_MECHANICAL_MODEL,
                   .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start), .t_end = 1};
#else
/* The rocker has a small inertia of its own, m l3^2/100. */
static void FN(start)(const param *p, real *u)
{
    u[0] = 1.2;
    u[1] = 0.018;
    u[2] = 1.136;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    const real mix = p[M] * p[L1] * p[L2] * cos(q[0] - q[1]);
    r[0] = 2 * p[M] * p[L1] * p[L1] * a[0] + mix * a[1];
    r[1] = mix * a[0] + p[M] * p[L2] * p[L2] * a[1];
    r[2] = p[M] * p[L3] * p[L3] / 100 * a[2];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const real mix = p[M] * p[L1] * p[L2] * sin(q[0] - q[1]);
    f[0] = -mix * v[1] * v[1] - 2 * p[M] * p[G] * p[L1] * cos(q[0]);
    f[1] = mix * v[0] * v[0] - p[M] * p[G] * p[L2] * cos(q[1]);
    f[2] = 0;
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = p[L1] * cos(q[0]) + p[L2] * cos(q[1]) - p[L3] * cos(q[2]) - p[D];
    g[1] = p[L1] * sin(q[0]) + p[L2] * sin(q[1]) - p[L3] * sin(q[2]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = -p[L1] * sin(q[0]) * v[0] - p[L2] * sin(q[1]) * v[1] + p[L3] * sin(q[2]) * v[2];
    r[1] = p[L1] * cos(q[0]) * v[0] + p[L2] * cos(q[1]) * v[1] - p[L3] * cos(q[2]) * v[2];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    const param l[3] = {p[L1], p[L2], -p[L3]};
    r[0] = r[1] = 0;
    for (int i = 0; i < 3; i++) {
        r[0] -= l[i] * (sin(q[i]) * a[i] + cos(q[i]) * v[i] * v[i]);
        r[1] += l[i] * (cos(q[i]) * a[i] - sin(q[i]) * v[i] * v[i]);
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    const param l[3] = {p[L1], p[L2], -p[L3]};
    for (int i = 0; i < 3; i++)
        r[i] = l[i] * (cos(q[i]) * n[1] - sin(q[i]) * n[0]);
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    const real c = cos(q[0] - q[1]);
    h[0] = p[M] * (p[L1] * p[L1] * v[0] * v[0] + p[L2] * p[L2] * v[1] * v[1] / 2
                   + p[L1] * p[L2] * c * v[0] * v[1] + p[L3] * p[L3] / 200 * v[2] * v[2])
           + p[M] * p[G] * (2 * p[L1] * sin(q[0]) + p[L2] * sin(q[1]));
}
#endif
