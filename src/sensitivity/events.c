/* events.c - sensitivities of a run through events, impacts and changes of mode
 *
 * An event is where g(t, x, p) = 0, x = (q, v, lambda) or u, and takes x to h(t, x, p). With dx along a direction at a
 * time that is held, and x' along the motion,
 *
 *     dt = -(g_x dx + g_p dp)/(g_t + g_x x'),        dx+ = h_x (dx + x' dt) + h_t dt + h_p dp,
 *
 * then dx+ on the constraints of the mode that is entered, and dx := dx+ - x'+ dt behind it. Events of one instant
 * follow each other; one that an action caused by a jump of its function happens when that action does. */
#include "sensitivity.h"

#include "base/parts.h"
#include "hybrid/hybrid.h"
#include "start/consistent.h"
#include "stepper/derivative.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double GRAZING = 1e-8;     /* slope of an event function, beside its terms */
static const double SAME = 1e-9;        /* times that move together, where the tolerance is smaller */
static const double AT_ZERO = 1e-9;     /* of the interval: how far in time an event is from where its function is 0 */

struct dae_hybrid_sensitivity {
    dae_hybrid *hybrid;
    dae_sensitivity **mode;     /* [modes] */
    int count, modes, size, parameters;
    dae_status status;
    dae_report report;
    double *x, *motion;         /* [most] the state before an event with its multipliers; [most] x' */
    double *dx;                 /* [count + 1 x most] */
    double *dt, *dt_first;      /* [count] of the last event; of the first of an instant with a time of its own */
    int timed, first_timed;     /* 1: the last event has one; there is a dt_first */
    double *given, *moved;      /* [most] */
    dae_dual *state;            /* [most] */
    dae_dual *p, *p_new;        /* [parameters], with the user's data before them */
    double *dp;                 /* [count x parameters] */
    double *p_then;             /* [parameters] before the round */
    double *event_dt;           /* [room x count] of the events so far, NaN where they do not act */
    int room, events;
};

static double *dx_of(const dae_hybrid_sensitivity *w, int c) { return w->dx + (size_t)c * (size_t)w->hybrid->most; }

static dae_status told(dae_hybrid_sensitivity *w, dae_sensitivity *of, dae_status status)
{
    if (status)
        w->report = of->v.report;
    return status;
}

static dae_sensitivity *now(const dae_hybrid_sensitivity *w) { return w->mode[w->hybrid->now]; }

/* ---- states and motions ---------------------------------------------------------------------- */

/* dx[size] of all directions from the unknowns of the present mode at (t, u[n]) */
static void take_unknowns(dae_hybrid_sensitivity *w, double t, const double *u)
{
    dae_variation *v = &now(w)->v;
    for (int c = 0; !w->status && c < w->count; c++) {
        const dae_tangent along = {.u = dae_du(v, c), .p = dae_dp(v, c)};
        double *dx = dx_of(w, c);
        if (v->sys->nq)
            w->status = dae_system_split_along(v->sys, t, u, &along, dx, dx + v->sys->nq, &w->report);
        else
            memcpy(dx, along.u, (size_t)w->size * sizeof *dx);
    }
}

/* w->motion[size] := x' at (t, x) in the present mode, and in mechanics, behind it, the derivative of lambda in time */
static dae_status move(dae_hybrid_sensitivity *w, double t, const double *x)
{
    dae_sensitivity *s = now(w);
    dae_variation *v = &s->v;
    const int nq = v->sys->nq;
    double *to = w->motion, *rate = dae_du(v, w->count);
    if (nq) {
        dae_status status = dae_vary_at(v, t, x, x + nq);
        memcpy(to, x + nq, (size_t)nq * sizeof *to);
        memcpy(to + nq, v->a, (size_t)nq * sizeof *to);
        v->dt = 1;
        if (!status)
            status = dae_vary_acceleration(v, w->count, t, x, x + nq, to, to + nq, v->x, to + 2 * nq);
        v->dt = 0;
        return told(w, s, status);
    }
    memcpy(w->moved, w->hybrid->u, (size_t)v->n * sizeof *to);
    memcpy(w->moved, x, (size_t)w->size * sizeof *to);
    dae_derivative_at(s->solver, t, w->moved, rate);
    for (int i = 0; i < v->n; i++)
        rate[i] = dae_system_is_algebraic(v->sys, i) && !v->sys->nondiagonal_mass ? 0 : rate[i];
    v->dt = 1;
    const dae_status status = dae_sensitivity_complete(s, w->count, t, w->moved);
    v->dt = 0;
    memcpy(to, rate, (size_t)w->size * sizeof *to);
    return told(w, s, status);
}

