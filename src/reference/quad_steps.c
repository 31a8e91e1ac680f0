/* quad_steps.c - fixed steps of a method in quad precision, in any formulation
 *
 * A method converges until rounding begins, and for high orders there is little between the steps
 * that are small enough for its expansion to hold and rounding. The same steps in quad precision
 * differ from the method's by the rounding of its arithmetic.
 *
 * Coefficients are the doubles of the method's tableau: the method as it is coded. As they are
 * rounded, order conditions hold to 1e-16 only, and behind the errors of the method, C h^p, stand
 * terms 1e-16 h^k of low order. How large they are shows in a run whose coefficients are off in
 * their last bits (dae_quad_shake), as rounding of the arithmetic does in one whose start is.
 *
 * The formulation is that of compose.h with quad numbers.
 */
#include "quad_run.h"

#include "daelab/quad_reference.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* By dae_method_family. */
static const dae_quad_family *const families[DAE_FAMILIES] = {
    [DAE_FAMILY_EXPLICIT] = &dae_quad_explicit,
    [DAE_FAMILY_ROSENBROCK] = &dae_quad_rosenbrock,
    [DAE_FAMILY_CROS] = &dae_quad_cros,
    [DAE_FAMILY_EXCROS] = &dae_quad_excros,
    [DAE_FAMILY_RADAU_IIA] = &dae_quad_radau_iia,
    [DAE_FAMILY_BUTCHER] = &dae_quad_butcher,
    [DAE_FAMILY_ROSENBROCK_WANNER] = &dae_quad_rosenbrock_wanner,
};

typedef dae_quad_run quad_run;

/* Behind the scratch of compose.h. */
static dae_quad *inverse_mass(const dae_system *sys)
{
    return sys->a_quad + sys->nq + 2 * sys->nl;
}

void dae_quad_run_rhs(const quad_run *r, dae_quad t, const dae_quad *u, dae_quad *F)
{
    r->sys->compose->rhs_quad(r->sys, t, u, F);
}

void dae_quad_run_mass(const quad_run *r, dae_quad t, const dae_quad *x, dae_quad *out)
{
    const dae_system *sys = r->sys;
    const dae_first_order *e = &sys->problem->first_order;
    if (sys->carried) {
        dae_state_mass_multiply_quad(sys->carried, x, out);
        return;
    }
    if (!sys->nq && e->mass.quad) {
        e->mass.quad(sys->p_quad, t, r->u, x, out);
        return;
    }
    for (int i = 0; i < sys->n; i++)
        out[i] = sys->diagonal[i] * x[i];
    if (sys->compose->kind == DAE_FORM_MECHANICAL && !sys->general_mass)
        for (int i = sys->nq; i < 2 * sys->nq; i++)     /* the diagonal in doubles is rounded */
            out[i] = x[i] / inverse_mass(sys)[i - sys->nq];
}

/* ---- coefficients ------------------------------------------------------------------------- */

/* A short binary fraction: 0.25, 1, -2.5. */
static int is_short(double x)
{
    return ldexp(x, 12) == rint(ldexp(x, 12)) && fabs(x) < 0x1p12;
}

/* By the place of a coefficient up or down without a pattern: sums must not cancel. */
int dae_quad_shake(double *x, int count)
{
    int shaken = 0;
    for (int i = 0; i < count; i++) {
        const uint32_t random = (uint32_t)(i + 1) * 2654435761u;
        if (!is_short(x[i])) {
            x[i] = nextafter(x[i], random >> 31 ? INFINITY : -INFINITY);
            shaken++;
        }
    }
    return shaken;
}

/* run->tableau := that of the method, derived[2 x size] or behind it a shaken copy. */
static dae_status choose_tableau(quad_run *r, const dae_quad_family *family, int shaken, char *derived,
                                 dae_report *report)
{
    char *copy = derived + family->size;
    const dae_status status = family->derive ? family->derive(r->method, derived, report) : DAE_OK;
    r->tableau = family->derive ? derived : r->method->tableau;
    if (status || !shaken)
        return status;
    if (!family->shake)
        return DAE_UNSUPPORTED;
    const int changed = family->shake(r->tableau, copy);
    r->tableau = copy;
    return changed ? DAE_OK : DAE_UNSUPPORTED;
}

