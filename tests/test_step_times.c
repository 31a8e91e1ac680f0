/* test_step_times.c - the size of a step is the difference of its times, wherever these lie
 *
 * Fast problems long after t = 0, where t + h is rounded; fixed steps that do not divide their interval, by any part
 * of a step.
 */
#ifndef DAE_PASS
enum { PERIOD };
#include <daelab/model.h>

#include "support.h"
#include "switching.h"

static void line_start(const double *p, double *u) { }

static const dae_problem swing = {                      /* u = cos t/T, v = -sin t/T */
    .name = "swing", .variables = "u v", .units = "- -", .start = {start_one}, .t_end = 100,
    .parameters = {{"T", 1, "s", "time of change", DAE_POSITIVE}},
    .first_order = {.n = 2, .rhs = DAE_MODEL(swing)}};
static const dae_problem line = {                       /* u = t, v = t^3 */
    .name = "line", .variables = "u v", .units = "- -", .start = {line_start}, .t_end = 1,
    .parameters = {{"T", 1, "s", "time of change", DAE_POSITIVE}},
    .first_order = {.n = 2, .rhs = DAE_MODEL(line)}};

/* Of the end of the run from t0 over ten units T of time, in tolerances. */
static double error_from(double t0, double T, const dae_method *method)
{
    dae_problem later = swing;
    dae_options o = tolerance(1e-7);
    double u[MOST_UNKNOWNS];
    later.t0 = t0;
    later.t_end = t0 + 10 * T;
    OWNED(dae_system) *sys = system_of(&later, "native", &T, u);
    solve_to(sys, dae_method_describe(method).name, &o, later.t_end, u);
    const double x = (later.t_end - t0) / T;
    return fmax(fabs(u[0] - cos(x)), fabs(u[1] + sin(x))) / o.rtol;
}

/* The time of the end is rounded, too: eps t/T. */
TEST(test_late)
{
    static const double t0[] = {1000, 1e9}, T[] = {1e-6, 1};
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        for (int k = 0; k < 2 && info.adaptive && (info.order[0][DAE_DIFFERENTIAL] != 1); k++) {
            const double home = error_from(0, T[k], dae_method_at(m));
            const double late = error_from(t0[k], T[k], dae_method_at(m));
            if (!(late <= 2 * home + 3))
                fail_msg("%s: %g tolerances off from t = 0, %g from t = %g", info.name, home, late, t0[k]);
        }
    }
}

/* What a step below 1e-9 of h is left over for belongs to the last step. */
TEST(test_remainder)
{
    static const double steps[] = {0.4999999998, 0.5000000002, 0.3333333332, 0.33333333323, 0.3, 0.7};
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        for (size_t k = 0; k < sizeof steps / sizeof *steps && info.fixed; k++) {
            double u[MOST_UNKNOWNS];
            dae_options o = dae_default_options();
            OWNED(dae_system) *sys = system_of(&line, "native", NULL, u);
            o.step = steps[k];
            const dae_statistics count = solve_to(sys, info.name, &o, 1, u);
            assert_int_equal(count.steps, (long)ceil(1 / steps[k] - 1e-9));
            if (fabs(u[0] - 1) > 1e-13)
                fail_msg("%s, step %.10g: u = t ends at 1 + %g", info.name, steps[k], u[0] - 1);
        }
    }
}

/* ---- constraints ------------------------------------------------------------------------------ */

/* Of positions and velocities, or of the multiplier, of the pendulum at t = 1 by steps of size h. */
static void errors(const char *form, const char *method, double h, double *x)
{
    double u[MOST_UNKNOWNS], exact[MOST_UNKNOWNS];
    dae_options o = tolerance(1e-12);
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, exact);
    solve_to(sys, "radau", &o, 1, exact);
    dae_system_free(sys);
    sys = system_at_start("pendulum", form, 0, u);
    o = dae_default_options();
    o.step = h;
    solve_to(sys, method, &o, 1, u);
    x[0] = distance(u, exact, 4);
    x[1] = fabs(u[4] - exact[4]);
}

/* The last steps leave no more than others do, whatever part of a step the interval has over. */
TEST(test_parts)
{
    static const double over[] = {1e-8, 1e-6, 1e-4, 1e-2, 0.1, 0.3, 0.5};
    static const char *const forms[] = {"index2", "index3"};
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        for (int f = 0; f < 2 && info.fixed && info.implicit && info.order[3][DAE_POSITION] != 0; f++) {
            double whole[2], part[2];
            errors(forms[f], info.name, 0.01, whole);
            for (size_t k = 0; k < sizeof over / sizeof *over; k++) {
                errors(forms[f], info.name, 1 / (100 + over[k]), part);
                if (!(part[0] <= 2 * whole[0] + 1e-10 && part[1] <= 3 * whole[1] + 1e-5))
                    fail_msg("%s %s, %g of a step over: errors %g, multiplier %g; of none %g, %g", forms[f], info.name,
                             over[k], part[0], part[1], whole[0], whole[1]);
            }
        }
    }
}

/* ---- the first step --------------------------------------------------------------------------- */

/* Options.first_step: the first step of every start, where the error test lets it pass */

typedef struct { double t[3]; int count; } first_times;

