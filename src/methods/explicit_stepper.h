/* explicit_stepper.h - explicit Runge-Kutta methods, given by a tableau
 *
 *     Y_i = y + h sum_j A_ij k_j,    k_i = f(t + c_i h, Y_i),    i = 0 .. S-1
 *     y+  = y + h sum_j A_Sj k_j,    k_S = f(t + h, y+)          the first stage of the next step
 *
 *     error      h sum_j E_0j k_j    alone, or e_0^2/sqrt(e_0^2 + 0.01 e_1^2) of the norms of two
 *     y(t+sh)    y + s (r_0 + (1-s)(r_1 + s (r_2 + (1-s)(r_3 + s (r_4 + ...)))))
 *                r_0 = y+ - y,  r_1 = h k_0 - r_0,  r_2 = r_0 - h k_S - r_1,
 *                r_3+i = h sum_j D_ij k_j
 *                with the further stages S+1 .. last only this needs
 *
 * Hairer, Norsett, Wanner (1993), Solving ODEs I, II.4-II.6 and II.10.
 */
#ifndef DAE_EXPLICIT_STEPPER_H
#define DAE_EXPLICIT_STEPPER_H

#include "daelab/tableau.h"
#include "stepper/solver.h"

enum { DAE_RK_STAGES = 16, DAE_RK_ESTIMATES = 2, DAE_RK_DENSE = 4 };

typedef struct {
    int stages;                 /* S */
    int last;                   /* S where dense output needs no further stages */
    int estimates, dense;       /* rows of E and of D */
    int estimate_last;          /* the estimate uses k_S */
    int projects;               /* 1: y+ is projected onto the constraints */
    double A[DAE_RK_STAGES][DAE_RK_STAGES], c[DAE_RK_STAGES];
    double E[DAE_RK_ESTIMATES][DAE_RK_STAGES], D[DAE_RK_DENSE][DAE_RK_STAGES];
} dae_tableau;

/* After an accepted step: its stages k_0 .. k_S, [ny] each; y[ny] := Y_(S-1). */
const double *dae_explicit_stages(dae_solver *solver, double *y);

#define DAE_EXPLICIT                                                                              \
    .family = DAE_FAMILY_EXPLICIT,                                                                \
    .supports = dae_explicit_supports, .create = dae_explicit_create,                             \
    .start = dae_explicit_start, .step = dae_explicit_step, .accepted = dae_explicit_accepted,    \
    .interpolate = dae_explicit_interpolate, .destroy = dae_explicit_destroy

#endif
