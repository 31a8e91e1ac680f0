/* recurrence.c - accumulation of events (Zeno behaviour)
 *
 * t_n are the times of one event of one mode. Between two of them, a cycle, other events may happen: impacts
 * on a second wall, a change of mode and back. Where t_n - t_(n-s), over s cycles, decreases by the ratio q,
 * the limits of the times and of the states after the events are
 *
 *     t* = t_n + (t_n - t_(n-s)) q/(1 - q),        x* = x_n + (x_n - x_(n-s)) q/(1 - q)
 *
 * by Aitken's extrapolation. s is the number of cycles in which the intervals become half as long, at most
 * 64, so that rounding of the times is not amplified. If q varies slowly, as with a coefficient of
 * restitution that depends on the speed, the limit extrapolated s cycles earlier differs. The error of the
 * extrapolation decreases at least as fast as the remaining time t* - t_n. So the error of the present limit
 * is estimated by max(1, q/(1 - q)) times the difference of the two.
 *
 * The limit is accepted where the remaining time is below a given part of the time since the intervals began
 * to decrease, and the error estimate or the remaining time is within the tolerance, or the estimate no
 * longer decreases (rounding of the state makes the times of slow crossings uncertain).
 * If the time to the next event is too short to be resolved, the limit is also accepted. If there are too
 * few intervals for a ratio q, as after a plastic impact, the limit is the last event.
 */
#include "hybrid.h"

#include <float.h>
#include <math.h>

enum { CYCLES = 5, MOST_CYCLES = 64, OFTEN = 64 };
static const double FIXED = 1e-8;           /* in place of rtol where steps are fixed */

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
    const int first = r->record < 0, last = h->happenings - 1;
    const int same = !first && h->happening[r->record].group == h->happening[last].group;
    const int at_once = !first && !same && interval <= 64 * DBL_EPSILON * fabs(t);
    r->at_once = at_once ? r->at_once + 1 : same ? r->at_once : 0;
    if (same || at_once) {                              /* of one instant the last counts */
        h->happening[last].previous = h->happening[r->record].previous;
        r->record = last;
        return;
    }
    if (first) {
        r->interval = INFINITY;
        r->first = t;
    } else {
        if (interval < r->interval && isfinite(r->interval)) {
            r->shrinking++;
        } else {
            r->shrinking = 0;
            r->least_error = 0;
            r->first = r->last;
        }
        r->interval = interval;
    }
    h->happening[last].previous = r->record;
    r->last = t;
    r->record = last;
}

/* The state after a record. */
static const double *state_after(const dae_hybrid *h, int record)
{
    return h->states + (2 * (size_t)record + 1) * (size_t)h->size;
}

static double time_of(const dae_hybrid *h, int record)
{
    return h->happening[record].t;
}

static int back(const dae_hybrid *h, int record, int cycles)
{
    for (int k = 0; k < cycles; k++)
        record = h->happening[record].previous;
    return record;
}

/* Cycles over which intervals have become half as long */
static int cycles_to_half(const dae_hybrid *h, const dae_recurrence *r)
{
    int s = 0;
    for (int k = r->record; s < MOST_CYCLES && s < r->shrinking; s++) {
        const int before = h->happening[k].previous;
        if (s > 0 && time_of(h, k) - time_of(h, before) >= 2 * r->interval)
            break;
        k = before;
    }
    return s;
}

/* q/(1 - q) at three records, each s cycles after the next */
static double part_at(const dae_hybrid *h, const int k[3])
{
    const double now = time_of(h, k[0]) - time_of(h, k[1]);
    return now / (time_of(h, k[1]) - time_of(h, k[2]) - now);
}

/* The limit of component i, or of the time (-1), from a record and one s cycles before */
static double limit_of(const dae_hybrid *h, int i, const int k[2], double part)
{
    const double now = i < 0 ? time_of(h, k[0]) : state_after(h, k[0])[i];
    const double before = i < 0 ? time_of(h, k[1]) : state_after(h, k[1])[i];
    return now + (now - before) * part;
}

/* The error tolerance of component i of a state. */
static double tolerance_of(const dae_hybrid *h, int i)
{
    const dae_options *o = &h->options;
    const double size = fmax(fmax(fabs(h->least[i]), fabs(h->largest[i])),
                             h->largest[i] - h->least[i]);
    return o->step > 0 ? INFINITY : o->rtol * size + h->tolerated[i];
}

static void last_state(const dae_hybrid *h, double *limit, double *x)
{
    *limit = time_of(h, h->happenings - 1);
    for (int i = 0; i < h->size; i++)
        x[i] = state_after(h, h->happenings - 1)[i];
}

