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

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

void dae_quad_run_complete(const quad_run *r, const dae_quad *a, dae_quad *u)
{
    const dae_system *sys = r->sys;
    memcpy(u + 2 * sys->nq, r->model.mechanics.lambda, (size_t)sys->nl * sizeof *u);
    if (sys->general_mass)
        memcpy(u + sys->acceleration_at, a, (size_t)sys->nq * sizeof *u);
}

static void destroy(quad_run *r, const dae_quad_family *family)
{
    if (r->own && family->destroy)
        family->destroy(r->own);
    free(r->own);
    dae_quad_pencil_free(&r->pencil);
    dae_quad_model_free(&r->model);
    free(r->u);
}

static dae_status create(quad_run *r, const dae_quad_family *family)
{
    const size_t n = (size_t)r->sys->n;
    r->n = r->sys->n;
    r->u = calloc(n * (1 + (size_t)family->vectors), sizeof *r->u);
    r->own = calloc(1, family->own + 1);
    if (!r->u || !r->own || !dae_system_open_quad(r->sys) || dae_quad_model_create(&r->model, r->sys, 1, NULL))
        return DAE_NO_MEMORY;
    r->work = r->u + n;
    const dae_status status = family->rows ? dae_quad_pencil_create(r, family->rows) : DAE_OK;
    return status || !family->create ? status : family->create(r);
}

/* (q, v, lambda) of a state */
static dae_status outputs(quad_run *r, const dae_quad *u, dae_quad *z)
{
    const int minimal = r->sys->compose->kind == DAE_FORM_MINIMAL;
    return dae_quad_model_ode(&r->model, minimal ? DAE_REFERENCE_MINIMAL : DAE_REFERENCE_CARTESIAN)
        .outputs(&r->model, r->t, u, z);
}

/* The start as references take it: through minimal coordinates, or projected. */
static dae_status start_of_motion(quad_run *r, double t0, double span, const dae_quad *u0)
{
    const dae_reference_kind kind = r->model.minimal->n > 0 ? DAE_REFERENCE_MINIMAL : DAE_REFERENCE_CARTESIAN;
    const dae_quad_mechanics *m = &r->model.mechanics;
    dae_quad *z = r->model.first;
    memcpy(z, u0, 2 * (size_t)r->sys->nq * sizeof *z);  /* a state of any form: minimal coordinates are fewer */
    dae_status status = dae_quad_model_start(&r->model, kind, t0, span, z, 0, NULL);
    for (int i = 0; i < r->sys->nq; i++)
        inverse_mass(r->sys)[i] = r->sys->general_mass ? 1 : m->inverse_mass[i];
    if (!status)
        status = dae_quad_model_ode(&r->model, kind).outputs(&r->model, t0, r->model.y0, z);
    if (r->sys->compose->kind == DAE_FORM_MINIMAL) {
        memcpy(r->u, r->model.y0, (size_t)r->n * sizeof *r->u);
    } else {
        memcpy(r->u, z, 2 * (size_t)r->sys->nq * sizeof *z);
        dae_quad_run_complete(r, m->a, r->u);
    }
    return status;
}

/* The start as references by collocation take it. */
static dae_status start_of_equations(quad_run *r, double t0, double t_end, const dae_quad *u0)
{
    const dae_quad_dae dae = dae_quad_model_dae(&r->model);
    int slow;
    memcpy(r->u, u0, (size_t)r->n * sizeof *u0);
    const dae_status status = dae_collocation_start(&dae, t0, t_end, r->u, &slow, NULL);
    return status ? status : dae_quad_set_slopes(r->sys, t0, r->u);
}

/* Row k of the result from the state. */
static dae_status keep(quad_run *r, int k, dae_reference *out, dae_quad *recovered)
{
    const dae_system *sys = r->sys;
    const size_t nl = (size_t)sys->nl;
    dae_quad *z = r->model.first, *lambda = z + 2 * sys->nq;
    if (!sys->nq) {
        dae_reference_set_row(out, k, r->u);
        return DAE_OK;
    }
    const dae_status status = outputs(r, r->u, z);
    if (recovered)
        memcpy(recovered + (size_t)k * nl, lambda, nl * sizeof *lambda);
    if (sys->compose->kind != DAE_FORM_MINIMAL)
        memcpy(lambda, r->u + 2 * sys->nq, nl * sizeof *lambda);
    dae_reference_set_row(out, k, z);
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

static dae_status run(quad_run *r, const dae_quad_family *family, double t0, const dae_quad *u0,
                      const double *times, int count, int steps, dae_reference *result,
                      dae_quad *recovered)
{
    dae_status status = create(r, family);
    r->t = t0;
    if (!status)
        status = r->sys->nq ? start_of_motion(r, t0, times[count - 1] - t0, u0)
                            : start_of_equations(r, t0, times[count - 1], u0);
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
                          const dae_method *method, int shaken, double t0, const dae_quad *u0,
                          const double *times, int count, int steps, dae_report *report)
{
    quad_run r = {.sys = sys, .method = method};
    if (!result || !sys || !method || !u0 || !times || count < 1 || steps < 1)
        return dae_fail(report, DAE_BAD_ARGUMENT, "dae_quad_steps: an argument is missing");
    *result = (dae_reference){0};
    const int known = (int)method->family >= 0 && method->family < DAE_FAMILIES;
    const dae_quad_family *family = known ? dae_quad_families[method->family] : NULL;
    if (!family || !sys->compose->rhs_quad || dae_check_quad(sys->problem, report))
        return dae_fail(report, DAE_UNSUPPORTED, "no steps of %s in quad precision",
                        method->info.name);
    char *derived = malloc(2 * family->size + 1);
    dae_status status = derived ? choose_tableau(&r, family, shaken, derived, report) : DAE_NO_MEMORY;
    if (!status)
        status = dae_reference_allocate(result, sys, count, NULL);
    result->digits = 33;
    result->source = "quad steps";
    if (!status)
        status = run(&r, family, t0, u0, times, count, steps, result, recovered);
    free(derived);
    if (!status)
        return DAE_OK;
    dae_reference_free(result);
    return dae_fail(report, status, "steps of %s in quad precision, %d unknowns: %s",
                    method->info.name, sys->n, dae_status_sentence(status));
}
