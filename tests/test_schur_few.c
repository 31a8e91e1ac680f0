/* test_schur_few.c - of few constraints S is kept in a band where that is less work, and in full where it is not:
 * a row of constraints that share positions with their neighbours only, and constraints on all positions. Either
 * way accelerations and multipliers solve M a + G^T lambda = f, d2g/dt2 = 0.
 */
#ifndef DAE_PASS
enum { WIDTH, POSITIONS = 9, CONSTRAINTS = 6 };
#include <daelab/model.h>

#include "support.h"

#include "system/system.h"

#include <float.h>
#include <math.h>

static const dae_problem bodies = {
    .name = "bodies", .title = "constraints of some width",
    .variables = "q0 q1 q2 q3 q4 q5 q6 q7 q8 v0 v1 v2 v3 v4 v5 v6 v7 v8 l0 l1 l2 l3 l4 l5",
    .units = "- - - - - - - - - - - - - - - - - - - - - - - -",
    .parameters = {{"width", 2, "-", "positions of each constraint", DAE_POSITIVE}},
    .mechanical = {.nq = POSITIONS, .nl = CONSTRAINTS, DAE_MECHANICAL_MODEL},
    .start = DAE_MODEL(start), .t_end = 1};

/* |M a + G^T lambda - f| and |d2g/dt2| are rounding. */
static void check_balance(dae_system *sys, const double *q, const double *v)
{
    const dae_mechanical *m = &bodies.mechanical;
    double a[POSITIONS], lambda[CONSTRAINTS], f[POSITIONS], Ma[POSITIONS], r[POSITIONS], c[CONSTRAINTS];
    assert_int_equal(DAE_OK, dae_system_accelerate(sys, 0, q, v, a, lambda));
    m->force.f(sys->p, 0, q, v, f);
    m->inertia.f(sys->p, 0, q, a, Ma);
    m->reaction.f(sys->p, 0, q, lambda, r);
    m->acceleration.f(sys->p, 0, q, v, a, c);
    for (int i = 0; i < POSITIONS; i++)
        assert_true(fabs(Ma[i] + r[i] - f[i]) <= 1e-12 * (fabs(Ma[i]) + fabs(r[i]) + fabs(f[i])));
    for (int k = 0; k < CONSTRAINTS; k++)
        assert_true(fabs(c[k]) <= 1e-11);
}

static void check_width(int width, int planned)
{
    const double p[] = {width};
    double u[2 * POSITIONS + CONSTRAINTS] = {0}, v[POSITIONS];
    dae_system *sys;
    dae_report why = {0};
    if (dae_system_create(&sys, &bodies, dae_find_formulation("index1"), p, NULL, &why))
        fail_msg("%s", why.message);
    assert_int_equal(planned, sys->sparse_schur);
    bodies.start.f(p, u);
    for (int i = 0; i < POSITIONS; i++)
        v[i] = 0.1 * (i - 4);
    check_balance(sys, u, v);
    u[3] = 0.7;
    check_balance(sys, u, v);
    dae_system_free(sys);
}

static void test_widths(void **state)
{
    (void)state;
    check_width(2, 1);
    check_width(POSITIONS, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_widths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

/* g_k = sum_i c_ki (q_i^2 - 1)/2, of the positions i = k ... k + width - 1, in a ring */
static param FN(factor)(const param *p, int k, int i)
{
    const int behind = (i - k + POSITIONS) % POSITIONS;
    return value(p[WIDTH]) > behind ? 1 + ((7 * k + 3 * i * i) % 11) / (param)10 : (param)0;
}

static void FN(start)(const param *p, real *u)
{
    for (int i = 0; i < POSITIONS; i++)
        u[i] = (real){0} + 1;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < POSITIONS; i++)
        r[i] = (1 + i) * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int i = 0; i < POSITIONS; i++)
        f[i] = (i - 3) * q[i] - v[i];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    for (int k = 0; k < CONSTRAINTS; k++) {
        g[k] = (real){0};
        for (int i = 0; i < POSITIONS; i++)
            g[k] += FN(factor)(p, k, i) * (q[i] * q[i] - 1) / 2;
    }
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    for (int k = 0; k < CONSTRAINTS; k++) {
        dg[k] = (real){0};
        for (int i = 0; i < POSITIONS; i++)
            dg[k] += FN(factor)(p, k, i) * q[i] * v[i];
    }
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *ddg)
{
    for (int k = 0; k < CONSTRAINTS; k++) {
        ddg[k] = (real){0};
        for (int i = 0; i < POSITIONS; i++)
            ddg[k] += FN(factor)(p, k, i) * (q[i] * a[i] + v[i] * v[i]);
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    for (int i = 0; i < POSITIONS; i++) {
        r[i] = (real){0};
        for (int k = 0; k < CONSTRAINTS; k++)
            r[i] += FN(factor)(p, k, i) * q[i] * lambda[k];
    }
}

#endif
