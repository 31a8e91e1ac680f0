/* test_reference_scales.c - references of problems whose unknowns, masses and time scales are many decades apart
 *
 *     m x'' of 6e24 beside 1e-9      the same motion with masses of 1
 *     1 fF beside 1 J/K              v = 1 - 3/4 e^(-t/(RC))
 *     1e10 beside 1e-14              c = c0 exp(-2/3 sin 30t)
 *     G with rows 1e-5 apart         the same constraints, one less the other
 *     a layer of 1e-6, index 2       x = (L^2 cos t + L sin t - L^2 e^(-L t))/(1 + L^2)
 *     a start off by d               u = cos t + d cos wt,  u = cos t + d e^(-wt)
 *     y of 1e-34 where it is 0       x = sin t, y = x^3, z = cos t
 *     a kink in small units          y = b (a^2 + (1 - a)^2)/2 of y' = b |t - a| at t = 1
 */
#ifndef DAE_PASS
enum { A, B };
#include <daelab/model.h>
#include <daelab/quad_reference.h>

#include "support.h"

#include <daelab/functions.h>


#define PARAMETERS(a, b) {{"a", a, "-", "a"}, {"b", b, "-", "b"}}

/* Masses a and b: one is led along cos t, the other slides on y = (x^2 - 1)/2. */
static const dae_problem masses = {
    .name = "masses", .variables = "X x y vX vx vy L1 L2", .units = "- - - - - - - -",
    .parameters = PARAMETERS(6e24, 1e-9),
    .mechanical = {.nq = 3, .nl = 2, .inertia = DAE_MODEL(mass), .force = DAE_MODEL(weight),
                   .constraint = DAE_MODEL(way), .rate = DAE_MODEL(rate), .acceleration = DAE_MODEL(bend),
                   .reaction = DAE_MODEL(push)},
    .start = DAE_MODEL(at_one), .t_end = 1};

/* Two constraints of a unit mass whose rows of G are a part a of each other apart; b = 1: their difference over a. */
static const dae_problem near_rows = {
    .name = "near_rows", .variables = "x y w vx vy vw L1 L2", .units = "- - - - - - - -",
    .parameters = PARAMETERS(0x1p-17, 0),
    .mechanical = {.nq = 3, .nl = 2, .inertia = DAE_MODEL(unit), .force = DAE_MODEL(falls),
                   .constraint = DAE_MODEL(ring), .rate = DAE_MODEL(ring_rate), .acceleration = DAE_MODEL(ring_bend),
                   .reaction = DAE_MODEL(ring_push)},
    .start = DAE_MODEL(on_ring), .t_end = 1};

/* T' = i - T, a v' = (1 - v)/b, 0 = i - v */
static const dae_problem capacitor = {
    .name = "capacitor", .variables = "T v i", .units = "- - -", .parameters = PARAMETERS(1e-15, 1e12),
    .first_order = {.n = 3, .index = 1, .mass = DAE_MODEL(capacities), .rhs = DAE_MODEL(currents)},
    .start = DAE_MODEL(quarter), .t_end = 2e-3};

static const dae_problem small_beside_large = {
    .name = "small_beside_large", .variables = "large small", .units = "- -", .parameters = PARAMETERS(1e10, 1e-14),
    .first_order = {.n = 2, .rhs = DAE_MODEL(both)}, .start = DAE_MODEL(small), .t_end = 3};

/* x' = -a (x - cos t), y' = z, 0 = y - sin t */
static const dae_problem layer = {
    .name = "layer", .variables = "x y z", .units = "- - -", .parameters = PARAMETERS(1e6, 0),
    .first_order = {.n = 3, .index = 2, .mass = DAE_MODEL(two_of_three), .rhs = DAE_MODEL(steep)},
    .start = DAE_MODEL(in_layer), .t_end = 1};

/* y' = z, 0 = y - b sin a t */
static const dae_problem fast_force = {
    .name = "fast_force", .variables = "y z", .units = "- -", .parameters = PARAMETERS(1e5, 1e-3),
    .first_order = {.n = 2, .index = 2, .mass = DAE_MODEL(first_of_two), .rhs = DAE_MODEL(forced)},
    .start = DAE_MODEL(forced_start), .t_end = 1};

/* u'' = -a^2 (u - cos t) - cos t, and u' = -a (u - cos t) - sin t, from 1 + b */
static const dae_problem oscillator = {
    .name = "oscillator", .variables = "u v", .units = "- -", .parameters = PARAMETERS(1e7, 0x1p-50),
    .first_order = {.n = 2, .rhs = DAE_MODEL(swings)}, .start = DAE_MODEL(off), .t_end = 1};
