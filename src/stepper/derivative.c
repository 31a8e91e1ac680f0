/* derivative.c - u' from M u' = F(t, u)
 *
 * Where M is diagonal, F_i/M_ii. In general the limit of small g of
 *
 *     (M - g J) u' = F + g F_t,   g J <= 1e-8 M,   with z^T F := 0 for z^T M = 0
 *
 * row by row, of unknowns in units of their size,
 * which is M u' = F, and for index 1 z^T (J u' + F_t) = 0, the derivative of z^T F = 0. What is of index 2 and above
 * and in the kernel of M has no u' that this tells: rounding over g^2. It is 0 there. And in index 3 a v' with the
 * derivative of the constraint held is none: there M u' = F is solved as it is.
 */
#include "derivative.h"

#include "implicit.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SMALL = 1e-8;           /* g times the largest |J| in a row, to its |M| */

struct dae_derivative {
    dae_linearised linear;
    double *F_t;                            /* [n]; heads the block of the next two */
    double *most_M, *most_J;                /* [n] largest entry of a row, in sizes of unknowns */
    double *over_M;                         /* [n x n] of kernel.c, in index 3; or NULL */
};

dae_status dae_derivative_create(dae_solver *s)
{
    dae_derivative *d = driver(s)->derivative = DAE_RECORD(dae_derivative,
        DAE_PART(dae_derivative, F_t, s->n), DAE_PART(dae_derivative, most_M, s->n),
        DAE_PART(dae_derivative, most_J, s->n));
    if (!d)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %d derivatives", s->n);
    d->over_M = s->sys->index > 2 ? dae_system_mass_inverse(s->sys) : NULL;
    const dae_linear_kind linear = s->linear;           /* of the method, which this is not */
    const dae_status status = dae_linearised_create(s, &d->linear);
    if (linear != DAE_LINEAR_BEST)
        s->linear = linear;
    if (d->linear.jac)
        d->linear.jac->pair.linear = NULL;
    return status;
}

void dae_derivative_free(dae_derivative *d)
{
    if (!d)
        return;
    dae_linearised_free(&d->linear);
    free(d->over_M);
    free(d);
}

/* g: SMALL over the fastest rate that J and M show */
static double small_time(const dae_derivative *d)
{
    const dae_matrix_pair *pair = &d->linear.jac->pair;
    const dae_pattern *p = &pair->pattern;
    double rate = 0;
    for (int i = 0; i < p->n; i++)
        d->most_M[i] = d->most_J[i] = 0;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++) {
            double *M = &d->most_M[p->row[k]], *J = &d->most_J[p->row[k]];
            *M = fmax(*M, fabs(pair->M[k]) * pair->size[j]);
            *J = fmax(*J, fabs(pair->J[k]) * pair->size[j]);
        }
    for (int i = 0; i < p->n; i++)
        if (d->most_M[i] > 0)
            rate = fmax(rate, d->most_J[i] / d->most_M[i]);
    return rate > 0 ? SMALL / rate : 1;
}

/* du := M^-1 F, in index 3 */
static int divide(dae_solver *s, double t, const double *u, double *du)
{
    const dae_derivative *d = driver(s)->derivative;
    double *F = d->F_t;
    dae_system_rhs(s->sys, t, u, F);
    s->count.rhs++;
    dae_system_remove_algebraic(s->sys, F);
    for (int i = 0; i < s->n; i++) {
        du[i] = 0;
        for (int j = 0; j < s->n; j++)
            du[i] += d->over_M[i * s->n + j] * F[j];
    }
    return dae_vector_finite(s->n, du);
}

static int solve(dae_solver *s, double t, const double *u, double *du)
{
    const dae_derivative *d = driver(s)->derivative;
    if (d->over_M)
        return divide(s, t, u, du);
    dae_linearise(d->linear.jac, t, u, du, d->F_t);
    const double g = small_time(d);
    dae_system_remove_algebraic(s->sys, du);
    for (int i = 0; i < s->n; i++)
        du[i] += g * d->F_t[i];
    dae_pencil *pencil = d->linear.pencil;
    return !dae_pencil_factor_real(pencil, g).status && !dae_pencil_solve_real(pencil, du)
           && dae_vector_finite(s->n, du);
}

/* du := 0 in what is of index 2 and above and has no derivative in M u' */
static void leave_out(const dae_solver *s, double *du)
{
    const dae_components *c = driver(s)->components;
    const int *index = dae_indices(s);
    dae_put_by_index(s, du);
    for (int i = 0; i < s->n; i++)
        if (index[i] > 1 && !dae_has_derivative(s, i))
            du[i] = 0;
    if (!c)
        return;
    dae_components_back(c, du, c->y);
    memcpy(du, c->y, (size_t)s->n * sizeof *du);
}

void dae_derivative_at(dae_solver *s, double t, const double *u, double *du)
{
    const double *m = s->sys->diagonal;
    if (!driver(s)->derivative) {
        dae_system_rhs(s->sys, t, u, du);
        s->count.rhs++;
        for (int i = 0; i < s->n; i++)
            du[i] = m[i] != 0 ? du[i] / m[i] : 0;
    } else if (solve(s, t, u, du)) {
        leave_out(s, du);
    } else {
        for (int i = 0; i < s->n; i++)
            du[i] = 0;
    }
}
