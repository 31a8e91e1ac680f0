/* test_largest_step.c - options.max_step: no step of any method is longer, in pieces, through events, to the
 * end; and a pulse that steps go past is seen by shorter ones
 *
 *     u' = -u + b(t),  u(0) = 1,  b a hat of area 1, from c - w to c + w
 *     u(10) = e^-10 + e^(c-10) (1 + O(w^2))
 */
#ifndef DAE_PASS
enum { PLACE, WIDTH };
#include <daelab/method.h>
#include <daelab/model.h>

#include "refusals.h"
#include "switching.h"

static const dae_problem pulse = {
    .name = "pulse", .title = "a pulse", .citation = "a test", .equations = "u' = -u + b",
    .variables = "u", .units = "-",
    .parameters = {{"c", 3.1731, "s", "place"}, {"w", 1e-3, "s", "half its width", DAE_POSITIVE}},
    .first_order = {.n = 1, .rhs = DAE_MODEL(pulse)}, .start = DAE_MODEL(start), .t_end = 10};

/* ---- no step is longer ---- */

typedef struct {
    const dae_solver *solver;
    double longest, before;     /* of the steps so far, and of the parts of them that were reported */
    long seen;
} seen_steps;

static int look(void *context, double t, const double *u)
{
    seen_steps *seen = context;
    seen->longest = fmax(seen->longest, t - seen->solver->t_old);
    seen->longest = fmax(seen->longest, t - seen->before);
    seen->before = t;
    seen->seen++;
    return 0;
}

/* In pieces of ten of the largest steps and a tenth of one, to span. */
static void advance_in_pieces(dae_solver *s, double span, double largest, double *u, const char *what)
{
    const double t_end = s->t + span;
    dae_status status = DAE_OK;
    while (!status && s->t + 11 * largest < t_end) {
        status = dae_solver_advance(s, s->t + 10 * largest, u);
        if (!status)
            status = dae_solver_advance(s, s->t + 0.1 * largest, u);
    }
    if (status || dae_solver_advance(s, t_end, u))
        fail_msg("%s: %s", what, dae_solver_report(s)->message);
}

/* The number of steps. */
static long check_run(dae_system *sys, const dae_method *method, double span, double largest,
                      const double *start, const char *what)
{
    const dae_problem *problem = dae_system_problem(sys);
    double u[MOST_UNKNOWNS];
    dae_options o = tolerance(1e-3);
    OWNED(dae_solver) *s = NULL;
    o.max_step = largest;
    if (dae_solver_create(&s, sys, method, &o, NULL))
        return 0;
    seen_steps seen = {.solver = s, .before = problem->t0};
    dae_solver_observe(s, look, &seen);
    if (dae_solver_start(s, problem->t0, start))
        fail_msg("%s: %s", what, dae_solver_report(s)->message);
    advance_in_pieces(s, span, largest, u, what);
    const double rounding = 2e-9 * largest + 8 * DBL_EPSILON * (fabs(problem->t0) + span);
    if (!(seen.longest <= largest + rounding) || seen.seen < (long)(span / largest))
        fail_msg("%s: %ld steps of up to %.17g, and max_step = %.17g", what, seen.seen, seen.longest,
                 largest);
    return seen.seen;
}

static long check_form(const dae_problem *problem, const dae_formulation *form, double span)
{
    double start[MOST_UNKNOWNS];
    char what[128];
    long steps = 0;
    const char *name = dae_formulation_describe(form).name;
    OWNED(dae_system) *sys = system_at_start(problem->name, name, 0, start);
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        snprintf(what, sizeof what, "%s %s %s", problem->name, name, info.name);
        if (info.adaptive)
            steps += check_run(sys, dae_method_at(m), span, span / 61.3, start, what);
    }
    return steps;
}

TEST(test_all_methods)
{
    static const struct { const char *name; double span; } runs[] = {
        {"pendulum", 0.5}, {"slider_crank", 0.01}, {"linear_dae", 0.2}, {"akzo_nobel", 20}, {"kepler", 0.5}};
    long steps = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (int f = 0; dae_formulation_at(f); f++)
            if (dae_formulation_applies(dae_formulation_at(f), problem_named(runs[i].name)))
                steps += check_form(problem_named(runs[i].name), dae_formulation_at(f), runs[i].span);
    assert_true(steps > 61 * 100);
}

/* ---- through events ---- */

typedef struct { double before, longest; } seen_times;

static int look_at_run(void *context, dae_hybrid *run)
{
    seen_times *seen = context;
    const double t = dae_hybrid_time(run);
    seen->longest = fmax(seen->longest, t - seen->before);
    seen->before = t;
    return 0;
}

