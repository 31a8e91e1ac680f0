/* cros.c - one CROS step on the pendulum (index 3): this library through its public interface, beside
 * a program written out by hand for this one problem
 *
 *     (M - s J) k = F + s F_t,   u+ = u + h Re k,   s = h (1 + i)/2
 *
 * with k_q and k_v by substitution, one equation for k_T, no pivoting. The rows are x' = vx, y' = vy,
 * m vx' = -(x/L) T, m vy' = -(y/L) T - m g(t), 0 = g(x, y).
 *
 * Before they are timed all of them must arrive at the same state at t = 2.
 */
#include "rounds.h"
#include "yardsticks.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 5, STEPS = 2000 };
enum { KT = 4 };                /* place of the tension among (x, y, vx, vy, T) */

static const double H = 1e-3, MASS = 1, LENGTH = 5, G0 = 9.81, G1 = 0.05;
static const double OMEGA = 2 * 3.14159265358979323846;
static const double AGREEMENT = 1e-9;   /* relative; T carries rounding of eps |q|/h^2 = 1e-9 */
static const double AGREEMENT_FD = 1e-5;        /* sqrt(eps) in J moves the multiplier, by 3e-6 at some times */
static const double U0[N] = {3, -4, 0, 0, 0};
static const struct { int i; double value; } golden[] = {       /* at t = 2 */
    {0, -2.7845575401166798}, {1, -4.1528595367181325}, {KT, 7.540818604483046}};

/* ---- by hand --------------------------------------------------------------------------------- */

/* With e = q/L, D = m + s^2 T/L and R = F_v + s F_t - s (T/L) v, the rows say
 *     k_q = v + s k_v,   D k_v = R - s e k_T,   e . k_v = -(g/s + e . v)/s. */
static inline void eliminated_step(double t, double *u)
{
    const double _Complex s = H * (1 + I) / 2, inverse = 1 / s;
    const double ex = u[0] / LENGTH, ey = u[1] / LENGTH, vx = u[2], vy = u[3], T = u[KT];
    const double gravity = G0 + G1 * sin(OMEGA * t), change = G1 * OMEGA * cos(OMEGA * t);
    const double g = (u[0] * u[0] + u[1] * u[1] - LENGTH * LENGTH) / (2 * LENGTH);
    const double _Complex w = s * (T / LENGTH), D = MASS + s * w, over = 1 / D;
    const double _Complex rx = -ex * T - w * vx;
    const double _Complex ry = -ey * T - MASS * gravity - s * (MASS * change) - w * vy;
    const double _Complex need = inverse * (inverse * g + (ex * vx + ey * vy));
    const double _Complex kT = inverse * (ex * rx + ey * ry + D * need) / (ex * ex + ey * ey);
    const double _Complex kvx = over * (rx - s * ex * kT), kvy = over * (ry - s * ey * kT);
    u[0] += H * creal(vx + s * kvx);
    u[1] += H * creal(vy + s * kvy);
    u[2] += H * creal(kvx);
    u[3] += H * creal(kvy);
    u[KT] += H * creal(kT);
}

/* ---- the variants -------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    int by_hand;                /* 0: the library */
    dae_jacobian_kind jacobian;
    speed_library library;
} variant;

static const variant table[] = {        /* the first one is what the others are compared with */
    {.name = "hand-eliminated", .by_hand = 1},
    {.name = "daelab, analytic", .jacobian = DAE_JACOBIAN_ANALYTIC},
    {.name = "daelab, dual", .jacobian = DAE_JACOBIAN_DUAL},
    {.name = "daelab, fd", .jacobian = DAE_JACOBIAN_FD},
};
enum { VARIANTS = sizeof table / sizeof *table };

static int prepare(variant *v)
{
    dae_options options = dae_default_options();
    options.step = H;
    options.jacobian = v->jacobian;
    return v->by_hand || speed_open(&v->library, "pendulum", "index3", "cros", &options);
}

/* From t = 0 to t = 2; 0 where a step failed. */
static int run(const variant *v, double *u)
{
    if (!v->by_hand)
        return speed_solve(&v->library, U0, STEPS * H, u);
    memcpy(u, U0, sizeof U0);
    for (int k = 0; k < STEPS; k++)
        eliminated_step(k * H, u);
    return 1;
}

static double difference(double x, double y)
{
    return isfinite(x) ? fabs(x - y) / fmax(1, fabs(y)) : HUGE_VAL;
}

/* Does the variant arrive at the golden numbers, and where the first one does? */
static int agrees(const variant *v, const variant *first)
{
    const double bound = v->jacobian == DAE_JACOBIAN_FD ? AGREEMENT_FD : AGREEMENT;
    double u[N], reference[N], worst = 0;
    if (!run(v, u) || !run(first, reference)) {
        fprintf(stderr, "%s: a step failed\n", v->name);
        return 0;
    }
    for (int i = 0; i < N; i++)
        worst = fmax(worst, difference(u[i], reference[i]));
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++)
        worst = fmax(worst, difference(u[golden[i].i], golden[i].value));
    if (!(worst <= bound))
        fprintf(stderr, "%s: differs by %.1e at t = %g, more than %g\n", v->name, worst, STEPS * H, bound);
    return worst <= bound;
}

/* ---- the yardstick ------------------------------------------------------------------------- */

static int run_once(void *data)
{
    double u[N];
    return run(data, u) && isfinite(u[0]);
}

static int measure(variant *variants, int rounds)
{
    speed_subject subjects[VARIANTS];
    speed_time times[VARIANTS];
    for (int i = 0; i < VARIANTS; i++) {
        if (!agrees(&variants[i], &variants[0]))
            return 0;
        subjects[i] = (speed_subject){variants[i].name, &variants[i], run_once};
    }
    if (!speed_rounds(VARIANTS, subjects, rounds, times))
        return 0;
    printf("h = %g, %d rounds, time of a step:\n", H, rounds);
    speed_show(VARIANTS, subjects, times, STEPS, NULL);
    return 1;
}

int speed_cros(int rounds)
{
    variant variants[VARIANTS];
    int good = 1;
    memcpy(variants, table, sizeof table);
    for (int i = 0; i < VARIANTS; i++)
        good = good && prepare(&variants[i]);
    good = good && measure(variants, rounds);
    for (int i = 0; i < VARIANTS; i++)
        speed_close(&variants[i].library);
    return good;
}
