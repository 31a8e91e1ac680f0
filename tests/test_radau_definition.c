/* test_radau_definition.c - the coefficients of Radau IIA are those of the definition, to the last bit, and its steps to
 * rounding
 */
#ifndef DAE_PASS
#include <daelab/model.h>

#include "support.h"

#include "radau_definition.h"

static void check_numbers(const char *name, int s, int count, const double *is, const double *should_be)
{
    for (int i = 0; i < count; i++)
        if (is[i] != should_be[i])
            fail_msg("%d stages, %s[%d] is %.17g, and should be %.17g", s, name, i, is[i], should_be[i]);
}

TEST(test_numbers)
{
    for (int s = 3; s <= RADAU_FINE; s += 2) {
        const radau_tableau *is = dae_radau_tableau(s);
        radau_tableau made;
        radau_from_definition(&made, s);
        assert_int_equal(s, is->s);
        check_numbers("mu", s, 1, &is->mu, &made.mu);
        check_numbers("c", s, s, is->c, made.c);
        check_numbers("lagrange", s, s, is->lagrange, made.lagrange);
        check_numbers("slope", s, s, is->slope, made.slope);
        check_numbers("last", s, s, is->last, made.last);
        check_numbers("last_but_one", s, s, is->last_but_one, made.last_but_one);
        check_numbers("alpha", s, s / 2, is->alpha, made.alpha);
        check_numbers("beta", s, s / 2, is->beta, made.beta);
        check_numbers("T", s, s * s, is->T, made.T);
        check_numbers("T_inverse", s, s * s, is->T_inverse, made.T_inverse);
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void begin(const double *p, double *u) { u[0] = 1, u[1] = 3; }
static const dae_problem bent = {                       /* a = exp(sin t), b = 2 + cos 2t */
    .name = "bent", .variables = "a b", .units = "- -", .start = {begin}, .t_end = 2,
    .first_order = {.n = 2, .rhs = DAE_MODEL(bent)}};

static void slopes(long double t, const long double *u, long double *F)
{
    const long double d = u[1] - 2 - cosl(2 * t);
    F[0] = cosl(t) * u[0] + d * u[0];
    F[1] = -2 * sinl(2 * t) + u[0] * u[1] - expl(sinl(t)) * (2 + cosl(2 * t)) - d * d * d - 2 * d;
}

/* Radau IIA of order 5 by fixed-point iteration. Hairer, Wanner (1996), IV.5, table 5.6. */
static void steps_of_definition(int steps, long double *u)
{
    const long double r = sqrtl(6), h = 2.0L / steps, c[] = {(4 - r) / 10, (4 + r) / 10, 1};
    const long double A[3][3] = {{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
                                 {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
                                 {(16 - r) / 36, (16 + r) / 36, 1 / 9.0L}};
    u[0] = 1, u[1] = 3;
    for (int k = 0; k < steps; k++) {
        long double stage[3][2] = {{u[0], u[1]}, {u[0], u[1]}, {u[0], u[1]}}, F[3][2];
        for (int iteration = 0; iteration < 40; iteration++) {
            for (int i = 0; i < 3; i++)
                slopes((k + c[i]) * h, stage[i], F[i]);
            for (int i = 0; i < 3; i++)
                for (int m = 0; m < 2; m++)
                    stage[i][m] = u[m] + h * (A[i][0] * F[0][m] + A[i][1] * F[1][m] + A[i][2] * F[2][m]);
        }
        u[0] = stage[2][0], u[1] = stage[2][1];
    }
}

/* What is left of Newton's iteration has one sign: of many steps it would add up, to 1e-12 and more. */
TEST(test_steps)
{
    for (int steps = 100; steps < 350; steps = steps * 3 / 2) {
        double u[2];
        long double right[2];
        dae_options options = dae_default_options();
        options.step = 2.0 / steps;
        OWNED(dae_system) *sys = system_of(&bent, "native", NULL, u);
        solve_to(sys, "radau5", &options, 2, u);
        steps_of_definition(steps, right);
        for (int m = 0; m < 2; m++)
            if (!(fabsl(u[m] - right[m]) <= 2e-13L))
                fail_msg("%d steps: %c is off by %.3Lg", steps, "ab"[m], u[m] - right[m]);
    }
}

#else
static void FN(bent)(const param *p, real t, const real *u, real *F)
{
    const real d = u[1] - 2 - cos(2 * t);
    F[0] = cos(t) * u[0] + d * u[0];
    F[1] = -2 * sin(2 * t) + u[0] * u[1] - exp(sin(t)) * (2 + cos(2 * t)) - d * d * d - 2 * d;
}
#endif
