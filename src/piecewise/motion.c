/* motion.c - the state of a hybrid run in quad precision, and how it goes on between events and at them */
#include "piecewise.h"

#include "system/parameters.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_evaluations = 2e7;     /* of F in one piece */

/* ---- opening ------------------------------------------------------------------------------- */

static dae_status make_models(dae_motion *m)
{
    for (int i = 0; i < m->h->modes; i++) {
        dae_quad_model_free(&m->model[i]);
        const dae_status status = dae_quad_model_create(&m->model[i], m->h->mode[i].sys, 0, m->report);
        if (status)
            return status;
        m->model[i].watch = m->watch;
    }
    return DAE_OK;
}

/* Every function of events has a pass in quad. */
static dae_status check_events(const dae_motion *m)
{
    for (int k = 0; k < m->h->modes; k++) {
        const dae_mode *mode = &m->h->mode[k];
        const dae_status status = dae_check_quad(&mode->problem, m->report);
        if (status)
            return status;
        for (int i = 0; i < mode->events; i++) {
            const dae_event *e = mode->event[i].entry;
            if (!e->value.quad || (e->action.f && !e->action.quad))
                return dae_fail(m->report, DAE_UNSUPPORTED, "%s: event %s of mode %s has no %s in quad",
                                m->h->problem->name, e->name, mode->name, e->value.quad ? "action" : "value");
        }
    }
    return DAE_OK;
}

static dae_status allocate(dae_motion *m)
{
    const size_t count = (size_t)m->parameters;
    m->model = calloc((size_t)m->h->modes, sizeof *m->model);
    m->acted = dae_parameters_new(m->parameters, sizeof *m->acted, m->h->form_options.user_data);
    if (!m->model || !m->acted
        || !DAE_PARTS(m,
                      DAE_PART(dae_motion, x, m->width), DAE_PART(dae_motion, p_start, count),
                      DAE_PART(dae_motion, p, count), DAE_PART(dae_motion, p_new, count),
                      DAE_PART(dae_motion, size, m->h->modes * m->width), DAE_PART(dae_motion, p_rounded, count)))
        return dae_fail(m->report, DAE_NO_MEMORY, "no memory for a reference of %s", m->h->problem->name);
    for (size_t i = 0; i < count; i++)
        m->p[i] = m->p_start[i] = m->h->p_start[i];
    return DAE_OK;
}

dae_status dae_motion_open(dae_motion *m, const dae_scout *scout, double t_end,
                           const dae_reference_watch *watch, dae_report *report)
{
    dae_hybrid *h = scout->hybrid;
    *m = (dae_motion){.h = h, .t0 = h->problem->t0, .span = t_end - h->problem->t0, .watch = watch,
                      .parameters = h->parameters, .width = h->size, .report = report};
    for (int k = 0; k < h->modes; k++) {
        const int width = h->size + h->mode[k].sys->nl, n = h->mode[k].sys->nq ? width : h->mode[k].sys->n;
        m->width = n > m->width ? n : m->width;
    }
    dae_status status = allocate(m);
    if (!status)
        status = check_events(m);
    return status;
}

void dae_motion_close(dae_motion *m)
{
    for (int i = 0; m->model && i < m->h->modes; i++)
        dae_quad_model_free(&m->model[i]);
    free(m->model);
    free(m->x);
    dae_parameters_free(m->acted);
    memset(m, 0, sizeof *m);
}

/* ---- parameters ---------------------------------------------------------------------------- */

/* The systems of all modes get p, to all its digits. */
static dae_status set_parameters(dae_motion *m)
{
    for (int i = 0; i < m->parameters; i++)
        m->p_rounded[i] = (double)m->p[i];
    for (int k = 0; k < m->h->modes; k++) {
        dae_system *sys = m->h->mode[k].sys;
        const dae_status status = dae_system_set_parameters(sys, m->p_rounded, m->report);
        if (status)
            return status;
        memcpy(sys->p_quad, m->p, (size_t)m->parameters * sizeof *m->p);
    }
    return make_models(m);
}

/* ---- entering a mode ----------------------------------------------------------------------- */

static dae_status onto_constraints(dae_motion *m, const char *because)
{
    dae_quad_model *of = &m->model[m->mode];
    dae_quad *q = m->x, *v = q + of->nq;
    dae_quad_set_mass(&of->mechanics, m->t, q);
    dae_status status = dae_quad_project(&of->mechanics, m->t, q, v);
    if (!status)
        status = dae_quad_model_complete(of, m->t, m->x);
    return !status ? DAE_OK
           : dae_fail(m->report, status, "t = %.9g: after %s the state does not go onto the constraints of %s: "
                      "%s", (double)m->t, because, m->h->mode[m->mode].name, dae_status_sentence(status));
}

/* Algebraic unknowns are solved for; of a higher index the state is looked at. */
static dae_status solve_algebraic(dae_motion *m, dae_quad piece)
{
    const dae_quad_dae dae = dae_quad_model_dae(&m->model[m->mode]);
    int slow = 0;
    if (!m->rule.collocated || dae.equations->index < 1)
        return DAE_OK;
    if (m->h->mode[m->mode].sys->carried) {
        dae_system *sys = m->h->mode[m->mode].sys;
        for (int i = 0; i < sys->n; i++)
            sys->start[i] = i < m->h->size ? (double)m->x[i] : 0;
        dae_system_set_slopes(sys, (double)m->t, sys->start);
        for (int i = m->h->size; i < sys->n; i++)
            m->x[i] = sys->start[i];
    }
    return dae_collocation_start(&dae, m->t, m->t + piece, m->x, &slow, m->report);
}