/* Behind dx[size] of direction c: that of lambda at (t, x), which move has looked at */
static dae_status vary_multipliers(dae_hybrid_sensitivity *w, int c, double t, const double *x)
{
    dae_sensitivity *s = now(w);
    const int nq = s->v.sys->nq;
    double *dx = dx_of(w, c);
    return nq ? told(w, s, dae_vary_acceleration(&s->v, c, t, x, x + nq, dx, dx + nq, s->v.x, dx + 2 * nq)) : DAE_OK;
}

/* ---- an event -------------------------------------------------------------------------------- */

static const dae_numbered_event *event_of(const dae_hybrid_sensitivity *w, const dae_happening *e)
{
    const dae_mode *mode = &w->hybrid->mode[e->from];
    return e->event < mode->events ? &mode->event[e->event] : NULL;
}

static void pack_parameters(dae_hybrid_sensitivity *w, int c)
{
    const double *dp = w->dp + (size_t)c * (size_t)w->parameters;
    for (int i = 0; i < w->parameters; i++)
        w->p[i] = dae_dual_make(w->p_then[i], dp[i]);
}

/* d of the event function at (t, x) along (dt, dx) and dp of direction c, which w->p has */
static double vary_value(dae_hybrid_sensitivity *w, const dae_numbered_event *e, int lambdas, double t, double dt,
                         const double *x, const double *dx)
{
    dae_tangent_pack(w->size + lambdas, x, dx, w->state);
    return dae_dual_derivative(e->entry->value.tangent(w->p, dae_dual_make(t, dt), w->state, e->k));
}

/* d of the event function at (t, w->x) along (dt, dx) and what w->p has; 0 where it is rounding beside its terms. */
static double value_beside_terms(dae_hybrid_sensitivity *w, const dae_numbered_event *e, int lambdas, double t,
                                 double dt, const double *dx, double rounding)
{
    double *part = w->moved, terms = 0;
    const double value = vary_value(w, e, lambdas, t, dt, w->x, dx);
    memset(part, 0, (size_t)(w->size + lambdas) * sizeof *part);
    terms += fabs(vary_value(w, e, lambdas, t, dt, w->x, part));
    for (int i = 0; i < w->size + lambdas; i++) {
        part[i] = dx[i];
        terms += part[i] == 0 ? 0 : fabs(vary_value(w, e, lambdas, t, 0, w->x, part));
        part[i] = 0;
    }
    return fabs(value) > rounding * terms ? value : 0;
}

/* The slope of the event function along the motion */
static double slope_of(dae_hybrid_sensitivity *w, const dae_numbered_event *e, int lambdas, double t)
{
    for (int i = 0; i < w->parameters; i++)
        w->p[i] = dae_dual_make(w->p_then[i], 0);
    return value_beside_terms(w, e, lambdas, t, 1, w->motion, GRAZING);
}

/* Does no direction move the event function, as of bodies that touch each other and go on together? */
static int stands_still(dae_hybrid_sensitivity *w, const dae_numbered_event *e, int lambdas, double t)
{
    const double rounding = fmax(GRAZING, now(w)->solver->options.rtol);
    int still = 1;
    for (int c = 0; c < w->count; c++) {
        pack_parameters(w, c);
        still = still && value_beside_terms(w, e, lambdas, t, 0, dx_of(w, c), rounding) == 0;
    }
    return still;
}

