/* bouncing_ball - a ball dropped on a floor, whose bounces accumulate
 *
 *   m y'' = -m g,   y >= 0         q = (y) [m], v = (w) [m/s]; at y = 0: w+ = -e w-
 *
 * Dropped at rest from y = h it meets the floor after T = sqrt(2 h/g) with sqrt(2 g h). After n
 * hits it leaves with w_n = e^n sqrt(2 g h), for 2 w_n/g = 2 e^n T: infinitely many hits take
 *
 *   t = T + 2 T (e + e^2 + ...) = sqrt(2 h/g) (1 + e)/(1 - e)
 *
 * h = 1, g = 9.81, e = 0.5: t = 1.35457092295719271 s. The model says nothing of what comes then,
 * and the run stops there.
 */
#ifndef DAE_PASS
enum { M, G, E, H };
#include <daelab/drawing.h>
#include <daelab/model.h>

static const dae_event events[] = {
    {.name = "floor", .title = "the ball hits the floor", .value = DAE_MODEL(height),
     .direction = DAE_FALLING, .action = DAE_MODEL(bounce)}, {0},
};

static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const double half = p[H] / 2, radius = 0.03 * p[H];
    dae_draw_wall(out, -half, 0, half, 0);
    dae_draw_named_body(out, "ball", 0, x[0] + radius, radius);
}

const dae_problem dae_bouncing_ball = {
    .name = "bouncing_ball",
    .title = "a ball dropped on a floor, infinitely many bounces in a finite time",
    .citation = "closed form, derived in this file",
    .equations = "m y'' = -m g\n"
                 "at y = 0 the velocity w becomes -e w",
    .variables = "y w",
    .units = "m m/s",
    .parameters = {
        {"m", 1, "kg", "mass", DAE_POSITIVE},
        {"g", 9.81, "m/s^2", "gravity", DAE_POSITIVE},
        {"e", 0.5, "-", "restitution: speed after a bounce to that before it", DAE_NONNEGATIVE},
        {"h", 1, "m", "height of the start", DAE_POSITIVE},
    },
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 2,
    .events = events,
    .draw = draw,
};

#else

static void FN(start)(const param *p, real *u) { u[0] = p[H]; }
static real FN(height)(const param *p, real t, const real *x, int k) { return x[0]; }

static int FN(bounce)(const param *p, real t, real *x, real *p_new, int k)
{
    x[1] = -p[E] * x[1];
    return 0;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -p[M] * p[G];
}

#endif