dae_status dae_motion_enter(dae_motion *m, int mode, dae_quad piece, const char *because)
{
    m->mode = mode;
    for (int i = 0; i < m->h->size; i++)
        if (m->x[i] - m->x[i] != 0)
            return dae_fail(m->report, DAE_NOT_FINITE, "t = %.9g: after %s the state is not finite",
                            (double)m->t, because);
    return m->model[mode].nq ? onto_constraints(m, because) : solve_algebraic(m, piece);
}

dae_status dae_motion_start(dae_motion *m, dae_motion_rule rule)
{
    dae_system *sys = m->h->mode[0].sys;
    m->rule = rule;
    memcpy(m->p, m->p_start, (size_t)m->parameters * sizeof *m->p);
    dae_status status = set_parameters(m);
    double *u = calloc((size_t)sys->n, sizeof *u);
    if (!status && !u)
        status = dae_fail(m->report, DAE_NO_MEMORY, "no memory for %d unknowns", sys->n);
    if (!status)
        status = dae_system_start(sys, u, m->report);
    if (!status)
        status = dae_consistent_start(sys, m->t0, u, NULL, m->report);
    for (int i = 0; !status && i < m->width; i++)
        m->x[i] = i < sys->n ? u[i] : 0;
    m->t = m->t0;
    free(u);
    return status ? status : dae_motion_enter(m, 0, m->span, "the start");
}

/* ---- between events ------------------------------------------------------------------------ */

static dae_quad *size_of(const dae_motion *m)
{
    return m->size + (size_t)m->mode * (size_t)m->width;
}

static dae_status extrapolate(dae_motion *m, const dae_quad_grid *grid, const dae_quad *x, dae_quad *z)
{
    dae_quad_model *of = &m->model[m->mode];
    const dae_quad_ode ode = dae_quad_model_ode(of, of->nq ? DAE_REFERENCE_CARTESIAN : DAE_REFERENCE_EXPLICIT);
    const double length = (double)(grid->times[grid->count - 1] - grid->t0);
    const dae_quad_rule rule = dae_extrapolation_rule(m->rule.second, length, m->span, most_evaluations);
    const dae_status status = dae_extrapolate(&ode, &rule, grid, x, z, size_of(m), m->report);
    const dae_status held = dae_quad_model_mass_held(of, m->report);
    return held ? held : status;
}

static dae_status collocate(dae_motion *m, const dae_quad_grid *grid, const dae_quad *x, dae_quad *z)
{
    const dae_quad_dae dae = dae_quad_model_dae(&m->model[m->mode]);
    const dae_radau_rule rule = dae_collocation_rule(m->rule.second, m->rule.tolerance, m->span);
    return dae_collocate(&dae, &rule, grid, x, z, size_of(m), m->report);
}

/* Rows of m numbers become rows of the width. */
static void spread(dae_quad *rows, int count, int m, int width)
{
    for (int i = count - 1; i > 0 && m < width; i--)
        memmove(rows + (size_t)i * (size_t)width, rows + (size_t)i * (size_t)m, (size_t)m * sizeof *rows);
}

dae_status dae_motion_follow(dae_motion *m, dae_quad t, const dae_quad *x, const dae_quad *times, int count,
                             dae_quad *rows)
{
    const dae_quad_grid grid = {.t0 = t, .times = times, .count = count};
    if (count < 1)
        return DAE_OK;
    const dae_status status = m->rule.collocated ? collocate(m, &grid, x, rows) : extrapolate(m, &grid, x, rows);
    if (!status)
        spread(rows, count, m->model[m->mode].m, m->width);
    return status;
}

/* ---- events -------------------------------------------------------------------------------- */

dae_quad dae_motion_event(const dae_motion *m, int i, dae_quad t, const dae_quad *x)
{
    const dae_mode *mode = &m->h->mode[m->mode];
    return mode->event[i].entry->value.quad(mode->sys->p_quad, t, x, mode->event[i].k);
}

void dae_motion_begin_round(dae_motion *m)
{
    memcpy(m->p_new, m->p, (size_t)m->parameters * sizeof *m->p);
}

void dae_motion_act(dae_motion *m, int i)
{
    const dae_numbered_event *event = &m->h->mode[m->mode].event[i];
    memcpy(m->acted, m->p_new, (size_t)m->parameters * sizeof *m->p);
    event->entry->action.quad(m->acted, m->t, m->x, m->p_new, event->k);
}

dae_status dae_motion_end_round(dae_motion *m)
{
    int changed = 0;
    for (int i = 0; i < m->parameters; i++)
        changed |= m->p_new[i] != m->p[i];
    memcpy(m->p, m->p_new, (size_t)m->parameters * sizeof *m->p);
    return changed ? set_parameters(m) : DAE_OK;
}
