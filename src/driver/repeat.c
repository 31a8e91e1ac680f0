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
#include "guards.h"

#include "base/parts.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double GROWN = 1e6, BETTER = 1e-2, LEAST_RTOL = 1e-13;
static const double POWER = 8;

typedef struct {
    dae_rerun again;
    double *size;               /* [n] initial magnitudes of the unknowns; 0: not known, not compared */
    double *u;                  /* [n] of the second solver, NULL before there is one; with top in a block */
    double seen_at;             /* when the time since the start had doubled last; 0: not yet */
    double *seen;               /* [n] what started at 0, then; INFINITY: has another start, or grew faster */
    double *top;                /* [n] of the second solver's: the largest magnitudes at steps */
    float *small, *middle;      /* [n] times since the start when magnitudes were last at most the size, and 10^3
                                   times as much */
    double highest;             /* of them against the size, GROWN at least; it was ... */
    double peak_t, peak_u;      /* ... u_i = peak_u at peak_t */
    int peak;                   /* i; -1: it has been looked at, or there is none */
} repeat;

static repeat *own(const dae_solver *s) { return driver(s)->guard[DAE_REPEATS]; }

static dae_status create(dae_solver *s)
{
    driver(s)->guard[DAE_REPEATS] = DAE_RECORD(repeat,
        DAE_PART(repeat, again.start, s->n), DAE_PART(repeat, size, s->n), DAE_PART(repeat, seen, s->n),
        DAE_PART(repeat, small, s->n), DAE_PART(repeat, middle, s->n));
    return own(s) ? DAE_OK : dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
}

static void release(void *guard)
{
    repeat *r = guard;
    if (!r)
        return;
    dae_driver_free(r->again.solver);
    free(r->u);
    free(r);
}

/* The size of an unknown: that of its start, or where its tolerance becomes an absolute one. */
static dae_status start(dae_solver *s)
{
    repeat *r = own(s);
    const double rtol = s->options.rtol;
    dae_rerun_begin(&r->again, s);
    r->seen_at = 0;
    r->highest = GROWN;
    r->peak = -1;
    for (int i = 0; i < s->n; i++) {
        r->size[i] = dae_system_is_algebraic(s->sys, i) ? 0
                     : fmax(fabs(s->u[i]), rtol > 0 ? s->atol[i] / rtol : 0);
        r->seen[i] = r->size[i] > fabs(s->u[i]) ? 0 : INFINITY;
        r->small[i] = r->middle[i] = 0;
    }
    return DAE_OK;
}

/* Sizes of what starts at rest, as t - r->t doubles */
static void learn_sizes(dae_solver *s)
{
    repeat *r = own(s);
    const double since = s->t - r->again.t;
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
static int grows_evenly(repeat *r, float since, int i)
{
    if (since - r->middle[i] < (r->middle[i] - r->small[i]) / 4)
        r->small[i] = -INFINITY;                        /* until it is small again */
    return r->small[i] > -INFINITY;
}

static void kept(dae_solver *s)
{
    repeat *r = own(s);
    const float since = (float)(s->t - r->again.t);
    if (s->adaptive)
        learn_sizes(s);
    for (int i = 0; i < s->n; i++) {
        const double x = fabs(s->u[i]), size = r->size[i];
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
    const double size = own(s)->size[i];
    return size > 0 && fabs(s->u[i]) / GROWN > size;
}

/* An observer of the second solver */
static int see(void *guard, double t, const double *u)
{
    repeat *r = guard;
    (void)t;
    for (int i = 0; i < r->again.solver->n; i++)
        r->top[i] = fmax(r->top[i], fabs(u[i]));
    return 0;
}

static dae_status create_again(dae_solver *s, const dae_method *method)
{
    repeat *r = own(s);
    dae_options o = s->options;
    if (!r->u && !DAE_PARTS(r, DAE_PART(repeat, u, s->n), DAE_PART(repeat, top, s->n)))
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
    o.step /= 2;
    o.max_steps = o.max_steps < LONG_MAX / 2 ? 2 * o.max_steps : LONG_MAX;
    if (s->adaptive) {
        o.rtol = fmax(o.rtol * BETTER, fmin(o.rtol, LEAST_RTOL));
        for (int i = 0; i < s->n; i++)
            r->u[i] = s->atol[i] * BETTER;
        o.atols = r->u;
    }
    const dae_status status = dae_driver_create_unguarded(&r->again.solver, s->sys, method, &o, &s->report);
    if (!status)
        dae_solver_observe(r->again.solver, see, r);
    return status;
}

/* The second solver, of this method where it is new, to t; its state in r->u */
static dae_status follow_by(dae_solver *s, const dae_method *method, double t)
{
    repeat *r = own(s);
    const dae_status status = r->again.solver ? DAE_OK : create_again(s, method);
    for (int i = 0; !status && !r->again.begun && i < s->n; i++)
        r->top[i] = fabs(r->again.start[i]);
    return status ? status : dae_rerun_to(s, &r->again, t, r->u);
}

/* The second solver to t. A method that lets errors grow may not come through with smaller tolerances: then the judge
 * of other.c follows. */
static dae_status follow(dae_solver *s, double t)
{
    dae_rerun *again = &own(s)->again;
    const dae_status status = follow_by(s, s->method, t);
    if (!status || status == DAE_NO_MEMORY || !s->adaptive || !again->solver
        || again->solver->method == dae_other_judge())
        return status;
    dae_driver_free(again->solver);
    again->solver = NULL;
    again->begun = 0;
    return follow_by(s, dae_other_judge(), t);
}

/* u_i = x at t, and y of the second solver */
static dae_status tell(dae_solver *s, double t, int i, double x, double y)
{
    char name[32], unit[32], better[64];
    const dae_method *again = own(s)->again.solver->method;
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
    repeat *r = own(s);
    const int i = r->peak;
    r->peak = -1;
    if (i < 0 || !(r->peak_t < s->t) || (*other = follow(s, r->peak_t)))
        return DAE_OK;
    const double y = r->u[i];
    if (!differ(r->peak_u, y) || (*other = follow(s, s->t))
        || !differ(fabs(r->peak_u), r->top[i]))
        return DAE_OK;
    return tell(s, r->peak_t, i, r->peak_u, y);
}

static dae_status check_end(dae_solver *s, dae_status *other)
{
    const repeat *r = own(s);
    int i = 0;
    while (i < s->n && !has_grown(s, i))
        i++;
    if (i == s->n || ((*other = follow(s, s->t)) && (s->adaptive || !r->again.begun)))
        return DAE_OK;
    for (; i < s->n; i++)
        if (has_grown(s, i) && differ(s->u[i], r->u[i]))
            return tell(s, s->t, i, s->u[i], r->u[i]);
    return DAE_OK;
}

/* A second run that fails tells nothing where the steps are chosen, as its tolerances may be below
 * rounding. */
static dae_status check(dae_solver *s)
{
    repeat *r = own(s);
    dae_status other = DAE_OK, status = check_peak(s, &other);
    if (!status && !other)
        status = check_end(s, &other);
    if (status || other == DAE_NO_MEMORY || (other && !s->adaptive && !r->again.begun))
        return status ? status : other;
    return other && !s->adaptive ? dae_fail(&s->report, other, "with half the step, %.280s",
                                            r->again.solver->report.message) : DAE_OK;
}

const dae_guard dae_repeat_guard = {create, release, start, kept, check};
