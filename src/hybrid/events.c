/* events.c - what happens at an event: actions, changes of mode, and further events caused by them
 *
 * At one time t there may be several rounds. In a round the actions of all events that have happened are
 * carried out, in the order of the problem. Then the state is made consistent, with the constraints of the
 * new mode if an event changes it. The events of the next round are those whose function changed sign by
 * these actions; in a new mode, those guards (events that change the mode) that are past zero. Integration
 * continues after a round without further events.
 */
#include "hybrid.h"

#include "projection/project.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double JUMP_ERRORS = 4096 * DBL_EPSILON;   /* of a state, where signs are compared */

/* The entry of event i; NULL: it is a condition of the user. */
static const dae_event *event_of(const dae_hybrid *h, int i)
{
    const dae_mode *mode = &h->mode[h->now];
    return i < mode->events ? mode->event[i].entry : NULL;
}

static const char *name_of(const dae_hybrid *h, int i)
{
    const dae_mode *mode = &h->mode[h->now];
    return i < mode->events ? mode->event[i].name : h->stop[i - mode->events].name;
}

double dae_hybrid_value(const dae_hybrid *h, int i, double t, const double *x)
{
    const dae_mode *mode = &h->mode[h->now];
    if (i < mode->events)
        return mode->event[i].entry->value.f(h->p, t, x, mode->event[i].k);
    const dae_stop_condition *stop = &h->stop[i - mode->events];
    return stop->value(stop->context, t, x);
}

/* ---- callbacks of the solver -------------------------------------------------------------- */

dae_status dae_hybrid_values(void *context, double t, const double *u, double *g,
                             dae_report *report)
{
    dae_hybrid *h = context;
    const dae_mode *mode = &h->mode[h->now];
    const dae_status status = dae_hybrid_state(h, t, u, h->x);
    if (status)
        return dae_fail(report, status, "%s", h->report.message);
    for (int i = 0; i < mode->count; i++) {
        g[i] = dae_hybrid_value(h, i, t, h->x);
        if (!isfinite(g[i]))
            return dae_fail(report, DAE_NOT_FINITE, "t = %.17g: the function of event %s has no "
                            "finite value", t, name_of(h, i));
    }
    return DAE_OK;
}

static dae_status grow(dae_hybrid *h)
{
    if (h->happenings < h->room)
        return DAE_OK;
    const size_t room = 2 * (size_t)h->room, width = 2 * (size_t)h->size;
    dae_happening *more = realloc(h->happening, room * sizeof *more);
    if (more)
        h->happening = more;
    double *states = more ? realloc(h->states, room * width * sizeof *states) : NULL;
    if (!states)
        return dae_fail(&h->report, DAE_NO_MEMORY, "no memory for %zu events", room);
    h->states = states;
    h->room = (int)room;
    return DAE_OK;
}

static double *state_before(const dae_hybrid *h)
{
    return h->states + 2 * (size_t)(h->happenings - 1) * (size_t)h->size;
}

static void note_after(dae_hybrid *h)
{
    memcpy(state_before(h) + h->size, h->state, (size_t)h->size * sizeof *h->state);
}

/* Append event i to happening[], with h->state as the state before and, until an action, after it. */
static dae_status note(dae_hybrid *h, int i, int direction)
{
    const dae_event *e = event_of(h, i);
    if (++h->events_in_call > h->options.max_events)
        return dae_fail(&h->report, DAE_MAX_EVENTS, "t = %.12g: %ld events, the last of them %s, "
                        "are more than allowed", h->t, h->events_in_call, name_of(h, i));
    const dae_status status = grow(h);
    if (status)
        return status;
    h->happening[h->happenings++] = (dae_happening){
        .t = h->t, .event = i, .direction = direction, .from = h->now, .to = h->now, .previous = -1,
        .group = h->group, .round = h->round,
        .measure = e && e->measure.f ? e->measure.f(h->p, h->t, h->state, h->mode[h->now].event[i].k) : NAN};
    memcpy(state_before(h), h->state, (size_t)h->size * sizeof *h->state);
    note_after(h);
    return DAE_OK;
}

