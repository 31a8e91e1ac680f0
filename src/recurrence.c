/* recurrence.c - events whose intervals shrink to nothing (Zeno)
 *
 * Times t_n with intervals d_n = t_n - t_(n-1) and ratios r_n = d_n/d_(n-1). A geometric sequence, as
 * of impacts with one coefficient of restitution, has the limit
 *
 *     t* = t_n + d_n r/(1 - r),        x* = x_n + (x_n - x_(n-1)) r/(1 - r)
 *
 * by Aitken's extrapolation, for the states after the events, too, whose differences shrink with the
 * same ratio. It is taken as reached where the rest t* - t_n is below a given part of t_n - t_first,
 * after at least eight intervals, with a ratio that has settled.
 */
#include "hybrid.h"

#include <float.h>
#include <math.h>

enum { LEAST_INTERVALS = 8 };
static const double SETTLED = 1e-2;         /* change of 1 - r from one interval to the next */

void dae_recurrence_reset(dae_hybrid *h)
{
    for (int m = 0; m < h->modes; m++)
        for (int i = 0; i < h->mode[m].count; i++)
            h->mode[m].recurrence[i] = (dae_recurrence){.record = -1};
}

void dae_recurrence_note(dae_hybrid *h, int i, double t)
{
    dae_recurrence *r = &h->mode[h->now].recurrence[i];
    const double interval = t - r->last;
    const int first = r->record < 0;
    r->at_once = !first && interval <= 64 * DBL_EPSILON * fabs(t) ? r->at_once + 1 : 0;
    if (first) {
        r->interval = INFINITY;
        r->first = t;
    } else {
        if (interval < r->interval && isfinite(r->interval)) {
            r->ratio = interval / r->interval;
            r->shrinking++;
        } else {
            r->shrinking = 0;
            r->first = r->last;
        }
        r->interval = interval;
    }
    r->last = t;
    r->record = h->happenings - 1;
}

/* The last three happenings are of event i of this mode, with intervals in the same ratio. */
static int settled(const dae_hybrid *h, int i)
{
    const int n = h->happenings;
    for (int k = 1; k <= 3; k++)
        if (n < 4 || h->happening[n - k].event != i || h->happening[n - k].from != h->now)
            return 0;
    const dae_happening *e = h->happening + n - 1;
    const double d = e[0].t - e[-1].t, d1 = e[-1].t - e[-2].t, d2 = e[-2].t - e[-3].t;
    return e[-3].event != i || fabs(d / d1 - d1 / d2) <= SETTLED * (1 - d / d1);
}

int dae_recurrence_accumulates(const dae_hybrid *h, int i, double *limit, double *x)
{
    const dae_recurrence *r = &h->mode[h->now].recurrence[i];
    const double *now = h->states + (2 * (size_t)(h->happenings - 1) + 1) * (size_t)h->size;
    const double *before = now - 2 * h->size;
    *limit = r->last;
    for (int k = 0; k < h->size; k++)
        x[k] = now[k];
    if (r->at_once >= DAE_MAX_CASCADE)
        return 1;
    if (r->shrinking < LEAST_INTERVALS || !(r->ratio < 1) || !settled(h, i))
        return 0;
    const double part = r->ratio / (1 - r->ratio), rest = r->interval * part;
    if (rest > h->options.accumulation * (r->last - r->first))
        return 0;
    *limit = r->last + rest;
    for (int k = 0; k < h->size; k++)
        x[k] = now[k] + (now[k] - before[k]) * part;
    return 1;
}