static const dae_problem decaying = {
    .name = "decaying", .variables = "u", .units = "-", .parameters = PARAMETERS(1e7, 0x1p-50),
    .first_order = {.n = 1, .rhs = DAE_MODEL(decays)}, .start = DAE_MODEL(off_alone), .t_end = 1};

/* x' = 1, y' = b |x - a|; and z = x */
static const dae_problem bends = {
    .name = "bends", .variables = "x y", .units = "- -", .parameters = PARAMETERS(0.3003, 1),
    .first_order = {.n = 2, .rhs = DAE_MODEL(bent)}, .start = DAE_MODEL(zero), .t_end = 1};
static const dae_problem bends_beside = {
    .name = "bends_beside", .variables = "x y z", .units = "- - -", .parameters = PARAMETERS(0.3003, 1),
    .first_order = {.n = 3, .index = 1, .mass = DAE_MODEL(two_of_three), .rhs = DAE_MODEL(bent_beside)},
    .start = DAE_MODEL(zero), .t_end = 1};

/* x' = z, 0 = y - x^3, 0 = x - sin t, the first two as a and 1/8 times the first, plus and minus the second;
 * y(0) = b */
static const dae_problem shared_slope = {
    .name = "shared_slope", .variables = "x y z", .units = "- - -", .parameters = PARAMETERS(0.75, 0),
    .first_order = {.n = 3, .index = 2, .mass = DAE_MODEL(slopes), .rhs = DAE_MODEL(shares)},
    .start = DAE_MODEL(beside_zero), .t_end = 1};

/* From the consistent start to `end`; the status, and what is said where there is none. */
static dae_status solve(const dae_problem *problem, const char *form, double a, double b, double end,
                        dae_reference *r, dae_report *why)
{
    const double p[] = {a, b};
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = consistent_system(problem, form, p, u);
    return dae_reference_solve(r, sys, 0, u, &end, 1, why);
}

static dae_reference solved(const dae_problem *problem, const char *form, double a, double b, double end)
{
    dae_reference r;
    dae_report why = {0};
    if (solve(problem, form, a, b, end, &r, &why))
        fail_msg("%s, %g, %g: %s", problem->name, a, b, why.message);
    return r;
}

TEST(masses_are_far_apart)
{
    dae_reference far = solved(&masses, "index3", 6e24, 1e-9, 1), near = solved(&masses, "index3", 1, 1, 1);
    assert_true(far.digits >= 18);
    assert_near(far.q[0], dae_quad_cos(1), 1e-28);
    for (int i = 0; i < 3; i++) {
        assert_near(far.q[i], near.q[i], 1e-25);
        assert_near(far.v[i], near.v[i], 1e-25);
    }
    assert_near(far.lambda[1] / (dae_quad)1e-9, near.lambda[1], 1e-24);
    dae_reference_free(&far);
    dae_reference_free(&near);
}

/* cond G = 1e5: the motion is that of the constraints less each other, the multipliers are 1e5 larger. */
TEST(constraints_are_nearly_dependent)
{
    const dae_quad part = 0x1p-17;
    OWNED(dae_reference) near = solved(&near_rows, "index3", 0x1p-17, 0, 0.5);
    OWNED(dae_reference) apart = solved(&near_rows, "index3", 0x1p-17, 1, 0.5);
    assert_true(near.digits >= 18);
    for (int i = 0; i < 3; i++) {
        assert_near(near.q[i], apart.q[i], 1e-21);
        assert_near(near.v[i], apart.v[i], 1e-21);
    }
    assert_near(part * near.lambda[1], apart.lambda[1], 1e-20);
}

TEST(capacities_are_far_apart)
{
    OWNED(dae_reference) r = solved(&capacitor, "native", 1e-15, 1e12, 1e-3);
    const dae_quad tau = (dae_quad)1e-15 * (dae_quad)1e12, t = 1e-3;
    assert_true(r.digits >= 20);
    assert_near(r.q[1], 1 - dae_quad_exp(-t / tau) * 3 / 4, 1e-22);
    assert_near(r.q[2], r.q[1], 1e-25);
}

/* 1e-14 and 1e10 beside 1e10 */
TEST(an_unknown_is_small)
{
    for (int e = -14; e <= 10; e += 24) {
        const double c0 = pow(10, e);
        OWNED(dae_reference) r = solved(&small_beside_large, "native", 1e10, c0, 3);
        const dae_quad exact = (dae_quad)c0 * dae_quad_exp(-2 * dae_quad_sin(90) / 3);
        assert_true(r.digits >= 20);
        assert_near(r.q[1] / exact, 1, 10 * pow(10, -r.digits));
        assert_near(r.q[0] / 10000000000, dae_quad_sin(3), 1e-25);
    }
}