int dae_hybrid_happened(void *context, double t, const double *u, const int *fired)
{
    dae_hybrid *h = context;
    const int count = h->mode[h->now].count;
    int plain = 1;
    memcpy(h->fired, fired, (size_t)count * sizeof *fired);
    for (int i = 0; i < count; i++) {
        const dae_event *e = event_of(h, i);
        plain = plain && (!fired[i] || (e && !e->action.f && !e->mode && !e->limit && !e->terminal));
    }
    if (!plain || dae_hybrid_state(h, t, u, h->state))
        return 1;
    h->t = t;
    h->group++;
    h->round = 0;
    for (int i = 0; i < count; i++)
        if (fired[i] && note(h, i, fired[i]))
            return 1;
    return 0;
}

/* ---- acting ------------------------------------------------------------------------------- */

/* The result of a round of events. */
typedef struct {
    int acted, to;              /* 1: an action was carried out; the mode to enter, -1: none */
    int stop, enter;            /* index of the event that ends the run, that changes the mode; -1: none */
    const char *because;        /* name of the event that changes the mode, or of the last with an action */
} outcome;

static int mode_named(const dae_hybrid *h, const char *name)
{
    int m = 0;
    while (strcmp(h->mode[m].name, name) != 0)
        m++;
    return m;
}

/* Event i accumulates: go to the limit of its times, and to the mode that the problem gives for it. */
static dae_status accumulate(dae_hybrid *h, int i, double limit, outcome *out)
{
    const dae_event *e = event_of(h, i);
    const dae_recurrence r = h->mode[h->now].recurrence[i];
    if (!e->limit && (limit <= r.last || r.at_once))
        return dae_fail(&h->report, DAE_ACCUMULATION, "t = %.12g: events accumulate: %s happens "
                        "again and again, and no motion between can be seen", limit, name_of(h, i));
    if (!e->limit)
        return dae_fail(&h->report, DAE_ACCUMULATION, "t = %.12g: events accumulate at t = %.12g: "
                        "the last two %s were %.3g apart", h->t, limit, name_of(h, i), r.interval);
    memcpy(h->state, h->v, (size_t)h->size * sizeof *h->state);
    h->t = limit;
    const dae_status status = note(h, i, 0);
    if (!status)
        h->happening[h->happenings - 1].accumulated = 1;
    out->to = mode_named(h, e->limit);
    out->enter = h->happenings - 1;
    out->because = name_of(h, i);
    return status;
}

static int past(double g, double noise, dae_direction direction)
{
    return direction == DAE_FALLING ? g < -noise : direction == DAE_RISING ? g > noise : 0;
}

/* 1 where the change of g from was to is crosses zero in direction d. */
static int across(double was, double is, double noise, dae_direction d)
{
    return d == DAE_ANY ? fabs(is) > noise && fabs(was) > noise && (is > 0) != (was > 0)
                        : past(is, noise, d) && !past(was, noise, d);
}

/* 1 where another function changes sign between now and the limit, whose state is h->v, or where the run
 * ends before the limit. */
static int passed_before(dae_hybrid *h, int i, double limit)
{
    const dae_mode *mode = &h->mode[h->now];
    int passed = limit > h->t_end;
    memcpy(h->v + h->size, h->state + h->size, (size_t)(h->most - h->size) * sizeof *h->v);
    for (int j = 0; j < mode->count; j++)
        passed |= j != i && !h->fired[j] && !dae_recurrence_in_cycle(h, h->now, j, i)
                  && across(dae_hybrid_value(h, j, h->t, h->state), dae_hybrid_value(h, j, limit, h->v), 0,
                            mode->direction[j]);
    return passed;
}

/* 1 where event i has no mode for the limit, but another event of its cycle has one. */
static int left_to_another(const dae_hybrid *h, int i)
{
    if (event_of(h, i)->limit)
        return 0;
    for (int m = 0; m < h->modes; m++)
        for (int j = 0; j < h->mode[m].events; j++)
            if (h->mode[m].event[j].entry->limit && dae_recurrence_in_cycle(h, m, j, i))
                return 1;
    return 0;
}

/* The action of event i, the last one noted, which is approached in the direction way. Its answer. */
static int do_action(dae_hybrid *h, int i, int way, outcome *out)
{
    const dae_numbered_event *event = &h->mode[h->now].event[i];
    const double speed = way ? dae_hybrid_approach(h, i, way, h->state) : 0;
    memcpy(h->acted, h->p_new, (size_t)h->parameters * sizeof *h->p_new);
    const int stops = event->entry->action.f(h->acted, h->t, h->state, h->p_new, event->k) != 0;
    out->acted = 1;
    out->because = out->to < 0 ? name_of(h, i) : out->because;
    note_after(h);
    h->fastest[i] = fmax(h->fastest[i], speed);
    if (speed > 0 && dae_hybrid_approach(h, i, way, h->state) <= 0) {
        h->turned[i] = way;
        h->happening[h->happenings - 1].speed = speed;
    }
    return stops;
}

