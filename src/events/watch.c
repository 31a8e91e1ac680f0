/* watch.c - event functions of a solver: allocation, start of a run, rounding errors
 *
 * The noise of g_i is its rounding error. It is estimated at both ends of each step and wherever g is looked at
 * inside, from values of g at states with rounding errors in all unknowns and in t. They are relative to the
 * magnitude of an unknown, which is the larger of its values at the ends of the step and of its absolute tolerance.
 */
#include "watcher.h"

#include "stepper/derivative.h"
#include "base/numbers.h"
#include "base/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ERRORS = 64 * DBL_EPSILON;  /* relative errors of the unknowns */
static const double LATER = 16 * DBL_EPSILON;   /* relative error of t */
static const double TOLERANCES = 10;            /* of the error test: errors of a run */
static const double FIXED = 1e-8;               /* of the unknowns, in place of tolerances where steps are fixed */
enum { TRIES = 2 };

/* ---- creation ----------------------------------------------------------------------------- */

void dae_watcher_free(struct dae_watcher *w)
{
    if (!w)
        return;
    dae_roots_free(&w->roots);
    free(w);
}

dae_status dae_watch_sample(void *context, double t, double *g)
{
    struct dae_watcher *w = context;
    const dae_solver *s = w->solver;
    const dae_status status = dae_driver_interpolate(w->solver, t, w->u);
    const double x = w->longer ? (s->t - t) / (s->t - driver(s)->t_from) : 0;
    for (int i = 0; w->longer && i < s->n; i++)
        w->u[i] += x * w->beside[i];
    return status ? status : w->watch.values(w->watch.context, t, w->u, g, w->report);
}

struct dae_watcher *dae_watcher_create(dae_solver *s, const dae_watch *watch)
{
    const size_t m = (size_t)watch->count, n = (size_t)s->n;
    struct dae_watcher *w = DAE_RECORD(struct dae_watcher,
        DAE_PART(struct dae_watcher, g, m), DAE_PART(struct dae_watcher, after, m),
        DAE_PART(struct dae_watcher, before, m), DAE_PART(struct dae_watcher, when, m),
        DAE_PART(struct dae_watcher, stopped, m), DAE_PART(struct dae_watcher, near, m),
        DAE_PART(struct dae_watcher, noise, m), DAE_PART(struct dae_watcher, zero, m),
        DAE_PART(struct dae_watcher, value, m), DAE_PART(struct dae_watcher, seen, m),
        DAE_PART(struct dae_watcher, value_seen, m), DAE_PART(struct dae_watcher, error, m),
        DAE_PART(struct dae_watcher, odd, m), DAE_PART(struct dae_watcher, begin_noise, m),
        DAE_PART(struct dae_watcher, end_noise, m), DAE_PART(struct dae_watcher, here, m),
        DAE_PART(struct dae_watcher, changed, 2 * m), DAE_PART(struct dae_watcher, u, n),
        DAE_PART(struct dae_watcher, du, n), DAE_PART(struct dae_watcher, size, n),
        DAE_PART(struct dae_watcher, end, n), DAE_PART(struct dae_watcher, beside, n),
        DAE_PART(struct dae_watcher, bend, n), DAE_PART(struct dae_watcher, motion, n),
        DAE_PART(struct dae_watcher, known, n), DAE_PART(struct dae_watcher, step_size, n),
        DAE_PART(struct dae_watcher, step_slope, n), DAE_PART(struct dae_watcher, moved, n),
        DAE_PART(struct dae_watcher, largest, n), DAE_PART(struct dae_watcher, fired, m),
        DAE_PART(struct dae_watcher, ignore, m), DAE_PART(struct dae_watcher, left, m),
        DAE_PART(struct dae_watcher, set_out, m), DAE_PART(struct dae_watcher, late, m),
        DAE_PART(struct dae_watcher, heading, m), DAE_PART(struct dae_watcher, ended, m),
        DAE_PART(struct dae_watcher, behind, m), DAE_PART(struct dae_watcher, pending, m),
        DAE_PART(struct dae_watcher, asked, m), DAE_PART(struct dae_watcher, curves, m),
        DAE_PART(struct dae_watcher, crossed, m), DAE_PART(struct dae_watcher, carried, m),
        DAE_PART(struct dae_watcher, goes_on, m), DAE_PART(struct dae_watcher, rounded, m),
        DAE_PART(struct dae_watcher, passes, m), DAE_PART(struct dae_watcher, was, m));
    if (!w)
        return NULL;
    w->watch = *watch;
    w->solver = s;
    w->report = &s->report;
    if (dae_roots_create(&w->roots, watch->count)) {
        dae_watcher_free(w);
        return NULL;
    }
    w->roots.direction = w->watch.direction;
    w->roots.values = dae_watch_sample;
    w->roots.noises = dae_watch_noises;
    w->roots.context = w;
    return w;
}

