/* test_ida.c - IDA as a method: the pendulum in every formulation, and what failures say */
#ifndef DAE_PASS
#include <daelab/model.h>

#include <daelab/daelab.h>
#include <daelab/study.h>

#include "printed.h"
#include "problems.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8 };

/* y' = sqrt(1 - t): not a number behind t = 1 */
static void wall_start(const double *p, double *u)
{
    (void)p;
    u[0] = 0;
}

static const dae_problem wall = {
    .name = "wall", .variables = "y", .units = "-",
    .first_order = {.n = 1, .index = 0, .rhs = DAE_MODEL(wall_rhs)},
    .start = {wall_start}, .t_end = 2,
};

/* x' = -x, 0 = x - e^-t: nothing determines z */
static void loose_start(const double *p, double *u)
{
    (void)p;
    u[0] = 1;
    u[1] = 0;
}

static const dae_problem loose = {
    .name = "loose", .variables = "x z", .units = "- -",
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(loose_mass),
                    .rhs = DAE_MODEL(loose_rhs)},
    .start = {loose_start}, .t_end = 1,
};

/* (x + y)' + x + y = 2 + 2t, 0 = x - y: both are t */
static void coupled_start(const double *p, double *u)
{
    (void)p;
    u[0] = u[1] = 0;
}

static const dae_problem coupled = {
    .name = "coupled", .variables = "x y", .units = "- -",
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(coupled_mass),
                    .rhs = DAE_MODEL(coupled_rhs)},
    .start = {coupled_start}, .t_end = 1,
};

static const dae_problem *find(const char *name)
{
    for (const dae_problem *const *p = dae_problems; *p; p++)
        if (strcmp((*p)->name, name) == 0)
            return *p;
    return NULL;
}

typedef struct {
    dae_system *sys;
    dae_solver *solver;
    double u[MOST];
} run;

/* A consistent start of a problem in IDA */
static run begin(const dae_problem *problem, const char *form, const dae_options *options)
{
    run r;
    assert_non_null(problem);
    assert_int_equal(dae_system_create(&r.sys, problem, dae_find_formulation(form), NULL, NULL,
                                       NULL), DAE_OK);
    assert_int_equal(dae_system_start(r.sys, r.u, NULL), DAE_OK);
    assert_int_equal(dae_consistent_start(r.sys, 0, r.u, NULL, NULL), DAE_OK);
    assert_int_equal(dae_solver_create(&r.solver, r.sys, dae_find_method("ida"), options, NULL),
                     DAE_OK);
    return r;
}

static void end(run *r)
{
    dae_solver_free(r->solver);
    dae_system_free(r->sys);
}

static dae_options tolerance(double rtol)
{
    dae_options options = dae_default_options();
    options.rtol = options.atol = rtol;
    return options;
}

static void assert_near(double x, double expected, double tolerance_of_x)
{
    if (!(fabs(x - expected) <= tolerance_of_x))
        fail_msg("%.17g is not %.17g within %g", x, expected, tolerance_of_x);
}

static void assert_says(const run *r, dae_status status, const char *words)
{
    const dae_report *why = dae_solver_report(r->solver);
    if (why->status != status || !strstr(why->message, words))
        fail_msg("%s: '%s' is not %s: '...%s...'", dae_status_name(why->status), why->message,
                 dae_status_name(status), words);
}

static const double at_2[4] = {-2.78455740343261397833, -4.15285926404791842891,
                               -1.44252782029712829, 0.96723757446829083};
static const double at_100[2] = {-0.655980968123855156629, -4.95678211841707742062};

static void pendulum_to_2(void **state)
{
    (void)state;
    const dae_options options = tolerance(1e-10);
    run r = begin(find("pendulum"), "index1", &options);
    assert_int_equal(dae_solver_start(r.solver, 0, r.u), DAE_OK);
    assert_int_equal(dae_solver_advance(r.solver, 2, r.u), DAE_OK);
    assert_true(dae_solver_time(r.solver) == 2);
    for (int i = 0; i < 4; i++)
        assert_near(r.u[i], at_2[i], 1e-8);
    assert_near(r.u[4], 8.75119688362091, 1e-8);
    end(&r);
}

