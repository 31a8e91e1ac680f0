/* quad_steps.c - fixed steps of Radau IIA in quad precision, in any formulation
 *
 * A method converges until rounding begins, and for high orders there is little between the steps
 * that are small enough for its expansion to hold and rounding. The collocation polynomial of a
 * step is unique, however its equations are solved; so the steps of radau_step.c, to quad
 * precision, are those of the method, and what the two differ by is the rounding of the method.
 *
 * The formulation is that of compose.h with quad numbers. radau_step.c hands its parameters
 * through to F and M unseen: here these are the run.
 */
#include "system/quad_mechanics.h"
#include "radau_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EQUATIONS = 160 };          /* of the stages together: they are factored as they are */

typedef struct {
    dae_system *sys;
    dae_quad_mechanics mechanics;
    dae_quad_dae dae;
    dae_first_order equations;
    dae_quad_stepper stepper;
    dae_quad *u, *x;            /* [n] the start; [2 nq] (q, v) */
} quad_run;

/* Behind the scratch of compose.h. */
static dae_quad *inverse_mass(const dae_system *sys)
{
    return sys->a_quad + sys->nq + 2 * sys->nl;
}

static void rhs(const dae_quad *run, dae_quad t, const dae_quad *u, dae_quad *F)
{
    dae_system *sys = ((const quad_run *)(const void *)run)->sys;
    sys->compose->rhs_quad(sys, t, u, F);
}

static void mass(const dae_quad *run, dae_quad t, const dae_quad *x, dae_quad *out)
{
    const quad_run *r = (const quad_run *)(const void *)run;
    const dae_system *sys = r->sys;
    const dae_first_order *e = &sys->problem->first_order;
    if (!sys->nq && e->mass.quad) {
        e->mass.quad(sys->p_quad, t, x, out);
        return;
    }
    for (int i = 0; i < sys->n; i++)
        out[i] = sys->diagonal[i] * x[i];
    if (sys->compose->kind == DAE_FORM_MECHANICAL && !sys->carries)
        for (int i = sys->nq; i < 2 * sys->nq; i++)     /* the diagonal in doubles is rounded */
            out[i] = x[i] / inverse_mass(sys)[i - sys->nq];
}

static void destroy(quad_run *r)
{
    dae_quad_stepper_free(&r->stepper);
    dae_quad_mechanics_free(&r->mechanics);
    free(r->u);
    free(r->sys->a_quad);
    r->sys->a_quad = NULL;
}

