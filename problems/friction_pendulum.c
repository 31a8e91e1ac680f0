/* friction_pendulum - a pendulum with Coulomb friction in its pivot, until it comes to rest
 *
 *   forwards    m L^2 theta'' = -m g L sin(theta) - mu_k r N        while omega = theta' > 0
 *   backwards   m L^2 theta'' = -m g L sin(theta) + mu_k r N        while omega < 0
 *   stick       m L^2 theta'' = -m g L sin(theta) + T,   0 = held - theta
 *
 *   N = |m (L omega^2 + g cos(theta))|       the load of a pivot of radius r, along the rod
 *
 * The force across the rod that the torque of friction asks for, mu_k r N/L, is neglected in the
 * load, a part (mu_k r/L)^2/2 of it. q = (theta) [rad] from the downward vertical, lambda = (T)
 * [N m] the torque of friction: G = -1. Where omega = 0 the pendulum sticks, and the guards of
 * stick decide at once whether it stays: |T| <= mu_s r N, or |tan(theta)| <= mu_s r/L. From there
 * nothing leads on.
 *
 * Turning angles. While the rod pulls, y = omega^2 obeys with w2 = g/L, rho = mu_k r/L, s = +1
 * forwards and -1 backwards
 *
 *   dy/dtheta = -2 w2 sin(theta) - 2 s rho (y + w2 cos(theta))
 *   y = a cos(theta) + b sin(theta) + C exp(-2 s rho theta)
 *   a = w2 (2 - 4 rho^2)/(1 + 4 rho^2),   b = -6 s rho w2/(1 + 4 rho^2)
 *
 * with C from where it began, and it turns where y = 0.
 */
#ifndef DAE_PASS
enum { M, L, G, R, MU_S, MU_K, THETA0, OMEGA0, HELD };
enum { THETA, OMEGA, T };
#include <daelab/drawing.h>
#include <daelab/model.h>

static const dae_event forwards_events[] = {
    {.name = "turns", .title = "the pendulum stops, on its way forwards",
     .value = DAE_MODEL(speed), .direction = DAE_FALLING, .action = DAE_MODEL(hold), .mode = "stick"}, {0},
};

static const dae_event backwards_events[] = {
    {.name = "turns", .title = "the pendulum stops, on its way backwards",
     .value = DAE_MODEL(speed), .direction = DAE_RISING, .action = DAE_MODEL(hold), .mode = "stick"}, {0},
};

static const dae_event stick_events[] = {
    {.name = "swings_back", .title = "gravity overcomes friction, backwards",
     .value = DAE_MODEL(above), .direction = DAE_RISING, .mode = "backwards"},
    {.name = "swings_ahead", .title = "gravity overcomes friction, forwards",
     .value = DAE_MODEL(below), .direction = DAE_FALLING, .mode = "forwards"}, {0},
};

static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const double a = p[L] * sin(x[THETA]), b = -p[L] * cos(x[THETA]);
    dae_draw_wall(out, -p[R], 0, p[R], 0);
    dae_draw_link(out, 0, 0, a, b);
    dae_draw_named_body(out, "bob", a, b, 0.05 * p[L]);
}

static const dae_problem backwards = {
    .name = "backwards",
    .title = "the pendulum swings backwards",
    .equations = "m L^2 theta'' = -m g L sin(theta) + mu_k r N\n"
                 "N = |m (L omega^2 + g cos(theta))|",
    .variables = "theta omega",
    .units = "rad rad/s",
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(backwards)},
    .start = DAE_MODEL(start),
    .events = backwards_events,
};

static const dae_problem stick = {
    .name = "stick",
    .title = "friction holds the pendulum",
    .equations = "m L^2 theta'' = -m g L sin(theta) + T\n"
                 "0 = held - theta,  T the torque of friction, |T| <= mu_s r N",
    .variables = "theta omega T",
    .units = "rad rad/s N.m",
    .mechanical = {.nq = 1, .nl = 1, DAE_MECHANICAL_MODEL},
    .start = DAE_MODEL(start_stick),
    .events = stick_events,
};

static const dae_problem *const modes[] = {&backwards, &stick, NULL};

const dae_problem dae_friction_pendulum = {
    .name = "friction_pendulum",
    .title = "a pendulum with Coulomb friction in its pivot, until it rests",
    .citation = "turning angles in closed form, derived in this file",
    .equations = "m L^2 theta'' = -m g L sin(theta) - mu_k r N\n"
                 "N = |m (L omega^2 + g cos(theta))|",
    .variables = "theta omega",
    .units = "rad rad/s",
    .parameters = {
        {"m", 1, "kg", "mass of the bob", DAE_POSITIVE},
        {"L", 1, "m", "length of the rod", DAE_POSITIVE},
        {"g", 9.81, "m/s^2", "gravity", DAE_POSITIVE},
        {"r", 0.2, "m", "radius of the pivot", DAE_POSITIVE},
        {"mu_s", 0.4, "-", "friction of rest, at least mu_k", DAE_POSITIVE},
        {"mu_k", 0.3, "-", "friction of motion", DAE_NONNEGATIVE},
        {"theta0", 0, "rad", "start angle from the downward vertical", DAE_ANY_VALUE},
        {"omega0", 4, "rad/s", "start velocity, forwards", DAE_POSITIVE},
        {"held", 0, "rad", "angle at which it sticks; set there", DAE_ANY_VALUE},
    },
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(forwards)},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 10,
    .events = forwards_events,
    .mode = "forwards",
    .modes = modes,
    .draw = draw,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[THETA] = p[THETA0];
    u[OMEGA] = p[OMEGA0];
}

static void FN(start_stick)(const param *p, real *u)
{
    u[THETA] = p[HELD];
    u[T] = p[M] * p[G] * p[L] * sin(p[HELD]);
}

static real FN(bound)(const param *p, const real *x)
{
    return p[MU_S] * p[R] * p[M] * fabs(p[L] * x[OMEGA] * x[OMEGA] + p[G] * cos(x[THETA]));
}

static real FN(above)(const param *p, real t, const real *x, int k) { return x[T] - FN(bound)(p, x); }
static real FN(below)(const param *p, real t, const real *x, int k) { return x[T] + FN(bound)(p, x); }
static real FN(speed)(const param *p, real t, const real *x, int k) { return x[OMEGA]; }

static int FN(hold)(const param *p, real t, real *x, real *p_new, int k)
{
    p_new[HELD] = x[THETA];
    return 0;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * p[L] * p[L] * a[0];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -p[M] * p[G] * p[L] * sin(q[0]);
}

/* mu_k r N */
static real FN(friction)(const param *p, const real *q, const real *v)
{
    return p[MU_K] * p[R] * p[M] * fabs(p[L] * v[0] * v[0] + p[G] * cos(q[0]));
}

static void FN(forwards)(const param *p, real t, const real *q, const real *v, real *f)
{
    FN(force)(p, t, q, v, f);
    f[0] -= FN(friction)(p, q, v);
}

static void FN(backwards)(const param *p, real t, const real *q, const real *v, real *f)
{
    FN(force)(p, t, q, v, f);
    f[0] += FN(friction)(p, q, v);
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = p[HELD] - q[0];
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    dg[0] = -v[0];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    ddg[0] = -a[0];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *torque, real *r)
{
    r[0] = -torque[0];
}

#endif
