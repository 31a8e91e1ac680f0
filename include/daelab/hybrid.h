/* hybrid.h - events, impacts and changes of mode
 *
 * For programs with event functions, or with problems that have several modes, in C and C++.
 */
#ifndef DAELAB_HYBRID_H
#define DAELAB_HYBRID_H

#include "api.h"
#include "daelab.h"
#include "description.h"
#include "study.h"

DAE_API_BEGIN

/* Event functions g_i(t, u) of a solver. values writes g[count] at (t, u). It returns DAE_OK, or
 * DAE_NOT_FINITE where one of them has no value.
 *
 * After each step the zeros at which g_i changes sign in its direction are located on the dense output, in
 * the order of their times, to a few units in the last place of t. Two zeros of g_i in one step are found if
 * samples inside the step show them. A discontinuous g_i is located where it changes sign. The state at the
 * event is that of a step of the method which ends there (IDA, CVODE: of their dense output). Other
 * functions that have changed sign at this state are events of the same time.
 *
 * Then happened(t, u, fired) is called: fired[i] is -1 (g_i falls through zero at t), 1 (rises), or 0. If it
 * returns 0, integration continues. If it returns 1, dae_solver_advance ends at this t and u with DAE_EVENT,
 * and dae_solver_start must be called before the next step. If that start is at the same t, g_i of these
 * events must leave zero before event i can happen again. */
typedef struct {
    int count;
    const dae_direction *direction;             /* [count] */
    dae_status (*values)(void *context, double t, const double *u, double *g, dae_report *report);
    int (*happened)(void *context, double t, const double *u, const int *fired);
    void *context;
} dae_watch;
/* Before dae_solver_start; *watch is copied, direction is not. DAE_UNSUPPORTED without dense output. */
dae_status dae_solver_watch(dae_solver *solver, const dae_watch *watch);

/* A run of a problem with events and modes, in one formulation, by one method. A problem without modes has a
 * single one. Each mode has a system and a solver. When the mode changes, q and v (or u) are the initial
 * values of the next one; multipliers are computed from them.
 *
 *     dae_hybrid_create(&hybrid, problem, form, NULL, NULL, method, &options, &why);
 *     dae_hybrid_start(hybrid);
 *     dae_hybrid_advance(hybrid, t_end);
 */
typedef struct dae_hybrid dae_hybrid;
dae_status dae_hybrid_create(dae_hybrid **hybrid, const dae_problem *problem,
                             const dae_formulation *form, const double *parameters,
                             const dae_formulation_options *form_options,
                             const dae_method *method, const dae_options *options,
                             dae_report *report);
void dae_hybrid_free(dae_hybrid *hybrid);

/* Set the parameters of all modes, for all later runs. dae_hybrid_start or dae_hybrid_start_at must follow;
 * without it dae_hybrid_advance returns DAE_BAD_ARGUMENT. After a failure the parameters are unchanged. */
dae_status dae_hybrid_set_parameters(dae_hybrid *hybrid, const double *parameters,
                                     dae_report *report);

/* Add a terminal event to all modes: condition(context, t, x) changes sign, with x as in dae_event. To be
 * called before dae_hybrid_start. name is not copied. */
typedef double dae_condition(void *context, double t, const double *x);
dae_status dae_hybrid_stop_where(dae_hybrid *hybrid, const char *name, dae_condition *condition,
                                 void *context, dae_direction direction);

/* start: begin a run in the first mode at the problem's t0 and initial values, made consistent unless
 * as_given is 1 (change as in dae_consistent_start, may be NULL). start_at: begin in the given mode at
 * (t, x), x = (q, v) or u. Parameters are those of dae_hybrid_create or dae_hybrid_set_parameters; changes by
 * actions in an earlier run are undone. */
dae_status dae_hybrid_start(dae_hybrid *hybrid, int as_given, dae_start_change *change);
dae_status dae_hybrid_start_at(dae_hybrid *hybrid, int mode, double t, const double *x);
/* As dae_hybrid_start at t, with values[count] in place of the problem's for which[count] of x. */
dae_status dae_hybrid_start_with(dae_hybrid *hybrid, double t, const int *which, const double *values, int count,
                                 dae_start_change *change);