static int create(quad_run *r, dae_system *sys, int stages)
{
    *r = (quad_run){.sys = sys, .equations = {.n = sys->n, .rhs = {.quad = rhs},
                                              .mass = {.quad = mass}}};
    r->dae = (dae_quad_dae){.equations = &r->equations, .p = (const dae_quad *)(const void *)r,
                            .group = sys->classes};
    r->u = calloc((size_t)sys->n + 2 * (size_t)sys->nq + 1, sizeof *r->u);
    r->x = r->u + sys->n;
    sys->a_quad = calloc(2 * (size_t)sys->nq + 2 * (size_t)sys->nl + 1, sizeof *sys->a_quad);
    return r->u && sys->a_quad && dae_quad_mechanics_create(&r->mechanics, sys)
           && dae_quad_stepper_create(&r->stepper, &r->dae, stages);
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
        inverse_mass(sys)[i] = sys->carries ? 1 : r->mechanics.inverse_mass[i];
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

/* All unknowns of the start. */
static dae_status set_start(quad_run *r, double t0, const double *u0)
{
    const dae_system *sys = r->sys;
    const int nq = sys->nq, nl = sys->nl;
    if (!nq) {
        for (int i = 0; i < sys->n; i++)
            r->u[i] = u0[i];
        return DAE_OK;
    }
    dae_status status = start_of_motion(r, t0, u0);
    if (status || sys->compose->kind == DAE_FORM_MINIMAL)
        return status;
    memcpy(r->u, r->x, 2 * (size_t)nq * sizeof *r->u);
    status = dae_quad_accelerate(&r->mechanics, t0, r->x, r->x + nq, sys->a_quad);
    memcpy(r->u + 2 * nq, r->mechanics.lambda, (size_t)nl * sizeof *r->u);
    for (int i = 0; sys->carries && i < nq; i++)
        r->u[sys->acceleration_at + i] = sys->a_quad[i];
    return status;
}

/* Row k of the result from the state. */
static dae_status keep(quad_run *r, int k, dae_reference *out, dae_quad *recovered)
{
    const dae_system *sys = r->sys;
    const dae_quad *u = r->stepper.u;
    const dae_minimal *m = &sys->problem->mechanical.minimal;
    const int nq = sys->nq, nl = sys->nl;
    const size_t rows = (size_t)nq * sizeof *u;
    if (!nq) {
        memcpy(out->q + k * sys->n, u, (size_t)sys->n * sizeof *u);
        return DAE_OK;
    }
    if (sys->compose->kind == DAE_FORM_MINIMAL)
        m->embed.quad(sys->p_quad, r->stepper.t, u, u + m->n, r->x);
    else
        memcpy(r->x, u, 2 * rows);
    memcpy(out->q + k * nq, r->x, rows);
    memcpy(out->v + k * nq, r->x + nq, rows);
    const dae_status status =
        dae_quad_accelerate(&r->mechanics, r->stepper.t, r->x, r->x + nq, sys->a_quad);
    for (int i = 0; i < nl; i++) {
        out->lambda[k * nl + i] =
            sys->compose->kind == DAE_FORM_MINIMAL ? r->mechanics.lambda[i] : u[2 * nq + i];
        if (recovered)
            recovered[k * nl + i] = r->mechanics.lambda[i];
    }
    return status;
}

static dae_status run_to(quad_run *r, double t, int steps)
{
    const dae_quad h = (t - r->stepper.t) / steps;
    dae_status status = DAE_OK;
    double error;
    for (int i = 0; !status && i < steps; i++) {
        dae_quad_stepper_linearise(&r->stepper);
        status = dae_quad_stepper_try(&r->stepper, h, &error);
        if (!status)
            dae_quad_stepper_accept(&r->stepper, h);
    }
    return status;
}

static dae_status allocate(dae_reference *out, const dae_system *sys, int count)
{
    const size_t nq = (size_t)(sys->nq ? sys->nq : sys->n), rows = (size_t)count;
    *out = (dae_reference){.nq = (int)nq, .nl = sys->nl, .digits = 33, .source = "quad steps"};
    out->q = calloc(rows * nq, sizeof *out->q);
    out->v = sys->nq ? calloc(rows * nq, sizeof *out->v) : NULL;
    out->lambda = sys->nq ? calloc(rows * (size_t)sys->nl + 1, sizeof *out->lambda) : NULL;
    return out->q && (!sys->nq || (out->v && out->lambda)) ? DAE_OK : DAE_NO_MEMORY;
}

dae_status dae_quad_steps(dae_reference *result, dae_quad *recovered, dae_system *sys, int stages,
                          double t0, const double *u0, const double *times, int count, int steps,
                          dae_report *report)
{
    quad_run r;
    dae_status status = DAE_UNSUPPORTED;
    if (!result || !sys || !u0 || !times || count < 1 || steps < 1)
        return dae_fail(report, DAE_BAD_ARGUMENT, "dae_quad_steps: an argument is missing");
    *result = (dae_reference){0};
    if (stages < DAE_RADAU_FEWEST || stages > DAE_RADAU_MOST || stages * sys->n > MOST_EQUATIONS
        || !sys->compose->rhs_quad || dae_check_quad(sys->problem, report))
        return dae_fail(report, status, "no steps in quad precision of %d stages and %d unknowns",
                        stages, sys->n);
    status = create(&r, sys, stages) ? allocate(result, sys, count) : DAE_NO_MEMORY;
    if (!status)
        status = set_start(&r, t0, u0);
    r.stepper.least = 1e-3;             /* auxiliary multipliers are next to nothing */
    if (!status)
        dae_quad_stepper_start(&r.stepper, t0, r.u);
    for (int k = 0; !status && k < count; k++) {
        status = run_to(&r, times[k], steps);
        if (!status)
            status = keep(&r, k, result, recovered);
    }
    destroy(&r);
    if (!status)
        return DAE_OK;
    dae_reference_free(result);
    return dae_fail(report, status, "steps in quad precision: %s", dae_status_sentence(status));
}
