/* ida_equations.c - residual, Newton matrix and start of a system as IDA asks for them */
#include "ida.h"

#include "stepper/derivative.h"

/* g := M du - g, for a diagonal M; 0 times the sum, as in dae_vector_finite. (Inline, the arrays are no longer known
 * to lie apart.) */
__attribute__((noinline))
static double less_than_slope(const double *restrict m, const double *restrict du, double *restrict g, int n)
{
    const int paired = n > DAE_FEW ? n - 1 : 0;
    double even = 0, odd = 0;
    int i = 0;
    for (; i < paired; i += 2) {
        const double x = m[i] * du[i] - g[i], y = m[i + 1] * du[i + 1] - g[i + 1];
        even += 0 * x;
        odd += 0 * y;
        g[i] = x;
        g[i + 1] = y;
    }
    for (; i < n; i++) {
        g[i] = m[i] * du[i] - g[i];
        even += 0 * g[i];
    }
    return even + odd;
}

int dae_ida_residual(double t, N_Vector u, N_Vector du, N_Vector r, void *data)
{
    dae_solver *s = data;
    dae_ida *w = s->stepper;
    double *out = NV_DATA_S(r);
    w->run.own.rhs++;
    dae_system_rhs(s->sys, dae_integration_time(&w->run, t), dae_integration_unknowns(&w->run, u), out);
    if (!s->sys->carried && !s->sys->nondiagonal_mass && !w->run.components)
        return dae_integration_answer(&w->run, less_than_slope(s->sys->diagonal, NV_DATA_S(du), out, s->n));
    const double *slope = NV_DATA_S(du);
    if (w->run.components)
        dae_components_back(w->run.components, slope, w->slope);
    dae_system_mass(s->sys, w->run.components ? w->slope : slope, w->F);
    for (int i = 0; i < s->n; i++)
        out[i] = w->F[i] - out[i];
    return dae_integration_judge(&w->run, out, s->n);
}

int dae_ida_newton_matrix(double t, double c, N_Vector u, N_Vector du, N_Vector r, SUNMatrix A,
                          void *data, N_Vector a, N_Vector b, N_Vector d)
{
    dae_solver *s = data;
    dae_ida *w = s->stepper;
    (void)du, (void)r, (void)A, (void)a, (void)b, (void)d;
    dae_linearise(w->run.linear.of.jac, dae_integration_time(&w->run, t), dae_integration_unknowns(&w->run, u), w->F,
                  NULL);
    return dae_integration_factor(&w->run, c, 1);
}

dae_status dae_ida_derivative(dae_solver *s)
{
    dae_ida *w = s->stepper;
    double *du = NV_DATA_S(w->run.du);
    dae_system_rhs(s->sys, s->t, s->u, w->F);
    w->run.own.rhs++;
    const dae_status status = dae_solver_check_finite(s, w->F, "F at the start", s->t);
    if (status)
        return status;
    dae_derivative_at(s, s->t, s->u, du);
    dae_put_by_index(s, du);
    return DAE_OK;
}
