/* parallelogram - a four-bar linkage with opposite bars alike, through the line on which it may fold over
 *
 * A on a crank of length L about (0, 0), B on a rocker of length L about (D, 0), |A - B| = D. While it is a
 * parallelogram both turn by w t. Where all lie on one line, the gradients of the three constraints depend on
 * each other, and an antiparallelogram is as good a way on.
 */
#ifndef DAE_PASS
enum { M, L, D, W };
#include <daelab/model.h>

const dae_problem dae_parallelogram = {
    .name = "parallelogram", .title = "a four-bar linkage through its change point",
    .parameters = {{"m", 1, "kg", "masses of the joints", DAE_POSITIVE}, {"L", 1, "m", "crank", DAE_POSITIVE},
                   {"D", 2, "m", "coupler", DAE_POSITIVE}, {"w", 1, "rad/s", "speed of the crank"}},
    .mechanical = {.nq = 4, .nl = 3, DAE_MECHANICAL_MODEL}, .start = DAE_MODEL(start), .t_end = 3};
#else
static void FN(start)(const param *p, real *u)
{
    for (int i = 0; i < 2; i++) {
        u[2 * i] = 0.6 * p[L] + i * p[D];
        u[2 * i + 1] = 0.8 * p[L];
        u[4 + 2 * i] = -0.8 * p[W] * p[L];
        u[5 + 2 * i] = 0.6 * p[W] * p[L];
    }
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 4; i++)
        r[i] = p[M] * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int i = 0; i < 4; i++)
        f[i] = 0;
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const real x = q[2] - p[D], dx = q[2] - q[0], dy = q[3] - q[1];
    g[0] = (q[0] * q[0] + q[1] * q[1] - p[L] * p[L]) / 2;
    g[1] = (x * x + q[3] * q[3] - p[L] * p[L]) / 2;
    g[2] = (dx * dx + dy * dy - p[D] * p[D]) / 2;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = q[0] * v[0] + q[1] * v[1];
    r[1] = (q[2] - p[D]) * v[2] + q[3] * v[3];
    r[2] = (q[2] - q[0]) * (v[2] - v[0]) + (q[3] - q[1]) * (v[3] - v[1]);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    const real wx = v[2] - v[0], wy = v[3] - v[1];
    r[0] = q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1];
    r[1] = (q[2] - p[D]) * a[2] + q[3] * a[3] + v[2] * v[2] + v[3] * v[3];
    r[2] = (q[2] - q[0]) * (a[2] - a[0]) + (q[3] - q[1]) * (a[3] - a[1]) + wx * wx + wy * wy;
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    const real dx = q[2] - q[0], dy = q[3] - q[1];
    r[0] = q[0] * n[0] - dx * n[2];
    r[1] = q[1] * n[0] - dy * n[2];
    r[2] = (q[2] - p[D]) * n[1] + dx * n[2];
    r[3] = q[3] * n[1] + dy * n[2];
}
#endif