static int note(void *context, double t, const double *u)
{
    first_times *times = context;
    if (times->count < 3)
        times->t[times->count++] = t;
    return 0;
}

static dae_solver *timed_solver(dae_system *sys, const dae_method *method, double first, first_times *times)
{
    dae_options o = tolerance(1e-6);
    o.first_step = first;
    dae_solver *s = solver_of(sys, method, &o, 0, NULL);
    dae_solver_observe(s, note, times);
    return s;
}

/* The first of a run, and of the next; then the method chooses. */
static void check_small(dae_system *sys, const dae_method *method, const double *start)
{
    const char *name = dae_method_describe(method).name;
    const double first = 3.7e-5;
    double u[MOST_UNKNOWNS];
    first_times times = {.count = 0};
    OWNED(dae_solver) *s = timed_solver(sys, method, first, &times);
    for (int k = 0; k < 2; k++) {
        times.count = 0;
        if (dae_solver_start(s, 0, start) || dae_solver_advance(s, 0.5, u))
            fail_msg("%s: %s", name, dae_solver_report(s)->message);
        if (!(fabs(times.t[0] - first) <= 1e-12 * first) || !(times.t[2] - times.t[1] > first))
            fail_msg("%s: steps to %.17g, .. %.17g, and first_step = %g", name, times.t[0], times.t[2],
                     first);
    }
}

/* One that is far too long is undone, and the end as good as without. */
static void check_long(dae_system *sys, const dae_method *method, const double *start)
{
    const char *name = dae_method_describe(method).name;
    double u[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
    first_times times = {.count = 0};
    const dae_options tight = tolerance(1e-11);
    memcpy(v, start, sizeof v);
    solve_to(sys, "radau", &tight, 2, v);
    OWNED(dae_solver) *s = timed_solver(sys, method, 2, &times);
    if (dae_solver_start(s, 0, start) || dae_solver_advance(s, 2, u))
        fail_msg("%s: %s", name, dae_solver_report(s)->message);
    if (!(times.t[0] < 1.9) || !(distance(u, v, 4) < 1e-2))
        fail_msg("%s: a first step of %g, and off by %g at the end", name, times.t[0], distance(u, v, 4));
}

TEST(test_methods)
{
    int methods = 0;
    for (int m = 0; dae_method_at(m); m++) {
        double start[MOST_UNKNOWNS];
        if (!dae_method_describe(dae_method_at(m)).adaptive)
            continue;
        OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, start);
        if (method_solves(sys, dae_method_at(m))) {
            check_small(sys, dae_method_at(m), start);
            check_long(sys, dae_method_at(m), start);
            methods++;
        }
        dae_system_free(sys);
        sys = system_at_start("kepler", "native", 0, start);
        if (method_solves(sys, dae_method_at(m)))
            check_small(sys, dae_method_at(m), start);
    }
    assert_true(methods >= 8);
}

/* ---- after events ---- */

typedef struct { double t, shortest; int after; } event_times;

/* The first step behind each event. */
static int look(void *context, dae_hybrid *run)
{
    event_times *seen = context;
    const double t = dae_hybrid_time(run), h = t - seen->t;
    if (seen->after && h > 0) {
        seen->shortest = fmin(seen->shortest, h);
        seen->after = 0;
    }
    seen->after |= seen->t == t && dae_hybrid_events(run) > 0;
    seen->t = t;
    return 0;
}

static double after_event(const char *method, double first)
{
    event_times seen = {.shortest = INFINITY};
    dae_options o = tolerance(1e-6);
    o.first_step = first;
    OWNED(dae_hybrid) *run = hybrid_of(problem_named("bouncing_ball"), "index1", NULL, dae_find_method(method), &o);
    dae_hybrid_observe(run, look, &seen);
    if (dae_hybrid_start(run, 0, NULL) || dae_hybrid_advance(run, 0.6))
        fail_msg("%s: %s", method, dae_hybrid_report(run)->message);
    assert_int_equal(dae_hybrid_events(run), 1);
    return seen.shortest;
}

TEST(test_events)
{
    static const char *const methods[] = {"dopri5", "dop853", "radau", "cros", "excros", "auto", "rodas4"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const double h = after_event(methods[i], 2e-7);
        if (!(fabs(h - 2e-7) < 1e-14))
            fail_msg("%s: a step of %.17g after an event, and first_step = 2e-7", methods[i], h);
    }
}

/* One that t has no digits for is made longer. */
TEST(test_far_from_zero)
{
    double u[MOST_UNKNOWNS];
    first_times times = {.count = 0};
    OWNED(dae_system) *sys = system_at_start("kepler", "native", 0, u);
    OWNED(dae_solver) *s = timed_solver(sys, dae_find_method("dopri5"), 1e-14, &times);
    assert_int_equal(dae_solver_start(s, 1e6, u), DAE_OK);
    assert_int_equal(dae_solver_advance(s, 1e6 + 1, u), DAE_OK);
    assert_true(times.t[0] > 1e6 && times.t[0] < 1e6 + 1e-7);
}

#else

static void FN(swing)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1] / p[PERIOD];
    F[1] = -u[0] / p[PERIOD];
}
static void FN(line)(const param *p, real t, const real *u, real *F)
{
    F[0] = 1;
    F[1] = 3 * t * t;
}

#endif