/* w->dt of all directions, of an event at w->x */
static dae_status vary_time(dae_hybrid_sensitivity *w, const dae_happening *e, const dae_numbered_event *event)
{
    const dae_hybrid *h = w->hybrid;
    const int lambdas = now(w)->v.sys->nq ? now(w)->v.sys->nl : 0;
    const double slope = slope_of(w, event, lambdas, e->t);
    const double value = event->entry->value.f(h->p, e->t, w->x, event->k);
    const double span = fabs(h->problem->t_end - h->problem->t0);
    if (!e->direction && !(slope != 0 && fabs(value) <= AT_ZERO * span * fabs(slope)))
        return DAE_OK;                                  /* with the event that caused it */
    if (slope == 0 && stands_still(w, event, lambdas, e->t))
        return DAE_OK;                                  /* at any time */
    if (slope == 0)
        return dae_fail(&w->report, DAE_UNSUPPORTED, "t = %.12g: %s grazes: its time has no derivative", e->t,
                        event->name);
    for (int c = 0; c < w->count; c++) {
        pack_parameters(w, c);
        w->dt[c] = -vary_value(w, event, lambdas, e->t, 0, w->x, dx_of(w, c)) / slope;
    }
    w->timed = 1;
    return DAE_OK;
}

/* dx[size] of direction c at the event := that behind the action, and dp; *after[size], w->p_new: its state */
static void vary_action(dae_hybrid_sensitivity *w, int c, const dae_happening *e, const dae_numbered_event *event,
                        int lambdas, double *after)
{
    double *dx = dx_of(w, c), *dp = w->dp + (size_t)c * (size_t)w->parameters;
    pack_parameters(w, c);
    memcpy(w->p_new, w->p, (size_t)w->parameters * sizeof *w->p);
    dae_tangent_pack(w->size + lambdas, w->x, dx, w->state);
    event->entry->action.tangent(w->p, dae_dual_make(e->t, w->dt[c]), w->state, w->p_new, event->k);
    for (int i = 0; i < w->size; i++)
        after[i] = dae_dual_value(w->state[i]);
    dae_tangent_unpack(w->size, w->state, dx);
    dae_tangent_unpack(w->parameters, w->p_new, dp);
}

static dae_status keep_time(dae_hybrid_sensitivity *w, int number)
{
    if (number >= w->room) {
        const int room = 2 * number + 8;
        double *more = realloc(w->event_dt, (size_t)room * (size_t)w->count * sizeof *more);
        if (!more)
            return dae_fail(&w->report, DAE_NO_MEMORY, "no memory for %d events", room);
        w->event_dt = more;
        w->room = room;
    }
    for (; w->events < number; w->events++)
        for (int c = 0; c < w->count; c++)
            w->event_dt[w->events * w->count + c] = NAN;
    memcpy(w->event_dt + number * w->count, w->dt, (size_t)w->count * sizeof *w->dt);
    w->events = number + 1;
    return DAE_OK;
}

/* w->x := x with its multipliers, w->motion and dx of multipliers there; asked before actions change parameters. */
static dae_status stand_before(dae_hybrid_sensitivity *w, double t, const double *x)
{
    const int lambdas = now(w)->v.sys->nq ? now(w)->v.sys->nl : 0;
    memcpy(w->x, x, (size_t)w->size * sizeof *w->x);
    dae_status status = move(w, t, w->x);
    if (now(w)->v.sys->nq)
        memcpy(w->x + w->size, now(w)->v.lambda, (size_t)lambdas * sizeof *w->x);
    for (int c = 0; !status && c < w->count; c++)
        status = vary_multipliers(w, c, t, w->x);
    return status;
}

/* Event number k, in the mode where it happened: dx of all directions is that at its time then, and w->given the state
 * behind its action */
static dae_status pass_event(dae_hybrid_sensitivity *w, int k, int first)
{
    const dae_hybrid *h = w->hybrid;
    const dae_happening *e = &h->happening[k];
    const dae_numbered_event *event = event_of(w, e);
    const int lambdas = now(w)->v.sys->nq ? now(w)->v.sys->nl : 0;
    w->timed = 0;
    if (!event) {                                       /* a condition of the user changes nothing */
        memcpy(w->given, h->states + 2 * (size_t)k * (size_t)h->size, (size_t)w->size * sizeof *w->given);
        return DAE_OK;
    }
    if (!event->entry->value.tangent || (event->entry->action.f && !event->entry->action.tangent))
        return dae_fail(&w->report, DAE_UNSUPPORTED,
                        "t = %.12g: an event without functions of dual parameters (.tangent) "
                        "has no derivatives", e->t);
    const double *before = h->states + 2 * (size_t)k * (size_t)h->size;
    dae_status status = k > first ? stand_before(w, e->t, before) : DAE_OK;
    memcpy(w->given, before, (size_t)w->size * sizeof *w->x);
    if (!status)
        status = vary_time(w, e, event);
    for (int c = 0; !status && c < w->count; c++) {
        double *dx = dx_of(w, c);
        for (int i = 0; i < w->size + lambdas; i++)
            dx[i] += w->motion[i] * w->dt[c];
        if (event->entry->action.f)
            vary_action(w, c, e, event, lambdas, w->given);
    }
    for (int i = 0; event->entry->action.f && i < w->parameters; i++)
        w->p_then[i] = dae_dual_value(w->p_new[i]);
    return status ? status : keep_time(w, k);
}

