/* explicit_dense.c - dense output of explicit Runge-Kutta methods
 *
 * The polynomial of the tableau, or of cubic Hermite interpolation, and where that is worse than the step another step
 * of the method; projected as the steps are. Hairer, Norsett, Wanner (1993), Solving ODEs I, II.6 and II.10.
 */
#include "explicit_rk.h"

#include <math.h>

/* r of the last step, from y = u_old at t_old to u at t */
static dae_status prepare_dense(dae_solver *s)
{
    dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    const int ny = e->ny;
    const double h = s->t - s->t_old, *k = e->k, *k_S = k + T->stages * ny;
    dae_status status = e->terms ? DAE_OK : dae_rk_collect_terms(s);
    if (!status)
        status = dae_rk_stages_by_terms(s, T->stages + 1, T->last + 1, s->t_old, h, s->u_old);
    if (status)
        return status;
    double *r0 = e->r, *r1 = r0 + ny, *r2 = r1 + ny;
    for (int i = 0; i < ny; i++) {
        r0[i] = s->u[i] - s->u_old[i];
        r1[i] = h * k[i] - r0[i];
        r2[i] = r0[i] - h * k_S[i] - r1[i];
    }
    for (int d = 0; d < T->dense; d++)
        dae_rk_combine(e, DAE_RK_D + d, e->zero, h, r2 + (d + 1) * ny);
    e->dense_ready = 1;
    return DAE_OK;
}

/* Is the polynomial of r worse than the step? Where what its highest power, x^a (1 - x)^b, adds at
 * the most exceeds the tolerance: near the border of stability the differences of stages that it is
 * made of are those of errors. */
static int is_poor(dae_solver *s)
{
    const dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    const int power = T->dense + 3, b = power / 2, a = power - b;
    const double most = pow((double)a / power, a) * pow((double)b / power, b);
    if (!s->adaptive || s->searching)
        return 0;
    dae_rk_weigh(s);
    return most * sqrt(dae_rk_mean_square(e, e->r + (power - 1) * e->ny)) > 1;
}

/* y := that of r at x */
static void along_polynomial(const dae_solver *s, double x, double *y)
{
    const dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    for (int i = 0; i < e->ny; i++) {
        double sum = 0;
        for (int d = T->dense + 2; d >= 0; d--)
            sum = (e->r[d * e->ny + i] + sum) * (d % 2 ? 1 - x : x);
        y[i] = s->u_old[i] + sum;
    }
}

/* y := the end of a step of the method from t_old to t; k_0 and k_S stay */
static dae_status step_to(dae_solver *s, double t, double *y)
{
    const dae_tableau *T = ((const dae_explicit_rk *)s->stepper)->T;
    const double h = t - s->t_old;
    const dae_status status = dae_rk_inner_stages(s, s->t_old, h, s->u_old);
    if (!status)
        dae_rk_combine(s->stepper, T->stages, s->u_old, h, y);
    return status;
}

/* y(t), the polynomial or the end of a step to t, projected as the steps are, and the multipliers
 * that belong to it. */
dae_status dae_explicit_interpolate(dae_solver *s, double t, double *u)
{
    dae_explicit_rk *e = s->stepper;
    dae_status status = DAE_OK;
    if (t == s->t || !e->step_kept) {
        dae_rk_copy(s->n, s->u, u);
        return t == s->t ? DAE_OK
               : dae_fail(&s->report, DAE_BAD_ARGUMENT, "t = %g: a failed step has overwritten the "
                          "last one", t);
    }
    if (!e->dense_ready)
        status = prepare_dense(s);
    if (status)
        return status;
    if (is_poor(s))
        status = step_to(s, t, u);
    else
        along_polynomial(s, (t - s->t_old) / (s->t - s->t_old), u);
    if (!status && e->projects)
        status = dae_rk_project(s, t, u);
    return status || s->n == e->ny ? status : dae_rk_evaluate(s, t, u, e->e);
}
