/* hybrid.h - a run through modes: one system and one solver for each, and what has happened */
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

/* The last times of one event, whose intervals may shrink to nothing. */
typedef struct {
    double last, interval;              /* t_n, t_n - t_(n-1) */
    double first;                       /* where the shrinking began */
    int shrinking;                      /* intervals in a row, each smaller than the one before */
    int at_once;                        /* happened so often without t going on */
    int record;                         /* its last record, -1: none */
    double least_error;                 /* of the limits so far, over the tolerance; 0: none is
                                           known */
    int best, best_cycles;              /* the record of that, and cycles it was found over */
} dae_recurrence;

typedef struct {
    dae_problem problem;        /* with what a mode takes from the problem filled in */
    const char *name;
    int n;                      /* unknowns */
    int events, count;          /* events of the mode; with the user's conditions behind them */
    dae_system *sys;
    dae_solver *solver;
    const double *atols;        /* [n] of the options, or NULL */
    dae_direction *direction;   /* [count] */
    dae_recurrence *recurrence; /* [count] */
} dae_mode;

typedef struct {
    double t, measure;
    int event, direction, from, to, accumulated;        /* event: of mode from */
    int previous;               /* record of the same event before; -1: none */
} dae_happening;

/* Of an event that has not passed zero by itself: an action, or the entry to a mode, has taken it there. */
enum { DAE_FOLLOWS = 2 };

struct dae_hybrid {
    const dae_problem *problem;
    const dae_formulation *form;
    const dae_method *method;
    dae_formulation_options form_options;
    dae_options options;
    int modes, now;
    dae_mode *mode;             /* [modes] */
    dae_stop_condition stop[DAE_MAX_CONDITIONS];
    int stops;
    dae_parameters_double block, acted;         /* parameters of the run; what an action reads */
    double *p, *p_new;          /* those of the block; what an action writes */
    double p_start[DAE_MAX_PARAMETERS];         /* those that every run begins with */
    int complete;               /* all systems and solvers are there, for p */
    int size, most;             /* of the state without lambda; unknowns of any mode, or x */
    double t, *u;               /* [most] */
    double *kept;               /* [most] u of a dae_hybrid_place */
    double t_end;               /* of this call of dae_hybrid_advance */
    double *least, *largest;    /* [size] of each unknown of the state in this run; */
    int moved;                  /* 0: not known yet; 1: at the start; 2: in steps, too */
    double *entry;              /* [5 most] scratch of hybrid_entry.c */
    double *tolerated;          /* [most] of hybrid_tolerance.c, and [2 most] its scratch */
    double *atols;              /* [unknowns of all modes] those of the options, where it has
                                   some */
    double *x, *state, *v;      /* [most] scratch of values; the state that events change; a */
    double *unit, *rate;        /* [most] sizes of unknowns, and of their derivatives */
    double *g, *g_new, *noise;  /* [largest count], g_new twice as long */
    double *stopped, *near;     /* [largest count] g where events have stopped the solver; what is
                                   near zero there */
    int *fired, *next, *done;   /* [largest count] of this round, the next, and all at this instant:
                                   -1 fell, 1 rose, DAE_FOLLOWS, or 0 */
    int *waiting;               /* [largest count] behind zero after a flight too short to be
                                   seen */
    double *memory;
    int started;                /* the solver has been started where the run is */
    const double *seen;         /* what an observer is shown */
    dae_happening *happening;   /* [room] */
    double *states;             /* [room x 2 size] before and after each */
    int happenings, room;
    long events_in_call;
    dae_hybrid_observer *observer;
    void *observer_context;
    dae_statistics total;       /* of solvers before their last start */
    dae_report report;
};

/* Where a run is, with u in h->kept. */
typedef struct {
    int now, happenings;
    double t, p[DAE_MAX_PARAMETERS];
} dae_hybrid_place;

/* ---- hybrid_create.c: systems and solvers of all modes, with parameters h->p */

dae_status dae_hybrid_create_systems(dae_hybrid *h, dae_report *report);
/* The same of those that are there, which get parameters h->p: bit for bit as if they were created. */
dae_status dae_hybrid_renew_systems(dae_hybrid *h, dae_report *report);
/* All are there, for these parameters. */
int dae_hybrid_has_parameters(const dae_hybrid *h, const double *p);
void dae_hybrid_free_systems(dae_hybrid *h);

/* ---- hybrid.c: x of u and back */

/* Make (t, x) the state of mode, consistent, into h->u; DAE_INCONSISTENT where x is off its
 * constraints. */
dae_status dae_hybrid_enter(dae_hybrid *h, int mode, double t, const double *x,
                            const char *because);
/* (Re)start the solver of the present mode at (t, u). ignore: events that have just happened; or
 * NULL */
dae_status dae_hybrid_restart(dae_hybrid *h, const int *ignore);
/* What comes next may fail: note where the run is; back to there, with the report as it is. */
dae_hybrid_place dae_hybrid_keep(dae_hybrid *h);
void dae_hybrid_return(dae_hybrid *h, const dae_hybrid_place *place);
/* New parameters: all systems and solvers are made anew. */
dae_status dae_hybrid_change_parameters(dae_hybrid *h);

/* ---- hybrid_tolerance.c */

/* h->tolerated[size] := the absolute tolerances of the state x that modes share, at h->u of the
 * present mode */
void dae_hybrid_tolerate(dae_hybrid *h);

/* ---- hybrid_entry.c: may a state enter a mode? */

/* x[size], and u in the present mode, are among the states of this run. */
void dae_hybrid_measure(dae_hybrid *h, const double *x);
void dae_hybrid_measure_step(dae_hybrid *h, double t, const double *u);
/* h->u was made of x to be consistent with the present mode: DAE_INCONSISTENT where x is farther
 * off its constraints than errors of the run explain. */
dae_status dae_hybrid_check_entry(dae_hybrid *h, const double *x, const char *because);

/* ---- hybrid_events.c: what events do */

/* The functions of dae_watch; context: the dae_hybrid. */
dae_status dae_hybrid_values(void *context, double t, const double *u, double *g,
                             dae_report *report);
int dae_hybrid_happened(void *context, double t, const double *u, const int *fired);
/* Events h->fired have stopped the solver at (h->t, h->u): do what they do, and what follows from
 * it. */
dae_status dae_hybrid_act(dae_hybrid *h);
/* On entry: guards that are past zero happen. */
dae_status dae_hybrid_settle(dae_hybrid *h);

/* ---- recurrence.c: events that accumulate */

void dae_recurrence_reset(dae_hybrid *h);
/* Event i of the present mode has happened at t; its record is the last. */
void dae_recurrence_note(dae_hybrid *h, int i, double t);
/* Do its events accumulate? Then *limit is when, and x[size] the limit of the states after them. */
int dae_recurrence_accumulates(dae_hybrid *h, int i, double *limit, double *x);
/* Does event j of mode m belong to the same cycle as event i of the present one, and shrink with
 * it? */
int dae_recurrence_in_cycle(const dae_hybrid *h, int m, int j, int i);
/* It happens again, not yet noted, after a flight too short to be seen: they accumulate at the
 * last. */
int dae_recurrence_unresolved(const dae_hybrid *h, int i, double *limit, double *x);

#endif
