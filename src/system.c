/* system.c - composing a system from a problem, a formulation and parameters */
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hand out the next count doubles of a block; counts only while the block is NULL. */
static double *take(double *block, size_t *used, int count)
{
    double *place = block ? block + *used : NULL;
    *used += (size_t)count;
    return place;
}

static void place_partials(dae_partials *d, double *block, size_t *used, int nq, int nl)
{
    d->f = take(block, used, nq);
    d->f_q = take(block, used, nq * nq);
    d->f_v = take(block, used, nq * nq);
    d->f_t = take(block, used, nq);
    d->r_q = take(block, used, nq * nq);
    d->r_t = take(block, used, nq);
    d->G = take(block, used, nl * nq);
    d->g_t = take(block, used, nl);
    d->rate_q = take(block, used, nl * nq);
    d->rate_t = take(block, used, nl);
    d->acc_q = take(block, used, nl * nq);
    d->acc_v = take(block, used, nl * nq);
    d->acc_t = take(block, used, nl);
}

/* Point every array into block, or with block NULL only add up their length. */
static size_t place(dae_system *s, double *block)
{
    size_t used = 0;
    const int nq = s->nq, nl = s->nl, start = 2 * nq + nl > s->n ? 2 * nq + nl : s->n;
    s->p = take(block, &used, dae_parameter_count(s->problem));
    s->mass = take(block, &used, nq);
    s->inverse_mass = take(block, &used, nq);
    s->diagonal = take(block, &used, s->n);
    s->a = take(block, &used, nq + 2 * nl);
    s->gradient = take(block, &used, nl * nq);
    s->schur = take(block, &used, nl * nl);
    s->state = take(block, &used, 3 * nq + nl);
    s->start = take(block, &used, start);
    if (s->problem->mechanical.partials) {
        place_partials(&s->partials, block, &used, nq, nl);
        place_partials(&s->mu_partials, block, &used, nq, nl);
    }
    return used;
}

static int allocate(dae_system *s)
{
    const size_t dual = (size_t)(3 * s->nq + 2 * s->nl) + 1;
    s->memory = calloc(place(s, NULL) + 1, sizeof *s->memory);
    s->a_dual = calloc(dual, sizeof *s->a_dual);
    s->classes = calloc((size_t)s->n, sizeof *s->classes);
    if (!s->memory || !s->a_dual || !s->classes)
        return 0;
    place(s, s->memory);
    return 1;
}

static void size_system(dae_system *s)
{
    const dae_mechanical *m = &s->problem->mechanical;
    s->nq = m->nq;
    s->nl = m->nl;
    s->index = s->form->info.index;
    switch (s->compose->kind) {
    case DAE_FORM_MECHANICAL:
        s->n = 2 * s->nq + s->nl * (1 + s->compose->auxiliary);
        break;
    case DAE_FORM_MINIMAL:
        s->n = 2 * m->minimal.n;
        break;
    case DAE_FORM_FIRST_ORDER:
        s->n = s->problem->first_order.n;
        if (s->index < 0)
            s->index = s->problem->first_order.index;
    }
}

static dae_status set_parameters(dae_system *s, const double *values, dae_report *report)
{
    for (int i = 0; i < dae_parameter_count(s->problem); i++) {
        const dae_parameter *parameter = &s->problem->parameters[i];
        const double x = values ? values[i] : parameter->value;
        const int inside = parameter->range == DAE_POSITIVE ? x > 0
                           : parameter->range == DAE_NONNEGATIVE ? x >= 0 : 1;
        if (!isfinite(x) || !inside)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: parameter %s = %g must be finite%s",
                            s->problem->name, parameter->name, x,
                            parameter->range == DAE_POSITIVE ? " and positive"
                            : parameter->range == DAE_NONNEGATIVE ? " and not negative" : "");
        s->p[i] = x;
    }
    return DAE_OK;
}

/* M = diag(m) from its action on unit vectors, at the problem's start. */
static dae_status set_mass(dae_system *s, dae_report *report)
{
    const dae_mechanical *m = &s->problem->mechanical;
    double *e = s->state, *column = s->state + s->nq;
    for (int j = 0; j < s->nq; j++) {
        memset(e, 0, (size_t)s->nq * sizeof *e);
        e[j] = 1;
        m->inertia.f(s->p, s->problem->t0, s->start, e, column);
        for (int i = 0; i < s->nq; i++)
            if (i != j && column[i] != 0)
                return dae_fail(report, DAE_UNSUPPORTED, "%s: the mass matrix couples coordinates "
                                "%d and %d; only a diagonal one is supported", s->problem->name,
                                i + 1, j + 1);
        if (!(column[j] > 0 && isfinite(column[j])))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: the mass of coordinate %d is %g, which "
                            "is not positive", s->problem->name, j + 1, column[j]);
        s->mass[j] = column[j];
        s->inverse_mass[j] = 1 / column[j];
    }
    return DAE_OK;
}

