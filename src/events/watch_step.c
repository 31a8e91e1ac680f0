/* watch_step.c - events in the driver: passages of g_i(t, u(t)) through zero, located after each step
 *
 * Detection: on the dense output of the step (roots.h). Location: t* is the root on the dense output,
 * corrected to the root of
 *
 *     phi(t) = g_i(t, u(t)),   u(t) the end of one step of the method from t_old to t,
 *
 * by the secant method, for dense output is often of lower order than the step. The state at the
 * event is u(t*). Where the error test does not pass such a step it is made in 2, 4, ... equal ones.
 * Hairer, Norsett, Wanner (1993), Solving ODEs I, II.6; Shampine, Gladwell, Brankin (1991), ACM Trans.
 * Math. Softw. 17, 11-25.
 */
#include "watcher.h"

#include "bracket.h"
#include "projection/projection.h"
#include "stepper/output.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double SAME_TIME = 32 * DBL_EPSILON;
static const double STALLED = 1e-9;     /* of h: errors of phi, as those of Newton's iteration */
static const double NEARBY = 1e-6, BESIDE = 1e-4;       /* of h */
static const double AT_ZERO = 1e-3;     /* of g at the ends of the step */
enum { CORRECTIONS = 6, MOST_PARTS = 64 };

static int may_be_shorter(dae_status status)
{
    return status == DAE_ERROR_TEST || status == DAE_NO_CONVERGENCE || status == DAE_SINGULAR
           || status == DAE_NOT_FINITE;
}

/* From the begin of the last step to t, in w->parts equal steps; in twice as many if one is rejected. (A
 * shorter step may have a larger error: for u' = -L (u - f(t)) + f' errors are damped by large L h.) */
static dae_status step_to(struct dae_watcher *w, double t, double *u)
{
    const dae_solver *s = w->solver;
    for (;; w->parts *= 2) {
        const double h = (t - s->t_old) / w->parts;
        const double *begin = s->u_old;
        double a = s->t_old;
        dae_status status = DAE_OK;
        for (int k = 1; !status && k <= w->parts; k++) {
            const double b = k == w->parts ? t : s->t_old + k * h;
            status = driver(s)->step_to_event(w->solver, a, begin, b, u);
            begin = u;
            a = b;
        }
        if (!may_be_shorter(status) || 2 * w->parts > MOST_PARTS)
            return status;
    }
}

/* dg_i/dt at t by a difference on the dense output. */
static dae_status slope_at(struct dae_watcher *w, int i, double t, double *slope)
{
    const dae_solver *s = w->solver;
    const double d = 1e-4 * (s->t - s->t_old);
    const double left = fmax(driver(s)->t_from, t - d), right = fmin(s->t, t + d);
    dae_status status = dae_watch_sample(w, left, w->g);
    if (!status)
        status = dae_watch_sample(w, right, w->after);
    *slope = status ? 0 : (w->after[i] - w->g[i]) / (right - left);
    return status;
}

/* *g := phi(t) less the level of root r, u(t) in w->u; at the ends of the last step the solver's own states are
 * used. */
static dae_status end_at(struct dae_watcher *w, const dae_root *r, double t, double *g)
{
    const dae_solver *s = w->solver;
    const double *begin = w->longer ? driver(s)->shown : s->u_old;
    const double *end = t <= driver(s)->t_from ? begin : t >= s->t ? s->u : NULL;
    if (end)
        memcpy(w->u, end, (size_t)s->n * sizeof *end);
    dae_status status = end ? DAE_OK : step_to(w, t, w->u);
    if (!status)
        status = w->watch.values(w->watch.context, t, w->u, w->g, w->report);
    *g = w->g[r->which] - r->level;
    return status;
}

typedef struct {
    struct dae_watcher *w;
    const dae_root *root;
} one;

static dae_status phi(void *context, double t, double *g)
{
    const one *f = context;
    return end_at(f->w, f->root, t, g);
}

/* The root of phi nearest to that of dense output, by bracketing: where g_i is discontinuous, or so nonlinear
 * that the secant method fails. w->u is a state just past it. DAE_NO_CONVERGENCE where there is none near. */
