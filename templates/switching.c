/* NAME - a ball bounces ever lower on the floor, and comes to rest there
 *
 *     daelab check ./NAME.c                       do its functions agree with each other?
 *     daelab solve ./NAME.c --plot NAME.svg
 *
 *     q' = v,   M v' = f(t, q, v) - G(t, q)^T lambda,   0 = g(t, q),   G = dg/dq
 *
 * The problem is the mode that it starts in; others are records of their own, with the same positions. An
 * event is where its value passes zero; it may change the state and the parameters, and enter a mode.
 *
 * Everything below is yours to change. The functions are compiled for double, dual and quad numbers: a
 * `param` is made of parameters only, a `real` is what the time or the state enters.
 */
#ifndef DAE_PASS
enum { GRAVITY, E };                    /* p[GRAVITY], p[E] below, in the order of .parameters */
#include <daelab/model.h>

/* .limit is the mode that is entered where bounces accumulate; .mode would be one to enter at once */
static const dae_event hits[] = {
    {.name = "floor", .title = "the ball hits the floor", .direction = DAE_FALLING,
     .value = DAE_MODEL(height), .action = DAE_MODEL(bounce), .limit = "resting"}, {0}};

static const dae_problem resting = {
    .name = "resting", .title = "on the floor", .equations = "y'' = N - g,  0 = -y",
    .variables = "y v N", .units = "m m/s N", .start = DAE_MODEL(start),
    .mechanical = {.nq = 1, .nl = 1, DAE_MECHANICAL_MODEL}};
static const dae_problem *const others[] = {&resting, NULL};

const dae_problem dae_NAME = {
    .name = "NAME", .title = "a ball that bounces and rests", .citation = "where the equations come from",
    .equations = "y'' = -g", .variables = "y v", .units = "m m/s",
    .parameters = {{"g", 9.81, "m/s^2", "gravity"},
                   {"e", 0.5, "-", "speed kept in a bounce", DAE_NONNEGATIVE}},
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)},
    .start = DAE_MODEL(start), .t0 = 0, .t_end = 3,
    .events = hits, .mode = "flying", .modes = others};
DAE_PLUGIN_PROBLEMS(&dae_NAME);
#else

/* (q, v, lambda) at t0; what is left out is 0. */
static void FN(start)(const param *p, real *u)
{
    u[0] = 1;
}

/* The event is where this passes zero, x = (q, v); k is its number where an entry of the list above stands
 * for many (.count), here 0. */
static real FN(height)(const param *p, real t, const real *x, int k)
{
    return x[0];
}

/* What happens then; 1 would end the run. */
static int FN(bounce)(const param *p, real t, real *x, real *p_new, int k)
{
    x[1] *= -p[E];
    return 0;
}

/* r = M a */
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = a[0];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -p[GRAVITY];
}

/* Of the mode that rests: g, dg/dt, d2g/dt2, and G^T n, the force of the floor. */
static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = -q[0];
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = -v[0];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = -a[0];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = -n[0];
}
#endif
