/* system.c - composing a system from a problem, a formulation and parameters */
#include "parameters.h"
#include "system.h"

#include "base/numbers.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Do the analytic derivatives, dense blocks of nq x nq, serve this system? */
static int uses_partials(const dae_system *s)
{
    return s->problem->mechanical.partials && s->nq <= DAE_MANY_POSITIONS && !s->general_mass;
}

/* Of up to three constraints S in a band saves nothing. */
static int may_be_planned(const dae_system *s)
{
    return s->nl > 3 && !s->general_mass;
}

/* Blocks of the analytic derivatives; the block of memory, or NULL */
static void *place_partials(dae_partials *d, size_t nq, size_t nl)
{
    return DAE_PARTS(d,
                     DAE_PART(dae_partials, f, nq), DAE_PART(dae_partials, f_q, nq * nq),
                     DAE_PART(dae_partials, f_v, nq * nq), DAE_PART(dae_partials, f_t, nq),
                     DAE_PART(dae_partials, r_q, nq * nq), DAE_PART(dae_partials, r_t, nq),
                     DAE_PART(dae_partials, G, nl * nq), DAE_PART(dae_partials, g_t, nl),
                     DAE_PART(dae_partials, rate_q, nl * nq), DAE_PART(dae_partials, rate_t, nl),
                     DAE_PART(dae_partials, acc_q, nl * nq), DAE_PART(dae_partials, acc_v, nl * nq),
                     DAE_PART(dae_partials, acc_t, nl));
}

static int allocate(dae_system *s)
{
    const size_t nq = (size_t)s->nq, nl = (size_t)s->nl, n = (size_t)s->n;
    const size_t start = 2 * nq + nl > n ? 2 * nq + nl : n, full = s->general_mass ? nq : 0;
    const size_t rows = nq ? nq : s->problem->first_order.mass.f && !s->carried ? n : 0;
    const size_t scratch = s->carried ? 3 * (size_t)s->carried->n : nq + 2 * nl;
    const size_t dense = dae_system_has_many(s) ? 0 : nl;      /* else a plan brings its own */
    s->inner.memory = DAE_PARTS(s,
        DAE_PART(dae_system, inner.mass, nq), DAE_PART(dae_system, inverse_mass, nq), DAE_PART(dae_system, diagonal, n),
        DAE_PART(dae_system, inner.mass_x, rows), DAE_PART(dae_system, inner.mass_product, rows),
        DAE_PART(dae_system, inner.mass_size, rows), DAE_PART(dae_system, inner.mass_now, rows),
        DAE_PART(dae_system, a, scratch), DAE_PART(dae_system, gradient, dense * nq),
        DAE_PART(dae_system, schur, dense * nl), DAE_PART(dae_system, inner.work, may_be_planned(s) ? 2 * nq + nl : 0),
        DAE_PART(dae_system, inner.full_mass, full * nq),
        DAE_PART(dae_system, inner.weighted, s->general_mass ? nl * nq : 0), DAE_PART(dae_system, state, 3 * nq + nl),
        DAE_PART(dae_system, start, start),
        DAE_PART(dae_system, charted, s->compose->kind == DAE_FORM_MINIMAL ? n : 0),
        DAE_PART(dae_system, rows, 6 * nl), DAE_PART(dae_system, seen, nl),
        DAE_PART(dae_system, inner.a_dual, (s->carried ? 3 * (size_t)s->carried->n : 3 * nq + 2 * nl) + 1),
        DAE_PART(dae_system, quad, nq + nl + 1), DAE_PART(dae_system, classes, n));
    if (dae_system_has_many(s))
        s->gradient = s->schur = NULL;
    return s->inner.memory && (!uses_partials(s) || (place_partials(&s->inner.partials, nq, nl)
                                               && place_partials(&s->inner.mu_partials, nq, nl)));
}