/* ---- a run -------------------------------------------------------------------------------- */

static void destroy(quad_run *r, const dae_quad_family *family)
{
    family->destroy(r);
    dae_quad_mechanics_free(&r->mechanics);
    free(r->u);
}

static dae_status create(quad_run *r, const dae_quad_family *family)
{
    dae_system *sys = r->sys;
    r->n = sys->n;
    r->u = calloc((size_t)sys->n + 2 * (size_t)sys->nq + 1, sizeof *r->u);
    r->x = r->u + sys->n;
    if (!r->u || !dae_system_open_quad(sys) || !dae_quad_mechanics_create(&r->mechanics, sys))
        return DAE_NO_MEMORY;
    return family->create(r);
}

/* (q, v) of the start, as references take it: through minimal coordinates, or projected. */
static dae_status start_of_motion(quad_run *r, double t0, const double *u0)
{
    const dae_system *sys = r->sys;
    const dae_minimal *m = &sys->problem->mechanical.minimal;
    const int nq = sys->nq, is_minimal = sys->compose->kind == DAE_FORM_MINIMAL;
    dae_quad *q = r->x, *v = q + nq, s[2 * DAE_MANY_CONSTRAINTS];
    for (int i = 0; i < 2 * nq; i++)
        q[i] = u0[i];
    dae_quad_set_mass(&r->mechanics, t0, q);
    for (int i = 0; i < nq; i++)
        inverse_mass(sys)[i] = sys->general_mass ? 1 : r->mechanics.inverse_mass[i];
    if (m->n == 0)
        return is_minimal ? DAE_UNSUPPORTED : dae_quad_project(&r->mechanics, t0, q, v);
    if (m->n > DAE_MANY_CONSTRAINTS)
        return DAE_UNSUPPORTED;
    m->chart.quad(sys->p_quad, t0, q, v, s);
    m->embed.quad(sys->p_quad, t0, s, s + m->n, q);
    for (int i = 0; is_minimal && i < 2 * m->n; i++)
        r->u[i] = s[i];
    return DAE_OK;
}

/* w = P u' of a start, to all digits, behind it. */
static dae_status set_slopes(quad_run *r, double t0)
{
    const dae_system *s = r->sys;
    if (!s->carried)
        return DAE_OK;
    s->problem->first_order.rhs.quad(s->p_quad, t0, r->u, s->a_quad);
    return dae_state_mass_solve_quad(s->carried, s->p_quad, t0, r->u, s->a_quad, r->u + s->carried->n)
               ? DAE_OK : DAE_SINGULAR;
}

/* All unknowns of the start. */
static dae_status set_start(quad_run *r, double t0, const double *u0)
{
    const dae_system *sys = r->sys;
    const int nq = sys->nq, nl = sys->nl;
    if (!nq) {
        for (int i = 0; i < sys->n; i++)
            r->u[i] = u0[i];
        return set_slopes(r, t0);
    }
    dae_status status = start_of_motion(r, t0, u0);
    if (status || sys->compose->kind == DAE_FORM_MINIMAL)
        return status;
    memcpy(r->u, r->x, 2 * (size_t)nq * sizeof *r->u);
    status = dae_quad_accelerate(&r->mechanics, t0, r->x, r->x + nq, sys->a_quad);
    memcpy(r->u + 2 * nq, r->mechanics.lambda, (size_t)nl * sizeof *r->u);
    for (int i = 0; sys->general_mass && i < nq; i++)
        r->u[sys->acceleration_at + i] = sys->a_quad[i];
    return status;
}

