/* watch.c - events in the driver: passages of g_i(t, u(t)) through zero, located after each step
 *
 * Detection: on the dense output of the step (roots.h). Location: t* is the root on the dense output,
 * corrected to the root of
 *
 *     phi(t) = g_i(t, u(t)),   u(t) the end of one step of the method from t_old to t,
 *
 * by the secant method, for dense output is often of lower order than the step. The state at the
 * event is u(t*). Hairer, Norsett, Wanner (1993), Solving ODEs I, II.6; Shampine, Gladwell, Brankin
 * (1991), ACM Trans. Math. Softw. 17, 11-25.
 *
 * Cap: where the parabola through g_i at t - h/8, t, t + h/8, with u from its Taylor polynomial,
 * passes zero in (t, t + h), or comes to its extremum towards zero there, the step goes little
 * farther: a long step of a smooth solution would see nothing of a short visit behind zero.
 */
#include "control/watch.h"

#include "control/derivative.h"
#include "numbers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double START_ERRORS = 64 * DBL_EPSILON;    /* of the state that a run goes on from */
static const double SAME_TIME = 32 * DBL_EPSILON;
enum { CORRECTIONS = 6, PROBES = 11, SHRINKS = 6 };

/* ---- creation ----------------------------------------------------------------------------- */

void dae_watcher_free(struct dae_watcher *w)
{
    if (!w)
        return;
    dae_roots_free(&w->roots);
    dae_solver_free(w->locator);
    free(w->g);
    free(w->fired);
    free(w);
}

static dae_status sample(void *context, double t, double *g)
{
    struct dae_watcher *w = context;
    const dae_status status = dae_solver_interpolate(w->solver, t, w->u);
    return status ? status : w->watch.values(w->watch.context, t, w->u, g, w->report);
}

static int allocate(struct dae_watcher *w, const dae_solver *s)
{
    const size_t m = (size_t)w->watch.count, n = (size_t)s->n;
    w->g = calloc(3 * m + 3 * n, sizeof *w->g);
    w->fired = calloc(5 * m, sizeof *w->fired);
    if (!w->g || !w->fired || dae_roots_create(&w->roots, w->watch.count))
        return 0;
    w->after = w->g + m;
    w->before = w->after + m;
    w->u = w->before + m;
    w->du = w->u + n;
    w->ddu = w->du + n;
    w->own = w->fired + m;
    w->ignore = w->own + m;
    w->left = w->ignore + m;
    w->set_out = w->left + m;
    w->roots.direction = w->watch.direction;
    w->roots.values = sample;
    w->roots.context = w;
    return 1;
}

dae_status dae_solver_watch(dae_solver *s, const dae_watch *watch)
{
    dae_watcher_free(s->watcher);
    s->watcher = NULL;
    if (watch->count <= 0)
        return DAE_OK;
    if (!s->method->interpolate)
        return dae_fail(&s->report, DAE_UNSUPPORTED, "%s has no dense output to find events on",
                        s->method->info.name);
    struct dae_watcher *w = s->watcher = calloc(1, sizeof *w);
    if (w) {
        w->watch = *watch;
        w->solver = s;
        w->report = &s->report;
    }
    if (!w || !allocate(w, s)) {
        dae_watcher_free(w);
        s->watcher = NULL;
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory to watch %d events", watch->count);
    }
    if (s->method->watch)
        return s->method->watch(s);
    return dae_solver_create(&w->locator, s->sys, s->method, &s->options, &s->report);
}

/* ---- start -------------------------------------------------------------------------------- */

void dae_watch_ignore(dae_solver *s, const int *fired)
{
    if (s->watcher)
        memcpy(s->watcher->ignore, fired, (size_t)s->watcher->watch.count * sizeof *fired);
}

dae_status dae_watch_noise(const dae_watch *watch, int n, double t, const double *u, double part,
                           double *u_work, double *g_work, double *noise, dae_report *report)
{
    uint64_t random = 1;
    const double least = 1e-3 * dae_largest(n, u);
    dae_status status = watch->values(watch->context, t, u, noise, report);
    for (int i = 0; !status && i < watch->count; i++) {
        g_work[i] = noise[i];
        noise[i] = 0;
    }
    double *g = g_work + watch->count;
    for (int try = 0; !status && try < 2; try++) {
        for (int i = 0; i < n; i++)
            u_work[i] = u[i] + part * dae_random_direction(&random) * (fabs(u[i]) + least);
        status = watch->values(watch->context, t * (1 + part), u_work, g, report);
        for (int i = 0; !status && i < watch->count; i++)
            noise[i] = fmax(noise[i], 2 * fabs(g[i] - g_work[i]));
    }
    return status;
}

