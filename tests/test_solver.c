/* test_solver.c - the golden run, the published steps of Heun and Runge-Kutta, and the driver */
#include "support.h"

#include "small_models.h"

/* Published: raw index-3 pendulum by CROS, h = 0.001, from (3, -4) at rest with T = 0.
 *
 * T carries second differences of the position: the last bit of y, 8.9e-16, moves it by 1.4e-9. In
 * exact arithmetic T(2) = 7.5408186042452 (the same step in quad precision), so up to three such
 * quanta are allowed at t = 2; positions hold to 1e-12. */
typedef struct { double t, x, y, T, position_tolerance, T_tolerance; } golden_row;
static const golden_row golden[] = {
    {0.001, 2.9999976456, -4.0000017658, 7.848251327412286, 5e-11, 1e-9},
    {1.999, -2.783112575949361, -4.153828045857256, 7.538647641601497, 1e-12, 4.5e-9},
    {2.000, -2.7845575401166798, -4.1528595367181325, 7.540818604483046, 1e-12, 4.5e-9},
    {99.999, -0.6602645673507576, -4.956215233836373, 5.976310666681663, 1e-11, 1e-7},
    {100.000, -0.6559716295749911, -4.956785246046211, 5.975489922303506, 1e-11, 1e-7},
};
enum { GOLDEN = sizeof golden / sizeof *golden };

typedef struct { int next; double worst; } golden_check;

static int compare_golden(void *context, double t, const double *u)
{
    golden_check *c = context;
    const golden_row *row = &golden[c->next];
    if (c->next == GOLDEN || fabs(t - row->t) > 1e-6)
        return 0;
    const double apart = fmax(fabs(u[0] - row->x), fabs(u[1] - row->y));
    c->worst = fmax(c->worst, apart / row->position_tolerance);
    c->worst = fmax(c->worst, fabs(u[4] - row->T) / row->T_tolerance);
    c->next++;
    return 0;
}

/* The largest deviation from the golden rows, in units of their tolerances. */
static double golden_run(dae_jacobian_kind jacobian, dae_linear_kind linear)
{
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("pendulum", "index3", 1, u);
    dae_options options = dae_default_options();
    golden_check check = {0};
    options.step = 1e-3;
    options.jacobian = jacobian;
    options.linear = linear;
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method("cros"), &options, 0, NULL);
    dae_solver_observe(solver, compare_golden, &check);
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 100, u));
    assert_int_equal(GOLDEN, check.next);
    assert_int_equal(100000, dae_solver_statistics(solver).steps);
    return check.worst;
}

TEST(test_golden)
{
    assert_true(golden_run(DAE_JACOBIAN_ANALYTIC, DAE_LINEAR_DENSE) <= 1);
    assert_true(golden_run(DAE_JACOBIAN_DUAL, DAE_LINEAR_DENSE) <= 1);
    assert_true(golden_run(DAE_JACOBIAN_DUAL, DAE_LINEAR_KLU) <= 1);
}

/* Differences leave the multiplier of raw index 3 at the mercy of rounding divided by h^2:
 * positions hold to 1e-7 at t = 100, T to 1e-3. Measured: 1e-8 and 2e-4. */
TEST(test_golden_fd)
{
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("pendulum", "index3", 1, u);
    dae_options options = dae_default_options();
    options.step = 1e-3;
    options.jacobian = DAE_JACOBIAN_FD;
    solve_to(sys, "cros", &options, 100, u);
    const golden_row *end = &golden[GOLDEN - 1];
    assert_close(u[0], end->x, 1e-7);
    assert_close(u[1], end->y, 1e-7);
    assert_close(u[4], end->T, 1e-3);
}

/* ---- y' = x - y + 1, y(0) = 1: a problem of the test's own, through the public interface */

typedef struct { const char *method; double y[5]; } published;
static const published table[] = {
    {"heun", {1.005, 1.019025, 1.041218, 1.070802, 1.107076}},
    {"rk4", {1.004838, 1.018731, 1.040818, 1.070320, 1.106531}},
};

TEST(test_published_steps)
{
    for (size_t m = 0; m < sizeof table / sizeof *table; m++) {
        dae_options options = dae_default_options();
        double y[1];
        options.step = 0.1;
        OWNED(dae_system) *sys = system_of(&dae_line, "native", NULL, y);
        OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(table[m].method), &options, 0, y);
        for (int k = 0; k < 5; k++) {
            assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.1 * (k + 1), y));
            assert_close(y[0], table[m].y[k], 5.01e-7);
        }
    }
}

/* ---- the driver */

