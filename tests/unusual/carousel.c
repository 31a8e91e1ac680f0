/* carousel - N masses, each on a circle of its own, in a ring of springs: a problem of any size */
#ifndef DAE_PASS
enum { COUNT, M, R, K };
#include <daelab/model.h>

const dae_problem dae_carousel = {
    .name = "carousel", .title = "masses on circles, coupled by springs", .variables = "x y vx vy N",
    .units = "m m m/s m/s N",
    .parameters = {{"N", 200, "-", "number of masses", DAE_COUNT}, {"m", 0.2, "kg", "mass", DAE_POSITIVE},
                   {"R", 0.5, "m", "radius", DAE_POSITIVE}, {"k", 3, "N/m", "springs", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL, .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start), .t_end = 1};
#else
static void FN(start)(const param *p, real *u)
{
    const int n = dae_count(p[COUNT]);
    for (int i = 0; i < n; i++) {
        u[2 * i] = p[R] * sin(0.1 * i * (p[R] / p[R]));
        u[2 * i + 1] = p[R] * cos(0.1 * i * (p[R] / p[R]));
    }
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 2 * dae_count(p[COUNT]); i++)
        r[i] = p[M] * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const int n = 2 * dae_count(p[COUNT]);
    for (int i = 0; i < n; i++)
        f[i] = p[K] * (q[(i + 2) % n] - 2 * q[i] + q[(i + n - 2) % n]);
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    for (int i = 0; i < dae_count(p[COUNT]); i++, q += 2)
        g[i] = (q[0] * q[0] + q[1] * q[1] - p[R] * p[R]) / (2 * p[R]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    for (int i = 0; i < dae_count(p[COUNT]); i++, q += 2, v += 2)
        r[i] = (q[0] * v[0] + q[1] * v[1]) / p[R];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    for (int i = 0; i < dae_count(p[COUNT]); i++, q += 2, v += 2, a += 2)
        r[i] = (q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]) / p[R];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    for (int i = 0; i < 2 * dae_count(p[COUNT]); i++)
        r[i] = q[i] / p[R] * n[i / 2];
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    const int n = 2 * dae_count(p[COUNT]);
    h[0] = 0;
    for (int i = 0; i < n; i++) {
        const real longer = q[(i + 2) % n] - q[i];
        h[0] += p[M] * v[i] * v[i] / 2 + p[K] * longer * longer / 2;
    }
}
#endif
