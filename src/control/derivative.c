/* derivative.c - u' from M u' = F(t, u)
 *
 * Where M is diagonal, F_i/M_ii. In general the limit of small g of
 *
 *     (M - g J) u' = F + g F_t,   max|M| = 1e8 g max|J|,   F without its parts along z, z^T M = 0
 *
 * which is M u' = F, and for index 1 z^T (J u' + F_t) = 0, the derivative of z^T F = 0.
 */
#include "control/derivative.h"

#include "linear/pencil.h"
#include "methods/implicit.h"
#include "numbers.h"

#include <math.h>
#include <stdlib.h>

static const double SMALL = 1e-8;           /* g max|J|/max|M| */

struct dae_derivative {
    dae_jacobian *jac;
    dae_pencil *pencil;
    double *F_t;                            /* [n] */
};

dae_status dae_derivative_create(dae_solver *s)
{
    dae_derivative *d = s->derivative = calloc(1, sizeof *d);
    if (d)
        d->F_t = calloc((size_t)s->n, sizeof *d->F_t);
    if (!d || !d->F_t)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %d derivatives", s->n);
    const dae_status status = dae_implicit_jacobian(s, &d->jac);
    return status ? status : dae_pencil_create(&d->pencil, d->jac, s->linear, &s->report);
}

void dae_derivative_free(dae_derivative *d)
{
    if (!d)
        return;
    dae_pencil_free(d->pencil);
    dae_jacobian_free(d->jac);
    free(d->F_t);
    free(d);
}

static int solve(dae_solver *s, double t, const double *u, double *du)
{
    const dae_derivative *d = s->derivative;
    const dae_jacobian *jac = d->jac;
    int column;
    dae_linearise(d->jac, t, u, du, d->F_t);
    const double most_M = dae_largest(jac->pattern.nnz, jac->M);
    const double most_J = dae_largest(jac->pattern.nnz, jac->J);
    const double g = most_M > 0 && most_J > 0 ? SMALL * most_M / most_J : 1;
    dae_system_remove_algebraic(s->sys, du);
    for (int i = 0; i < s->n; i++)
        du[i] += g * d->F_t[i];
    return !dae_pencil_factor_real(d->pencil, g, &column) && !dae_pencil_solve_real(d->pencil, du)
           && dae_vector_finite(s->n, du);
}

void dae_derivative_at(dae_solver *s, double t, const double *u, double *du)
{
    const double *m = s->sys->diagonal;
    if (!s->derivative) {
        dae_system_rhs(s->sys, t, u, du);
        s->count.rhs++;
        for (int i = 0; i < s->n; i++)
            du[i] = m[i] != 0 ? du[i] / m[i] : 0;
    } else if (!solve(s, t, u, du)) {
        for (int i = 0; i < s->n; i++)
            du[i] = 0;
    }
}
