/* Each unknown of each mode has an absolute tolerance of its own: those of the modes one behind the
 * other, copied, and known where a state enters a mode */
#ifndef DAE_PASS
#include "support.h"

enum { X, Y, FRICTION, MOST_EVENTS = 8 };
#include <daelab/model.h>

/* x swings, of size X; y, of size Y, falls onto the floor y = 0, stays there until x < 0, and is
 * then thrown up. */
static void start(const double *p, double *u)
{
    u[0] = p[X];
    u[1] = p[Y];
}

static double height(const double *p, double t, const double *x, int k) { return x[1]; }
static double swing(const double *p, double t, const double *x, int k) { return x[0]; }
static double half(const double *p, double t, const double *x, int k) { return t - 0.5; }
static int throw(const double *p, double t, double *x, double *p_new, int k)
{
    x[3] = 2 * p[Y];
    p_new[FRICTION] += 0.25;
    return 0;
}
static const dae_event lands[] = {
    {.name = "lands", .value = {height}, .direction = DAE_FALLING, .mode = "floor"}, {0}};
static const dae_event early[] = {
    {.name = "early", .value = {half}, .direction = DAE_RISING, .mode = "floor"}, {0}};
static const dae_event thrown[] = {
    {.name = "thrown", .value = {swing}, .direction = DAE_ANY, .action = {throw}, .mode = "air"}, {0}};
static const dae_problem floor_mode = {
    .name = "floor", .start = {start}, .variables = "x y vx vy N", .events = thrown,
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}};
static const dae_problem *const modes[] = {&floor_mode, NULL};
static const dae_problem ball = {
    .name = "ball", .start = {start}, .t_end = 10, .mode = "air", .modes = modes, .events = lands,
    .variables = "x y vx vy",
    .parameters = {{"X", 1, "m", "size of x"}, {"Y", 1, "m", "size of y"},
                   {"friction", 0, "1/s", "of the air, for x"}},
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)}};

enum { IN_AIR = 4, ON_FLOOR = 5 };      /* unknowns */

static dae_status create(dae_hybrid **run, const dae_problem *p, const double *parameters,
                         const char *method, const dae_options *options, dae_report *why)
{
    return dae_hybrid_create(run, p, dae_find_formulation("index1"), parameters, NULL,
                             dae_find_method(method), options, why);
}

/* A run in units of x and y, with tolerances in them; the caller's are gone when it starts. */
static dae_hybrid *run_scaled(double x, double y, const char *method)
{
    const double p[] = {x, y, 0}, tol = 1e-9;
    double atols[IN_AIR + ON_FLOOR] = {tol * x, tol * y, tol * x, tol * y, tol * x, tol * y,
                                       tol * x, tol * y, tol * y};
    dae_options options = tolerance(1e-6);
    dae_hybrid *run;
    dae_report why = {0};
    options.atol = NAN;
    options.atols = atols;
    if (create(&run, &ball, p, method, &options, &why))
        fail_msg("%s: %s", method, why.message);
    for (int i = 0; i < IN_AIR + ON_FLOOR; i++)
        atols[i] = 1e9;
    dae_status status = hybrid_to(run, ball.t_end);
    if (status)
        fail_msg("%s, X = %g, Y = %g: %s", method, x, y, dae_hybrid_report(run)->message);
    return run;
}

/* In whatever units of x and y the steps are the same, events too, through changes of mode and of
 * parameters, which make all solvers anew. */
TEST(units_of_each)
{
    static const char *const methods[] = {"dop853", "dopri5", "radau5", "rodas5p", "cros4", "ida"};
    static const double sizes[][2] = {{0x1p40, 1}, {1, 0x1p40}, {0x1p-30, 0x1p50}};
    for (int m = 0; m < 6; m++) {
        OWNED(dae_hybrid) *plain = run_scaled(1, 1, methods[m]);
        const int events = dae_hybrid_events(plain);
        assert_true(events >= 4 && events <= MOST_EVENTS);
        for (int k = 0; k < 3; k++) {
            OWNED(dae_hybrid) *run = run_scaled(sizes[k][0], sizes[k][1], methods[m]);
            assert_int_equal(dae_hybrid_events(run), events);
            for (int i = 0; i < events; i++)
                assert_close(dae_hybrid_event(run, i).t, dae_hybrid_event(plain, i).t, 0);
            const dae_statistics a = dae_hybrid_statistics(plain), b = dae_hybrid_statistics(run);
            assert_int_equal(a.steps, b.steps);
            assert_int_equal(a.rejected, b.rejected);
        }
    }
}

