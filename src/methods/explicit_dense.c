/* explicit_dense.c - dense output of explicit Runge-Kutta methods, and what it tells of a step (stepper/doubt.h)
 *
 * The polynomial of the tableau, or of cubic Hermite interpolation, and where that is worse than the step another step
 * of the method; projected as the steps are. Hairer, Norsett, Wanner (1993), Solving ODEs I, II.6 and II.10.
 */
#include "explicit_rk.h"

#include <math.h>

/* r of the step of size h from y[n] at t to end[n] */
static dae_status prepare_dense(dae_solver *s, double t, double h, const double *y, const double *end)
{
    dae_explicit_rk *e = s->stepper;
    const dae_tableau *T = e->T;
    const int ny = e->ny;
    const double *k = e->k, *k_S = k + T->stages * ny;
    const dae_status status = dae_rk_stages_by_terms(s, T->stages + 1, T->last + 1, t, h, y);
    if (status)
        return status;
    double *r0 = e->r, *r1 = r0 + ny, *r2 = r1 + ny;
    for (int i = 0; i < ny; i++) {
        r0[i] = end[i] - y[i];
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

/* y := the polynomial of r at x, in a step from begin; slope[ny], unless NULL, := its derivative by x */
static void along_polynomial(const dae_explicit_rk *e, const double *begin, double x, double *y, double *slope)
{
    for (int i = 0; i < e->ny; i++) {
        double sum = 0, rate = 0;
        for (int d = e->T->dense + 2; d >= 0; d--) {
            const double r = e->r[d * e->ny + i] + sum, part = d % 2 ? 1 - x : x;
            rate = rate * part + (d % 2 ? -r : r);
            sum = r * part;
        }
        y[i] = begin[i] + sum;
        if (slope)
            slope[i] = rate;
    }
}

int dae_rk_is_doubtful(const dae_solver *s, double h)
{
    const dae_explicit_rk *e = s->stepper;
    const double k = e->T->coarse ? e->T->coarse : s->method->error_order + 1;
    if (!s->adaptive || driver(s)->control.tries > 0)
        return s->adaptive;
    return dae_is_doubtful(&e->kept, e->rough, h, k, s->options.rtol);
}

/* |d(x)| in tolerances */
static dae_status defect(dae_solver *s, double h, double x, double *size)
{
    dae_explicit_rk *e = s->stepper;
    double *d = e->e, *f = e->k + (e->T->last + 1) * e->ny;
    along_polynomial(e, s->u, x, e->y, d);
    const dae_status status = dae_rk_evaluate(s, s->t + x * h, e->y, f);
    for (int i = 0; i < e->ny; i++)
        d[i] -= h * f[i];
    *size = sqrt(dae_rk_mean_square(e, d));
    return status;
}

dae_status dae_rk_look(dae_solver *s, double h)
{
    dae_status status = prepare_dense(s, s->t, h, s->u, s->u_new);
    for (int k = 0; !status && s->error <= 1 && k < DAE_DEFECTS; k++) {
        double size = 0;
        status = defect(s, h, dae_defect_at[k], &size);
        if (!(size <= DAE_USUAL_DEFECT * s->error))
            s->error = size / DAE_USUAL_DEFECT;         /* not a number stays one: a try that failed */
    }
    return status;
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
        status = prepare_dense(s, s->t_old, s->t - s->t_old, s->u_old, s->u);
    if (status)
        return status;
    if (is_poor(s))
        status = step_to(s, t, u);
    else
        along_polynomial(e, s->u_old, (t - s->t_old) / (s->t - s->t_old), u, NULL);
    if (!status && e->projects)
        status = dae_rk_project(s, t, u);
    return status || s->n == e->ny ? status : dae_rk_evaluate(s, t, u, e->e);
}
