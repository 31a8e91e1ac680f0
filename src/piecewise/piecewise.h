/* piecewise.h - the parts of a reference through events: which happen, the motion between them, one after the other */
#ifndef DAE_PIECEWISE_H
#define DAE_PIECEWISE_H

#include "daelab/event_reference.h"
#include "hybrid/hybrid.h"
#include "reference/quad_model.h"

/* Functions of a motion, a flight and a replay answer a status, with the reason in motion->report. */

/* ---- scout.c: which events happen, and when to the accuracy of doubles ---------------------- */

typedef struct {
    dae_hybrid *hybrid;         /* the finer run, over; its systems are there to be used */
    int events;
    const dae_happening *happening;     /* [events] of it */
    double *apart;              /* [events] from the time that the coarser run has for it */
    double *after_apart;        /* [events x size] the state after it from that of the coarser run */
    double *size;               /* [size] largest |x_i| of the finer run */
    int ended;                  /* 1: the last event ended the run */
} dae_scout;

/* Runs from the problem's start to t_end, watched (NULL: not). DAE_NO_CONVERGENCE where two of different tolerances
 * have different events; DAE_ACCUMULATION where events accumulate, and the statuses of failures of a run. The scout is
 * to be freed in any case. */
dae_status dae_scout_run(dae_scout *scout, const dae_problem *problem, const double *parameters,
                         const dae_formulation_options *options, double t_end,
                         const dae_reference_watch *watch, dae_report *report);
void dae_scout_free(dae_scout *scout);

/* ---- motion.c: the state in quad precision, and how it goes on between events and at them --- */

/* How a run is computed: one of two that are to agree. */
typedef struct {
    int second;                 /* 0 or 1: of two different orders */
    int collocated;             /* first-order problems: M u' = F by Radau IIA, else extrapolation */
    double tolerance;           /* of collocation */
} dae_motion_rule;

typedef struct {
    dae_hybrid *h;              /* the scout's run: its modes, systems and lists of events */
    dae_motion_rule rule;
    double t0, span;            /* of the whole run */
    const dae_reference_watch *watch;
    dae_quad_model *model;      /* [modes] */
    int width;                  /* of x */
    int mode;
    dae_quad t, *x;             /* [width] (q, v, lambda) or u */
    int parameters;
    dae_quad *p_start, *p, *p_new;      /* [parameters] */
    dae_quad *acted;            /* a copy that actions read, with the user's data */
    double *p_rounded;          /* [parameters] */
    dae_quad *size;             /* [modes x width] of the numbers of a state, in all runs so far */
    dae_report *report;
} dae_motion;

/* To be closed in any case. */
dae_status dae_motion_open(dae_motion *motion, const dae_scout *scout, double t_end,
                           const dae_reference_watch *watch, dae_report *report);
void dae_motion_close(dae_motion *motion);

/* At the problem's start, in its first mode. */
dae_status dae_motion_start(dae_motion *motion, dae_motion_rule rule);

/* rows[count x width] := the states at increasing times, from (t, x[width]), on the motion of the present mode. */
dae_status dae_motion_follow(dae_motion *motion, dae_quad t, const dae_quad *x, const dae_quad *times, int count,
                             dae_quad *rows);

/* Event i of the present mode, and its function at (t, x). */
static inline const dae_numbered_event *dae_motion_entry(const dae_motion *motion, int i)
{
    return &motion->h->mode[motion->mode].event[i];
}
dae_quad dae_motion_event(const dae_motion *motion, int i, dae_quad t, const dae_quad *x);

/* x := consistent in the mode, which becomes the present one; a piece of about so long follows. */
dae_status dae_motion_enter(dae_motion *motion, int mode, dae_quad piece, const char *because);

/* Actions of one round of events: between begin and end they change x and p_new. */
void dae_motion_begin_round(dae_motion *motion);
void dae_motion_act(dae_motion *motion, int i);
dae_status dae_motion_end_round(dae_motion *motion);

/* contacts.c. DAE_NO_CONVERGENCE where the motion from its present state drives a contact, a function at zero whose
 * action would turn it, on across zero. Stiff motions, which are collocated, are not looked at. */
dae_status dae_contacts_check(dae_motion *motion);

/* ---- flight.c: from one event to the next --------------------------------------------------- */

/* A piece without events in it. */
typedef struct {
    dae_motion *motion;
    double end;                 /* where the scout has the event, or where the run ends */
    double margin;              /* how wrong that may be */
    const int *passing;         /* [events of the mode] sign of those that pass there: -1, 1; 0: none */
    int passes;                 /* how many do; 0: the piece ends at end */
    const char *then;           /* the event there, for people */
} dae_flight;

/* The motion goes on to the event, or to the end of the piece, with rows[.. x width] at those of the times
 * [count] that come before it, or at the end of a piece without an event; *reached of them. DAE_NO_CONVERGENCE
 * where the event is not there in quad, where another one passes before, or where one comes so near to zero
 * that rounding decides. */
dae_status dae_flight_run(const dae_flight *flight, const double *times, int count, dae_quad *rows, int *reached);

/* ---- replay.c: the events of a scout, one after the other ----------------------------------- */

/* What a run answers: the events of the scout, and room for rows at so many times; to be freed in any case. */
dae_status dae_replay_create(dae_event_reference *r, const dae_scout *scout, int times, int width, dae_report *report);

/* From the start of the motion to the last of the times [count], or to the event that ends the run. */
dae_status dae_replay_run(dae_event_reference *r, dae_motion *motion, const dae_scout *scout, dae_motion_rule rule,
                          const double *times, int count);

#endif
