/* spring_pendulum - the pendulum with a stiff spring in place of the rope: an ODE near a DAE
 * spring_tension  - the same with the force of the spring as an unknown
 *
 *   m x'' = -(x/r) T          r = |(x, y)|, g(t) = g0 + g1 sin(2 pi f t)
 *   m y'' = -(y/r) T - m g(t)
 *       T = k (r - L)         u = (x, y, vx, vy), M = I;      or  u = (x, y, vx, vy, T) with
 *       0 = r - L - T/k                                           index 1, and 3 for k = infinity
 *
 * For k -> infinity T becomes the tension of a rigid rope and the solution is O(1/k) from the rigid
 * pendulum, provided that the start does not excite the oscillation along the spring, of frequency
 * sqrt(k/m). It starts on the slow manifold: with theta from the downward vertical, omega = theta',
 * S = m (L omega^2 + g cos theta) the rigid tension and S', S'' along the rigid motion,
 *
 *   T = S + (m/k) (S omega^2 - S''),     r = L + T/k,     r' = S'/k.
 *
 * The error of r', O(1/k^2), leaves an oscillation of O(k^(-5/2)) in r and of O(k^(-3/2)) in T.
 *
 * What to expect. Explicit methods are stable for h sqrt(k/m) = O(1) only. Implicit methods show,
 * for h sqrt(k/m) >> 1, their errors on the index-3 DAE of the limit plus O(1/k): order reduction,
 * Lubich (1993), Z. angew. Math. Phys. 44, 1022-1053. To keep their steps, methods need T among the
 * unknowns: a linear step moves q along the tangent, h^2 v^2/(2 L) off the circle, which the first
 * form takes for a force k h^2 v^2/(2 L), while in the second T stays what the linear system made
 * it. Rosenbrock methods err by this force, Newton's iteration starts with it. Rounding q to double
 * changes the force, too, in the first form: by k L 1e-16.
 *
 * Slopes of the errors of (x, y), (vx, vy), T at t = 2 against fixed steps in the second form, for
 * h sqrt(k/m) >> 1 (k = 1e12), and what index 3 has:
 *
 *     radau5   5.0  3.0  2.0    5 3 2        rodas4   1.0  1.0  0.0    not made for it
 *     cros     2.0  1.0  0.0    2 1 0        rodas5p  2.2  2.0  1.0    not made for it
 *     cros4    1.0  1.0  0.0    1 1 0        excros   3.0  1.0  0.0    2 1 0
 *
 * and of the differential unknowns and T together for h = 0.02 ... 0.00125 as k grows:
 *
 *     k         radau5     rodas4     rodas5p    cros       cros4      excros
 *     1e4       5.7  4.2   4.5  3.7   5.7  4.3   2.4  1.8   3.0  3.1   4.8  5.9
 *     1e6       4.2  4.6   2.6  3.7   3.6  4.2   1.4  0.5   2.6  3.2   2.8  3.6
 *     1e8       3.0  1.9   0.8 -0.2   3.2  1.6   1.0  0.0   1.4  0.3   1.4  0.4
 *     1e10      3.0  2.0   1.0  0.0   2.2  1.0   1.0  0.0   1.0  0.1   1.0  0.0
 *     1e12      3.0  2.0   1.0  0.0   2.1  1.0   1.0  0.0   1.0  0.1   1.0  0.0
 *
 * What a reference can be. Up to k = 1e7 the oscillation is resolved in quad precision, that of the
 * start as it is rounded to doubles included. Above, the reference is the slow solution, which
 * begins next to the start, nearer than rounding to doubles: from the start itself the exact
 * solution oscillates about it, by O(k^(-5/2)) and 1e-16 in (x, y), and by O(k^(-3/2)) and 1e-16 k
 * in T (1e-8 at k = 1e8, 1e-4 at 1e12). To a method that damps the oscillation its digits count;
 * to one that resolves it, T of the reference is true to this amplitude only.
 */
#ifndef DAE_PASS
enum { M, L, K, G0, G1, FREQUENCY, THETA0, OMEGA0 };
#include <daelab/drawing.h>
#include <daelab/model.h>

/* d(a)/dq = -(k/m) ((1 - L/r) I + (L/r) q q^T/r^2) */
static void jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    const double w = 2 * DAE_PI_DOUBLE * p[FREQUENCY];
    const double r = sqrt(u[0] * u[0] + u[1] * u[1]), stiffness = p[K] / p[M];
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++)
            J[4 * j + 2 + i] = -stiffness * (p[L] / r * (u[i] / r) * (u[j] / r)
                                             + (i == j ? (r - p[L]) / r : 0));
        J[4 * (2 + j) + j] = 1;
    }
    F_t[3] = -p[G1] * w * cos(w * t);
}

/* d(u')/du and the row (x/r, y/r, 0, 0, -1/k) */
static void tension_jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    const double w = 2 * DAE_PI_DOUBLE * p[FREQUENCY];
    const double r = sqrt(u[0] * u[0] + u[1] * u[1]);
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++)
            J[5 * j + 2 + i] = -u[4] / (p[M] * r) * ((i == j ? 1 : 0) - u[i] / r * (u[j] / r));
        J[5 * (2 + j) + j] = 1;
        J[5 * j + 4] = u[j] / r;
        J[20 + 2 + j] = -u[j] / (p[M] * r);
    }
    J[24] = -1 / p[K];
    F_t[3] = -p[G1] * w * cos(w * t);
}

