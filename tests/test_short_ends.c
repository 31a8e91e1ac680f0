/* test_short_ends.c - stops, starts and events close behind each other: a pendulum of unit length
 * written as M u' = F of index 2 and 3, whose multiplier a step of size h shows as errors over h, h^2
 */
#ifndef DAE_PASS
#include "support.h"

static int level;
static double kick, kick_at;                /* a force along x from that time on */

static double force_at(double t) { return t < kick_at ? 0 : kick; }

#include <daelab/model.h>

#include "written.h"

/* The tension that position and velocity ask for. */
static double tension(double t, const double *u)
{
    return (u[2] * u[2] + u[3] * u[3] - 9.81 * u[1] + force_at(t) * u[0]) / (u[0] * u[0] + u[1] * u[1]);
}

typedef struct {
    dae_system *sys;
    dae_solver *solver;
} run;

static run begin(const dae_problem *problem, const dae_method *method, double rtol)
{
    run r;
    dae_report why = {0};
    double u[5];
    const dae_options o = tolerance(rtol);
    if (dae_system_create(&r.sys, problem, dae_find_formulation("native"), NULL, NULL, &why)
        || dae_solver_create(&r.solver, r.sys, method, &o, &why))
        fail_msg("%s", why.message);
    written_start(NULL, u);
    assert_int_equal(dae_solver_start(r.solver, 0, u), DAE_OK);
    return r;
}

static void end(run r)
{
    dae_solver_free(r.solver);
    dae_system_free(r.sys);
}

static void advance(run r, double t, double *u)
{
    if (dae_solver_advance(r.solver, t, u))
        fail_msg("%s", dae_solver_report(r.solver)->message);
}

enum { STOPS = 12 };
static double stop_at(int k) { return 0.11 + 0.15 * k; }

static void find_tensions(double later, double *exact)
{
    const dae_problem one = written(1);
    const run r = begin(&one, dae_find_method("radau"), 1e-12);
    double u[5];
    for (int k = 0; k < STOPS; k++) {
        advance(r, stop_at(k) + later, u);
        exact[k] = tension(stop_at(k) + later, u);
    }
    end(r);
}

static double error_of(double T, double exact) { return fabs(T / exact - 1); }

/* The largest errors of T at the stops, and behind each; begun again there or not. */
static void errors(const dae_problem *problem, const dae_method *method, double later, int again,
                   double *at, double *behind, long *steps)
{
    double exact[STOPS], exact_later[STOPS], u[5];
    find_tensions(0, exact);
    find_tensions(later, exact_later);
    level = problem->first_order.index;
    const run r = begin(problem, method, 1e-6);
    *at = *behind = 0;
    for (int k = 0; k < STOPS; k++) {
        advance(r, stop_at(k), u);
        *at = fmax(*at, error_of(u[4], exact[k]));
        if (again)
            assert_int_equal(dae_solver_start(r.solver, stop_at(k), u), DAE_OK);
        if (later > 0)
            advance(r, stop_at(k) + later, u);
        *behind = fmax(*behind, error_of(u[4], exact_later[k]));
    }
    *steps = dae_solver_statistics(r.solver).steps;
    end(r);
}

static void check(int again, int index, double later, const dae_method *method)
{
    const dae_problem problem = written(index);
    const char *name = dae_method_describe(method).name;
    double at, behind;
    long steps;
    errors(&problem, method, later, again, &at, &behind, &steps);
    if (!(behind <= 2 * at + 10 * later + 1e-6))
        fail_msg("index %d, %s: T is off by %.3g, and by %.3g %g behind it%s", index, name, at, behind,
                 later, again ? ", begun again" : "");
}

/* And solves such problems. */
static int chooses_steps(const dae_method *m)
{
    const dae_problem problem = written(2);
    if (!dae_method_describe(m).adaptive || !dae_method_describe(m).implicit)
        return 0;
    OWNED(dae_system) *sys = system_of(&problem, "native", NULL, NULL);
    return method_solves(sys, m);
}

TEST(test_stops)
{
    for (int index = 2; index <= 3; index++)
        for (int m = 0; dae_method_at(m); m++)
            for (double later = 1e-6; chooses_steps(dae_method_at(m)) && later > 1e-13; later /= 1e3)
                check(0, index, later, dae_method_at(m));
}

/* IDA's first steps from a start that holds to a tolerance are what they are. */
TEST(test_starts)
{
    for (int index = 2; index <= 3; index++)
        for (int m = 0; dae_method_at(m); m++)
            for (double later = 1e-6; chooses_steps(dae_method_at(m)) && later > 1e-13; later /= 1e3)
                if (strcmp(dae_method_describe(dae_method_at(m)).name, "ida"))
                    check(1, index, later, dae_method_at(m));
}

