/* watch.h - event functions g_i(t, u) of a solver, located after each step */
#ifndef DAE_WATCH_H
#define DAE_WATCH_H

#include "stepper/solver.h"
#include "daelab/hybrid.h"

/* Data for the event functions of *watch; the caller frees it. NULL: no memory. */
struct dae_watcher *dae_watcher_create(dae_solver *s, const dae_watch *watch);
void dae_watcher_free(struct dae_watcher *w);

/* At the start of a run: evaluates all functions; fails where one is not finite. */
dae_status dae_watch_start(dae_solver *s);

/* After the step from (t_old, u_old) to (t, u) was accepted: find its events. If one ends the run, (*t, *u)
 * := the state there, and DAE_EVENT is returned. closed = 1: a zero exactly at the end of the step counts. */
dae_status dae_watch_step(dae_solver *s, int closed, double *t, const double **u);

/* A bound for the first step of a run that continues after an event: the length of the run that the event
 * ended. A first step much longer than the time between impacts could miss them. */
double dae_watch_first_step(const dae_solver *s);

/* Dense output in the last step after an event has ended it earlier. */
dae_status dae_watch_interpolate(dae_solver *s, double t, double *u);

/* Of a sign that is not known; of an event whose action has turned dg_i/dt away from its direction. */
enum { DAE_UNKNOWN = 2, DAE_TURNED = 2 };

/* fired[i] != 0: event i has just happened, with g_i = stopped[i]. Until the next start it does not happen
 * again when g_i leaves zero; with DAE_TURNED it does. carried, motion, reach: as dae_watch_outcome has answered
 * them. */
void dae_watch_ignore(dae_solver *s, const int *fired, const double *stopped, const int *carried,
                      const double *motion, double reach);

/* The unknowns have been as large as size[n] up to the next start, which has their rounding errors. */
void dae_watch_come_from(dae_solver *s, const double *size);

/* The next start begins an independent run, even at the time of the last event. */
void dae_watch_forget(dae_solver *s);

/* A state, the magnitudes of its unknowns, and u' or NULL. */
typedef struct {
    double t;
    const double *u, *size, *du;
} dae_watch_place;

/* noise[count] := the change of g by relative errors part of all unknowns, and by rounding of t.
 * u_work[n], g_work[2 count] are work arrays; on return g_work[count] is g at the state. */
dae_status dae_watch_noise(const dae_watch *watch, int n, dae_watch_place at, double part,
                           double *u_work, double *g_work, double *noise, dae_report *report);

/* Lower bound of the magnitude of unknown i: its absolute tolerance; 0 for fixed steps. */
double dae_watch_size(const dae_solver *s, int i);

/* After a step that no event has ended: past[i] := 1 where g_i, which was not at the start, is beyond zero in its
 * direction by more than errors of the run explain, and no event has happened. Returns whether there are such.
 * dae_watch_pass: it may be, until the next start. */
int dae_watch_find_past(dae_solver *s, int *past);
void dae_watch_pass(dae_solver *s, int i);

/* watched: the event functions, or NULL. has_cut: 1 where an event has ended the last step. is_unresolved: 1
 * where an event of the present time follows another one too fast to be resolved. */
const dae_watch *dae_watched(const dae_solver *s);
int dae_watch_has_cut(const dae_solver *s);
int dae_watch_is_unresolved(const dae_solver *s);


/* At the event that ended the run: stopped, near, pending, carried, [count], and motion [n] of watcher.h. Returns
 * reach. */
double dae_watch_outcome(const dae_solver *s, double *stopped, double *near, int *waiting, int *carried,
                         double *motion);

#endif
