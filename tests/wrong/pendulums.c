/* pendulums - a pendulum on a pivot that shakes, right in most functions; each record has one wrong one
 *
 * g = ((x - s)^2 + y^2 - L^2)/(2 L), s = A sin(2 pi f t).
 */
#ifndef DAE_PASS
enum { M, L, G, A, F };
#include <daelab/model.h>

#define NAMES .variables = "x y vx vy T", .units = "m m m/s m/s N"
#define PARAMETERS                                                                                \
    .parameters = {{"m", 0.3, "kg", "mass", DAE_POSITIVE}, {"L", 2, "m", "length", DAE_POSITIVE}, \
                   {"g", 9.81, "m/s^2", "gravity"}, {"A", 0.1, "m", "amplitude"},                 \
                   {"f", 1, "Hz", "frequency"}}
#define MOTION .start = DAE_MODEL(start), .t_end = 2
#define MAPS(I, f, g, r, a, R)                                                                    \
    .inertia = DAE_MODEL(I), .force = DAE_MODEL(f), .constraint = DAE_MODEL(g),                   \
    .rate = DAE_MODEL(r), .acceleration = DAE_MODEL(a), .reaction = DAE_MODEL(R)
#define PENDULUM(record, ...)                                                                     \
    const dae_problem record = {.name = #record, NAMES, PARAMETERS, MOTION,                       \
                                .mechanical = {.nq = 2, .nl = 1, __VA_ARGS__}}

PENDULUM(wrong_pi, MAPS(inertia, force, constraint, rate_without_pi, acceleration_without_pi, reaction));
PENDULUM(wrong_centrifugal, MAPS(inertia, force, constraint, rate, acceleration_without_vv, reaction));
PENDULUM(wrong_pivot, MAPS(inertia, force, constraint, rate, acceleration_of_still_pivot, reaction));
PENDULUM(wrong_lever, MAPS(inertia, force, constraint, rate, acceleration, reaction_without_length));
PENDULUM(wrong_pull, MAPS(inertia, force, constraint, rate, acceleration, reaction_of_still_pivot));
PENDULUM(wrong_late, MAPS(inertia, force, constraint, rate, acceleration, reaction_late));
PENDULUM(wrong_indefinite, MAPS(inertia_indefinite, force, constraint, rate, acceleration, reaction));
PENDULUM(wrong_massless, MAPS(inertia_none, force, constraint, rate, acceleration, reaction));
PENDULUM(wrong_unsymmetric, MAPS(inertia_unsymmetric, force, constraint, rate, acceleration, reaction));
PENDULUM(wrong_weight, MAPS(inertia_with_weight, force, constraint, rate, acceleration, reaction));
PENDULUM(wrong_drag, MAPS(inertia, force_of_value, constraint, rate, acceleration, reaction));
PENDULUM(wrong_table, MAPS(inertia, force_of_table, constraint, rate, acceleration, reaction));
PENDULUM(wrong_friction, MAPS(inertia, force_with_friction, constraint_still, rate_still, acceleration_still,
                              reaction_still), .energy = DAE_MODEL(energy), .conservative = 1);
PENDULUM(wrong_height, MAPS(inertia, force, constraint_still, rate_still, acceleration_still,
                            reaction_still), .energy = DAE_MODEL(energy_upside_down), .conservative = 1);
PENDULUM(wrong_degrees, MAPS(inertia, force, constraint_still, rate_still, acceleration_still,
                             reaction_still),
         .minimal = {.n = 1, .acceleration = DAE_MODEL(swing), .embed = DAE_MODEL(embed),
                     .chart = DAE_MODEL(chart_in_degrees)});
PENDULUM(wrong_swing, MAPS(inertia, force, constraint_still, rate_still, acceleration_still,
                           reaction_still),
         .minimal = {.n = 1, .acceleration = DAE_MODEL(swing_without_length), .embed = DAE_MODEL(embed),
                     .chart = DAE_MODEL(chart)});

