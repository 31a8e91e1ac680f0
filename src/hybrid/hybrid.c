/* hybrid.c - a problem run through its modes: one system and one solver for each
 *
 * Positions and velocities, or u, pass from mode to mode. On entry they are made consistent with
 * the mode: velocities by the impulse v+ = v- - M^-1 G^T kappa with dg/dt(t, q, v+) = 0, which is
 * that of a plastic impact (Pfeiffer, Glocker (1996), Multibody Dynamics with Unilateral Contacts,
 * 8.1), and multipliers from the acceleration level.
 */
#include "hybrid.h"

#include "driver/driver.h"
#include "start/consistent.h"
#include "system/parameters.h"
#include "base/numbers.h"
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- states ------------------------------------------------------------------------------- */

dae_status dae_hybrid_state(dae_hybrid *h, double t, const double *u, double *x)
{
    if (!h)
        return DAE_BAD_ARGUMENT;
    dae_system *s = h->mode[h->now].sys;
    if (!u || !x || !s)
        return dae_fail(&h->report, DAE_BAD_ARGUMENT, "a state takes unknowns and a place for it");
    if (!s->nq) {
        memcpy(x, u, (size_t)h->size * sizeof *x);
        return DAE_OK;
    }
    double *q = x, *v = q + s->nq, *lambda = v + s->nq;
    dae_status status = dae_system_split(s, t, u, q, v, lambda);
    if (!status && s->nl)
        status = dae_system_accelerate(s, t, q, v, h->v, lambda);
    return status ? dae_fail(&h->report, status, "t = %.9g: the multipliers are not determined", t)
                  : DAE_OK;
}

/* h->u := the unknowns of a state x, made consistent. Minimal coordinates exist for consistent states only.
 * There x itself is projected first, so that the change of velocities on entry is not lost. */
static dae_status unknowns(dae_hybrid *h, double t, const double *x, dae_start_change *change)
{
    dae_system *s = h->mode[h->now].sys;
    const size_t given = (size_t)h->size * sizeof *x;
    memset(h->u, 0, (size_t)s->n * sizeof *h->u);
    if (s->compose->kind != DAE_FORM_MINIMAL) {
        memcpy(h->u, x, given);
        return dae_consistent_entry(s, t, h->u, 0, change, &h->report);
    }
    memmove(h->x, x, given);
    const dae_status status = dae_start_state(s, t, h->x, h->x + s->nq, change, &h->report);
    if (!status)
        s->problem->mechanical.minimal.chart.f(s->p, t, h->x, h->x + s->nq, h->u);
    return status;
}

/* Add the counts of the present solver to h->total; its next start sets them to zero. */
static void collect(dae_hybrid *h)
{
    if (h->started) {
        const dae_statistics count = dae_solver_statistics(h->mode[h->now].solver);
        dae_statistics_add(&h->total, &count);
    }
    h->started = 0;
}

dae_status dae_hybrid_enter(dae_hybrid *h, int m, double t, const double *x, const char *because)
{
    dae_start_change change = {0};
    if (!dae_vector_finite(h->size, x))
        return dae_fail(&h->report, DAE_NOT_FINITE, "t = %.9g: after %s the state is not finite", t,
                        because);
    collect(h);
    h->now = m;
    h->t = t;
    const dae_status status = unknowns(h, t, x, &change);
    return status ? status : dae_hybrid_check_entry(h, x, because);
}

dae_status dae_hybrid_change_parameters(dae_hybrid *h)
{
    collect(h);
    memcpy(h->p, h->p_new, (size_t)h->parameters * sizeof *h->p);
    return dae_hybrid_renew_systems(h, &h->report);
}

dae_hybrid_place dae_hybrid_keep(dae_hybrid *h)
{
    dae_hybrid_place place = {.now = h->now, .happenings = h->happenings, .t = h->t};
    memcpy(h->p_kept, h->p, (size_t)h->parameters * sizeof *h->p);
    memcpy(h->kept, h->u, (size_t)h->most * sizeof *h->kept);
    return place;
}

void dae_hybrid_return(dae_hybrid *h, const dae_hybrid_place *place)
{
    const dae_report report = h->report;
    const size_t parameters = (size_t)h->parameters;
    collect(h);
    h->now = place->now;
    h->t = place->t;
    memcpy(h->u, h->kept, (size_t)h->most * sizeof *h->u);
    if (!h->complete || memcmp(h->p, h->p_kept, parameters * sizeof *h->p) != 0) {
        memcpy(h->p_new, h->p_kept, parameters * sizeof *h->p);
        dae_hybrid_change_parameters(h);
    }
    h->report = report;
}

static int show_step(void *context, double t, const double *u)
{
    dae_hybrid *h = context;
    h->t = t;
    h->seen = u;
    h->violated = dae_hybrid_find_violated(h, t, u);
    if (h->violated >= 0)
        return 1;
    dae_hybrid_measure_step(h, t, u);
    const int stop = h->observer ? h->observer(h->observer_context, h) : 0;
    h->seen = h->u;
    return stop;
}