static dae_status bracket(struct dae_watcher *w, const dae_root *r, double *t)
{
    const dae_solver *s = w->solver;
    one f = {w, r};
    double here = r->t, g_here, there = here, g_there;
    dae_status status = phi(&f, here, &g_here);
    const int behind = g_here * r->direction > 0;
    g_there = g_here;
    for (double d = NEARBY * (s->t - s->t_old); !status; d *= 4) {
        if ((g_there * r->direction > 0) != behind)
            break;
        if (behind ? there <= driver(s)->t_from : there >= s->t)
            return DAE_NO_CONVERGENCE;
        here = there;
        g_here = g_there;
        there = behind ? fmax(here - d, driver(s)->t_from) : fmin(here + d, s->t);
        status = phi(&f, there, &g_there);
    }
    if (!status && behind)
        status = dae_bracket_zero(phi, &f, s->t - s->t_old, there, g_there, here, g_here, t);
    else if (!status)
        status = dae_bracket_zero(phi, &f, s->t - s->t_old, here, g_here, there, g_there, t);
    return status ? status : phi(&f, *t, &g_here);
}

/* From root r of the dense output: *t := the root of phi, w->u := the state there. Where a step of the method
 * fails, or the root is double, root and state of the dense output. */
static dae_status locate(struct dae_watcher *w, const dae_root *r, double *t)
{
    const dae_solver *s = w->solver;
    const double h = s->t - s->t_old, last = SAME_TIME / 8 * fmax(fabs(r->t), h);
    double slope = 0, g = 0, before = INFINITY;
    dae_status status = DAE_OK;
    *t = r->t;
    w->parts = 1;
    if (driver(s)->step_to_event && !w->behind[r->which] && *t > driver(s)->t_from && *t < s->t)
        status = slope_at(w, r->which, *t, &slope);
    for (int k = 0; slope != 0 && r->level == 0 && !status && k < CORRECTIONS; k++) {
        if (end_at(w, r, *t, &g))
            break;
        const double d = -g / slope;
        const int small = fabs(d) <= STALLED * h + last, at_last = k + 1 == CORRECTIONS;
        if (!(fabs(d) > last) || (small && at_last))
            return DAE_OK;
        if (at_last || !(small || fabs(g) < before / 2) || !(fabs(*t + d - r->t) < h / 8)
            || !(*t + d > driver(s)->t_from && *t + d < s->t))
            break;
        before = fabs(g);
        *t += d;
    }
    if (slope != 0 && !status && !bracket(w, r, t))
        return DAE_OK;
    *t = r->t;
    return status ? status : dae_driver_interpolate(w->solver, *t, w->u);
}

/* Insert the events of w->late among the roots, in the order of time. */
static void add_late(struct dae_watcher *w)
{
    dae_roots *r = &w->roots;
    for (int i = 0; i < w->watch.count && r->roots < r->room; i++) {
        int k = w->late[i] ? r->roots++ : 0;
        for (; k > 0 && r->root[k - 1].t > w->when[i]; k--)
            r->root[k] = r->root[k - 1];
        if (w->late[i])
            r->root[k] = (dae_root){.which = i, .direction = w->late[i], .t = w->when[i]};
    }
}

/* 1 where g_i is zero at t to 32 units of rounding of the unknowns, which half of its noise stands for. */
static int is_zero_at(struct dae_watcher *w, int i, double t, dae_status *status)
{
    *status = dae_watch_noise_of_run(w, t);
    if (!*status)
        *status = dae_watch_sample(w, t, w->after);
    return !*status && fabs(w->after[i]) <= w->here[i] / 2;
}

/* The number of the first root behind number first that is not at the same time: to 32 units of rounding of the time,
 * or of the unknowns. */
static int next_time(struct dae_watcher *w, int first, dae_status *status)
{
    const dae_solver *s = w->solver;
    const dae_root *root = w->roots.root;
    const double begin = root[first].t, h = s->t - s->t_old, same = SAME_TIME * fmax(fabs(s->t), h);
    int k = first + 1;
    for (; k < w->roots.roots && !*status; k++) {
        const double apart = root[k].t - begin;
        const int i = root[k].which;
        if (apart > same && (w->late[i] || root[k].level != 0 || apart > BESIDE * h || !is_zero_at(w, i, begin, status)
                             || !is_zero_at(w, i, begin + apart / 2, status)))
            break;
    }
    return k;
}

