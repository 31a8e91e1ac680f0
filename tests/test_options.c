/* test_options.c - options, and intervals, that cannot be */
#include "testing.h"

#include "refusals.h"

#define BEND(name, what) static void name(dae_options *o) { what; }
BEND(jacobian_77, o->jacobian = (dae_jacobian_kind)77)
BEND(jacobian_below, o->jacobian = (dae_jacobian_kind)-1)
BEND(linear_9, o->linear = (dae_linear_kind)9)
BEND(test_9, o->error_test = (dae_error_test)9)
BEND(project_8, o->project = 8)
BEND(project_high, o->project = 0x80000001u)
BEND(negative_step, o->step = -1)
BEND(nan_step, o->step = NAN)
BEND(infinite_step, o->step = INFINITY)
BEND(zero_rtol, o->rtol = 0)
BEND(nan_rtol, o->rtol = NAN)
BEND(rtol_2, o->rtol = 2)
BEND(zero_atol, o->atol = 0)
BEND(nan_atol, o->atol = NAN)
BEND(infinite_atol, o->atol = INFINITY)
BEND(no_steps, o->max_steps = 0)
BEND(negative_steps, o->max_steps = -5)

TEST(test_options)
{
    static const struct { void (*bend)(dae_options *o); const char *says; } bent[] = {
        {jacobian_77, "jacobian = 77"}, {jacobian_below, "jacobian = -1"},
        {linear_9, "linear = 9"}, {test_9, "error_test = 9"}, {project_8, "project = 8"},
        {project_high, "project = "}, {negative_step, "step = -1"}, {nan_step, "step = "},
        {infinite_step, "step = inf"}, {zero_rtol, "rtol = 0"}, {nan_rtol, "rtol = "},
        {rtol_2, "rtol = 2"}, {zero_atol, "atol = 0"}, {nan_atol, "atol = "},
        {infinite_atol, "atol = inf"}, {no_steps, "max_steps = 0"},
        {negative_steps, "max_steps = -5"}};
    double u[MOST_UNKNOWNS];
    for (int m = 0; dae_method_at(m); m++) {
        OWNED(dae_system) *sys = pendulum_for(dae_method_at(m), u);
        for (size_t i = 0; i < sizeof bent / sizeof *bent; i++) {
            dae_options o = tolerance(1e-6);
            dae_solver *solver;
            dae_report why = {0};
            const dae_method_info info = dae_method_describe(dae_method_at(m));
            o.step = info.adaptive ? 0 : 0.1;
            if (o.step > 0 && bent[i].says[0] != 'm' && strstr(bent[i].says, "tol"))
                continue;                               /* tolerances are not asked for */
            bent[i].bend(&o);
            expect(dae_solver_create(&solver, sys, dae_method_at(m), &o, &why), DAE_BAD_ARGUMENT,
                   &why, bent[i].says);
            assert_null(solver);
        }
    }
}

TEST(test_formulation_options)
{
    const double bad[] = {NAN, INFINITY, -1};
    dae_system *sys;
    dae_report why = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            dae_formulation_options o = {.alpha = 1, .beta = 1};
            *(k ? &o.alpha : &o.beta) = bad[i];
            expect(dae_system_create(&sys, problem_named("pendulum"),
                                     dae_find_formulation("baumgarte"), NULL, &o, &why),
                   DAE_BAD_ARGUMENT, &why, "alpha");
        }
}

static long evaluations;

static int count_steps(void *context, double t, const double *u)
{
    evaluations++;
    return 0;
}

/* Intervals at the end of the numbers end at once, or are refused. IDA's polynomial begins within
 * rounding of the start. */
TEST(test_intervals)
{
    const double ends[] = {5e-324, 1e-300, 1.1e-100, 1e-60, 1e-20};
    for (int m = 0; dae_method_at(m); m++) {
        double u[MOST_UNKNOWNS], end[MOST_UNKNOWNS];
        OWNED(dae_system) *sys = pendulum_for(dae_method_at(m), u);
        dae_options o = tolerance(1e-6);
        OWNED(dae_solver) *solver = NULL;
        dae_report why = {0};
        if (!dae_method_describe(dae_method_at(m)).adaptive)
            o.step = 0.01;
        assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_method_at(m), &o, &why));
        dae_solver_observe(solver, count_steps, NULL);
        for (int i = 0; i < 5; i++) {
            evaluations = 0;
            assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
            const dae_status status = dae_solver_advance(solver, ends[i], end);
            if (i < 2)
                assert_int_equal(DAE_BAD_ARGUMENT, status);
            else if (status || distance(u, end, 2) > 4 * 4 * DBL_EPSILON)
                fail_msg("%s to %g: %s", dae_method_describe(dae_method_at(m)).name, ends[i],
                         dae_solver_report(solver)->message);
            assert_true(evaluations < 100);
        }
    }
}

/* Fixed steps that max_steps cannot hold are refused before the first. */
TEST(test_max_steps)
{
    double u[MOST_UNKNOWNS], end[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    dae_options o = tolerance(1e-6);
    OWNED(dae_solver) *solver = NULL;
    dae_report why = {0};
    o.step = 0.01;
    o.max_steps = 100;
    assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_find_method("rk4"), &o, &why));
    dae_solver_observe(solver, count_steps, NULL);
    evaluations = 0;
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    expect(dae_solver_advance(solver, 1.02, end), DAE_MAX_STEPS, dae_solver_report(solver),
           "102 steps");
    assert_int_equal(0, evaluations);
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 1, end));
    assert_int_equal(100, evaluations);
}