/* dx of all directions, at the time of the event, as motions at w->given have them at a time that is held */
static dae_status hold_time(dae_hybrid_sensitivity *w, double t, const double *x)
{
    const dae_status status = move(w, t, x);
    for (int c = 0; !status && c < w->count; c++)
        for (int i = 0; i < w->size; i++)
            dx_of(w, c)[i] -= w->motion[i] * w->dt[c];
    return status;
}

/* ---- entry ----------------------------------------------------------------------------------- */

/* dx onto what the state w->given was moved to, x[size], on entry to the present mode */
static dae_status vary_entry(dae_hybrid_sensitivity *w, double t, const double *x)
{
    dae_sensitivity *s = now(w);
    dae_variation *v = &s->v;
    const int nq = v->sys->nq;
    dae_status status = DAE_OK;
    for (int c = 0; !status && c < w->count; c++) {
        double *dx = dx_of(w, c);
        v->dt = w->dt[c];
        memcpy(w->moved, dx, (size_t)w->size * sizeof *dx);
        if (nq && v->sys->nl) {
            status = dae_start_state_along(v->sys, t, w->dt[c], dae_dp(v, c), w->given, w->moved, x, dx, &v->report);
        } else if (!nq) {
            memset(dae_du(v, c), 0, (size_t)v->n * sizeof *dx);
            memcpy(dae_du(v, c), dx, (size_t)w->size * sizeof *dx);
            status = v->sys->index > 1
                         ? dae_fail(&v->report, DAE_UNSUPPORTED,
                                    "t = %.12g: sensitivities do not pass events of first-order "
                                    "problems of index %d", t, v->sys->index)
                         : dae_sensitivity_complete(s, c, t, w->hybrid->u);
            memcpy(dx, dae_du(v, c), (size_t)w->size * sizeof *dx);
        }
    }
    v->dt = 0;
    return told(w, s, status);
}

/* du of all directions of the present mode at (t, u) from dx */
static dae_status give_unknowns(dae_hybrid_sensitivity *w, double t, const double *u)
{
    dae_sensitivity *s = now(w);
    dae_variation *v = &s->v;
    const dae_system *sys = v->sys;
    dae_status status = DAE_OK;
    for (int c = 0; !status && c < w->count; c++) {
        double *du = dae_du(v, c);
        memset(du, 0, (size_t)v->n * sizeof *du);
        if (sys->compose->kind != DAE_FORM_MINIMAL) {
            memcpy(du, dx_of(w, c), (size_t)w->size * sizeof *du);
            continue;
        }
        status = dae_tangent_begin(v->sys, dae_dp(v, c), &v->report);
        dae_tangent_pack(w->size, w->given, dx_of(w, c), w->state);
        sys->problem->mechanical.minimal.chart.tangent(sys->p_tangent, dae_dual_make(t, 0), w->state,
                                                       w->state + sys->nq, v->dual);
        dae_tangent_unpack(sys->n, v->dual, du);
    }
    if (!status && sys->nq && sys->compose->kind != DAE_FORM_MINIMAL)
        status = dae_vary_multipliers(v, t, u);
    for (int c = 0; !status && sys->carried && c < w->count; c++)
        status = dae_sensitivity_complete(s, c, t, u);
    return told(w, s, status);
}

/* ---- moments --------------------------------------------------------------------------------- */

