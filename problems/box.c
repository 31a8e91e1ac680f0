/* box - a point that bounces between four walls, and slides on the floor when it has bounced out
 *
 *   flight    m x'' = 0,  m y'' = -m g             q = (x, y) [m], v = (vx, vy) [m/s]
 *   sliding   m x'' = 0,  m y'' = N - m g,  0 = ymin - y        lambda = (N) [N], without friction
 *
 * A wall turns the velocity normal to it by -e: left and right vx, floor and ceiling vy. The
 * constraint is written ymin - y: G^T = (0, -1), so that the multiplier is the force of the
 * floor, upwards; where it falls through zero (it does not, for g > 0) the point lifts off.
 *
 * What is exact. Between two walls y is a parabola in t. From one hit of the floor to the next,
 * where the ceiling is not reached, the rebound speed w becomes e w, after 2 w/g: this
 * accumulates at
 *
 *   t = t1 + (2 w1/g) / (1 - e)       t1, w1: time and rebound speed of the first of them
 *
 * With the parameters below: event 1 is the only hit of the ceiling, at t = 0.386356204334508288
 * (without a ceiling the point would be back in the box at t = 1.06: a step across both shows no
 * change of sign), event 3 is that first hit of the floor, the accumulation is at
 * t = 18.1747641063074449 while vx = 2.4655288944825742: from then on the point slides.
 *
 * The run stops where the speed falls below `stop` within 1 cm of the floor. Here the speed does so
 * by a jump, at side hit 41: |vx| = 7.0710678 e^n after n side hits, and in the width W = 7
 *
 *   t = 5/v + (W/v) (e^-1 + ... + e^-40) = 660.557516220101130,  v = 5 sqrt(2).
 */
#ifndef DAE_PASS
enum { M, G, E, XMIN, XMAX, YMIN, YMAX, SPEED, ANGLE, STOP };
enum { X, Y, VX, VY, N };
#include <daelab/drawing.h>
#include <daelab/model.h>

#define SIDES_AND_STOP                                                                            \
    {.name = "left", .title = "the point hits the left wall", .direction = DAE_FALLING,           \
     .value = DAE_MODEL(from_left), .action = DAE_MODEL(bounce_sideways)},                        \
    {.name = "right", .title = "the point hits the right wall", .direction = DAE_FALLING,         \
     .value = DAE_MODEL(from_right), .action = DAE_MODEL(bounce_sideways)},                       \
    {.name = "stop", .title = "the point is slow and near the floor", .direction = DAE_FALLING,   \
     .value = DAE_MODEL(liveliness), .terminal = 1}

static const dae_event flight_events[] = {
    {.name = "floor", .title = "the point hits the floor", .value = DAE_MODEL(above_floor),
     .direction = DAE_FALLING, .action = DAE_MODEL(bounce_upright), .limit = "sliding"},
    {.name = "ceiling", .title = "the point hits the ceiling", .value = DAE_MODEL(below_ceiling),
     .direction = DAE_FALLING, .action = DAE_MODEL(bounce_upright)},
    SIDES_AND_STOP, {0},
};

static const dae_event sliding_events[] = {
    {.name = "lifts", .title = "the floor does not hold the point any more",
     .value = DAE_MODEL(normal_force), .direction = DAE_FALLING, .mode = "flight"},
    SIDES_AND_STOP, {0},
};

static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const double corner[5][2] = {{p[XMIN], p[YMIN]}, {p[XMAX], p[YMIN]}, {p[XMAX], p[YMAX]},
                                 {p[XMIN], p[YMAX]}, {p[XMIN], p[YMIN]}};
    for (int i = 0; i < 4; i++)
        dae_draw_wall(out, corner[i][0], corner[i][1], corner[i + 1][0], corner[i + 1][1]);
    dae_draw_named_body(out, "ball", x[X], x[Y], 0.01 * (p[XMAX] - p[XMIN]));
}

static const dae_problem sliding = {
    .name = "sliding",
    .title = "the point slides on the floor without friction",
    .equations = "m x'' = 0\n"
                 "m y'' = N - m g\n"
                 "0 = ymin - y,  N the force of the floor",
    .variables = "x y vx vy N",
    .units = "m m m/s m/s N",
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL},
    .start = DAE_MODEL(start_sliding),
    .events = sliding_events,
};

static const dae_problem *const modes[] = {&sliding, NULL};

const dae_problem dae_box = {
    .name = "box",
    .title = "a point that bounces in a box until it slides",
    .citation = "piecewise parabolas, solved in this file",
    .equations = "m x'' = 0\n"
                 "m y'' = -m g\n"
                 "a wall turns the velocity normal to it by -e",
    .variables = "x y vx vy",
    .units = "m m m/s m/s",
    .parameters = {
        {"m", 1, "kg", "mass", DAE_POSITIVE},
        {"g", 9.807, "m/s^2", "gravity", DAE_ANY_VALUE},
        {"e", 0.9, "-", "restitution: speed after a hit to that before it", DAE_NONNEGATIVE},
        {"xmin", -2, "m", "left wall", DAE_ANY_VALUE},
        {"xmax", 5, "m", "right wall", DAE_ANY_VALUE},
        {"ymin", -2, "m", "floor", DAE_ANY_VALUE},
        {"ymax", 2, "m", "ceiling", DAE_ANY_VALUE},
        {"speed", 10, "m/s", "speed of the start, from the origin", DAE_POSITIVE},
        {"angle", 0.78539816339744831, "rad", "its direction, from the x axis", DAE_ANY_VALUE},
        {"stop", 0.1, "m/s", "the run stops below this speed near the floor", DAE_NONNEGATIVE},
    },
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 700,
    .events = flight_events,
    .mode = "flight",
    .modes = modes,
    .draw = draw,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[VX] = p[SPEED] * cos(p[ANGLE]);
    u[VY] = p[SPEED] * sin(p[ANGLE]);
}

static void FN(start_sliding)(const param *p, real *u)
{
    u[Y] = p[YMIN];
    u[VX] = p[SPEED] * cos(p[ANGLE]);
    u[N] = p[M] * p[G];
}

static real FN(above_floor)(const param *p, real t, const real *x, int k) { return x[Y] - p[YMIN]; }
static real FN(below_ceiling)(const param *p, real t, const real *x, int k) { return p[YMAX] - x[Y]; }
static real FN(from_left)(const param *p, real t, const real *x, int k) { return x[X] - p[XMIN]; }
static real FN(from_right)(const param *p, real t, const real *x, int k) { return p[XMAX] - x[X]; }
static real FN(normal_force)(const param *p, real t, const real *x, int k) { return x[N]; }

/* Above zero while the point is fast or high. */
static real FN(liveliness)(const param *p, real t, const real *x, int k)
{
    return fmax(hypot(x[VX], x[VY]) - p[STOP], x[Y] - p[YMIN] - 0.01);
}

static int FN(bounce_upright)(const param *p, real t, real *x, real *p_new, int k)
{
    x[VY] = -p[E] * x[VY];
    return 0;
}

static int FN(bounce_sideways)(const param *p, real t, real *x, real *p_new, int k)
{
    x[VX] = -p[E] * x[VX];
    return 0;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = (real){0};
    f[1] = -p[M] * p[G];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = p[YMIN] - q[1];
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    dg[0] = -v[1];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    ddg[0] = -a[1];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *force, real *r)
{
    r[0] = (real){0};
    r[1] = -force[0];
}

#endif
