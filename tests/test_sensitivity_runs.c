/* test_sensitivity_runs.c - a run does not see that it has derivatives, and they do not see runs before it */
#include "support.h"

#include "run/setting.h"

#include <daelab/sensitivity.h>

OWNED_BY_POINTER(dae_sensitivity)

typedef struct { double u[MOST_UNKNOWNS], du[MOST_UNKNOWNS]; dae_statistics count; } ended;

/* A tenth of the problem's interval, with derivatives where s is given; 0: the run fails. */
static int run(dae_system *sys, dae_solver *solver, dae_sensitivity *s, ended *e)
{
    const dae_problem *problem = dae_system_problem(sys);
    double from[MOST_UNKNOWNS];
    memset(e, 0, sizeof *e);
    assert_int_equal(DAE_OK, dae_system_start(sys, from, NULL));
    memcpy(e->u, from, sizeof from);
    if (dae_consistent_start(sys, problem->t0, e->u, NULL, NULL) || dae_solver_start(solver, problem->t0, e->u))
        return 0;
    if (s && dae_sensitivity_start(s, from, NULL))
        return 0;
    const double t_end = problem->t0 + (problem->t_end - problem->t0) / 10;
    if (dae_solver_advance(solver, t_end, e->u) || (s && dae_sensitivity_at(s, e->du, NULL, NULL)))
        return 0;
    e->count = dae_solver_statistics(solver);
    return 1;
}

/* By the start of the first unknown */
static dae_sensitivity *derivatives_of(dae_solver *solver)
{
    const int first = 0;
    dae_sensitivity *s;
    const dae_directions by = {.unknowns = &first, .unknown_count = 1};
    assert_int_equal(DAE_OK, dae_sensitivity_create(&s, solver, &by, NULL));
    return s;
}

typedef struct { long alone, with; } jacobians;

/* J, but those at the stages of steps: of small systems (radau_full.c) */
static void is_the_same(const dae_problem *problem, const dae_formulation *form, const char *method, int stages,
                        jacobians *sum)
{
    const dae_options options = tolerance(1e-6);
    OWNED(dae_system) *sys = system_of(problem, dae_formulation_describe(form).name, NULL, NULL);
    OWNED(dae_solver) *alone = solver_of(sys, dae_find_method(method), &options, 0, NULL);
    OWNED(dae_solver) *with = solver_of(sys, dae_find_method(method), &options, 0, NULL);
    OWNED(dae_sensitivity) *s = derivatives_of(with);
    ended a, b;
    if (run(sys, alone, NULL, &a) && run(sys, with, s, &b)) {
        if (memcmp(a.u, b.u, sizeof a.u) != 0 || a.count.steps != b.count.steps)
            fail_msg("%s %s %s: %ld steps, and %ld with derivatives", problem->name,
                     dae_formulation_describe(form).name, method, a.count.steps, b.count.steps);
        assert_int_equal(dae_solver_linear(alone), dae_solver_linear(with));
        assert_int_equal(a.count.fill, b.count.fill);
        const long others = b.count.jacobians - stages * b.count.steps;
        sum->alone += stages && others > 0 ? a.count.jacobians : 0;
        sum->with += stages && others > 0 ? others : 0;
    }
    dae_sensitivity_free(s);
    s = NULL;
}

/* And J of the last stage serves the next step: few of those of the run alone are left. */
TEST(runs_with_derivatives_are_the_same)
{
    jacobians sum = {0};
    static const struct { const char *name; int stages; } methods[] = {{"radau5", 3}, {"radau9", 5}, {"rodas5p", 0}};
    for (int i = 0; dae_problems[i]; i++) {
        if (!run_is_smooth(dae_problems[i]))
            continue;
        for (int f = 0; dae_formulation_at(f); f++)
            for (int m = 0; m < 3 && dae_formulation_applies(dae_formulation_at(f), dae_problems[i]); m++)
                is_the_same(dae_problems[i], dae_formulation_at(f), methods[m].name, methods[m].stages, &sum);
    }
    assert_in_range(sum.with, 1, sum.alone / 2);
}

/* A system that is given another mass, and a new one: the same derivatives by the start */
TEST(masses_of_runs_before)
{
    static const char *const methods[] = {"radau", "rodas5p", "cros", "dop853"};
    const dae_problem *pendulum = problem_named("pendulum");
    for (int m = 0; m < 4; m++) {
        dae_options options = tolerance(1e-8);
        double p[MOST_PARAMETERS];
        ended before, after, fresh;
        default_parameters(pendulum, p);
        options.step = strcmp(methods[m], "cros") ? 0 : 0.01;
        OWNED(dae_system) *sys = system_of(pendulum, "index1", p, NULL);
        OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(methods[m]), &options, 0, NULL);
        OWNED(dae_sensitivity) *s = derivatives_of(solver);
        assert_true(run(sys, solver, s, &before));
        p[dae_parameter_index(pendulum, "m")] *= 5;
        assert_int_equal(DAE_OK, dae_system_set_parameters(sys, p, NULL));
        assert_true(run(sys, solver, s, &after));
        OWNED(dae_system) *other = system_of(pendulum, "index1", p, NULL);
        OWNED(dae_solver) *again = solver_of(other, dae_find_method(methods[m]), &options, 0, NULL);
        OWNED(dae_sensitivity) *w = derivatives_of(again);
        assert_true(run(other, again, w, &fresh));
        assert_memory_equal(fresh.du, after.du, sizeof fresh.du);
        dae_sensitivity_free(s);
        dae_sensitivity_free(w);
        s = w = NULL;
    }
}

/* Derivatives are exact where Newton's iteration has a J by differences. */
TEST(jacobian_by_differences)
{
    const dae_problem *crank = problem_named("slider_crank");
    ended e[2];
    for (int k = 0; k < 2; k++) {
        dae_options options = tolerance(1e-10);
        options.jacobian = k ? DAE_JACOBIAN_FD : DAE_JACOBIAN_DUAL;
        OWNED(dae_system) *sys = system_of(crank, "index2", NULL, NULL);
        OWNED(dae_solver) *solver = solver_of(sys, dae_find_method("radau5"), &options, 0, NULL);
        OWNED(dae_sensitivity) *s = derivatives_of(solver);
        assert_true(run(sys, solver, s, &e[k]));
        dae_sensitivity_free(s);
        s = NULL;
    }
    for (int i = 0; i < 4; i++)
        assert_close(e[0].du[i], e[1].du[i], 1e-9 * (1 + fabs(e[0].du[i])));
}