static dae_status check_start(dae_hybrid_sensitivity *w)
{
    const dae_hybrid *h = w->hybrid;
    int held = 0;
    for (int i = 0; i < h->size; i++)
        held |= h->held[i];
    if (h->now)
        return dae_fail(&w->report, DAE_UNSUPPORTED, "sensitivities follow runs that begin in the first mode");
    if (held && h->mode[0].sys->compose->kind == DAE_FORM_MINIMAL)
        return dae_fail(&w->report, DAE_UNSUPPORTED, "t = %.9g: in minimal coordinates derivatives are those of the "
                        "problem's own start, and not of numbers in its place", h->t);
    return DAE_OK;
}

static void begin(dae_hybrid_sensitivity *w)
{
    const dae_hybrid *h = w->hybrid;
    dae_sensitivity *s = w->mode[0];
    const size_t width = (size_t)w->parameters;
    w->events = 0;
    memset(w->dt, 0, (size_t)w->count * sizeof *w->dt);
    for (int c = 0; c < w->count; c++) {
        memset(w->dp + (size_t)c * width, 0, width * sizeof *w->dp);
        if (c < s->parameters)
            w->dp[(size_t)c * width + (size_t)s->parameter[c]] = 1;
        for (int m = 0; m < w->modes; m++)
            memcpy(dae_dp(&w->mode[m]->v, c), w->dp + (size_t)c * width, width * sizeof *w->dp);
    }
    for (int m = 0; m < w->modes; m++)
        dae_vary_anew(&w->mode[m]->v);
    w->status = check_start(w);
    if (w->status)
        return;
    dae_sensitivity_hold(s, h->held);
    w->status = told(w, s, dae_sensitivity_start(s, h->begins_as_given ? NULL : h->from, NULL));
}

/* The state x that a round begins with, from that of the solver, whose velocities lose their drift where the mode is
 * left, or from the round before */
static void before_round(dae_hybrid_sensitivity *w)
{
    const dae_hybrid *h = w->hybrid;
    dae_sensitivity *s = now(w);
    memcpy(w->p_then, h->p, (size_t)w->parameters * sizeof *w->p_then);
    if (h->round == 0) {
        w->first_timed = 0;
        memset(w->dt, 0, (size_t)w->count * sizeof *w->dt);
    }
    if (!w->status && h->round == 0)
        w->status = told(w, s, dae_sensitivity_to_event(s, h->t));
    if (!w->status && h->round == 0)
        take_unknowns(w, h->t, h->u);
    if (!w->status && h->round == 0 && s->v.sys->nq && s->v.sys->compose->kind != DAE_FORM_MINIMAL
        && memcmp(h->u, h->state, (size_t)w->size * sizeof *h->u) != 0) {
        w->status = told(w, s, dae_vary_projection(&s->v, DAE_VARY_VELOCITIES, h->t, h->u, h->state));
        take_unknowns(w, h->t, h->u);
    }
    if (!w->status)
        w->status = stand_before(w, h->t, h->state);
}

/* Events of one instant that move apart act in another order on each side, or only on one: what they do together has no
 * derivative. */
static dae_status keep_together(dae_hybrid_sensitivity *w, const dae_happening *e)
{
    const double same = fmax(SAME, now(w)->solver->options.rtol);
    double apart = 0, size = 0;
    if (!w->timed)
        return DAE_OK;
    if (!w->first_timed) {
        memcpy(w->dt_first, w->dt, (size_t)w->count * sizeof *w->dt);
        w->first_timed = 1;
        return DAE_OK;
    }
    for (int c = 0; c < w->count; c++) {
        apart = fmax(apart, fabs(w->dt[c] - w->dt_first[c]));
        size = fmax(size, fmax(fabs(w->dt[c]), fabs(w->dt_first[c])));
    }
    return apart <= same * size ? DAE_OK
           : dae_fail(&w->report, DAE_UNSUPPORTED, "t = %.12g: events of one instant move apart: they happen in "
                      "another order on each side, or on one alone, and what they do has no derivative", e->t);
}

/* 1 where actions have changed what directions move parameters by. */
static int directions_changed(const dae_hybrid_sensitivity *w)
{
    int changed = 0;
    for (int c = 0; c < w->count; c++)
        changed |= memcmp(dae_dp(&w->mode[0]->v, c), w->dp + (size_t)c * (size_t)w->parameters,
                          (size_t)w->parameters * sizeof *w->dp) != 0;
    return changed;
}

