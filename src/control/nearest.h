/* nearest.h - the way to the positions on g(t, q) = 0 that are nearest to given ones */
#ifndef DAE_NEAREST_H
#define DAE_NEAREST_H

#include "system.h"

/* q[nq] := a point with g(t, q) = 0 to which q leads, and from there down to one where |q - q0| in the
 * norm of M(t, q0) is least among its neighbours, or stationary. Without second derivatives: where the
 * point has to be far away, stationary to 1e-9 only. DAE_SINGULAR or DAE_NO_CONVERGENCE where there is
 * no way, DAE_NO_MEMORY; q is then anywhere. */
dae_status dae_approach(dae_system *sys, double t, const double *q0, double *q);

/* (q - q0)^T M(t, q0) (q - q0); work[2 nq] */
double dae_nearest_distance(const dae_system *sys, double t, const double *q0, const double *q,
                            double *work);

#endif
