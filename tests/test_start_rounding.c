/* test_start_rounding.c - consistent starts where large terms cancel: what rounding leaves of an equation is no
 * inconsistency, and where it leaves too little of the solution both numbers are told */
#ifndef DAE_PASS
enum { C, NEARLY };
#include <daelab/model.h>

#include "support.h"

static void start(const double *p, double *u)
{
    u[0] = 0.6;
    u[1] = -0.8;
    u[2] = p[NEARLY] != 0 ? 0.64 + p[NEARLY] : 1;
    u[3] = p[NEARLY] != 0 ? 0.48 : 0;
}

/* A pendulum of 1 m and 1 kg, the derivatives of its constraint written with terms C that cancel */
static const dae_problem pendulum = {
    .name = "large_terms", .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}, .start = {start},
    .parameters = {{"C", 0, "", "", DAE_ANY_VALUE}, {"nearly", 0, "", "", DAE_ANY_VALUE}}, .t_end = 1};

/* u[5] := the start of index 1 */
static dae_status start_with(double c, double nearly, double *u, dae_report *why)
{
    const double parameters[] = {c, nearly};
    OWNED(dae_system) *sys = system_of(&pendulum, "index1", parameters, u);
    return dae_consistent_start(sys, 0, u, NULL, why);
}

/* v = (0.64, 0.48), its part across the rod, and 2 lambda = v^2 + 9.81 . 0.8; rounding leaves half a unit in the last
 * digit of C. */
TEST(test_terms_inside_of_an_equation)
{
    for (int k = 0; k < 24; k++) {
        const double c = k / 3 ? pow(10, k / 3 - 1) : 0, nearly[] = {0, 1e-6, 1e-9};
        double u[5] = {0};
        dae_report why;
        if (start_with(c, nearly[k % 3], u, &why))
            fail_msg("C = %g, off by %g: %s", c, nearly[k % 3], why.message);
        assert_true(fabs(u[2] - 0.64) < nearly[k % 3] + 1e-15 * (10 + c));
        assert_true(fabs(u[3] - 0.48) < nearly[k % 3] + 1e-15 * (10 + c));
        assert_true(fabs(2 * u[4] - 0.64 - 7.848) < 4 * nearly[k % 3] + 1e-14 * (10 + c));
    }
}

TEST(test_nothing_left)
{
    double u[5] = {0};
    dae_report why;
    assert_int_equal(DAE_INCONSISTENT, start_with(1e12, 0, u, &why));
    assert_non_null(strstr(why.message, "where the constraint is off by 1.2: what is solved for leaves"));
    assert_non_null(strstr(why.message, "and rounding makes"));
}

/* A straight beam does not move along itself at first: link i bears all weight behind it. The residuals left are the
 * rounding of tensions of 0.5 N over masses of 0.1 kg/N, and the springs pull with 0.1 N^3 of the rounding of r. */
TEST(test_straight_beam)
{
    for (double N = 500; N < 10000; N *= 4) {
        const double parameters[] = {N, 0.1, 1, 0.1, 0.01, 0.5, 9.81};
        const int n = (int)N;
        dae_report why;
        OWNED(dae_system) *sys = system_of(problem_named("elastica"), "index1", parameters, NULL);
        double *u = calloc((size_t)dae_system_size(sys), sizeof *u), *T = u + 4 * n;
        assert_non_null(u);
        assert_int_equal(DAE_OK, dae_system_start(sys, u, &why));
        if (dae_consistent_start(sys, 0, u, NULL, &why))
            fail_msg("N = %g: %s", N, why.message);
        for (int i = 0; i < n; i++)
            assert_true(fabs(T[i] + 0.1 * (n - i - 0.5) / N * 9.81 * sin(0.5)) < 1e-16 * N * N * N);
        free(u);
    }
}

#else
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *out)
{
    out[0] = a[0];
    out[1] = a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *out)
{
    out[0] = 0 * v[0];
    out[1] = -9.81 + 0 * v[1];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = q[0] * q[0] + q[1] * q[1] - 1;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *out)
{
    out[0] = 2 * ((p[C] + q[0] * v[0]) - p[C] + ((3 * p[C] + q[1] * v[1]) - 3 * p[C]));
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *out)
{
    const real x = (p[C] + q[0] * a[0]) - p[C], y = (3 * p[C] + q[1] * a[1]) - 3 * p[C];
    out[0] = 2 * (x + y + v[0] * v[0] + v[1] * v[1]);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *out)
{
    out[0] = 2 * q[0] * lambda[0];
    out[1] = 2 * q[1] * lambda[0];
}
#endif
