/* NAME - a bead that slides on the wire y = A cos(x/B); N is the force of the wire
 *
 *     daelab check ./NAME.c                       do its functions agree with each other?
 *     daelab converge ./NAME.c                    errors and orders of every formulation
 *     daelab solve ./NAME.c --rtol 1e-8 --method radau --plot NAME.svg
 *
 *     q' = v,   M v' = f(t, q, v) - G(t, q)^T lambda,   0 = g(t, q),   G = dg/dq
 *
 * Everything below is yours to change. The functions are compiled for double, dual and quad numbers: a
 * `param` is made of parameters only, a `real` is what the time or the state enters.
 */
#ifndef DAE_PASS
enum { M, A, B, GRAVITY };              /* p[M], p[A], ... below, in the order of .parameters */
#include <daelab/model.h>

const dae_problem dae_NAME = {
    .name = "NAME", .title = "a bead on a wavy wire", .citation = "where the equations come from",
    .equations = "m x'' = -A/B sin(x/B) N,  m y'' = -m g - N,  0 = y - A cos(x/B)",
    .variables = "x y vx vy N", .units = "m m m/s m/s N",       /* positions, velocities, multipliers */
    .parameters = {{"m", 1, "kg", "mass", DAE_POSITIVE},
                   {"A", 1, "m", "height of the waves"},
                   {"B", 0.5, "m", "their length over 2 pi", DAE_POSITIVE},
                   {"g", 9.81, "m/s^2", "gravity"}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL, .energy = DAE_MODEL(energy),
                   .conservative = 1},  /* nothing dissipates energy or adds to it: check finds a wrong force */
    .start = DAE_MODEL(start), .t0 = 0, .t_end = 2};
DAE_PLUGIN_PROBLEMS(&dae_NAME);
#else

/* (q, v, lambda) at t0; what is left out is 0, and multipliers need not be known. */
static void FN(start)(const param *p, real *u)
{
    u[0] = p[B];                        /* a start that is not consistent is moved to the nearest that is */
    u[1] = p[A] * cos(u[0] / p[B]);
}

/* r = M a */
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = 0;
    f[1] = -p[M] * p[GRAVITY];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = q[1] - p[A] * cos(q[0] / p[B]);
}

/* dg/dt */
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = v[1] + p[A] / p[B] * sin(q[0] / p[B]) * v[0];
}

/* d2g/dt2, where a is dv/dt */
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    const real w = v[0] / p[B];
    r[0] = a[1] + p[A] / p[B] * sin(q[0] / p[B]) * a[0] + p[A] * cos(q[0] / p[B]) * w * w;
}

/* r = G^T n; the equations of motion have it with a minus, M v' = f - G^T lambda */
static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = p[A] / p[B] * sin(q[0] / p[B]) * n[0];
    r[1] = n[0];
}

/* Not needed; with it drift shows how far the energy is off, and with .conservative check tries the force. */
static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * ((v[0] * v[0] + v[1] * v[1]) / 2 + p[GRAVITY] * q[1]);
}
#endif
