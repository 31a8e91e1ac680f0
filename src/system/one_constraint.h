/* one_constraint.h - a diagonal M and one constraint: S = G M^-1 G^T is a number
 *
 * Inlined with nq a constant for single bodies, so that the loops over the coordinates vanish. They work number by
 * number: a load of two numbers just stored one by one would wait for both.
 */
#ifndef DAE_ONE_CONSTRAINT_H
#define DAE_ONE_CONSTRAINT_H

#include "system.h"

#include <float.h>

/* G and S at (t, q); 0 where S is singular or not finite. */
static inline int dae_one_factor(dae_system *s, int nq, double t, const double *q)
{
    const double one = 1;
    s->problem->mechanical.reaction.f(s->p, t, q, &one, s->gradient);
    const double *G = s->gradient, *w = s->inverse_mass;
    double S = G[0] * w[0] * G[0];
    for (int i = 1; i < nq; i++)
        S += G[i] * w[i] * G[i];
    s->schur[0] = S;
    return S > 0 && S <= DBL_MAX;
}

/* x -= M^-1 G^T c */
static inline void dae_one_add_reaction(const dae_system *s, int nq, double c, double *x)
{
    for (int i = 0; i < nq; i++)
        x[i] -= s->inverse_mass[i] * s->gradient[i] * c;
}

/* a, the force until now, and lambda with G and S as they are; 1/S does not wait for what it is multiplied with */
static inline void dae_one_balance(dae_system *s, int nq, double t, const double *q, const double *v, double *a,
                                   double *lambda)
{
    for (int i = 0; i < nq; i++)
        a[i] *= s->inverse_mass[i];
    s->problem->mechanical.acceleration.f(s->p, t, q, v, a, lambda);
    lambda[0] *= 1 / s->schur[0];
    dae_one_add_reaction(s, nq, lambda[0], a);
}

#endif
