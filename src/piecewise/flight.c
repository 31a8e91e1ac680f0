/* flight.c - from one event to the next: the passage located, and nothing else happening before it
 *
 * The motion is followed from the last event to a time shortly before the one that the scout has, with the
 * event functions looked at on the way. From there on short runs give the function at any time, with which its
 * zero is located. Where several pass at once, all of them are.
 */
#include "piecewise.h"

#include "base/numbers.h"

#define SCALAR dae_quad
#include "base/chandrupatla.h"
#include "base/parts.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 32, WIDENINGS = 5, CLOSER = 60, MOST_TRIALS = 500 };
static const double wider = 32;                 /* a margin that was too small grows by */
static const double together = 1e-22;           /* part of the interval: passages at one time are as near */
static const double grazing = 1e-11;            /* of its largest value: a function that comes so near to zero */
static const double near_zero = 1e-9;           /* the same, where a piece begins: it may begin at zero */
static const double noise = 1e-20;              /* errors of the state, far below those of doubles */
static const double golden = 0.3819660112501051;
static const double epsilon = 0x1p-111, resolution = 0x1p-112;      /* of a quad number, and of the interval */

typedef struct {
    const dae_flight *flight;
    dae_motion *m;
    int events, width;
    int looks;                  /* rows of the piece, the last one at base */
    dae_quad base;              /* shortly before the event, or the end */
    dae_quad *times;            /* [looks] */
    dae_quad *rows;             /* [looks x width] */
    dae_quad *g;                /* [(1 + looks) x events] functions at the begin and in the rows */
    dae_quad *at;               /* [width] work */
    dae_quad from_t;            /* a state to go on from */
    const dae_quad *from_x;     /* [width] */
    int event;                  /* whose function is wanted */
} passage;

static const char *name_of(const passage *p, int i)
{
    return dae_motion_entry(p->m, i)->name;
}

static dae_status no_memory(const passage *p)
{
    return dae_fail(p->m->report, DAE_NO_MEMORY, "no memory for %d states", p->looks);
}

/* p->at := the state at t, from that of from_t; behind the numbers of the mode that of the motion */
static dae_status state_at(passage *p, dae_quad t)
{
    memcpy(p->at, p->m->x, (size_t)p->width * sizeof *p->at);
    return dae_motion_follow(p->m, p->from_t, p->from_x, &t, 1, p->at);
}

static dae_status function_at(passage *p, dae_quad t, dae_quad *g)
{
    const dae_status status = state_at(p, t);
    if (status)
        return status;
    *g = dae_motion_event(p->m, p->event, t, p->at);
    return *g - *g == 0 ? DAE_OK
           : dae_fail(p->m->report, DAE_NOT_FINITE, "t = %.9g: the function of event %s is not finite in quad",
                      (double)t, name_of(p, p->event));
}

/* ---- looking on the way -------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
    const dae_quad x = *(const dae_quad *)a, y = *(const dae_quad *)b;
    return (x > y) - (x < y);
}

/* The times of the rows: equal parts of the piece, the times that are wanted, and base. */
static void set_times(passage *p, const double *times, int count)
{
    const dae_quad begin = p->m->t, length = p->base - begin;
    p->looks = 0;
    for (int i = 1; i <= LOOKS; i++)
        p->times[p->looks++] = i < LOOKS ? begin + length * i / LOOKS : p->base;
    for (int i = 0; i < count && times[i] < p->base; i++)
        p->times[p->looks++] = times[i];
    qsort(p->times, (size_t)p->looks, sizeof *p->times, compare_times);
}

/* p->at := x off by a little of the largest that each unknown is on the way, up or down. */
static void disturb(passage *p, const dae_quad *x, uint64_t *random)
{
    for (int j = 0; j < p->width; j++) {
        dae_quad size = dae_quad_fabs(p->m->x[j]);
        for (int k = 0; k < p->looks; k++)
            size = dae_quad_fmax(size, dae_quad_fabs(p->rows[k * p->width + j]));
        p->at[j] = x[j] + noise * size * dae_random_direction(random);
    }
}

/* The functions at one time; what is as small as errors make it is 0. */
static void look_at(passage *p, dae_quad t, const dae_quad *x, dae_quad *g, uint64_t *random)
{
    disturb(p, x, random);
    for (int i = 0; i < p->events; i++) {
        g[i] = dae_motion_event(p->m, i, t, x);
        if (dae_quad_fabs(g[i]) <= 2 * dae_quad_fabs(dae_motion_event(p->m, i, t, p->at) - g[i]))
            g[i] = 0;
    }
}

static void look(passage *p)
{
    uint64_t random = 1;
    look_at(p, p->m->t, p->m->x, p->g, &random);
    for (int k = 0; k < p->looks; k++)
        look_at(p, p->times[k], p->rows + k * p->width, p->g + (k + 1) * p->events, &random);
}

static dae_quad largest(const passage *p, int i)
{
    dae_quad most = 0;
    for (int k = 0; k <= p->looks; k++)
        most = dae_quad_fmax(most, dae_quad_fabs(p->g[k * p->events + i]));
    return most;
}

