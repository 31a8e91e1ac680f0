/* project.c - projection on the constraints of positions and velocities
 *
 *     q := q - M^-1 G^T kappa,   S kappa = g(t, q),             S = G M^-1 G^T, G and S at each q,
 *     v := v - M^-1 G^T kappa,   S kappa = dg/dt(t, q, v)       at the last q; once, being linear
 *
 * The first is Gauss-Newton, repeated until the next change is below rounding: that one is not
 * made, and its G and S serve v. Hairer, Lubich, Wanner (2006), Geometric Numerical Integration,
 * IV.4; Hairer, Wanner (1996), Solving ODEs II, VII.2.
 */
#include "project.h"

#include "numbers.h"

#include <float.h>
#include <math.h>

enum { MOST_STEPS = 10 };
static const double rounding = 4 * DBL_EPSILON; /* of the largest |q_i|: a change that is none */
static const double noise = 1e-10;              /* ... where rounding in g may end the iteration */

/* The largest change of a position that kappa makes. */
static double change(const dae_system *s, const double *kappa, double *dq)
{
    for (int i = 0; i < s->nq; i++)
        dq[i] = 0;
    dae_system_add_reaction(s, kappa, dq);
    return dae_largest(s->nq, dq);
}

dae_status dae_project_positions(dae_system *s, double t, double *q)
{
    double *dq = s->state, *kappa = s->state + s->nq;
    double before = INFINITY;
    if (s->nl == 0)
        return DAE_OK;
    for (int k = 0; k < MOST_STEPS; k++) {
        if (!dae_system_factor_schur(s, t, q))
            return DAE_SINGULAR;
        s->problem->mechanical.constraint.f(s->p, t, q, kappa);
        dae_system_solve_schur(s, kappa);
        const double size = change(s, kappa, dq), scale = dae_largest(s->nq, q);
        if (size <= rounding * scale || (size > before / 2 && size <= noise * scale))
            return DAE_OK;
        for (int i = 0; i < s->nq; i++)
            q[i] += dq[i];
        before = size;
    }
    return DAE_NO_CONVERGENCE;
}

/* With G and S at q as they were left. */
static void settle_velocities(dae_system *s, double t, const double *q, double *v)
{
    double *kappa = s->state;
    if (s->nl == 0)
        return;
    s->problem->mechanical.rate.f(s->p, t, q, v, kappa);
    dae_system_solve_schur(s, kappa);
    dae_system_add_reaction(s, kappa, v);
}

dae_status dae_project_velocities(dae_system *s, double t, const double *q, double *v)
{
    if (!dae_system_factor_schur(s, t, q))
        return DAE_SINGULAR;
    settle_velocities(s, t, q, v);
    return DAE_OK;
}

dae_status dae_project(dae_system *s, double t, double *q, double *v)
{
    const dae_status status = dae_project_positions(s, t, q);
    if (!status)
        settle_velocities(s, t, q, v);
    return status;
}