static void through_events(const char *method)
{
    seen_times seen = {0};
    dae_options o = tolerance(1e-6);
    o.max_step = 0.03;
    double p[MOST_PARAMETERS];
    set_parameter_of("bouncing_ball", "e", 0.95, p);
    OWNED(dae_hybrid) *run = hybrid_of(problem_named("bouncing_ball"), "index1", p, dae_find_method(method), &o);
    dae_hybrid_observe(run, look_at_run, &seen);
    if (dae_hybrid_start(run, 0, NULL) || dae_hybrid_advance(run, 6))
        fail_msg("%s: %s", method, dae_hybrid_report(run)->message);
    assert_true(dae_hybrid_events(run) > 4);
    if (!(seen.longest <= 0.03 * (1 + 1e-8) && seen.longest > 0.02))
        fail_msg("%s: a step of %.17g, and max_step = 0.03", method, seen.longest);
}

TEST(test_events)
{
    for_adaptive_methods(0, through_events);
}

/* ---- a pulse ---- */

/* u(10) less what it is without the pulse, beside what it is with it: 0 or 1. */
static double seen_part(dae_system *sys, const dae_method *method, double largest)
{
    double u[1] = {1};
    OWNED(dae_solver) *s = NULL;
    dae_options o = tolerance(1e-6);
    o.atol = 1e-10;
    o.max_step = largest;
    if (dae_solver_create(&s, sys, method, &o, NULL) || dae_solver_start(s, 0, u)
        || dae_solver_advance(s, 10, u))
        fail_msg("%s: %s", dae_method_describe(method).name, dae_solver_report(s)->message);
    return (u[0] - exp(-10)) / exp(pulse.parameters[PLACE].value - 10);
}

TEST(test_pulse)
{
    int missed = 0, methods = 0;
    OWNED(dae_system) *sys = system_of(&pulse, "native", NULL, NULL);
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        if (!info.adaptive)
            continue;
        const double without = seen_part(sys, dae_method_at(m), 0);
        const double with = seen_part(sys, dae_method_at(m), pulse.parameters[WIDTH].value);
        if (!(fabs(with - 1) < 1e-2))
            fail_msg("%s sees %.6g of the pulse", info.name, with);
        missed += fabs(without) < 0.1;
        methods++;
    }
    assert_true(2 * missed > methods);
}

/* ---- what cannot be ---- */

#define BEND(name, what) static void name(dae_options *o) { what; }
BEND(negative_largest, o->max_step = -1)
BEND(nan_largest, o->max_step = NAN)
BEND(infinite_largest, o->max_step = INFINITY)
BEND(negative_first, o->first_step = -1e-3)
BEND(nan_first, o->first_step = NAN)
BEND(first_beyond, o->first_step = 0.5; o->max_step = 0.25)

TEST(test_refused)
{
    static const struct { void (*bend)(dae_options *o); const char *says; } bent[] = {
        {negative_largest, "max_step = -1 must"}, {nan_largest, "max_step = "},
        {infinite_largest, "max_step = inf"}, {negative_first, "first_step = -0.001"},
        {nan_first, "first_step = "}, {first_beyond, "first_step = 0.5 is longer than max_step = 0.25"}};
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    dae_solver *s;
    dae_report why = {0};
    for (size_t i = 0; i < sizeof bent / sizeof *bent; i++) {
        dae_options o = tolerance(1e-6);
        bent[i].bend(&o);
        expect(dae_solver_create(&s, sys, dae_find_method("radau"), &o, &why), DAE_BAD_ARGUMENT, &why,
               bent[i].says);
    }
    const dae_options fixed = {.step = 0.1, .max_steps = 10, .max_step = 0.2};
    expect(dae_solver_create(&s, sys, dae_find_method("cros"), &fixed, &why), DAE_BAD_ARGUMENT, &why,
           "step = 0.1 fixes them");
}

/* Where it needs more steps than there may be, it is told at once. */
TEST(test_too_many)
{
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    dae_options o = tolerance(1e-6);
    o.max_steps = 100;
    o.max_step = 1e-3;
    OWNED(dae_solver) *s = solver_of(sys, dae_find_method("dopri5"), &o, 0, u);
    const dae_status status = dae_solver_advance(s, 1, u);
    expect(status, DAE_MAX_STEPS, dae_solver_report(s), "1000 steps of 0.001, more than the 100 that there may be");
    assert_int_equal(dae_solver_statistics(s).steps, 0);
    assert_true(dae_solver_time(s) == 0);
    assert_int_equal(dae_solver_advance(s, 0.05, u), DAE_OK);
}

#else
static void FN(start)(const param *p, real *u) { u[0] = 1; }

static void FN(pulse)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[0] + fmax(1 - fabs((t - p[PLACE]) / p[WIDTH]), 0) / p[WIDTH];
}
#endif