/* ---- events ------------------------------------------------------------------------------------ */

static double when;

static dae_status passes(void *context, double t, const double *u, double *g, dae_report *report)
{
    g[0] = t - when;
    return DAE_OK;
}

static int stop(void *context, double t, const double *u, const int *found)
{
    return 1;
}

/* At stops, and at events a little later: in the step that begins at the stop, or in one made longer. */
TEST(test_events)
{
    double exact[STOPS], u[5];
    const dae_direction direction = DAE_ANY;
    const dae_watch watch = {.count = 1, .direction = &direction, .values = passes, .happened = stop};
    for (int index = 2; index <= 3; index++)
        for (int m = 0; dae_method_at(m); m++)
            for (int longer = 0; longer < 2 && chooses_steps(dae_method_at(m)); longer++) {
                const char *name = dae_method_describe(dae_method_at(m)).name;
                double at = 0, behind = 0;
                find_tensions(0, exact);
                const dae_problem problem = written(index);
                const run r = begin(&problem, dae_method_at(m), 1e-6);
                assert_int_equal(dae_solver_watch(r.solver, &watch), DAE_OK);
                for (int k = 0; k < STOPS; k++) {
                    written_start(NULL, u);
                    assert_int_equal(dae_solver_start(r.solver, 0, u), DAE_OK);
                    when = 100;
                    advance(r, stop_at(k), u);
                    at = fmax(at, error_of(u[4], exact[k]));
                    when = stop_at(k) + 1e-9;
                    const double to = longer ? stop_at(k) + 1e-6 : 2;
                    assert_int_equal(dae_solver_advance(r.solver, to, u), DAE_EVENT);
                    assert_close(dae_solver_time(r.solver), when, 1e-12);
                    behind = fmax(behind, error_of(u[4], exact[k]));
                }
                if (at < 0.5 && !(behind <= 2 * at + 1e-5))         /* ten tolerances; of order 0 no digit is right */
                    fail_msg("index %d, %s: T is off by %.3g, and by %.3g at an event behind a stop",
                             index, name, at, behind);
                end(r);
            }
}

/* ---- what is shown ----------------------------------------------------------------------------- */

typedef struct {
    double t;
    int calls;
} seen;

static int watch_time(void *context, double t, const double *u)
{
    seen *s = context;
    s->calls += t > s->t ? 1 : 1000;
    s->t = t;
    return 0;
}

/* A step that is made longer shows its new part alone, and rows of it. */
TEST(test_observer)
{
    const dae_problem problem = written(2);
    for (int m = 0; dae_method_at(m); m++) {
        double u[5], row[5];
        if (!chooses_steps(dae_method_at(m)))
            continue;
        const run r = begin(&problem, dae_method_at(m), 1e-6);
        seen s = {0, 0};
        dae_solver_observe(r.solver, watch_time, &s);
        advance(r, 1, u);
        for (int k = 1; k <= 20; k++) {
            s.calls = 0;
            advance(r, 1 + 1e-5 * k, u);
            assert_int_equal(s.calls, 1);
            assert_true(s.t == 1 + 1e-5 * k);
            assert_int_equal(dae_solver_interpolate(r.solver, 1 + 1e-5 * (k - 0.5), row), DAE_OK);
            assert_close(row[0], u[0] - 5e-6 * u[2], 1e-6);
            assert_close(row[4], u[4], 1e-3 * u[4] + 1e-3);
        }
        end(r);
    }
}

/* A force that sets in at a stop: there T is that before or behind, and behind it the latter. (IDA goes on
 * with what it knows of before.) */
TEST(test_jump)
{
    kick = 30;
    kick_at = 1;
    const dae_problem problem = written(2);
    for (int m = 0; dae_method_at(m); m++) {
        double u[5];
        const char *name = dae_method_describe(dae_method_at(m)).name;
        if (!chooses_steps(dae_method_at(m)))
            continue;
        const run r = begin(&problem, dae_method_at(m), 1e-6);
        advance(r, 1, u);
        const double off = fmin(error_of(u[4], tension(1, u)), error_of(u[4], tension(0, u)));
        advance(r, 1 + 1e-6, u);
        const double behind = error_of(u[4], tension(1 + 1e-6, u));
        if (!(off < 3e-3 && (behind < 3e-3 || !strcmp(name, "ida"))))
            fail_msg("%s: T is off by %.3g at the jump, by %.3g behind it", name, off, behind);
        end(r);
    }
    kick = 0;
}

#else
#include "written.h"
#endif
