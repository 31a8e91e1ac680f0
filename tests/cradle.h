/* cradle.h - Newton's cradle: pendulums side by side that touch their neighbours when they hang
 *
 *     m_k r_k'' = -m_k g e_y - r_k T_k/L,   |r_k| = L,   r_k = (x_k, y_k) from the pivot of ball k
 *
 * from rest at the angles s_k a + b_k. Ball k meets ball k + 1 where x_{k+1} = x_k. Along the tangent that both have
 * then, w+ = -e w-, and the momentum stays. At the bottom all impacts of a row happen at one instant, pair by pair.
 * With equal masses and e = 1 two balls that meet exchange their velocities, so that sorted by x they are where they
 * would be if they went through each other: `free` is the same without impacts.
 *
 * Included by a test after model.h, and once more in each pass over the models.
 */
#ifndef DAE_PASS
#include "support.h"


static const dae_event contacts[] = {{.name = "contact", .count = BALLS - 1, .direction = DAE_FALLING,
                                      .value = DAE_MODEL(gap), .action = DAE_MODEL(exchange)}, {0}};
#define CRADLE                                                                                    \
    .parameters = {{"g", 9.81, "m/s^2", "", DAE_POSITIVE}, {"L", 0.7, "m", "", DAE_POSITIVE},     \
                   {"a", 0.6, "rad", "", DAE_ANY_VALUE}, {"e", 1, "-", "", DAE_NONNEGATIVE},      \
                   {"m", 1, "kg", "", DAE_POSITIVE, .count = BALLS},                              \
                   {"s", 0, "-", "", DAE_ANY_VALUE, .count = BALLS},                              \
                   {"b", 0, "rad", "", DAE_ANY_VALUE, .count = BALLS}},                           \
    .mechanical = {.nq = 2 * BALLS, .nl = BALLS, DAE_MECHANICAL_MODEL}, .start = DAE_MODEL(start), .t_end = 3
static const dae_problem cradle = {.name = "cradle", CRADLE, .events = contacts}, free_balls = {.name = "free", CRADLE};

#else

static void FN(start)(const param *p, real *u)
{
    for (int k = 0; k < BALLS; k++) {
        const param angle = p[S + k] * p[A] + p[B + k];
        u[2 * k] = p[L] * sin(angle);
        u[2 * k + 1] = -p[L] * cos(angle);
    }
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 2 * BALLS; i++)
        r[i] = p[M + i / 2] * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int k = 0; k < BALLS; k++) {
        f[2 * k] = (real){0};
        f[2 * k + 1] = (real){0} - p[M + k] * p[G];
    }
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    for (int k = 0; k < BALLS; k++)
        g[k] = ((q[2 * k] * q[2 * k] + q[2 * k + 1] * q[2 * k + 1]) / p[L] - p[L]) / 2;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    for (int k = 0; k < BALLS; k++)
        r[k] = (q[2 * k] * v[2 * k] + q[2 * k + 1] * v[2 * k + 1]) / p[L];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    for (int k = 0; k < BALLS; k++)
        r[k] = (q[2 * k] * a[2 * k] + q[2 * k + 1] * a[2 * k + 1] + v[2 * k] * v[2 * k]
                + v[2 * k + 1] * v[2 * k + 1]) / p[L];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *T, real *r)
{
    for (int i = 0; i < 2 * BALLS; i++)
        r[i] = q[i] / p[L] * T[i / 2];
}

static real FN(gap)(const param *p, real t, const real *x, int k) { return x[2 * k + 2] - x[2 * k]; }

/* Speeds along the tangents (-y, x)/L */
static int FN(exchange)(const param *p, real t, real *x, real *p_new, int k)
{
    const real *q = x + 2 * k;
    real *v = x + 2 * BALLS + 2 * k, speed[2];
    for (int i = 0; i < 2; i++)
        speed[i] = (q[2 * i] * v[2 * i + 1] - q[2 * i + 1] * v[2 * i]) / p[L];
    const real pull = (1 + p[E]) * (speed[0] - speed[1]) / (p[M + k] + p[M + k + 1]);
    speed[0] = speed[0] - p[M + k + 1] * pull;
    speed[1] = speed[1] + p[M + k] * pull;
    for (int i = 0; i < 2; i++) {
        v[2 * i] = -q[2 * i + 1] / p[L] * speed[i];
        v[2 * i + 1] = q[2 * i] / p[L] * speed[i];
    }
    return 0;
}

#endif
