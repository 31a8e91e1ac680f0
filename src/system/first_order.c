/* first_order.c - the algebraic equations of M u' = F: z^T F = 0 for every z with z^T M = 0
 *
 * If M is diagonal they are the rows of F in which M is zero. Otherwise a z may combine several rows. An
 * example is the sum of the currents at a node, in a circuit with capacitors between nodes.
 */
#include "system.h"

/* Row i of M is zero, as far as that is known without its null space. */
static int row_is_zero(const dae_system *s, int i)
{
    return s->nondiagonal_mass ? dae_system_is_algebraic(s, i) : s->diagonal[i] == 0;
}

int dae_system_algebraic_equations(const dae_system *s)
{
    int count = 0;
    if (s->left_null)
        return s->nulls;
    for (int i = 0; i < s->n; i++)
        count += row_is_zero(s, i);
    return count;
}

void dae_system_algebraic_weights(const dae_system *s, int k, double *z)
{
    for (int i = 0; i < s->n; i++) {
        z[i] = s->left_null ? s->left_null[k * s->n + i] : 0;
        if (!s->left_null && row_is_zero(s, i))
            z[i] = k-- == 0;
    }
}

/* The last row that z_k alone combines. */
static int own_row(const dae_system *s, int k)
{
    for (int i = s->n - 1; i >= 0; i--) {
        int others = 0;
        for (int l = 0; l < s->nulls; l++)
            others += l != k && s->left_null[l * s->n + i] != 0;
        if (!others && s->left_null[k * s->n + i] != 0)
            return i;
    }
    return -1;
}

/* Rows have units of their own: no length is made of them all. */
void dae_system_remove_algebraic(const dae_system *s, double *F)
{
    const int n = s->n;
    for (int i = 0; !s->left_null && i < n; i++)
        if (row_is_zero(s, i))
            F[i] = 0;
    for (int k = 0; k < s->nulls; k++) {
        const double *z = s->left_null + k * n;
        const int own = own_row(s, k);
        double along = 0;
        for (int i = 0; i < n; i++)
            along += z[i] * F[i];
        if (own >= 0)
            F[own] -= along / z[own];
    }
}

int dae_first_order_rows(const dae_system *s, const double *F, double *out)
{
    int rows = 0;
    for (int i = 0; !s->left_null && i < s->n; i++)
        if (row_is_zero(s, i))
            out[rows++] = F[i];
    for (; rows < s->nulls; rows++) {
        out[rows] = 0;
        for (int i = 0; i < s->n; i++)
            out[rows] += s->left_null[rows * s->n + i] * F[i];
    }
    return rows;
}

int dae_first_order_constraints(const dae_system *s)
{
    return s->carried ? s->carried->n - s->carried->nx : dae_system_algebraic_equations(s);
}

/* What M(t, u) E w = F leaves, equation by equation. */
static int constraint_of_carried(dae_system *s, const dae_map1 *rhs, double t, const double *u, double *out)
{
    double *F = s->a, *w = F + s->carried->n;
    rhs->f(s->p, t, u, F);
    const int regular = dae_state_mass_solve(s->carried, s->p, t, u, F, w, NULL, NULL);
    return regular ? dae_state_mass_rest(s->carried, F, out) : 0;
}

int dae_system_set_slopes(dae_system *s, double t, double *u)
{
    s->problem->first_order.rhs.f(s->p, t, u, s->a);
    return dae_state_mass_solve(s->carried, s->p, t, u, s->a, u + s->carried->n, NULL, NULL);
}

int dae_first_order_constraint(dae_system *s, int level, double t, const double *u, double *out)
{
    const dae_first_order *f = &s->problem->first_order;
    const dae_map1 rhs = level == 0 ? f->rhs : f->reduced;
    if (level > 1 || !rhs.f)
        return 0;
    if (s->carried)
        return constraint_of_carried(s, &rhs, t, u, out);
    rhs.f(s->p, t, u, s->start);
    return dae_first_order_rows(s, s->start, out);
}
