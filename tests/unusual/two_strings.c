/* two_strings - a bob at rest on two strings, from nails at (-d/2, 0) and (d/2, 0); where one lets go the bob is
 * put onto both circles once more
 *
 * At rest it moves by rounding only, in a direction in which its place is 0, and what puts it there answers 0 for
 * each state beside it: sums of lengths that cancel, of which nothing in the result shows the size.
 */
#ifndef DAE_PASS
enum { M, G, L, D };
#include <daelab/model.h>

static const dae_event events[] = {
    {.name = "slack", .title = "the left string would push", .value = DAE_MODEL(tension),
     .direction = DAE_FALLING, .action = DAE_MODEL(onto_both), .terminal = 1},
    {0}};

const dae_problem dae_two_strings = {
    .name = "two_strings", .title = "a bob at rest on two strings",
    .equations = "m r'' = (0, -m g) - n1 S1 - n2 S2,  0 = |r - r1| - L,  0 = |r - r2| - L",
    .variables = "x y vx vy S1 S2", .units = "m m m/s m/s N N",
    .parameters = {{"m", 1, "kg", "mass", DAE_POSITIVE}, {"g", 9.81, "m/s^2", "gravity", DAE_POSITIVE},
                   {"L", 1, "m", "length of a string", DAE_POSITIVE},
                   {"d", 0.8, "m", "between the nails", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .nl = 2, DAE_MECHANICAL_MODEL},
    .start = DAE_MODEL(start), .t_end = 3, .events = events};
#else

static void FN(start)(const param *p, real *u) { u[1] = -sqrt(p[L] * p[L] - p[D] * p[D] / 4); }

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
    g[0] = hypot(q[0] + p[D] / 2, q[1]) - p[L];
    g[1] = hypot(q[0] - p[D] / 2, q[1]) - p[L];
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    for (int i = 0; i < 2; i++) {
        const real x = q[0] + (i ? -p[D] : p[D]) / 2;
        dg[i] = (x * v[0] + q[1] * v[1]) / hypot(x, q[1]);
    }
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *ddg)
{
    for (int i = 0; i < 2; i++) {
        const real x = q[0] + (i ? -p[D] : p[D]) / 2, r = hypot(x, q[1]), along = (x * v[0] + q[1] * v[1]) / r;
        ddg[i] = (x * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1] - along * along) / r;
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    const real x1 = q[0] + p[D] / 2, x2 = q[0] - p[D] / 2;
    const real by1 = lambda[0] / hypot(x1, q[1]), by2 = lambda[1] / hypot(x2, q[1]);
    r[0] = x1 * by1 + x2 * by2;
    r[1] = q[1] * (by1 + by2);
}

static real FN(tension)(const param *p, real t, const real *x, int k) { return x[4]; }

/* A step of Newton's, onto both constraints. */
static int FN(onto_both)(const param *p, real t, real *x, real *p_new, int k)
{
    const real x1 = x[0] + p[D] / 2, x2 = x[0] - p[D] / 2, r1 = hypot(x1, x[1]), r2 = hypot(x2, x[1]);
    const real g1 = (r1 - p[L]) * r1, g2 = (r2 - p[L]) * r2, det = (x1 - x2) * x[1];
    const real dx = (g1 - g2) * x[1] / det, dy = (x1 * g2 - x2 * g1) / det;
    x[0] -= dx;
    x[1] -= dy;
    return 0;
}
#endif
