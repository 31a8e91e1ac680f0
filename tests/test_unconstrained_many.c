/* test_unconstrained_many.c - many positions without a constraint, and the orders declared for them
 *
 *     q_i'' = q_(i-1) - 2 q_i + q_(i+1),  q_0 = q_(N+1) = 0:  masses on springs between walls, with
 *     q_i = sin(k pi i/(N+1)) cos(2 sin(k pi/(2 (N+1))) t)
 */
#ifndef DAE_PASS
enum { COUNT };
#include <daelab/model.h>

#include "support.h"

#include <math.h>

static const double pi = DAE_PI_DOUBLE;
enum { MASSES = 399, MODE = 100 };

static void string_start(const double *p, double *u)
{
    for (int i = 0; i < MASSES; i++)
        u[i] = sin(MODE * pi * (i + 1) / (MASSES + 1));
}

static const dae_problem string = {
    .name = "string", .title = "masses on springs", .citation = "-", .equations = "-",
    .variables = "q v", .units = "m m/s", .parameters = {{"N", MASSES, "-", "masses", DAE_COUNT}},
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(string_inertia), .force = DAE_MODEL(string_force)},
    .start = {string_start}, .t_end = 2};

/* Many positions, sparse: no matrix of n^2 entries is needed. */
static void test_many(void **state)
{
    (void)state;
    static const struct { const char *form, *method; } by[] = {
        {"index3", "radau"}, {"ggl", "ida"}, {"baumgarte", "dop853"}, {"index2", "excros"}};
    static double u[2 * MASSES], exact[MASSES];
    const dae_options o = tolerance(1e-8);
    const double w = 2 * sin(MODE * pi / (2 * (MASSES + 1)));
    for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
        dae_system *sys;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &string, dae_find_formulation(by[k].form),
                                                   NULL, NULL, NULL));
        assert_int_equal(2 * MASSES, dae_system_size(sys));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        for (int i = 0; i < MASSES; i++)
            exact[i] = u[i] * cos(w * string.t_end);
        const dae_statistics count = solve_to(sys, by[k].method, &o, string.t_end, u);
        assert_true(count.nonzeros < 10 * MASSES);
        assert_close(distance(u, exact, MASSES), 0, 3e-6);
        dae_system_free(sys);
    }
}

/* Orders of an ODE are those of an ODE in a formulation that has others, too. */
static void test_declared(void **state)
{
    (void)state;
    const dae_method *excros = dae_find_method("excros");
    const dae_formulation *ggl = dae_find_formulation("ggl");
    assert_true(dae_method_order(excros, ggl, 0, DAE_VELOCITY)
                == dae_method_order(excros, dae_find_formulation("ode"), 0, DAE_VELOCITY));
    assert_true(dae_method_order(excros, ggl, 0, DAE_VELOCITY)
                > dae_method_order(excros, ggl, 2, DAE_VELOCITY));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_declared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void FN(string_inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < dae_count(p[COUNT]); i++)
        r[i] = a[i];
}

static void FN(string_force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const int n = dae_count(p[COUNT]);
    for (int i = 0; i < n; i++) {
        f[i] = -2 * q[i];
        if (i > 0)
            f[i] += q[i - 1];
        if (i < n - 1)
            f[i] += q[i + 1];
    }
}

#endif
