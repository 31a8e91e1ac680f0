/* ode.c - f = M^-1 F, its Newton matrix and weights
 *
 * M is constant: diagonal, the identity, or factored once at the start of a run. Unconstrained mechanical
 * systems with M(q) solve for their accelerations at each (t, q, v).
 */
#include "ode.h"

#include "jacobian/providers.h"
#include "linear/pencil.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int dae_ode_size(const dae_system *sys)
{
    if (sys->nq && sys->compose->kind == DAE_FORM_MECHANICAL)
        return sys->nl == 0 ? dae_system_explicit_size(sys) : 0;
    if (sys->carried)
        return dae_system_explicit_size(sys);
    return dae_system_algebraic_equations(sys) ? 0 : sys->n;
}

dae_status dae_ode_supports(const dae_method *method, const dae_system *sys, dae_report *report)
{
    if (dae_ode_size(sys) > 0)
        return DAE_OK;
    return dae_fail(report, DAE_UNSUPPORTED, "%s solves u' = M^-1 F(t, u), and in form %s of %s M is "
                    "singular; choose %s", method->info.name, sys->form->info.name,
                    sys->problem->name,
                    sys->problem->mechanical.minimal.n ? "minimal coordinates, form ode"
                    : "a method for differential-algebraic equations");
}

/* ---- f ------------------------------------------------------------------------------------ */

static int is_first_order_with_mass(const dae_system *sys)
{
    return !sys->nq && sys->problem->first_order.mass.f && !sys->carried;
}

/* dy[length] := f(t, x), z behind x in u; 0 where they are not determined. */
static int determine(dae_solver *s, double t, const double *x, double *dy, double *z)
{
    dae_ode *w = s->stepper;
    const double *m = s->sys->diagonal;
    w->run.own.rhs++;
    if (!is_first_order_with_mass(s->sys))
        return dae_system_explicit_rhs(s->sys, t, x, dy, z) == DAE_OK;
    dae_system_rhs(s->sys, t, x, dy);
    if (w->mass.pencil)
        return dae_pencil_solve_real(w->mass.pencil, dy) == DAE_OK;
    for (int i = 0; i < s->n; i++)
        dy[i] /= m[i];
    return 1;
}

int dae_ode_slope(double t, N_Vector y, N_Vector dy, void *data)
{
    dae_solver *s = data;
    dae_ode *w = s->stepper;
    const double *x = dae_integration_unknowns(&w->run, y);
    double *out = NV_DATA_S(dy);
    if (determine(s, dae_integration_time(&w->run, t), x, out, w->u + w->run.length))
        return dae_integration_judge(&w->run, out, w->run.length);
    if (!dae_integration_judge(&w->run, x, w->run.length))
        w->run.singular = 1;
    return 1;
}

/* u[n] of y: accelerations behind the integrator's unknowns belong to them. */
static void unpack(dae_solver *s, double t, N_Vector y, double *u)
{
    dae_ode *w = s->stepper;
    const int length = w->run.length;
    memcpy(u, dae_integration_unknowns(&w->run, y), (size_t)length * sizeof *u);
    if (length < s->n && !determine(s, t, u, w->F, u + length))
        u[length] = NAN;
}

/* ---- start -------------------------------------------------------------------------------- */

static dae_status factor_mass(dae_solver *s)
{
    char name[32] = "", unit[32];
    dae_ode *w = s->stepper;
    if (!w->mass.pencil)
        return DAE_OK;
    dae_unknown_sizes(w->mass.jac, s->u, NULL, w->mass.jac->pair.size, w->F);
    const dae_factored factored = dae_pencil_factor_real(w->mass.pencil, 0);
    if (factored.unknown >= 0)
        dae_system_unknown(s->sys, factored.unknown, name, unit, (int)sizeof name);
    return !factored.status ? DAE_OK
           : factored.status == DAE_NO_MEMORY
           ? dae_fail(&s->report, DAE_NO_MEMORY, "no memory for the factors of M of %d unknowns", s->n)
           : dae_fail(&s->report, factored.status, "%s needs M^-1, and M is singular%s%s",
                      s->method->info.name, *name ? " at unknown " : "", name);
}

static dae_status slope_at_start(dae_solver *s)
{
    dae_ode *w = s->stepper;
    dae_status status = factor_mass(s);
    if (status)
        return status;
    dae_system_rhs(s->sys, s->t, s->u, w->F);
    w->run.own.rhs++;
    status = dae_solver_check_finite(s, w->F, "F at the start", s->t);
    if (status || !dae_ode_slope(0, w->run.u, w->run.du, s))
        return status;
    return dae_fail(&s->report, w->run.singular ? DAE_SINGULAR : DAE_NOT_FINITE,
                    "t = %.9g: M^-1 F at the start is not %s", s->t,
                    w->run.singular ? "determined: M is singular, or not positive definite" : "finite");
}

/* ---- Newton's iteration ------------------------------------------------------------------- */

int dae_ode_newton_matrix(double t, N_Vector y, SUNMatrix A, int current, int *renewed, double gamma,
                          dae_solver *s)
{
    dae_ode *w = s->stepper;
    (void)A;
    *renewed = !current;
    if (!current) {
        const double time = dae_integration_time(&w->run, t);
        unpack(s, time, y, w->u);
        dae_linearise(w->run.linear.of.jac, time, w->u, w->F, NULL);
    }
    return dae_integration_factor(&w->run, 1, gamma);
}

/* Fixed steps test no error: only that what is asked for is not below rounding is looked at. */
static void weigh_alike(const double *y, int length, double *weight)
{
    for (int i = 0; i < length; i++)
        weight[i] = y[i] != 0 ? 1 / fmax(fabs(y[i]), DBL_MIN) : 1;
}

int dae_ode_weights(N_Vector y, N_Vector out, void *data)
{
    const dae_solver *s = data;
    const dae_integration *r = s->stepper;
    if (s->adaptive)
        return dae_integration_weights(y, out, data);
    weigh_alike(dae_integration_unknowns(r, y), r->length, NV_DATA_S(out));
    return 0;
}

/* ---- creation ----------------------------------------------------------------------------- */

/* Factors of M alone, and of Newton's matrix. */
static dae_status create_matrices(dae_solver *s, int implicit)
{
    dae_ode *w = s->stepper;
    dae_status status = DAE_OK;
    if (is_first_order_with_mass(s->sys) && s->sys->nondiagonal_mass) {
        status = dae_linearised_create(s, &w->mass);
        s->jacobian = DAE_JACOBIAN_BEST;
        s->linear = DAE_LINEAR_BEST;
    }
    if (!status && w->mass.jac)
        w->mass.jac->pair.count = &w->mass.jac->own_count;
    return status || !implicit ? status : dae_integration_create_linear(s, 1);
}

dae_status dae_ode_create(dae_solver *s, const dae_integrator *code, int implicit)
{
    dae_ode *w = s->stepper;
    w->run.unpack = unpack;
    w->run.slope = slope_at_start;
    w->u = calloc(2 * (size_t)s->n, sizeof *w->u);
    if (!w->u || !dae_integration_create(&w->run, code, dae_ode_size(s->sys), s))
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s with %d unknowns", code->name, s->n);
    w->F = w->u + s->n;
    return create_matrices(s, implicit);
}

void dae_ode_destroy(dae_solver *s)
{
    dae_ode *w = s->stepper;
    if (!w)
        return;
    dae_linearised_free(&w->mass);
    dae_integration_free(&w->run);
    free(w->u);
    free(w);
    s->stepper = NULL;
}
