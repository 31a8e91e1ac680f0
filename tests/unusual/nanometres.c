/* nanometres - a rod of 5e-9 m with 1e-21 kg at its end, in a field, in SI units: everything is far below 1 */
#ifndef DAE_PASS
enum { M, L, E, X };
#include <daelab/model.h>

const dae_problem dae_nanometres = {
    .name = "nanometres", .title = "a tiny pendulum in a field", .variables = "x y vx vy T",
    .units = "m m m/s m/s N",
    .parameters = {{"m", 1e-21, "kg", "mass", DAE_POSITIVE}, {"L", 5e-9, "m", "length", DAE_POSITIVE},
                   {"E", 3e-17, "N", "force of the field"}, {"x", 3e-9, "m", "start"}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL, .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start), .t_end = 3e-6};
#else
static void FN(start)(const param *p, real *u)
{
    u[0] = p[X];
    u[1] = -sqrt(p[L] * p[L] - p[X] * p[X]);
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = 0;
    f[1] = -p[E];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = q[0] * q[0] + q[1] * q[1] - p[L] * p[L];
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = 2 * (q[0] * v[0] + q[1] * v[1]);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = 2 * (q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = 2 * q[0] * n[0];
    r[1] = 2 * q[1] * n[0];
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * (v[0] * v[0] + v[1] * v[1]) / 2 + p[E] * q[1];
}
#endif
