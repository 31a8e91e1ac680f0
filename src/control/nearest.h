/* nearest.h - the way to the positions on g(t, q) = 0 that are nearest to given ones
 *
 * Constraints that share no position, and no entry of M, are parts: each is as near or far, as large or
 * small as it is by itself, and goes its own way.
 */
#ifndef DAE_NEAREST_H
#define DAE_NEAREST_H

#include "system.h"

typedef struct {
    int *row, *position;        /* [nl], [nq] the part of each, 0 ... nl - 1; -1: of a free position */
    double *work;               /* [2 nq] */
} dae_parts;

/* As G has them at two places near q: an entry that is zero at q by chance is not there. */
dae_status dae_parts_create(dae_parts *parts, dae_system *sys, double t, const double *q);
void dae_parts_free(dae_parts *parts);

/* Join what G, as dae_system_factor_schur has left it, joins. */
void dae_parts_join(dae_parts *parts, const dae_system *sys);

/* square[nl] := x^T M(t, q0) x in each part, x = q - q0. */
void dae_parts_measure(dae_parts *parts, const dae_system *sys, double t, const double *q0,
                       const double *q, double *square);

/* q[nq] := a point with g(t, q) = 0 to which q leads, and from there down to one where |q - q0| in the
 * norm of M(t, q0) is least among its neighbours, or stationary, to 1e-9. DAE_SINGULAR or
 * DAE_NO_CONVERGENCE where there is no way, DAE_NO_MEMORY; q is then anywhere. */
dae_status dae_approach(dae_system *sys, dae_parts *parts, double t, const double *q0, double *q);

#endif
