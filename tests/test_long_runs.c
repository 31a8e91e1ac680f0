/* test_long_runs.c - every method that chooses its steps, to t = 100 at rtol = atol = 1e-8; and how errors and work
 * follow the tolerance to t = 2
 *
 * In index 1, index 2 and ggl the position is to end within 100 rtol times the size of the motion
 * (5 m). Methods that do not are listed with the reason; they must still be within their bound, and
 * outside the common one, so that the list stays true.
 */
#include "support.h"

static const double RTOL = 1e-8, SCALE = 5;

typedef struct { const char *method, *form; double bound; const char *reason; } exception;
static const exception exceptions[] = {
    {"cros", "index1", 1e-3, "no projection: the position drifts off g = 0 and the period with it"},
    {"euler", "index1", 2, "order 1: the global error follows the root of the tolerance"},
    {"rk4", "index1", 2e-3, "no projection: the position drifts off g = 0 and the period with it"},
    {"rodas4", "index1", 2e-4, "no projection: the position drifts off g = 0 and the period with "
     "it"},
    {"cros4", "ggl", 2e-5, "order 2: the global error follows the tolerance to the power 2/3"},
    {"rodas5p", "ggl", 1e-5, "order 3: errors of 32 000 steps add up, to 104 tolerances"},
    {"ida", "index1", 2e-3, "no projection, and a local error test of a multistep method"},
    {"ida", "index2", 2e-4, "a local error test of a multistep method, multipliers left out of it"},
};

static const exception *exception_for(const char *method, const char *form)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i].method, method) == 0 && strcmp(exceptions[i].form, form) == 0)
            return &exceptions[i];
    return NULL;
}

/* 1 where the method solves the form. */
static int long_run(const dae_method *method, const char *form)
{
    const dae_method_info info = dae_method_describe(method);
    const exception *known = exception_for(info.name, form);
    double u[MOST_UNKNOWNS], q[2], v[2], lambda[1];
    dae_options options = dae_default_options();
    dae_report why = {0};
    OWNED(dae_system) *sys = system_at_start("pendulum", form, 0, u);
    OWNED(dae_solver) *solver = NULL;
    options.rtol = options.atol = RTOL;
    dae_status status = dae_solver_create(&solver, sys, method, &options, &why);
    if (status == DAE_UNSUPPORTED)
        return 0;
    if (!status)
        status = dae_solver_start(solver, 0, u);
    if (!status)
        status = dae_solver_advance(solver, 100, u);
    if (status)
        fail_msg("%s %s: %s", form, info.name, dae_solver_report(solver)->message);
    assert_int_equal(DAE_OK, dae_system_split(sys, 100, u, q, v, lambda));
    const double error = fmax(fabs(q[0] - pendulum_at_100[0]), fabs(q[1] - pendulum_at_100[1]));
    if (error > (known ? known->bound : 100 * RTOL * SCALE))
        fail_msg("%s %s: position error %g at t = 100", form, info.name, error);
    if (known && error < 100 * RTOL * SCALE / 2)
        fail_msg("%s %s: %g is no exception any more (%s)", form, info.name, error, known->reason);
    assert_true(strcmp(info.name, "excros") != 0 || dae_solver_statistics(solver).steps < 300);
    return 1;
}

TEST(test_long_runs)
{
    const char *const forms[] = {"index1", "index2", "ggl"};
    int runs = 0;
    for (int m = 0; dae_method_at(m); m++)
        for (int f = 0; f < 3; f++)
            if (dae_method_describe(dae_method_at(m)).adaptive)
                runs += long_run(dae_method_at(m), forms[f]);
    assert_true(runs >= 20);
}

/* Errors of positions and velocities at t = 2, in units of rtol = atol, at every so many digits */
typedef struct { const char *method, *forms[4]; int from, to, every; double q, v; } follows;
static const follows rows[] = {
    {"radau5", {"index1", "index2", "ggl"}, 4, 10, 2, 20, INFINITY},
    {"radau9", {"index1", "index2", "ggl"}, 4, 10, 2, 20, INFINITY},
    {"radau13", {"index1", "index2", "ggl"}, 4, 10, 2, 20, INFINITY},
    {"radau", {"index1", "index2", "ggl"}, 4, 10, 2, 20, INFINITY},
    {"radau5", {"index3"}, 4, 10, 2, 200, INFINITY},
    {"radau9", {"index3"}, 4, 10, 2, 200, INFINITY},
    {"radau13", {"index3"}, 4, 10, 2, 200, INFINITY},
    {"radau", {"index3"}, 4, 10, 2, 200, INFINITY},
    {"rodas4", {"index1", "baumgarte", "index2", "ggl"}, 4, 8, 2, 5, 5},
    {"rodas5p", {"index1", "baumgarte", "index2", "ggl"}, 4, 8, 2, 5, 5},
    {"excros", {"index1", "index2", "ggl", "baumgarte"}, 3, 11, 1, 50, 50},
    {"cros4", {"index1", "index2", "ggl", "baumgarte"}, 3, 6, 1, 100, 100},
    {"ida", {"index1"}, 10, 10, 1, 100, 100},
};

/* The order of excros grows instead of its steps; the counts of Radau belong together. */
static void check_work(const follows *r, const dae_statistics *n)
{
    if (strcmp(r->method, "excros") == 0)
        assert_true(n->steps <= 40 && n->rejected <= 10);
    if (strncmp(r->method, "radau", 5) == 0) {
        assert_true(n->steps > 0 && n->jacobians <= n->steps + 1 && n->solves > 2 * n->steps);
        assert_true(n->rhs >= 3 * n->steps && n->factorizations >= n->jacobians);
    }
}

TEST(test_tolerances)
{
    for (const follows *r = rows; r < rows + sizeof rows / sizeof *rows; r++)
        for (int f = 0; f < 4 && r->forms[f]; f++)
            for (int digits = r->from; digits <= r->to; digits += r->every) {
                double u[MOST_UNKNOWNS];
                const dae_options o = tolerance(pow(10, -digits));
                OWNED(dae_system) *sys = system_at_start("pendulum", r->forms[f], 0, u);
                const dae_statistics count = solve_to(sys, r->method, &o, 2, u);
                const double q = distance(u, pendulum_at_2, 2), v = distance(u + 2, pendulum_at_2 + 2, 2);
                if (!(q <= r->q * o.rtol && v <= r->v * o.rtol))
                    fail_msg("%s %s, rtol %g: %g and %g off", r->method, r->forms[f], o.rtol, q, v);
                assert_true(strcmp(r->method, "ida") != 0 || fabs(u[4] - pendulum_at_2[4]) < 1e-8);
                check_work(r, &count);
            }
}