/* Advance to t_end. DAE_EVENT where a terminal event ended the run earlier; call again to continue.
 * DAE_ACCUMULATION where events accumulate and the problem gives no mode for their limit. dae_hybrid_report
 * has the event and its time. If an action gives a state that is not finite or invalid parameters, or if the
 * state violates the constraints of the new mode (DAE_INCONSISTENT), the run ends at the state before the
 * event, with the mode and parameters it had there. */
dae_status dae_hybrid_advance(dae_hybrid *hybrid, double t_end);

/* Called at the start, after each step, and at an event twice, with the state before and after it. It may
 * call dae_solver_interpolate with dae_hybrid_solver. If it returns not 0, the run ends with DAE_STOPPED. */
typedef int dae_hybrid_observer(void *context, dae_hybrid *hybrid);
void dae_hybrid_observe(dae_hybrid *hybrid, dae_hybrid_observer *observer, void *context);

/* The present point of the run: the mode, its problem, system and solver, t, the unknowns u[n] of the system.
 * state: x := (q, v, lambda) of u, lambda computed from the acceleration level, or x := u. */
int dae_hybrid_mode(const dae_hybrid *hybrid);
int dae_hybrid_modes(const dae_hybrid *hybrid);                 /* how many there are */
const dae_problem *dae_hybrid_problem(const dae_hybrid *hybrid, int mode);
const char *dae_hybrid_mode_name(const dae_hybrid *hybrid, int mode);
dae_system *dae_hybrid_system(const dae_hybrid *hybrid);
dae_system *dae_hybrid_mode_system(const dae_hybrid *hybrid, int mode);         /* of any mode, for its names */
dae_solver *dae_hybrid_solver(const dae_hybrid *hybrid);
double dae_hybrid_time(const dae_hybrid *hybrid);
const double *dae_hybrid_unknowns(const dae_hybrid *hybrid);
const double *dae_hybrid_parameters(const dae_hybrid *hybrid);  /* as actions have left them */
dae_status dae_hybrid_state(dae_hybrid *hybrid, double t, const double *u, double *x);
int dae_hybrid_state_size(const dae_hybrid *hybrid);            /* of x without lambda: 2 nq or n */
int dae_hybrid_size(const dae_hybrid *hybrid, int mode);        /* n, of a mode; 0 where it is none */
int dae_hybrid_most_unknowns(const dae_hybrid *hybrid);         /* of any mode; x fits, too */
dae_statistics dae_hybrid_statistics(const dae_hybrid *hybrid); /* of all modes together */
/* Statistic i of these, and its name: dae_statistic. */
double dae_hybrid_statistic(const dae_hybrid *hybrid, int i, const char **name);
const dae_report *dae_hybrid_report(const dae_hybrid *hybrid);

/* An event of the run. before and after are x[state_size]. Of several events at the same time, each begins
 * with the state after the one before, and the run continues from that after the last. */
typedef struct {
    double t;
    const char *name, *title;   /* of the event, "diode[3]" of an entry for many (problem.h), as long as the
                                   run exists; a condition of the user has no title */
    int number;                 /* k of its entry, 0 where that is for a single event */
    int direction;              /* -1 falling, 1 rising; 0: caused by an action or by entering a mode, or the
                                   limit of an accumulation */
    int from, to;               /* modes before and after */
    int accumulated;            /* 1: the limit of accumulating events */
    const double *before, *after;
    double measure;             /* NaN where the event has none */
    const char *measures, *unit;
} dae_event_record;
int dae_hybrid_events(const dae_hybrid *hybrid);
dae_event_record dae_hybrid_event(const dae_hybrid *hybrid, int i);     /* 0 <= i < events */

/* Does a run pass a state where its constraints lose rank (dae_rank_watch of study.h)? create: after
 * dae_hybrid_start, options as those of the run, which stay where they are; DAE_BAD_ARGUMENT, DAE_NO_MEMORY.
 * observe: a dae_hybrid_observer, to be called at each of its calls. end: *lost is the first state, found = 0
 * where there is none; frees the watch, while the run still exists. DAE_NO_MEMORY. */
typedef struct dae_rank_run dae_rank_run;
dae_status dae_rank_run_create(dae_rank_run **watch, dae_hybrid *hybrid, const dae_options *options,
                               dae_report *report);
int dae_rank_run_observe(void *context, dae_hybrid *hybrid);
dae_status dae_rank_run_end(dae_rank_run *watch, dae_rank_loss *lost, dae_report *report);

DAE_API_END

#endif
