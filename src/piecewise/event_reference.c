/* event_reference.c - a reference solution through events: two computations that agree */
#include "piecewise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double wanted_digits = 20, fewest_digits = 18;
enum { TRIALS = 4 };                            /* of collocation, ever sharper */
static const double first_tolerance = 1e-14, sharper = 1e-4;

typedef struct {
    dae_scout scout;
    dae_motion motion;
    dae_event_reference run[2];
    const double *times;
    int count;
    double digits;              /* that both have */
    dae_reference_kind kind;
    dae_report *report;
} pair;

/* ---- two runs ------------------------------------------------------------------------------ */

static double time_digits(const pair *p)
{
    dae_quad worst = 0;
    for (int k = 0; k < p->run[0].events; k++)
        worst = dae_quad_fmax(worst, dae_quad_fabs(p->run[0].event[k].t - p->run[1].event[k].t));
    return worst > 0 ? fmin(33, -log10((double)worst / p->motion.span)) : 33;
}

/* worst, as states of a mode differ */
static void compare_states(const pair *p, int mode, const dae_quad *a, const dae_quad *b, dae_quad *worst)
{
    const size_t width = (size_t)p->motion.width;
    dae_quad_compare(worst, p->motion.model[mode].m, p->motion.size + (size_t)mode * width, a, b);
}

static double agreement(const pair *p)
{
    dae_quad worst = 0;
    const dae_event_reference *a = &p->run[0], *b = &p->run[1];
    for (int k = 0; k < a->events; k++) {
        compare_states(p, a->event[k].from, a->event[k].before, b->event[k].before, &worst);
        compare_states(p, a->event[k].to, a->event[k].after, b->event[k].after, &worst);
    }
    for (size_t k = 0, width = (size_t)a->width; k < (size_t)a->count; k++)
        compare_states(p, a->mode[k], a->x + k * width, b->x + k * width, &worst);
    return fmin(dae_quad_digits(worst), time_digits(p));
}

static dae_status run_both(pair *p, int collocated, double tolerance)
{
    dae_status status = DAE_OK;
    for (int second = 0; !status && second < 2; second++) {
        const dae_motion_rule rule = {.second = second, .collocated = collocated, .tolerance = tolerance};
        status = dae_replay_run(&p->run[second], &p->motion, &p->scout, rule, p->times, p->count);
    }
    if (!status)
        p->digits = agreement(p);
    return status;
}

/* With ever sharper tolerances, until enough digits agree or sharper ones gain none. */
static dae_status collocate(pair *p)
{
    double tolerance = first_tolerance, before = 0;
    for (int k = 0; k < TRIALS; k++, tolerance *= sharper) {
        const dae_status status = run_both(p, 1, tolerance);
        if (status || p->digits >= wanted_digits || (before >= fewest_digits && p->digits < before + 1))
            return status;
        before = p->digits;
    }
    return DAE_OK;
}

static int is_explicit(const pair *p)
{
    const dae_hybrid *h = p->scout.hybrid;
    for (int m = 0; m < h->modes; m++)
        if (!h->mode[m].sys->nq && h->mode[m].problem.first_order.mass.f)
            return 0;
    return 1;
}

static dae_status compute(pair *p)
{
    const int first_order = !p->scout.hybrid->mode[0].sys->nq;
    dae_status status = DAE_NO_CONVERGENCE;
    p->kind = first_order ? DAE_REFERENCE_EXPLICIT : DAE_REFERENCE_CARTESIAN;
    if (is_explicit(p))
        status = run_both(p, 0, 0);
    if (first_order && (status == DAE_NO_CONVERGENCE || status == DAE_NOT_FINITE)) {
        p->kind = DAE_REFERENCE_COLLOCATION;
        status = collocate(p);
    }
    if (status || p->digits >= fewest_digits)
        return status;
    return dae_fail(p->report, DAE_NO_CONVERGENCE, "two quad runs through %d events agree to %.1f digits only: the "
                    "solution is too sensitive by t = %.9g", p->scout.events, p->digits, p->times[p->count - 1]);
}

void dae_event_reference_free(dae_event_reference *reference)
{
    if (!reference)
        return;
    free(reference->mode);
    free(reference->x);
    free(reference->event);
    free(reference->states);
    free(reference->names);
    memset(reference, 0, sizeof *reference);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static dae_status check_arguments(const dae_event_reference *reference, const dae_problem *problem,
                                  const double *times, int count, dae_report *report)
{
    if (!reference || !problem || !times)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", !reference ? "reference"
                        : !problem ? "problem" : "time");
    if (count < 1)
        return dae_fail(report, DAE_BAD_ARGUMENT, "a reference at %d times", count);
    return dae_check_times(problem->t0, times, count, count > 1, report);
}

static dae_status no_accumulation(const dae_scout *scout, dae_report *report)
{
    for (int k = 0; k < scout->events; k++)
        if (scout->happening[k].accumulated)
            return dae_fail(report, DAE_ACCUMULATION, "t = %.12g: %s accumulates, and what comes after infinitely "
                            "many events has no reference", scout->happening[k].t,
                            dae_hybrid_event(scout->hybrid, k).name);
    return DAE_OK;
}

dae_status dae_event_reference_solve(dae_event_reference *reference, const dae_problem *problem,
                                     const double *parameters, const dae_formulation_options *options,
                                     const double *times, int count, const dae_reference_watch *watch,
                                     dae_report *report)
{
    dae_report why = {0};
    pair p = {.times = times, .count = count, .report = &why};
    dae_status status = check_arguments(reference, problem, times, count, report);
    if (reference)
        memset(reference, 0, sizeof *reference);
    if (status)
        return status;
    status = dae_scout_run(&p.scout, problem, parameters, options, times[count - 1], watch, &why);
    if (!status)
        status = no_accumulation(&p.scout, &why);
    if (!status)
        status = dae_motion_open(&p.motion, &p.scout, times[count - 1], watch, &why);
    for (int k = 0; !status && k < 2; k++)
        status = dae_replay_create(&p.run[k], &p.scout, count, p.motion.width, &why);
    if (!status)
        status = compute(&p);
    if (!status) {
        *reference = p.run[0];
        reference->digits = p.digits;
        reference->source = dae_reference_source((int)p.kind);
        p.run[0] = (dae_event_reference){0};
    }
    dae_event_reference_free(&p.run[0]);
    dae_event_reference_free(&p.run[1]);
    dae_motion_close(&p.motion);
    dae_scout_free(&p.scout);
    if (status)
        dae_fail(report, status, "%s", why.message);
    return status;
}