static dae_status act_once(dae_hybrid *h, int i, int direction, outcome *out)
{
    const dae_event *e = event_of(h, i);
    const int way = direction ? direction : h->turned[i] ? h->turned[i] : (int)h->mode[h->now].direction[i];
    double limit;
    int stops = !e || e->terminal;
    if (e && e->action.f && out->acted && dae_hybrid_is_turned_away(h, i, way))
        return DAE_OK;
    if (e && direction && dae_recurrence_unresolved(h, i, &limit, h->v))
        return accumulate(h, i, limit, out);
    dae_status status = note(h, i, direction);
    const int record = h->happenings - 1;
    if (!status && e && e->action.f)
        stops |= do_action(h, i, way, out);
    if (!status && stops && out->stop < 0)
        out->stop = record;
    if (status || !e)
        return status;
    if (e->mode && out->to < 0) {
        out->to = mode_named(h, e->mode);
        out->enter = record;
        out->because = name_of(h, i);
    }
    if (e->action.f || e->mode) {
        dae_recurrence_note(h, i, h->t);
        if (dae_recurrence_accumulates(h, i, &limit, h->v) && !passed_before(h, i, limit)
            && !left_to_another(h, i))
            status = accumulate(h, i, limit, out);
    }
    return status;
}

/* Enter mode m, or the present one again, with h->state. This may change the functions of events that have
 * just happened. If the change is small, or no action has changed the state, they still count as zero.
 * first: index of the first event of the round. */
static dae_status enter(dae_hybrid *h, int m, int first, const char *because)
{
    const int from = h->now, count = h->mode[from].count;
    const double *before = h->states + 2 * (size_t)first * (size_t)h->size;
    const int untouched = memcmp(before, h->state, (size_t)h->size * sizeof *before) == 0;
    for (int i = 0; i < count; i++)
        h->g_new[i] = h->done[i] ? dae_hybrid_value(h, i, h->t, h->state) : 0;
    dae_status status = dae_hybrid_enter(h, m, h->t, h->state, because);
    if (!status)
        status = dae_hybrid_state(h, h->t, h->u, h->state);
    for (int i = 0; !status && m == from && i < count; i++) {
        const double moved = h->done[i] ? fabs(dae_hybrid_value(h, i, h->t, h->state) - h->g_new[i]) : 0;
        if (untouched || moved <= h->near[i])
            h->stopped[i] = fmax(fabs(h->stopped[i]), moved);
    }
    return status;
}

/* Carry out the actions of all events of h->fired, then make the state consistent with the new mode. After a
 * failure the run is where it was before. */
static dae_status act_all(dae_hybrid *h, outcome *out)
{
    const size_t parameters = (size_t)h->parameters;
    const int count = h->mode[h->now].count, first = h->happenings;
    const dae_hybrid_place before = dae_hybrid_keep(h);
    dae_status status = DAE_OK;
    *out = (outcome){.to = -1, .stop = -1, .enter = -1};
    memcpy(h->p_new, h->p, parameters * sizeof *h->p);
    for (int i = 0; !status && i < count; i++)
        if (h->fired[i])
            status = act_once(h, i, h->fired[i] == DAE_FOLLOWS ? 0 : h->fired[i], out);
    if (!status && memcmp(h->p, h->p_new, parameters * sizeof *h->p) != 0)
        status = dae_hybrid_change_parameters(h);
    if (!status && !out->acted && out->to < 0)
        return DAE_OK;
    if (!status)
        status = enter(h, out->to < 0 ? h->now : out->to, first, out->because);
    if (status) {
        dae_hybrid_return(h, &before);
        return status;
    }
    if (h->happenings > first)
        note_after(h);
    if (out->enter >= 0)
        h->happening[out->enter].to = h->now;
    return DAE_OK;
}

/* h->unit := magnitudes of the present mode's unknowns, now and in the last step of mode from (-1: none), if
 * that has the same unknowns. h->rate := their derivatives in that step, or 0. */