static void size_system(dae_system *s)
{
    const dae_mechanical *m = &s->problem->mechanical;
    s->index = s->form->info.index;
    s->body = s->general_mass ? DAE_ANY_BODY : dae_body_of(s->nq, s->nl);
    switch (s->compose->kind) {
    case DAE_FORM_MECHANICAL:
        if (s->nl == 0) {
            s->compose = &dae_unconstrained;
            s->index = s->general_mass;                      /* 0 = f - M a is of index 1 in a */
        }
        s->acceleration_at = 2 * s->nq + s->nl * (1 + s->compose->auxiliary);
        s->n = s->acceleration_at + (s->general_mass ? s->nq : 0);
        break;
    case DAE_FORM_MINIMAL:
        s->n = 2 * m->minimal.n;
        break;
    case DAE_FORM_FIRST_ORDER:
        s->n = s->problem->first_order.n + (s->carried ? s->carried->nx : 0);
        if (s->index < 0)
            s->index = s->problem->first_order.index;
        if (s->carried && s->index < 1)
            s->index = 1;                                    /* 0 = F - M E w is of index 1 in w */
    }
    s->linearise = s->compose->linearise && !s->carried ? s->compose->linearise[s->body] : NULL;
    s->explicit_map = dae_system_explicit_map(s);
}

enum { MOST_UNKNOWNS = 100000000 };

static void free_parameters(dae_system *s)
{
    dae_parameters_free(s->p);
    dae_parameters_free(s->p_quad);
    dae_parameters_free(s->p_tangent);
}

static void copy_parameters(dae_system *s, const double *values)
{
    for (int i = 0; i < s->parameters; i++)
        s->p_tangent[i] = s->p_quad[i] = s->p[i] = values[i];
}

static dae_status set_parameters(dae_system *s, const double *values, dae_report *report)
{
    const void *data = s->options.user_data;
    const dae_status status = dae_check_values(s->problem, values, report);
    if (status)
        return status;
    s->parameters = dae_parameter_count(s->problem);
    s->p = dae_parameters_new(s->parameters, sizeof *s->p, data);
    s->p_quad = dae_parameters_new(s->parameters, sizeof *s->p_quad, data);
    s->p_tangent = dae_parameters_new(s->parameters, sizeof *s->p_tangent, data);
    if (!s->p || !s->p_quad || !s->p_tangent)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d parameters", s->parameters);
    dae_parameter_values(s->problem, values, s->p);
    copy_parameters(s, s->p);
    return DAE_OK;
}

/* Sizes of a mechanical problem, and how its M enters. */
static dae_status look_at_mechanics(dae_system *s, dae_report *report)
{
    const dae_mechanical *m = &s->problem->mechanical;
    s->inner.copies = dae_problem_copies(s->problem, s->p);
    if ((double)s->inner.copies * (3.0 * m->nq + 2.0 * m->nl) > MOST_UNKNOWNS)
        return dae_fail(report, DAE_UNSUPPORTED, "%s: %d copies of %d positions are too many",
                        s->problem->name, s->inner.copies, m->nq);
    s->nq = m->nq * s->inner.copies;
    s->nl = s->ng = m->nl * s->inner.copies;
    s->holonomic = s->nl - m->nonholonomic * s->inner.copies;
    if (!s->nq)
        return DAE_OK;
    const size_t nq = (size_t)s->nq;
    double *u = dae_zeroed(6 * nq + (size_t)s->nl, sizeof *u);
    if (!u)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d positions", s->nq);
    s->problem->start.f(s->p, u);
    s->general_mass = m->mass == DAE_MASS_VARIES || !dae_mass_is_simple(s, u, u + 2 * nq + s->nl);
    free(u);
    if (s->general_mass && (dae_system_has_many(s) || s->nq > DAE_MANY_POSITIONS))
        return dae_fail(report, DAE_UNSUPPORTED, "%s: a mass matrix that is not diagonal and "
                        "constant is supported for up to %d positions and %d constraints, not %d "
                        "and %d",
                        s->problem->name, (int)DAE_MANY_POSITIONS, (int)DAE_MANY_CONSTRAINTS,
                        s->nq, s->nl);
    return DAE_OK;
}

