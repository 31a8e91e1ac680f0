/* string_pendulum - a bob on a string that goes slack, flies on a parabola and meets the nail
 *
 *   taut     m x'' = -(x/L) T                    q = (x, y) [m] from the nail, y upwards
 *            m y'' = -(y/L) T - m g              lambda = (T) [N], the tension of the string
 *            x^2 + y^2 = L^2                     while T >= 0
 *   slack    m x'' = 0,  m y'' = -m g            while x^2 + y^2 <= L^2
 *
 * The constraint is written (x^2 + y^2 - L^2)/(2L), as in pendulum.c. The string is not elastic:
 * where it comes taut again an impulse takes the velocity along it, v+ = v - (r.v) r/L^2. Where it
 * goes slack the error of |r| = L is taken out, or the string might come taut again at once.
 *
 * Pushed from the bottom with v0, theta from the bottom: the tension per mass is
 * v0^2/L - 2 g + 3 g cos(theta), and it goes slack where that is zero. With
 *
 *   v0 = sqrt(g L (2 + sqrt(3)))
 *
 * that is cos(theta) = -1/sqrt(3), with the speed sqrt(g L/sqrt(3)), at the time
 * sqrt(L/g) F(asin(k sin(theta/2)), 1/k), k^2 = 4/(2 + sqrt(3)), F the elliptic integral of modulus
 * 1/k; then it flies for sqrt(2) 3^(1/4) sqrt(L/g) exactly through the nail, which it meets with
 * sqrt(sqrt(3) g L). With L = 1.1, g = 10:
 *
 *   slack    t = 0.504538550666297457,  r = (0.898146239020498636, 0.635085296108588341),
 *            v = (-1.45497456576691670, 2.05764476381547833)
 *   nail     t = 1.12183197981094096,   v = (-1.45497456576691670, -4.11528952763095666)
 *
 * There |r|^2 has a double zero. The event asks r.v, which passes zero where the bob is nearest to
 * the nail, with any v0, and measures |r|. Where the string goes slack r.v is zero, too, with its
 * first derivative: not to hear of that, r.v is diminished while |r| > 0.99 L.
 */
#ifndef DAE_PASS
enum { M, L, G, V0, NAIL };
enum { X, Y, VX, VY, T };
#include <daelab/drawing.h>
#include <daelab/model.h>

static const dae_event taut_events[] = {
    {.name = "slack", .title = "the string goes slack", .value = DAE_MODEL(tension),
     .direction = DAE_FALLING, .action = DAE_MODEL(let_go), .mode = "slack"}, {0},
};

static const dae_event slack_events[] = {
    {.name = "taut", .title = "the string comes taut", .value = DAE_MODEL(stretch),
     .direction = DAE_RISING, .mode = "taut"},
    {.name = "nail", .title = "the bob meets the nail, or is nearest to it",
     .value = DAE_MODEL(receding), .direction = DAE_RISING, .action = DAE_MODEL(meet_nail),
     .measure = DAE_MODEL(distance), .measures = "distance from the nail", .unit = "m"}, {0},
};

static void draw_bob(const double *p, const double *x, dae_picture *out)
{
    dae_draw_body(out, 0, 0, 0);
    dae_draw_named_body(out, "bob", x[X], x[Y], 0.05 * p[L]);
}

static void draw_taut(const double *p, double t, const double *x, dae_picture *out)
{
    dae_draw_link(out, 0, 0, x[X], x[Y]);
    draw_bob(p, x, out);
}

/* Two halves of the string, with their corner below the line from the nail to the bob, which comes
 * to the nail against its velocity. */
static void draw_slack(const double *p, double t, const double *x, dae_picture *out)
{
    const double r = hypot(x[X], x[Y]), sag = sqrt(fmax(p[L] * p[L] - r * r, 0.0)) / 2;
    const int near = r < 1e-6 * p[L];
    const double dx = near ? -x[VX] : x[X], dy = near ? -x[VY] : x[Y], d = hypot(dx, dy);
    const double side = dx < 0 ? -1 : 1;
    const double down_x = d > 0 ? side * dy / d : 0, down_y = d > 0 ? -side * dx / d : -1;
    const double a = x[X] / 2 + sag * down_x, b = x[Y] / 2 + sag * down_y;
    dae_draw_link(out, 0, 0, a, b);
    dae_draw_link(out, a, b, x[X], x[Y]);
    draw_bob(p, x, out);
}

static const dae_problem slack = {
    .name = "slack",
    .title = "the bob flies",
    .equations = "m x'' = 0\n"
                 "m y'' = -m g,   x^2 + y^2 <= L^2",
    .variables = "x y vx vy",
    .units = "m m m/s m/s",
    .mechanical = {
        .nq = 2, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force),
        .energy = DAE_MODEL(energy), .conservative = 1,
        .minimal = {.n = 2, .acceleration = DAE_MODEL(fall), .embed = DAE_MODEL(all_of_it),
                    .chart = DAE_MODEL(all_of_it), .names = "x y vx vy", .units = "m m m/s m/s"},
    },
    .start = DAE_MODEL(start_slack),
    .events = slack_events,
    .draw = draw_slack,
};

