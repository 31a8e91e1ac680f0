/* test_cut.c - outputs that follow each other closely: each step of almost no length, which closes
 * nothing of the constraints, leaves errors, costs and multipliers as they are without it
 */
#include "support.h"

#include "stepper/solver.h"

enum { OUTPUTS = 20 };

typedef struct {
    dae_statistics count;
    double u[MOST_UNKNOWNS];
    int n;                      /* unknowns but those that vanish */
} result;

/* To t_end by OUTPUTS stops, each but the last followed by one after tiny. */
static result run(const char *problem, const char *form, const char *method, double rtol,
                  double tiny)
{
    result r = {.n = 0};
    const dae_options o = tolerance(rtol);
    OWNED(dae_system) *sys = system_at_start(problem, form, 0, r.u);
    const double t_end = problem_named(problem)->t_end;
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &o, 0, NULL);
    dae_status status = dae_solver_start(solver, 0, r.u);
    for (int k = 1; k <= OUTPUTS && !status; k++) {
        status = dae_solver_advance(solver, t_end * k / OUTPUTS, r.u);
        if (!status && tiny > 0 && k < OUTPUTS)
            status = dae_solver_advance(solver, t_end * k / OUTPUTS + tiny, r.u);
    }
    if (status)
        fail_msg("%s %s %s: %s", problem, form, method, dae_solver_report(solver)->message);
    r.count = dae_solver_statistics(solver);
    for (int i = 0; i < dae_system_size(sys); i++)
        r.n += dae_system_class(sys, i) != DAE_AUXILIARY;
    return r;
}

typedef struct { const char *problem, *form; } row;
static const row rows[] = {{"pendulum", "index2"}, {"pendulum", "index3"}, {"pendulum", "ggl"},
                           {"linear_dae", "native"}, {"linear_dae", "index1"}};
static const char *const methods[] = {"cros", "cros4", "excros", "rodas4", "rodas5p"};

TEST(test_close_outputs)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            const double rtol = m == 0 ? 1e-4 : m == 1 ? 1e-5 : 1e-6;
            const result good = run(rows[k].problem, rows[k].form, "radau", 1e-11, 0);
            const result plain = run(rows[k].problem, rows[k].form, methods[m], rtol, 0);
            const double error = distance(plain.u, good.u, good.n);
            for (double tiny = 1e-6; tiny > 1e-11; tiny /= 100) {
                const result r = run(rows[k].problem, rows[k].form, methods[m], rtol, tiny);
                const double apart = distance(r.u, good.u, good.n);
                const long more = r.count.steps - plain.count.steps - (OUTPUTS - 1);
                /* in index 2 a step made longer is followed by one that its own estimate allows */
                const int short_next = strcmp(rows[k].form, "native") == 0 || strcmp(rows[k].form, "index2") == 0;
                const double allowed = (double)plain.count.steps * (short_next ? 0.7 : 0.05) + 2;
                if (apart > 2 * error + 10 * rtol || (double)more > allowed)
                    fail_msg("%s %s %s, %g: error %g, %g without; %ld steps more than one each",
                             rows[k].problem, rows[k].form, methods[m], tiny, apart, error, more);
            }
        }
}

/* ---- F is counted wherever it is asked for, by all methods ---------------------------------- */

static long calls;
static dae_map1_double *rhs_of_problem;

static void counting_rhs(const double *p, double t, const double *u, double *F)
{
    calls++;
    rhs_of_problem(p, t, u, F);
}

static dae_map1_dual *dual_of_problem;

static void counting_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    calls++;
    dual_of_problem(p, t, u, F);
}

/* 0 where the method cannot solve it */
static int count_calls(const dae_problem *problem, const dae_method *method, double tiny)
{
    const char *name = dae_method_describe(method).name;
    const dae_options o = tolerance(1e-6);
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = consistent_system(problem, "native", NULL, u);
    OWNED(dae_solver) *solver = NULL;
    const dae_status status = dae_solver_create(&solver, sys, method, &o, NULL);
    if (!status) {
        calls = 0;
        assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
        for (int k = 1; k <= OUTPUTS; k++) {
            const double t = problem->t_end * k / OUTPUTS;
            assert_int_equal(DAE_OK, dae_solver_advance(solver, t, u));
            if (tiny > 0 && k < OUTPUTS)
                assert_int_equal(DAE_OK, dae_solver_advance(solver, t + tiny, u));
        }
        if (dae_solver_statistics(solver).rhs != calls)
            fail_msg("%s %s, stops after %g: F was evaluated %ld times, and %ld are counted\n",
                     problem->name, name, tiny, calls, dae_solver_statistics(solver).rhs);
    } else {
        assert_int_equal(DAE_UNSUPPORTED, status);
    }
    return !status;
}

TEST(test_counts)
{
    static const char *const names[] = {"linear_dae", "robertson", "predator_prey"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        dae_problem problem = *problem_named(names[k]);
        int solved = 0;
        rhs_of_problem = problem.first_order.rhs.f;
        problem.first_order.rhs.f = counting_rhs;
        dual_of_problem = problem.first_order.rhs.dual;
        problem.first_order.rhs.dual = counting_dual;
        for (int m = 0; dae_method_at(m); m++)
            if (dae_method_describe(dae_method_at(m)).adaptive)
                for (double tiny = 0; tiny < 1e-6; tiny += 6e-7)
                    solved += count_calls(&problem, dae_method_at(m), tiny);
        assert_true(solved > 10);
    }
}