dae_status dae_watch_start(dae_solver *s)
{
    struct dae_watcher *w = s->watcher;
    const size_t m = (size_t)w->watch.count;
    w->fresh = 1;
    w->found_own = 0;
    memset(w->ignore, 0, m * sizeof *w->ignore);
    memset(w->own, 0, m * sizeof *w->own);
    dae_status status = dae_watch_noise(&w->watch, s->n, s->t, s->u, START_ERRORS, w->u, w->g,
                                        w->roots.noise, w->report);
    if (status || !s->adaptive)
        return status;
    const double later = START_ERRORS * fabs(s->t);     /* errors in t count as those of u do */
    dae_derivative_at(s, s->t, s->u, w->du);
    for (int i = 0; i < s->n; i++)
        w->u[i] = s->u[i] + later * w->du[i];
    status = w->watch.values(w->watch.context, s->t + later, w->u, w->after, w->report);
    for (size_t i = 0; !status && i < m; i++)
        w->roots.noise[i] = fmax(w->roots.noise[i], 2 * fabs(w->after[i] - w->g[i])) + DBL_MIN;
    return status;
}

/* ---- after a step ------------------------------------------------------------------------- */

/* At the first step: on which side of zero the functions are. Dense output may begin a little beside
 * the state. */
static dae_status find_sides(struct dae_watcher *w, double a)
{
    double *noise = w->roots.noise;
    dae_status status = w->watch.values(w->watch.context, a, w->solver->u_new, w->g, w->report);
    if (!status)
        status = sample(w, a, w->after);
    for (int i = 0; !status && i < w->watch.count; i++) {
        const double g = w->g[i];
        noise[i] = fmax(noise[i], 2 * fabs(w->after[i] - g));
        w->roots.side[i] = fabs(g) <= noise[i] ? 0 : g > 0 ? 1 : -1;
    }
    return status;
}

/* w->set_out := the signs of the derivatives of the functions, from w->g at a, along u'(a), in h. */
static dae_status set_out(struct dae_watcher *w, double a, double h)
{
    dae_solver *s = w->solver;
    dae_derivative_at(s, a, s->u_new, w->du);
    for (int i = 0; i < s->n; i++)
        w->u[i] = s->u_new[i] + h * w->du[i];
    const dae_status status = w->watch.values(w->watch.context, a + h, w->u, w->after, w->report);
    for (int i = 0; !status && i < w->watch.count; i++)
        w->set_out[i] = (w->after[i] > w->g[i]) - (w->after[i] < w->g[i]);
    return status;
}

/* w->left := the sign with which each function at zero at a leaves it; 0: it does not, before b. */
static dae_status find_leaving(struct dae_watcher *w, double a, double b)
{
    dae_status status = DAE_OK;
    int undecided = 1;
    memset(w->left, 0, (size_t)w->watch.count * sizeof *w->left);
    for (int k = PROBES; undecided && k >= 0 && !status; k--) {
        status = sample(w, a + ldexp(b - a, -2 * k), w->after);
        undecided = 0;
        for (int i = 0; !status && i < w->watch.count; i++) {
            const double g = w->after[i];
            if (w->roots.side[i] == 0 && !w->left[i] && fabs(g) > w->roots.noise[i])
                w->left[i] = g > 0 ? 1 : -1;
            undecided += w->roots.side[i] == 0 && !w->left[i];
        }
    }
    return status;
}

/* w->fired := functions at zero at a that leave it in their direction, and have not just happened; or
 * have, but set out the other way: the flight between is below what the state resolves. How many. */
static int leave_zero(struct dae_watcher *w, double a, double b, dae_status *status)
{
    int zeros = 0, leaving = 0;
    memset(w->fired, 0, (size_t)w->watch.count * sizeof *w->fired);
    for (int i = 0; i < w->watch.count; i++)
        zeros += w->roots.side[i] == 0 && w->watch.direction[i] != DAE_ANY;
    if (!zeros || *status)
        return 0;
    if (w->fresh)
        *status = set_out(w, a, (b - a) / 8);
    if (!*status)
        *status = find_leaving(w, a, b);
    for (int i = 0; !*status && i < w->watch.count; i++) {
        const int d = (int)w->watch.direction[i], across = d != DAE_ANY && w->left[i] == d;
        if (across && (!w->ignore[i] || w->set_out[i] == -d))
            leaving += (w->fired[i] = d) != 0;
    }
    return leaving;
}

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
    dae_status status = sample(w, left, w->g);
    if (!status)
        status = sample(w, right, w->after);
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
        int known = !sign || !r->side[i] || (w->after[i] - w->before[i]) * sign <= 0;
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
    *t = t_event;
    *u = w->u;
    return dae_fail(w->report, DAE_EVENT, "t = %.17g: stopped by an event", t_event);
}

