/* quad_model.c - a system in quad precision
 *
 *   minimal        s'' = acceleration(t, s, s'),  (q, v) = embed(s, s')
 *   Cartesian      q' = v,  v' = a(t, q, v)  with d2g/dt2 = 0 solved for lambda
 *   explicit       u' = F(t, u)
 *   carried        P u' = w,  0 = F(t, u) - M(t, u) E w
 */
#include "quad_model.h"

#include "system/system.h"
#include "base/parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

dae_status dae_quad_model_create(dae_quad_model *m, dae_system *sys, int count, dae_report *report)
{
    memset(m, 0, sizeof *m);
    m->sys = sys;
    m->minimal = &sys->problem->mechanical.minimal;
    m->nq = sys->nq;
    m->nl = sys->nl;
    m->m = m->nq ? 2 * m->nq + m->nl : sys->n;
    const size_t columns = (size_t)m->m, start = (size_t)(sys->n + 2 * m->nq + 2 * m->minimal->n);
    if (!DAE_PARTS(m,
                   DAE_PART(dae_quad_model, y0, start), DAE_PART(dae_quad_model, first, columns),
                   DAE_PART(dae_quad_model, z, (size_t)count * columns), DAE_PART(dae_quad_model, group, columns))
        || (sys->carried && !dae_system_open_quad(sys))
        || !dae_quad_mechanics_create(&m->mechanics, sys))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a reference at %d times", count);
    for (int i = 0; i < m->m; i++)
        m->group[i] = !m->nq ? sys->classes[i] : i < m->nq ? DAE_POSITION
                      : i < 2 * m->nq ? DAE_VELOCITY : DAE_MULTIPLIER;
    return DAE_OK;
}

void dae_quad_model_free(dae_quad_model *m)
{
    dae_quad_mechanics_free(&m->mechanics);
    free(m->y0);
}

/* ---- differential equations and what is wanted of them ------------------------------------ */

static dae_status minimal_rhs(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    dae_quad_model *m = context;
    for (int i = 0; i < m->minimal->n; i++)
        dy[i] = y[m->minimal->n + i];
    m->minimal->acceleration.quad(m->sys->p_quad, t, y, y + m->minimal->n, dy + m->minimal->n);
    return DAE_OK;
}

static dae_status cartesian_rhs(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    dae_quad_model *m = context;
    for (int i = 0; i < m->nq; i++)
        dy[i] = y[m->nq + i];
    return dae_quad_accelerate(&m->mechanics, t, y, y + m->nq, dy + m->nq);
}

static dae_status explicit_rhs(void *context, dae_quad t, const dae_quad *y, dae_quad *dy)
{
    dae_quad_model *m = context;
    m->sys->problem->first_order.rhs.quad(m->sys->p_quad, t, y, dy);
    return DAE_OK;
}

dae_status dae_quad_set_slopes(const dae_system *s, dae_quad t, dae_quad *u)
{
    if (!s->carried)
        return DAE_OK;
    s->problem->first_order.rhs.quad(s->p_quad, t, u, s->a_quad);
    return dae_state_mass_solve_quad(s->carried, s->p_quad, t, u, s->a_quad, u + s->carried->n) ? DAE_OK : DAE_SINGULAR;
}

dae_status dae_quad_model_complete(dae_quad_model *m, dae_quad t, dae_quad *z)
{
    const dae_status status = dae_quad_accelerate(&m->mechanics, t, z, z + m->nq, m->mechanics.a);
    for (int k = 0; k < m->nl; k++)
        z[2 * m->nq + k] = m->mechanics.lambda[k];
    return status;
}

static dae_status minimal_outputs(void *context, dae_quad t, const dae_quad *y, dae_quad *z)
{
    dae_quad_model *m = context;
    m->minimal->embed.quad(m->sys->p_quad, t, y, y + m->minimal->n, z);
    return dae_quad_model_complete(m, t, z);
}

static dae_status cartesian_outputs(void *context, dae_quad t, const dae_quad *y, dae_quad *z)
{
    dae_quad_model *m = context;
    memcpy(z, y, 2 * (size_t)m->nq * sizeof *z);
    return dae_quad_model_complete(m, t, z);
}

static dae_status explicit_outputs(void *context, dae_quad t, const dae_quad *y, dae_quad *z)
{
    dae_quad_model *m = context;
    (void)t;
    memcpy(z, y, (size_t)m->sys->n * sizeof *z);
    return DAE_OK;
}

dae_quad_ode dae_quad_model_ode(dae_quad_model *m, dae_reference_kind kind)
{
    const int minimal = kind == DAE_REFERENCE_MINIMAL, cartesian = kind == DAE_REFERENCE_CARTESIAN;
    return (dae_quad_ode){
        .n = minimal ? 2 * m->minimal->n : cartesian ? 2 * m->nq : m->sys->n,
        .m = m->m,
        .f = minimal ? minimal_rhs : cartesian ? cartesian_rhs : explicit_rhs,
        .outputs = minimal ? minimal_outputs : cartesian ? cartesian_outputs : explicit_outputs,
        .context = m,
        .watch = m->watch,
    };
}

