/* one_constraint.h - a diagonal M and one constraint: S = G M^-1 G^T is a number
 *
 * Inlined with nq a constant for single bodies, so that the loops over the coordinates vanish. They work number by
 * number: a load of two numbers just stored one by one would wait for both.
 */
#ifndef DAE_ONE_CONSTRAINT_H
#define DAE_ONE_CONSTRAINT_H

#include "system.h"

#include <float.h>

/* S = G M^-1 G^T, of w = M^-1 and G */
static inline double dae_one_schur(int nq, const double *w, const double *G)
{
    double S = G[0] * w[0] * G[0];
    for (int i = 1; i < nq; i++)
        S += G[i] * w[i] * G[i];
    return S;
}

static inline int dae_one_is_regular(double S)
{
    return S > 0 && S <= DBL_MAX;
}

/* G and S at (t, q); 0 where S is singular or not finite. */
static inline int dae_one_factor(dae_system *s, int nq, double t, const double *q)
{
    const double one = 1;
    s->problem->mechanical.reaction.f(s->p, t, q, &one, s->gradient);
    s->schur[0] = dae_one_schur(nq, s->inverse_mass, s->gradient);
    return dae_one_is_regular(s->schur[0]);
}

/* x -= M^-1 G^T c */
static inline void dae_one_add_reaction(const dae_system *s, int nq, double c, double *x)
{
    const double *w = s->inverse_mass, *G = s->gradient;
    for (int i = 0; i < nq; i++)
        x[i] -= w[i] * G[i] * c;
}

/* a and lambda of M a + G^T lambda = f, d2g/dt2(a) = 0 with G, and S, which it returns; w = M^-1, and a is f until now.
 * Only 1/S is waited for in the end: all that it is multiplied with is known by then. */
static inline double dae_one_solve(const dae_system *s, int nq, double t, const double *q, const double *v, double *a,
                                   double *lambda)
{
    const double *w = s->inverse_mass, *G = s->gradient;
    for (int i = 0; i < nq; i++)
        a[i] *= w[i];
    s->problem->mechanical.acceleration.f(s->p, t, q, v, a, lambda);
    const double S = dae_one_schur(nq, w, G), over = 1 / S, c = lambda[0];
    for (int i = 0; i < nq; i++)
        a[i] -= w[i] * G[i] * c * over;
    lambda[0] = c * over;
    return S;
}

/* The same with G at (t, q), which it leaves with S; 0 where S is singular or not finite. The force first: it does not
 * wait for q, and often begins with a long sin(t). */
static inline int dae_one_accelerate(dae_system *s, int nq, double t, const double *q, const double *v, double *a,
                                     double *lambda)
{
    const double one = 1;
    s->problem->mechanical.force.f(s->p, t, q, v, a);
    s->problem->mechanical.reaction.f(s->p, t, q, &one, s->gradient);
    const double S = dae_one_solve(s, nq, t, q, v, a, lambda);
    s->schur[0] = S;
    return dae_one_is_regular(S);
}

#endif
