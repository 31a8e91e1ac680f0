/* test_parameters.c - a system that gets other parameters, and data of the user's behind them */
#ifndef DAE_PASS
#include "support.h"

#include "daelab/hybrid.h"
#include "daelab/quad_reference.h"

enum { RATE, START };
typedef struct { double factor; double (*force)(double t); } table;
#include <daelab/model.h>

/* ---- as if created ------------------------------------------------------------------------ */

/* All that are no counts and not zero, a little larger. */
static void perturb(const dae_problem *problem, double *p)
{
    for (int i = 0; i < dae_parameter_count(problem); i++) {
        const double x = dae_parameter_default(problem, i);
        p[i] = dae_parameter_at(problem, i)->range == DAE_COUNT ? x : 1.0625 * x;
    }
}

/* u[n] and the steps of a run over a twentieth of the interval. */
static void solve(dae_system *sys, dae_solver *solver, double *u, dae_statistics *count)
{
    const dae_problem *problem = dae_system_problem(sys);
    dae_report why;
    dae_status status = dae_system_start(sys, u, &why);
    if (!status)
        status = dae_consistent_start(sys, problem->t0, u, NULL, &why);
    if (!status)
        status = dae_solver_start(solver, problem->t0, u);
    if (!status)
        dae_solver_advance(solver, problem->t0 + 0.05 * (problem->t_end - problem->t0), u);
    *count = dae_solver_statistics(solver);
}

static void try_pair(const dae_problem *problem, const dae_formulation *form, const char *method)
{
    double p[MOST_PARAMETERS];
    const dae_options options = {.rtol = 1e-5, .atol = 1e-7, .max_steps = 2000};
    dae_system *sys[2];
    dae_solver *solver[2];
    dae_report why;
    perturb(problem, p);
    if (dae_system_create(&sys[1], problem, form, p, NULL, &why))
        return;
    assert_int_equal(DAE_OK, dae_system_create(&sys[0], problem, form, NULL, NULL, &why));
    const size_t size = (size_t)dae_system_size(sys[0]) * sizeof(double);
    double *u[2] = {calloc(1, size), calloc(1, size)};
    dae_statistics count[2];
    for (int k = 0; k < 2; k++)
        if (dae_solver_create(&solver[k], sys[k], dae_find_method(method), &options, &why))
            solver[k] = NULL;
    assert_int_equal(!solver[0], !solver[1]);
    if (solver[0]) {
        solve(sys[0], solver[0], u[0], &count[0]);
        assert_int_equal(DAE_OK, dae_system_set_parameters(sys[0], p, &why));
        for (int k = 0; k < 2; k++)
            solve(sys[k], solver[k], u[k], &count[k]);
        if (memcmp(u[0], u[1], size) != 0 || memcmp(&count[0], &count[1], sizeof *count) != 0)
            fail_msg("%s %s %s: %ld steps, created anew %ld", problem->name,
                     dae_formulation_describe(form).name, method, count[0].steps, count[1].steps);
    }
    for (int k = 0; k < 2; k++) {
        dae_solver_free(solver[k]);
        dae_system_free(sys[k]);
        free(u[k]);
    }
}

TEST(as_if_created)
{
    static const char *const methods[] = {"radau", "rodas", "ida", "auto"};
    for (int k = 0; dae_problems[k]; k++)
        for (int f = 0; dae_formulation_at(f); f++)
            if (dae_formulation_applies(dae_formulation_at(f), dae_problems[k]))
                try_pair(dae_problems[k], dae_formulation_at(f), methods[(k + f) % 4]);
}

