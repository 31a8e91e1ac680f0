/* nearest_state.h - the algebraic equations C(t, u) = 0 of M u' = F, and the norm of the nearest
 * state */
#ifndef DAE_NEAREST_STATE_H
#define DAE_NEAREST_STATE_H

#include "nearest.h"

typedef struct {
    dae_system *sys;
    double t;
    int n;                      /* unknowns of the problem; m >= n are those of the system */
    const double *given;        /* [n] u0 */
    int rows;                   /* of C */
    double *z;                  /* [2 n x m] equation k of C is z_k^T F = 0 */
    /* Where w = P u' is carried, z_k^T F is that of F - M(t, u) E w with the w that these equations give for
     * each of both right-hand sides, and z_k goes with u. */
    int *equation;              /* [2 n] which of those that elimination leaves */
    int *order;                 /* [n] its choice of rows, which stays; order[0] < 0: there is none yet */
    double *w, *y;              /* [2 nx + n], [n x n] */
    int joined;                 /* 1: directions without a derivative are more than single unknowns */
    int *reduced;               /* [2 n] 1: equation k has the reduced right-hand side in place of F */
    double *unit;               /* [n] of the unknowns; 1 where they are not joined */
    double *W;                  /* [n x n] in these units, a symmetric projection */
    double *C, *C_u;            /* [2 n], [2 n x n] by columns */
    double *terms;              /* [2 n] sum_i |z_i F_i| of each equation */
    dae_dual *u, *F, *F_reduced;        /* [m] */
    dae_quad *exact;            /* [3 m] the same in quad */
} dae_nearest_state;

/* C, its terms and C_u at u. */
void dae_nearest_state_evaluate(dae_nearest_state *c, const double *u);

/* first_order_surface.c. u[n] := the nearest state to u0 by dae_approach, kappa[rows] := its Lagrange
 * multipliers. DAE_UNSUPPORTED for more than 200 unknowns; other failures as dae_approach. */
dae_status dae_nearest_state_approach(dae_nearest_state *c, double *u, double *kappa);

#endif