static void after_round(dae_hybrid_sensitivity *w, int first)
{
    dae_hybrid *h = w->hybrid;
    const int now_in = h->now, last = h->happenings;
    int changed = memcmp(w->p_then, h->p, (size_t)w->parameters * sizeof *h->p) != 0;
    for (int k = first; !w->status && k < last; k++) {
        h->now = h->happening[k].from;
        if (h->happening[k].accumulated)
            w->status = dae_fail(&w->report, DAE_UNSUPPORTED, "t = %.12g: events accumulate, and their limit has no "
                                 "derivatives here", h->t);
        if (!w->status && k > first)
            w->status = hold_time(w, h->t, w->given);
        if (!w->status)
            w->status = pass_event(w, k, first);
        if (!w->status)
            w->status = keep_together(w, &h->happening[k]);
    }
    h->now = now_in;
    changed |= directions_changed(w);
    if (!w->status && changed && last > first + 1)
        w->status = dae_fail(&w->report, DAE_UNSUPPORTED,
                             "t = %.12g: of several events at once one changes parameters", h->t);
    for (int m = 0; last > first && m < w->modes; m++) {
        dae_vary_anew(&w->mode[m]->v);
        for (int c = 0; c < w->count; c++)
            memcpy(dae_dp(&w->mode[m]->v, c), w->dp + (size_t)c * (size_t)w->parameters,
                   (size_t)w->parameters * sizeof *w->dp);
    }
    if (!w->status && last > first)
        w->status = vary_entry(w, h->t, h->state);
    if (!w->status && last > first)
        w->status = hold_time(w, h->t, h->state);
    memcpy(w->given, h->state, (size_t)w->size * sizeof *w->given);
}

static void go_on(dae_hybrid_sensitivity *w)
{
    const dae_hybrid *h = w->hybrid;
    for (int k = h->happenings - 1; k >= 0 && h->happening[k].t == h->t && !w->status; k--)
        if (h->happening[k].accumulated)
            w->status = dae_fail(&w->report, DAE_UNSUPPORTED, "t = %.12g: events accumulate, and their limit has no "
                                 "derivatives here", h->t);
    if (!w->status)
        w->status = give_unknowns(w, h->t, h->u);
    dae_sensitivity_go_on(now(w));
    now(w)->status = w->status;
}

static void follow(dae_hybrid_sensitivity *w, dae_hybrid_moment moment, int first)
{
    if (moment == DAE_RUN_BEGINS)
        begin(w);
    else if (!w->status && moment == DAE_BEFORE_ROUND)
        before_round(w);
    else if (!w->status && moment == DAE_AFTER_ROUND)
        after_round(w, first);
    else if (!w->status)
        go_on(w);
}

/* ---- creation -------------------------------------------------------------------------------- */

static dae_status allocate(dae_hybrid_sensitivity *w, dae_report *report)
{
    const dae_hybrid *h = w->hybrid;
    const size_t most = (size_t)h->most, count = (size_t)w->count, parameters = (size_t)w->parameters;
    const void *data = h->form_options.user_data;
    if (DAE_PARTS(w,
                  DAE_PART(dae_hybrid_sensitivity, x, most), DAE_PART(dae_hybrid_sensitivity, motion, most),
                  DAE_PART(dae_hybrid_sensitivity, dx, (count + 1) * most), DAE_PART(dae_hybrid_sensitivity, dt, count),
                  DAE_PART(dae_hybrid_sensitivity, dt_first, count),
                  DAE_PART(dae_hybrid_sensitivity, given, most), DAE_PART(dae_hybrid_sensitivity, moved, most),
                  DAE_PART(dae_hybrid_sensitivity, dp, count * parameters),
                  DAE_PART(dae_hybrid_sensitivity, p_then, parameters), DAE_PART(dae_hybrid_sensitivity, state, most),
                  DAE_PART(dae_hybrid_sensitivity, p_new, parameters), DAE_PART(dae_hybrid_sensitivity, mode,
                                                                                w->modes)))
        w->p = dae_parameters_new(w->parameters, sizeof *w->p, data);
    return w->p ? DAE_OK : dae_fail(report, DAE_NO_MEMORY, "no memory for sensitivities of %d modes", w->modes);
}

