/* test_from_within.c - functions that a run calls call the run: refused, and the run is right all the same
 *
 * y' = -y, y(0) = 1, y(1) = 1/e; an event at y = 1/2, whose action leaves the state alone.
 */
#include "support.h"

#include <daelab/problem.h>
#include <daelab/rows.h>

static const double at_the_end = 0.36787944117144233;

typedef enum { FROM_F, FROM_J, FROM_VALUE, FROM_ACTION, FROM_OBSERVER, FROM_CONDITION, PLACES } place;

/* What is called, from where, once in a run; NULL: nothing. */
static struct {
    dae_system *sys;
    dae_solver *solver, *other;         /* other: of the same system */
    dae_hybrid *hybrid;
    place from;
    void (*call)(void);
    int asked;
    dae_status answer;
} now;

static void visit(place from)
{
    if (!now.call || now.from != from || now.asked++)
        return;
    now.call();
}

static void rhs(const double *p, double t, const double *u, double *F)
{
    visit(FROM_F);
    F[0] = -u[0];
}

static void rhs_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    F[0] = -u[0];
}

static void jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    visit(FROM_J);
    J[0] = -1;
}

static double value(const double *p, double t, const double *x, int k)
{
    visit(FROM_VALUE);
    return x[0] - 0.5;
}

static int act(const double *p, double t, double *x, double *p_new, int k)
{
    visit(FROM_ACTION);
    return 0;
}

static double condition(void *context, double t, const double *x)
{
    visit(FROM_CONDITION);
    return x[0] - 2;
}

static int observe(void *context, double t, const double *u)
{
    visit(FROM_OBSERVER);
    return 0;
}

static int observe_run(void *context, dae_hybrid *run)
{
    visit(FROM_OBSERVER);
    return 0;
}

static const dae_event half[] = {{.name = "half", .value = {.f = value}, .action = {.f = act}}, {.name = NULL}};
static const dae_problem decay = {.name = "decay", .variables = "y", .units = "-", .start = {start_one}, .t_end = 1,
    .first_order = {.n = 1, .rhs = {.f = rhs, .dual = rhs_dual}, .jacobian = jacobian}};
static dae_problem halved;

static double state[8] = {1};
static dae_report told;

static void starts(void) { now.answer = dae_solver_start(now.solver, 0, state); }
static void advances(void) { now.answer = dae_solver_advance(now.solver, 0.9, state); }
static void interpolates(void) { now.answer = dae_solver_interpolate(now.solver, 0, state); }
static void starts_other(void) { now.answer = dae_solver_start(now.other, 0, state); }
static void advances_other(void) { now.answer = dae_solver_advance(now.other, 0.9, state); }
static void sets(void) { now.answer = dae_system_set_parameters(now.sys, NULL, &told); }
static void makes_consistent(void) { now.answer = dae_consistent_start(now.sys, 0, state, NULL, &told); }
static void starts_system(void) { now.answer = dae_system_start(now.sys, state, &told); }
static void frees(void) { dae_solver_free(now.solver); }
static void frees_system(void) { dae_system_free(now.sys); }
static void watches(void) { now.answer = dae_solver_watch(now.solver, &(dae_watch){.count = 0}); }
static void creates(void)
{
    dae_solver *made;
    now.answer = dae_solver_create(&made, now.sys, dae_find_method("cros"), NULL, &told);
}

static void starts_run(void) { now.answer = dae_hybrid_start(now.hybrid, 0, NULL); }
static void starts_run_at(void) { now.answer = dae_hybrid_start_at(now.hybrid, 0, 0, state); }
static void advances_run(void) { now.answer = dae_hybrid_advance(now.hybrid, 0.9); }
static void sets_run(void) { now.answer = dae_hybrid_set_parameters(now.hybrid, NULL, &told); }
static void frees_run(void) { dae_hybrid_free(now.hybrid); }
static void starts_its_solver(void) { now.answer = dae_solver_start(dae_hybrid_solver(now.hybrid), 0, state); }
static void advances_its_solver(void) { now.answer = dae_solver_advance(dae_hybrid_solver(now.hybrid), 9, state); }
static void rows_of_run(void)
{
    dae_rows *rows;
    now.answer = dae_hybrid_rows(now.hybrid, 0.9, &(dae_row_places){.inside = 0}, &rows);
    assert_null(rows);
}
static void stops_run(void)
{
    now.answer = dae_hybrid_stop_where(now.hybrid, "late", condition, NULL, DAE_ANY);
}

