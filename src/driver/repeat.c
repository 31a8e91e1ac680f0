/* repeat.c - is the growth of a numerical solution that of the exact solution?
 *
 * With steps that are too large an unstable method lets a solution grow by many orders of magnitude, and an
 * unstable equation amplifies errors of the size of the tolerance. But exact solutions grow, too: u' = u by
 * four orders of magnitude in ten units of time. So where a differential unknown has grown to 10^6 times its
 * initial size, the run is repeated by a second solver, with half the step size or a hundredth of the
 * tolerances. If the two solutions differ by more than half of an unknown, the run has failed.
 *
 * Rest tells no size: what starts at 0 is within its tolerance, and grows from there as forces drive it, by powers of
 * time. Its size is that up to which it has done so; errors grow exponentially, and so faster than POWER at some time.
 *
 * An unknown that comes down again within one advance is compared where it was largest, for others may have been
 * spoilt by it. A narrow peak may come a little later in one run than in the other: there heights have to differ, too.
 * Errors have grown as far before, from the tolerance, and so at about the same rate: what takes a quarter of the time
 * and less for the second factor of 10^3, as the jumps of Van der Pol's equation, grows by itself.
 *
 * The second solver is created at the first such growth, and then follows the run.
 */
#include "repeat.h"

#include "noise.h"
#include "other.h"
#include "base/statistics.h"
#include "base/zeroed.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double GROWN = 1e6, BETTER = 1e-2, LEAST_RTOL = 1e-13;
static const double POWER = 8;

struct dae_repeat {
    double t;                   /* where the run began, ... */
    double *start;              /* [n] ... and its state */
    double *size;               /* [n] initial magnitudes of the unknowns; 0: not known, not compared */
    double *u;                  /* [n] of the second solver; NULL: there was none yet */
    double seen_at;             /* when t - r->t had doubled last; 0: not yet */
    double *seen;               /* [n] what started at 0, then; INFINITY: has another start, or grew faster */
    double *top;                /* [n] of the second solver's: the largest magnitudes at steps; else NULL */
    float *small, *middle;      /* [n] t - r->t when magnitudes were last at most the size, and 10^3 times as much */
    double highest;             /* of them against the size, GROWN at least; it was ... */
    double peak_t, peak_u;      /* ... u_i = peak_u at peak_t */
    int peak;                   /* i; -1: it has been looked at, or there is none */
    dae_solver *again;
    int begun;
};

static dae_status no_memory(dae_solver *s)
{
    return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
}

dae_status dae_repeat_create(dae_solver *s)
{
    dae_repeat *r = driver(s)->repeat = dae_zeroed(1, sizeof *r);
    if (r)
        r->start = dae_zeroed(4 * (size_t)s->n, sizeof *r->start);
    if (!r || !r->start)
        return no_memory(s);
    r->size = r->start + s->n;
    r->seen = r->size + s->n;
    r->small = (float *)(r->seen + s->n);
    r->middle = r->small + s->n;
    return DAE_OK;
}

void dae_repeat_free(dae_repeat *r)
{
    if (!r)
        return;
    dae_driver_free(r->again);
    free(r->u);
    free(r->top);
    free(r->start);
    free(r);
}

/* The size of an unknown: that of its start, or where its tolerance becomes an absolute one. */
void dae_repeat_start(dae_solver *s)
{
    dae_repeat *r = driver(s)->repeat;
    const double rtol = s->options.rtol;
    if (!r)
        return;
    r->t = s->t;
    r->begun = 0;
    r->seen_at = 0;
    r->highest = GROWN;
    r->peak = -1;
    memcpy(r->start, s->u, (size_t)s->n * sizeof *r->start);
    for (int i = 0; i < s->n; i++) {
        r->size[i] = dae_system_is_algebraic(s->sys, i) ? 0
                     : fmax(fabs(s->u[i]), rtol > 0 ? s->atol[i] / rtol : 0);
        r->seen[i] = r->size[i] > fabs(s->u[i]) ? 0 : INFINITY;
        r->small[i] = r->middle[i] = 0;
        if (r->top)
            r->top[i] = 0;
    }
}

/* Sizes of what starts at rest, as t - r->t doubles */
static void learn_sizes(dae_solver *s)
{
    dae_repeat *r = driver(s)->repeat;
    const double since = s->t - r->t;
    if (since < 2 * r->seen_at)
        return;
    const double most = r->seen_at > 0 ? pow(since / r->seen_at, POWER) : INFINITY;
    for (int i = 0; i < s->n; i++) {
        const double x = fabs(s->u[i]);
        if (r->seen[i] > 0 && x > most * r->seen[i])
            r->seen[i] = INFINITY;
        if (!(r->seen[i] < INFINITY))
            continue;
        r->seen[i] = x;
        r->size[i] = fmax(r->size[i], x);
    }
    r->seen_at = since;
}

/* Does u_i, beyond GROWN times its size, grow as an error does? */
static int grows_evenly(dae_repeat *r, float since, int i)
{
    if (since - r->middle[i] < (r->middle[i] - r->small[i]) / 4)
        r->small[i] = -INFINITY;                        /* until it is small again */
    return r->small[i] > -INFINITY;
}

void dae_repeat_kept(dae_solver *s)
{
    dae_repeat *r = driver(s)->repeat;
    const float since = (float)(s->t - r->t);
    if (s->adaptive)
        learn_sizes(s);
    for (int i = 0; i < s->n; i++) {
        const double x = fabs(s->u[i]), size = r->size[i];
        if (r->top)
            r->top[i] = fmax(r->top[i], x);
        if (x <= size)
            r->small[i] = since;
        if (x * x <= GROWN * size * size)
            r->middle[i] = since;
        if (!(size > 0 && x / r->highest > size) || !grows_evenly(r, since, i))
            continue;
        r->highest = x / size;
        r->peak_t = s->t;
        r->peak_u = s->u[i];
        r->peak = i;
    }
}