/* The largest error of the position at t = 100 that rtol = atol = 1e-4 ... 1e-10 may leave, as a
 * multiple of rtol: about four times what was measured; and never more than 2 m of a swing of 6
 * m. */
static const struct { const char *form; double factor; } reach[] = {
    {"index1", 4e5}, {"baumgarte", 4e4}, {"index2", 4e4}, {"ggl", 2e4}, {"ode", 4e4},
    {"index3", 2e6},
};

static void every_formulation_reaches_100(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof reach / sizeof *reach; k++)
        for (double rtol = 1e-4; rtol > 5e-11; rtol /= 10) {
            const dae_options options = tolerance(rtol);
            run r = begin(find("pendulum"), reach[k].form, &options);
            double q[2], v[2], lambda[1];
            assert_int_equal(dae_solver_start(r.solver, 0, r.u), DAE_OK);
            if (dae_solver_advance(r.solver, 100, r.u))
                fail_msg("%s, rtol %g: %s", reach[k].form, rtol,
                         dae_solver_report(r.solver)->message);
            dae_system_split(r.sys, 100, r.u, q, v, lambda);
            const double error = hypot(q[0] - at_100[0], q[1] - at_100[1]);
            if (!(error <= fmin(reach[k].factor * rtol, 2)))
                fail_msg("%s, rtol %g: error %g", reach[k].form, rtol, error);
            end(&r);
        }
}

/* A loose atol leaves room near zeros, a tight one none: no formulation may depend on it. */
static void every_formulation_bears_a_small_atol(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof reach / sizeof *reach; k++)
        for (double part = 1e-2; part > 5e-5; part /= 100) {
            dae_options options = tolerance(1e-6);
            options.atol *= part;
            run r = begin(find("pendulum"), reach[k].form, &options);
            assert_int_equal(dae_solver_start(r.solver, 0, r.u), DAE_OK);
            assert_int_equal(dae_solver_advance(r.solver, 20, r.u), DAE_OK);
            end(&r);
        }
}

static void all_linear_solvers_and_jacobians_agree(void **state)
{
    (void)state;
    const dae_linear_kind linear[] = {DAE_LINEAR_DENSE, DAE_LINEAR_KLU, DAE_LINEAR_BAND};
    const dae_jacobian_kind jacobian[] = {DAE_JACOBIAN_ANALYTIC, DAE_JACOBIAN_DUAL,
                                          DAE_JACOBIAN_FD};
    for (int l = 0; l < 3; l++)
        for (int j = 0; j < 3; j++) {
            dae_options options = tolerance(1e-9);
            options.linear = linear[l];
            options.jacobian = jacobian[j];
            run r = begin(find("pendulum"), "ggl", &options);
            assert_int_equal(dae_solver_linear(r.solver), linear[l]);
            assert_int_equal(dae_solver_jacobian(r.solver), jacobian[j]);
            assert_int_equal(dae_solver_start(r.solver, 0, r.u), DAE_OK);
            assert_int_equal(dae_solver_advance(r.solver, 2, r.u), DAE_OK);
            for (int i = 0; i < 4; i++)
                assert_near(r.u[i], at_2[i], 1e-6);
            end(&r);
        }
}

static void restart_repeats_every_bit(void **state)
{
    (void)state;
    for (int linear = DAE_LINEAR_DENSE; linear <= DAE_LINEAR_BAND; linear++) {
        dae_options options = tolerance(1e-7);
        options.linear = (dae_linear_kind)linear;
        run r = begin(find("pendulum"), "index2", &options);
        double first[MOST], second[MOST];
        assert_int_equal(dae_solver_start(r.solver, 0, r.u), DAE_OK);
        assert_int_equal(dae_solver_advance(r.solver, 3, first), DAE_OK);
        const dae_statistics once = dae_solver_statistics(r.solver);
        assert_int_equal(dae_solver_start(r.solver, 0, r.u), DAE_OK);
        assert_int_equal(dae_solver_advance(r.solver, 3, second), DAE_OK);
        const dae_statistics twice = dae_solver_statistics(r.solver);
        assert_memory_equal(first, second, 5 * sizeof *first);
        assert_memory_equal(&once, &twice, sizeof once);
        end(&r);
    }
}