static int wanted(dae_direction direction, dae_quad from, dae_quad to)
{
    return (direction != DAE_RISING && from > 0 && to < 0) || (direction != DAE_FALLING && from < 0 && to > 0);
}

static dae_status another_passes(const passage *p, int i, dae_quad t)
{
    return dae_fail(p->m->report, DAE_NO_CONVERGENCE, "t = %.9g: the function of event %s passes zero in quad, and "
                    "a run in doubles has no event there", (double)t, name_of(p, i));
}

/* 0 < |g| between looks k - 1 and k + 1, where it is least? */
static dae_status look_closer(passage *p, int i, int k, dae_quad size)
{
    const dae_quad sign = p->g[k * p->events + i] > 0 ? 1 : -1;
    dae_quad l = k > 1 ? p->times[k - 2] : p->m->t, r = p->times[k], x = p->times[k - 1];
    dae_quad least = sign * p->g[k * p->events + i];
    p->event = i;
    p->from_t = l;
    p->from_x = k > 1 ? p->rows + (k - 2) * p->width : p->m->x;
    for (int step = 0; step < CLOSER && least > grazing * size; step++) {
        const int right = r - x > x - l;
        const dae_quad next = right ? x + golden * (r - x) : x - golden * (x - l);
        dae_quad g;
        const dae_status status = function_at(p, next, &g);
        if (status)
            return status;
        if (sign * g < least) {
            *(right ? &l : &r) = x;
            x = next;
            least = sign * g;
        } else {
            *(right ? &r : &l) = next;
        }
    }
    if (least > grazing * size)
        return DAE_OK;
    if (least < -grazing * size)
        return another_passes(p, i, x);
    return dae_fail(p->m->report, DAE_NO_CONVERGENCE, "t = %.9g: the function of event %s comes as near to zero as "
                    "%.2g of its largest value: rounding decides whether it happens", (double)x, name_of(p, i),
                    (double)(dae_quad_fabs(least) / size));
}

/* Is the least of a parabola through three values of one sign near zero? */
static int may_graze(dae_quad a, dae_quad b, dae_quad c)
{
    const dae_quad s = b > 0 ? 1 : -1, x = s * a, y = s * b, z = s * c, bend = x - 2 * y + z;
    if (!(x > 0 && z > 0 && y <= x && y <= z && bend > 0))
        return 0;
    return y - (z - x) * (z - x) / (8 * bend) < y / 4;
}

/* Event i passes nowhere on the way, and comes not too near. */
static dae_status check_way(passage *p, int i)
{
    const dae_direction direction = p->m->h->mode[p->m->mode].direction[i];
    const dae_quad size = largest(p, i);
    const dae_quad *g = p->g + i;
    const int n = p->events;
    dae_quad last = dae_quad_fabs(g[0]) > near_zero * size ? g[0] : 0;
    for (int k = 1; k <= p->looks; k++) {
        if (wanted(direction, last, g[k * n]))
            return another_passes(p, i, p->times[k - 1]);
        last = g[k * n] != 0 ? g[k * n] : last;
        if (k < p->looks && may_graze(g[(k - 1) * n], g[k * n], g[(k + 1) * n])) {
            const dae_status status = look_closer(p, i, k, size);
            if (status)
                return status;
        }
    }
    return DAE_OK;
}

/* ---- locating ------------------------------------------------------------------------------ */

/* The state of the last row is where short runs begin. */
static void start_from_base(passage *p)
{
    p->from_t = p->base;
    p->from_x = p->rows + (p->looks - 1) * p->width;
}

/* *t in [l.t, r.t] := where the function is 0, or next to where it has changed from the sign of l to that of r, the
 * other one. */
static dae_status find_zero(passage *p, point l, point r, dae_quad *t)
{
    dae_quad part = r.g / (r.g - l.g);
    for (int k = 0; k < MOST_TRIALS && r.g != 0; k++) {
        const dae_quad size = dae_quad_fmax(dae_quad_fabs(r.t), dae_quad_fabs(l.t));
        const dae_quad least = dae_quad_fmax(resolution * p->m->span, epsilon * size) / dae_quad_fabs(l.t - r.t);
        if (!(least < 0.5))
            break;
        point trial = {r.t + dae_quad_fmin(dae_quad_fmax(part, least), 1 - least) * (l.t - r.t), 0};
        const dae_status status = function_at(p, trial.t, &trial.g);
        if (status)
            return status;
        part = take_trial(&r, &l, trial);
    }
    *t = dae_quad_fabs(r.g) <= dae_quad_fabs(l.g) ? r.t : l.t;
    return DAE_OK;
}

/* *t := the zero of event i, which is not past it at base; *found = 0: it is not between there and margin
 * behind the end. */
static dae_status locate(passage *p, int i, double margin, dae_quad *t, int *found)
{
    const int sign = p->flight->passing[i];
    const dae_quad end = (dae_quad)p->flight->end + margin, g_base = p->g[p->looks * p->events + i];
    dae_quad g_end;
    *found = 0;
    if (!(sign * g_base < 0))
        return DAE_OK;
    p->event = i;
    const dae_status status = function_at(p, end, &g_end);
    if (status || !(sign * g_end >= 0))
        return status;
    *found = 1;
    return find_zero(p, (point){p->base, g_base}, (point){end, g_end}, t);
}