dae_status dae_hybrid_restart(dae_hybrid *h, const int *ignore)
{
    dae_mode *mode = &h->mode[h->now];
    const dae_watch watch = {.count = mode->count, .direction = mode->direction,
                             .values = dae_hybrid_values, .happened = dae_hybrid_happened,
                             .context = h};
    collect(h);
    const dae_watch *known = dae_watched(mode->solver);
    dae_status status = known && known->count == mode->count ? DAE_OK
                                                             : dae_driver_watch(mode->solver, &watch);
    dae_solver_observe(mode->solver, show_step, h);
    if (!status && !ignore)
        dae_watch_forget(mode->solver);
    else if (!status)
        dae_watch_come_from(mode->solver, h->unit);
    if (!status)
        status = dae_driver_start(mode->solver, h->t, h->u);
    if (status)
        h->report = *dae_solver_report(mode->solver);
    else if (ignore)
        dae_watch_ignore(mode->solver, ignore, h->stopped, h->carried, h->motion, h->reach);
    h->started = !status;
    return status;
}

/* ---- running ------------------------------------------------------------------------------ */

/* Initialise a run. Parameters are set to p_start again if actions have changed them, or if systems are
 * missing after a failure. */
static dae_status begin(dae_hybrid *h)
{
    const size_t parameters = (size_t)h->parameters;
    h->happenings = 0;
    h->group = h->round = 0;
    h->events_in_call = 0;
    h->started = 0;
    h->total = (dae_statistics){0};
    h->report = (dae_report){0};
    h->seen = h->u;
    h->moved = 0;
    dae_recurrence_reset(h);
    if (dae_hybrid_has_parameters(h, h->p_start))
        return DAE_OK;
    memcpy(h->p_new, h->p_start, parameters * sizeof *h->p);
    return dae_hybrid_change_parameters(h);
}

dae_status dae_run_set_parameters(dae_hybrid *h, const double *parameters)
{
    const dae_hybrid_place before = dae_hybrid_keep(h);
    dae_parameter_values(h->problem, parameters, h->p_new);
    const dae_status status = dae_hybrid_change_parameters(h);
    if (status) {
        dae_hybrid_return(h, &before);
        return status;
    }
    memcpy(h->p_start, h->p, (size_t)h->parameters * sizeof *h->p);
    return DAE_OK;
}

/* Start the solver, call the observer, and carry out guards that are past zero at the start. */
static dae_status open_run(dae_hybrid *h)
{
    if (!dae_hybrid_state(h, h->t, h->u, h->state))     /* else the solver says what is wrong */
        dae_hybrid_measure(h, h->state);
    dae_status status = dae_hybrid_restart(h, NULL);
    if (!status && h->vary)
        h->vary(h->sensitivity, DAE_RUN_BEGINS, 0);
    if (!status && h->observer && h->observer(h->observer_context, h))
        status = dae_fail(&h->report, DAE_STOPPED, "t = %.9g: stopped by the observer", h->t);
    return status ? status : dae_hybrid_settle(h);
}

dae_status dae_run_start(dae_hybrid *h, int as_given, dae_start_change *change)
{
    dae_status status = begin(h);
    h->now = 0;
    h->t = h->problem->t0;
    h->begins_as_given = as_given;
    h->begins_at_start = 1;
    if (!status)
        status = dae_system_start(h->mode[0].sys, h->u, &h->report);
    if (change)
        *change = (dae_start_change){0};
    const int minimal = !status && h->mode[0].sys->compose->kind == DAE_FORM_MINIMAL;
    if (!status && (minimal || !as_given))              /* minimal: already made consistent by the chart */
        status = dae_consistent_start(h->mode[0].sys, h->t, h->u, change, &h->report);
    return status ? status : open_run(h);
}

dae_status dae_run_start_at(dae_hybrid *h, int mode, double t, const double *x)
{
    if (!x || !isfinite(t))
        return dae_fail(&h->report, DAE_BAD_ARGUMENT, "a run cannot start %s",
                        x ? "at a time that is not finite" : "without a state");
    if (mode < 0 || mode >= h->modes)
        return dae_fail(&h->report, DAE_BAD_ARGUMENT, "mode %d is not one of the %d of %s", mode,
                        h->modes, h->problem->name);
    const dae_hybrid_place before = dae_hybrid_keep(h);
    dae_status status = begin(h);
    h->begins_at_start = 0;
    if (!status)
        status = dae_hybrid_enter(h, mode, t, x, "the start");
    if (!status)
        return open_run(h);
    dae_hybrid_return(h, &before);
    h->happenings = before.happenings;
    return status;
}

/* A contact has been passed, as its impacts were too fast to be resolved. */
static dae_status refuse_violated(dae_hybrid *h)
{
    const int i = h->violated;
    const double g = dae_hybrid_value(h, i, h->t, h->x);
    h->violated = -1;
    return dae_fail(&h->report, DAE_ACCUMULATION, "t = %.9g: events accumulate: what %s stands for is passed, its "
                    "function is %.3g, and no motion between its events could be seen", h->t,
                    h->mode[h->now].event[i].name, g);
}