const dae_problem wrong_twice = {
    .name = "wrong_twice", PARAMETERS, MOTION,
    .mechanical = {.nq = 2, .nl = 2, MAPS(inertia, force, constraint_twice, rate_twice, acceleration_twice,
                                          reaction_twice)}};
const dae_problem wrong_words = {
    .name = "wrong_words", .variables = "x y vx vy T", .units = "m m m/s m/s", PARAMETERS, MOTION,
    .mechanical = {.nq = 2, .nl = 1, MAPS(inertia, force, constraint, rate, acceleration, reaction)}};
const dae_problem wrong_names = {
    .name = "wrong_names", .variables = "x x vx vy T", .units = "m m m/s m/s N", PARAMETERS, MOTION,
    .mechanical = {.nq = 2, .nl = 1, MAPS(inertia, force, constraint, rate, acceleration, reaction)}};
const dae_problem wrong_place = {
    .name = "wrong_place", NAMES, PARAMETERS, .start = DAE_MODEL(start_far), .t_end = 2,
    .mechanical = {.nq = 2, .nl = 1, MAPS(inertia, force, constraint, rate, acceleration, reaction)}};
const dae_problem wrong_range = {
    .name = "wrong_range", NAMES, MOTION,
    .parameters = {{"m", -1, "kg", "mass", DAE_POSITIVE}, {"L", 2, "m", "length", DAE_POSITIVE},
                   {"g", 9.81, "m/s^2", "gravity"}, {"A", 0.1, "m", "amplitude"}, {"f", 1, "Hz", "frequency"}},
    .mechanical = {.nq = 2, .nl = 1, MAPS(inertia, force, constraint, rate, acceleration, reaction)}};

/* One constraint too many for the plane */
const dae_problem wrong_three = {
    .name = "wrong_three", PARAMETERS, MOTION,
    .mechanical = {.nq = 3, .nl = 2, MAPS(inertia_three, force_three, constraint_parallel, rate_parallel,
                                          acceleration_parallel, reaction_parallel)}};

static const dae_event ends[] = {
    {.name = "low", .value = DAE_MODEL(low), .direction = DAE_FALLING, .action = DAE_MODEL(half)}, {0}};
const dae_problem wrong_action = {
    .name = "wrong_action", NAMES, PARAMETERS, MOTION, .events = ends,
    .mechanical = {.nq = 2, .nl = 1, MAPS(inertia, force, constraint, rate, acceleration, reaction)}};
static const dae_event strays[] = {
    {.name = "low", .value = DAE_MODEL(low), .direction = DAE_FALLING, .mode = "nowhere"}, {0}};
const dae_problem wrong_mode = {
    .name = "wrong_mode", NAMES, PARAMETERS, MOTION, .events = strays,
    .mechanical = {.nq = 2, .nl = 1, MAPS(inertia, force, constraint, rate, acceleration, reaction)}};
#else

/* ---- right -------------------------------------------------------------------------------- */

static void FN(start)(const param *p, real *u)
{
    u[0] = p[L] * sin(PI / 6);
    u[1] = -p[L] * cos(PI / 6);
    u[2] = 2 * PI * p[F] * p[A];
}

static real FN(s)(const param *p, real t) { return p[A] * sin(2 * PI * p[F] * t); }
static real FN(s_t)(const param *p, real t) { return 2 * PI * p[F] * p[A] * cos(2 * PI * p[F] * t); }

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = 0;
    f[1] = -p[M] * p[G];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const real x = q[0] - FN(s)(p, t);
    g[0] = (x * x + q[1] * q[1] - p[L] * p[L]) / (2 * p[L]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = ((q[0] - FN(s)(p, t)) * (v[0] - FN(s_t)(p, t)) + q[1] * v[1]) / p[L];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    const param w = 2 * PI * p[F];
    const real s = FN(s)(p, t), x = q[0] - s, vx = v[0] - FN(s_t)(p, t);
    r[0] = (x * (a[0] + w * w * s) + vx * vx + q[1] * a[1] + v[1] * v[1]) / p[L];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = (q[0] - FN(s)(p, t)) / p[L] * n[0];
    r[1] = q[1] / p[L] * n[0];
}