/* *t := the time at which all pass; *found = 0: one of them is not there. */
static dae_status locate_all(passage *p, double margin, dae_quad *t, int *found)
{
    dae_quad first = 0, last = 0;
    int count = 0, early = -1, late = -1;
    start_from_base(p);
    *found = 1;
    for (int i = 0; i < p->events && *found; i++) {
        dae_quad at;
        if (!p->flight->passing[i])
            continue;
        const dae_status status = locate(p, i, margin, &at, found);
        if (status)
            return status;
        if (*found && (!count || at < first)) {
            first = at;
            early = i;
        }
        if (*found && (!count++ || at > last)) {
            last = at;
            late = i;
        }
    }
    *t = first;
    if (*found && last - first > together * p->m->span)
        return dae_fail(p->m->report, DAE_NO_CONVERGENCE, "t = %.9g: events %s and %s are only %.2g apart: rounding "
                        "decides which is the first", (double)first, name_of(p, early), name_of(p, late),
                        (double)(last - first));
    return DAE_OK;
}

static dae_status not_there(const passage *p)
{
    return dae_fail(p->m->report, DAE_NO_CONVERGENCE, "t = %.9g: event %s happens in doubles, and is not found in "
                    "quad", p->flight->end, p->flight->then);
}

/* ---- the piece ----------------------------------------------------------------------------- */

static dae_status follow(passage *p, const double *times, int count)
{
    set_times(p, times, count);
    const dae_status status = dae_motion_follow(p->m, p->m->t, p->m->x, p->times, p->looks, p->rows);
    if (!status)
        look(p);
    return status;
}

/* The rows at those of the times that lie before base. */
static int hand_over(const passage *p, const double *times, int count, dae_quad *rows)
{
    int reached = 0;
    for (int k = 0; k < p->looks && reached < count && times[reached] < p->base; k++)
        while (reached < count && p->times[k] == times[reached])
            memcpy(rows + reached++ * p->width, p->rows + k * p->width, (size_t)p->width * sizeof *rows);
    return reached;
}

/* Rows between base and t, and the motion at t. */
static dae_status finish(passage *p, dae_quad t, const double *times, int count, dae_quad *rows, int *reached)
{
    dae_status status = DAE_OK;
    start_from_base(p);
    for (; !status && *reached < count && times[*reached] < t; ++*reached) {
        status = state_at(p, times[*reached]);
        memcpy(rows + *reached * p->width, p->at, (size_t)p->width * sizeof *rows);
    }
    if (!status)
        status = state_at(p, t);
    if (status)
        return status;
    memcpy(p->m->x, p->at, (size_t)p->width * sizeof *p->at);
    p->m->t = t;
    return DAE_OK;
}

/* *t := where the piece ends; the margin grows until the event is in it. */
static dae_status find_end(passage *p, const double *times, int count, dae_quad *t)
{
    const dae_flight *f = p->flight;
    const double most = (double)((f->end - p->m->t) / 2);
    double margin = fmin(f->margin, most);
    int found = 0;
    for (int k = 0; k < WIDENINGS && !found; k++, margin = fmin(margin * wider, most)) {
        p->base = (dae_quad)f->end - margin;
        dae_status status = follow(p, times, count);
        if (!status)
            status = locate_all(p, margin, t, &found);
        if (status)
            return status;
    }
    return found ? DAE_OK : not_there(p);
}

static dae_status run(passage *p, const double *times, int count, dae_quad *rows, int *reached)
{
    const dae_flight *f = p->flight;
    dae_quad t = f->end;
    dae_status status;
    p->base = f->end;
    status = f->passes ? find_end(p, times, count, &t) : follow(p, times, count);
    for (int i = 0; !status && i < p->events; i++)
        status = check_way(p, i);
    if (status)
        return status;
    *reached = hand_over(p, times, count, rows);
    status = finish(p, t, times, count, rows, reached);
    for (; !status && !f->passes && *reached < count && times[*reached] <= f->end; ++*reached)
        memcpy(rows + *reached * p->width, p->m->x, (size_t)p->width * sizeof *rows);
    return status;
}

dae_status dae_flight_run(const dae_flight *f, const double *times, int count, dae_quad *rows, int *reached)
{
    dae_motion *m = f->motion;
    passage p = {.flight = f, .m = m, .events = m->h->mode[m->mode].events, .width = m->width};
    const size_t looks = LOOKS + (size_t)count, width = (size_t)m->width;
    *reached = 0;
    if (!DAE_PARTS(&p,
                   DAE_PART(passage, times, looks), DAE_PART(passage, rows, looks * width),
                   DAE_PART(passage, g, (1 + looks) * (size_t)p.events), DAE_PART(passage, at, width)))
        return no_memory(&p);
    const dae_status status = run(&p, times, count, rows, reached);
    free(p.times);
    return status;
}