/* w->fired := the roots at the same time as number first; returns the number of the next one. */
static int coincide(struct dae_watcher *w, int first, dae_status *status)
{
    const dae_roots *r = &w->roots;
    const int next = next_time(w, first, status);
    int k = first;
    memset(w->fired, 0, (size_t)w->watch.count * sizeof *w->fired);
    for (; k < next; k++)
        if (r->root[k].direction)
            w->fired[r->root[k].which] = r->root[k].direction;
    for (int i = 0; i < w->watch.count; i++)
        w->crossed[i] = w->fired[i] && !w->late[i];
    return k;
}

/* 1 where function r->which has the value g at the state w->du at t, and is past its root there, although on
 * the dense output (w->after at t) the root is later. */
static int passed(struct dae_watcher *w, const dae_root *r, double t, double g, dae_status *status)
{
    const int i = r->which, d = r->direction;
    const double late = w->after[i], noise = w->here[i] / 2;        /* a restart may find less of it */
    if (!(d * g > noise || (w->watch.direction[i] == DAE_ANY && r->level == 0 && d * g >= -noise)))
        return 0;
    if (r->t <= t)
        return 1;
    if (d * late > 0)                               /* it has to turn before */
        return 0;
    *status = dae_watch_sample(w, t + (r->t - t) / 2, w->before);
    return !*status && fabs(w->before[i]) <= fmax(fabs(late), fabs(g));
}

/* Add to w->fired the functions whose next root, from number next on, has been passed by the state w->u at t.
 * Within the errors of the step they are at the same time, and would be missed after a restart. The direction
 * of these roots is set to 0. */
static dae_status overtake(struct dae_watcher *w, int next, double t)
{
    dae_roots *r = &w->roots;
    if (!driver(w->solver)->step_to_event || next >= r->roots)
        return DAE_OK;
    memcpy(w->du, w->u, (size_t)w->solver->n * sizeof *w->u);
    dae_status status = w->watch.values(w->watch.context, t, w->du, w->g, w->report);
    if (!status)
        status = dae_watch_sample(w, t, w->after);
    if (!status)
        status = dae_watch_noise_here(w, t);
    for (int i = 0; !status && i < w->watch.count; i++) {
        int k = next;
        while (k < r->roots && (r->root[k].which != i || !r->root[k].direction))
            k++;
        if (k < r->roots && !w->fired[i] && passed(w, &r->root[k], t, w->g[i], &status)) {
            w->fired[i] = r->root[k].direction;
            r->root[k].direction = 0;
        }
    }
    memcpy(w->u, w->du, (size_t)w->solver->n * sizeof *w->u);
    return status;
}

/* For functions of w->behind whose crossing was found after the event at t: if dg_i/dt at t has the sign of
 * their event, they are added to w->fired, else to w->pending, and count as zero after a restart. Events that
 * have happened at this same time before the run continued are pending, too. */
static dae_status settle_behind(struct dae_watcher *w, double t)
{
    dae_status status = DAE_OK;
    int behind = 0;
    for (int i = 0; i < w->watch.count; i++) {
        w->pending[i] = w->behind[i] && !w->fired[i];
        behind |= w->pending[i];
        w->pending[i] |= t == w->t_begin && w->ignore[i] && !w->fired[i];
    }
    if (!behind)
        return DAE_OK;
    memcpy(w->end, w->u, (size_t)w->solver->n * sizeof *w->u);
    for (int i = 0; !status && i < w->watch.count; i++)
        if (w->behind[i] && w->pending[i] && dae_watch_heads_across(w, i, t, &status)) {
            w->fired[i] = (int)w->watch.direction[i];
            w->pending[i] = 0;
        }
    memcpy(w->u, w->end, (size_t)w->solver->n * sizeof *w->u);
    return status;
}

/* w->was := the sides behind the first count roots, from those at the begin of the search. */
static void find_was(struct dae_watcher *w, int count)
{
    for (int k = 0; k < count; k++)
        if (w->roots.root[k].direction)
            w->was[w->roots.root[k].which] = w->roots.root[k].direction;
}

/* An event ends the run at t_event. w->stopped := g there, or 0 where that is not near zero (a function
 * with a jump). */
