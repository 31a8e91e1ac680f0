/* switching.h - what the tests of problems with events and modes share */
#ifndef DAELAB_TEST_SWITCHING_H
#define DAELAB_TEST_SWITCHING_H

#include <daelab/hybrid.h>

#include "support.h"

/* The defaults of a problem with one of them changed (name NULL: none). */
static inline void set_parameter_of(const char *problem, const char *name, double x, double *p)
{
    const dae_problem *record = problem_named(problem);
    for (int i = 0; i < dae_parameter_count(record); i++)
        p[i] = dae_parameter_default(record, i);
    if (name)
        p[dae_parameter_index(record, name)] = x;
}

/* A run that has not started. */
static inline dae_hybrid *hybrid_named(const char *problem, const char *form, const char *method,
                                    const double *p, double tol)
{
    const dae_options options = tolerance(tol);
    return hybrid_of(problem_named(problem), form, p, dae_find_method(method), &options);
}

static inline dae_hybrid *hybrid_run(const char *problem, const char *form, const char *method,
                                     const double *p, double tol, double t_end, dae_status end)
{
    const dae_options options = tolerance(tol);
    return hybrid_ending(problem_named(problem), form, p, method, &options, t_end, end);
}

static inline int solves_constraints(const dae_method *method)
{
    double u[MOST_UNKNOWNS];
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    return method_solves(sys, method);
}

static inline void for_methods(int all, int with_constraints, void (*check)(const char *method))
{
    for (int i = 0; dae_method_at(i); i++) {
        const dae_method_info info = dae_method_describe(dae_method_at(i));
        const double order = info.order[0][DAE_POSITION];
        if (info.adaptive && info.dense_output
            && (all || order == DAE_UNDECLARED || order >= 4)
            && (!with_constraints || solves_constraints(dae_method_at(i))))
            check(info.name);
    }
}

/* Methods that choose their steps and interpolate: all, or those whose order is not known to be
 * below 4. Calls check with the name of each. */
static inline void for_adaptive_methods(int all, void (*check)(const char *method))
{
    for_methods(all, 0, check);
}

/* Those of them that solve systems with constraints, which modes of most problems have. */
static inline void for_dae_methods(int all, void (*check)(const char *method))
{
    for_methods(all, 1, check);
}

static inline int is_named(const dae_event_record *event, const char *name)
{
    return strcmp(event->name, name) == 0;
}

/* |x - y| <= tolerance, else fail and say of which run and event. */
static inline void event_close(const char *method, int i, const char *what, double x, double y,
                               double tol)
{
    if (!(x - y <= tol && y - x <= tol))
        fail_msg("%s, event %d: %s = %.17g, expected %.17g to %g (off by %.2g)", method, i + 1,
                 what, x, y, tol, x - y);
}

#endif