/* An interval that the step does not divide ends exactly on t_end, with one shorter step. */
TEST(test_last_step)
{
    double u[MOST_UNKNOWNS], x[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    dae_options options = dae_default_options();
    options.step = 0.03;
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method("cros"), &options, 0, u);
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.1, x));
    assert_true(dae_solver_time(solver) == 0.1);
    assert_int_equal(4, dae_solver_statistics(solver).steps);
    assert_int_equal(4, dae_solver_statistics(solver).factorizations);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(solver, 0.05, x));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(solver, NAN, x));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 0.11, x));      /* shorter than the step */
    assert_true(dae_solver_time(solver) == 0.11);
    assert_int_equal(5, dae_solver_statistics(solver).steps);
    assert_int_equal(DAE_OK, dae_solver_interpolate(solver, 0.1, x));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(solver, 0.09, x));
}

static int stop_at_half(void *context, double t, const double *u)
{
    return t >= 0.5;
}

TEST(test_observer_stops)
{
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("pendulum", "index2", 0, u);
    dae_options options = dae_default_options();
    options.step = 1e-3;
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method("cros"), &options, 0, NULL);
    dae_solver_observe(solver, stop_at_half, NULL);
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    assert_int_equal(DAE_STOPPED, dae_solver_advance(solver, 2, u));
    assert_close(dae_solver_time(solver), 0.5, 1e-12);
    assert_true(DAE_STOPPED > 0);
}

static void refuse(const char *method, dae_options options, dae_status expected)
{
    double u[MOST_UNKNOWNS];
    dae_report why = {0};
    dae_solver *solver;
    OWNED(dae_system) *sys = system_at_start("pendulum", "index3", 1, u);
    assert_int_equal(expected, dae_solver_create(&solver, sys, dae_find_method(method), &options,
                                                 &why));
    assert_null(solver);
    assert_true(strlen(why.message) > 10);
    assert_int_equal(expected, why.status);
}

TEST(test_bad_options)
{
    const double bad[] = {0, -1, NAN, INFINITY};
    dae_options options;
    for (int i = 0; i < 4; i++) {
        options = dae_default_options();
        options.step = bad[i];
        if (options.step != 0)                          /* 0: steps chosen by tolerance */
            refuse("cros", options, DAE_BAD_ARGUMENT);
        options = dae_default_options();
        options.rtol = bad[i];
        refuse("ida", options, DAE_BAD_ARGUMENT);
        options = dae_default_options();
        options.atol = bad[i];
        refuse("ida", options, DAE_BAD_ARGUMENT);
        const double atols[] = {1, 1, 1, 1, bad[i]};    /* of the pendulum in index 3 */
        options = dae_default_options();
        options.atols = atols;
        refuse("ida", options, DAE_BAD_ARGUMENT);
    }
    options = dae_default_options();
    options.step = 0.1;
    refuse("ida", options, DAE_UNSUPPORTED);            /* chooses its own */
    refuse("euler", options, DAE_UNSUPPORTED);          /* index3 has no explicit form */
}

/* What a mistyped name leaves behind is refused, not followed. */
TEST(test_null_handles)
{
    double u[MOST_UNKNOWNS];
    dae_report why = {0};
    dae_solver *solver;
    dae_system *sys = system_at_start("pendulum", "index2", 0, u), *none;
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_create(&solver, sys, dae_find_method("crs"), NULL,
                                                         &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_create(&solver, NULL, dae_find_method("cros"),
                                                         NULL, &why));
    assert_int_equal(DAE_UNSUPPORTED, dae_system_create(&none, problem_named("pendulum"),
                                                        dae_find_formulation("indx"), NULL, NULL,
                                                        &why));
    dae_system_free(sys);
}

/* Every method in every formulation of every problem runs, or says why not. */
TEST(test_every_pair)
{
    for (int p = 0; dae_problems[p]; p++)
        for (int f = 0; dae_formulation_at(f); f++)
            for (int m = 0; dae_method_at(m); m++) {
                double u[MOST_UNKNOWNS];
                dae_report why = {0};
                dae_options options = dae_default_options();
                const char *form = dae_formulation_describe(dae_formulation_at(f)).name;
                if (!dae_formulation_applies(dae_formulation_at(f), dae_problems[p]))
                    continue;
                OWNED(dae_system) *sys = system_at_start(dae_problems[p]->name, form, 0, u);
                OWNED(dae_solver) *solver = NULL;
                if (dae_method_describe(dae_method_at(m)).fixed)
                    options.step = (dae_problems[p]->t_end - dae_problems[p]->t0) / 200;
                dae_status status =
                    dae_solver_create(&solver, sys, dae_method_at(m), &options, &why);
                if (!status)
                    status = dae_solver_start(solver, dae_problems[p]->t0, u);
                if (!status)
                    status = dae_solver_advance(solver, dae_problems[p]->t_end, u);
                const char *said = solver ? dae_solver_report(solver)->message : why.message;
                if (status)
                    assert_true(strlen(said) > 10);
                else
                    assert_true(isfinite(u[0]));
            }
}

