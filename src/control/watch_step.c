/* watch_step.c - events in the driver: passages of g_i(t, u(t)) through zero, located after each step
 *
 * Detection: on the dense output of the step (roots.h). Location: t* is the root on the dense output,
 * corrected to the root of
 *
 *     phi(t) = g_i(t, u(t)),   u(t) the end of one step of the method from t_old to t,
 *
 * by the secant method, for dense output is often of lower order than the step. The state at the
 * event is u(t*). Hairer, Norsett, Wanner (1993), Solving ODEs I, II.6; Shampine, Gladwell, Brankin
 * (1991), ACM Trans. Math. Softw. 17, 11-25.
 */
#include "control/watch.h"

#include "control/conserve.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double SAME_TIME = 32 * DBL_EPSILON;
enum { CORRECTIONS = 6 };

/* One step of the method from the begin of the last one to t. */
static dae_status step_to(struct dae_watcher *w, double t, double *u)
{
    const dae_solver *s = w->solver;
    dae_solver *locator = w->locator;
    const double h = t - s->t_old;
    dae_status status = dae_solver_start(locator, s->t_old, s->u_new);
    locator->t_new = t;
    locator->h_next = locator->error = 0;
    if (!status)
        status = locator->method->step(locator, h, t);
    if (!status && !dae_vector_finite(s->n, locator->u_new))
        status = DAE_NOT_FINITE;
    if (!status && locator->conserve)
        status = dae_conserve_step(locator);
    if (!status && s->adaptive && locator->error > 1)
        status = DAE_ERROR_TEST;
    if (!status)
        memcpy(u, locator->u_new, (size_t)s->n * sizeof *u);
    w->solver->count.rhs += locator->count.rhs;
    return status;
}

/* dg_i/dt at t by a difference on the dense output. */
static dae_status slope_at(struct dae_watcher *w, int i, double t, double *slope)
{
    const dae_solver *s = w->solver;
    const double d = 1e-4 * (s->t - s->t_old);
    const double left = fmax(s->t_old, t - d), right = fmin(s->t, t + d);
    dae_status status = dae_watch_sample(w, left, w->g);
    if (!status)
        status = dae_watch_sample(w, right, w->after);
    *slope = status ? 0 : (w->after[i] - w->g[i]) / (right - left);
    return status;
}

/* Root r of the dense output: w->u := the state at *t, a step of the method that ends there, with *t
 * moved to the root of phi. Where such a step fails, or the root is double, that of dense output. */
static dae_status locate(struct dae_watcher *w, const dae_root *r, double *t)
{
    const dae_solver *s = w->solver;
    const double h = s->t - s->t_old, last = SAME_TIME / 8 * fmax(fabs(r->t), h);
    double slope = 0, correction = 0;
    dae_status status = DAE_OK;
    *t = r->t;
    if (w->locator && *t > s->t_old && *t < s->t)
        status = slope_at(w, r->which, *t, &slope);
    for (int k = 0; slope != 0 && !status && k < CORRECTIONS; k++) {
        if (step_to(w, *t, w->u))
            break;
        status = w->watch.values(w->watch.context, *t, w->u, w->g, w->report);
        const double d = -w->g[r->which] / slope;
        if (status || !(fabs(d) > last) || k + 1 == CORRECTIONS
            || !(fabs(correction + d) < h / 8) || !(*t + d > s->t_old && *t + d < s->t))
            return status;
        correction += d;
        *t += d;
    }
    return status ? status : dae_solver_interpolate(w->solver, *t, w->u);
}

/* Put the passages found by the method itself at the end of the step among the others, where the step
 * led that way. */
static dae_status add_own(struct dae_watcher *w, double a, double t)
{
    dae_roots *r = &w->roots;
    dae_status status = DAE_OK;
    if (w->found_own)
        status = w->watch.values(w->watch.context, a, w->solver->u_new, w->before, w->report);
    if (w->found_own && !status)
        status = w->watch.values(w->watch.context, t, w->solver->u, w->after, w->report);
    for (int i = 0; w->found_own && i < w->watch.count; i++) {
        const int sign = w->own[i];
        int known = !sign || !r->side[i] || (int)w->watch.direction[i] * sign < 0
                    || (w->after[i] - w->before[i]) * sign <= 0;
        for (int k = 0; k < r->roots; k++)
            if (r->root[k].which == i && t - r->root[k].t <= 1e-6 * (t - w->solver->t_old)) {
                r->root[k].t = t;
                known = 1;
            }
        if (!known && r->roots < r->room) {
            r->root[r->roots++] = (dae_root){.which = i, .direction = sign, .t = t};
            r->side[i] = sign;
        }
    }
    memset(w->own, 0, (size_t)w->watch.count * sizeof *w->own);
    w->found_own = 0;
    return status;
}

/* w->fired := the roots that coincide with number first; the number of the next. */
static int coincide(struct dae_watcher *w, int first)
{
    const dae_solver *s = w->solver;
    const dae_roots *r = &w->roots;
    const double same = SAME_TIME * fmax(fabs(s->t), s->t - s->t_old);
    int k = first;
    memset(w->fired, 0, (size_t)w->watch.count * sizeof *w->fired);
    for (; k < r->roots && r->root[k].t - r->root[first].t <= same; k++)
        w->fired[r->root[k].which] = r->root[k].direction;
    return k;
}

static dae_status stop_at(struct dae_watcher *w, double t_event, double *t, const double **u)
{
    const dae_status status =
        w->watch.values(w->watch.context, t_event, w->u, w->stopped, w->report);
    *t = t_event;
    *u = w->u;
    return status ? status : dae_fail(w->report, DAE_EVENT, "t = %.17g: stopped by an event", t_event);
}

dae_status dae_watch_step(dae_solver *s, int closed, double *t, const double **u)
{
    struct dae_watcher *w = s->watcher;
    const double a = s->t_old, b = s->t;
    dae_status status = DAE_OK;
    if (w->fresh)
        status = dae_watch_find_sides(w, a);
    double at = a;
    w->unresolved = 0;
    const int leaving = dae_watch_leave_zero(w, a, b, &at, &status);
    w->fresh = 0;
    if (leaving && w->watch.happened(w->watch.context, at, w->u, w->fired))
        return stop_at(w, at, t, u);
    if (!status)
        status = dae_roots_find(&w->roots, a, b, closed);
    if (!status)
        status = add_own(w, a, b);
    if (status)
        return status;
    for (int k = 0, next; k < w->roots.roots; k = next) {
        status = locate(w, &w->roots.root[k], &at);
        if (status)
            return status;
        next = coincide(w, k);
        if (w->watch.happened(w->watch.context, at, w->u, w->fired))
            return stop_at(w, at, t, u);
    }
    return DAE_OK;
}