dae_status dae_hybrid_sensitivity_create(dae_hybrid_sensitivity **out, dae_hybrid *h, const dae_directions *directions,
                                         dae_report *report)
{
    if (!out || !h || !directions)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no run, no directions or no place for sensitivities is given");
    *out = NULL;
    if (h->vary)
        return dae_fail(report, DAE_BAD_ARGUMENT, "the run has sensitivities already");
    dae_hybrid_sensitivity *w = dae_zeroed(1, sizeof *w);
    if (!w)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for sensitivities");
    w->hybrid = h;
    w->modes = h->modes;
    w->size = h->size;
    w->parameters = h->parameters;
    w->count = directions->parameter_count + directions->unknown_count;
    w->status = dae_fail(&w->report, DAE_BAD_ARGUMENT, "dae_hybrid_start comes first");
    dae_status status = allocate(w, report);
    for (int m = 0; !status && m < h->modes; m++) {
        dae_directions of = *directions;
        of.unknown_count = m ? 0 : of.unknown_count;
        status = dae_sensitivity_create_for(&w->mode[m], h->mode[m].solver, &of, w->count, report);
    }
    if (status) {
        dae_hybrid_sensitivity_free(w);
        return status;
    }
    h->sensitivity = w;
    h->vary = follow;
    *out = w;
    return DAE_OK;
}

void dae_hybrid_sensitivity_free(dae_hybrid_sensitivity *w)
{
    if (!w)
        return;
    if (w->hybrid->sensitivity == w)
        w->hybrid->vary = NULL;
    for (int m = 0; w->mode && m < w->modes; m++)
        dae_sensitivity_free(w->mode[m]);
    dae_parameters_free(w->p);
    free(w->event_dt);
    free(w->x);
    free(w);
}

/* ---- what is asked --------------------------------------------------------------------------- */

dae_status dae_hybrid_sensitivity_test(dae_hybrid_sensitivity *w, int on, dae_report *report)
{
    if (!w)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no sensitivities are given");
    dae_status status = DAE_OK;
    for (int m = 0; !status && m < w->modes; m++)
        status = dae_sensitivity_test(w->mode[m], on, report);
    return status;
}

dae_status dae_hybrid_sensitivity_at(dae_hybrid_sensitivity *w, double *du, double *dlambda, dae_report *report)
{
    if (!w || !du)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s given", w ? "place for derivatives is" : "sensitivities are");
    const dae_hybrid *h = w->hybrid;
    const int last = h->happenings - 1;
    dae_status status = w->status;
    if (!status && last >= 0 && h->happening[last].t == h->t && last < w->events && h->t > h->problem->t0)
        status = dae_fail(&w->report, DAE_UNSUPPORTED,
                          "t = %.12g is the time of %s: a state there has no derivative at a "
                          "time that is held", h->t, dae_hybrid_event(h, last).name);
    if (!status && h->t != dae_solver_time(h->mode[h->now].solver))     /* shown before the events of the last step */
        status = dae_fail(&w->report, DAE_UNSUPPORTED,
                          "t = %.12g is the time of an event: a state there has no derivative at a time "
                          "that is held", h->t);
    if (status && report)
        *report = w->report;
    return status ? status : dae_sensitivity_at(now(w), du, dlambda, report);
}

int dae_hybrid_sensitivity_directions(const dae_hybrid_sensitivity *w) { return w ? w->count : 0; }

dae_status dae_hybrid_sensitivity_time(const dae_hybrid_sensitivity *w, int event, double *dt, dae_report *report)
{
    if (!w || !dt || event < 0 || event >= w->hybrid->happenings)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no event %d, or no place for its derivatives is given", event);
    if (w->status && event >= w->events) {
        if (report)
            *report = w->report;
        return w->status;
    }
    if (event >= w->events || isnan(w->event_dt[event * w->count]))
        return dae_fail(report, DAE_UNSUPPORTED,
                        "event %d changes nothing, and the derivative of its time is not computed",
                        event);
    memcpy(dt, w->event_dt + event * w->count, (size_t)w->count * sizeof *dt);
    return DAE_OK;
}