static dae_status stop_at(struct dae_watcher *w, double t_event, double *t, const double **u)
{
    const dae_solver *s = w->solver;
    dae_status status = dae_watch_find_carried(w, t_event);
    if (!status)
        status = w->watch.values(w->watch.context, t_event, w->u, w->stopped, w->report);
    if (!status)
        status = w->watch.values(w->watch.context, s->t_old, s->u_old, w->before, w->report);
    if (!status)
        status = w->watch.values(w->watch.context, s->t, s->u, w->after, w->report);
    for (int i = 0; !status && i < w->watch.count; i++) {
        w->near[i] = AT_ZERO * fmax(fabs(w->before[i]), fabs(w->after[i]));
        if (fabs(w->stopped[i]) > w->near[i])
            w->stopped[i] = 0;
    }
    for (int i = 0; i < w->watch.count; i++)
        w->ended[i] = w->fired[i] || w->pending[i];
    w->t_event = t_event;
    w->leg = t_event > w->t_begin ? t_event - w->t_begin : w->leg;
    w->t_end = s->t;
    memcpy(w->end, s->u, (size_t)s->n * sizeof *s->u);
    w->cut = 1;
    *t = t_event;
    *u = w->u;
    return status ? status : dae_fail(w->report, DAE_EVENT, "t = %.17g: stopped by an event", t_event);
}

dae_status dae_watch_interpolate(dae_solver *s, double t, double *u)
{
    struct dae_watcher *w = driver(s)->watcher;
    double *const u_event = s->u;
    const double t_event = s->t;
    s->u = w->end;
    s->t = w->t_end;
    dae_status status = s->method->refine ? s->method->refine(s) : DAE_OK;
    if (!status)
        status = s->method->interpolate(s, t, u);
    s->u = u_event;
    s->t = t_event;
    return status;
}

/* If the last step was repeated with a larger size, only its new part is searched, from the state reported at
 * t_from. */
static dae_status begin_search(struct dae_watcher *w)
{
    dae_solver *s = w->solver;
    w->longer = driver(s)->t_from > s->t_old;
    const dae_status status = w->longer ? dae_driver_interpolate(s, driver(s)->t_from, w->beside) : DAE_OK;
    for (int i = 0; w->longer && i < s->n; i++)
        w->beside[i] = driver(s)->shown[i] - w->beside[i];
    return status ? status : dae_watch_step_noise(w);
}

dae_status dae_watch_step(dae_solver *s, int closed, double *t, const double **u)
{
    struct dae_watcher *w = driver(s)->watcher;
    const double a = driver(s)->t_from, b = s->t;
    dae_status status = begin_search(w);
    if (!status && w->fresh)
        status = dae_watch_find_sides(w, a);
    if (!status && w->fresh)
        status = dae_watch_let_pass(w, a, w->solver->u_old);
    double at = a;
    w->unresolved = 0;
    const int leaving = status ? 0 : dae_watch_leave_zero(w, a, b, &status);
    w->fresh = 0;
    memcpy(w->was, w->roots.side, (size_t)w->watch.count * sizeof *w->was);
    if (leaving && (status = settle_behind(w, a)) == DAE_OK
        && w->watch.happened(w->watch.context, a, w->u, w->fired))
        return stop_at(w, a, t, u);
    if (!status)
        status = dae_roots_find(&w->roots, a, b, closed);
    if (status)
        return status;
    add_late(w);
    for (int k = 0, next; k < w->roots.roots; k = next) {
        next = k + 1;
        if (!w->roots.root[k].direction)
            continue;
        status = locate(w, &w->roots.root[k], &at);
        memcpy(w->end, w->u, (size_t)s->n * sizeof *w->u);
        if (!status)
            next = coincide(w, k, &status);
        memcpy(w->u, w->end, (size_t)s->n * sizeof *w->u);
        if (!status)
            status = overtake(w, next, at);
        if (!status)
            status = settle_behind(w, at);
        if (status)
            return status;
        for (int i = 0; i < w->watch.count; i++)
            w->unresolved |= w->fired[i] && w->behind[i];
        if (w->watch.happened(w->watch.context, at, w->u, w->fired)) {
            find_was(w, k);
            return stop_at(w, at, t, u);
        }
        for (int i = 0; i < w->watch.count; i++)
            w->behind[i] = w->behind[i] && !w->fired[i];
        w->unresolved = 0;
    }
    return DAE_OK;
}
