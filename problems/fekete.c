/* fekete - N points on the unit sphere that repel each other and slow down: at rest they are Fekete points
 *
 *   p_i' = v_i
 *   v_i' = -alpha v_i + 2 lam_i p_i + sum over j != i of (p_i - p_j)/|p_i - p_j|^2        i = 1 ... N
 *      0 = 1 - |p_i|^2                                  p_i = (x_i, y_i, z_i)
 *
 * The force is that of the potential -sum over i < j of log|p_i - p_j|, a minimum of which the points come to.
 * There lam_i = -(N - 1)/4 for all of them, as p_i.(p_i - p_j) = |p_i - p_j|^2/2 on the sphere. With the
 * constraints written as here the multipliers are those published. Every point pushes every other one: the
 * Jacobian is full.
 *
 * N = 20 starts as published, in rings of 3, 7, 6 and 4. Any other N starts on a spiral: point k = 1 ... N at the
 * height z = 1 - (2 k - 2/3)/N, in the k-th of N zones of equal area, turned on by the golden angle
 * pi (3 - sqrt 5) from one to the next. No two of them have the same height. Points in the middle of their
 * zones would be the same after half a turn about a horizontal axis, and stay so, away from the minimum: these
 * are a third of a zone from its edge.
 */
#ifndef DAE_PASS
enum { N, ALPHA };
#include <daelab/drawing.h>
#include <daelab/model.h>

/* The sphere as it is seen from the y axis; what is in front is larger. */
static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    enum { CORNERS = 72 };
    for (int i = 0; i < CORNERS; i++) {
        const double a = 2 * M_PI * i / CORNERS, b = 2 * M_PI * (i + 1) / CORNERS;
        dae_draw_wall(out, cos(a), sin(a), cos(b), sin(b));
    }
    for (int i = 0; i < dae_count(p[N]); i++)
        dae_draw_named_body(out, "point", x[3 * i], x[3 * i + 2], 0.04 - 0.02 * x[3 * i + 1]);
}

const dae_problem dae_fekete = {
    .name = "fekete",
    .title = "N points on the unit sphere that repel each other and come to rest",
    .citation = "Fekete (1923), Math. Zeitschrift 17, 228-249; Mazzia, Magherini (2008), Test Set for IVP Solvers "
                "2.4; the spiral: Swinbank, Purser (2006), Q. J. R. Meteorol. Soc. 132, 1769-1793",
    .equations = "v_i' = -alpha v_i + 2 lam_i p_i + sum over j != i of (p_i - p_j)/|p_i - p_j|^2\n"
                 "0 = 1 - |p_i|^2,  p_i = (x_i, y_i, z_i),  p_i' = v_i,  i = 1 ... N",
    .variables = "x y z vx vy vz lam",
    .units = "- - - - - - -",
    .parameters = {
        {"N", 20, "-", "number of points", DAE_COUNT},
        {"alpha", 0.5, "-", "friction", DAE_NONNEGATIVE},
    },
    .mechanical = {.nq = 3, .nl = 1, DAE_MECHANICAL_MODEL, .energy = DAE_MODEL(energy)},
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 1000,
};

#else

static void FN(place)(param longitude, param latitude, real *u)
{
    u[0] = (real){0} + cos(longitude) * cos(latitude);
    u[1] = (real){0} + sin(longitude) * cos(latitude);
    u[2] = (real){0} + sin(latitude);
}

/* Ring by ring: so many points, the first at 2 pi first/points + turn of longitude, at one latitude. */
static void FN(rings)(real *u)
{
    static const int points[4] = {3, 7, 6, 4}, first[4] = {1, 1, 1, 0};
    const param turn[4] = {(param){0} + PI / 13, PI / 29, PI / 7, PI / 17};
    const param latitude[4] = {3 * PI / 8, PI / 8, -2 * PI / 15, -3 * PI / 10};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < points[k]; i++, u += 3)
            FN(place)(2 * PI * (i + first[k]) / points[k] + turn[k], latitude[k], u);
}

static void FN(start)(const param *p, real *u)
{
    const int n = dae_count(p[N]);
    if (n == 20)
        FN(rings)(u);
    else
        for (int k = 0; k < n; k++)
            FN(place)(k * PI * (3 - sqrt((param){0} + 5)),
                      asin((param){0} + 1 - (6 * k + 4) / ((param){0} + 3 * n)), u + 3 * k);
    for (int k = 0; k < n; k++)
        u[6 * n + k] = (real){0} - (n - 1) / 4.0;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < 3 * n; i++)
        r[i] = a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < 3 * n; i++)
        f[i] = -p[ALPHA] * v[i];
    for (int i = 3; i < 3 * n; i += 3)
        for (int j = 0; j < i; j += 3) {
            const real x = q[i] - q[j], y = q[i + 1] - q[j + 1], z = q[i + 2] - q[j + 2];
            const real push = 1 / (x * x + y * y + z * z), fx = push * x, fy = push * y, fz = push * z;
            f[i] += fx;
            f[i + 1] += fy;
            f[i + 2] += fz;
            f[j] -= fx;
            f[j + 1] -= fy;
            f[j + 2] -= fz;
        }
}

static real FN(dot)(const real *x, const real *y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < n; i++)
        g[i] = 1 - FN(dot)(q + 3 * i, q + 3 * i);
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < n; i++)
        r[i] = -2 * FN(dot)(q + 3 * i, v + 3 * i);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < n; i++)
        r[i] = -2 * (FN(dot)(q + 3 * i, a + 3 * i) + FN(dot)(v + 3 * i, v + 3 * i));
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < 3 * n; i++)
        r[i] = -2 * lambda[i / 3] * q[i];
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    const int n = dae_count(p[N]);
    h[0] = (real){0};
    for (int i = 0; i < 3 * n; i += 3) {
        h[0] += FN(dot)(v + i, v + i) / 2;
        for (int j = 0; j < i; j += 3) {
            const real apart[3] = {q[i] - q[j], q[i + 1] - q[j + 1], q[i + 2] - q[j + 2]};
            h[0] -= log(FN(dot)(apart, apart)) / 2;
        }
    }
}

#endif
