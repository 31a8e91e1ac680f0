/* replay.c - the events that a scout has found, one after the other, in quad precision */
#include "piecewise.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double errors = 64;                /* the scout's errors are at most so many times what it shows */
static const double least_margin = 1e-10;       /* of a piece */

typedef struct {
    dae_event_reference *r;
    dae_motion *m;
    const dae_scout *scout;
    const double *times;
    int count;
    int *passing;               /* [most events of a mode] */
} replay;

static int copy_names(dae_event_reference *r, const dae_scout *scout)
{
    size_t length = 1;
    for (int k = 0; k < r->events; k++)
        length += strlen(dae_hybrid_event(scout->hybrid, k).name) + 1;
    char *at = r->names = calloc(length, 1);
    for (int k = 0; at && k < r->events; k++) {
        r->event[k].name = strcpy(at, dae_hybrid_event(scout->hybrid, k).name);
        at += strlen(at) + 1;
    }
    return r->names != NULL;
}

dae_status dae_replay_create(dae_event_reference *r, const dae_scout *scout, int times, int width, dae_report *report)
{
    const size_t events = (size_t)scout->events, rows = (size_t)times, w = (size_t)width;
    *r = (dae_event_reference){.size = scout->hybrid->size, .width = width, .events = scout->events,
                               .ended = scout->ended};
    r->mode = calloc(rows + 1, sizeof *r->mode);
    r->x = calloc(rows * w + 1, sizeof *r->x);
    r->event = calloc(events + 1, sizeof *r->event);
    r->states = calloc(2 * events * w + 1, sizeof *r->states);
    if (!r->mode || !r->x || !r->event || !r->states || !copy_names(r, scout))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d events and %d times", r->events, times);
    for (size_t k = 0; k < events; k++) {
        const dae_event_record e = dae_hybrid_event(scout->hybrid, (int)k);
        dae_reference_event *of = &r->event[k];
        of->number = e.number;
        of->direction = e.direction;
        of->from = e.from;
        of->to = e.to;
        of->before = r->states + k * w;
        of->after = r->states + (events + k) * w;
    }
    return DAE_OK;
}

static dae_quad *row(const replay *p, dae_quad *rows, int k)
{
    return rows + (size_t)k * (size_t)p->m->width;
}

static dae_quad *before(const replay *p, int k) { return row(p, p->r->states, k); }

static dae_quad *after(const replay *p, int k) { return row(p, p->r->states, p->r->events + k); }

/* The piece up to t, or to event number k of the scout. */
static dae_status fly(replay *p, int k, double t)
{
    dae_motion *m = p->m;
    const dae_happening *e = k < p->scout->events ? &p->scout->happening[k] : NULL;
    dae_flight flight = {.motion = m, .end = t, .passing = p->passing};
    int reached = 0;
    memset(p->passing, 0, (size_t)m->h->mode[m->mode].events * sizeof *p->passing);
    for (int i = k; e && i < p->scout->events && p->scout->happening[i].group == e->group; i++) {
        const dae_happening *of = &p->scout->happening[i];
        if (of->round > 0 || of->direction == 0)
            continue;
        p->passing[of->event] = of->direction;
        flight.passes++;
        flight.margin = fmax(flight.margin, errors * p->scout->apart[i]);
        flight.then = p->r->event[k].name;
    }
    flight.margin = fmax(flight.margin, least_margin * (double)(t - m->t));
    flight.margin = fmax(flight.margin, errors * DBL_EPSILON * fmax(fabs(t), fabs(m->t0)));
    const dae_status status = dae_flight_run(&flight, p->times + p->r->count, p->count - p->r->count,
                                             row(p, p->r->x, p->r->count), &reached);
    for (int i = 0; !status && i < reached; i++)
        p->r->mode[p->r->count++] = m->mode;
    return status;
}

/* Until the group after number k - 1; for what needs a length. */
static dae_quad next_piece(const replay *p, int k)
{
    const double end = k < p->scout->events ? p->scout->happening[k].t : p->times[p->count - 1];
    const dae_quad piece = end - p->m->t;
    return piece > 0 ? piece : p->m->span;
}

