/* difference.c - forward differences with increments scaled to each unknown
 *
 *   dF/du e_j = (F(u + d_j e_j) - F(u))/d_j,   d_j = sqrt(eps) max(|u_j|, 1) away from zero
 *
 * Truncation and rounding both leave an error of about sqrt(eps) = 1.5e-8 relative to F'' and F.
 */
#include "providers.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The increment for x, exactly representable in x + d. */
static double increment(double x)
{
    const volatile double moved = x + copysign(sqrt(DBL_EPSILON) * fmax(fabs(x), 1), x);
    return moved - x;
}

void dae_linearise_fd(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    dae_system *sys = jac->sys;
    const dae_pattern *pattern = &jac->pattern;
    const int n = sys->n;
    double *x = jac->work, *y = x + n;
    sys->compose->rhs(sys, t, u, F);
    memcpy(x, u, (size_t)n * sizeof *x);
    for (int j = 0; j < n; j++) {
        const double d = increment(u[j]);
        x[j] = u[j] + d;
        sys->compose->rhs(sys, t, x, y);
        x[j] = u[j];
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++)
            jac->J[k] = (y[pattern->row[k]] - F[pattern->row[k]]) / d;
    }
    jac->count->rhs += n + 1 + (F_t != NULL);
    if (!F_t)
        return;
    const double d = increment(t);
    sys->compose->rhs(sys, t + d, u, F_t);
    for (int i = 0; i < n; i++)
        F_t[i] = (F_t[i] - F[i]) / d;
}