typedef struct {
    double t, u[MOST];          /* the last two accepted states: before ... */
    double t_now, now[MOST];    /* ... and now */
    int n;
    long steps;
} last_steps;

static int remember(void *context, double t, const double *u)
{
    last_steps *l = context;
    assert_true(t > l->t_now);
    l->t = l->t_now;
    memcpy(l->u, l->now, sizeof l->u);
    l->t_now = t;
    memcpy(l->now, u, (size_t)l->n * sizeof *u);
    l->steps++;
    return 0;
}

static void dense_output_joins_the_steps(void **state)
{
    (void)state;
    const dae_options options = tolerance(1e-8);
    run r = begin(find("pendulum"), "index1", &options);
    last_steps l = {.n = 5};
    double u[MOST];
    dae_solver_observe(r.solver, remember, &l);
    assert_int_equal(dae_solver_start(r.solver, 0, r.u), DAE_OK);
    assert_int_equal(dae_solver_advance(r.solver, 1.37, r.u), DAE_OK);
    assert_int_equal(dae_solver_interpolate(r.solver, l.t, u), DAE_OK);
    for (int i = 0; i < 4; i++)
        assert_near(u[i], l.u[i], 1e-7);
    assert_int_equal(dae_solver_interpolate(r.solver, 1.37, u), DAE_OK);
    assert_memory_equal(u, r.u, 5 * sizeof *u);
    assert_int_equal(dae_solver_interpolate(r.solver, 1.38, u), DAE_BAD_ARGUMENT);
    assert_int_equal(dae_solver_interpolate(r.solver, 0.5, u), DAE_BAD_ARGUMENT);
    assert_says(&r, DAE_BAD_ARGUMENT, "outside the last step");
    end(&r);
}

static void statistics_count_the_work(void **state)
{
    (void)state;
    const dae_options options = tolerance(1e-6);
    run r = begin(find("pendulum"), "index2", &options);
    last_steps l = {.n = 5};
    dae_solver_observe(r.solver, remember, &l);
    assert_int_equal(dae_solver_start(r.solver, 0, r.u), DAE_OK);
    assert_int_equal(dae_solver_advance(r.solver, 5, r.u), DAE_OK);
    const dae_statistics c = dae_solver_statistics(r.solver);
    assert_int_equal(c.steps, l.steps);
    assert_true(c.steps > 10 && c.rejected >= 0);
    assert_int_equal(c.jacobians, c.factorizations);
    assert_true(c.solves >= c.steps && c.rhs >= c.solves);
    end(&r);
}

/* In index 2 with a = 10, IDA stays at order 1: many steps, and an error of order sqrt(rtol). */
static void linear_dae_in_both_forms(void **state)
{
    (void)state;
    const struct { const char *form; double rtol, error; } cases[] = {
        {"native", 1e-6, 1e-3}, {"index1", 1e-9, 1e-6}};
    for (int i = 0; i < 2; i++) {
        const dae_options options = tolerance(cases[i].rtol);
        run r = begin(find("linear_dae"), cases[i].form, &options);
        assert_int_equal(dae_solver_start(r.solver, 0, r.u), DAE_OK);
        assert_int_equal(dae_solver_advance(r.solver, 1, r.u), DAE_OK);
        assert_near(r.u[0], exp(1), cases[i].error);
        assert_near(r.u[1], exp(1), cases[i].error);
        assert_near(r.u[2], -exp(1), cases[i].error);
        end(&r);
    }
}