static const dae_problem *const modes[] = {&slack, NULL};

const dae_problem dae_string_pendulum = {
    .name = "string_pendulum",
    .title = "a bob on a string that goes slack, and the nail it meets",
    .citation = "closed form, derived in this file",
    .equations = "m x'' = -(x/L) T\n"
                 "m y'' = -(y/L) T - m g\n"
                 "0 = (x^2 + y^2 - L^2)/(2L),  T >= 0 the tension of the string",
    .variables = "x y vx vy T",
    .units = "m m m/s m/s N",
    .parameters = {
        {"m", 1, "kg", "mass", DAE_POSITIVE},
        {"L", 1.1, "m", "length of the string", DAE_POSITIVE},
        {"g", 10, "m/s^2", "gravity", DAE_POSITIVE},
        {"v0", 6.4072270822296949575, "m/s", "start velocity, at the bottom", DAE_ANY_VALUE},
        {"nail", 1e-3, "m", "radius of the nail: the run stops where the bob meets it",
         DAE_NONNEGATIVE},
    },
    .mechanical = {
        .nq = 2, .nl = 1,
        DAE_MECHANICAL_MODEL,
        .energy = DAE_MODEL(energy), .conservative = 1,
        .minimal = {.n = 1, .acceleration = DAE_MODEL(angular_acceleration),
                    .embed = DAE_MODEL(embed), .chart = DAE_MODEL(chart),
                    .names = "theta omega", .units = "rad rad/s"},
    },
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 2,
    .events = taut_events,
    .mode = "taut",
    .modes = modes,
    .draw = draw_taut,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[Y] = -p[L];
    u[VX] = p[V0];
    u[T] = p[M] * (p[V0] * p[V0] / p[L] + p[G]);
}

/* At rest half way up. */
static void FN(start_slack)(const param *p, real *u) { u[Y] = -p[L] / 2; }

static real FN(tension)(const param *p, real t, const real *x, int k) { return x[T]; }
static real FN(distance)(const param *p, real t, const real *x, int k) { return hypot(x[X], x[Y]); }

/* |r| d|r|/dt, less sqrt(g L) (|r| - 0.99 L) where that is positive */
static real FN(receding)(const param *p, real t, const real *x, int k)
{
    const real far = fmax(FN(distance)(p, t, x, k) - 0.99 * p[L], 0.0);
    return x[X] * x[VX] + x[Y] * x[VY] - sqrt(p[G] * p[L]) * far;
}

static real FN(stretch)(const param *p, real t, const real *x, int k)
{
    return (x[X] * x[X] + x[Y] * x[Y] - p[L] * p[L]) / (2 * p[L]);
}

/* r L/|r| */
static int FN(let_go)(const param *p, real t, real *x, real *p_new, int k)
{
    const real longer = hypot(x[X], x[Y]) / p[L];
    x[X] /= longer;
    x[Y] /= longer;
    return 0;
}

static int FN(meet_nail)(const param *p, real t, real *x, real *p_new, int k)
{
    return value(FN(distance)(p, t, x, k)) <= value(p[NAIL]);
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
    g[0] = (q[0] * q[0] + q[1] * q[1] - p[L] * p[L]) / (2 * p[L]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    dg[0] = (q[0] * v[0] + q[1] * v[1]) / p[L];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    ddg[0] = (q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]) / p[L];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *force, real *r)
{
    r[0] = q[0] / p[L] * force[0];
    r[1] = q[1] / p[L] * force[0];
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = p[M] * (v[0] * v[0] + v[1] * v[1]) / 2 + p[M] * p[G] * q[1];
}

static void FN(angular_acceleration)(const param *p, real t, const real *theta, const real *omega,
                                     real *alpha)
{
    alpha[0] = -p[G] / p[L] * sin(theta[0]);
}

static void FN(embed)(const param *p, real t, const real *theta, const real *omega, real *u)
{
    const real s = sin(theta[0]), c = cos(theta[0]);
    u[0] = p[L] * s;
    u[1] = -p[L] * c;
    u[2] = p[L] * c * omega[0];
    u[3] = p[L] * s * omega[0];
}

static void FN(chart)(const param *p, real t, const real *q, const real *v, real *s)
{
    s[0] = atan2(q[0], -q[1]);
    s[1] = (q[0] * v[1] - q[1] * v[0]) / (q[0] * q[0] + q[1] * q[1]);
}

static void FN(fall)(const param *p, real t, const real *q, const real *v, real *a)
{
    a[0] = (real){0};
    a[1] = -p[G];
}

/* (q, v) */
static void FN(all_of_it)(const param *p, real t, const real *q, const real *v, real *x)
{
    for (int i = 0; i < 2; i++) {
        x[i] = q[i];
        x[2 + i] = v[i];
    }
}

#endif
