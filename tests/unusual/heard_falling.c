/* heard_falling - a ball thrown up from a floor that is heard while it falls only: w = y then, and -|y| while it
 * rises, with a kink 1e-13 of a metre beside the start
 *
 * A slope over a longer way sees -|y| evenly from both sides, and takes it for 0 to many digits.
 */
#ifndef DAE_PASS
enum { G, V0, Y0 };
#include <daelab/model.h>

static const dae_event events[] = {
    {.name = "floor", .title = "the ball meets the floor", .value = DAE_MODEL(floor_while_falling),
     .direction = DAE_FALLING, .terminal = 1},
    {0}};

const dae_problem dae_heard_falling = {
    .name = "heard_falling", .title = "a ball over a floor that is heard while it falls",
    .equations = "y'' = -g", .variables = "y v", .units = "m m/s",
    .parameters = {{"g", 9.81, "m/s^2", "gravity"}, {"v0", 3, "m/s", "start velocity"},
                   {"y0", 1e-13, "m", "start height"}},
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)},
    .start = DAE_MODEL(start), .t_end = 2, .events = events};
#else

static void FN(start)(const param *p, real *u)
{
    u[0] = p[Y0];
    u[1] = p[V0];
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r) { r[0] = a[0]; }

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f) { f[0] = -p[G]; }

static real FN(floor_while_falling)(const param *p, real t, const real *x, int k)
{
    return value(x[1]) <= 0 ? x[0] : -fabs(x[0]);
}
#endif