static void measure_unknowns(dae_hybrid *h, int from)
{
    const dae_mode *mode = &h->mode[h->now];
    const int n = mode->sys->n;
    for (int i = 0; i < n; i++) {
        h->unit[i] = fmax(fabs(h->u[i]), dae_watch_size(mode->solver, i));
        h->rate[i] = 0;
    }
    const dae_solver *last = from < 0 ? NULL : h->mode[from].solver;
    const int minimal = mode->sys->compose->kind == DAE_FORM_MINIMAL;
    const int common = from == h->now ? n : minimal ? 0 : h->size;
    for (int i = 0; last && last->t > last->t_old && i < common; i++) {
        h->unit[i] = fmax(h->unit[i], fmax(fabs(last->u[i]), fabs(last->u_old[i])));
        h->rate[i] = (last->u[i] - last->u_old[i]) / (last->t - last->t_old);
    }
    if (h->t != h->t_sized)
        memset(h->sized, 0, (size_t)h->size * sizeof *h->sized);
    h->t_sized = h->t;
    for (int i = 0; !minimal && i < h->size; i++)
        h->unit[i] = h->sized[i] = fmax(h->sized[i], h->unit[i]);
}

/* 1 where guard i of a mode just entered has changed sign, in either direction, since before event number
 * first. */
static int across_on_entry(dae_hybrid *h, int i, int first, double is, double noise)
{
    double *x = h->entry;
    if (first < 0 || first >= h->happenings)
        return 0;
    memcpy(x, h->state, (size_t)h->most * sizeof *x);           /* lambda is that of the new mode */
    memcpy(x, h->states + 2 * (size_t)first * (size_t)h->size, (size_t)h->size * sizeof *x);
    return across(dae_hybrid_value(h, i, h->t, x), is, noise, DAE_ANY);
}

/* h->next := DAE_FOLLOWS for events whose function has changed sign by actions, and in a mode just entered
 * for guards past zero, else 0. Returns their number. h->g and h->fired are those of mode from (-1: none).
 * The conditions of the user are common to all modes. first: index of the first event of the round. */
static int find_followers(dae_hybrid *h, int from, int first, dae_status *status)
{
    const int before = from < 0 ? -1 : h->mode[from].events;
    const dae_mode *mode = &h->mode[h->now];
    const dae_watch watch = {.count = mode->count, .values = dae_hybrid_values, .context = h};
    int followers = 0;
    measure_unknowns(h, from);
    const dae_watch_place place = {h->t, h->u, h->unit, h->rate};
    *status = mode->count ? dae_watch_noise(&watch, mode->sys->n, place, JUMP_ERRORS, h->v,
                                            h->g_new, h->noise, &h->report) : DAE_OK;
    for (int i = 0; !*status && i < mode->count; i++) {
        const dae_event *e = event_of(h, i);
        const double is = h->g_new[i], noise = h->noise[i];
        const dae_direction d = mode->direction[i];
        const int was = e ? i : i - mode->events + before;      /* its number in mode from */
        int follows = 0;
        if (e && from != h->now)
            follows = e->mode && !e->passage && (d == DAE_ANY ? across_on_entry(h, i, first, is, noise)
                                               : past(is, noise, d));
        else if (before >= 0 && !h->fired[was])
            follows = across(h->g[was], is, noise, d);
        if (!follows && from == h->now)
            follows = dae_hybrid_is_approached(h, i, first, is, noise);
        h->next[i] = follows ? DAE_FOLLOWS : 0;
        followers += h->next[i] != 0;
    }
    return followers;
}

/* The event of mode from that has just happened and is the same passage as event i of the present mode; -1: none */
static int passed_as(const dae_hybrid *h, int i, int from)
{
    const dae_numbered_event *now = &h->mode[h->now].event[i], *before = h->mode[from].event;
    for (int j = 0; now->entry->passage && j < h->mode[from].events; j++)
        if (h->done[j] && before[j].k == now->k && before[j].entry->passage
            && strcmp(before[j].entry->passage, now->entry->passage) == 0)
            return j;
    return -1;
}

static void forget_turned(dae_hybrid *h)
{
    for (int i = 0; i < h->mode[h->now].count; i++) {
        h->turned[i] = 0;
        h->fastest[i] = 0;
    }
}

static void forget_carried(dae_hybrid *h)
{
    for (int i = 0; i < h->mode[h->now].count; i++)
        h->carried[i] = DAE_UNKNOWN;
}

