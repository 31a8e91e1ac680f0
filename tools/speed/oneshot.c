/* oneshot.c - what a single run costs beside its solution: system, consistent start, solver, and freeing them
 *
 * The pendulum in index 1 with rtol 1e-6, for an implicit and an explicit method. The first subject is the solution
 * alone, by a solver that is there; the others are parts, and the whole from nothing to nothing. One more start is one
 * whose position has to be found. The whole arrives at the state of the solution alone, to the last bit.
 */
#include "rounds.h"
#include "yardsticks.h"

#include <daelab/daelab.h>
#include <daelab/study.h>

#include <stdio.h>
#include <string.h>

enum { N = 5 };
static const double RTOL = 1e-6, SHIFT = 1e-3;

typedef struct {
    const dae_problem *problem;
    const char *method;
    dae_options options;
    dae_system *sys;            /* that of the solution alone, and its solver */
    dae_solver *solver;
    double start[N], end[N];    /* end: where the last run came to */
} oneshot;

static int create_system(const oneshot *o, dae_system **sys)
{
    return dae_system_create(sys, o->problem, dae_find_formulation("index1"), NULL, NULL, NULL) == DAE_OK;
}

static int create_solver(const oneshot *o, dae_system *sys, dae_solver **solver)
{
    return dae_solver_create(solver, sys, dae_find_method(o->method), &o->options, NULL) == DAE_OK;
}

static int find_start(const oneshot *o, dae_system *sys, double shift, double *u)
{
    if (dae_system_start(sys, u, NULL))
        return 0;
    u[0] += shift;
    return dae_consistent_start(sys, o->problem->t0, u, NULL, NULL) == DAE_OK;
}

static int solve(oneshot *o, dae_solver *solver, const double *start)
{
    memcpy(o->end, start, sizeof o->end);
    return !dae_solver_start(solver, o->problem->t0, start)
           && !dae_solver_advance(solver, o->problem->t_end, o->end);
}

/* ---- the subjects */

static int run_solution(void *data)
{
    oneshot *o = data;
    return solve(o, o->solver, o->start);
}

static int run_system(void *data)
{
    dae_system *sys = NULL;
    const int good = create_system(data, &sys);
    dae_system_free(sys);
    return good;
}

static int run_start(void *data)
{
    const oneshot *o = data;
    double u[N];
    return find_start(o, o->sys, 0, u);
}

static int run_shifted_start(void *data)
{
    const oneshot *o = data;
    double u[N];
    return find_start(o, o->sys, SHIFT, u);
}

static int run_solver(void *data)
{
    const oneshot *o = data;
    dae_solver *solver = NULL;
    const int good = create_solver(o, o->sys, &solver);
    dae_solver_free(solver);
    return good;
}

static int run_whole(void *data)
{
    oneshot *o = data;
    dae_system *sys = NULL;
    dae_solver *solver = NULL;
    double u[N];
    const int good = create_system(o, &sys) && find_start(o, sys, 0, u) && create_solver(o, sys, &solver)
                     && solve(o, solver, u);
    dae_solver_free(solver);
    dae_system_free(sys);
    return good;
}

/* ---- the measurement */

static int prepare(oneshot *o)
{
    double alone[N];
    if (!create_system(o, &o->sys) || dae_system_size(o->sys) != N || !find_start(o, o->sys, 0, o->start)
        || !create_solver(o, o->sys, &o->solver) || !run_solution(o)) {
        fprintf(stderr, "%s: a run failed\n", o->method);
        return 0;
    }
    memcpy(alone, o->end, sizeof alone);
    if (!run_whole(o) || memcmp(alone, o->end, sizeof alone) != 0) {
        fprintf(stderr, "%s: the same run differs with the solver it has\n", o->method);
        return 0;
    }
    return 1;
}

static int measure(oneshot *o, int rounds)
{
    const speed_subject subjects[] = {
        {"solution alone", o, run_solution}, {"system", o, run_system}, {"start", o, run_start},
        {"start to be found", o, run_shifted_start}, {"solver", o, run_solver}, {"all", o, run_whole}};
    enum { SUBJECTS = sizeof subjects / sizeof *subjects };
    speed_time times[SUBJECTS];
    if (!speed_rounds(SUBJECTS, subjects, rounds, times))
        return 0;
    printf("%s, pendulum, index1, rtol %g\n", o->method, RTOL);
    speed_show(SUBJECTS, subjects, times, 1, NULL);
    return 1;
}

static int run_method(const dae_problem *problem, const char *method, int rounds)
{
    oneshot o = {.problem = problem, .method = method, .options = dae_default_options()};
    o.options.rtol = o.options.atol = RTOL;
    const int good = prepare(&o) && measure(&o, rounds);
    dae_solver_free(o.solver);
    dae_system_free(o.sys);
    return good;
}

int speed_oneshot(int rounds)
{
    const dae_problem *problem = speed_problem("pendulum");
    return problem && run_method(problem, "radau", rounds) && run_method(problem, "dop853", rounds);
}
