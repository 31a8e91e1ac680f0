/* watch.h - functions of the state that a solver watches for passages through zero */
#ifndef DAE_WATCH_H
#define DAE_WATCH_H

#include "roots.h"
#include "stepper/solver.h"
#include "daelab/hybrid.h"

struct dae_watcher {
    dae_watch watch;
    dae_solver *solver;
    dae_roots roots;
    dae_solver *locator;        /* the same method, for a step that ends at a root; NULL: IDA */
    int parts;                  /* that it is made in */
    dae_report *report;         /* where values explains itself: the solver's */
    double *g, *after, *before, *when;  /* [count] */
    double *stopped;            /* [count] g where a run stopped last; 0 where that is not near zero */
    double *near;               /* [count] what was near zero there */
    double *value, *noise;      /* [count] g at the end of the last step, and its noise */
    double *zero;               /* [count] up to here those that have not left zero are at it */
    double *seen, *value_seen;  /* [count] where those at zero are first seen off it, and what they are */
    double *u, *du;             /* [n] */
    double *size;               /* [n] of unknowns, for noise */
    double *end;                /* [n] where the last step has ended, before an event cut it short; */
    double t_end;               /* its time; */
    int cut;                    /* and whether one has */
    double *beside;             /* [n] where a step was made longer: the state shown at the end that it had,
                                   t_from, less its dense output there; and whether it was */
    int longer;
    int *fired;                 /* [count] */
    int *own;                   /* [count] passages that the method itself found at the step's end */
    int *ignore;                /* [count] at zero at the start, and not to be seen leaving it */
    int *set_out, *left;        /* [count] signs of those at zero: of their slope there, and behind it */
    int *late;                  /* [count] leave zero later in the step, at when; or 0 */
    int *behind;                /* [count] late, after a flight below what the state resolves */
    int *pending;               /* [count] behind, where something else ends the run before */
    int *heading;               /* [count] scratch */
    int *ended;                 /* [count] what ended the run at t_event, to go on from */
    double t_event;             /* -INFINITY: nothing has */
    double t_begin, leg;        /* of this run; how long the last one took to the event that ended it */
    int fresh;                  /* no step yet: sides are not known */
    int found_own;
    int unresolved;             /* fired: after a flight below what the state resolves */
};

void dae_watcher_free(struct dae_watcher *w);

/* At the solver's start: every function must have a value there. */
dae_status dae_watch_start(dae_solver *s);

/* The step from (t_old, u_old) to (t, u) was accepted. *t and *u become where the observer is called:
 * the end of the step, or the event that stops there, with DAE_EVENT. closed: passages at the very
 * end count. */
dae_status dae_watch_step(dae_solver *s, int closed, double *t, const double **u);

/* The first step of a run that goes on after an event: as long as the one that the event ended. A step
 * far longer than flights between impacts would show nothing of them. */
double dae_watch_first_step(const dae_solver *s);

/* Dense output of the step that an event has cut short. */
dae_status dae_watch_interpolate(dae_solver *s, double t, double *u);

/* Until the next start these are not seen leaving zero: they have just happened, where g was stopped. */
void dae_watch_ignore(dae_solver *s, const int *fired, const double *stopped);

/* g[count] at t on the dense output of the last step; context: the watcher. */
dae_status dae_watch_sample(void *context, double t, double *g);

/* watch_zero.c. After the first step from a: on which side of zero the functions are. Dense output may
 * begin a little beside the state. */
dae_status dae_watch_find_sides(struct dae_watcher *w, double a);
/* watcher->fired := functions at zero at a that leave it in their direction there, and have not just
 * happened; how many, with the state in watcher->u. Those that leave it later in the step are
 * watcher->late; they may have just happened, but set out the other way: watcher->behind. */
int dae_watch_leave_zero(struct dae_watcher *w, double a, double b, dae_status *status);
/* Does the slope of function i at t, in the last step, lead in its direction? */
int dae_watch_heads_across(struct dae_watcher *w, int i, double t, dae_status *status);

/* A start at the time of the last event does not go on from it: a run of its own begins. */
void dae_watch_forget(dae_solver *s);

/* A state, sizes of its unknowns, and u' or NULL. */
typedef struct {
    double t;
    const double *u, *size, *du;
} dae_watch_place;

/* noise[count]: what errors of part of their sizes in all unknowns, and rounding of t, change in g.
 * u_work[n], g_work[2 count] are scratch; g_work[count] is g there. */
dae_status dae_watch_noise(const dae_watch *watch, int n, dae_watch_place at, double part,
                           double *u_work, double *g_work, double *noise, dae_report *report);

/* The least size of unknown i: its absolute tolerance; 0 for fixed steps. */
double dae_watch_size(const dae_solver *s, int i);

/* roots.noise := that of the step just kept. */
dae_status dae_watch_step_noise(struct dae_watcher *w);

#endif
