/* watch.h - functions of the state that a solver watches for passages through zero */
#ifndef DAE_WATCH_H
#define DAE_WATCH_H

#include "control/roots.h"
#include "solver.h"

struct dae_watcher {
    dae_watch watch;
    dae_solver *solver;
    dae_roots roots;
    dae_solver *locator;        /* the same method, for one step that ends at a root; NULL: IDA */
    dae_report *report;         /* where values explains itself: the solver's */
    double *g, *after, *before, *when;  /* [count] */
    double *stopped;            /* [count] g where a run stopped last; 0 where that is not near zero */
    double *near;               /* [count] what was near zero there */
    double *u, *du, *ddu;       /* [n] */
    int *fired;                 /* [count] */
    int *own;                   /* [count] passages that the method itself found at the step's end */
    int *ignore;                /* [count] at zero at the start, and not to be seen leaving it */
    int *set_out, *left;        /* [count] signs of those at zero: of their slope there, and behind it */
    int *late;                  /* [count] leave zero later in the step, at when; or 0 */
    int *heading;               /* [count] scratch */
    int fresh;                  /* no step yet: sides are not known */
    int found_own;
    int unresolved;             /* fired: after a flight below what the state resolves */
};

void dae_watcher_free(struct dae_watcher *w);

/* At the solver's start: every function must have a value there. */
dae_status dae_watch_start(dae_solver *s);

/* The step from (t_old, u_new) to (t, u) was accepted. *t and *u become where the observer is called:
 * the end of the step, or the event that stops there, with DAE_EVENT. closed: passages at the very
 * end count. */
dae_status dae_watch_step(dae_solver *s, int closed, double *t, const double **u);

/* The largest part of h that the watched functions, extrapolated as parabolas, let pass at once. */
double dae_watch_cap(dae_solver *s, double h);

/* Until the next start these are not seen leaving zero: they have just happened, where g was stopped. */
void dae_watch_ignore(dae_solver *s, const int *fired, const double *stopped);

/* g[count] at t on the dense output of the last step; context: the watcher. */
dae_status dae_watch_sample(void *context, double t, double *g);

/* watch_zero.c. After the first step from a: on which side of zero the functions are. Dense output may
 * begin a little beside the state. */
dae_status dae_watch_find_sides(struct dae_watcher *w, double a);
/* watcher->fired := functions at zero at a that leave it in their direction, and have not just happened;
 * or have, but set out the other way. How many; at *t, with the state in watcher->u. Those that leave
 * it later, in the step, are watcher->late. */
int dae_watch_leave_zero(struct dae_watcher *w, double a, double b, double *t, dae_status *status);

/* noise[count]: what relative errors of part in u, and in t by its rounding, change in g. u_work[n],
 * g_work[count] are scratch. */
dae_status dae_watch_noise(const dae_watch *watch, int n, double t, const double *u, double part,
                           double *u_work, double *g_work, double *noise, dae_report *report);

#endif
