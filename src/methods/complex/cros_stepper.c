/* cros_stepper.c - what the steppers of CROS and CROS4 share: a stage, memory, and the solution between steps */
#include "complex_stage.h"
#include "cros_tableau.h"

#include "base/parts.h"

dae_status dae_stage_solve(dae_solver *s, dae_linearised *l, double h, double a_re, double a_im,
                           const double *restrict F, const double *restrict F_t,
                           double *restrict re, double *restrict im)
{
    for (int i = 0; i < s->n; i++) {
        re[i] = F[i] + h * a_re * F_t[i];
        im[i] = h * a_im * F_t[i];
    }
    dae_status status = dae_solver_check_finite(s, re, "F + a h F_t", s->t);
    if (!status)
        status = dae_implicit_factor(s, l->pencil, h, h * a_re, h * a_im);
    return status ? status : dae_implicit_solve(s, l->pencil, h, re, im);
}

void dae_cros_destroy(dae_solver *s)
{
    dae_cros_stepper *c = s->stepper;
    if (!c)
        return;
    dae_hermite_free(&c->dense);
    dae_dense_radau_free(c->rows);
    dae_linearised_free(&c->stage);
    free(c);
    s->stepper = NULL;
}

dae_status dae_cros_create(dae_solver *s)
{
    const int n = s->n;
    dae_cros_stepper *c = s->stepper = DAE_RECORD(dae_cros_stepper,
        DAE_PART(dae_cros_stepper, F, n), DAE_PART(dae_cros_stepper, F_t, n), DAE_PART(dae_cros_stepper, re, n),
        DAE_PART(dae_cros_stepper, im, n), DAE_PART(dae_cros_stepper, k2_re, n), DAE_PART(dae_cros_stepper, k2_im, n),
        DAE_PART(dae_cros_stepper, F_end, n), DAE_PART(dae_cros_stepper, w, n));
    if (!c)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s with %d unknowns", s->method->info.name, n);
    const dae_status status = dae_hermite_create(s, &c->dense);
    return status ? status : dae_linearised_create(s, &c->stage);
}

dae_status dae_cros_start(dae_solver *s)
{
    dae_hermite_start(&((dae_cros_stepper *)s->stepper)->dense);
    return DAE_OK;
}

dae_status dae_cros_accepted(dae_solver *s)
{
    dae_cros_stepper *c = s->stepper;
    dae_hermite_accepted(s, &c->dense);
    dae_dense_radau_forget(c->rows);
    return DAE_OK;
}

/* By collocation of more stages than the order of the step. */
dae_status dae_cros_refine(dae_solver *s)
{
    const dae_cros_tableau *T = s->method->tableau;
    dae_cros_stepper *c = s->stepper;
    return s->searching ? DAE_OK : dae_dense_radau_find(s, &c->rows, c->stage.jac, 1 + 2 * T->stages, NULL);
}

dae_status dae_cros_interpolate(dae_solver *s, double t, double *u)
{
    dae_cros_stepper *c = s->stepper;
    if (dae_dense_radau_is_known(s, c->rows))
        return dae_dense_radau_at(s, c->rows, t, u);
    return dae_hermite_at(s, &c->dense, t, u);
}

dae_status dae_cros_see_end(dae_solver *s, dae_cros_stepper *c)
{
    dae_system_rhs(s->sys, s->t_new, s->u_new, c->F_end);
    s->count.rhs++;
    const dae_status status = dae_solver_check_finite(s, c->F_end, "F", s->t_new);
    s->end_checked = !status;
    return status;
}