/* An unknown that is zero but for rounding shows nothing of dF/du at its own size. */
TEST(a_zero_is_rounded)
{
    for (int e = -33; e >= -35; e--) {
        OWNED(dae_reference) r = solved(&shared_slope, "native", 0.75, 3 * pow(10, e), 1);
        const dae_quad x = dae_quad_sin(1);
        assert_true(r.digits >= 25);
        assert_near(r.q[0], x, 1e-25);
        assert_near(r.q[1], x * x * x, 1e-25);
        assert_near(r.q[2], dae_quad_cos(1), 1e-25);
    }
}

TEST(a_layer_belongs_to_the_solution)
{
    static const double ends[] = {1e-6, 1};
    const dae_quad L = 1000000;
    for (int i = 0; i < 2; i++) {
        const dae_quad t = ends[i];
        OWNED(dae_reference) r = solved(&layer, "native", 1e6, 0, ends[i]);
        const dae_quad x = (L * L * (dae_quad_cos(t) - dae_quad_exp(-L * t)) + L * dae_quad_sin(t)) / (1 + L * L);
        assert_near(r.q[0], x, 1e-20);
        assert_near(r.q[1], dae_quad_sin(t), 1e-28);
        assert_near(r.q[2], dae_quad_cos(t), 1e-20);
    }
}

/* sin 1e5 t takes too many steps, and that is what is said: the start is consistent. To 1e-4 it does not. */
TEST(work_is_bounded)
{
    OWNED(dae_reference) r = {0};
    dae_report why = {0};
    assert_int_equal(DAE_NO_CONVERGENCE, solve(&fast_force, "native", 1e5, 1e-3, 1, &r, &why));
    assert_non_null(strstr(why.message, "steps"));
    assert_null(strstr(why.message, "consistent"));
    r = solved(&fast_force, "native", 1e5, 1e-3, 1e-4);
    const dae_quad t = (dae_quad)100000 * (dae_quad)1e-4, b = 1e-3;
    assert_near(r.q[0], b * dae_quad_sin(t), 1e-21);
    assert_near(r.q[1], 100000 * b * dae_quad_cos(t), 1e-16);
}

/* d = 2^-50 is that of a rounded start: the solution is taken without it. d w of v is left out, and counted;
 * what decays is not there any more. */
TEST(the_oscillation_left_out_is_counted)
{
    dae_reference r = solved(&oscillator, "native", 1e7, 0x1p-50, 1);
    assert_string_equal(r.source, "collocation, slow solution");
    assert_close(r.digits, -log10(0x1p-50 * 1e7 / sin(1)), 0.4);
    assert_near(r.q[1], -dae_quad_sin(1), 1e-18);
    dae_reference_free(&r);
    r = solved(&decaying, "native", 1e7, 0x1p-50, 1);
    assert_true(r.digits >= 18);
    assert_near(r.q[0], dae_quad_cos(1), 1e-18);
    dae_reference_free(&r);
}

/* In units in which y is next to nothing beside x, too: digits are those of y. */
TEST(a_kink_is_no_rounding)
{
    static const double units[] = {1, 1e-5, 1e-20, 1e-25, 1e-35};
    const dae_problem *const problems[] = {&bends, &bends_beside};
    const dae_quad a = 0.3003, exact = (a * a + (1 - a) * (1 - a)) / 2;
    for (int k = 0; k < 10; k++) {
        const double b = units[k / 2];
        OWNED(dae_reference) r = solved(problems[k % 2], "native", 0.3003, b, 1);
        assert_true(r.digits >= 18);
        assert_near(r.q[1] / b / exact, 1, 10 * pow(10, -r.digits));
    }
}
#else
#include "plain_terms.h"

static void FN(at_one)(const param *p, real *u) { u[0] = 1; u[1] = 1; }
static void FN(mass)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[A] * a[0];
    r[1] = p[B] * a[1];
    r[2] = p[B] * a[2];
}
static void FN(weight)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -p[A] * q[0];
    f[1] = -p[B] * q[1];
    f[2] = -p[B] * 9.8125;
}
static void FN(way)(const param *p, real t, const real *q, real *g)
{
    g[0] = q[0] - cos(t);
    g[1] = q[2] - (q[1] * q[1] - 1) / 2;
}
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = v[0] + sin(t);
    r[1] = v[2] - q[1] * v[1];
}
static void FN(bend)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = a[0] + cos(t);
    r[1] = a[2] - q[1] * a[1] - v[1] * v[1];
}
static void FN(push)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = n[0];
    r[1] = -q[1] * n[1];
    r[2] = n[1];
}

