/* skaters - N skates in a bowl, each tied to the next by a spring: a constraint on the position and one on the
 * velocity of each
 *
 *   0 = z - (x^2 + y^2)/(2 R),   0 = x' sin(phi) - y' cos(phi)
 *
 * (x, y) is the place from above, phi the heading seen from there. Multipliers are those of the bowl, of all
 * skates, and then those of the edges.
 */
#ifndef DAE_PASS
enum { N, M, J, K, R, G };
#include <daelab/model.h>

const dae_problem dae_skaters = {
    .name = "skaters", .title = "skates in a bowl, tied to each other",
    .variables = "x y z phi vx vy vz omega B E", .units = "m m m rad m/s m/s m/s rad/s N N",
    .parameters = {{"N", 3, "-", "skates", DAE_COUNT},
                   {"m", 2, "kg", "mass", DAE_POSITIVE},
                   {"J", 0.3, "kg.m^2", "moment about the vertical", DAE_POSITIVE},
                   {"k", 5, "N/m", "stiffness of the springs", DAE_NONNEGATIVE},
                   {"R", 4, "m", "radius of the bowl at its bottom", DAE_POSITIVE},
                   {"g", 9.81, "m/s^2", "gravity", DAE_ANY_VALUE}},
    .mechanical = {.nq = 4, .nl = 2, .nonholonomic = 1, DAE_MECHANICAL_MODEL,
                   .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start), .t_end = 1};
#else
/* Along their edges they are pushed with other velocities. */
static void FN(start)(const param *p, real *u)
{
    const int n = dae_count(p[N]);
    real *v = u + 4 * n;
    for (int i = 0; i < n; i++, u += 4, v += 4) {
        const double phi = 0.4 + 0.7 * i, speed = 0.5 + 0.1 * i;
        u[0] = 1 + 0.3 * i;
        u[1] = 0.2 - 0.1 * i;
        u[2] = (u[0] * u[0] + u[1] * u[1]) / (2 * p[R]);
        u[3] = phi;
        v[0] = speed * cos(u[3]);
        v[1] = speed * sin(u[3]);
        v[2] = (u[0] * v[0] + u[1] * v[1]) / p[R];
        v[3] = 2 - 0.2 * i;
    }
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *out)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < 4 * n; i++)
        out[i] = (i % 4 == 3 ? p[J] : p[M]) * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < 4 * n; i++)
        f[i] = (real){0};
    for (int i = 0; i < n; i++) {
        f[4 * i + 2] -= p[M] * p[G];
        for (int k = 0; i + 1 < n && k < 3; k++) {
            const real pull = p[K] * (q[4 * i + 4 + k] - q[4 * i + k]);
            f[4 * i + k] += pull;
            f[4 * i + 4 + k] -= pull;
        }
    }
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < n; i++, q += 4)
        g[i] = q[2] - (q[0] * q[0] + q[1] * q[1]) / (2 * p[R]);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < n; i++, q += 4, v += 4) {
        r[i] = v[2] - (q[0] * v[0] + q[1] * v[1]) / p[R];
        r[n + i] = v[0] * sin(q[3]) - v[1] * cos(q[3]);
    }
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *r)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < n; i++, q += 4, v += 4, a += 4) {
        const real c = cos(q[3]), s = sin(q[3]);
        r[i] = a[2] - (q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]) / p[R];
        r[n + i] = a[0] * s - a[1] * c + v[3] * (v[0] * c + v[1] * s);
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *l, real *out)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < n; i++, q += 4, out += 4) {
        out[0] = l[n + i] * sin(q[3]) - l[i] * q[0] / p[R];
        out[1] = -l[n + i] * cos(q[3]) - l[i] * q[1] / p[R];
        out[2] = l[i];
        out[3] = (real){0};
    }
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    const int n = dae_count(p[N]);
    h[0] = (real){0};
    for (int i = 0; i < n; i++) {
        const real *x = q + 4 * i, *w = v + 4 * i;
        h[0] += p[M] * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) / 2 + p[J] * w[3] * w[3] / 2
                + p[M] * p[G] * x[2];
        for (int k = 0; i + 1 < n && k < 3; k++)
            h[0] += p[K] * (x[4 + k] - x[k]) * (x[4 + k] - x[k]) / 2;
    }
}
#endif
