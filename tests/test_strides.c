/* test_strides.c - integrators of SUNDIALS that make all steps of a run in one call make those that they make one by
 * one, and what is seen of a step alone is seen all the same
 *
 * An observer, which is told of each step, has the steps made one by one.
 */
#include "support.h"

static int count_steps(void *context, double t, const double *u)
{
    ++*(long *)context;
    return 0;
}

typedef struct { double u[64], inside[64], t; dae_statistics count; dae_status status; char why[320]; } outcome;

/* To the end of the problem, and in a second call beyond it. */
static outcome run(const char *problem, const char *form, const char *method, dae_options o, int observed)
{
    outcome x = {0};
    long steps = 0;
    OWNED(dae_system) *sys = system_at_start(problem, form, 0, x.u);
    const dae_problem *p = problem_named(problem);
    const double beyond = p->t_end + 0.3 * (p->t_end - p->t0);
    assert_true(dae_system_size(sys) <= 64);
    OWNED(dae_solver) *s = solver_of(sys, dae_find_method(method), &o, 0, NULL);
    if (observed)
        dae_solver_observe(s, count_steps, &steps);
    assert_int_equal(DAE_OK, dae_solver_start(s, p->t0, x.u));
    x.status = dae_solver_advance(s, p->t_end, x.u);
    if (!x.status)
        x.status = dae_solver_advance(s, beyond, x.u);
    x.t = dae_solver_time(s);
    x.count = dae_solver_statistics(s);
    strcpy(x.why, dae_solver_report(s)->message);
    if (!x.status)                                      /* the last step is shorter than that */
        assert_int_equal(DAE_OK, dae_solver_interpolate(s, x.t - 1e-9 * (p->t_end - p->t0), x.inside));
    assert_true(!observed || steps > 0);
    return x;
}

TEST(test_same_steps)
{
    /* exactly: weights depend on the state alone, not on sums of steps, whose rounding differs */
    static const struct { const char *problem, *form, *method; int exactly; } cases[] = {
        {"pendulum", "index1", "ida", 1}, {"pendulum", "index2", "ida", 0}, {"pendulum", "index3", "ida", 0},
        {"pendulum", "ggl", "ida", 0},    {"chain", "baumgarte", "ida", 0},
        {"transistor_amplifier", "native", "ida", 0},
        {"hires", "native", "cvode", 1},  {"pendulum", "ode", "cvode", 1},  {"robertson", "native", "ida", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const outcome a = run(cases[i].problem, cases[i].form, cases[i].method, tolerance(1e-5), 0);
        const outcome b = run(cases[i].problem, cases[i].form, cases[i].method, tolerance(1e-5), 1);
        assert_int_equal(a.status, DAE_OK);
        assert_int_equal(b.status, DAE_OK);
        const long bound = cases[i].exactly ? 0 : 1 + b.count.rhs / 50;
        if (labs(a.count.steps - b.count.steps) > bound || labs(a.count.rejected - b.count.rejected) > bound
            || labs(a.count.rhs - b.count.rhs) > 3 * bound || labs(a.count.solves - b.count.solves) > 3 * bound
            || labs(a.count.jacobians - b.count.jacobians) > bound)
            fail_msg("%s %s: %ld steps, %ld F, %ld J, and %ld, %ld, %ld", cases[i].problem, cases[i].form,
                     a.count.steps, a.count.rhs, a.count.jacobians, b.count.steps, b.count.rhs, b.count.jacobians);
        for (int k = 0; k < 64; k++) {
            assert_close(a.u[k], b.u[k], 1e-6 * fmax(1, fabs(b.u[k])));
            assert_close(a.inside[k], b.inside[k], 1e-6 * fmax(1, fabs(b.inside[k])));
        }
    }
}

/* Runs whose last step but one ends close to the end: the polynomial goes on to it, in both. */
TEST(test_same_end)
{
    static const struct { const char *problem; double logarithm; } cases[] = {
        {"hires", -3}, {"robertson", -5.5}, {"van_der_pol", -4.5}, {"oregonator", -2}, {"transistor_amplifier", -4.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dae_options o = tolerance(pow(10, cases[i].logarithm));
        const outcome a = run(cases[i].problem, "native", "ida", o, 0),
            b = run(cases[i].problem, "native", "ida", o, 1);
        assert_int_equal(a.status, DAE_OK);
        if (a.count.steps != b.count.steps || memcmp(a.u, b.u, sizeof a.u) != 0
            || memcmp(a.inside, b.inside, sizeof a.inside) != 0)
            fail_msg("%s: %ld steps in one call and %ld one by one, or other states", cases[i].problem, a.count.steps,
                     b.count.steps);
    }
}

TEST(test_most_steps)
{
    const char *const methods[] = {"ida", "cvode"}, *const forms[] = {"index1", "ode"};
    for (int m = 0; m < 2; m++) {
        dae_options o = tolerance(1e-6);
        o.max_steps = 17;
        const outcome a = run("pendulum", forms[m], methods[m], o, 0), b = run("pendulum", forms[m], methods[m], o, 1);
        if (a.status != DAE_MAX_STEPS)
            fail_msg("%s", a.why);
        assert_int_equal(a.count.steps, 17);
        assert_string_equal(a.why, b.why);
        assert_true(a.t == b.t && a.t > 0);
        assert_close(a.u[0], b.u[0], 1e-9);
        o.max_steps = 100000;
        assert_int_equal(run("pendulum", forms[m], methods[m], o, 0).status, DAE_OK);
    }
}

/* ---- a step that is not accepted ---------------------------------------------------------------- */

/* x' = v, m(x) v' = -x, where m is 2 near the start, and 3 beyond x = 0.3, at t = 1.8 */
static void inertia(const double *p, double t, const double *q, const double *a, double *r)
{
    r[0] = (q[0] > 0.3 ? 2 : 3) * a[0];
}

static void inertia_dual(const double *p, dae_dual t, const dae_dual *q, const dae_dual *a, dae_dual *r)
{
    r[0] = (dae_dual_value(q[0]) > 0.3 ? 2 : 3) * a[0];
}

static void force(const double *p, double t, const double *q, const double *v, double *f)
{
    f[0] = -q[0];
}

static void force_dual(const double *p, dae_dual t, const dae_dual *q, const dae_dual *v, dae_dual *f)
{
    f[0] = -q[0];
}

TEST(test_mass_that_changes)
{
    const dae_problem changing = {.name = "changing", .t_end = 5, .start = {start_one},
        .mechanical = {.nq = 1, .inertia = {inertia, inertia_dual}, .force = {force, force_dual}}};
    const char *const methods[] = {"ida", "cvode"};
    for (int m = 0; m < 2; m++) {
        double u[2] = {1, 0};
        const dae_options o = tolerance(1e-6);
        OWNED(dae_system) *sys = system_of(&changing, "index1", NULL, NULL);
        OWNED(dae_solver) *s = solver_of(sys, dae_find_method(methods[m]), &o, 0, u);
        assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_advance(s, 5, u));
        assert_non_null(strstr(dae_solver_report(s)->message, "mass"));
        assert_true(dae_solver_time(s) < 2.5);          /* seen in its step, not at the end */
    }
}
