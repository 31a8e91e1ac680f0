#include "subject.h"

#include "base/no_fast_math.h"
#include "base/parts.h"
#include "daelab/study.h"
#include "hybrid/hybrid.h"
#include "system/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the record --------------------------------------------------------------------------- */

/* Each part of the record in turn, and the values of its parameters; 0 where one is wrong. */
static int check_record(dae_subject *s, const double *values)
{
    dae_report why = {0};
    const char *what = "";
    dae_status status = DAE_OK;
    for (int part = 0; what && !status; part++)
        status = dae_check_problem_part(&s->problem, part, &what, &why);
    if (!status) {
        what = "parameters";
        status = dae_check_values(&s->problem, values, &why);
    }
    if (status)
        dae_tell(&s->found, 1, 0, what, 0, NAN, NAN, "%s", why.message);
    return !status;
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

/* ---- the start ---------------------------------------------------------------------------- */

/* row := the start as the record gives it, which must have no more numbers than that */
static void set_start(dae_subject *s)
{
    enum { MARGIN = 16 };
    const double mark = 7.25e77;
    int beyond = 0;
    double *u = calloc((size_t)s->m + MARGIN, sizeof *u);
    if (!u) {
        s->found.status = DAE_NO_MEMORY;
        return;
    }
    for (int i = 0; i < MARGIN; i++)
        u[s->m + i] = mark;
    s->problem.start.f(s->p, u);
    for (int i = 0; i < s->m; i++)
        s->row[i] = u[i];
    for (int i = MARGIN - 1; i >= 0; i--)
        beyond = u[s->m + i] != mark ? s->m + i + 1 : beyond;
    free(u);
    if (beyond)
        dae_tell(&s->found, 1, 0, "start", beyond, NAN, NAN, "%s: start writes number %d, behind the %d that the state "
                 "has", s->name, beyond, s->m);
}

dae_status dae_subject_start(dae_subject *s, double *z)
{
    const int nq = s->places.nq;
    double *u = calloc((size_t)dae_system_size(s->sys) + 1, sizeof *u);
    dae_status status = u ? dae_system_start(s->sys, u, NULL) : DAE_NO_MEMORY;
    if (!status)
        status = dae_consistent_start(s->sys, s->problem.t0, u, NULL, NULL);
    if (!status && nq)
        status = dae_system_split(s->sys, s->problem.t0, u, z, z + nq, z + 2 * nq);
    else if (!status)
        memcpy(z, u, (size_t)s->m * sizeof *z);
    free(u);
    return status;
}

void dae_subject_settle(dae_subject *s)
{
    double *z = s->sys ? calloc((size_t)s->m + 1, sizeof *z) : NULL;
    dae_quad sum = 0;
    if (!s->sys)
        return;
    dae_status status = DAE_NO_MEMORY;
    if (z && (!s->places.nq || s->mechanics.memory || dae_quad_mechanics_create(&s->mechanics, s->sys)))
        status = dae_subject_start(s, z);
    for (int i = 0; !status && i < s->m; i++)
        s->row[i] = z[i];
    s->consistent = !status && dae_states_sharpen(s, s->problem.t0, s->row);
    for (int i = 0; i < s->m; i++)
        sum += 0 * s->row[i];
    s->consistent &= sum == 0;
    if (status == DAE_NO_MEMORY)
        s->found.status = status;
    free(z);
}

/* ---- creation ----------------------------------------------------------------------------- */

/* What can be made of a record that is complete. */
static void create_system(dae_subject *s)
{
    dae_report why = {0};
    s->form = choose_form(&s->problem);
    const dae_status status = dae_system_create(&s->sys, &s->problem, s->form, s->p, s->options, &why);
    if (status && status != DAE_NO_MEMORY)
        dae_tell(&s->found, 1, 0, s->places.nq ? "inertia" : "rhs", 0, NAN, NAN, "%s", why.message);
    s->found.status = status == DAE_NO_MEMORY ? status : s->found.status;
}

/* Parameters and room for states; 0: no memory. */
static int create_room(dae_subject *s, const double *values)
{
    const void *data = s->options ? s->options->user_data : NULL;
    s->parameters = dae_parameter_count(&s->problem);
    s->p = dae_parameters_new(s->parameters, sizeof *s->p, data);
    s->p_quad = dae_parameters_new(s->parameters, sizeof *s->p_quad, data);
    if (!s->p || !s->p_quad)
        return 0;
    dae_subject_set_values(s, values);
    s->places = dae_places_of(&s->problem, dae_problem_copies(&s->problem, s->p));
    s->m = s->places.nq ? 2 * s->places.nq + s->places.nl : s->places.n;
    if (!DAE_PARTS(s, DAE_PART(dae_subject, maps, DAE_MOST_MAPS), DAE_PART(dae_subject, row, s->m + 1),
                   DAE_PART(dae_subject, state, s->places.count), DAE_PART(dae_subject, size, s->places.count)))
        return 0;
    s->map_count = dae_list_maps(&s->problem, &s->places, s->maps);
    return 1;
}

void dae_subject_create(dae_subject *s, const dae_problem *whole, int mode, const double *values,
                        const dae_formulation_options *options, dae_findings *list)
{
    *s = (dae_subject){.whole = whole, .mode = mode, .options = options};
    dae_complete_mode(whole, mode, &s->problem);
    s->quads = dae_check_quad(&s->problem, NULL) == DAE_OK;
    s->span = fabs(s->problem.t_end - s->problem.t0) > 0 ? fabs(s->problem.t_end - s->problem.t0) : 1;
    s->found = (dae_comparison){.t = s->problem.t0, .digits = 34, .rounding = dae_double_rounding, .problem = s->name,
                                .list = list};
    if (whole->modes)
        snprintf(s->name, sizeof s->name, "%.40s, mode %.40s", whole->name,
                 mode ? s->problem.name : whole->mode ? whole->mode : whole->name);
    else
        snprintf(s->name, sizeof s->name, "%.90s", whole->name);
    if (!check_record(s, values))
        return;
    if (create_room(s, values))
        set_start(s);
    else
        s->found.status = DAE_NO_MEMORY;
    if (!s->found.status)
        dae_check_definite(s);
    if (!s->found.status)
        create_system(s);
}

void dae_subject_free(dae_subject *s)
{
    if (s->mechanics.memory)
        dae_quad_mechanics_free(&s->mechanics);
    dae_system_free(s->sys);
    dae_parameters_free(s->p);
    dae_parameters_free(s->p_quad);
    free(s->maps);
}
