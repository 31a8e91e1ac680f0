/* small_models.c - problems of a few equations that tests solve */
#ifndef DAE_PASS
enum { FROM, UNTIL };
enum { C };
enum { RATE };
enum { FREQUENCY };
#include "small_models.h"
#include <daelab/model.h>

/* y' = 1, not a number after t = 0.5 */
const dae_problem dae_stops = {
    .name = "stops", .variables = "y", .units = "-", .start = DAE_MODEL(zero), .t_end = 1,
    .first_order = {.n = 1, .rhs = DAE_MODEL(stops)}};

const dae_problem dae_line = {
    .name = "line", .title = "y' = x - y + 1", .citation = "textbook", .variables = "y", .units = "-",
    .first_order = {.n = 1, .rhs = DAE_MODEL(line)}, .start = DAE_MODEL(one), .t_end = 0.5};

/* u' = u^2 has a pole at t = 1. */
const dae_problem dae_blow_up = {
    .name = "blow_up", .variables = "u", .units = "-", .start = DAE_MODEL(one), .t_end = 2,
    .first_order = {.n = 1, .rhs = DAE_MODEL(square)}};

/* 0 = z^2, z' absent: dF/dz = 2 z vanishes at the start, so the pencil 0 - a h 2 z is singular. */
const dae_problem dae_square = {
    .name = "square", .variables = "z", .units = "-", .start = DAE_MODEL(zero), .t_end = 1,
    .first_order = {.n = 1, .index = 1, .mass = DAE_MODEL(nothing), .rhs = DAE_MODEL(square)}};

/* F = 1 - sqrt(y) has a value at y = 0, and no derivative. */
const dae_problem dae_root = {
    .name = "root", .variables = "y", .units = "-", .start = DAE_MODEL(zero), .t_end = 1,
    .first_order = {.n = 1, .rhs = DAE_MODEL(root)}};

/* u_0 = t, u_i' = -u_i, and u_(i-1) besides while u_0 is in a range: entries that no pattern found at the start has */
const dae_problem dae_late = {
    .name = "late", .start = DAE_MODEL(all_but_first), .t_end = 0.6,
    .parameters = {{"from", 0.5037, "-", "", DAE_ANY_VALUE}, {"until", 1, "-", "", DAE_ANY_VALUE}},
    .first_order = {.n = LATE, .rhs = DAE_MODEL(late)}};

/* x_i' = -x_i, 0 = x_i - z_i */
const dae_problem dae_many = {
    .name = "many", .start = DAE_MODEL(numbers), .t_end = 1,
    .first_order = {.n = 2 * MANY, .index = 1, .mass = DAE_MODEL(first_half), .rhs = DAE_MODEL(many)}};

/* u = c/(1 + t) */
const dae_problem dae_decline = {
    .name = "decline", .title = "u' = -u^2/c", .variables = "u", .units = "-", .start = DAE_MODEL(size), .t_end = 2,
    .parameters = {{"c", 1, "-", "the size of u", DAE_ANY_VALUE}},
    .first_order = {.n = 1, .rhs = DAE_MODEL(decline)}};

/* y' = -z, 0 = z - y + [(z + X)^2 - X^2 - 2 X z - z^2], whose bracket is rounding of X^2 */
const dae_problem dae_cancels = {
    .name = "cancels", .variables = "y z", .units = "- -", .start = DAE_MODEL(ones), .t_end = 1,
    .parameters = {{"X", 0, "-", "what is added and taken away", DAE_ANY_VALUE}},
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(first), .rhs = DAE_MODEL(cancels)}};

/* u = cos t, y = 2 exp(-t) */
const dae_problem dae_slow = {
    .name = "slow", .variables = "u y", .units = "- -", .start = DAE_MODEL(one_and_two), .t_end = 10,
    .parameters = {{"L", 1, "1/s", "rate", DAE_POSITIVE}}, .first_order = {.n = 2, .rhs = DAE_MODEL(slow)}};

/* Van der Pol's */
const dae_problem dae_oscillator = {
    .name = "oscillator", .variables = "u v", .units = "- 1/s", .start = DAE_MODEL(two_at_rest), .t_end = 2,
    .parameters = {{"L", 1, "1/s", "rate", DAE_POSITIVE}}, .first_order = {.n = 2, .rhs = DAE_MODEL(oscillator)}};

/* x = 2 + sin t, y = 1 + cos(2t)/2, z = cos wt */
const dae_problem dae_bound = {
    .name = "bound", .variables = "x y z", .units = "- - -", .start = DAE_MODEL(on_bound), .t_end = 4,
    .parameters = {{"w", 3, "1/s", "frequency", DAE_POSITIVE}},
    .first_order = {.n = 3, .index = 2, .mass = DAE_MODEL(first_two), .rhs = DAE_MODEL(bound)}};

/* u = sin t, u^2 - sin^2 t = 0: without a gradient at the start, and now and then later. */
const dae_problem dae_wave = {
    .name = "wave", .title = "-", .citation = "-", .equations = "-", .variables = "u w", .units = "- -",
    .start = DAE_MODEL(zero), .t_end = 20, .first_order = {.n = 2, .rhs = DAE_MODEL(wave)},
    .invariants = {.n = 1, .value = DAE_MODEL(off_sine), .names = "I", .units = "-"}};