static void FN(constraint_still)(const param *p, real t, const real *q, real *g)
{
    g[0] = (q[0] * q[0] + q[1] * q[1] - p[L] * p[L]) / (2 * p[L]);
}

static void FN(rate_still)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = (q[0] * v[0] + q[1] * v[1]) / p[L];
}

static void FN(acceleration_still)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = (q[0] * a[0] + v[0] * v[0] + q[1] * a[1] + v[1] * v[1]) / p[L];
}

static void FN(reaction_still)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = q[0] / p[L] * n[0];
    r[1] = q[1] / p[L] * n[0];
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * (v[0] * v[0] + v[1] * v[1]) / 2 + p[M] * p[G] * q[1];
}

static void FN(swing)(const param *p, real t, const real *theta, const real *omega, real *alpha)
{
    alpha[0] = -p[G] / p[L] * sin(theta[0]);
}

static void FN(embed)(const param *p, real t, const real *theta, const real *omega, real *u)
{
    const real s = p[L] * sin(theta[0]), c = p[L] * cos(theta[0]);
    u[0] = s;
    u[1] = -c;
    u[2] = c * omega[0];
    u[3] = s * omega[0];
}

static void FN(chart)(const param *p, real t, const real *q, const real *v, real *s)
{
    s[0] = atan2(q[0], -q[1]);
    s[1] = (q[0] * v[1] - q[1] * v[0]) / (q[0] * q[0] + q[1] * q[1]);
}

static real FN(low)(const param *p, real t, const real *x, int k) { return x[1] + p[L] / 2; }

/* ---- wrong -------------------------------------------------------------------------------- */

static void FN(rate_without_pi)(const param *p, real t, const real *q, const real *v, real *r)
{
    const real s_t = 2 * p[F] * p[A] * cos(2 * PI * p[F] * t);
    r[0] = ((q[0] - FN(s)(p, t)) * (v[0] - s_t) + q[1] * v[1]) / p[L];
}

/* d/dt of the wrong rate */
static void FN(acceleration_without_pi)(const param *p, real t, const real *q, const real *v, const real *a,
                                        real *r)
{
    const real s_t = 2 * p[F] * p[A] * cos(2 * PI * p[F] * t);
    const real s_tt = -4 * PI * p[F] * p[F] * p[A] * sin(2 * PI * p[F] * t);
    r[0] = ((v[0] - FN(s_t)(p, t)) * (v[0] - s_t) + (q[0] - FN(s)(p, t)) * (a[0] - s_tt)
            + v[1] * v[1] + q[1] * a[1]) / p[L];
}

static void FN(acceleration_without_vv)(const param *p, real t, const real *q, const real *v, const real *a,
                                        real *r)
{
    FN(acceleration)(p, t, q, v, a, r);
    r[0] -= v[1] * v[1] / p[L];
}

static void FN(acceleration_of_still_pivot)(const param *p, real t, const real *q, const real *v,
                                            const real *a, real *r)
{
    r[0] = ((q[0] - FN(s)(p, t)) * a[0] + v[0] * v[0] + q[1] * a[1] + v[1] * v[1]) / p[L];
}

static void FN(reaction_without_length)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = (q[0] - FN(s)(p, t)) * n[0];
    r[1] = q[1] * n[0];
}

static void FN(reaction_late)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    const real more = value(t) > 1.2 ? 1.1 : 1;
    r[0] = more * (q[0] - p[A] * sin(2 * 3.14159265358979323846 * p[F] * t)) / p[L] * lambda[0];
    r[1] = more * q[1] / p[L] * lambda[0];
}

static void FN(reaction_of_still_pivot)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = q[0] / p[L] * n[0];
    r[1] = q[1] / p[L] * n[0];
}

static void FN(inertia_indefinite)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0] + 2 * p[M] * a[1];
    r[1] = 2 * p[M] * a[0] + p[M] * a[1];
}