/* M(t, u) of a first-order problem, at its start. */
static dae_status look_at_state_mass(dae_system *s, dae_report *report)
{
    const dae_first_order *f = &s->problem->first_order;
    if (f->mass_kind != DAE_MASS_VARIES)
        return DAE_OK;
    double *u = dae_zeroed((size_t)f->n + 1, sizeof *u);
    if (!u)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d unknowns", f->n);
    s->problem->start.f(s->p, u);
    const dae_status status = dae_state_mass_create(&s->carried, s->problem, s->p, s->p_quad, u, report);
    free(u);
    return status;
}

/* M = diag(m) from accelerations of one; carried: ones, and M(q) is formed where it is needed. */
static dae_status set_mass(dae_system *s, dae_report *report)
{
    double *x = s->state;
    for (int i = 0; i < s->nq; i++)
        s->inner.mass[i] = x[i] = 1;
    if (!s->general_mass)
        s->problem->mechanical.inertia.f(s->p, s->problem->t0, s->start, x, s->inner.mass);
    for (int i = 0; i < s->nq; i++) {
        if (!(s->inner.mass[i] > 0 && isfinite(s->inner.mass[i])))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: the mass of coordinate %d is %g, which "
                            "is not positive", s->problem->name, i + 1, s->inner.mass[i]);
        s->inverse_mass[i] = 1 / s->inner.mass[i];
    }
    dae_mass_record(s);
    return DAE_OK;
}

/* Of the first ng constraints: the plan of S, and room for it. */
static dae_status plan_rows(dae_system *s, dae_report *report)
{
    const dae_status status =
        dae_schur_plan_create(&s->plan, &s->problem->mechanical, s->p, s->nq, s->ng, s->nl,
                              s->problem->t0, s->start, report);
    if (status)
        return status;
    return dae_schur_make_room_double(&s->plan, &s->gradient, &s->schur)
               ? DAE_OK : dae_fail(report, DAE_NO_MEMORY, "no memory for %d constraints", s->ng);
}

/* All rows; and those on positions, where there are others. */
static dae_status plan_both(dae_system *s, dae_report *report)
{
    const int all = dae_system_take_rows(s, s->holonomic);
    const dae_status status = s->ng > 0 && s->ng < s->nl ? plan_rows(s, report) : DAE_OK;
    dae_system_take_rows(s, all);
    return status ? status : plan_rows(s, report);
}

static void free_plans(dae_system *s)
{
    dae_schur_plan_free(&s->plan);
    dae_schur_plan_free(&s->inner.aside.plan);
    free(s->gradient);
    free(s->inner.aside.gradient);
    s->inner.aside = (dae_schur_rows){0};
}

/* S in a band where there are many constraints, and of few where it is less work than a full one. */
static dae_status plan_constraints(dae_system *s, dae_report *report)
{
    double *gradient = s->gradient, *schur = s->schur;
    if (!may_be_planned(s))
        return DAE_OK;
    s->gradient = s->schur = NULL;
    s->sparse_schur = 1;
    const dae_status status = plan_both(s, report);
    if (status || dae_system_has_many(s) || dae_schur_saves_work(&s->plan))
        return status;
    free_plans(s);
    s->gradient = gradient;
    s->schur = schur;
    s->sparse_schur = 0;
    return DAE_OK;
}

int dae_system_open_quad(dae_system *s)
{
    const size_t size = s->carried ? 3 * (size_t)s->carried->n : 2 * (size_t)s->nq + 2 * (size_t)s->nl;
    if (!s->a_quad)
        s->a_quad = dae_zeroed(size + 1, sizeof *s->a_quad);
    return s->a_quad != NULL;
}

void dae_system_evaluate_start(dae_system *s)
{
    memset(s->start, 0, (size_t)(s->nq ? 2 * s->nq + s->nl : s->n) * sizeof *s->start);
    s->problem->start.f(s->p, s->start);
}

static dae_status check_arguments(const dae_problem *problem, const dae_formulation *form,
                                  const dae_formulation_options *o, dae_report *report)
{
    const dae_status status = dae_check_problem(problem, report);
    if (status)
        return status;
    if (!form || !dae_formulation_applies(form, problem))
        return dae_fail(report, DAE_UNSUPPORTED, "%s has no formulation %s%s", problem->name,
                        form ? form->info.name : "(none)",
                        form && problem->mechanical.nonholonomic && form->mechanical.on_positions
                            ? ": there is no 0 = g(t, q) for its nonholonomic constraints" : "");
    if (o && form->info.stabilised == DAE_BY_FEEDBACK
        && !(o->alpha >= 0 && isfinite(o->alpha) && o->beta >= 0 && isfinite(o->beta)))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: alpha = %g and beta = %g must be finite and "
                        "not negative", form->info.name, o->alpha, o->beta);
    return DAE_OK;
}

