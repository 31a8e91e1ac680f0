/* watcher.h - event functions g_i(t, u) of a solver: data of the search for their zeros
 *
 * "At zero" is |g_i| <= noise, the rounding error of g_i. Signs are -1, 0, 1.
 */
#ifndef DAE_WATCHER_H
#define DAE_WATCHER_H

#include "roots.h"
#include "watch.h"

struct dae_watcher {
    dae_watch watch;
    dae_solver *solver;
    dae_roots roots;
    int parts;                  /* number of equal steps from t_old to the event */
    dae_report *report;         /* the solver's; for failures of watch.values */
    double *g, *after, *before, *when;  /* [count] values of g_i; when: times at which they leave zero */
    double *stopped;            /* [count] g_i at the last event that ended a run; 0 if |g_i| > near there */
    double *near;               /* [count] |g_i| up to this counts as near zero at that event */
    double *value, *noise;      /* [count] g_i at the end of the last step, and its rounding error */
    double *begin_noise, *end_noise;    /* [count] rounding errors at the ends of the step, less what is a jump */
    double *here;               /* [count] the same where g is being looked at, and what counts as zero */
    double *zero;               /* [count] for functions at zero at the start: lower bound of their noise */
    double *error;              /* [count] for these, what errors of the run make of g_i at the start */
    double *odd;                /* [count] of these, half of the last difference to both sides; NaN: no slope */
    double *seen, *value_seen;  /* [count] the first sample at which such a function is not zero: t, g_i */
    double *u, *du, *bend;      /* [n] work arrays: a state, its first and second derivative */
    double *size;               /* [n] magnitudes of the unknowns, for the rounding errors of g */
    double *step_size, *step_slope;     /* [n] magnitudes of the unknowns over the last step, and their mean u' */
    double *largest;            /* [n] magnitudes of the unknowns over the run, with those before its events */
    double *moved, *changed;    /* [n], [2 count] work arrays of the estimate of rounding errors */
    double *known;              /* [n] those that they had before the next start; else 0 */
    int comes;                  /* 1: the next start continues a run, from another mode too */
    int rests;                  /* 1: functions at zero without a slope are contacts at rest if curvature says so: at an
                                   independent start, and where known is given; else errors of the run may curve them */
    /* cut = 1: an event has ended the last step before t_end, where its state was end[n] */
    double *end;
    double t_end;
    int cut;
    /* longer = 1: the last step was repeated with a larger size (driver/extend.c).
     * beside[n]: the state reported at t_from less the dense output of the longer step there. */
    double *beside;
    int longer;
    int *fired;                 /* [count] signs of the events at one time; 0: none */
    int *ignore;                /* [count] 1: was at zero at the start of the run, with its event just over */
    int *set_out, *left;        /* [count] functions at zero: sign of dg_i/dt there; sign once off zero */
    int *late;                  /* [count] sign of an event at when[i], later in the step; or 0 */
    int *behind;                /* [count] 1: late, after it left zero the other way and came back too fast to
                                   be resolved */
    int *pending;               /* [count] 1: behind, but another event ends the run first */
    int *heading, *asked;       /* [count] work arrays */
    int *curves;                /* [count] of functions at zero where dg_i/dt is 0: sign of d2g_i/dt2 there */
    int *crossed;               /* [count] 1: the event of fired came from beyond zero, on the other side */
    int *rounded;               /* [count] 1: at zero at the start by the rounding errors of unknowns known[n] large */
    int *carried;               /* [count] of events so that ended the last run: how u' carries g_i there */
    int *goes_on;               /* [count] 1: without a slope at the start, g_i is carried as at the event before it */
    int *was;                   /* [count] side before the event that ended the last run; 0: none, or not known */
    int *passes;                /* [count] 1: g_i beyond zero in its direction is no contact that is violated */
    int *ended;                 /* [count] 1: belongs to the event that ended the last run, at t_event */
    double t_event;             /* -INFINITY: no event has ended a run */
    double reach;               /* a time over which motion is looked at beside that event */
    double *motion;             /* [n] u' there */
    double t_begin, leg;        /* start of this run; length of the last run that an event ended */
    int fresh;                  /* 1: before the first step; the signs of g are not known yet */
    int unresolved;             /* 1: an event of fired follows a flight too short to resolve */
};

/* g[count] at t on the dense output of the last step; context is the watcher. */
dae_status dae_watch_sample(void *context, double t, double *g);

/* watch_zero.c. After the first step, which began at a: w->roots.side := signs of the functions at a, 0 for
 * those at zero. It allows for dense output that differs a little from the state at a. */
dae_status dae_watch_find_sides(struct dae_watcher *w, double a);
/* w->fired := the functions at zero at a that leave it at a in their direction, without those of w->ignore.
 * Returns their number, with the state at a in w->u. w->late := those that leave zero later in [a, b].
 * w->behind := those of w->late that are in w->ignore, but whose slope at a has the other sign: they left
 * zero the other way and came back, too fast to be resolved. */
int dae_watch_leave_zero(struct dae_watcher *w, double a, double b, dae_status *status);
/* 1 where dg_i/dt at t, in the last step, has the sign of the direction that is watched for. */
int dae_watch_heads_across(struct dae_watcher *w, int i, double t, dae_status *status);
/* At an event at t, w->u: w->carried of those of w->fired and w->crossed, and w->reach. */
dae_status dae_watch_find_carried(struct dae_watcher *w, double t);

/* noise[count] := what errors of the run make of g at the state u at t; w->changed := g there. */
dae_status dae_watch_errors(struct dae_watcher *w, double t, const double *u, double *noise);
/* At a start: w->passes of functions that are beyond zero by more than that. */
dae_status dae_watch_let_pass(struct dae_watcher *w, double t, const double *u);
/* Rounding errors of g at the ends of the step just accepted. */
dae_status dae_watch_step_noise(struct dae_watcher *w);
/* noise[count] := those at t in this step; context is the watcher. Uses w->u. */
dae_status dae_watch_noises(void *context, double t, double *noise);
/* w->here := those at t in this step of unknowns as large as they have been in the run. */
dae_status dae_watch_noise_of_run(struct dae_watcher *w, double t);
/* w->here := these, and what counts as zero all over the step. */
dae_status dae_watch_noise_here(struct dae_watcher *w, double t);

#endif