/* After a change of mode h->done and h->stopped keep the conditions of the user, and passages. */
static void pass_done(dae_hybrid *h, int from)
{
    const size_t events = (size_t)h->mode[h->now].events, before = (size_t)h->mode[from].events;
    if (from == h->now)
        return;
    for (size_t i = 0; i < events; i++) {
        const int j = passed_as(h, (int)i, from);
        h->fired[i] = j >= 0;                   /* what they held is of the rounds before */
        h->g[i] = j >= 0 ? h->stopped[j] : 0;
    }
    memmove(h->done + events, h->done + before, (size_t)h->stops * sizeof *h->done);
    memmove(h->stopped + events, h->stopped + before, (size_t)h->stops * sizeof *h->stopped);
    memcpy(h->done, h->fired, events * sizeof *h->done);
    memcpy(h->stopped, h->g, events * sizeof *h->stopped);
    memset(h->near, 0, (size_t)h->mode[h->now].count * sizeof *h->near);
    forget_turned(h);
    forget_carried(h);
}

/* The last impacts, a cycle of so many, collapse (impacts.c) to h->v, which becomes h->state, in the mode that one of
 * them has for its limit. */
static dae_status collapse(dae_hybrid *h, int length)
{
    const int last = h->happenings;
    outcome out = {.to = -1, .stop = -1, .enter = last};
    int i = h->happening[last - 1].event;
    for (int k = 2; k <= length && !event_of(h, i)->limit; k++)
        i = h->happening[last - k].event;
    out.because = name_of(h, i);
    memcpy(h->state, h->v, (size_t)h->size * sizeof *h->state);
    dae_status status = event_of(h, i)->limit ? accumulate(h, i, h->t, &out) : note(h, i, 0);
    if (status)
        return status;
    h->happening[last].accumulated = 1;
    status = enter(h, out.to < 0 ? h->now : out.to, last, out.because);
    if (!status)
        note_after(h);
    h->happening[last].to = h->now;
    return status;
}

/* The events that follow those of a round, the first of number first, in h->next; begun: the first of all rounds. */
static dae_status follow(dae_hybrid *h, int from, int first, int begun, int *followers)
{
    dae_status status;
    *followers = find_followers(h, from, first, &status);
    const int length = !status && *followers && from == h->now ? dae_hybrid_collapses(h, begun, h->v) : 0;
    const int last = h->happenings;
    if (length)
        status = collapse(h, length);
    if (length && !status)
        *followers = find_followers(h, from, last, &status);
    return status;
}

/* Rounds until there are no further events, or until a terminal event. *stop: index of that event, set -1
 * before. h->done := all these events, which the solver must not find again. */
static dae_status act_rounds(dae_hybrid *h, int *stop)
{
    memset(h->done, 0, (size_t)h->mode[h->now].count * sizeof *h->done);
    if (h->t != h->t_turned)
        forget_turned(h);
    h->t_turned = h->t;
    h->group++;
    const int begun = h->happenings;
    for (int round = 0, others = 0; others < DAE_MAX_CASCADE; round++) {
        const int from = h->now, first = h->happenings;
        outcome out;
        h->round = round;
        for (int i = 0; i < h->mode[from].count; i++)
            h->done[i] |= h->fired[i] != 0;
        dae_status status = dae_hybrid_values(h, h->t, h->u, h->g, &h->report);
        if (h->vary)
            h->vary(h->sensitivity, DAE_BEFORE_ROUND, first);
        if (!status)
            status = act_all(h, &out);
        if (status)
            return status;
        if (h->vary)
            h->vary(h->sensitivity, DAE_AFTER_ROUND, first);
        others += !dae_hybrid_has_impacts(h, first);
        *stop = *stop < 0 ? out.stop : *stop;
        int followers = 0;
        if (out.to >= 0 || out.acted)
            status = follow(h, from, first, begun, &followers);
        if (status)
            return status;
        pass_done(h, from);
        if (!followers || (*stop >= 0 && from == h->now))
            return DAE_OK;
        memcpy(h->fired, h->next, (size_t)h->mode[h->now].count * sizeof *h->fired);
    }
    return dae_fail(&h->report, DAE_MAX_EVENTS, "t = %.12g: %d events in a row follow each other "
                    "without time going on, the last of them %s", h->t, (int)DAE_MAX_CASCADE,
                    dae_hybrid_event(h, h->happenings - 1).name);
}

/* When the mode changes: project v on dg/dt = 0 of the old mode, so that its drift is not taken for
 * motion. */
