/* driven_bead - a bead on a rail driven by f = F sin(2 pi t), which vanishes where the interval begins
 *
 * There a double has sin(2 pi t) = -4.9e-16 by the rounding of 2 pi alone: no digit of f is right, and no
 * program of doubles has one.
 */
#ifndef DAE_PASS
enum { M, F };
#include <daelab/model.h>

static void partials(const double *p, double t, const double *q, const double *v, const double *a,
                     const double *lambda, dae_partials *d)
{
    const double w = 2 * DAE_PI_DOUBLE;
    d->f[0] = p[F] * sin(w * t);
    d->f[1] = 0;
    d->f_t[0] = w * p[F] * cos(w * t);
    d->G[1] = 1;
}

const dae_problem dae_driven_bead = {
    .name = "driven_bead", .title = "a bead on a rail, driven by a sine of the time",
    .equations = "m x'' = F sin(2 pi t),  m y'' = -N,  0 = y",
    .variables = "x y vx vy N", .units = "m m m/s m/s N",
    .parameters = {{"m", 1, "kg", "mass", DAE_POSITIVE}, {"F", 1, "N", "amplitude", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL, .partials = partials},
    .start = DAE_MODEL(start), .t0 = 2, .t_end = 4};
#else

static void FN(start)(const param *p, real *u)
{
    u[2] = p[F] / p[M];
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = p[F] * sin(2 * PI * t);
    f[1] = (real){0};
}

static void FN(constraint)(const param *p, real t, const real *q, real *g) { g[0] = q[1]; }

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg) { dg[0] = v[1]; }

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *ddg)
{
    ddg[0] = a[1];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    r[0] = (real){0};
    r[1] = lambda[0];
}
#endif
