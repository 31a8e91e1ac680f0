/* chain - N point masses joined by rigid links, hanging from a fixed origin in the plane
 *
 *   m x_i'' = -(x_i - x_{i-1})/L T_i + (x_{i+1} - x_i)/L T_{i+1}
 *   m y_i'' = -(y_i - y_{i-1})/L T_i + (y_{i+1} - y_i)/L T_{i+1} - m g        i = 1 ... N
 *   |r_i - r_{i-1}|^2 = L^2                 r_i = (x_i, y_i) [m], y upwards, r_0 = 0, T_{N+1} = 0
 *
 * The constraint of link i is written (|d_i|^2 - L^2)/(2L), d_i = r_i - r_{i-1}, so that T_i [N] is
 * the tension of the link. The chain starts horizontal and at rest.
 */
#ifndef DAE_PASS
enum { N, M, L, G };
#include <daelab/drawing.h>
#include <daelab/model.h>

/* Row i of a constraint's derivative: x_i - x_{i-1} to the position (velocity) of mass i, its negative to that of
 * mass i - 1. */
static void put_link(dae_entries *block, int i, double dx, double dy)
{
    dae_put(block, i, 2 * i, dx);
    dae_put(block, i, 2 * i + 1, dy);
    if (i == 0)
        return;
    dae_put(block, i, 2 * i - 2, -dx);
    dae_put(block, i, 2 * i - 1, -dy);
}

/* The same of x: factor times the differences of neighbours. */
static void put_differences(const double *x, int n, double factor, dae_entries *block)
{
    for (int i = 0; i < n; i++)
        put_link(block, i, factor * (x[2 * i] - (i ? x[2 * i - 2] : 0)),
                 factor * (x[2 * i + 1] - (i ? x[2 * i - 1] : 0)));
}

static void sparse_partials(const double *p, double t, const double *q, const double *v, const double *a,
                            const double *tension, dae_sparse_partials *d)
{
    const int n = dae_count(p[N]);
    const double over = 1 / p[L];
    for (int i = 0; i < n; i++) {
        const double pull = over * tension[i], next = i + 1 < n ? over * tension[i + 1] : 0;
        for (int k = 2 * i; k < 2 * i + 2; k++) {
            dae_put(&d->r_q, k, k, pull + next);
            if (i > 0)
                dae_put(&d->r_q, k, k - 2, -pull);
            if (i + 1 < n)
                dae_put(&d->r_q, k, k + 2, -next);
        }
    }
    put_differences(q, n, over, &d->G);
    if (d->level > 0)
        put_differences(v, n, over, &d->rate_q);
    if (d->level > 1) {
        put_differences(a, n, over, &d->acc_q);
        put_differences(v, n, 2 * over, &d->acc_v);
    }
}

/* Of a chain with more links than a picture has every second mass, every third, ..., the last. */
static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const int n = dae_count(p[N]), every = (n + DAE_MAX_SHAPES - 2) / (DAE_MAX_SHAPES - 1);
    double x0 = 0, y0 = 0;
    dae_draw_body(out, 0, 0, 0);
    for (int i = every; i < n + every; i += every) {
        const double *r = x + 2 * ((i < n ? i : n) - 1);
        dae_draw_link(out, x0, y0, r[0], r[1]);
        x0 = r[0];
        y0 = r[1];
        dae_draw_named_body(out, "end", x0, y0, i < n ? 0 : 0.015 * n * p[L]);
    }
}

const dae_problem dae_chain = {
    .name = "chain",
    .title = "chain of N rigid links in the plane, starting horizontal and at rest",
    .citation = "Hairer, Wanner (1996), Solving Ordinary Differential Equations II, section VII.1",
    .equations = "m x_i'' = -(x_i - x_{i-1})/L T_i + (x_{i+1} - x_i)/L T_{i+1}\n"
                 "m y_i'' = -(y_i - y_{i-1})/L T_i + (y_{i+1} - y_i)/L T_{i+1} - m g\n"
                 "0 = (|r_i - r_{i-1}|^2 - L^2)/(2L),  i = 1 ... N,  T_i the tension of link i",
    .variables = "x y vx vy T",
    .units = "m m m/s m/s N",
    .parameters = {
        {"N", 10, "-", "number of links", DAE_COUNT},
        {"m", 1, "kg", "mass at the end of each link", DAE_POSITIVE},
        {"L", 1, "m", "length of each link", DAE_POSITIVE},
        {"g", 9.81, "m/s^2", "gravity", DAE_ANY_VALUE},
    },
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL, .energy = DAE_MODEL(energy), .conservative = 1,
                   .sparse_partials = sparse_partials},
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 1,
};

#else

static void FN(start)(const param *p, real *u)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < n; i++)
        u[2 * i] = p[L] * (i + 1);
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < 2 * n; i++)
        r[i] = p[M] * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < n; i++) {
        f[2 * i] = (real){0};
        f[2 * i + 1] = -p[M] * p[G];
    }
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const int n = dae_count(p[N]);
    real x = {0}, y = {0};                              /* r_{i-1} */
    for (int i = 0; i < n; i++) {
        const real dx = q[2 * i] - x, dy = q[2 * i + 1] - y;
        g[i] = (dx * dx + dy * dy - p[L] * p[L]) / (2 * p[L]);
        x = q[2 * i];
        y = q[2 * i + 1];
    }
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    const int n = dae_count(p[N]);
    real x = {0}, y = {0}, vx = {0}, vy = {0};
    for (int i = 0; i < n; i++) {
        r[i] = ((q[2 * i] - x) * (v[2 * i] - vx) + (q[2 * i + 1] - y) * (v[2 * i + 1] - vy)) / p[L];
        x = q[2 * i];
        y = q[2 * i + 1];
        vx = v[2 * i];
        vy = v[2 * i + 1];
    }
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *r)
{
    const int n = dae_count(p[N]);
    const param over = 1 / p[L];
    real x = {0}, y = {0}, vx = {0}, vy = {0}, ax = {0}, ay = {0};
    for (int i = 0; i < n; i++) {
        const real wx = v[2 * i] - vx, wy = v[2 * i + 1] - vy;
        r[i] = ((q[2 * i] - x) * (a[2 * i] - ax) + (q[2 * i + 1] - y) * (a[2 * i + 1] - ay)
                + wx * wx + wy * wy) * over;
        x = q[2 * i];
        y = q[2 * i + 1];
        vx = v[2 * i];
        vy = v[2 * i + 1];
        ax = a[2 * i];
        ay = a[2 * i + 1];
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *tension, real *r)
{
    const int n = dae_count(p[N]);
    const param over = 1 / p[L];
    real x = {0}, y = {0};
    for (int i = 0; i < n; i++) {
        const real pull = tension[i] * over;
        const real fx = (q[2 * i] - x) * pull, fy = (q[2 * i + 1] - y) * pull;
        r[2 * i] = fx;
        r[2 * i + 1] = fy;
        if (i > 0) {
            r[2 * i - 2] -= fx;
            r[2 * i - 1] -= fy;
        }
        x = q[2 * i];
        y = q[2 * i + 1];
    }
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    const int n = dae_count(p[N]);
    h[0] = (real){0};
    for (int i = 0; i < n; i++)
        h[0] += p[M] * (v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1]) / 2
                + p[M] * p[G] * q[2 * i + 1];
}

#endif