static dae_status remove_drift(dae_hybrid *h)
{
    dae_system *s = h->mode[h->now].sys;
    int leaves = 0;
    for (int i = 0; i < h->mode[h->now].events; i++)
        leaves |= h->fired[i] && event_of(h, i)->mode;
    if (!leaves || !s->nl)
        return DAE_OK;
    const dae_status status = dae_project_velocities(s, h->t, h->state, h->state + s->nq);
    return status ? dae_fail(&h->report, status, "t = %.9g: the constraints of %s are singular",
                             h->t, h->mode[h->now].name) : DAE_OK;
}

/* A passage without a slope goes on across zero; not of what comes to rest there, as that of a contact, whose action
 * has nothing to change: h->carried of events since number first that are a limit, or change nothing. */
static void forget_held(dae_hybrid *h, int first)
{
    const size_t size = (size_t)h->size * sizeof *h->state, parameters = (size_t)h->parameters * sizeof *h->p;
    const int idle = memcmp(h->p, h->p_kept, parameters) == 0;
    for (int k = first; k < h->happenings; k++) {
        const dae_happening *e = &h->happening[k];
        const double *before = h->states + 2 * (size_t)k * (size_t)h->size;
        const dae_event *entry = e->from == h->now ? event_of(h, e->event) : NULL;
        if (entry && (entry->limit || (idle && entry->action.f && memcmp(before, before + h->size, size) == 0)))
            h->carried[e->event] = DAE_UNKNOWN;
    }
}

/* 1 where an event of the present time is the limit of others: then contacts are left at zero, to the rounding of what
 * the unknowns were, and without a slope. */
static int came_to_rest(const dae_hybrid *h)
{
    int k = h->happenings - 1;
    while (k >= 0 && h->happening[k].t == h->t && !h->happening[k].accumulated)
        k--;
    return k >= 0 && h->happening[k].t == h->t;
}

/* Carry out the events h->fired, found by the solver or guards at the start, at (h->t, h->u). Those of
 * h->waiting are treated as events that have just happened. */
static dae_status act(dae_hybrid *h)
{
    const int from = h->now, first = h->happenings;
    int stop = -1;
    dae_status status = dae_hybrid_state(h, h->t, h->u, h->state);
    if (!status)
        status = remove_drift(h);
    if (!status)
        status = act_rounds(h, &stop);
    for (int i = 0; !status && h->now == from && i < h->mode[from].events; i++)
        h->done[i] = h->turned[i] ? DAE_TURNED : h->done[i] | h->waiting[i];
    if (!status)
        forget_held(h, first);
    if (!status)
        measure_unknowns(h, from);
    if (!status && !came_to_rest(h))
        memset(h->unit, 0, (size_t)h->most * sizeof *h->unit);
    if (!status)
        status = dae_hybrid_restart(h, h->done);
    if (!status && h->vary)
        h->vary(h->sensitivity, DAE_RUN_GOES_ON, first);
    if (!status && h->observer && h->observer(h->observer_context, h))
        return dae_fail(&h->report, DAE_STOPPED, "t = %.9g: stopped by the observer", h->t);
    if (!status && stop >= 0) {
        const dae_event_record last = dae_hybrid_event(h, stop);
        return dae_fail(&h->report, DAE_EVENT, "t = %.12g: stopped by event %s%s%s", h->t,
                        last.name, last.title ? ": " : "", last.title ? last.title : "");
    }
    return status;
}

dae_status dae_hybrid_act(dae_hybrid *h)
{
    const dae_mode *mode = &h->mode[h->now];
    h->reach = dae_watch_outcome(mode->solver, h->stopped, h->near, h->waiting, h->carried, h->motion);
    return act(h);
}

dae_status dae_hybrid_settle(dae_hybrid *h)
{
    dae_status status;
    memset(h->stopped, 0, (size_t)h->mode[h->now].count * sizeof *h->stopped);
    memset(h->near, 0, (size_t)h->mode[h->now].count * sizeof *h->near);
    forget_carried(h);
    memset(h->fired, 0, (size_t)h->mode[h->now].count * sizeof *h->fired);
    if (!find_followers(h, -1, -1, &status))
        return status;
    memcpy(h->fired, h->next, (size_t)h->mode[h->now].count * sizeof *h->fired);
    memset(h->waiting, 0, (size_t)h->mode[h->now].count * sizeof *h->waiting);
    return act(h);
}