/* Runs through modes whose actions change parameters, begun again with others. */
TEST(hybrid_as_if_created)
{
    static const char *const names[] = {"friction_block", "box", "friction_pendulum"};
    const dae_options options = dae_default_options();
    for (int i = 0; i < 3; i++) {
        const dae_problem *problem = problem_named(names[i]);
        double p[MOST_PARAMETERS];
        dae_hybrid *run[2];
        dae_report why;
        perturb(problem, p);
        for (int k = 0; k < 2; k++)
            run[k] = hybrid_of(problem, "index2", k ? p : NULL, dae_find_method("radau"), &options);
        assert_int_equal(DAE_OK, dae_hybrid_start(run[0], 0, NULL));
        assert_int_equal(DAE_OK, dae_hybrid_advance(run[0], 0.25 * problem->t_end));
        const int before = dae_hybrid_events(run[0]);
        assert_int_equal(DAE_OK, dae_hybrid_set_parameters(run[0], p, &why));
        assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_advance(run[0], problem->t_end));
        for (int k = 0; k < 2; k++) {
            assert_int_equal(DAE_OK, dae_hybrid_start(run[k], 0, NULL));
            assert_int_equal(DAE_OK, dae_hybrid_advance(run[k], 0.25 * problem->t_end));
        }
        const int events = dae_hybrid_events(run[1]);
        assert_true(before > 0 && events > 0);
        assert_int_equal(events, dae_hybrid_events(run[0]));
        for (int e = 0; e < events; e++)
            assert_true(dae_hybrid_event(run[0], e).t == dae_hybrid_event(run[1], e).t);
        assert_memory_equal(dae_hybrid_unknowns(run[0]), dae_hybrid_unknowns(run[1]),
                            (size_t)dae_hybrid_size(run[1], dae_hybrid_mode(run[1])) * sizeof *p);
        p[0] = NAN;
        assert_int_equal(DAE_BAD_ARGUMENT, dae_hybrid_set_parameters(run[0], p, &why));
        assert_int_equal(DAE_OK, dae_hybrid_start(run[0], 0, NULL));
        for (int k = 0; k < 2; k++)
            dae_hybrid_free(run[k]);
    }
}

/* ---- refused ------------------------------------------------------------------------------ */

static void says(const dae_report *why, const char *words)
{
    if (!strstr(why->message, words))
        fail_msg("\"%s\" does not say \"%s\"", why->message, words);
}

TEST(refused_leaves_as_it_was)
{
    const dae_problem *chain = problem_named("chain");
    double u[25], F[2][25], p[MOST_PARAMETERS] = {5, 1, 1, 9.81};
    dae_report why;
    OWNED(dae_system) *sys = system_of(chain, "index1", p, u);
    dae_system_rhs(sys, 0, u, F[0]);
    p[0] = 6;
    assert_int_equal(DAE_UNSUPPORTED, dae_system_set_parameters(sys, p, &why));
    says(&why, "30 unknowns of this one of 25");
    p[0] = 5;
    p[1] = -1;
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_set_parameters(sys, p, &why));
    says(&why, "parameter m = -1 must be finite and positive");
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_set_parameters(NULL, p, &why));
    assert_true(dae_system_parameters(sys)[1] == 1);
    dae_system_rhs(sys, 0, u, F[1]);
    assert_memory_equal(F[0], F[1], sizeof *F);
}

static int set_while_it_runs(void *context, double t, const double *u)
{
    assert_int_equal(DAE_OK, dae_system_set_parameters(context, NULL, NULL));
    return 0;
}

/* A solver that has not been started again takes no step and shows no row. */
TEST(solvers_wait_for_a_start)
{
    static const char *const methods[] = {"radau", "cros", "ida"};
    for (int m = 0; m < 3; m++) {
        double u[5], start[5];
        dae_report why;
        OWNED(dae_system) *sys = system_at_start("pendulum", "index2", 1, start);
        dae_options options = {.rtol = 1e-6, .atol = 1e-6, .max_steps = 100000};
        options.step = strcmp(methods[m], "cros") == 0 ? 1e-3 : 0;
        OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(methods[m]), &options, 0, start);
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.1, u));
        assert_int_equal(DAE_OK, dae_system_set_parameters(sys, NULL, &why));
        assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(solver, 0.2, u));
        says(dae_solver_report(solver), "dae_solver_start comes first");
        assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(solver, 0.0999, u));
        assert_int_equal(DAE_OK, dae_solver_start(solver, 0, start));
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.2, u));
        dae_solver_observe(solver, set_while_it_runs, sys);
        assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(solver, 0.3, u));
    }
}

/* ---- data of the user's ------------------------------------------------------------------- */

static double constant_force(double t) { return 0.5; }

static const dae_event faster[] = {
    {.name = "half", .direction = DAE_RISING, .value = DAE_MODEL(from_half), .mode = "after",
     .action = DAE_MODEL(jump), .measure = DAE_MODEL(factor)}, {0}};
static const dae_problem after = {.name = "after", .variables = "u", .units = "-",
                                  .first_order = {.n = 1, .rhs = DAE_MODEL(rhs)},
                                  .start = DAE_MODEL(start)};
static const dae_problem *const others[] = {&after, NULL};
static const dae_problem driven = {
    .name = "driven", .title = "u' = rate factor u + force", .citation = "a test", .equations = "-",
    .variables = "u", .units = "-", .first_order = {.n = 1, .rhs = DAE_MODEL(rhs)},
    .parameters = {{"rate", 1, "-", "a rate", DAE_ANY_VALUE}, {"u0", 1, "-", "start", DAE_ANY_VALUE}},
    .start = DAE_MODEL(start), .t_end = 1, .mode = "before", .modes = others, .events = faster};