/* On entry each unknown may be wrong by its own tolerance, whatever those of others are. */
TEST(on_entry)
{
    for (int k = 0; k < 2; k++) {
        const double p[] = {1, 0x1p-30, 0}, of_y = k ? 1 : 1e-8 * p[Y];
        const double atols[] = {1e-6, of_y, 1e-6, of_y, 1e-6, of_y, 1e-6, of_y, of_y};
        dae_options options = tolerance(1e-8);
        dae_problem problem = ball;
        OWNED(dae_hybrid) *run = NULL;
        options.atols = atols;
        problem.events = early;                         /* at half of its height */
        assert_int_equal(create(&run, &problem, p, "dop853", &options, NULL), DAE_OK);
        assert_int_equal(dae_hybrid_start(run, 0, NULL), DAE_OK);
        assert_int_equal(dae_hybrid_advance(run, 0.6), k ? DAE_OK : DAE_INCONSISTENT);
    }
}

/* A run without events is that of a solver. */
TEST(as_a_solver)
{
    static const char *const forms[] = {"index3", "index2", "index1", "ggl", "ode"};
    const double atols[] = {1e-3, 1e-9, 1e-5, 1e-7, 1e-2, 1e-4};
    for (int f = 0; f < 5; f++) {
        double u[MOST_UNKNOWNS];
        dae_options options = tolerance(1e-6);
        options.atols = atols;
        OWNED(dae_hybrid) *run = started_hybrid(problem_named("pendulum"), forms[f], NULL, dae_find_method("radau5"),
                                                       &options);
        assert_int_equal(dae_hybrid_advance(run, 2), DAE_OK);
        OWNED(dae_system) *sys = system_at_start("pendulum", forms[f], 0, u);
        const int n = dae_system_size(sys);
        assert_int_equal(dae_hybrid_size(run, 0), n);
        const dae_statistics count = solve_to(sys, "radau5", &options, 2, u);
        assert_int_equal(dae_hybrid_statistics(run).steps, count.steps);
        assert_memory_equal(dae_hybrid_unknowns(run), u, (size_t)n * sizeof *u);
    }
}

/* In minimal coordinates the tolerances are those of the coordinates, of each mode. */
TEST(minimal_coordinates)
{
    dae_hybrid *run[2];
    double atols[MOST_UNKNOWNS];
    for (int i = 0; i < MOST_UNKNOWNS; i++)
        atols[i] = 1e-9;
    for (int k = 0; k < 2; k++) {
        dae_options options = tolerance(1e-9);
        options.atols = k ? atols : NULL;
        run[k] = started_hybrid(problem_named("string_pendulum"), "ode", NULL, dae_find_method("dop853"), &options);
        dae_hybrid_advance(run[k], 3);
    }
    assert_true(dae_hybrid_events(run[0]) > 1);
    assert_int_equal(dae_hybrid_events(run[0]), dae_hybrid_events(run[1]));
    for (int i = 0; i < dae_hybrid_events(run[0]); i++)
        assert_close(dae_hybrid_event(run[0], i).t, dae_hybrid_event(run[1], i).t, 0);
    dae_hybrid_free(run[0]);
    dae_hybrid_free(run[1]);
}

TEST(refused)
{
    static const char *const names[] = {"x", "y", "vx", "vy", "x", "y", "vx", "vy", "N"};
    static const double bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < IN_AIR + ON_FLOOR; i++)
        for (int k = 0; k < 4; k++) {
            double atols[IN_AIR + ON_FLOOR];
            char says[32];
            dae_hybrid *run;
            dae_report why = {0};
            dae_options options = tolerance(1e-6);
            for (int j = 0; j < IN_AIR + ON_FLOOR; j++)
                atols[j] = j == i ? bad[k] : 1e-6;
            options.atols = atols;
            assert_int_equal(create(&run, &ball, NULL, "radau5", &options, &why),
                             DAE_BAD_ARGUMENT);
            snprintf(says, sizeof says, " of %s must be positive", names[i]);
            assert_non_null(strstr(why.message, says));
            assert_null(run);
        }
}

#else
#include "on_floor.h"

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -q[0] - p[FRICTION] * v[0];
    f[1] = -p[Y];
}
#endif