/* ---- access ------------------------------------------------------------------------------- */

const dae_watch *dae_watched(const dae_solver *s)
{
    return driver(s)->watcher ? &driver(s)->watcher->watch : NULL;
}

int dae_watch_has_cut(const dae_solver *s)
{
    return driver(s)->watcher && driver(s)->watcher->cut;
}

int dae_watch_is_unresolved(const dae_solver *s)
{
    return driver(s)->watcher && driver(s)->watcher->unresolved;
}

double dae_watch_outcome(const dae_solver *s, double *stopped, double *near, int *waiting, int *carried,
                         double *motion)
{
    const struct dae_watcher *w = driver(s)->watcher;
    const size_t count = (size_t)w->watch.count;
    memcpy(stopped, w->stopped, count * sizeof *stopped);
    memcpy(near, w->near, count * sizeof *near);
    memcpy(waiting, w->pending, count * sizeof *waiting);
    memcpy(carried, w->carried, count * sizeof *carried);
    memcpy(motion, w->motion, (size_t)s->n * sizeof *motion);
    return w->reach;
}

/* ---- start -------------------------------------------------------------------------------- */

void dae_watch_ignore(dae_solver *s, const int *fired, const double *stopped, const int *carried,
                      const double *motion, double reach)
{
    struct dae_watcher *w = driver(s)->watcher;
    if (!w)
        return;
    memcpy(w->ignore, fired, (size_t)w->watch.count * sizeof *fired);
    memcpy(w->stopped, stopped, (size_t)w->watch.count * sizeof *stopped);
    memcpy(w->carried, carried, (size_t)w->watch.count * sizeof *carried);
    memcpy(w->motion, motion, (size_t)s->n * sizeof *motion);
    w->reach = reach;
}

void dae_watch_come_from(dae_solver *s, const double *size)
{
    struct dae_watcher *w = driver(s)->watcher;
    if (!w)
        return;
    memcpy(w->known, size, (size_t)s->n * sizeof *size);
    w->comes = 1;
}

void dae_watch_forget(dae_solver *s)
{
    struct dae_watcher *w = driver(s)->watcher;
    if (!w)
        return;
    w->t_event = -INFINITY;
    w->comes = 0;
    w->leg = INFINITY;
}

dae_status dae_watch_noise(const dae_watch *watch, int n, dae_watch_place at, double part,
                           double *u_work, double *g_work, double *noise, dae_report *report)
{
    const int m = watch->count;
    const double later = LATER * fabs(at.t);
    double *is = g_work, *g = g_work + m;
    uint64_t random = 1;
    dae_status status = watch->values(watch->context, at.t, at.u, is, report);
    for (int i = 0; i < m; i++)
        noise[i] = DBL_MIN;
    for (int try = 0; !status && try < TRIES; try++) {
        const double d = try ? -later : later;
        for (int i = 0; i < n; i++)
            u_work[i] = at.u[i] + part * dae_random_direction(&random) * at.size[i]
                        + (at.du ? d * at.du[i] : 0);
        status = watch->values(watch->context, at.t + d, u_work, g, report);
        for (int i = 0; !status && i < m; i++)
            noise[i] = fmax(noise[i], 2 * fabs(g[i] - is[i]));
    }
    return status;
}

double dae_watch_size(const dae_solver *s, int i)
{
    return s->adaptive ? s->atol[i] : 0;
}