/* u' = 2 u + 1/2 from 2: u = 9/4 e^(2 t) - 1/4. */
TEST(data_reach_every_pass)
{
    const table given = {2, constant_force};
    dae_formulation_options with = dae_default_formulation_options(NULL);
    const double t = 0.5, exact = 2.25 * exp(1) - 0.25;
    OWNED(dae_system) *sys = NULL;
    dae_report why;
    double u, J, F_t;
    dae_problem smooth = driven;
    with.user_data = &given;
    smooth.events = NULL;
    smooth.modes = NULL;
    smooth.mode = NULL;
    assert_int_equal(DAE_OK, dae_system_create(&sys, &smooth, dae_find_formulation("native"), NULL, &with,
                                               &why));
    assert_ptr_equal(dae_system_user_data(sys), &given);
    assert_int_equal(DAE_OK, dae_system_start(sys, &u, &why));
    assert_close(u, 2, 0);
    assert_int_equal(DAE_OK, dae_system_jacobian(sys, DAE_JACOBIAN_DUAL, 0, &u, &J, &F_t, &why));
    assert_close(J, 2, 0);
    OWNED(dae_reference) r = reference_of(sys, &u, &t, 1);
    assert_close((double)r.q[0], exact, 1e-15 * exact);
    assert_int_equal(DAE_OK, dae_system_set_parameters(sys, NULL, &why));
    assert_ptr_equal(dae_system_user_data(sys), &given);
}

/* Both modes, event function, action and measure: at u = 6 the rate becomes 3. */
TEST(data_reach_every_mode)
{
    const table given = {2, constant_force};
    const dae_options options = {.rtol = 1e-10, .atol = 1e-10, .max_steps = 100000, .max_events = 10};
    const double t = log(6.25 / 2.25) / 2, exact = (6 + 0.5 / 6) * exp(6 * (0.6 - t)) - 0.5 / 6;
    dae_formulation_options with = dae_default_formulation_options(NULL);
    OWNED(dae_hybrid) *run = NULL;
    dae_report why;
    with.user_data = &given;
    assert_int_equal(DAE_OK, dae_hybrid_create(&run, &driven, dae_find_formulation("native"), NULL, &with,
                                               dae_find_method("radau"), &options, &why));
    assert_int_equal(DAE_OK, dae_hybrid_start(run, 0, NULL));
    assert_int_equal(DAE_OK, dae_hybrid_advance(run, 0.6));
    assert_int_equal(dae_hybrid_events(run), 1);
    assert_close(dae_hybrid_event(run, 0).t, t, 1e-9);
    assert_close(dae_hybrid_event(run, 0).measure, 2, 0);
    assert_close(dae_hybrid_parameters(run)[RATE], 3, 0);
    assert_int_equal(dae_hybrid_mode(run), 1);
    assert_close(dae_hybrid_unknowns(run)[0], exact, 1e-7);
}

/* ---- counts ------------------------------------------------------------------------------- */

TEST(counts_do_not_overflow)
{
    static const double x[] = {NAN, -INFINITY, -3, 0, 0.99, 1, 7.5, 1e6, 1e300, INFINITY};
    static const int is[] = {0, 0, 0, 0, 0, 1, 7, 1000000, 1000000, 1000000};
    for (int i = 0; i < 10; i++) {
        const dae_quad quad = x[i];
        const dae_dual dual = dae_dual_make(x[i], 3);
        assert_int_equal(dae_count(x[i]), is[i]);
        assert_int_equal(dae_count(quad), is[i]);
        assert_int_equal(dae_count(dual), is[i]);
    }
}

#else

static void FN(start)(const param *p, real *u)
{
    const table *given = dae_user_data(p);
    u[0] = p[START] * given->factor;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const table *given = dae_user_data(p);
    F[0] = p[RATE] * given->factor * u[0] + given->force(value(t));
}

static real FN(from_half)(const param *p, real t, const real *x, int k)
{
    const table *given = dae_user_data(p);
    return x[0] - 3 * given->factor;
}

static int FN(jump)(const param *p, real t, real *x, real *p_new, int k)
{
    const table *given = dae_user_data(p);
    p_new[RATE] = p[RATE] * (1 + given->factor);
    return 0;
}

static real FN(factor)(const param *p, real t, const real *x, int k)
{
    const table *given = dae_user_data(p);
    return (real){0} + given->factor;
}

#endif
