/* recurrence.c - events whose intervals shrink to nothing (Zeno)
 *
 * Times t_n with intervals d_n = t_n - t_(n-1). Where they shrink by a constant ratio r, as those of
 * impacts with one coefficient of restitution do, their limit and that of the states after them are
 *
 *     t* = t_n + d_n r/(1 - r),        x* = x_n + (x_n - x_(n-1)) r/(1 - r)
 *
 * by Aitken's extrapolation. It is taken where the rest t* - t_n is below a given part of the time
 * that the shrinking has taken, and the last seven ratios agree; r is their geometric mean, for
 * rounding of the state makes single intervals uncertain long before they vanish. Intervals that
 * vanish sooner, as that after a plastic impact, are taken to have vanished where one is too short to
 * be seen.
 */
#include "hybrid.h"

#include <float.h>
#include <math.h>

enum { INTERVALS = 8 };
static const double SETTLED = 1e-2;         /* change of r within them, as a part of 1 - r */

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

/* The mean ratio of the last intervals between happenings that are all of event i in this mode; 0 where
 * they are not, or do not agree. */
static double mean_ratio(const dae_hybrid *h, int i)
{
    const dae_happening *e = h->happening + h->happenings - 1 - INTERVALS;
    for (int k = 0; k <= INTERVALS; k++)
        if (e[k].event != i || e[k].from != h->now)
            return 0;
    const double first = e[1].t - e[0].t, last = e[INTERVALS].t - e[INTERVALS - 1].t;
    const double r = pow(last / first, 1.0 / (INTERVALS - 1));
    for (int k = 1; k < INTERVALS; k++) {
        const double ratio = (e[k + 1].t - e[k].t) / (e[k].t - e[k - 1].t);
        if (!(fabs(ratio - r) <= SETTLED * (1 - r)))
            return 0;
    }
    return r;
}

/* The last happening: *limit its time, x the state after it, which is returned. */
static const double *last_state(const dae_hybrid *h, double *limit, double *x)
{
    const double *now = h->states + (2 * (size_t)(h->happenings - 1) + 1) * (size_t)h->size;
    *limit = h->happening[h->happenings - 1].t;
    for (int k = 0; k < h->size; k++)
        x[k] = now[k];
    return now;
}

int dae_recurrence_unresolved(const dae_hybrid *h, int i, double *limit, double *x)
{
    const dae_mode *mode = &h->mode[h->now];
    const int again = mode->solver->watcher->unresolved && h->happenings > 0
                      && mode->recurrence[i].record == h->happenings - 1;
    if (again)
        last_state(h, limit, x);
    return again;
}

int dae_recurrence_accumulates(const dae_hybrid *h, int i, double *limit, double *x)
{
    const dae_recurrence *r = &h->mode[h->now].recurrence[i];
    const double *now = last_state(h, limit, x), *before = now - 2 * h->size;
    if (r->at_once >= DAE_MAX_CASCADE)
        return 1;
    if (r->shrinking < INTERVALS - 1 || h->happenings <= INTERVALS)
        return 0;
    const double ratio = mean_ratio(h, i), part = ratio / (1 - ratio), rest = r->interval * part;
    if (!(ratio > 0 && ratio < 1))
        return 0;
    if (rest > h->options.accumulation * (r->last - r->first))
        return 0;
    *limit = r->last + rest;
    for (int k = 0; k < h->size; k++)
        x[k] = now[k] + (now[k] - before[k]) * part;
    return 1;
}