/* Indices k of events in happening[], each s cycles after the next, from which a limit is extrapolated. */
typedef struct {
    int s, k[4];
    double part, rest;
} extrapolation;

/* Extrapolate from event number last; 0 where too few intervals have decreased. */
static int extrapolate(const dae_hybrid *h, const dae_recurrence *r, int last, int s,
                       extrapolation *e)
{
    if (r->shrinking < CYCLES || r->shrinking < 3 * s)
        return 0;
    e->s = s;
    for (int j = 0; j < 4; j++)
        e->k[j] = j ? back(h, e->k[j - 1], s) : last;
    e->part = part_at(h, e->k);
    e->rest = (time_of(h, e->k[0]) - time_of(h, e->k[1])) * e->part;
    return e->part > 0;
}

/* The error estimate of the limit, relative to the tolerance, from the limit s cycles earlier */
static double error_of(const dae_hybrid *h, const extrapolation *e, double tolerance)
{
    const double before = part_at(h, e->k + 1), more = fmax(1, e->part);
    double largest = 0;
    for (int i = -1; i < h->size; i++) {
        const double off = limit_of(h, i, e->k, e->part) - limit_of(h, i, e->k + 1, before);
        largest = fmax(largest, more * fabs(off) / (i < 0 ? tolerance : tolerance_of(h, i)));
    }
    return largest;
}

static void take_limit(const dae_hybrid *h, const extrapolation *e, double *limit, double *x)
{
    *limit = limit_of(h, -1, e->k, e->part);
    for (int i = 0; i < h->size; i++)
        x[i] = limit_of(h, i, e->k, e->part);
}

/* 1 where only impacts of the same instant have come after a record. */
static int was_last(const dae_hybrid *h, int record)
{
    int k = h->happenings - 1;
    while (k > record && h->happening[k].group == h->happening[k - 1].group
           && (h->happening[k].speed > 0 || h->happening[k].accumulated))
        k--;
    return record >= 0 && k == record;
}

int dae_recurrence_unresolved(const dae_hybrid *h, int i, double *limit, double *x)
{
    const dae_mode *mode = &h->mode[h->now];
    const dae_recurrence *r = &mode->recurrence[i];
    extrapolation e;
    if (!dae_watch_is_unresolved(mode->solver) || h->happenings == 0 || !was_last(h, r->record))
        return 0;
    if (extrapolate(h, r, r->record, cycles_to_half(h, r), &e))
        take_limit(h, &e, limit, x);
    else
        last_state(h, limit, x);
    return 1;
}

/* 1 where the limit is to be extrapolated: with many intervals only at every 2^k-th event */
static int is_time(int shrinking)
{
    int stride = 1;
    while (2 * stride * OFTEN <= shrinking)
        stride *= 2;
    return shrinking % stride == 0;
}

int dae_recurrence_accumulates(dae_hybrid *h, int i, double *limit, double *x)
{
    const dae_options *o = &h->options;
    dae_recurrence *r = &h->mode[h->now].recurrence[i];
    const double span = r->last - r->first;
    const double tolerance = (o->step > 0 ? FIXED : o->rtol) * span
                             + 64 * DBL_EPSILON * fabs(r->last);
    extrapolation e;
    if (r->at_once >= DAE_MAX_CASCADE) {
        last_state(h, limit, x);
        return 1;
    }
    if (!is_time(r->shrinking)
        || !extrapolate(h, r, r->record, cycles_to_half(h, r), &e)
        || e.rest > o->accumulation * span)
        return 0;
    dae_hybrid_tolerate(h);
    const double error = error_of(h, &e, tolerance);
    if (error > 1 && e.rest > tolerance && !(r->least_error > 0 && error > 2 * r->least_error)) {
        if (!(r->least_error > 0 && error >= r->least_error)) {
            r->least_error = error;
            r->best = r->record;
            r->best_cycles = e.s;
        }
        return 0;
    }
    if (error > 1 && e.rest > tolerance)
        extrapolate(h, r, r->best, r->best_cycles, &e);
    take_limit(h, &e, limit, x);
    if (*limit < r->last)
        last_state(h, limit, x);
    return 1;
}

int dae_recurrence_in_cycle(const dae_hybrid *h, int m, int j, int i)
{
    const dae_recurrence *r = &h->mode[h->now].recurrence[i], *other = &h->mode[m].recurrence[j];
    return other->shrinking >= CYCLES - 1 && other->last >= r->last - r->interval;
}
