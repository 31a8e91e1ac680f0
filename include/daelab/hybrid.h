/* hybrid.h - events, impacts and changes of mode
 *
 * For programs that run problems which switch, or watch functions of a solver's state, in C and C++.
 */
#ifndef DAELAB_HYBRID_H
#define DAELAB_HYBRID_H

#include "api.h"
#include "daelab.h"
#include "description.h"
#include "study.h"

DAE_API_BEGIN

/* A solver that watches functions of its state. values writes g[count] at (t, u) and answers
 * DAE_OK, or DAE_NOT_FINITE where one of them has no value.
 *
 * After each step every passage of g_i through zero in its direction is located on the dense output,
 * in the order of their times, to a few units in the last place of t, double roots within the step
 * as far as samples of the step show them; the state there is that of a step of the method that ends
 * there (IDA: of its own root finding). Functions that this state has taken across, too, happen with
 * it; one that jumps is located where it has jumped. Then happened(t, u, fired) is called with the
 * functions that passed zero at t: fired[i] is -1 (falling), 1 (rising), or 0. It answers 0 to go on, or
 * 1: then dae_solver_advance ends at this t and u with DAE_EVENT, and dae_solver_start has to come before
 * the next step. Where it begins at this t, what has happened there waits until it has left zero. */
typedef struct {
    int count;
    const dae_direction *direction;             /* [count] */
    dae_status (*values)(void *context, double t, const double *u, double *g, dae_report *report);
    int (*happened)(void *context, double t, const double *u, const int *fired);
    void *context;
} dae_watch;
/* Before dae_solver_start; *watch is copied, direction is not. DAE_UNSUPPORTED without dense output. */
dae_status dae_solver_watch(dae_solver *solver, const dae_watch *watch);

/* A problem with its events and modes, in one formulation, by one method. A problem without either is
 * one with a single mode and no events. Each mode has a system and a solver of its own; positions
 * and velocities (or u) pass from one to the next, multipliers are solved for on entry.
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

/* dae_system_set_parameters for the systems of all modes and for every run that begins after; a start has
 * to come next, and is asked for where it does not. Where it fails parameters are as they were. */
dae_status dae_hybrid_set_parameters(dae_hybrid *hybrid, const double *parameters,
                                     dae_report *report);

/* One more event of all modes, which stops the run: where condition(context, t, x) passes zero, with x
 * as in dae_event. Before dae_hybrid_start. name is not copied. */
typedef double dae_condition(void *context, double t, const double *x);
dae_status dae_hybrid_stop_where(dae_hybrid *hybrid, const char *name, dae_condition *condition,
                                 void *context, dae_direction direction);

/* Begin in the first mode at the problem's t0 and start, made consistent unless as_given (change as
 * in dae_consistent_start, may be NULL); or in a mode at (t, x) with x = (q, v) or u. Both with the
 * parameters of dae_hybrid_create, or of dae_hybrid_set_parameters, whatever actions of an earlier run
 * have made of them. */
dae_status dae_hybrid_start(dae_hybrid *hybrid, int as_given, dae_start_change *change);
dae_status dae_hybrid_start_at(dae_hybrid *hybrid, int mode, double t, const double *x);

/* Advance to t_end. DAE_EVENT where a terminal event ended the run before, DAE_ACCUMULATION where
 * events accumulate and no mode is entered there; dae_hybrid_report says which and when. After
 * DAE_EVENT it may be called again to go on. Where a mode refuses the state (DAE_INCONSISTENT), or
 * an action makes none, or parameters that cannot be, the run ends at the state before, in the mode
 * and with the parameters that it had. */
dae_status dae_hybrid_advance(dae_hybrid *hybrid, double t_end);

/* Called at the start, after each step, and at an event with the state before and the state after it;
 * between steps dae_solver_interpolate of dae_hybrid_solver works. Not 0: stop with DAE_STOPPED. */
typedef int dae_hybrid_observer(void *context, dae_hybrid *hybrid);
void dae_hybrid_observe(dae_hybrid *hybrid, dae_hybrid_observer *observer, void *context);

/* Where the run is: the mode, its problem, system and solver, t and the unknowns u[n] of that
 * system, and x = (q, v, lambda recovered) or u. */
int dae_hybrid_mode(const dae_hybrid *hybrid);
int dae_hybrid_modes(const dae_hybrid *hybrid);                 /* how many there are */
const dae_problem *dae_hybrid_problem(const dae_hybrid *hybrid, int mode);
const char *dae_hybrid_mode_name(const dae_hybrid *hybrid, int mode);
dae_system *dae_hybrid_system(const dae_hybrid *hybrid);
dae_solver *dae_hybrid_solver(const dae_hybrid *hybrid);
double dae_hybrid_time(const dae_hybrid *hybrid);
const double *dae_hybrid_unknowns(const dae_hybrid *hybrid);
const double *dae_hybrid_parameters(const dae_hybrid *hybrid);  /* as actions have left them */
dae_status dae_hybrid_state(dae_hybrid *hybrid, double t, const double *u, double *x);
int dae_hybrid_state_size(const dae_hybrid *hybrid);            /* of x without lambda: 2 nq or n */
int dae_hybrid_size(const dae_hybrid *hybrid, int mode);        /* n, of a mode; 0 where it is none */
int dae_hybrid_most_unknowns(const dae_hybrid *hybrid);         /* of any mode; x fits, too */
dae_statistics dae_hybrid_statistics(const dae_hybrid *hybrid); /* of all modes together */
const dae_report *dae_hybrid_report(const dae_hybrid *hybrid);

/* An event that has happened. Those of one instant follow one another; before and after are
 * x[state_size] around each, the last one's after is where the run goes on. */
typedef struct {
    double t;
    const char *name, *title;   /* of the event; a condition of the user has no title */
    int direction;              /* -1 fell, 1 rose; 0: by a jump, by entering a mode, or a limit */
    int from, to;               /* modes; to differs for the event that changes it */
    int accumulated;            /* this is the limit of infinitely many */
    const double *before, *after;
    double measure;             /* NaN where the event has none */
    const char *measures, *unit;
} dae_event_record;
int dae_hybrid_events(const dae_hybrid *hybrid);
dae_event_record dae_hybrid_event(const dae_hybrid *hybrid, int i);     /* 0 <= i < events */

DAE_API_END

#endif