/* ---- the start ----------------------------------------------------------------------------- */

/* Is what embed makes of m->y0 next to (q, v) on the constraints? A chart may have lost the branch. */
static int comes_back(dae_quad_model *m, double t0, dae_quad *q, double span)
{
    const dae_quad part = 1e-6;
    const int nq = m->nq;
    dae_quad *back = m->first, *v = q + nq, size[2] = {0}, apart[2] = {0};
    if (dae_quad_project(&m->mechanics, t0, q, v) != DAE_OK)
        return 1;                                       /* the run says so */
    m->minimal->embed.quad(m->sys->p_quad, t0, m->y0, m->y0 + m->minimal->n, back);
    for (int i = 0; i < 2 * nq; i++) {
        size[i / nq] = dae_quad_fmax(size[i / nq], dae_quad_fmax(dae_quad_fabs(q[i]), dae_quad_fabs(back[i])));
        apart[i / nq] = dae_quad_fmax(apart[i / nq], dae_quad_fabs(q[i] - back[i]));
    }
    return apart[0] <= part * size[0] && apart[1] <= part * dae_quad_fmax(size[1], size[0] / span);
}

dae_status dae_quad_model_start(dae_quad_model *m, dae_reference_kind kind, double t0, double span, const dae_quad *u0,
                                int given_minimal, dae_report *report)
{
    const int ns = m->minimal->n, given = !m->nq ? m->sys->n : 2 * (given_minimal ? ns : m->nq);
    const size_t size = 2 * (size_t)m->nq * sizeof *m->y0;
    dae_quad *y = m->y0, *q = m->z, *v = q + m->nq;     /* z is free until the run */
    for (int i = 0; i < given; i++)
        y[i] = u0[i];
    if (kind == DAE_REFERENCE_EXPLICIT || kind == DAE_REFERENCE_COLLOCATION)
        return DAE_OK;
    if (given_minimal)
        m->minimal->embed.quad(m->sys->p_quad, t0, y, y + ns, q);
    else
        memcpy(q, y, size);
    dae_quad_set_mass(&m->mechanics, t0, q);
    if (kind == DAE_REFERENCE_MINIMAL && !given_minimal)
        m->minimal->chart.quad(m->sys->p_quad, t0, q, v, y);
    if (kind == DAE_REFERENCE_MINIMAL)
        return given_minimal || comes_back(m, t0, q, span) ? DAE_OK
               : dae_fail(report, DAE_INCONSISTENT, "t = %.9g: minimal coordinates of the start belong to another "
                          "state, on another branch of the constraints", t0);
    memcpy(y, q, size);
    const dae_status status = dae_quad_project(&m->mechanics, t0, y, y + m->nq);
    return status == DAE_OK ? status :
        dae_fail(report, status, "t = %.9g: the start does not go onto the constraints: %s", t0,
                 dae_status_sentence(status));
}

dae_status dae_quad_model_mass_held(const dae_quad_model *m, dae_report *report)
{
    return !m->mechanics.varied ? DAE_OK
           : dae_fail(report, DAE_BAD_ARGUMENT, "the mass matrix, row %d, is not the constant diagonal "
                      "that it was near the start: the record of %s has to declare it by .mass = "
                      "DAE_MASS_VARIES", m->mechanics.varied, m->sys->problem->name);
}

/* ---- M u' = F ------------------------------------------------------------------------------ */

/* P u' = w, 0 = F - M(t, u) E w: collocation hands its parameters through unseen, and here they are the
 * system. */
static dae_system *system_of(const dae_quad *p)
{
    return (dae_system *)(uintptr_t)p;
}

static void carried_rhs(const dae_quad *p, dae_quad t, const dae_quad *u, dae_quad *F)
{
    dae_first_order_rhs_quad(system_of(p), &system_of(p)->problem->first_order.rhs, t, u, F);
}

static void carried_mass(const dae_quad *p, dae_quad t, const dae_quad *u, const dae_quad *x, dae_quad *out)
{
    (void)t, (void)u;
    dae_state_mass_multiply_quad(system_of(p)->carried, x, out);
}

static int mass_holds(const dae_quad *p, dae_quad t, const dae_quad *u)
{
    dae_system *s = system_of(p);
    for (int i = 0; i < s->n; i++)
        s->start[i] = (double)u[i];
    return !dae_system_mass_changed(s, (double)t, s->start);
}

dae_quad_dae dae_quad_model_dae(dae_quad_model *m)
{
    dae_quad_dae dae = {.equations = &m->sys->problem->first_order, .p = m->sys->p_quad,
                        .group = m->group, .watch = m->watch};
    if (m->sys->carried) {
        const int index = m->sys->problem->first_order.index;
        m->carried = (dae_first_order){.n = m->m, .index = index + (index < 1), .rhs = {.quad = carried_rhs},
                                       .mass = {.quad = carried_mass}};
        dae.equations = &m->carried;
        dae.p = (const dae_quad *)(const void *)m->sys;
        dae.holds = mass_holds;
    }
    return dae;
}
