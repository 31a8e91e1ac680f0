/* motion.h - the state of a hybrid run in quad precision, and how it goes on between events and at them */
#ifndef DAE_MOTION_H
#define DAE_MOTION_H

#include "reference/quad_model.h"
#include "scout.h"

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
    dae_quad_mesh mesh;
    dae_quad *size;             /* [modes x width] of the numbers of a state, in all runs so far */
    dae_report *report;
} dae_motion;

/* Functions answer a status, with the reason in motion->report. */

/* To be closed in any case. */
dae_status dae_motion_open(dae_motion *motion, const dae_scout *scout, double t_end,
                           const dae_reference_watch *watch, dae_report *report);
void dae_motion_close(dae_motion *motion);

/* At the problem's start, in its first mode. */
dae_status dae_motion_start(dae_motion *motion, dae_motion_rule rule);

/* rows[count x width] := the states at increasing times, from (t, x) of the motion, which stays, on the motion
 * of its mode. */
dae_status dae_motion_follow(dae_motion *motion, const dae_quad *times, int count, dae_quad *rows);

/* The function of event i of the present mode at (t, x). */
dae_quad dae_motion_event(const dae_motion *motion, int i, dae_quad t, const dae_quad *x);

/* x := consistent in the mode, which becomes the present one; a piece of about so long follows. */
dae_status dae_motion_enter(dae_motion *motion, int mode, dae_quad piece, const char *because);

/* Actions of one round of events: between begin and end they change x and p_new. */
void dae_motion_begin_round(dae_motion *motion);
void dae_motion_act(dae_motion *motion, int i);
dae_status dae_motion_end_round(dae_motion *motion);

#endif
