/* support.h - what the tests share: the tables, and running a solver in one call */
#ifndef DAELAB_TEST_SUPPORT_H
#define DAELAB_TEST_SUPPORT_H

#include "testing.h"

#include <daelab/check.h>
#include <daelab/daelab.h>
#include <daelab/event_reference.h>
#include <daelab/hybrid.h>
#include <daelab/quad_reference.h>
#include <daelab/reference.h>
#include <daelab/rows.h>
#include <daelab/study.h>
#include <problems.h>

enum { MOST_UNKNOWNS = 256, MOST_PARAMETERS = 64 };        /* of the problems of the table */

/* AddressSanitizer has a malloc of its own. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#endif

OWNED_BY_POINTER(dae_system)
OWNED_BY_POINTER(dae_solver)
OWNED_BY_POINTER(dae_hybrid)
OWNED_BY_POINTER(dae_rows)
OWNED_BY_VALUE(dae_reference)
OWNED_BY_VALUE(dae_event_reference)
OWNED_BY_VALUE(dae_plain_reference)

static inline dae_options tolerance(double rtol)
{
    dae_options options = dae_default_options();
    options.rtol = options.atol = rtol;
    return options;
}

/* Starts of small models, of which what is not set is 0 */
static inline void start_one(const double *p, double *u) { u[0] = 1; }
static inline void start_ones(const double *p, double *u) { u[0] = u[1] = 1; }
static inline void start_slope(const double *p, double *u) { u[1] = 1; }

/* max |u_i - v_i| */
static inline double distance(const double *u, const double *v, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        const double apart = u[i] > v[i] ? u[i] - v[i] : v[i] - u[i];
        largest = apart > largest ? apart : largest;
    }
    return largest;
}

/* |x - y| <= tolerance, else fail with both values. */
#define assert_close(x, y, tolerance) close_to((x), (y), (tolerance), #x, __FILE__, __LINE__)

static inline void close_to(double x, double y, double tolerance, const char *what,
                            const char *file, int line)
{
    if (x - y <= tolerance && y - x <= tolerance)
        return;
    print_error("%s = %.17g, expected %.17g to %g\n", what, x, y, tolerance);
    _fail(file, line);
}

/* The same of quads, told as doubles */
static inline void assert_near(dae_quad x, dae_quad y, double tolerance)
{
    if (!(dae_quad_fabs(x - y) <= tolerance))
        fail_msg("%.17g and %.17g differ by %.3e, more than %.1e", (double)x, (double)y, (double)(x - y), tolerance);
}

static inline const dae_problem *problem_named(const char *name)
{
    for (int i = 0; dae_problems[i]; i++)
        if (__builtin_strcmp(dae_problems[i]->name, name) == 0)
            return dae_problems[i];
    fail_msg("no problem %s", name);
    return NULL;
}

/* The problem; one made of copies that would have more than 60 unknowns, as it is with four of them. */
static inline const dae_problem *with_few_copies(const dae_problem *problem)
{
    enum { COPIES = 4, LARGE = 60, ASKED = 8 };
    static dae_problem few[ASKED];
    static const dae_problem *of[ASKED];
    const int unknowns = 2 * problem->mechanical.nq + problem->mechanical.nl;
    for (int i = 0; problem->parameters[i].name; i++)
        if (problem->parameters[i].range == DAE_COUNT && problem->parameters[i].value * unknowns > LARGE)
            for (int k = 0; k < ASKED; k++) {
                if (of[k] == problem)
                    return &few[k];
                if (of[k])
                    continue;
                of[k] = problem;
                few[k] = *problem;
                few[k].parameters[i].value = COPIES;
                return &few[k];
            }
    return problem;
}

/* The pendulum at t = 2 and t = 100, in quad precision */
static const double pendulum_at_2[] = {-2.78455740343261398, -4.15285926404791843, -1.44252782029712829,
                                       0.967237574468290827, 8.75119688362091341};
static const double pendulum_at_100[] = {-0.655980968123855157, -4.95678211841707742, 4.29381951763561343,
                                         -0.568244441017956507, 13.4771640752895743};

/* p := the problem's own parameters */
static inline void default_parameters(const dae_problem *problem, double *p)
{
    for (int i = 0; i < dae_parameter_count(problem); i++)
        p[i] = dae_parameter_default(problem, i);
}

/* A system with these parameters (NULL: the problem's own) and, in u unless it is NULL, the problem's start */
static inline dae_system *system_of(const dae_problem *problem, const char *form, const double *p, double *u)
{
    dae_system *sys;
    dae_report why = {0};
    if (dae_system_create(&sys, problem, dae_find_formulation(form), p, NULL, &why)
        || (u && dae_system_start(sys, u, &why)))
        fail_msg("%s %s: %s", problem->name, form, why.message);
    return sys;
}

/* The same with the start made consistent */
static inline dae_system *consistent_system(const dae_problem *problem, const char *form, const double *p, double *u)
{
    dae_system *sys = system_of(problem, form, p, u);
    dae_report why = {0};
    if (dae_consistent_start(sys, problem->t0, u, NULL, &why))
        fail_msg("%s %s: %s", problem->name, form, why.message);
    return sys;
}

/* A system at the problem's start, made consistent unless as_given. */
static inline dae_system *system_at_start(const char *problem, const char *form, int as_given,
                                          double *u)
{
    return (as_given ? system_of : consistent_system)(problem_named(problem), form, NULL, u);
}

