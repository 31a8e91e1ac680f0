/* hybrid.h - data of a hybrid run: a system and a solver for each mode, and the list of events */
#ifndef DAE_HYBRID_H
#define DAE_HYBRID_H

#include "system/system.h"

#include "events/watch.h"

enum { DAE_MAX_CONDITIONS = 8, DAE_MAX_CASCADE = 100 };

typedef struct {
    const char *name;
    dae_condition *value;
    void *context;
    dae_direction direction;
} dae_stop_condition;

/* Data to detect that the times t_n of one event accumulate (Zeno behaviour, recurrence.c). */
typedef struct {
    double last, interval;              /* t_n, t_n - t_(n-1) */
    double first;                       /* the time from which on the intervals have decreased */
    int shrinking;                      /* number of successive intervals smaller than the one before */
    int at_once;                        /* number of successive events at the same t */
    int record;                         /* index of the last event in happening[]; -1: none */
    double least_error;                 /* smallest error of an extrapolated limit, relative to the
                                           tolerance; 0: no limit yet */
    int best, best_cycles;              /* the event and the number of cycles of that limit */
} dae_recurrence;

/* One event: number k of an entry of the record. Texts are the entry's, or "name[k]". */
typedef struct {
    const dae_event *entry;
    int k;
    const char *name, *title;
} dae_numbered_event;

typedef struct {
    dae_problem problem;        /* of the mode; what its record leaves out is taken from the whole problem */
    const char *name;
    int n;                      /* unknowns */
    int events, count;          /* number of events; the same with the conditions of dae_hybrid_stop_where */
    dae_numbered_event *event;  /* [events] */
    char *texts;                /* their names and titles */
    dae_system *sys;
    dae_solver *solver;
    const double *atols;        /* [n] of the options, or NULL */
    dae_direction *direction;   /* [count] */
    dae_recurrence *recurrence; /* [count] */
} dae_mode;

typedef struct {
    double t, measure;
    double speed;               /* of an impact: |dg/dt| before it; else 0 */
    int event, direction, from, to, accumulated;        /* event: number in the mode from */
    int previous;               /* index of the previous occurrence of the same event; -1: none */
    int group, round;           /* those of one group happen at one time, and act in rounds 0, 1, ... of it */
} dae_happening;

/* Value of fired[i] for an event whose function changed sign by the action of another event, or is past
 * zero when its mode is entered, and not by the motion. */
enum { DAE_FOLLOWS = 2 };

struct dae_hybrid_sensitivity;

/* When the sensitivities of a run are asked to follow it: at its start, before its first events; before and after each
 * round of events; when the solver goes on after them. */
typedef enum { DAE_RUN_BEGINS, DAE_BEFORE_ROUND, DAE_AFTER_ROUND, DAE_RUN_GOES_ON } dae_hybrid_moment;

