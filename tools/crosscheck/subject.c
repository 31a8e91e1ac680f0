#include "subject.h"

#include <daelab/hybrid.h>

#include "catalogue/catalogue.h"
#include "host/allocate.h"
#include "run/pace.h"
#include "store/cache.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double OFF = 0.37;         /* of the distance of rows, which no fixed step meets */
static const double NEAR = 1e-9;        /* of a step: a row at its end */

/* ---- one run ------------------------------------------------------------------------------ */

typedef struct {
    const subject *s;
    dae_hybrid *hybrid;
    double t_old;
    int next;
    double *u, *row;
} sampler;

static void fill_mechanical(dae_system *sys, double t, const double *u, double *a, double *row)
{
    const int nq = dae_system_positions(sys), nl = dae_system_multipliers(sys);
    double *q = row, *v = q + nq, *lambda = v + nq, *recovered = lambda + nl;
    if (dae_system_split(sys, t, u, q, v, lambda))
        return;
    if (dae_system_class(sys, dae_system_size(sys) - 1) == DAE_VELOCITY)
        for (int k = 0; k < nl; k++)
            lambda[k] = NAN;                            /* minimal coordinates have none */
    if (dae_system_accelerate(sys, t, q, v, a, recovered))
        for (int k = 0; k < nl; k++)
            recovered[k] = NAN;
}

static void fill(sampler *p, double t, const double *u)
{
    dae_system *sys = dae_hybrid_system(p->hybrid);
    double *row = p->row + p->next++ * p->s->width;
    if (!p->s->eventful && dae_system_positions(sys))
        fill_mechanical(sys, t, u, p->u, row);
    else if (dae_hybrid_state(p->hybrid, t, u, p->u) == DAE_OK)
        memcpy(row, p->u, (size_t)p->s->width * sizeof *row);
}

/* Rows up to where the run is. */
static int observe(void *context, dae_hybrid *hybrid)
{
    sampler *p = context;
    const double t = dae_hybrid_time(hybrid), near = NEAR * (t - p->t_old);
    double *inside = p->u + p->s->width + dae_system_size(dae_hybrid_system(hybrid));
    p->t_old = t;
    while (p->next < ROWS && p->s->time[p->next] <= t + near) {
        const double at = p->s->time[p->next];
        if (at >= t - near)
            fill(p, t, dae_hybrid_unknowns(hybrid));
        else if (dae_solver_interpolate(dae_hybrid_solver(hybrid), at, inside) == DAE_OK)
            fill(p, at, inside);
        else
            p->next++;                                  /* before the limit of many events */
    }
    return 0;
}

static dae_status advance(sampler *p, run_rows *r)
{
    const size_t n = (size_t)dae_hybrid_most_unknowns(p->hybrid);
    p->u = allocate(2 * n + 2 * (size_t)p->s->width, sizeof *p->u);
    dae_status status = dae_hybrid_start(p->hybrid, 0, NULL);
    dae_hybrid_observe(p->hybrid, observe, p);
    if (!status)
        status = dae_hybrid_advance(p->hybrid, p->s->t_end);
    r->count = dae_hybrid_statistics(p->hybrid);
    snprintf(r->message, sizeof r->message, "%s", dae_hybrid_report(p->hybrid)->message);
    free(p->u);
    return status;
}

/* atol[n] in the unknowns of a form: rtol times the size of the motion; to be freed. */
static dae_status absolute_tolerances(const subject *s, const dae_formulation *form, double rtol, double **atol,
                                      dae_report *why)
{
    dae_system *sys;
    const dae_status status = dae_system_create(&sys, s->problem, form, NULL, NULL, why);
    if (status)
        return status;
    const int n = dae_system_size(sys), mechanical = dae_system_positions(sys) > 0;
    *atol = allocate((size_t)n, sizeof **atol);
    for (int i = 0; i < n; i++) {
        const dae_class c = dae_system_class(sys, i);
        double scale = 0;
        for (int j = 0; j < s->width; j++)
            if (mechanical ? s->class_of[j] == c : i == j)
                scale = fmax(scale, s->scale[j]);
        (*atol)[i] = rtol * (scale > 0 ? scale : 1);    /* accelerations, and what vanishes */
    }
    dae_system_free(sys);
    return DAE_OK;
}

