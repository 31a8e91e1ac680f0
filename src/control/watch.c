/* watch.c - a solver that watches functions of its state: what belongs to it, its start, and the cap
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
static const double LEAST_STEPS = 1024 * DBL_EPSILON;   /* of t, that a cap makes */

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

dae_status dae_watch_sample(void *context, double t, double *g)
{
    struct dae_watcher *w = context;
    const dae_status status = dae_solver_interpolate(w->solver, t, w->u);
    return status ? status : w->watch.values(w->watch.context, t, w->u, g, w->report);
}

static int allocate(struct dae_watcher *w, const dae_solver *s)
{
    const size_t m = (size_t)w->watch.count, n = (size_t)s->n;
    w->g = calloc(6 * m + 3 * n, sizeof *w->g);
    w->fired = calloc(7 * m, sizeof *w->fired);
    if (!w->g || !w->fired || dae_roots_create(&w->roots, w->watch.count))
        return 0;
    w->after = w->g + m;
    w->before = w->after + m;
    w->when = w->before + m;
    w->stopped = w->when + m;
    w->near = w->stopped + m;
    w->u = w->near + m;
    w->du = w->u + n;
    w->ddu = w->du + n;
    w->own = w->fired + m;
    w->ignore = w->own + m;
    w->left = w->ignore + m;
    w->set_out = w->left + m;
    w->late = w->set_out + m;
    w->heading = w->late + m;
    w->roots.direction = w->watch.direction;
    w->roots.values = dae_watch_sample;
    w->roots.context = w;
    return 1;
}

static dae_status check_watch(dae_solver *s, const dae_watch *watch)
{
    if (!watch || watch->count < 0)
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "to watch takes a record of functions, not %s",
                        watch ? "fewer than none" : "NULL");
    if (watch->count && (!watch->values || !watch->happened || !watch->direction))
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "to watch %d functions takes their %s",
                        watch->count, !watch->values ? "values" : !watch->happened ? "happened"
                        : "direction");
    for (int i = 0; i < watch->count; i++)
        if ((int)watch->direction[i] < DAE_FALLING || (int)watch->direction[i] > DAE_RISING)
            return dae_fail(&s->report, DAE_BAD_ARGUMENT, "function %d has the direction %d, not -1, "
                            "0 or 1", i + 1, (int)watch->direction[i]);
    return DAE_OK;
}

dae_status dae_solver_watch(dae_solver *s, const dae_watch *watch)
{
    if (!s)
        return DAE_BAD_ARGUMENT;
    const dae_status checked = check_watch(s, watch);
    if (checked)
        return checked;
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
    const dae_status status = s->method->watch ? s->method->watch(s)
                              : dae_solver_create(&w->locator, s->sys, s->method, &s->options,
                                                  &s->report);
    if (status) {
        dae_watcher_free(w);
        s->watcher = NULL;
    }
    return status;
}

/* ---- start -------------------------------------------------------------------------------- */

void dae_watch_ignore(dae_solver *s, const int *fired, const double *stopped)
{
    struct dae_watcher *w = s->watcher;
    if (!w)
        return;
    memcpy(w->ignore, fired, (size_t)w->watch.count * sizeof *fired);
    memcpy(w->stopped, stopped, (size_t)w->watch.count * sizeof *stopped);
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
 * zero, turns back; 1 where there is none. Where c is near zero its own root is not meant. */
static double first_passage(double a, double b, double c, int direction)
{
    const double least = c != 0 ? 1e-3 : 0, square = b * b - 4 * a * c, turn = -b / (2 * a);
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
        const double c = fabs(w->g[i]) > w->roots.noise[i] ? w->g[i] : 0;
        *part = fmin(*part, first_passage(a, b, c, w->watch.direction[i]));
    }
    return status;
}

double dae_watch_cap(dae_solver *s, double h)
{
    struct dae_watcher *w = s->watcher;
    const dae_report report = s->report;
    dae_derivative_at(s, s->t, s->u, w->du);
    const double least = fmax(LEAST_STEPS * fabs(s->t), DBL_EPSILON * h);
    while (h > least) {
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
