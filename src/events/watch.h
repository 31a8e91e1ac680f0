/* watch.h - functions of the state that a solver watches for passages through zero */
#ifndef DAE_WATCH_H
#define DAE_WATCH_H

#include "stepper/solver.h"
#include "daelab/hybrid.h"

/* Watch what *watch says: w belongs to the solver. NULL: no memory. */
struct dae_watcher *dae_watcher_create(dae_solver *s, const dae_watch *watch);
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

/* What is watched; NULL: nothing. Has an event cut the last step short? Has something fired after a flight
 * below what the state resolves? */
const dae_watch *dae_watched(const dae_solver *s);
int dae_watch_has_cut(const dae_solver *s);
int dae_watch_is_unresolved(const dae_solver *s);

/* Where the run has stopped: g where it is not near zero, and where it is, and what waits, [count]. */
void dae_watch_outcome(const dae_solver *s, double *stopped, double *near, int *waiting);

/* For a method that finds passages itself: g[count] at (t, u), where those that have not left zero are
 * zero; a step begins; passages[count] that were found at its end. */
dae_status dae_watch_show(dae_solver *s, double t, const double *u, double *g);
void dae_watch_begin_step(dae_solver *s);
int *dae_watch_passages(dae_solver *s);

#endif