run_rows subject_run_unscaled(const subject *s, const dae_formulation *form,
                              const dae_method *method, const dae_options *options)
{
    run_rows r = {0};
    dae_report why = {0};
    sampler p = {.s = s, .t_old = s->t0};
    r.row = p.row = allocate(ROWS * (size_t)s->width, sizeof *r.row);
    for (int i = 0; i < ROWS * s->width; i++)
        r.row[i] = NAN;
    r.status = dae_hybrid_create(&p.hybrid, s->problem, form, NULL, NULL, method, options, &why);
    if (r.status)
        snprintf(r.message, sizeof r.message, "%s", why.message);
    else
        r.status = advance(&p, &r);
    dae_hybrid_free(p.hybrid);
    return r;
}

run_rows subject_run(const subject *s, const dae_formulation *form, const dae_method *method,
                     dae_options options)
{
    double *atol = NULL;
    dae_report why = {0};
    run_rows r = {0};
    if (!s->eventful && options.step == 0) {
        r.status = absolute_tolerances(s, form, options.rtol, &atol, &why);
        options.atols = atol;
    }
    snprintf(r.message, sizeof r.message, "%s", why.message);
    if (!r.status)
        r = subject_run_unscaled(s, form, method, &options);
    if (r.status == s->ending)
        r.status = DAE_OK;
    free(atol);
    return r;
}

/* ---- what is right ------------------------------------------------------------------------ */

const dae_formulation *subject_form(const dae_problem *problem)
{
    int i = 0;
    while (!dae_formulation_applies(dae_formulation_at(i), problem))
        i++;
    return dae_formulation_at(i);
}

static void make_room(subject *s, const dae_system *sys)
{
    const int nq = dae_system_positions(sys), nl = dae_system_multipliers(sys);
    const int n = dae_system_size(sys);
    s->width = !nq ? n : 2 * nq + (s->eventful ? 0 : 2 * nl);
    s->class_of = allocate((size_t)s->width, sizeof *s->class_of);
    s->right = allocate((ROWS + 1) * (size_t)s->width, sizeof *s->right);
    s->scale = s->right + ROWS * s->width;
    for (int j = 0; j < s->width; j++)
        s->class_of[j] = !nq ? dae_system_class(sys, j) : j < nq ? DAE_POSITION
                         : j < 2 * nq ? DAE_VELOCITY : j < 2 * nq + nl ? DAE_MULTIPLIER
                                                                       : DAE_RECOVERED;
}

static void copy_reference(subject *s, const dae_reference *r)
{
    for (int k = 0; k < ROWS; k++) {
        double *row = s->right + k * s->width;
        for (int i = 0; i < r->nq; i++) {
            row[i] = (double)r->q[k * r->nq + i];
            if (r->v)
                row[r->nq + i] = (double)r->v[k * r->nq + i];
        }
        for (int i = 0; i < r->nl; i++)
            row[2 * r->nq + i] = row[2 * r->nq + r->nl + i] = (double)r->lambda[k * r->nl + i];
    }
    s->digits = r->digits;
}

static dae_status quad_reference(subject *s, dae_system *sys, dae_report *why)
{
    dae_reference r;
    double *u = allocate((size_t)dae_system_size(sys), sizeof *u);
    dae_status status = dae_system_start(sys, u, why);
    if (!status)
        status = dae_consistent_start(sys, s->t0, u, NULL, why);
    if (!status && !dae_system_positions(sys))
        for (int j = 0; j < s->width; j++)
            s->scale[j] = fabs(u[j]);
    if (!status)
        status = dae_cached_reference(&r, sys, s->t0, u, s->time, ROWS, NULL, NULL, why);
    if (!status) {
        copy_reference(s, &r);
        dae_reference_free(&r);
    }
    free(u);
    return status;
}

/* The adaptive method of highest order on ODEs among the implicit, or the explicit ones. */
static const dae_method *best_method(int implicit)
{
    const dae_method *best = NULL;
    double order = 0;
    for (int i = 0; catalogue_method(i); i++) {
        const dae_method_info info = dae_method_describe(catalogue_method(i));
        if (info.adaptive && info.implicit == implicit && info.order[0][DAE_VELOCITY] > order) {
            best = catalogue_method(i);
            order = info.order[0][DAE_VELOCITY];
        }
    }
    return best;
}

