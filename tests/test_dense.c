/* test_dense.c - every method with dense output and steps chosen by error: inside its steps the
 * solution is as good as at their ends, and at the ends it is the state
 */
#include "support.h"

#include <math.h>
#include <string.h>

enum { POINTS = 64 };

typedef struct {
    dae_system *sys;
    dae_solver *solver;
    double begin;
    int count;
    double t[POINTS], q[POINTS][2];
} probe;

/* Positions in the middle of the first steps. */
static int look_inside(void *context, double t, const double *u)
{
    probe *p = context;
    double x[MOST_UNKNOWNS], v[2], lambda[1];
    const double middle = (p->begin + t) / 2;
    assert_int_equal(DAE_OK, dae_solver_interpolate(p->solver, t, x));
    for (int i = 0; i < dae_system_size(p->sys); i++)
        assert_true(x[i] == u[i]);
    if (p->count < POINTS) {
        assert_int_equal(DAE_OK, dae_solver_interpolate(p->solver, middle, x));
        p->t[p->count] = middle;
        assert_int_equal(DAE_OK, dae_system_split(p->sys, middle, x, p->q[p->count], v, lambda));
        p->count++;
    }
    p->begin = t;
    return 0;
}

static void check(const dae_method *method, const char *form, double rtol)
{
    const dae_method_info info = dae_method_describe(method);
    double u[MOST_UNKNOWNS], worst = 0;
    probe p = {.sys = system_at_start("pendulum", form, 0, u)};
    dae_reference reference;
    dae_report why = {0};
    dae_options options = dae_default_options();
    options.rtol = options.atol = rtol;
    if (dae_solver_create(&p.solver, p.sys, method, &options, &why) == DAE_UNSUPPORTED) {
        dae_system_free(p.sys);
        return;
    }
    dae_solver_observe(p.solver, look_inside, &p);
    assert_int_equal(DAE_OK, dae_solver_start(p.solver, 0, u));
    assert_int_equal(DAE_OK, dae_solver_interpolate(p.solver, 0, u));   /* before the first step */
    assert_int_equal(DAE_OK, dae_reference_solve(&reference, p.sys, 0, u, (double[]){2}, 1, &why));
    dae_reference_free(&reference);
    assert_int_equal(DAE_OK, dae_solver_advance(p.solver, 2, u));
    dae_system_start(p.sys, u, &why);
    assert_int_equal(DAE_OK, dae_reference_solve(&reference, p.sys, 0, u, p.t, p.count, &why));
    for (int i = 0; i < p.count; i++)
        for (int k = 0; k < 2; k++)
            worst = fmax(worst, fabs(p.q[i][k] - (double)reference.q[2 * i + k]));
    dae_reference_free(&reference);
    if (worst > 3000 * rtol)
        fail_msg("%s %s, rtol %g: error %g inside a step", form, info.name, rtol, worst);
    dae_solver_free(p.solver);
    dae_system_free(p.sys);
}

static void test_inside_steps(void **state)
{
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        if (!info.adaptive || !info.dense_output || info.order[1][DAE_VELOCITY] == 1
            || info.order[1][DAE_VELOCITY] == 2)        /* too coarse for these bounds */
            continue;
        check(dae_method_at(m), "index1", 1e-6);
        check(dae_method_at(m), "index1", 1e-9);
        check(dae_method_at(m), "ode", 1e-8);
    }
}

/* ---- steps that run against a wall */

static void blow_up_double(const double *p, double t, const double *u, double *F)
{
    (void)p, (void)t;
    F[0] = u[0] * u[0];
}

static void blow_up_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    (void)p, (void)t;
    F[0] = u[0] * u[0];
}

static void blow_up_quad(const double *p, dae_quad t, const dae_quad *u, dae_quad *F)
{
    (void)p, (void)t;
    F[0] = u[0] * u[0];
}

static void at_one(const double *p, double *u)
{
    (void)p;
    u[0] = 1;
}

static const dae_problem blow_up = {
    .name = "blow_up", .variables = "u", .units = "-", .start = at_one, .t_end = 2,
    .first_order = {.n = 1, .rhs = {blow_up_double, blow_up_dual, blow_up_quad}}};

/* u' = u^2, u(0) = 1 has a pole at t = 1: no method passes it, none steps on the spot for ever. */
static void test_pole(void **state)
{
    (void)state;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        dae_system *sys;
        dae_solver *solver;
        dae_options options = dae_default_options();
        double u[1];
        if (!info.adaptive)
            continue;
        options.max_steps = 100000;
        assert_int_equal(DAE_OK, dae_system_create(&sys, &blow_up, dae_find_formulation("native"),
                                                   NULL, NULL, NULL));
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_method_at(m), &options,
                                                   NULL));
        assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
        const dae_status status = dae_solver_advance(solver, 2, u);
        if (status >= 0 || !(dae_solver_time(solver) < 1.001) || !isfinite(u[0]))
            fail_msg("%s: %s at t = %.17g, u = %g", info.name, dae_status_name(status),
                     dae_solver_time(solver), u[0]);
        if (u[0] > 1e20)
            fail_msg("%s: u = %g: steps that do not change t were kept", info.name, u[0]);
        assert_true(strlen(dae_solver_report(solver)->message) > 10);
        dae_solver_free(solver);
        dae_system_free(sys);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_inside_steps),
                                       cmocka_unit_test(test_pole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