dae_status dae_watch_step(dae_solver *s, int closed, double *t, const double **u)
{
    struct dae_watcher *w = s->watcher;
    const double a = s->t_old, b = s->t;
    dae_status status = DAE_OK;
    if (w->fresh)
        status = find_sides(w, a);
    const int leaving = status ? 0 : leave_zero(w, a, b, &status);
    w->fresh = 0;
    memcpy(w->u, s->u_new, (size_t)s->n * sizeof *w->u);
    if (leaving && w->watch.happened(w->watch.context, a, w->u, w->fired))
        return stop_at(w, a, t, u);
    if (!status)
        status = dae_roots_find(&w->roots, a, b, closed);
    if (!status)
        status = add_own(w, a, b);
    if (status)
        return status;
    for (int k = 0, next; k < w->roots.roots; k = next) {
        double at;
        status = locate(w, &w->roots.root[k], &at);
        if (status)
            return status;
        next = coincide(w, k);
        if (w->watch.happened(w->watch.context, at, w->u, w->fired))
            return stop_at(w, at, t, u);
    }
    return DAE_OK;
}

/* ---- before a step ------------------------------------------------------------------------ */

/* g at u(t + d) by the Taylor polynomial of degree 2, with u' and u'' in w->du, w->ddu */
static dae_status taylor(struct dae_watcher *w, double d, double *g)
{
    const dae_solver *s = w->solver;
    for (int i = 0; i < s->n; i++)
        w->u[i] = s->u[i] + d * (w->du[i] + d / 2 * w->ddu[i]);
    return w->watch.values(w->watch.context, s->t + d, w->u, g, w->report);
}

/* The first x in (least, 1) where a x^2 + b x + c passes zero in its direction, or, coming towards
 * zero, turns back; 1 where there is none. */
static double first_passage(double a, double b, double c, int direction)
{
    const double least = 1e-3, square = b * b - 4 * a * c, turn = -b / (2 * a);
    double first = 1;
    if (square < 0 && turn > least && c * direction <= 0)
        first = turn;
    if (square >= 0) {
        const double q = -(b + copysign(sqrt(square), b)) / 2, roots[2] = {q / a, c / q};
        for (int k = 0; k < 2; k++)
            if (roots[k] > least && roots[k] < first && (b + 2 * a * roots[k]) * direction >= 0)
                first = roots[k];
    }
    return fmin(first, 1);
}

/* The part of h to the first passage of any function, by the parabolas through g at -h/8, 0, h/8. */
static dae_status first_part(struct dae_watcher *w, double h, double *part)
{
    dae_solver *s = w->solver;
    const double d = h / 8;
    *part = 1;
    for (int i = 0; i < s->n; i++)
        w->u[i] = s->u[i] + d * w->du[i];
    dae_derivative_at(s, s->t + d, w->u, w->ddu);
    for (int i = 0; i < s->n; i++)
        w->ddu[i] = (w->ddu[i] - w->du[i]) / d;
    dae_status status = taylor(w, -d, w->before);
    if (!status)
        status = taylor(w, 0, w->g);
    if (!status)
        status = taylor(w, d, w->after);
    for (int i = 0; !status && i < w->watch.count; i++) {
        const double a = 32 * (w->after[i] - 2 * w->g[i] + w->before[i]);
        const double b = 4 * (w->after[i] - w->before[i]);
        *part = fmin(*part, first_passage(a, b, w->g[i], w->watch.direction[i]));
    }
    return status;
}

double dae_watch_cap(dae_solver *s, double h)
{
    struct dae_watcher *w = s->watcher;
    const dae_report report = s->report;
    dae_derivative_at(s, s->t, s->u, w->du);
    for (int k = 0; k < SHRINKS; k++) {
        double part;
        const dae_status status = first_part(w, h, &part);
        if (!status && part >= 0.125) {
            h *= fmin(1, 1.25 * part);
            break;
        }
        h /= 8;
    }
    s->report = report;
    return h;
}