/* Row k of the result from the state. */
static dae_status keep(quad_run *r, int k, dae_reference *out, dae_quad *recovered)
{
    const dae_system *sys = r->sys;
    const dae_quad *u = r->u;
    const dae_minimal *m = &sys->problem->mechanical.minimal;
    const int nq = sys->nq, nl = sys->nl;
    const size_t rows = (size_t)nq * sizeof *u;
    if (!nq) {
        memcpy(out->q + k * out->nq, u, (size_t)out->nq * sizeof *u);
        return DAE_OK;
    }
    if (sys->compose->kind == DAE_FORM_MINIMAL)
        m->embed.quad(sys->p_quad, r->t, u, u + m->n, r->x);
    else
        memcpy(r->x, u, 2 * rows);
    memcpy(out->q + k * nq, r->x, rows);
    memcpy(out->v + k * nq, r->x + nq, rows);
    const dae_status status =
        dae_quad_accelerate(&r->mechanics, r->t, r->x, r->x + nq, sys->a_quad);
    for (int i = 0; i < nl; i++) {
        out->lambda[k * nl + i] =
            sys->compose->kind == DAE_FORM_MINIMAL ? r->mechanics.lambda[i] : u[2 * nq + i];
        if (recovered)
            recovered[k * nl + i] = r->mechanics.lambda[i];
    }
    return status;
}

static dae_status run_to(quad_run *r, const dae_quad_family *family, double t, int steps)
{
    const dae_quad h = (t - r->t) / steps;
    dae_status status = DAE_OK;
    for (int i = 0; !status && i < steps; i++) {
        status = family->step(r, h);
        r->t += h;
    }
    return status;
}

static dae_status allocate(dae_reference *out, const dae_system *sys, int count)
{
    const size_t rows = (size_t)count, nq = (size_t)(sys->nq ? sys->nq : sys->problem->first_order.n);
    *out = (dae_reference){.nq = (int)nq, .nl = sys->nl, .digits = 33, .source = "quad steps"};
    out->q = calloc(rows * nq, sizeof *out->q);
    out->v = sys->nq ? calloc(rows * nq, sizeof *out->v) : NULL;
    out->lambda = sys->nq ? calloc(rows * (size_t)sys->nl + 1, sizeof *out->lambda) : NULL;
    return out->q && (!sys->nq || (out->v && out->lambda)) ? DAE_OK : DAE_NO_MEMORY;
}

static dae_status run(quad_run *r, const dae_quad_family *family, double t0, const double *u0,
                      const double *times, int count, int steps, dae_reference *result,
                      dae_quad *recovered)
{
    dae_status status = create(r, family);
    if (!status)
        status = set_start(r, t0, u0);
    r->t = t0;
    if (!status && family->start)
        status = family->start(r);
    for (int k = 0; !status && k < count; k++) {
        status = run_to(r, family, times[k], steps);
        if (!status)
            status = keep(r, k, result, recovered);
    }
    destroy(r, family);
    return status;
}

dae_status dae_quad_steps(dae_reference *result, dae_quad *recovered, dae_system *sys,
                          const dae_method *method, int shaken, double t0, const double *u0,
                          const double *times, int count, int steps, dae_report *report)
{
    quad_run r = {.sys = sys, .method = method};
    if (!result || !sys || !method || !u0 || !times || count < 1 || steps < 1)
        return dae_fail(report, DAE_BAD_ARGUMENT, "dae_quad_steps: an argument is missing");
    *result = (dae_reference){0};
    const int known = (int)method->family >= 0 && method->family < DAE_FAMILIES;
    const dae_quad_family *family = known ? families[method->family] : NULL;
    if (!family || !sys->compose->rhs_quad || dae_check_quad(sys->problem, report))
        return dae_fail(report, DAE_UNSUPPORTED, "no steps of %s in quad precision",
                        method->info.name);
    char *derived = malloc(2 * family->size + 1);
    dae_status status = derived ? choose_tableau(&r, family, shaken, derived, report) : DAE_NO_MEMORY;
    if (!status)
        status = allocate(result, sys, count);
    if (!status)
        status = run(&r, family, t0, u0, times, count, steps, result, recovered);
    free(derived);
    if (!status)
        return DAE_OK;
    dae_reference_free(result);
    return dae_fail(report, status, "steps of %s in quad precision, %d unknowns: %s",
                    method->info.name, sys->n, dae_status_sentence(status));
}