static int has_grown(const dae_solver *s, int i)
{
    const double size = driver(s)->repeat->size[i];
    return size > 0 && fabs(s->u[i]) / GROWN > size;
}

static dae_status create_again(dae_solver *s, const dae_method *method)
{
    dae_repeat *r = driver(s)->repeat;
    dae_options o = s->options;
    if (!r->u)
        r->u = dae_zeroed((size_t)s->n, sizeof *r->u);
    if (!r->u)
        return no_memory(s);
    o.step /= 2;
    o.max_steps = o.max_steps < LONG_MAX / 2 ? 2 * o.max_steps : LONG_MAX;
    if (s->adaptive) {
        o.rtol = fmax(o.rtol * BETTER, fmin(o.rtol, LEAST_RTOL));
        for (int i = 0; i < s->n; i++)
            r->u[i] = s->atol[i] * BETTER;
        o.atols = r->u;
    }
    const dae_status status = dae_driver_create(&r->again, s->sys, method, &o, &s->report);
    if (status)
        return status;
    driver(r->again)->repeat->top = dae_zeroed((size_t)s->n, sizeof *r->u);     /* once is enough: it repeats nothing */
    if (!driver(r->again)->repeat->top) {
        dae_driver_free(r->again);
        r->again = NULL;
        return no_memory(s);
    }
    dae_noise_free(driver(r->again)->noise);
    driver(r->again)->noise = NULL;
    return DAE_OK;
}

/* The second solver, of this method where it is new, to t; its state in r->u */
static dae_status follow_by(dae_solver *s, const dae_method *method, double t)
{
    dae_repeat *r = driver(s)->repeat;
    dae_status status = r->again ? DAE_OK : create_again(s, method);
    if (!status && !r->begun) {
        status = dae_driver_start(r->again, r->t, r->start);
        r->begun = !status;
    }
    if (status)
        return status;
    const dae_statistics before = r->again->count;
    status = dae_driver_advance(r->again, t, r->u);
    dae_statistics_add_work(&s->count, &before, &r->again->count);
    return status;
}

/* The second solver to t. A method that lets errors grow may not come through with smaller tolerances: then the judge
 * of other.h follows. */
static dae_status follow(dae_solver *s, double t)
{
    dae_repeat *r = driver(s)->repeat;
    const dae_status status = follow_by(s, s->method, t);
    if (!status || status == DAE_NO_MEMORY || !s->adaptive || !r->again || r->again->method == dae_other_judge())
        return status;
    dae_driver_free(r->again);
    r->again = NULL;
    r->begun = 0;
    return follow_by(s, dae_other_judge(), t);
}

/* u_i = x at t, and y of the second solver */
static dae_status tell(dae_solver *s, double t, int i, double x, double y)
{
    char name[32], unit[32], better[64];
    const dae_method *again = driver(s)->repeat->again->method;
    dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
    snprintf(better, sizeof better, s->adaptive ? "tolerances of a hundredth" : "half the step");
    return dae_fail(&s->report, DAE_ERROR_TEST, "t = %.9g: row %d (%s) has grown to %.3g, and with "
                    "%s%s%s it is %.3g: the error exceeds the solution", t, i + 1, name, x, better,
                    again == s->method ? "" : " by ", again == s->method ? "" : again->info.name, y);
}

static int differ(double x, double y)
{
    return !(fabs(x - y) <= fmax(fabs(x), fabs(y)) / 2);
}

/* What has grown and come down again before s->t. *other: of the second solver, DAE_OK where it was not asked */
static dae_status check_peak(dae_solver *s, dae_status *other)
{
    dae_repeat *r = driver(s)->repeat;
    const int i = r->peak;
    r->peak = -1;
    if (i < 0 || !(r->peak_t < s->t) || (*other = follow(s, r->peak_t)))
        return DAE_OK;
    const double y = r->u[i];
    if (!differ(r->peak_u, y) || (*other = follow(s, s->t))
        || !differ(fabs(r->peak_u), driver(r->again)->repeat->top[i]))
        return DAE_OK;
    return tell(s, r->peak_t, i, r->peak_u, y);
}

static dae_status check_end(dae_solver *s, dae_status *other)
{
    const dae_repeat *r = driver(s)->repeat;
    int i = 0;
    while (i < s->n && !has_grown(s, i))
        i++;
    if (i == s->n || ((*other = follow(s, s->t)) && (s->adaptive || !r->begun)))
        return DAE_OK;
    for (; i < s->n; i++)
        if (has_grown(s, i) && differ(s->u[i], r->u[i]))
            return tell(s, s->t, i, s->u[i], r->u[i]);
    return DAE_OK;
}

/* A second run that fails tells nothing where the steps are chosen, as its tolerances may be below
 * rounding. */
dae_status dae_repeat_check(dae_solver *s)
{
    dae_repeat *r = driver(s)->repeat;
    dae_status other = DAE_OK;
    if (!r || r->top)
        return DAE_OK;
    dae_status status = check_peak(s, &other);
    if (!status && !other)
        status = check_end(s, &other);
    if (status || other == DAE_NO_MEMORY || (other && !s->adaptive && !r->begun))
        return status ? status : other;
    return other && !s->adaptive ? dae_fail(&s->report, other, "with half the step, %.280s", r->again->report.message)
                                 : DAE_OK;
}