/* A solver that starts at u, or has yet to be started where u is NULL */
static inline dae_solver *solver_of(dae_system *sys, const dae_method *method, const dae_options *options, double t0,
                                    const double *u)
{
    dae_solver *solver;
    dae_report why = {0};
    if (dae_solver_create(&solver, sys, method, options, &why))
        fail_msg("%s: %s", dae_method_describe(method).name, why.message);
    if (u && dae_solver_start(solver, t0, u))
        fail_msg("%s: %s", dae_method_describe(method).name, dae_solver_report(solver)->message);
    return solver;
}

/* A run through events, with these parameters (NULL: the problem's own), to be started */
static inline dae_hybrid *hybrid_of(const dae_problem *problem, const char *form, const double *p,
                                    const dae_method *method, const dae_options *options)
{
    dae_hybrid *run;
    dae_report why = {0};
    if (dae_hybrid_create(&run, problem, dae_find_formulation(form), p, NULL, method, options, &why))
        fail_msg("%s %s, %s: %s", problem->name, form, dae_method_describe(method).name, why.message);
    return run;
}

/* The same from t = 0 and the problem's start on */
static inline dae_hybrid *started_hybrid(const dae_problem *problem, const char *form, const double *p,
                                         const dae_method *method, const dae_options *options)
{
    dae_hybrid *run = hybrid_of(problem, form, p, method, options);
    if (dae_hybrid_start(run, 0, NULL))
        fail_msg("%s %s: %s", problem->name, form, dae_hybrid_report(run)->message);
    return run;
}

/* 0 where a method does not solve systems of this kind, and says so. */
static inline int method_solves(dae_system *sys, const dae_method *method)
{
    dae_options options = tolerance(1e-4);
    OWNED(dae_solver) *solver = NULL;
    if (!dae_method_describe(method).adaptive)
        options.step = 1e-3;
    const dae_status status = dae_solver_create(&solver, sys, method, &options, NULL);
    return status != DAE_UNSUPPORTED;
}

/* The pendulum in a form that a method solves: with its constraint, or in minimal coordinates. */
static inline dae_system *pendulum_for(const dae_method *method, double *u)
{
    dae_system *sys = system_at_start("pendulum", "index1", 0, u);
    if (method_solves(sys, method))
        return sys;
    dae_system_free(sys);
    return system_at_start("pendulum", "ode", 0, u);
}

/* From t = 0 and the problem's start to t_end */
static inline dae_status hybrid_to(dae_hybrid *run, double t_end)
{
    const dae_status status = dae_hybrid_start(run, 0, NULL);
    return status ? status : dae_hybrid_advance(run, t_end);
}

/* A run from t = 0 and the problem's start to t_end that ends with this status */
static inline dae_hybrid *hybrid_ending(const dae_problem *problem, const char *form, const double *p,
                                        const char *method, const dae_options *options, double t_end, dae_status ends)
{
    dae_hybrid *run = hybrid_of(problem, form, p, dae_find_method(method), options);
    const dae_status status = hybrid_to(run, t_end);
    if (status != ends)
        fail_msg("%s %s %s: %s at t = %.17g: %s", problem->name, form, method, dae_status_name(status),
                 dae_hybrid_time(run), dae_hybrid_report(run)->message);
    return run;
}

/* What a check of the record finds first; a finding that has not failed: nothing */
static inline dae_finding first_failure(const dae_problem *problem, int quick)
{
    enum { MOST_FOUND = 32 };
    dae_finding found[MOST_FOUND];
    int count = 0;
    const dae_check_options how = {.quick = quick};
    assert_int_equal(dae_check_model(problem, NULL, NULL, &how, found, MOST_FOUND, &count, NULL), DAE_OK);
    for (int i = 0; i < count; i++)
        if (found[i].failed)
            return found[i];
    return (dae_finding){.t = NAN};
}

/* A start of sys in quad precision: u of a first-order problem, else (q, v) */
typedef struct { dae_quad u[MOST_UNKNOWNS]; } quad_state;
static inline quad_state start_in_quad(const dae_system *sys, const double *u)
{
    const int nq = dae_system_positions(sys);
    quad_state state = {{0}};
    for (int i = 0; i < (nq ? 2 * nq : dae_system_size(sys)); i++)
        state.u[i] = u[i];
    return state;
}

/* The solution from u at these times in quad precision, to be freed */
static inline dae_reference reference_of(dae_system *sys, const double *u, const double *times, int count)
{
    dae_reference reference;
    dae_report why = {0};
    if (dae_reference_solve(&reference, sys, dae_system_problem(sys)->t0, u, times, count, &why))
        fail_msg("%s: %s", dae_system_problem(sys)->name, why.message);
    return reference;
}

/* Solve to t_end where that is possible; the end state in u, and what is said in why. */
static inline dae_status try_to(dae_system *sys, const char *method, const dae_options *options, double t_end,
                                double *u, dae_report *why)
{
    OWNED(dae_solver) *solver = NULL;
    dae_status status = dae_solver_create(&solver, sys, dae_find_method(method), options, why);
    if (!status) {
        status = dae_solver_start(solver, dae_system_problem(sys)->t0, u);
        if (!status)
            status = dae_solver_advance(solver, t_end, u);
        *why = *dae_solver_report(solver);
    }
    return status;
}

/* Solve to t_end; the end state in u. Fails the test where the library fails. */
static inline dae_statistics solve_to(dae_system *sys, const char *method,
                                      const dae_options *options, double t_end, double *u)
{
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), options, dae_system_problem(sys)->t0, u);
    if (dae_solver_advance(solver, t_end, u))
        fail_msg("%s: %s", method, dae_solver_report(solver)->message);
    return dae_solver_statistics(solver);
}

#endif