static dae_options options_of(const char *method)
{
    dae_options options = tolerance(1e-8);
    if (!dae_method_describe(dae_find_method(method)).adaptive)
        options.step = 1.0 / 1024;
    return options;
}

static void is_refused(const char *method, place from, void (*call)(void), dae_status run)
{
    const int is_free = call == frees || call == frees_system || call == frees_run;
    if (now.asked && now.answer == DAE_BAD_ARGUMENT && run == (is_free ? DAE_BAD_ARGUMENT : DAE_OK))
        return;
    if (!now.asked && (from == FROM_J || from == FROM_F))
        return;                         /* a method without this function, or one that takes the dual one */
    fail_msg("%s, place %d: asked %d, answered %d, the run %d", method, (int)from, now.asked, now.answer, (int)run);
}

static void solver_once(const char *method, place from, void (*call)(void))
{
    const dae_options options = options_of(method);
    double u[8];
    now.sys = system_of(&decay, "native", NULL, NULL);
    now.solver = solver_of(now.sys, dae_find_method(method), &options, 0, NULL);
    now.other = solver_of(now.sys, dae_find_method("rk4"), &(dae_options){.step = 0.1, .max_steps = 100}, 0, NULL);
    dae_solver_observe(now.solver, observe, NULL);
    assert_int_equal(dae_solver_start(now.solver, 0, (double[]){1}), DAE_OK);
    now.from = from;
    now.asked = 0;
    now.answer = DAE_BAD_ARGUMENT;
    now.call = call;
    const dae_status status = dae_solver_advance(now.solver, 1, u);
    now.call = NULL;
    is_refused(method, from, call, status);
    assert_close(u[0], at_the_end, 1e-3);
    assert_int_equal(dae_solver_start(now.solver, 0, (double[]){1}), DAE_OK);
    assert_int_equal(dae_solver_advance(now.solver, 1, state), DAE_OK);
    assert_true(state[0] == u[0]);
    dae_solver_free(now.other);
    dae_solver_free(now.solver);
    dae_system_free(now.sys);
}

TEST(test_solver)
{
    static const char *const methods[] = {"radau", "cros", "rodas4", "dop853", "rk4", "ida", "cvode", "auto"};
    void (*const calls[])(void) = {starts, advances, interpolates, starts_other, advances_other, sets, makes_consistent,
                                   starts_system, creates, watches, frees, frees_system};
    void (*const of_observers[])(void) = {starts, advances, watches, frees, frees_system};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
            solver_once(methods[m], FROM_F, calls[c]);
            solver_once(methods[m], FROM_J, calls[c]);
        }
        for (size_t c = 0; c < sizeof of_observers / sizeof *of_observers; c++)
            solver_once(methods[m], FROM_OBSERVER, of_observers[c]);
    }
}

static void run_once(const char *method, place from, void (*call)(void))
{
    const dae_options options = options_of(method);
    halved = decay;
    halved.events = half;
    now.hybrid = hybrid_of(&halved, "native", NULL, dae_find_method(method), &options);
    assert_int_equal(dae_hybrid_stop_where(now.hybrid, "two", condition, NULL, DAE_ANY), DAE_OK);
    dae_hybrid_observe(now.hybrid, observe_run, NULL);
    assert_int_equal(dae_hybrid_start(now.hybrid, 0, NULL), DAE_OK);
    now.from = from;
    now.asked = 0;
    now.answer = DAE_BAD_ARGUMENT;
    now.call = call;
    const dae_status status = dae_hybrid_advance(now.hybrid, 1);
    now.call = NULL;
    is_refused(method, from, call, status);
    assert_close(dae_hybrid_unknowns(now.hybrid)[0], at_the_end, 1e-6);
    assert_int_equal(dae_hybrid_events(now.hybrid), 1);
    dae_hybrid_free(now.hybrid);
}

TEST(test_run)
{
    static const char *const methods[] = {"radau", "ida", "dop853"};
    void (*const calls[])(void) = {starts_run, starts_run_at, advances_run, sets_run, rows_of_run, stops_run,
                                   starts_its_solver, advances_its_solver, frees_run};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
            for (place from = FROM_F; from < PLACES; from++)
                run_once(methods[m], from, calls[c]);
}