const dae_problem dae_standing = {
    .name = "standing", .title = "x' = 1 held on x = 1", .variables = "x", .units = "-",
    .first_order = {.n = 1, .rhs = DAE_MODEL(unit)}, .start = DAE_MODEL(one), .t_end = 0.1,
    .invariants = {1, DAE_MODEL(itself), "x", "-"}};

const dae_problem dae_jumping = {
    .name = "jumping", .title = "x' = 1 held on x - t, which jumps", .variables = "x", .units = "-",
    .first_order = {.n = 1, .rhs = DAE_MODEL(unit)}, .start = DAE_MODEL(one), .t_end = 1,
    .invariants = {1, DAE_MODEL(jump), "I", "-"}};

#else

static void FN(zero)(const param *p, real *u) {}
static void FN(one)(const param *p, real *u) { u[0] = 1; }
static void FN(ones)(const param *p, real *u) { u[0] = u[1] = 1; }
static void FN(one_and_two)(const param *p, real *u) { u[0] = 1, u[1] = 2; }
static void FN(two_at_rest)(const param *p, real *u) { u[0] = 2; }
static void FN(on_bound)(const param *p, real *u) { u[0] = 2, u[1] = 1.5, u[2] = 1; }
static void FN(size)(const param *p, real *u) { u[0] = p[C]; }

static void FN(all_but_first)(const param *p, real *u)
{
    for (int i = 1; i < LATE; i++)
        u[i] = 1;
}

static void FN(numbers)(const param *p, real *u)
{
    for (int i = 0; i < 2 * MANY; i++)
        u[i] = 1 + i % MANY;
}

static void FN(stops)(const param *p, real t, const real *y, real *F)
{
    F[0] = value(t) > 0.5 ? (real){0} + (double)NAN : 1 + 0 * y[0];
}

static void FN(line)(const param *p, real t, const real *y, real *F) { F[0] = t - y[0] + 1; }
static void FN(unit)(const param *p, real t, const real *u, real *F) { F[0] = 1; }
static void FN(square)(const param *p, real t, const real *u, real *F) { F[0] = u[0] * u[0]; }
static void FN(root)(const param *p, real t, const real *y, real *F) { F[0] = 1 - sqrt(y[0]); }

static void FN(nothing)(const param *p, real t, const real *u, const real *x, real *out) { out[0] = 0 * x[0]; }

static void FN(decline)(const param *p, real t, const real *u, real *F) { F[0] = -u[0] * u[0] / p[C]; }

static void FN(first)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0];
    out[1] = 0 * x[1];
}

static void FN(slow)(const param *p, real t, const real *u, real *F)
{
    F[0] = -p[RATE] * (u[0] - cos(t)) - sin(t);
    F[1] = -u[1];
}

static void FN(oscillator)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = p[RATE] * ((1 - u[0] * u[0]) * u[1] - u[0]);
}

static void FN(first_two)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0];
    out[1] = x[1];
    out[2] = 0 * x[2];
}

static void FN(bound)(const param *p, real t, const real *u, real *F)
{
    const real a = 2 + sin(t), b = 1 + cos(2 * t) / 2, d = u[2] - cos(p[FREQUENCY] * t);
    F[0] = cos(t) - (u[0] - a) + u[0] * d;
    F[1] = -sin(2 * t) - (u[1] - b) + u[1] * d;
    F[2] = (u[0] * u[0] + u[1] * u[1] - a * a - b * b) / 2;
}

static void FN(cancels)(const param *p, real t, const real *u, real *F)
{
    const real X = (real){0} + p[C], z = u[1];
    F[0] = -z;
    F[1] = z - u[0] + ((z + X) * (z + X) - X * X - 2 * X * z - z * z);
}

static void FN(late)(const param *p, real t, const real *u, real *F)
{
    const int coupled = value(u[0]) > value(p[FROM]) && value(u[0]) < value(p[UNTIL]);
    F[0] = 1;
    for (int i = 1; i < LATE; i++)
        F[i] = coupled ? u[i - 1] - u[i] : -u[i];
}

static void FN(first_half)(const param *p, real t, const real *u, const real *x, real *out)
{
    for (int i = 0; i < 2 * MANY; i++)
        out[i] = i < MANY ? x[i] : (real){0};
}

static void FN(many)(const param *p, real t, const real *u, real *F)
{
    for (int i = 0; i < MANY; i++) {
        F[i] = -u[i];
        F[MANY + i] = u[i] - u[MANY + i];
    }
}

static void FN(wave)(const param *p, real t, const real *u, real *F)
{
    F[0] = cos(t);
    F[1] = u[0];
}

static void FN(off_sine)(const param *p, real t, const real *u, real *I) { I[0] = u[0] * u[0] - sin(t) * sin(t); }
static void FN(itself)(const param *p, real t, const real *u, real *I) { I[0] = u[0]; }
static void FN(jump)(const param *p, real t, const real *u, real *I) { I[0] = u[0] - t + (value(t) > 0.5); }

#endif