static void FN(on_ring)(const param *p, real *u) { u[0] = 1; u[1] = 0; u[2] = -p[A] / 2; }
static void FN(unit)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 3; i++)
        r[i] = a[i];
}
static void FN(falls)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = 0;
    f[1] = -9.8125;
    f[2] = -q[2];
}
static void FN(ring)(const param *p, real t, const real *q, real *g)
{
    const real less = -q[0] + p[A] / 2 + 1 + q[2];
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    if (value(p[B]) > 0)
        g[1] = less;
    else
        g[1] = ((q[0] - p[A]) * (q[0] - p[A]) + q[1] * q[1] - 1) / 2 + p[A] * (1 + q[2]);
}
static void FN(ring_rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = q[0] * v[0] + q[1] * v[1];
    if (value(p[B]) > 0)
        r[1] = v[2] - v[0];
    else
        r[1] = (q[0] - p[A]) * v[0] + q[1] * v[1] + p[A] * v[2];
}
static void FN(ring_bend)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    r[0] = q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1];
    if (value(p[B]) > 0)
        r[1] = a[2] - a[0];
    else
        r[1] = (q[0] - p[A]) * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1] + p[A] * a[2];
}
static void FN(ring_push)(const param *p, real t, const real *q, const real *n, real *r)
{
    const real x = value(p[B]) > 0 ? -n[1] : (q[0] - p[A]) * n[1];
    r[0] = q[0] * n[0] + x;
    r[1] = q[1] * n[0] + (value(p[B]) > 0 ? 0 * n[1] : q[1] * n[1]);
    r[2] = value(p[B]) > 0 ? n[1] : p[A] * n[1];
}

static void FN(quarter)(const param *p, real *u) { u[0] = 0; u[1] = u[2] = 0.25; }
static void FN(capacities)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = p[A] * x[1];
    r[2] = 0;
}
static void FN(currents)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[2] - u[0];
    F[1] = (1 - u[1]) / p[B];
    F[2] = u[2] - u[1];
}

static void FN(small)(const param *p, real *u) { u[0] = 0; u[1] = p[B]; }
static void FN(both)(const param *p, real t, const real *u, real *F)
{
    F[0] = p[A] * cos(t);
    F[1] = -20 * cos(30 * t) * u[1];
}

static void FN(beside_zero)(const param *p, real *u) { u[0] = 0; u[1] = p[B]; u[2] = 1; }
static void FN(slopes)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = p[A] * x[0];
    r[1] = x[0] / 8;
    r[2] = 0;
}
static void FN(shares)(const param *p, real t, const real *u, real *F)
{
    const real c = u[1] - u[0] * u[0] * u[0];
    F[0] = p[A] * u[2] + c;
    F[1] = u[2] / 8 - c;
    F[2] = u[0] - sin(t);
}

static void FN(in_layer)(const param *p, real *u) { u[0] = 0; u[1] = 0; u[2] = 1; }
static void FN(steep)(const param *p, real t, const real *u, real *F)
{
    F[0] = -p[A] * (u[0] - cos(t));
    F[1] = u[2];
    F[2] = u[1] - sin(t);
}

static void FN(forced_start)(const param *p, real *u) { u[0] = 0; u[1] = p[A] * p[B]; }
static void FN(forced)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = u[0] - p[B] * sin(p[A] * t);
}

static void FN(off)(const param *p, real *u) { u[0] = 1 + p[B]; u[1] = 0; }
static void FN(swings)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -p[A] * p[A] * (u[0] - cos(t)) - cos(t);
}
static void FN(off_alone)(const param *p, real *u) { u[0] = 1 + p[B]; }
static void FN(decays)(const param *p, real t, const real *u, real *F) { F[0] = -p[A] * (u[0] - cos(t)) - sin(t); }

static void FN(zero)(const param *p, real *u) { }

static void FN(bent)(const param *p, real t, const real *u, real *F)
{
    F[0] = 1;
    F[1] = p[B] * fabs(u[0] - p[A]);
}

static void FN(bent_beside)(const param *p, real t, const real *u, real *F)
{
    FN(bent)(p, t, u, F);
    F[2] = u[2] - u[0];
}
#endif