static void FN(inertia_none)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = r[1] = 0;
}

static void FN(inertia_unsymmetric)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0] + p[M] / 8 * a[1];
    r[1] = p[M] * a[1];
}

static void FN(inertia_with_weight)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
    r[1] = p[M] * (a[1] + p[G]);
}

static void FN(force_of_value)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -0.1 * value(v[0]) * v[0];
    f[1] = -p[M] * p[G];
}

static void FN(force_of_table)(const param *p, real t, const real *q, const real *v, real *f)
{
    static const double wind[] = {0, 0.1, 0.4, 0.9, 1.6};
    const double y = value(q[1]) + 2.5;
    const int i = y < 0 ? 0 : y < 3 ? (int)y : 3;
    f[0] = 0.01 * (wind[i] + (wind[i + 1] - wind[i]) * (y - i));
    f[1] = -p[M] * p[G];
}

static void FN(force_with_friction)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -0.001 * v[0];
    f[1] = -0.001 * v[1] - p[M] * p[G];
}

static void FN(energy_upside_down)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * (v[0] * v[0] + v[1] * v[1]) / 2 - p[M] * p[G] * q[1];
}

static void FN(chart_in_degrees)(const param *p, real t, const real *q, const real *v, real *s)
{
    FN(chart)(p, t, q, v, s);
    s[0] *= 180 / PI;
}

static void FN(swing_without_length)(const param *p, real t, const real *theta, const real *omega, real *alpha)
{
    alpha[0] = -p[G] * sin(theta[0]);
}

/* The same length, once more and squared */
static void FN(constraint_twice)(const param *p, real t, const real *q, real *g)
{
    FN(constraint)(p, t, q, g);
    g[1] = 2 * p[L] * g[0];
}

static void FN(rate_twice)(const param *p, real t, const real *q, const real *v, real *r)
{
    FN(rate)(p, t, q, v, r);
    r[1] = 2 * p[L] * r[0];
}

static void FN(acceleration_twice)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    FN(acceleration)(p, t, q, v, a, r);
    r[1] = 2 * p[L] * r[0];
}

static void FN(reaction_twice)(const param *p, real t, const real *q, const real *n, real *r)
{
    const real both[1] = {n[0] + 2 * p[L] * n[1]};
    FN(reaction)(p, t, q, both, r);
}

/* Two planes that are parallel where the motion is, x = 0 and x = -x^3, in space */
static void FN(inertia_three)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 3; i++)
        r[i] = p[M] * a[i];
}

static void FN(force_three)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = f[1] = 0;
    f[2] = -p[M] * p[G];
}

static void FN(constraint_parallel)(const param *p, real t, const real *q, real *g)
{
    g[0] = q[0] - p[L] / 2;
    g[1] = (q[0] - p[L] / 2) * (1 + q[1] * q[1]);
}

static void FN(rate_parallel)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = v[0];
    r[1] = v[0] * (1 + q[1] * q[1]) + (q[0] - p[L] / 2) * 2 * q[1] * v[1];
}

static void FN(acceleration_parallel)(const param *p, real t, const real *q, const real *v, const real *a,
                                      real *r)
{
    r[0] = a[0];
    r[1] = a[0] * (1 + q[1] * q[1]) + 4 * v[0] * q[1] * v[1]
           + (q[0] - p[L] / 2) * 2 * (v[1] * v[1] + q[1] * a[1]);
}

static void FN(reaction_parallel)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = n[0] + (1 + q[1] * q[1]) * n[1];
    r[1] = (q[0] - p[L] / 2) * 2 * q[1] * n[1];
    r[2] = 0;
}

static void FN(start_far)(const param *p, real *u)
{
    u[0] = 100 * p[L];
    u[1] = 70 * p[L];
}

static int FN(half)(const param *p, real t, real *x, real *p_new, int k)
{
    x[2] = x[2] * value(sqrt(x[3] * x[3] + 0.1)) / 2;
    return 0;
}
#endif