/* Any Jacobian and any linear solver give the same solution of the pendulum in index 2: with fixed steps the same
 * steps, with chosen ones to 10 tolerances, 100 of IDA. */
static int solves_with(const dae_method *method, dae_jacobian_kind jacobian, dae_linear_kind linear)
{
    static double first[MOST_UNKNOWNS];
    const dae_method_info info = dae_method_describe(method);
    double u[MOST_UNKNOWNS], closely = jacobian == DAE_JACOBIAN_FD ? 1e-5 : 1e-10;
    dae_options o = tolerance(1e-8);
    o.step = info.fixed ? 0.01 : 0;
    o.jacobian = jacobian;
    o.linear = linear;
    OWNED(dae_system) *sys = system_at_start("pendulum", "index2", 0, u);
    OWNED(dae_solver) *solver = NULL;
    const dae_status status = dae_solver_create(&solver, sys, method, &o, NULL);
    if (!status) {
        assert_true(!linear || dae_solver_linear(solver) == linear);
        assert_true(!jacobian || dae_solver_jacobian(solver) == jacobian);
        assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 2, u));
        if (!jacobian && !linear)
            memcpy(first, u, sizeof first);
        const double off = info.fixed ? distance(u, first, 5) : distance(u, pendulum_at_2, 4);
        if (!(off <= (info.fixed ? closely : strcmp(info.name, "ida") ? 1e-7 : 1e-6)))
            fail_msg("%s, Jacobian %d, solver %d: %g off", info.name, (int)jacobian, (int)linear, off);
    }
    return !status;
}

TEST(test_linear_algebra)
{
    int runs = 0;
    for (int m = 0; dae_method_at(m); m++)
        for (dae_jacobian_kind j = DAE_JACOBIAN_BEST; j <= DAE_JACOBIAN_FD; j++)
            for (dae_linear_kind l = DAE_LINEAR_BEST; l <= DAE_LINEAR_BAND; l++)
                runs += dae_method_describe(dae_method_at(m)).implicit && solves_with(dae_method_at(m), j, l);
    assert_true(runs > 100);
}

/* ---- started again ---------------------------------------------------------------------------- */

/* A solver that is started again ends with the same bits, whatever the run before has chosen */

enum { MOST_STEPS = 3000 };

/* The same run by a solver that has made it before: begun twice, to the same end. */
static int ends_with_the_same_bits(dae_system *sys, const dae_method *method, const dae_options *options,
                                   const double *start, double t_end)
{
    const size_t size = (size_t)dae_system_size(sys) * sizeof(double);
    double end[2][MOST_UNKNOWNS];
    long steps[2];
    OWNED(dae_solver) *solver = NULL;
    if (dae_solver_create(&solver, sys, method, options, NULL))
        return 1;
    for (int run = 0; run < 2; run++) {
        memcpy(end[run], start, size);
        dae_solver_start(solver, dae_system_problem(sys)->t0, start);
        dae_solver_advance(solver, t_end, end[run]);
        steps[run] = dae_solver_statistics(solver).steps;
    }
    return memcmp(end[0], end[1], size) == 0 && steps[0] == steps[1];
}

/* Every problem, formulation and native implicit method with sparse factors, whose pivots are those of before
 * as long as these are good. */
TEST(test_sparse)
{
    double u[MOST_UNKNOWNS];
    for (int k = 0; dae_problems[k]; k++) {
        const dae_problem *problem = with_few_copies(dae_problems[k]);
        for (int f = 0; dae_formulation_at(f); f++) {
            OWNED(dae_system) *sys = NULL;
            if (problem->modes || dae_system_create(&sys, problem, dae_formulation_at(f), NULL, NULL, NULL))
                continue;
            dae_report why = {0};
            if (dae_system_start(sys, u, &why) || dae_consistent_start(sys, problem->t0, u, NULL, &why))
                fail_msg("%s %s: %s", problem->name, dae_formulation_describe(dae_formulation_at(f)).name, why.message);
            for (int m = 0; dae_method_at(m); m++) {
                const dae_method_info info = dae_method_describe(dae_method_at(m));
                dae_options options = tolerance(1e-5);
                options.linear = DAE_LINEAR_KLU;
                options.max_steps = MOST_STEPS;
                if (info.adaptive && info.implicit
                    && !ends_with_the_same_bits(sys, dae_method_at(m), &options, u, problem->t_end))
                    fail_msg("%s %s %s", problem->name, dae_formulation_describe(dae_formulation_at(f)).name,
                             info.name);
            }
        }
    }
}

/* Seven bodies, whose pivots change on the way. */
TEST(test_pivots_that_change)
{
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("andrews", "ggl", 0, u);
    const dae_options options = tolerance(1e-8);
    assert_true(ends_with_the_same_bits(sys, dae_find_method("rodas5p"), &options, u, 0.03));
}
