/* test_own_method.c - a method that is written against method.h alone, in no table
 *
 * Ralston (1962), Math. Comp. 16, 431-437: k1 = f(t, u), k2 = f(t + 2h/3, u + 2h/3 k1),
 * u + h (k1 + 3 k2)/4, of order 2; the estimate is the difference to Euler's step, of order 1.
 */
#include "support.h"

#include <daelab/method.h>

typedef struct {
    double *k1, *k2, *x;        /* [n] */
    int started;
} ralston;

static dae_status ralston_create(dae_solver *s)
{
    const size_t n = (size_t)s->n;
    ralston *r = calloc(1, sizeof *r);
    s->stepper = r;
    if (r)
        r->k1 = calloc(3 * n, sizeof *r->k1);
    if (!r || !r->k1)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
    r->k2 = r->k1 + n;
    r->x = r->k2 + n;
    return DAE_OK;
}

static void ralston_destroy(dae_solver *s)
{
    ralston *r = s->stepper;
    if (r)
        free(r->k1);
    free(r);
}

static dae_status ralston_start(dae_solver *s)
{
    ralston *r = s->stepper;
    r->started++;
    return DAE_OK;
}

static dae_status ralston_step(dae_solver *s, double h, double t_stop)
{
    ralston *r = s->stepper;
    dae_status status = dae_system_explicit_rhs(s->sys, s->t, s->u, r->k1, NULL);
    for (int i = 0; i < s->n; i++)
        r->x[i] = s->u[i] + 2 * h / 3 * r->k1[i];
    if (!status)
        status = dae_system_explicit_rhs(s->sys, s->t + 2 * h / 3, r->x, r->k2, NULL);
    s->count.rhs += 2;
    for (int i = 0; i < s->n; i++) {
        s->u_new[i] = s->u[i] + h / 4 * (r->k1[i] + 3 * r->k2[i]);
        r->x[i] = 3 * h / 4 * (r->k2[i] - r->k1[i]);
    }
    if (s->adaptive)
        s->error = dae_error_norm(s, r->x, h);
    return status ? status : dae_solver_check_finite(s, s->u_new, "the new state", s->t_new);
}

static dae_status only_without_algebraic(const dae_method *method, const dae_system *sys,
                                         dae_report *report)
{
    if (dae_system_explicit_size(sys) == dae_system_size(sys))
        return DAE_OK;
    return dae_fail(report, DAE_UNSUPPORTED, "%s is for ODEs", method->info.name);
}

static const dae_method method = {
    .info = {.name = "ralston", .title = "Ralston's method of order 2", .stages = 2, .fixed = 1,
             .adaptive = 1, .order = {[0] = {[DAE_DIFFERENTIAL] = 2}}},
    .error_order = 1,
    .supports = only_without_algebraic,
    .create = ralston_create, .start = ralston_start, .step = ralston_step,
    .destroy = ralston_destroy,
};

/* The largest error at the end of a run from the start of a problem; reference by rtol = 1e-12. */
static double error_of(const dae_problem *problem, dae_options o, dae_statistics *count)
{
    double u[2][MOST_UNKNOWNS];
    const dae_method *const methods[] = {&method, dae_find_method("dop853")};
    const dae_options fine = tolerance(1e-12);
    OWNED(dae_system) *sys = system_of(problem, "native", NULL, NULL);
    for (int k = 0; k < 2; k++) {
        OWNED(dae_solver) *solver = solver_of(sys, methods[k], k ? &fine : &o, 0, NULL);
        assert_int_equal(dae_system_start(sys, u[k], NULL), DAE_OK);
        assert_int_equal(dae_solver_start(solver, problem->t0, u[k]), DAE_OK);
        if (dae_solver_advance(solver, problem->t_end, u[k]))
            fail_msg("%s", dae_solver_report(solver)->message);
        if (k == 0)
            *count = dae_solver_statistics(solver);
    }
    return distance(u[0], u[1], dae_system_size(sys));
}

TEST(test_order)
{
    const dae_problem *problem = problem_named("predator_prey");
    dae_options o = dae_default_options();
    double error[2];
    dae_statistics count = {0};
    for (int k = 0; k < 2; k++) {
        o.step = (problem->t_end - problem->t0) / (2000 << k);
        error[k] = error_of(problem, o, &count);
    }
    assert_true(fabs(log2(error[0] / error[1]) - method.info.order[0][DAE_DIFFERENTIAL]) < 0.1);
    assert_int_equal(count.steps, 4000);
    assert_int_equal(count.rhs, 8000);
}

TEST(test_chosen_steps)
{
    const dae_problem *problem = problem_named("predator_prey");
    dae_statistics coarse = {0}, fine = {0};
    const double far = error_of(problem, tolerance(1e-4), &coarse);
    const double near = error_of(problem, tolerance(1e-6), &fine);
    assert_true(near < far / 20 && near < 1e-2);
    assert_true(fine.steps > 5 * coarse.steps && fine.steps < 20 * coarse.steps);
}

TEST(test_refusal)
{
    dae_solver *solver = NULL;
    dae_report why = {0};
    const dae_options o = tolerance(1e-4);
    OWNED(dae_system) *sys = system_of(problem_named("pendulum"), "index1", NULL, NULL);
    assert_int_equal(dae_solver_create(&solver, sys, &method, &o, &why), DAE_UNSUPPORTED);
    assert_string_equal(why.message, "ralston is for ODEs");
    assert_null(solver);
}

/* A record says nothing of an order unless it says so; order 0 is a statement of its own. */
TEST(test_undeclared)
{
    const dae_formulation *form = dae_find_formulation("index3");
    assert_true(dae_method_order(&method, NULL, 0, DAE_DIFFERENTIAL) == 2);
    for (int index = 1; index <= DAE_MAX_INDEX; index++)
        for (dae_class c = 0; c < DAE_CLASSES; c++)
            assert_true(isnan(dae_method_order(&method, form, index, c)));
    assert_true(dae_method_order(dae_find_method("cros"), form, 3, DAE_MULTIPLIER) == 0);
    assert_true(isnan(dae_method_order(dae_find_method("euler"), form, 3, DAE_POSITION)));
}