static void classify_mechanical(dae_system *s)
{
    for (int i = 0; i < s->n; i++) {
        const int velocity = i >= s->nq && i < 2 * s->nq;
        s->classes[i] = i < s->nq ? DAE_POSITION : velocity ? DAE_VELOCITY
                        : i < 2 * s->nq + s->nl ? DAE_MULTIPLIER : DAE_AUXILIARY;
        s->diagonal[i] = i < s->nq ? 1 : velocity ? s->mass[i - s->nq] : 0;
    }
}

/* Variable j is algebraic where column j of M is zero. */
static dae_status classify_first_order(dae_system *s, dae_report *report)
{
    const dae_first_order *f = &s->problem->first_order;
    double *e = calloc(2 * (size_t)s->n, sizeof *e), *column = e + s->n;
    if (!e)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
    for (int j = 0; j < s->n; j++) {
        memset(column, 0, (size_t)s->n * sizeof *column);
        e[j] = column[j] = 1;
        if (f->mass.f)
            f->mass.f(s->p, s->problem->t0, e, column);
        e[j] = 0;
        s->diagonal[j] = column[j];
        s->classes[j] = DAE_ALGEBRAIC;
        for (int i = 0; i < s->n; i++) {
            if (column[i] != 0)
                s->classes[j] = DAE_DIFFERENTIAL;
            if (column[i] != 0 && i != j)
                s->coupled = 1;
        }
    }
    free(e);
    return DAE_OK;
}

static dae_status classify(dae_system *s, dae_report *report)
{
    if (s->compose->kind == DAE_FORM_FIRST_ORDER)
        return classify_first_order(s, report);
    if (s->compose->kind == DAE_FORM_MECHANICAL)
        classify_mechanical(s);
    else
        for (int i = 0; i < s->n; i++) {
            s->classes[i] = i < s->n / 2 ? DAE_POSITION : DAE_VELOCITY;
            s->diagonal[i] = 1;
        }
    return DAE_OK;
}

static void evaluate_start(dae_system *s)
{
    memset(s->start, 0, (size_t)(s->nq ? 2 * s->nq + s->nl : s->n) * sizeof *s->start);
    s->problem->start(s->p, s->start);
}

dae_status dae_system_create(dae_system **sys, const dae_problem *problem,
                             const dae_formulation *form, const double *parameters,
                             const dae_formulation_options *options, dae_report *report)
{
    *sys = NULL;
    if (problem && problem->first_order.n > 0
        && (problem->first_order.index < 0 || problem->first_order.index > DAE_MAX_INDEX))
        return dae_fail(report, DAE_UNSUPPORTED, "%s: index %d lies outside 0 ... %d",
                        problem->name, problem->first_order.index, (int)DAE_MAX_INDEX);
    if (!form || !problem || !dae_formulation_applies(form, problem))
        return dae_fail(report, DAE_UNSUPPORTED, "%s has no formulation %s",
                        problem ? problem->name : "(no problem)", form ? form->info.name : "(none)");
    dae_system *s = calloc(1, sizeof *s);
    if (!s)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a system");
    s->problem = problem;
    s->form = form;
    s->compose = problem->mechanical.nq > 0 ? &form->mechanical : &form->first_order;
    s->options = options ? *options : dae_default_formulation_options();
    size_system(s);
    dae_status status = DAE_OK;
    if (!allocate(s))
        status = dae_fail(report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
    if (!status)
        status = set_parameters(s, parameters, report);
    if (!status) {
        evaluate_start(s);
        if (s->nq)
            status = set_mass(s, report);
    }
    if (!status)
        status = classify(s, report);
    if (status)
        dae_system_free(s);
    else
        *sys = s;
    return status;
}

void dae_system_free(dae_system *sys)
{
    if (!sys)
        return;
    free(sys->memory);
    free(sys->a_dual);
    free(sys->classes);
    free(sys);
}

dae_status dae_system_start(dae_system *s, double *u, dae_report *report)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const double t0 = s->problem->t0;
    evaluate_start(s);
    if (s->compose->kind == DAE_FORM_MINIMAL) {
        m->minimal.chart.f(s->p, t0, s->start, s->start + s->nq, u);
    } else {
        const int given = s->nq ? 2 * s->nq + s->nl : s->n;
        memcpy(u, s->start, (size_t)given * sizeof *u);
        memset(u + given, 0, (size_t)(s->n - given) * sizeof *u);
    }
    for (int i = 0; i < s->n; i++)
        if (!isfinite(u[i]))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: unknown %d of the start is %g",
                            s->problem->name, i + 1, u[i]);
    return DAE_OK;
}