struct dae_hybrid {
    const dae_problem *problem;
    const dae_formulation *form;
    const dae_method *method;
    dae_formulation_options form_options;
    dae_options options;
    int modes, now;             /* number of modes; the present mode */
    dae_mode *mode;             /* [modes] */
    dae_stop_condition stop[DAE_MAX_CONDITIONS];
    int stops;
    int parameters;             /* how many values; of each of the next: */
    double *p, *acted;          /* those of the run; the copy that an action reads, with the user's data */
    double *p_new, *p_start;    /* those that actions write; those at the start of every run */
    double *p_kept, *p_tried;   /* a copy of p, for dae_hybrid_place; those of an action that is only tried */
    int complete;               /* 1: the systems and solvers of all modes exist, with parameters p */
    int size, most;             /* size of (q, v) or u; largest size of u or x = (q, v, lambda) in any mode */
    double t, *u;               /* [most] */
    double *kept;               /* [most] copy of u, for dae_hybrid_place */
    double t_end;               /* of this call of dae_hybrid_advance */
    double *least, *largest;    /* [size] smallest and largest value of each component in this run */
    int moved;                  /* least, largest hold 0: nothing; 1: the start; 2: steps as well */
    double *entry;              /* [5 most] work array of entry.c */
    double *tolerated;          /* [most] absolute tolerances of x (tolerance.c), then [2 most] work array */
    double *atols;              /* [unknowns of all modes] options.atols of each mode; or NULL */
    double *named;              /* the same from options.atol_of, until the run is there; or NULL */
    double *x, *state, *v;      /* [most] work array of values; the state that actions change; work array */
    double *sized, t_sized;     /* [size] the largest that the next have been at t_sized */
    double *unit, *rate;        /* [most] magnitudes of the unknowns; their derivatives */
    double *g, *g_new, *noise;  /* [largest count] event functions before and after a round, and their
                                   rounding errors; g_new has twice the length */
    double *stopped, *near;     /* [largest count] as in events/watcher.h */
    int *fired, *next, *done;   /* [largest count] events of this round, of the next, and of all rounds at
                                   this time: -1 falling, 1 rising, DAE_FOLLOWS, 0 none */
    int *waiting, *carried;     /* [largest count] watcher->pending, ->carried when an event ended the solver's run */
    double reach, *motion;      /* watcher->reach, ->motion[most] then */
    int *turned;                /* [largest count] of contacts that have acted at t_turned: the direction in which
                                   they were approached, else 0 (impacts.c) */
    double t_turned, *fastest;  /* [largest count] the largest speed with which they were approached then */
    void *memory;               /* of the arrays above */
    int violated;               /* a contact that the last step has passed without its event; -1: none */
    int busy;                   /* 1: in a call of start, advance or set_parameters (calls.c) */
    int started;                /* 1: the solver of the present mode has been started */
    const double *seen;         /* [n] the unknowns that dae_hybrid_unknowns returns */
    dae_happening *happening;   /* [room] */
    double *states;             /* [room x 2 size] x before and after each event */
    int happenings, room;
    int group, round;           /* of the next of them */
    long events_in_call;
    dae_hybrid_observer *observer;
    void *observer_context;
    /* first: number of the first event of the round, or of all of them at this time. NULL: there are none */
    void (*vary)(struct dae_hybrid_sensitivity *sensitivity, dae_hybrid_moment moment, int first);
    struct dae_hybrid_sensitivity *sensitivity;
    int begins_as_given, begins_at_start;       /* the start of the run: not made consistent; the problem's own */
    dae_statistics total;       /* counts of all solvers up to the last restart */
    dae_report report;
};

/* A saved point of a run; its u is in h->kept, its parameters are in h->p_kept. */
typedef struct {
    int now, happenings;
    double t;
} dae_hybrid_place;

/* ---- calls.c: DAE_BAD_ARGUMENT where the run is in a call already. Then the functions of hybrid.h without this check
 * (hybrid.c) */

dae_status dae_hybrid_check_who_calls(dae_hybrid *h, const char *name, dae_report *report);
dae_status dae_run_start(dae_hybrid *h, int as_given, dae_start_change *change);
dae_status dae_run_start_at(dae_hybrid *h, int mode, double t, const double *x);
dae_status dae_run_advance(dae_hybrid *h, double t_end);
dae_status dae_run_set_parameters(dae_hybrid *h, const double *parameters);

/* ---- numbered.c */

/* List the events of a mode, of so many copies. */
dae_status dae_hybrid_list_events(dae_mode *mode, int copies, dae_report *report);

/* ---- create.c: systems and solvers of all modes, with parameters h->p */

/* *mode := mode m of the problem, completed by what its record leaves to the problem. */
void dae_complete_mode(const dae_problem *problem, int m, dae_problem *mode);

dae_status dae_hybrid_create_systems(dae_hybrid *h, dae_report *report);
/* Set the parameters h->p in the existing systems and solvers. Results are the same bits as with new ones. */
dae_status dae_hybrid_renew_systems(dae_hybrid *h, dae_report *report);
/* 1 where all systems and solvers exist and have these parameters. */
int dae_hybrid_has_parameters(const dae_hybrid *h, const double *p);
void dae_hybrid_free_systems(dae_hybrid *h);

/* ---- hybrid.c: change between u and x; modes */

/* Enter mode at (t, x): h->u := consistent values of its unknowns. DAE_INCONSISTENT where x violates the
 * constraints of the mode by more than dae_hybrid_check_entry allows. because: the event, for the report. */
dae_status dae_hybrid_enter(dae_hybrid *h, int mode, double t, const double *x,
                            const char *because);
