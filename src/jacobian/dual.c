/* dual.c - exact derivatives: F(u + eps d) = F(u) + eps dF/du d, one pass for each direction d
 *
 * A direction is a unit vector, or the sum of the unit vectors of columns that have no row in
 * common: each row then answers for one of them alone. F itself comes from the pass in doubles, so
 * that it is the same for every kind of Jacobian: the value of a dual quotient may differ from the
 * plain one in the last bits.
 */
#include "providers.h"

/* x + eps */
static dae_dual seeded(double x)
{
    return dae_dual_make(x, 1);
}

static void gather_column(dae_jacobian *jac, int j, const dae_dual *y)
{
    const dae_pattern *pattern = &jac->pair.pattern;
    if (pattern->full) {
        double *restrict column = jac->pair.J + (size_t)j * (size_t)pattern->n;
        for (int i = 0; i < pattern->n; i++)
            column[i] = dae_dual_derivative(y[i]);
        return;
    }
    for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++)
        jac->pair.J[k] = dae_dual_derivative(y[pattern->row[k]]);
}

static void by_columns(dae_jacobian *jac, dae_dual t, const double *u, dae_dual *x, dae_dual *y)
{
    dae_system *sys = jac->sys;
    for (int j = 0; j < sys->n; j++) {
        x[j] = seeded(u[j]);
        sys->compose->rhs_dual(sys, t, x, y);
        x[j] = dae_dual_make(u[j], 0);
        gather_column(jac, j, y);
    }
}

static void by_groups(dae_jacobian *jac, dae_dual t, const double *u, dae_dual *x, dae_dual *y)
{
    dae_system *sys = jac->sys;
    for (int c = 0; c < jac->groups.count; c++) {
        const int *begin = jac->groups.column + jac->groups.start[c];
        const int *end = jac->groups.column + jac->groups.start[c + 1];
        for (const int *j = begin; j < end; j++)
            x[*j] = seeded(u[*j]);
        sys->compose->rhs_dual(sys, t, x, y);
        for (const int *j = begin; j < end; j++) {
            x[*j] = dae_dual_make(u[*j], 0);
            gather_column(jac, *j, y);
        }
    }
}

void dae_linearise_dual(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    dae_system *sys = jac->sys;
    const int n = sys->n, groups = jac->groups.count;
    dae_dual *x = jac->dual, *y = x + n;
    for (int i = 0; i < n; i++)
        x[i] = dae_dual_make(u[i], 0);
    (groups > 0 ? by_groups : by_columns)(jac, dae_dual_make(t, 0), u, x, y);
    sys->compose->rhs(sys, t, u, F);
    jac->pair.count->rhs += (groups > 0 ? groups : n) + 1 + (F_t != NULL);
    if (!F_t)
        return;
    sys->compose->rhs_dual(sys, seeded(t), x, y);
    for (int i = 0; i < n; i++)
        F_t[i] = dae_dual_derivative(y[i]);
}
