/* test_analytic.c - derivatives that a model writes by hand, with every term that one can have: F,
 * J and F_t of all formulations are those of dual numbers
 *
 * A bead on a circle that grows, whose constraint is weighted with a factor that changes, in a
 * field that changes, too, and pulls back with velocity and place:
 *
 *     0 = s (x^2 + y^2 - L^2)/2,   s(t) = 1 + t^2/2,   L(t) = 1 + t/3
 *
 * No shipped problem has d(G^T lambda)/dt, dg/dt at rest, f_t, f_q and f_v all at once.
 */
#ifndef DAE_PASS
#include <daelab/model.h>

#include "support.h"

#include "system/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void partials(const double *p, double t, const double *q, const double *v, const double *a,
                     const double *lambda, dae_partials *d)
{
    const double s = 1 + t * t / 2, ds = t, dds = 1, L = 1 + t / 3, dL = 1. / 3;
    const double C = (q[0] * q[0] + q[1] * q[1] - L * L) / 2, qv = q[0] * v[0] + q[1] * v[1];
    const double vv = v[0] * v[0] + v[1] * v[1], qa = q[0] * a[0] + q[1] * a[1];
    const double rate = qv - L * dL;                    /* dC/dt */
    (void)p;
    d->f[0] = -t * t * q[0] + q[1] * v[0];
    d->f[1] = -9 - sin(t) * v[1];
    d->f_q[0] = -t * t;
    d->f_q[1] = v[0];
    d->f_v[0] = q[1];
    d->f_v[3] = -sin(t);
    d->f_t[0] = -2 * t * q[0];
    d->f_t[1] = -cos(t) * v[1];
    d->g_t[0] = ds * C - s * L * dL;
    for (int i = 0; i < 2; i++) {
        d->G[i] = s * q[i];
        d->r_q[3 * i] = s * lambda[0];
        d->r_t[i] = ds * q[i] * lambda[0];
    }
    if (d->level < 1)
        return;
    /* dg/dt = s' C + s (q v - L L') */
    d->rate_t[0] = dds * C - ds * L * dL + ds * rate - s * dL * dL;
    for (int i = 0; i < 2; i++)
        d->rate_q[i] = ds * q[i] + s * v[i];
    /* d2g/dt2 = s'' C + 2 s' (q v - L L') + s (q a + v v - L'^2) */
    d->acc_t[0] = -dds * L * dL + 2 * dds * rate - 2 * ds * dL * dL + ds * (qa + vv - dL * dL);
    for (int i = 0; i < 2; i++) {
        d->acc_q[i] = dds * q[i] + 2 * ds * v[i] + s * a[i];
        d->acc_v[i] = 2 * ds * q[i] + 2 * s * v[i];
    }
}

static void start(const double *p, double *u)
{
    (void)p;
    memcpy(u, (double[]){0.6, -0.8, 0.2, 0.4}, 4 * sizeof *u);
}

static const dae_problem bead = {
    .name = "bead", .variables = "x y vx vy T", .units = "m m m/s m/s N", .start = {start},
    .t_end = 2,
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL, .partials = partials}};

/* F, J and F_t by one kind of Jacobian, one behind the other */
static int evaluate(dae_jacobian_kind kind, dae_system *sys, double t, const double *u, double *out)
{
    const int n = dae_system_size(sys);
    dae_report why = {0};
    dae_system_rhs(sys, t, u, out);
    if (dae_system_jacobian(sys, kind, t, u, out + n, out + n + n * n, &why))
        fail_msg("%s", why.message);
    return 2 * n + n * n;
}

static void test_all_terms(void **state)
{
    (void)state;
    int systems = 0;
    const double states[][6] = {{0.6, -0.8, 0.3, -0.7, 2.5, 0.1}, {-1.3, 0.4, 2, 1.7, -4, 0.3}};
    for (int f = 0; dae_formulation_at(f); f++) {
        dae_system *sys;
        if (!dae_formulation_applies(dae_formulation_at(f), &bead))
            continue;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &bead, dae_formulation_at(f), NULL, NULL,
                                                   NULL));
        assert_true(dae_system_has_analytic(sys));
        for (int k = 0; k < 6; k++) {
            double dual[48], analytic[48];
            const double t = 0.3 * k, *u = states[k % 2];
            const int count = evaluate(DAE_JACOBIAN_DUAL, sys, t, u, dual);
            evaluate(DAE_JACOBIAN_ANALYTIC, sys, t, u, analytic);
            for (int i = 0; i < count; i++)
                assert_close(analytic[i], dual[i], 64 * DBL_EPSILON * fmax(1, fabs(dual[i])));
        }
        systems++;
        dae_system_free(sys);
    }
    assert_true(systems >= 5);
}

/* A method that uses F_t comes to the same end with both. */
static void test_same_run(void **state)
{
    (void)state;
    double ends[2][6];
    for (int kind = 0; kind < 2; kind++) {
        dae_system *sys;
        dae_options o = tolerance(1e-8);
        o.jacobian = kind ? DAE_JACOBIAN_ANALYTIC : DAE_JACOBIAN_DUAL;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &bead, dae_find_formulation("index2"),
                                                   NULL, NULL, NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, ends[kind], NULL));
        assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, ends[kind], NULL, NULL));
        solve_to(sys, "rodas5p", &o, 2, ends[kind]);
        dae_system_free(sys);
    }
    assert_true(distance(ends[0], ends[1], 4) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_terms),
                                       cmocka_unit_test(test_same_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = 2 * a[0];
    r[1] = 2 * a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -t * t * q[0] + q[1] * v[0];
    f[1] = -9 - sin(t) * v[1];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const real s = 1 + t * t / 2, L = 1 + t / 3;
    g[0] = s * (q[0] * q[0] + q[1] * q[1] - L * L) / 2;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    const real s = 1 + t * t / 2, L = 1 + t / 3;
    dg[0] = t * (q[0] * q[0] + q[1] * q[1] - L * L) / 2 + s * (q[0] * v[0] + q[1] * v[1] - L / 3);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    const real s = 1 + t * t / 2, L = 1 + t / 3;
    ddg[0] = (q[0] * q[0] + q[1] * q[1] - L * L) / 2
             + 2 * t * (q[0] * v[0] + q[1] * v[1] - L / 3)
             + s * (q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1] - (real)1 / 9);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    const real s = 1 + t * t / 2;
    r[0] = s * q[0] * lambda[0];
    r[1] = s * q[1] * lambda[0];
}

#endif