/* Start the solver of the present mode at (t, u). ignore[i] != 0: event i has just happened here and must
 * leave zero before it can happen again. ignore may be NULL. */
dae_status dae_hybrid_restart(dae_hybrid *h, const int *ignore);
/* Save the point where the run is; go back to it after a failure, with the report of that failure. */
dae_hybrid_place dae_hybrid_keep(dae_hybrid *h);
void dae_hybrid_return(dae_hybrid *h, const dae_hybrid_place *place);
/* p := p_new, in all systems and solvers. */
dae_status dae_hybrid_change_parameters(dae_hybrid *h);

/* ---- tolerance.c */

/* h->tolerated[size] := absolute tolerances of x = (q, v) or u, from those of the modes' unknowns */
void dae_hybrid_tolerate(dae_hybrid *h);

/* ---- entry.c: check that a state can enter a mode */

/* Update least and largest with x[size], or with the unknowns u of the present mode after a step. */
void dae_hybrid_measure(dae_hybrid *h, const double *x);
void dae_hybrid_measure_step(dae_hybrid *h, double t, const double *u);
/* h->u are the consistent values computed from x. DAE_INCONSISTENT where x violates the constraints of the
 * present mode by more than the errors of the run explain. */
dae_status dae_hybrid_check_entry(dae_hybrid *h, const double *x, const char *because);

/* ---- events.c: actions of events */

/* Callbacks of dae_watch; context is the dae_hybrid. */
dae_status dae_hybrid_values(void *context, double t, const double *u, double *g,
                             dae_report *report);
int dae_hybrid_happened(void *context, double t, const double *u, const int *fired);
/* Events h->fired have ended the solver's run at (h->t, h->u): carry out their actions and changes of mode,
 * and those of events that these cause. */
dae_status dae_hybrid_act(dae_hybrid *h);
/* At the start of a run: the same for events that change the mode and whose function is already past zero. */
dae_status dae_hybrid_settle(dae_hybrid *h);

/* Function i of the present mode at x. */
double dae_hybrid_value(const dae_hybrid *h, int i, double t, const double *x);

/* ---- impacts.c: impacts at one instant, in the present mode at h->t */

/* dg_i/dt at x, times the direction way; 0 where it does not show. */
double dae_hybrid_approach(dae_hybrid *h, int i, int way, const double *x);
/* 1 where event i is a contact, and the actions before it have left it nothing to turn. */
int dae_hybrid_is_turned_away(dae_hybrid *h, int i, int way);
/* 1 where the state approaches contact i, which is at zero (g_i = is), and did not before the event number first, or
 * has acted itself. */
int dae_hybrid_is_approached(dae_hybrid *h, int i, int first, double is, double noise);
/* After a step: an event that is past zero without having happened, and whose action would turn it back; -1: none */
int dae_hybrid_find_violated(dae_hybrid *h, double t, const double *u);
/* 1 where one of the events since number first is an impact: their speeds bound how many there are. */
int dae_hybrid_has_impacts(const dae_hybrid *h, int first);
/* x[size] := the limit of the impacts since number first; returns the length of their cycle, 0 where there is none. */
int dae_hybrid_collapses(const dae_hybrid *h, int first, double *x);

/* ---- recurrence.c: accumulation of events (Zeno behaviour) */

void dae_recurrence_reset(dae_hybrid *h);
/* Event i of the present mode has happened at t and is the last one in happening[]. */
void dae_recurrence_note(dae_hybrid *h, int i, double t);
/* 1 where the times of event i accumulate. Then *limit is the limit of the times, and x[size] that of the
 * states after the events. */
int dae_recurrence_accumulates(dae_hybrid *h, int i, double *limit, double *x);
/* 1 where event j of mode m belongs to the same cycle as event i of the present mode, and its intervals
 * decrease as well. */
int dae_recurrence_in_cycle(const dae_hybrid *h, int m, int j, int i);
/* 1 where event i, not noted yet, follows its last occurrence after a time too short to resolve. *limit, x
 * as in dae_recurrence_accumulates, or the last event and its state where no limit can be extrapolated. */
int dae_recurrence_unresolved(const dae_hybrid *h, int i, double *limit, double *x);

#endif
