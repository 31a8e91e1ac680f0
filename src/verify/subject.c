#include "subject.h"

#include "base/no_fast_math.h"
#include "checks/model_check.h"
#include "hybrid/hybrid.h"
#include "rank_check.h"
#include "system/parameters.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dae_subject_tell(dae_subject *s, int failed, const char *function, int row, double found,
                      double expected, const char *format, ...)
{
    dae_finding f = {.failed = failed, .row = row, .t = s->found.t, .found = found, .expected = expected};
    va_list arguments;
    va_start(arguments, format);
    snprintf(f.function, sizeof f.function, "%s", function);
    vsnprintf(f.sentence, sizeof f.sentence, format, arguments);
    va_end(arguments);
    s->found.failed |= failed;
    dae_findings_add(s->found.list, &f, 0);
}

/* ---- the record --------------------------------------------------------------------------- */

/* Each part of the record in turn, and the values of its parameters; 0 where one is wrong. */
static int check_record(dae_subject *s, const double *values)
{
    dae_report why = {0};
    const char *what = "";
    for (int part = 0; what; part++)
        if (dae_check_problem_part(&s->problem, part, &what, &why)) {
            dae_subject_tell(s, 1, what, 0, NAN, NAN, "%s", why.message);
            return 0;
        }
    if (dae_check_values(&s->problem, values, &why)) {
        dae_subject_tell(s, 1, "parameters", 0, NAN, NAN, "%s", why.message);
        return 0;
    }
    return 1;
}

static const dae_formulation *choose_form(const dae_problem *problem)
{
    const dae_formulation *first = NULL;
    for (int i = 0; dae_formulation_at(i); i++) {
        const dae_formulation *form = dae_formulation_at(i);
        const dae_formulation_info info = dae_formulation_describe(form);
        if (!dae_formulation_applies(form, problem))
            continue;
        if (info.index == (problem->mechanical.nq ? 1 : -1) && info.stabilised == DAE_NOT_STABILISED)
            return form;
        first = first ? first : form;
    }
    return first;
}

void dae_subject_set_values(dae_subject *s, const double *values)
{
    dae_parameter_values(&s->problem, values, s->p);
    for (int i = 0; i < s->parameters; i++)
        s->p_quad[i] = s->p[i];
}

static int set_parameters(dae_subject *s, const double *values)
{
    const void *data = s->options ? s->options->user_data : NULL;
    s->parameters = dae_parameter_count(&s->problem);
    s->p = dae_parameters_new(s->parameters, sizeof *s->p, data);
    s->p_quad = dae_parameters_new(s->parameters, sizeof *s->p_quad, data);
    if (!s->p || !s->p_quad)
        return 0;
    dae_subject_set_values(s, values);
    return 1;
}

/* ---- the start ---------------------------------------------------------------------------- */

static int all_quad(const dae_problem *problem)
{
    return dae_check_quad(problem, NULL) == DAE_OK;
}

static int finite_row(const dae_subject *s)
{
    dae_quad sum = 0;
    for (int i = 0; i < s->m; i++)
        sum += 0 * s->row[i];
    return sum == 0;
}

/* row := the start as the record gives it, which must have no more numbers than that */
static int set_start(dae_subject *s)
{
    enum { MARGIN = 16 };
    const double mark = 7.25e77;
    int beyond = 0;
    double *u = calloc((size_t)s->m + MARGIN, sizeof *u);
    if (!u)
        return 0;
    for (int i = 0; i < MARGIN; i++)
        u[s->m + i] = mark;
    s->problem.start.f(s->p, u);
    for (int i = 0; i < s->m; i++)
        s->row[i] = u[i];
    for (int i = MARGIN - 1; i >= 0; i--)
        beyond = u[s->m + i] != mark ? s->m + i + 1 : beyond;
    free(u);
    if (beyond)
        dae_subject_tell(s, 1, "start", beyond, NAN, NAN, "%s: start writes number %d, behind the %d that "
                         "the state has", s->name, beyond, s->m);
    return 1;
}