/* No quad reference knows events: an implicit and an explicit method at a tight tolerance, which
 * must agree to eight digits of the size of the motion. */
static dae_status tight_reference(subject *s, dae_report *why)
{
    dae_options tight = dae_default_options();
    tight.rtol = tight.atol = 1e-12;
    const dae_formulation *form = run_form_of_index(s->problem, 1);
    if (!form)
        form = subject_form(s->problem);
    run_rows a = subject_run_unscaled(s, form, best_method(1), &tight);
    run_rows b = subject_run_unscaled(s, form, best_method(0), &tight);
    double apart = 0, size = 0;
    s->ending = a.status == DAE_EVENT || a.status == DAE_ACCUMULATION ? a.status : DAE_OK;
    const int failed = a.status != s->ending || b.status != s->ending;
    for (int i = 0; !failed && i < ROWS * s->width; i++) {
        s->right[i] = a.row[i];
        if (isnan(a.row[i]) != isnan(b.row[i]))
            apart = INFINITY;
        size = fmax(size, fabs(a.row[i]));
        apart = fmax(apart, fabs(a.row[i] - b.row[i]));
    }
    free(a.row);
    free(b.row);
    if (failed)
        return dae_fail(why, DAE_NO_CONVERGENCE, "%s", a.message[0] ? a.message : b.message);
    s->digits = -log10(apart / size);
    return s->digits > 8 ? DAE_OK : dae_fail(why, DAE_NO_CONVERGENCE, "two methods at 1e-12 agree "
                                             "to %.1f digits only", s->digits);
}

static void set_scales(subject *s)
{
    double class_scale[DAE_CLASSES] = {0};
    for (int j = 0; j < s->width; j++) {
        for (int k = 0; k < ROWS; k++)
            s->scale[j] = fmax(s->scale[j], fabs(s->right[k * s->width + j]));
        class_scale[s->class_of[j]] = fmax(class_scale[s->class_of[j]], s->scale[j]);
    }
    for (int j = 0; j < s->width; j++) {
        if (s->problem->mechanical.nq || s->scale[j] == 0)
            s->scale[j] = class_scale[s->class_of[j]];
        s->scale[j] = s->scale[j] > 0 ? s->scale[j] : 1;
    }
}

static double pace_of(const subject *s)
{
    const run_setting setting = run_default_setting(s->problem);
    const study whole = {.setting = &setting, .t0 = s->t0, .t_end = s->t_end};
    return study_pace(&whole);
}

/* In order: (k + OFF)/(ROWS - ON_STEPS) of the interval, and j/ON_STEPS of it. */
static void set_times(subject *s)
{
    const double span = s->t_end - s->t0;
    for (int i = 0, k = 0, j = 1; i < ROWS; i++) {
        const double between = (k + OFF) / (ROWS - ON_STEPS), on = (double)j / ON_STEPS;
        s->on_step[i] = !(between < on && k < ROWS - ON_STEPS);
        s->time[i] = s->t0 + (s->on_step[i] ? on : between) * span;
        k += !s->on_step[i];
        j += s->on_step[i];
    }
    s->time[ROWS - 1] = s->t_end;
}

dae_status subject_begin(subject *s, const dae_problem *problem, dae_report *why)
{
    dae_system *sys;
    *s = (subject){.problem = problem, .eventful = problem->events || problem->modes,
                   .t0 = problem->t0, .t_end = problem->t_end};
    set_times(s);
    dae_status status = dae_system_create(&sys, problem, subject_form(problem), NULL, NULL, why);
    if (status)
        return status;
    make_room(s, sys);
    status = s->eventful ? tight_reference(s, why) : quad_reference(s, sys, why);
    if (!status) {
        set_scales(s);
        s->pace = s->eventful ? 1 : pace_of(s);
    }
    dae_system_free(sys);
    return status;
}

void subject_end(subject *s)
{
    free(s->class_of);
    free(s->right);
}