static void mass_matrix_may_be_singular_and_full(void **state)
{
    (void)state;
    for (int linear = DAE_LINEAR_DENSE; linear <= DAE_LINEAR_BAND; linear++) {
        dae_options options = tolerance(1e-8);
        options.linear = (dae_linear_kind)linear;
        run r = begin(&coupled, "native", &options);
        assert_int_equal(dae_solver_start(r.solver, 0, r.u), DAE_OK);
        assert_int_equal(dae_solver_advance(r.solver, 1, r.u), DAE_OK);
        assert_near(r.u[0], 1, 1e-7);
        assert_near(r.u[1], 1, 1e-7);
        end(&r);
    }
}

static void domain_that_ends_is_told(void **state)
{
    (void)state;
    const dae_options options = tolerance(1e-6);
    run r = begin(&wall, "native", &options);
    assert_int_equal(dae_solver_start(r.solver, 0, r.u), DAE_OK);
    const printed p = printed_begin();
    const dae_status status = dae_solver_advance(r.solver, 2, r.u);
    assert_int_equal(printed_end(p), 0);
    assert_int_equal(status, DAE_NOT_FINITE);
    assert_says(&r, DAE_NOT_FINITE, "IDA: ");
    const double t = dae_solver_time(r.solver);         /* y = (2/3) (1 - (1 - t)^(3/2)) */
    assert_true(t > 0.9 && t <= 1);
    assert_near(r.u[0], 2. / 3 * (1 - pow(1 - t, 1.5)), 1e-4);
    assert_int_equal(dae_solver_start(r.solver, 1.5, r.u), DAE_NOT_FINITE);
    assert_says(&r, DAE_NOT_FINITE, "(y)");
    end(&r);
}

static void singular_newton_matrix_is_told(void **state)
{
    (void)state;
    for (int linear = DAE_LINEAR_DENSE; linear <= DAE_LINEAR_BAND; linear++) {
        dae_options options = tolerance(1e-6);
        dae_solver *solver;
        dae_system *sys;
        double u[2];
        options.linear = (dae_linear_kind)linear;
        assert_int_equal(dae_system_create(&sys, &loose, dae_find_formulation("native"), NULL,
                                           NULL, NULL), DAE_OK);
        assert_int_equal(dae_system_start(sys, u, NULL), DAE_OK);
        assert_int_equal(dae_solver_create(&solver, sys, dae_find_method("ida"), &options, NULL),
                         DAE_OK);
        assert_int_equal(dae_solver_start(solver, 0, u), DAE_OK);
        run r = {.sys = sys, .solver = solver};
        const printed p = printed_begin();
        const dae_status status = dae_solver_advance(solver, 1, u);
        assert_int_equal(printed_end(p), 0);
        assert_int_equal(status, DAE_SINGULAR);
        assert_says(&r, DAE_SINGULAR, "IDA: At t = 0");
        assert_near(u[0], 1, 0);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_to_2),
        cmocka_unit_test(every_formulation_reaches_100),
        cmocka_unit_test(every_formulation_bears_a_small_atol),
        cmocka_unit_test(all_linear_solvers_and_jacobians_agree),
        cmocka_unit_test(restart_repeats_every_bit),
        cmocka_unit_test(dense_output_joins_the_steps),
        cmocka_unit_test(statistics_count_the_work),
        cmocka_unit_test(linear_dae_in_both_forms),
        cmocka_unit_test(mass_matrix_may_be_singular_and_full),
        cmocka_unit_test(domain_that_ends_is_told),
        cmocka_unit_test(singular_newton_matrix_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void FN(wall_rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = sqrt(1 - t);
}

static void FN(loose_mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0];
    out[1] = 0;
}

static void FN(loose_rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[0];
    F[1] = u[0] - exp(-t);
}

static void FN(coupled_mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0] + x[1];
    out[1] = 0;
}

static void FN(coupled_rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = 2 + 2 * t - u[0] - u[1];
    F[1] = u[0] - u[1];
}

#endif