/* row := the same, moved onto the constraints as a run is, and then to all digits of quad */
static dae_status set_consistent(dae_subject *s)
{
    const int nq = s->places.nq, n = dae_system_size(s->sys);
    double *u = calloc((size_t)n + (size_t)s->m + 1, sizeof *u), *z = u + n;
    if (!u)
        return DAE_NO_MEMORY;
    dae_status status = dae_system_start(s->sys, u, NULL);
    if (!status)
        status = dae_consistent_start(s->sys, s->problem.t0, u, NULL, NULL);
    if (!status && nq)
        status = dae_system_split(s->sys, s->problem.t0, u, z, z + nq, z + 2 * nq);
    for (int i = 0; !status && i < s->m; i++)
        s->row[i] = nq ? z[i] : u[i];
    free(u);
    if (!status && nq && all_quad(&s->problem)) {
        dae_quad_set_mass(&s->mechanics, s->problem.t0, s->row);
        status = dae_quad_project(&s->mechanics, s->problem.t0, s->row, s->row + nq);
        if (!status)
            status = dae_quad_accelerate(&s->mechanics, s->problem.t0, s->row, s->row + nq,
                                         s->mechanics.a);
        for (int k = 0; !status && k < s->places.nl; k++)
            s->row[2 * nq + k] = s->mechanics.lambda[k];
    }
    s->consistent = status == DAE_OK && finite_row(s);
    return status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* ---- creation ----------------------------------------------------------------------------- */

static dae_status no_memory(dae_report *report)
{
    return dae_fail(report, DAE_NO_MEMORY, "no memory to check a model");
}

/* What can be made of a record that is complete. */
static dae_status create_system(dae_subject *s, dae_report *report)
{
    dae_report why = {0};
    s->form = choose_form(&s->problem);
    const dae_status status = dae_system_create(&s->sys, &s->problem, s->form, s->p, s->options,
                                                &why);
    if (status == DAE_NO_MEMORY)
        return no_memory(report);
    if (status)
        dae_subject_tell(s, 1, s->places.nq ? "inertia" : "rhs", 0, NAN, NAN, "%s", why.message);
    return DAE_OK;
}

dae_status dae_subject_create(dae_subject *s, const dae_problem *whole, int mode, const double *values,
                              const dae_formulation_options *options, dae_findings *list,
                              dae_report *report)
{
    *s = (dae_subject){.whole = whole, .mode = mode, .options = options};
    dae_complete_mode(whole, mode, &s->problem);
    s->found = (dae_comparison){.t = s->problem.t0, .digits = 34, .problem = s->name, .list = list};
    if (whole->modes)
        snprintf(s->name, sizeof s->name, "%.40s, mode %.40s", whole->name,
                 mode ? s->problem.name : whole->mode ? whole->mode : whole->name);
    else
        snprintf(s->name, sizeof s->name, "%.90s", whole->name);
    if (!check_record(s, values))
        return DAE_OK;
    if (!set_parameters(s, values))
        return no_memory(report);
    s->span = fabs(s->problem.t_end - s->problem.t0) > 0 ? fabs(s->problem.t_end - s->problem.t0) : 1;
    s->places = dae_places_of(&s->problem, dae_problem_copies(&s->problem, s->p));
    s->m = s->places.nq ? 2 * s->places.nq + s->places.nl : s->places.n;
    s->row = calloc((size_t)s->m + 1, sizeof *s->row);
    s->state = calloc(2 * (size_t)s->places.count + 1, sizeof *s->state);
    if (!s->row || !s->state || !set_start(s))
        return no_memory(report);
    s->size = s->state + s->places.count;
    dae_status status = s->found.failed ? DAE_OK : dae_check_definite(s, report);
    if (!status && !s->found.failed)
        status = create_system(s, report);
    return status;
}

dae_status dae_subject_settle(dae_subject *s, dae_report *report)
{
    if (!s->sys)
        return DAE_OK;
    if (s->places.nq && !s->mechanics.memory && !dae_quad_mechanics_create(&s->mechanics, s->sys))
        return no_memory(report);
    return set_consistent(s) == DAE_NO_MEMORY ? no_memory(report) : DAE_OK;
}

void dae_subject_free(dae_subject *s)
{
    if (s->mechanics.memory)
        dae_quad_mechanics_free(&s->mechanics);
    dae_system_free(s->sys);
    dae_parameters_free(s->p);
    dae_parameters_free(s->p_quad);
    free(s->row);
    free(s->state);
}
