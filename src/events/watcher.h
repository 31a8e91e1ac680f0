/* watcher.h - what is known of the functions that a solver watches */
#ifndef DAE_WATCHER_H
#define DAE_WATCHER_H

#include "roots.h"
#include "watch.h"

struct dae_watcher {
    dae_watch watch;
    dae_solver *solver;
    dae_roots roots;
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

/* roots.noise := that of the step just kept. */
dae_status dae_watch_step_noise(struct dae_watcher *w);

#endif