double dae_watch_first_step(const dae_solver *s)
{
    return driver(s)->watcher->fresh ? driver(s)->watcher->leg : INFINITY;
}

/* w->rounded := functions that are zero but for the rounding errors of the unknowns when they were larger; these are
 * then in w->noise. */
static dae_status find_rounded(struct dae_watcher *w, dae_watch_place start)
{
    const int n = w->solver->n;
    int larger = 0;
    w->rests = !w->comes && w->solver->t != w->t_event;
    memset(w->rounded, 0, (size_t)w->watch.count * sizeof *w->rounded);
    for (int i = 0; i < n; i++) {
        larger |= w->known[i] > w->size[i];
        w->rests |= w->known[i] > 0;
        w->size[i] = fmax(w->size[i], w->known[i]);
        w->known[i] = 0;
    }
    const dae_status status = !larger ? DAE_OK : dae_watch_noise(&w->watch, n, start, ERRORS, w->u, w->g, w->before,
                                                                 w->report);
    for (int i = 0; !status && larger && i < w->watch.count; i++) {
        w->rounded[i] = fabs(w->g[i]) > w->noise[i] && fabs(w->g[i]) <= w->before[i];
        w->noise[i] = w->rounded[i] ? w->before[i] : w->noise[i];
    }
    return status;
}

dae_status dae_watch_start(dae_solver *s)
{
    struct dae_watcher *w = driver(s)->watcher;
    const size_t m = (size_t)w->watch.count;
    const int goes_on = s->t == w->t_event;     /* from the event that has ended the run before */
    w->fresh = 1;
    w->cut = w->longer = 0;
    w->t_begin = s->t;
    w->leg = s->t < w->t_event ? INFINITY : w->leg;
    for (size_t i = 0; i < m; i++) {
        w->ignore[i] = goes_on && w->ended[i];
        w->goes_on[i] = w->passes[i] = 0;
        w->was[i] = goes_on ? w->was[i] : 0;
        w->carried[i] = goes_on ? w->carried[i] : DAE_UNKNOWN;
        w->zero[i] = 0;
    }
    for (int i = 0; i < s->n; i++) {
        w->size[i] = fmax(fabs(s->u[i]), dae_watch_size(s, i));
        w->largest[i] = fmax(fmax(w->size[i], w->known[i]), goes_on ? w->largest[i] : 0);
    }
    if (s->adaptive)
        dae_derivative_at(s, s->t, s->u, w->du);
    const dae_watch_place start = {s->t, s->u, w->size, s->adaptive ? w->du : NULL};
    dae_status status = dae_watch_noise(&w->watch, s->n, start, ERRORS, w->u, w->g, w->noise,
                                        w->report);
    if (!status)
        status = find_rounded(w, start);
    memset(w->roots.noise, 0, m * sizeof *w->roots.noise);
    memcpy(w->value, w->g, m * sizeof *w->g);
    return status;
}

/* At a discontinuity of g_i the estimate is the height of its jump. If g_i counts as zero at one end of the
 * step for this reason, and not at the other one, the noise of the other end is used at both. */
dae_status dae_watch_step_noise(struct dae_watcher *w)
{
    const dae_solver *s = w->solver;
    const size_t m = (size_t)w->watch.count;
    for (int i = 0; i < s->n; i++) {
        w->step_size[i] = fmax(fmax(fabs(s->u[i]), fabs(s->u_old[i])), dae_watch_size(s, i));
        w->largest[i] = fmax(w->largest[i], w->step_size[i]);
        w->step_slope[i] = (s->u[i] - s->u_old[i]) / (s->t - s->t_old);
    }
    const dae_watch_place begin = {s->t_old, s->u_old, w->step_size, w->step_slope};
    const dae_watch_place end = {s->t, s->u, w->step_size, w->step_slope};
    dae_status status = !w->fresh ? DAE_OK
                        : dae_watch_noise(&w->watch, s->n, begin, ERRORS, w->u, w->g, w->before, w->report);
    for (size_t i = 0; i < m; i++)                      /* a start does not know how large they become */
        w->before[i] = w->fresh ? fmax(w->before[i], w->noise[i]) : w->noise[i];
    if (!status)
        status = dae_watch_noise(&w->watch, s->n, end, ERRORS, w->u, w->g, w->noise, w->report);
    for (size_t i = 0; !status && i < m; i++) {
        const int behind = fabs(w->value[i]) > w->before[i], ahead = fabs(w->g[i]) > w->noise[i];
        w->begin_noise[i] = behind >= ahead ? w->before[i] : fmin(w->before[i], w->noise[i]);
        w->end_noise[i] = ahead >= behind ? w->noise[i] : fmin(w->before[i], w->noise[i]);
        w->zero[i] = w->roots.side[i] == 0 && !w->fresh ? w->zero[i] : 0;
        w->roots.noise[i] = w->zero[i];
        w->value[i] = w->g[i];
    }
    return status;
}