static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    dae_draw_body(out, 0, 0, 0);
    dae_draw_spring(out, 0, 0, x[0], x[1], 0.08 * p[L]);
    dae_draw_named_body(out, "bob", x[0], x[1], 0.04 * p[L]);
}

#define SPRING_PARAMETERS                                                                         \
    .parameters = {                                                                               \
        {"m", 1, "kg", "mass", DAE_POSITIVE},                                                     \
        {"L", 5, "m", "length of the spring without force", DAE_POSITIVE},                        \
        {"k", 1e6, "N/m", "spring constant", DAE_POSITIVE},                                       \
        {"g0", 9.81, "m/s^2", "mean gravity", DAE_ANY_VALUE},                                     \
        {"g1", 0.05, "m/s^2", "amplitude of the change of gravity", DAE_ANY_VALUE},               \
        {"frequency", 1, "Hz", "frequency f of the change of gravity", DAE_ANY_VALUE},            \
        {"theta0", 0.64350110879328439, "rad", "start angle from the downward vertical",          \
         DAE_ANY_VALUE},                                                                          \
        {"omega0", 0, "rad/s", "start velocity of the angle", DAE_ANY_VALUE},                     \
    },                                                                                            \
    .citation = "Lubich (1993), Z. angew. Math. Phys. 44, 1022-1053", .t0 = 0, .t_end = 2

const dae_problem dae_spring_pendulum = {
    .name = "spring_pendulum",
    .title = "pendulum on a stiff spring, an ODE that tends to a DAE of index 3",
    .equations = "m x'' = -(x/r) T,   T = k (r - L),   r = sqrt(x^2 + y^2)\n"
                 "m y'' = -(y/r) T - m g(t),   g(t) = g0 + g1 sin(2 pi f t)\n"
                 "start without oscillation along the spring",
    .variables = "x y vx vy",
    .units = "m m m/s m/s",
    .first_order = {.n = 4, .index = 0, .rhs = DAE_MODEL(rhs), .jacobian = jacobian},
    .start = DAE_MODEL(start),
    .draw = draw,
    SPRING_PARAMETERS,
};

const dae_problem dae_spring_tension = {
    .name = "spring_tension",
    .title = "pendulum on a stiff spring, its force an unknown: index 1 that tends to 3",
    .equations = "m x'' = -(x/r) T,   r = sqrt(x^2 + y^2)\n"
                 "m y'' = -(y/r) T - m g(t),   g(t) = g0 + g1 sin(2 pi f t)\n"
                 "0 = r - L - T/k;   start without oscillation along the spring",
    .variables = "x y vx vy T",
    .units = "m m m/s m/s N",
    .first_order = {.n = 5, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(tension_rhs),
                    .jacobian = tension_jacobian},
    .start = DAE_MODEL(start_tension),
    .draw = draw,
    SPRING_PARAMETERS,
};

#else

/* theta'' = -g sin theta/L gives S' and S''. Answers T. */
static param FN(slow_start)(const param *p, real *u)
{
    const param w = 2 * PI * p[FREQUENCY];
    const param g = p[G0], dg = p[G1] * w;              /* at t0 = 0, where g'' = 0 */
    const param s = sin(p[THETA0]), c = cos(p[THETA0]), omega = p[OMEGA0], m = p[M];
    const param S = m * (p[L] * omega * omega + g * c);
    const param dS = m * (dg * c - 3 * g * s * omega);
    const param ddS = m * (3 * g * g * s * s / p[L] - 4 * dg * s * omega
                           - 3 * g * c * omega * omega);
    const param T = S + m / p[K] * (S * omega * omega - ddS);
    const param r = p[L] + T / p[K], dr = dS / p[K];
    u[0] = r * s;
    u[1] = -r * c;
    u[2] = dr * s + r * omega * c;
    u[3] = -dr * c + r * omega * s;
    return T;
}

static void FN(start)(const param *p, real *u) { FN(slow_start)(p, u); }
static void FN(start_tension)(const param *p, real *u) { u[4] = FN(slow_start)(p, u); }

static void FN(motion)(const param *p, real t, const real *u, real r, real tension, real *F)
{
    F[0] = u[2];
    F[1] = u[3];
    F[2] = -tension * (u[0] / r) / p[M];
    F[3] = -tension * (u[1] / r) / p[M] - (p[G0] + p[G1] * sin(2 * PI * p[FREQUENCY] * t));
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const real r = sqrt(u[0] * u[0] + u[1] * u[1]);
    FN(motion)(p, t, u, r, p[K] * (r - p[L]), F);
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    for (int i = 0; i < 4; i++)
        out[i] = x[i];
    out[4] = (real){0};
}

static void FN(tension_rhs)(const param *p, real t, const real *u, real *F)
{
    const real r = sqrt(u[0] * u[0] + u[1] * u[1]);
    FN(motion)(p, t, u, r, u[4], F);
    F[4] = r - p[L] - u[4] / p[K];
}

#endif