dae_status dae_run_advance(dae_hybrid *h, double t_end)
{
    dae_status status = h->started ? DAE_OK
                        : dae_fail(&h->report, DAE_BAD_ARGUMENT, "dae_hybrid_start comes first, "
                                   "and must succeed");
    h->events_in_call = 0;
    h->violated = -1;
    h->t_end = t_end;
    while (!status) {
        dae_solver *solver = h->mode[h->now].solver;
        status = dae_driver_advance(solver, t_end, h->u);
        h->t = dae_solver_time(solver);
        h->seen = h->u;
        if (h->violated >= 0)
            return refuse_violated(h);
        if (status != DAE_EVENT) {
            h->report = *dae_solver_report(solver);
            return status;
        }
        status = dae_hybrid_act(h);
        if (!status && h->t >= t_end) {
            h->report = (dae_report){0};
            return DAE_OK;
        }
    }
    return status;
}

void dae_hybrid_observe(dae_hybrid *h, dae_hybrid_observer *observer, void *context)
{
    if (!h)
        return;
    h->observer = observer;
    h->observer_context = context;
}

/* ---- access ------------------------------------------------------------------------------- */

/* A mode of the run; NULL for a number that is none. */
static const dae_mode *mode_at(const dae_hybrid *h, int m)
{
    return h && m >= 0 && m < h->modes ? &h->mode[m] : NULL;
}

const dae_problem *dae_hybrid_problem(const dae_hybrid *h, int m)
{
    const dae_mode *mode = mode_at(h, m);
    return mode ? &mode->problem : NULL;
}

const char *dae_hybrid_mode_name(const dae_hybrid *h, int m)
{
    const dae_mode *mode = mode_at(h, m);
    return mode ? mode->name : NULL;
}

dae_system *dae_hybrid_mode_system(const dae_hybrid *h, int m)
{
    const dae_mode *mode = mode_at(h, m);
    return mode ? mode->sys : NULL;
}

int dae_hybrid_mode(const dae_hybrid *h) { return h ? h->now : -1; }
int dae_hybrid_modes(const dae_hybrid *h) { return h ? h->modes : 0; }
dae_system *dae_hybrid_system(const dae_hybrid *h) { return h ? h->mode[h->now].sys : NULL; }
dae_solver *dae_hybrid_solver(const dae_hybrid *h) { return h ? h->mode[h->now].solver : NULL; }
double dae_hybrid_time(const dae_hybrid *h) { return h ? h->t : NAN; }
const double *dae_hybrid_unknowns(const dae_hybrid *h) { return h ? h->seen : NULL; }
const double *dae_hybrid_parameters(const dae_hybrid *h) { return h ? h->p : NULL; }

int dae_hybrid_size(const dae_hybrid *h, int m)
{
    const dae_mode *mode = mode_at(h, m);
    return mode ? mode->n : 0;
}

int dae_hybrid_state_size(const dae_hybrid *h) { return h ? h->size : 0; }
int dae_hybrid_most_unknowns(const dae_hybrid *h) { return h ? h->most : 0; }
const dae_report *dae_hybrid_report(const dae_hybrid *h) { return h ? &h->report : NULL; }
int dae_hybrid_events(const dae_hybrid *h) { return h ? h->happenings : 0; }

dae_statistics dae_hybrid_statistics(const dae_hybrid *h)
{
    if (!h)
        return (dae_statistics){0};
    dae_statistics sum = h->total;
    if (h->started) {
        const dae_statistics count = dae_solver_statistics(h->mode[h->now].solver);
        dae_statistics_add(&sum, &count);
    }
    sum.events = h->happenings;
    return sum;
}

double dae_hybrid_statistic(const dae_hybrid *h, int i, const char **name)
{
    const dae_statistics all = dae_hybrid_statistics(h);
    return dae_statistic(&all, i, name, NULL);
}

dae_event_record dae_hybrid_event(const dae_hybrid *h, int i)
{
    if (!h || i < 0 || i >= h->happenings)
        return (dae_event_record){.t = NAN, .measure = NAN};
    const dae_happening *e = &h->happening[i];
    const dae_mode *mode = &h->mode[e->from];
    const double *before = h->states + 2 * (size_t)i * (size_t)h->size;
    dae_event_record r = {.t = e->t, .direction = e->direction, .from = e->from, .to = e->to,
                          .accumulated = e->accumulated, .before = before,
                          .after = before + h->size, .measure = e->measure};
    if (e->event < mode->events) {
        const dae_numbered_event *event = &mode->event[e->event];
        r.name = event->name;
        r.title = event->title;
        r.number = event->k;
        r.measures = event->entry->measures;
        r.unit = event->entry->unit;
    } else {
        r.name = h->stop[e->event - mode->events].name;
    }
    return r;
}
