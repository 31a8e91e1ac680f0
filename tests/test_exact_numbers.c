/* test_exact_numbers.c - EXACT(0.1) has all digits in quad, and is the plain double everywhere else
 *
 * u' = -0.1 u, u(10) = u(0)/e: with 0.1 a double the reference is off by 10 times what that is off by.
 */
#ifndef DAE_PASS
#define UF 0.026
#include <daelab/model.h>

#include "support.h"

enum { NUMBERS = 8 };

static const dae_map1 numbers = DAE_MODEL(numbers);

static const dae_problem exact = {.name = "exact", .first_order = {.n = 1, .rhs = DAE_MODEL(by_exact)},
                                  .start = DAE_MODEL(one), .t_end = 10};
static const dae_problem rounded = {.name = "rounded", .first_order = {.n = 1, .rhs = DAE_MODEL(by_rounded)},
                                    .start = DAE_MODEL(one), .t_end = 10};

/* Behind the passes it is a double. */
static const double tenth = EXACT(0.1);

static const double doubles[NUMBERS] = {0.1, -0.1, 8.375e-6, 0.026, 1e-3, 0.1 / 3, 0x1.8p-3, 0.3};

/* The same as fractions. */
static const double fractions[NUMBERS][2] = {{1, 10}, {-1, 10}, {8375, 1e9}, {26, 1000}, {1, 1000}, {1, 30},
                                             {3, 16}, {3, 10}};

TEST(test_digits)
{
    dae_quad q[NUMBERS];
    double x[NUMBERS];
    dae_dual d[NUMBERS], s[NUMBERS];
    const double p[1] = {0};
    const dae_dual p_dual[1] = {0};
    const dae_quad p_quad[1] = {0};
    numbers.f(p, 0, NULL, x);
    numbers.dual(p, 0, NULL, d);
    numbers.tangent(p_dual, 0, NULL, s);
    numbers.quad(p_quad, 0, NULL, q);
    assert_true(tenth == 0.1);
    for (int i = 0; i < NUMBERS; i++) {
        const dae_quad is = (dae_quad)fractions[i][0] / (dae_quad)fractions[i][1];
        assert_true(x[i] == doubles[i] && dae_dual_value(d[i]) == doubles[i] && dae_dual_value(s[i]) == doubles[i]);
        assert_true(dae_dual_derivative(d[i]) == 0 && dae_dual_derivative(s[i]) == 0);
        if (!(dae_quad_fabs(q[i] / is - 1) < DAE_QUAD_C(1e-33)))
            fail_msg("number %d is off by %g of itself", i, (double)(q[i] / is - 1));
    }
}

/* u(10) - 1/e of the reference, in units of 1/e */
static double off(const dae_problem *problem)
{
    const double u = 1, t = 10;
    OWNED(dae_system) *sys = system_of(problem, "native", NULL, NULL);
    OWNED(dae_reference) r = reference_of(sys, &u, &t, 1);
    return (double)(r.q[0] * dae_quad_exp(1) - 1);
}

TEST(test_reference)
{
    const double of_double = (double)(10 * (DAE_QUAD_C(0.1) - 0.1));
    assert_close(off(&exact), 0, 1e-25);
    assert_true(fabs(of_double) > 1e-17);
    assert_close(off(&rounded), of_double, 1e-25);
}

#else
static const real FN(table)[] = {EXACT(0.3)};
static void FN(one)(const param *p, real *u) { u[0] = (real){0} + 1; }
static void FN(by_exact)(const param *p, real t, const real *u, real *F) { F[0] = -EXACT(0.1) * u[0]; }
static void FN(by_rounded)(const param *p, real t, const real *u, real *F) { F[0] = -0.1 * u[0]; }

static void FN(numbers)(const param *p, real t, const real *x, real *out)
{
    const param milli = EXACT(1e-3);
    out[0] = EXACT(0.1);
    out[1] = EXACT(-0.1);
    out[2] = EXACT(8.375e-6);
    out[3] = EXACT(UF);
    out[4] = milli;
    out[5] = EXACT(0.1) / 3;
    out[6] = EXACT(0x1.8p-3);
    out[7] = FN(table)[0];
}
#endif