/* A step of h = H/8 leaves 7/8 of the residual of 0 = dg/dt, evaluates F once for it and says so; one of
 * H/3 leaves nothing. */
TEST(test_residual)
{
    double u[MOST_UNKNOWNS], F[MOST_UNKNOWNS], cut[MOST_UNKNOWNS];
    const dae_options o = tolerance(1e-6);
    OWNED(dae_system) *sys = system_at_start("pendulum", "index2", 0, u);
    const int nq = dae_system_positions(sys);
    OWNED(dae_solver) *s = solver_of(sys, dae_find_method("cros"), &o, 0, u);
    s->u[nq] += 0.25;
    dae_system_rhs(sys, 0, s->u, F);
    const long before = s->count.rhs;
    dae_cut_begin(s, 0.1, 0.3);
    assert_int_equal(before, s->count.rhs);
    assert_int_equal(0, s->cut);
    dae_cut_begin(s, 0.1, 0.8);
    assert_int_equal(before + 1, s->count.rhs);
    assert_int_equal(1, s->cut);
    dae_system_rhs(sys, 0, s->u, cut);
    for (int i = 0; i < dae_system_size(sys); i++)
        assert_close(cut[i], i < 2 * nq ? F[i] : F[i] / 8, 1e-12);
    assert_true(fabs(F[2 * nq]) > 0.01);
    dae_cut_end(s);
}

/* ---- Radau: after outputs and events that follow closely, multipliers are as good as at the end of a whole step
 * (test_rows.c and test_short_ends.c: of every method that chooses its steps) ------------------------------------ */

static const char *const chosen[] = {"radau5", "radau"}, *const forms[] = {"index2", "ggl", "index3"};
enum { FORMS = 3 };

/* |T/T(q, v) - 1| with the tension that position and velocity need. */
static double error_of_tension(dae_system *sys, double t, const double *u)
{
    double a[2], tension;
    assert_int_equal(DAE_OK, dae_system_accelerate(sys, t, u, u + 2, a, &tension));
    return fabs(u[4] / tension - 1);
}

/* To t = 1, and on by h; the velocities are what they should be as well. */
static double after(const char *form, const char *method, const dae_options *options, double h)
{
    static const double at_1[] = {0.65837740803, -4.95646438387, -4.29282600800, -0.57022495097};
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("pendulum", form, 0, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), options, 0, u);
    assert_int_equal(DAE_OK, dae_solver_advance(solver, 1, u));
    if (h > 0)
        assert_int_equal(DAE_OK, dae_solver_advance(solver, 1 + h, u));
    const double error = error_of_tension(sys, 1 + h, u);
    assert_close(distance(u, at_1, 4), 0, 5 * h + 1e-3);
    return error;
}

static void check(const char *form, const char *method, const dae_options *options)
{
    const double whole = after(form, method, options, 0);
    for (double h = 1e-3; h > 1e-15; h /= 100) {
        const double error = after(form, method, options, h);
        if (!(error <= 3 * whole + 1e-10))
            fail_msg("%s %s, step %g: the tension is off by %g after %g, before by %g", form,
                     method, options->step, error, h, whole);
    }
}

TEST(test_fixed_steps)
{
    dae_options options = dae_default_options();
    options.step = 0.01;
    for (int f = 0; f < FORMS; f++) {
        check(forms[f], "radau5", &options);
        check(forms[f], "radau9", &options);
    }
}

/* ---- events: a step of the method ends on them, however close to its begin ------------------- */

static dae_status passes(void *context, double t, const double *u, double *g, dae_report *report)
{
    g[0] = t - *(const double *)context;
    return DAE_OK;
}

static int stop(void *context, double t, const double *u, const int *found)
{
    return 1;
}

TEST(test_events)
{
    const dae_options options = tolerance(1e-6);
    const dae_direction direction = DAE_ANY;
    double at = 0;
    const dae_watch watch = {.count = 1, .direction = &direction, .values = passes,
                             .happened = stop, .context = &at};
    for (int f = 0; f < FORMS; f++)
        for (int m = 0; m < 2; m++) {
            double u[MOST_UNKNOWNS], start[MOST_UNKNOWNS];
            OWNED(dae_system) *sys = system_at_start("pendulum", forms[f], 0, start);
            OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(chosen[m]), &options, 0, start);
            assert_int_equal(DAE_OK, dae_solver_watch(solver, &watch));
            for (int k = 0; k < 100; k++) {
                at = 0.5 + k * 8e-3;
                assert_int_equal(DAE_OK, dae_solver_start(solver, 0, start));
                assert_int_equal(DAE_EVENT, dae_solver_advance(solver, 2, u));
                assert_close(error_of_tension(sys, dae_solver_time(solver), u), 0, 2e-3);
            }
        }
}
