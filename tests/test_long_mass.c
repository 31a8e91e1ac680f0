/* test_long_mass.c - M(t, u) u' = F(t, u) of more unknowns than a full M may have: M is diagonal there */
#include <daelab/problem.h>
#include <daelab/sensitivity.h>

#include "support.h"
#include "solve_native.h"

#include "system/system.h"

enum { MANY = 300 };

static void many_start(const double *p, double *u)
{
    for (int i = 0; i < MANY; i++)
        u[i] = 1 + sin(3.0 * i);
}

#define HEAT(scalar, suffix)                                                                        \
    static void store_##suffix(const double *p, scalar t, const scalar *u, const scalar *x, scalar *out) \
    {                                                                                               \
        for (int i = 0; i < MANY; i++)                                                              \
            out[i] = (2 + u[i] * u[i]) * x[i];                                                      \
    }                                                                                               \
    static void flow_##suffix(const double *p, scalar t, const scalar *u, scalar *F)                \
    {                                                                                               \
        for (int i = 0; i < MANY; i++)                                                              \
            F[i] = (i > 0 ? u[i - 1] : 0) - 2 * u[i] + (i + 1 < MANY ? u[i + 1] : 0);               \
    }                                                                                               \
    static void divided_##suffix(const double *p, scalar t, const scalar *u, scalar *F)             \
    {                                                                                               \
        flow_##suffix(p, t, u, F);                                                                  \
        for (int i = 0; i < MANY; i++)                                                              \
            F[i] = F[i] / (2 + u[i] * u[i]);                                                        \
    }
HEAT(double, double)
HEAT(dae_dual, dual)

static void full_many(const double *p, double t, const double *u, const double *x, double *out)
{
    store_double(p, t, u, x, out);
    out[0] += u[1] * x[1];
}

static void melting(const double *p, double t, const double *u, const double *x, double *out)
{
    for (int i = 0; i < MANY; i++)
        out[i] = u[i] * x[i];
}

static void melting_dual(const double *p, dae_dual t, const dae_dual *u, const dae_dual *x, dae_dual *out)
{
    for (int i = 0; i < MANY; i++)
        out[i] = u[i] * x[i];
}

/* An entry of a long diagonal that is zero, or has been on its way, leaves a derivative undetermined. */
TEST(a_diagonal_may_lose_an_entry)
{
    static const double entries[] = {1e-300, 0, -1};
    const dae_problem melt = {.name = "melt", .start = {many_start}, .t_end = 1,
                              .first_order = {.n = MANY, .mass_kind = DAE_MASS_VARIES,
                                              .mass = {.f = melting, .dual = melting_dual},
                                              .rhs = {.f = flow_double, .dual = flow_dual}}};
    static double u[2 * MANY];
    dae_report why = {0};
    OWNED(dae_system) *sys = system_of(&melt, "native", NULL, NULL);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < MANY; i++)
            u[i] = 1;
        u[7] = entries[k];
        assert_int_equal(k == 0 ? DAE_OK : DAE_SINGULAR, dae_system_check_mass(sys, 0.5, u, &why));
    }
    assert_non_null(strstr(why.message, "has lost its rank"));
}

/* A heat capacity that depends on temperature: of any number of unknowns, with sparse matrices; an M that is not
 * diagonal is told. */
TEST(a_diagonal_may_be_long)
{
    static const char *const methods[] = {"radau", "rodas4", "ida", "dopri5"};
    dae_problem heat = {.name = "heat", .start = {many_start}, .t_end = 1,
                        .first_order = {.n = MANY, .mass_kind = DAE_MASS_VARIES,
                                        .mass = {.f = store_double, .dual = store_dual},
                                        .rhs = {.f = flow_double, .dual = flow_dual}}};
    const dae_problem divided = {.name = "divided", .start = {many_start}, .t_end = 1,
                                 .first_order = {.n = MANY, .rhs = {.f = divided_double, .dual = divided_dual}}};
    static double u[2 * MANY], v[2 * MANY];
    dae_report why = {0};
    const dae_options o = tolerance(1e-7);
    assert_int_equal(DAE_OK, solve(&divided, "dop853", &o, v, &why));
    for (int i = 0; i < 4; i++) {
        if (solve(&heat, methods[i], &o, u, &why))
            fail_msg("%s: %s", methods[i], why.message);
        assert_close(distance(u, v, MANY), 0, 2e-5);
    }
    heat.first_order.mass.f = full_many;
    assert_int_equal(DAE_UNSUPPORTED, solve(&heat, "radau", &o, u, &why));
    assert_non_null(strstr(why.message, "not diagonal"));
}

enum { MOST = 50000 };

/* (2 + x^2) x' = -x,  0 = y - x^2, many times */
#define PAIRS(scalar, suffix, param)                                                                \
    static void every_other_##suffix(const param *p, scalar t, const scalar *u, const scalar *x, scalar *out) \
    {                                                                                               \
        for (int i = 0; i < MOST; i++)                                                              \
            out[i] = i % 2 ? 0 * x[i] : (2 + u[i] * u[i]) * x[i];                                   \
    }                                                                                               \
    static void square_##suffix(const param *p, scalar t, const scalar *u, scalar *F)               \
    {                                                                                               \
        for (int i = 0; i < MOST; i++)                                                              \
            F[i] = i % 2 ? u[i] - u[i - 1] * u[i - 1] : -u[i];                                      \
    }
PAIRS(double, double, double)
PAIRS(dae_dual, dual, double)
PAIRS(dae_dual, tangent, dae_dual)

static void pairs_start(const double *p, double *u)
{
    for (int i = 0; i < MOST; i++)
        u[i] = 1;
}

/* What its algebraic equations are and how they change needs no matrix of n x n. */
TEST(a_singular_diagonal_may_be_longer)
{
    const dae_problem pairs = {.name = "pairs", .start = {pairs_start}, .t_end = 1,
                               .first_order = {.n = MOST, .index = 1, .mass_kind = DAE_MASS_VARIES,
                                               .mass = {.f = every_other_double, .dual = every_other_dual,
                                                        .tangent = every_other_tangent},
                                               .rhs = {.f = square_double, .dual = square_dual,
                                                       .tangent = square_tangent}}};
    static double u[2 * MOST], du[2 * MOST], out[MOST];
    const dae_tangent along = {.u = du};
    for (int i = 0; i < MOST; i++) {
        u[i] = 1 + (i - i % 2) / (double)MOST;
        du[i] = i % 2 ? 7 : 1;
    }
    OWNED(dae_system) *sys = system_of(&pairs, "native", NULL, NULL);
    assert_int_equal(MOST + MOST / 2, dae_system_size(sys));
    assert_int_equal(MOST / 2, dae_system_constraint(sys, 0, 0, u, out));
    for (int k = 0; k < MOST / 2; k++)
        assert_close(out[k], u[2 * k] - u[2 * k] * u[2 * k], 1e-15);
    assert_int_equal(DAE_OK, dae_system_constraint_along(sys, 0, 0, u, &along, out, NULL));
    for (int k = 0; k < MOST / 2; k++)
        assert_close(out[k], 7 - 2 * u[2 * k], 1e-15);
}
