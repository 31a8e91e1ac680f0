/* dual.c - exact derivatives: F(u + eps e_j) = F(u) + eps dF/du e_j, one pass for each column
 *
 * F itself comes from the pass in doubles, so that it is the same for every kind of Jacobian: the value
 * of a dual quotient may differ from the plain one in the last bits.
 */
#include "providers.h"

/* x + eps */
static dae_dual seeded(double x)
{
    return dae_dual_make(x, 1);
}

void dae_linearise_dual(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    dae_system *sys = jac->sys;
    const dae_pattern *pattern = &jac->pattern;
    const int n = sys->n;
    dae_dual *x = jac->dual, *y = x + n;
    const dae_dual time = dae_dual_make(t, 0);
    for (int i = 0; i < n; i++)
        x[i] = dae_dual_make(u[i], 0);
    for (int j = 0; j < n; j++) {
        x[j] = seeded(u[j]);
        sys->compose->rhs_dual(sys, time, x, y);
        x[j] = dae_dual_make(u[j], 0);
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++)
            jac->J[k] = dae_dual_derivative(y[pattern->row[k]]);
    }
    sys->compose->rhs(sys, t, u, F);
    jac->count->rhs += n + 1 + (F_t != NULL);
    if (!F_t)
        return;
    sys->compose->rhs_dual(sys, seeded(t), x, y);
    for (int i = 0; i < n; i++)
        F_t[i] = dae_dual_derivative(y[i]);
}