/* The events from *k on that act in one round, in the order in which the scout had them. */
static dae_status act(replay *p, int *k)
{
    dae_motion *m = p->m;
    const dae_happening *e = p->scout->happening;
    const dae_happening first = e[*k];
    const size_t size = (size_t)m->width * sizeof *m->x;
    const char *because = p->r->event[*k].name;
    int acted = 0, to = -1;
    dae_motion_begin_round(m);
    for (; *k < p->scout->events && e[*k].group == first.group && e[*k].round == first.round; ++*k) {
        const dae_event *entry = dae_motion_entry(m, e[*k].event)->entry;
        p->r->event[*k].t = m->t;
        memcpy(before(p, *k), m->x, size);
        if (entry->action.quad) {
            dae_motion_act(m, e[*k].event);
            acted = 1;
        }
        if (entry->mode && to < 0) {
            to = e[*k].to;
            because = p->r->event[*k].name;
        }
        memcpy(after(p, *k), m->x, size);
    }
    dae_status status = dae_motion_end_round(m);
    if (!status && (acted || to >= 0))
        status = dae_motion_enter(m, to < 0 ? m->mode : to, next_piece(p, *k), because);
    memcpy(after(p, *k - 1), m->x, size);
    return status;
}

/* What the events since number k have made of the state is what they make of it in doubles. */
static dae_status check_passes(const replay *p, int k, int end)
{
    const dae_hybrid *h = p->m->h;
    const int size = h->size, nq = p->m->model[p->m->mode].nq;
    const double allowed = 1e-5, wrong = 1e3;
    for (; k < end; k++)
        for (int i = 0; i < size; i++) {
            const double *of = p->scout->size + (nq && i >= nq ? nq : 0);
            double class = p->scout->size[i];
            for (int j = 0; nq && j < nq; j++)
                class = fmax(class, of[j]);
            const double x = h->states[(2 * (size_t)k + 1) * (size_t)size + (size_t)i];
            const double apart = fabs((double)(after(p, k)[i] - x));
            if (!(apart <= allowed * class + wrong * p->scout->after_apart[(size_t)k * (size_t)size + (size_t)i]))
                return dae_fail(p->m->report, DAE_BAD_MODEL, "t = %.9g: after %s component %d of the state is %.9g "
                                "in quad and %.9g in doubles", (double)p->m->t, p->r->event[k].name, i + 1,
                                (double)after(p, k)[i], x);
        }
    return DAE_OK;
}

/* A time that is wanted is not that of an event: then it is not known which state is meant. */
static dae_status check_times(const replay *p)
{
    const double t = (double)p->m->t;
    for (int i = 0; i < p->count; i++)
        if (dae_quad_fabs(p->m->t - p->times[i]) <= 4 * DBL_EPSILON * fmax(fabs(t), fabs(p->m->t0)))
            return dae_fail(p->m->report, DAE_UNSUPPORTED, "t = %.17g: a reference is wanted at the time of an "
                            "event, where it has two states", t);
    return DAE_OK;
}

/* All rounds of the group that begins with *k. */
static dae_status pass_group(replay *p, int *k)
{
    const dae_happening *e = p->scout->happening;
    const int first = *k, group = e[first].group;
    const int at_once = first > 0 ? e[first].t <= e[first - 1].t : e[first].t <= p->m->t0;
    dae_status status = at_once || e[first].direction == 0 ? DAE_OK : fly(p, first, e[first].t);
    if (!status && !at_once)
        status = check_times(p);
    while (!status && *k < p->scout->events && e[*k].group == group)
        status = act(p, k);
    if (!status && (*k < p->scout->events || !p->scout->ended))
        status = dae_contacts_check(p->m);
    return status ? status : check_passes(p, first, *k);
}

/* Times at the start itself. */
static void begin_rows(replay *p)
{
    for (; p->r->count < p->count && p->times[p->r->count] <= p->m->t0; p->r->count++) {
        memcpy(row(p, p->r->x, p->r->count), p->m->x, (size_t)p->m->width * sizeof *p->m->x);
        p->r->mode[p->r->count] = p->m->mode;
    }
}

static dae_status run_all(replay *p, dae_motion_rule rule)
{
    dae_status status = dae_motion_start(p->m, rule);
    int k = 0;
    p->r->count = 0;
    if (!status)
        begin_rows(p);
    while (!status && k < p->scout->events)
        status = pass_group(p, &k);
    if (!status && !p->scout->ended && p->r->count < p->count)
        status = fly(p, k, p->times[p->count - 1]);
    return status;
}

dae_status dae_replay_run(dae_event_reference *r, dae_motion *m, const dae_scout *scout, dae_motion_rule rule,
                          const double *times, int count)
{
    replay p = {.r = r, .m = m, .scout = scout, .times = times, .count = count};
    size_t most = 1;
    for (int k = 0; k < m->h->modes; k++)
        most = (size_t)m->h->mode[k].events > most ? (size_t)m->h->mode[k].events : most;
    p.passing = calloc(most, sizeof *p.passing);
    if (!p.passing)
        return dae_fail(m->report, DAE_NO_MEMORY, "no memory for %zu events", most);
    const dae_status status = run_all(&p, rule);
    free(p.passing);
    return status;
}
