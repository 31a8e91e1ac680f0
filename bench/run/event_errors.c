/* event_errors.c - the events of a run against those of its reference
 *
 * They are matched by their number: each has to be the same event of the same mode, with the same mode behind it. A
 * run that has others is not an approximation of the reference, whatever its state at the end.
 */
#include "run/event_errors.h"

#include "host/allocate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- classes of a state -------------------------------------------------------------------- */

/* classes[size] of (q, v) or u in a mode; 0 where they cannot be known. */
static int classes_of(const study *s, const dae_hybrid *run, int mode, dae_class *classes)
{
    const dae_problem *problem = dae_hybrid_problem(run, mode);
    const int size = dae_hybrid_state_size(run);
    const dae_formulation *form = run_form_of_index(problem, -1);
    dae_system *sys;
    for (int i = 0; i < size; i++)
        classes[i] = i < size / 2 ? DAE_POSITION : DAE_VELOCITY;
    if (problem->mechanical.nq)
        return 1;
    if (!form || dae_system_create(&sys, problem, form, s->setting->parameters, NULL, NULL))
        return 0;
    for (int i = 0; i < size; i++)
        classes[i] = dae_system_class(sys, i);
    dae_system_free(sys);
    return 1;
}

/* classes[modes x size]; to be freed, NULL where they cannot be known. */
static dae_class *all_classes(const study *s, const dae_hybrid *run)
{
    const size_t modes = (size_t)dae_hybrid_modes(run), size = (size_t)dae_hybrid_state_size(run);
    dae_class *classes = allocate(modes * size, sizeof *classes);
    for (int m = 0; m < dae_hybrid_modes(run); m++)
        if (!classes_of(s, run, m, classes + (size_t)m * size)) {
            free(classes);
            return NULL;
        }
    return classes;
}

/* ---- matching ------------------------------------------------------------------------------ */

static int same(const dae_event_record *a, const dae_reference_event *b)
{
    return strcmp(a->name, b->name) == 0 && a->from == b->from && a->to == b->to && !a->accumulated;
}

static void say_what_differs(const study *s, const dae_hybrid *run, int k, run_result *r)
{
    const dae_event_reference *ref = &s->events;
    char here[128] = "no more events", there[128] = "no more";
    if (k < r->events.count)
        snprintf(here, sizeof here, "%s at t = %.9g", r->events.at[k].name, r->events.at[k].t);
    if (k < ref->events)
        snprintf(there, sizeof there, "%s at t = %.9g", ref->event[k].name, (double)ref->event[k].t);
    r->outcome = RUN_OTHER_EVENTS;
    r->status = outcome_status(r->outcome);
    snprintf(r->message, sizeof r->message, "event %d is not that of the reference: %s in %s, and there %s%s%s", k + 1,
             here, dae_hybrid_mode_name(run, k < r->events.count ? r->events.at[k].from : dae_hybrid_mode(run)),
             there, k < ref->events ? " in " : "",
             k < ref->events ? dae_hybrid_mode_name(run, ref->event[k].from) : "");
}

/* ---- errors -------------------------------------------------------------------------------- */

static double at_least(double x, double y)
{
    return isnan(x) ? y : fmax(x, y);
}

/* One event that is the reference's: squares of norms are summed in after_norm. */
static void compare_states(run_events *e, run_event *at, const dae_class *classes, int size, const double *x,
                           const dae_quad *reference)
{
    for (int i = 0; i < size; i++) {
        const dae_class c = classes[i];
        const double error = fabs((double)((dae_quad)x[i] - reference[i]));
        at->error[c] = at_least(at->error[c], error);
        e->after[c] = at_least(e->after[c], error);
        e->after_scale[c] = at_least(e->after_scale[c], fabs((double)reference[i]));
        e->after_norm[c] = (isnan(e->after_norm[c]) ? 0 : e->after_norm[c]) + error * error;
    }
}

static void compare(const study *s, const dae_hybrid *run, const dae_class *classes, run_events *e)
{
    const int size = dae_hybrid_state_size(run);
    double sum = 0;
    for (int k = 0; k < e->compared; k++) {
        const dae_reference_event *of = &s->events.event[k];
        e->at[k].t_error = fabs((double)((dae_quad)e->at[k].t - of->t));
        e->error = at_least(e->error, e->at[k].t_error);
        sum += e->at[k].t_error * e->at[k].t_error;
        compare_states(e, &e->at[k], classes + (size_t)e->at[k].to * (size_t)size, size,
                       dae_hybrid_event(run, k).after, of->after);
    }
    if (!e->compared)
        return;
    e->norm = sqrt(sum / e->compared);
    for (int c = 0; c < DAE_CLASSES; c++)
        e->after_norm[c] = sqrt(e->after_norm[c] / e->compared);
}

/* The events as they are. */
static void list(const dae_hybrid *run, run_events *e)
{
    e->count = dae_hybrid_events(run);
    e->at = allocate((size_t)e->count, sizeof *e->at);
    for (int k = 0; k < e->count; k++) {
        const dae_event_record of = dae_hybrid_event(run, k);
        run_event *at = &e->at[k];
        snprintf(at->name, sizeof at->name, "%s", of.name);
        at->from = of.from;
        at->to = of.to;
        at->t = of.t;
        at->t_error = NAN;
        for (int c = 0; c < DAE_CLASSES; c++)
            at->error[c] = NAN;
    }
}

int event_errors(const study *s, dae_hybrid *run, run_result *r)
{
    run_events *e = &r->events;
    list(run, e);
    if (!s->referenced)
        return 1;
    while (e->compared < e->count && e->compared < s->events.events) {
        const dae_event_record here = dae_hybrid_event(run, e->compared);
        if (!same(&here, &s->events.event[e->compared]))
            break;
        e->compared++;
    }
    dae_class *classes = all_classes(s, run);
    if (!classes)
        return 0;
    compare(s, run, classes, e);
    free(classes);
    if (!r->status && (e->compared < e->count || e->compared < s->events.events))
        say_what_differs(s, run, e->compared, r);
    return 1;
}

/* ---- rounding ------------------------------------------------------------------------------ */

void event_noise(dae_hybrid *run, dae_hybrid *other, run_result *r)
{
    run_events *e = &r->events;
    const int size = dae_hybrid_state_size(run), mechanical = dae_hybrid_problem(run, 0)->mechanical.nq > 0;
    double times = 0, states[2] = {0};
    if (!e->count || dae_hybrid_events(other) != e->count)
        return;
    for (int k = 0; k < e->count; k++) {
        const dae_event_record a = dae_hybrid_event(run, k), b = dae_hybrid_event(other, k);
        times += (a.t - b.t) * (a.t - b.t);
        for (int i = 0; i < size; i++)
            states[mechanical && i >= size / 2] += (a.after[i] - b.after[i]) * (a.after[i] - b.after[i]);
    }
    e->noise = sqrt(times / (2 * e->count));
    for (int c = 0; c < DAE_CLASSES; c++)       /* of a first-order problem: of all together */
        if (!isnan(e->after_norm[c]))
            e->after_noise[c] = sqrt(states[c == DAE_VELOCITY] / (2 * e->count));
}