dae_status dae_system_create(dae_system **sys, const dae_problem *problem,
                             const dae_formulation *form, const double *parameters,
                             const dae_formulation_options *options, dae_report *report)
{
    if (!sys)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no place for a system is given");
    *sys = NULL;
    const dae_status checked = check_arguments(problem, form, options, report);
    if (checked)
        return checked;
    dae_system *s = dae_zeroed(1, sizeof *s);
    if (!s)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a system");
    s->problem = problem;
    s->form = form;
    s->compose = problem->mechanical.nq > 0 ? &form->mechanical : &form->first_order;
    s->options = options ? *options : dae_default_formulation_options(problem);
    dae_status status = set_parameters(s, parameters, report);
    if (!status)
        status = look_at_mechanics(s, report);
    if (!status)
        status = look_at_state_mass(s, report);
    if (!status) {
        size_system(s);
        if (!allocate(s))
            status = dae_fail(report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
    }
    if (!status) {
        dae_system_evaluate_start(s);
        if (s->nq)
            status = set_mass(s, report);
    }
    if (!status)
        status = plan_constraints(s, report);
    if (!status)
        status = dae_system_classify(s, report);
    if (status)
        dae_system_free(s);
    else
        *sys = s;
    return status;
}

/* Parameters stay where they are, as others point to them. */
static void exchange_parameters(dae_system *a, dae_system *b)
{
    double *p = a->p;
    dae_quad *p_quad = a->p_quad;
    dae_dual *p_tangent = a->p_tangent;
    a->p = b->p;
    a->p_quad = b->p_quad;
    a->p_tangent = b->p_tangent;
    b->p = p;
    b->p_quad = p_quad;
    b->p_tangent = p_tangent;
    copy_parameters(a, b->p);
}

/* A system of the same unknowns takes the place of another one, which is left to be freed. */
static void exchange(dae_system *a, dae_system *b)
{
    const dae_system was = *a;
    *a = *b;
    *b = was;
    b->inner.tangent = a->inner.tangent;            /* its scratch stays, as others use it */
    a->inner.tangent = was.inner.tangent;
    a->use = was.use;
    b->use = DAE_RESTS;
    exchange_parameters(a, b);
}

dae_status dae_system_set_parameters(dae_system *s, const double *parameters, dae_report *report)
{
    dae_system *other;
    if (!s)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no system is given");
    if (s->use == DAE_WORKS)
        return dae_fail(report, DAE_BAD_ARGUMENT, "dae_system_set_parameters is called by a function of the system");
    dae_status status = dae_system_create(&other, s->problem, s->form, parameters, &s->options, report);
    if (status)
        return status;
    if (other->n != s->n || other->nq != s->nq || other->nl != s->nl)
        status = dae_fail(report, DAE_UNSUPPORTED, "%s: other parameters make a system of %d unknowns "
                          "of this one of %d, with %d positions and %d multipliers, not %d and %d: it "
                          "has to be created", s->problem->name, other->n, s->n, other->nq, other->nl,
                          s->nq, s->nl);
    if (!status) {
        other->generation = s->generation + 1;
        exchange(s, other);
    }
    dae_system_free(other);
    return status;
}

void dae_system_free(dae_system *sys)
{
    if (!sys)
        return;
    if (sys->use != DAE_RESTS) {
        sys->refused = "dae_system_free";
        return;
    }
    if (sys->sparse_schur)
        free_plans(sys);
    free_parameters(sys);
    dae_state_mass_free(sys->carried);
    free(sys->a_quad);
    free(sys->inner.memory);
    free(sys->inner.partials.f);
    free(sys->inner.mu_partials.f);
    free(sys->inner.tangent);
    free(sys->inner.left_null);
    free(sys);
}
