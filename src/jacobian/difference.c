/* difference.c - forward differences with increments scaled to each unknown
 *
 *   dF/du e_j = (F(u + d_j e_j) - F(u))/d_j,   d_j = sqrt(eps) max(|u_j|, 1) away from zero
 *
 * Truncation and rounding both leave an error of about sqrt(eps) = 1.5e-8 relative to F'' and F.
 * Columns that have no row in common are moved together, each by its own increment.
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

static void gather_column(dae_jacobian *jac, int j, double d, const double *F, const double *y)
{
    const dae_pattern *pattern = &jac->pattern;
    for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++)
        jac->J[k] = (y[pattern->row[k]] - F[pattern->row[k]]) / d;
}

static void by_columns(dae_jacobian *jac, double t, const double *u, const double *F, double *x,
                       double *y)
{
    dae_system *sys = jac->sys;
    for (int j = 0; j < sys->n; j++) {
        const double d = increment(u[j]);
        x[j] = u[j] + d;
        sys->compose->rhs(sys, t, x, y);
        x[j] = u[j];
        gather_column(jac, j, d, F, y);
    }
}

static void by_groups(dae_jacobian *jac, double t, const double *u, const double *F, double *x,
                      double *y)
{
    dae_system *sys = jac->sys;
    for (int c = 0; c < jac->groups.count; c++) {
        const int *begin = jac->groups.column + jac->groups.start[c];
        const int *end = jac->groups.column + jac->groups.start[c + 1];
        for (const int *j = begin; j < end; j++)
            x[*j] = u[*j] + increment(u[*j]);
        sys->compose->rhs(sys, t, x, y);
        for (const int *j = begin; j < end; j++) {
            gather_column(jac, *j, x[*j] - u[*j], F, y);
            x[*j] = u[*j];
        }
    }
}

void dae_linearise_fd(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    dae_system *sys = jac->sys;
    const int n = sys->n, groups = jac->groups.count;
    double *x = jac->work, *y = x + n;
    sys->compose->rhs(sys, t, u, F);
    memcpy(x, u, (size_t)n * sizeof *x);
    (groups > 0 ? by_groups : by_columns)(jac, t, u, F, x, y);
    jac->count->rhs += (groups > 0 ? groups : n) + 1 + (F_t != NULL);
    if (!F_t)
        return;
    const double d = increment(t);
    sys->compose->rhs(sys, t + d, u, F_t);
    for (int i = 0; i < n; i++)
        F_t[i] = (F_t[i] - F[i]) / d;
}