dae_status dae_watch_noises(void *context, double t, double *noise)
{
    struct dae_watcher *w = context;
    const dae_solver *s = w->solver;
    const size_t size = (size_t)w->watch.count * sizeof *noise;
    if (t == driver(s)->t_from || t == s->t) {
        memcpy(noise, t == s->t ? w->end_noise : w->begin_noise, size);
        return DAE_OK;
    }
    const dae_watch_place at = {t, w->u, w->step_size, w->step_slope};
    const dae_status status = dae_driver_interpolate(w->solver, t, w->u);
    return status ? status : dae_watch_noise(&w->watch, s->n, at, ERRORS, w->moved, w->changed, noise, w->report);
}

dae_status dae_watch_noise_of_run(struct dae_watcher *w, double t)
{
    const dae_watch_place at = {t, w->u, w->largest, w->step_slope};
    const dae_status status = dae_driver_interpolate(w->solver, t, w->u);
    return status ? status : dae_watch_noise(&w->watch, w->solver->n, at, ERRORS, w->moved, w->changed, w->here,
                                             w->report);
}

dae_status dae_watch_noise_here(struct dae_watcher *w, double t)
{
    const dae_status status = dae_watch_noises(w, t, w->here);
    for (int i = 0; i < w->watch.count; i++)
        w->here[i] = fmax(w->here[i], w->roots.noise[i]);
    return status;
}

/* noise[count] := what errors of the run make of g at the state u at t; w->g := g there. */
dae_status dae_watch_errors(struct dae_watcher *w, double t, const double *u, double *noise)
{
    const dae_solver *s = w->solver;
    for (int i = 0; i < s->n; i++)
        w->size[i] = TOLERANCES * (s->adaptive ? s->atol[i] + s->options.rtol * fabs(u[i]) : FIXED * w->largest[i]);
    const dae_watch_place at = {t, u, w->size, NULL};
    return dae_watch_noise(&w->watch, s->n, at, 1, w->u, w->changed, noise, w->report);
}

static int is_past(const struct dae_watcher *w, int i)
{
    return w->roots.side[i] && w->roots.side[i] == (int)w->watch.direction[i] && !w->passes[i];
}

dae_status dae_watch_let_pass(struct dae_watcher *w, double t, const double *u)
{
    int any = 0;
    for (int i = 0; i < w->watch.count; i++)
        any |= is_past(w, i);
    const dae_status status = any ? dae_watch_errors(w, t, u, w->here) : DAE_OK;
    for (int i = 0; any && !status && i < w->watch.count; i++)
        w->passes[i] = is_past(w, i) && fabs(w->changed[i]) > w->here[i];
    return status;
}

int dae_watch_find_past(dae_solver *s, int *past)
{
    struct dae_watcher *w = driver(s)->watcher;
    int any = 0;
    for (int i = 0; i < w->watch.count; i++)
        any |= past[i] = is_past(w, i);
    if (!any || w->cut || dae_watch_errors(w, s->t, s->u, w->here))
        return 0;
    any = 0;
    for (int i = 0; i < w->watch.count; i++)
        any |= past[i] = past[i] && fabs(w->changed[i]) > w->here[i];
    return any;
}

void dae_watch_pass(dae_solver *s, int i)
{
    driver(s)->watcher->passes[i] = 1;
}
