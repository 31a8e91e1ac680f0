/* friction_block - a block on a moving belt, held by a spring: stick and slip
 *
 *   stick        m x'' = -k x + F,  0 = offset + vb t - x         q = (x) [m], lambda = (F) [N]
 *   slip_back    m x'' = -k x + mu_k N     while x' < vb          N = m g
 *   slip_ahead   m x'' = -k x - mu_k N     while x' > vb
 *
 * Coulomb: the block sticks while |F| <= mu_s N. The belt drags it along until F = k x = mu_s N;
 * then it slips until x' = vb again, where it sticks if F then is within its bounds: the guards of
 * stick decide at once. The constraint has the sign that makes its multiplier the force of friction
 * on the block: G = -1. The action of the event that sticks sets offset, where the belt had the
 * block at t = 0.
 *
 * Limit cycle. With w = sqrt(k/m), xe = mu_k m g/k, A = (mu_s - mu_k) m g/k the block slips from
 * x = xe + A with x' = vb along x = xe + A cos(w s) + (vb/w) sin(w s), comes back to x' = vb at
 * x = xe - A, and is carried back:
 *
 *   period = (2 pi - 2 atan(A w/vb))/w + 2 A/vb               two events in each
 *
 * It is reached at the first sticking; the run begins on it. Here it is 2.33663058948005572 s.
 */
#ifndef DAE_PASS
enum { M, K, G, MU_S, MU_K, VB, OFFSET };
enum { X, V, F };
#include <daelab/drawing.h>
#include <daelab/model.h>

static const dae_event stick_events[] = {
    {.name = "slips_back", .title = "the spring pulls the block loose", .value = DAE_MODEL(above),
     .direction = DAE_RISING, .mode = "slip_back"},
    {.name = "slips_ahead", .title = "the spring pushes the block loose", .value = DAE_MODEL(below),
     .direction = DAE_FALLING, .mode = "slip_ahead"}, {0},
};

static const dae_event slip_back_events[] = {
    {.name = "sticks", .title = "the block has caught up with the belt", .value = DAE_MODEL(slip),
     .direction = DAE_RISING, .action = DAE_MODEL(hold), .mode = "stick"}, {0},
};

static const dae_event slip_ahead_events[] = {
    {.name = "sticks", .title = "the belt has caught up with the block", .value = DAE_MODEL(slip),
     .direction = DAE_FALLING, .action = DAE_MODEL(hold), .mode = "stick"}, {0},
};

/* A mark every fifth of the belt moves with it. */
static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const double size = 2 * bound_double(p) / p[K], half = 0.05 * size, mark = size / 5;
    const double shift = fmod(p[VB] * t, mark);
    dae_draw_wall(out, -size, -half, -size, 3 * half);
    dae_draw_wall(out, -size, -half, 1.5 * size, -half);
    for (double at = shift - size; at < 1.5 * size; at += mark)
        dae_draw_link(out, at, -half, at - half, -2 * half);
    dae_draw_link(out, -size, 0, x[X] - half, 0);
    dae_draw_named_body(out, "block", x[X], 0, half);
}

#define SLIPPING                                                                                  \
    .variables = "x v", .units = "m m/s", .start = DAE_MODEL(start_slip)

static const dae_problem slip_back = {
    .name = "slip_back",
    .title = "the block is slower than the belt",
    .equations = "m x'' = -k x + mu_k m g",
    SLIPPING,
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(dragged)},
    .events = slip_back_events,
};

static const dae_problem slip_ahead = {
    .name = "slip_ahead",
    .title = "the block is faster than the belt",
    .equations = "m x'' = -k x - mu_k m g",
    SLIPPING,
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(braked)},
    .events = slip_ahead_events,
};

static const dae_problem *const modes[] = {&slip_back, &slip_ahead, NULL};

const dae_problem dae_friction_block = {
    .name = "friction_block",
    .title = "a block on a moving belt, held by a spring: stick and slip",
    .citation = "closed form, derived in this file",
    .equations = "m x'' = -k x + F\n"
                 "0 = offset + vb t - x,  F the force of friction, |F| <= mu_s m g",
    .variables = "x v F",
    .units = "m m/s N",
    .parameters = {
        {"m", 1, "kg", "mass", DAE_POSITIVE},
        {"k", 10, "N/m", "spring constant", DAE_POSITIVE},
        {"g", 9.81, "m/s^2", "gravity", DAE_POSITIVE},
        {"mu_s", 0.4, "-", "friction of rest, at least mu_k", DAE_POSITIVE},
        {"mu_k", 0.3, "-", "friction of motion", DAE_NONNEGATIVE},
        {"vb", 0.2, "m/s", "velocity of the belt", DAE_POSITIVE},
        {"offset", 0.1962, "m", "start position; set where the block sticks", DAE_ANY_VALUE},
    },
    .mechanical = {.nq = 1, .nl = 1, DAE_MECHANICAL_MODEL},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 25,
    .events = stick_events,
    .mode = "stick",
    .modes = modes,
    .draw = draw,
};

#else

static void FN(start_slip)(const param *p, real *u)
{
    u[X] = p[OFFSET];
    u[V] = p[VB];
}

static void FN(start)(const param *p, real *u)
{
    FN(start_slip)(p, u);
    u[F] = p[K] * p[OFFSET];
}

static param FN(bound)(const param *p) { return p[MU_S] * p[M] * p[G]; }
static real FN(above)(const param *p, real t, const real *x, int k) { return x[F] - FN(bound)(p); }
static real FN(below)(const param *p, real t, const real *x, int k) { return x[F] + FN(bound)(p); }
static real FN(slip)(const param *p, real t, const real *x, int k) { return x[V] - p[VB]; }

static int FN(hold)(const param *p, real t, real *x, real *p_new, int k)
{
    p_new[OFFSET] = x[X] - p[VB] * t;
    return 0;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[M] * a[0];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -p[K] * q[0];
}

static void FN(dragged)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -p[K] * q[0] + p[MU_K] * p[M] * p[G];
}

static void FN(braked)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -p[K] * q[0] - p[MU_K] * p[M] * p[G];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = p[OFFSET] + p[VB] * t - q[0];
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    dg[0] = p[VB] - v[0];
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    ddg[0] = -a[0];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *force, real *r)
{
    r[0] = -force[0];
}

#endif
