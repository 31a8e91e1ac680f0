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

typedef struct dae_stage_rows dae_stage_rows;

typedef struct {
    int stages;                 /* S */
    int last;                   /* S where dense output needs no further stages */
    int dense;                  /* rows of D */
    int coarse;                 /* order of h E[1], which is 0 where E[0] alone notices all that happens; or 0 */
    int quotient;               /* 1: the estimate is made of both */
    int estimate_last;          /* the estimate uses k_S */
    int projects;               /* 1: y+ is projected onto the constraints */
    double A[DAE_RK_STAGES][DAE_RK_STAGES], c[DAE_RK_STAGES];
    double E[DAE_RK_ESTIMATES][DAE_RK_STAGES], D[DAE_RK_DENSE][DAE_RK_STAGES];
    const dae_stage_rows *rows; /* optional, by DAE_STAGE_ROWS; not used of a copy */
} dae_tableau;

/* Sums over the stages k[stages x n] for two, three, four, few and any number of unknowns n.
 * sum: out[n] := y + h sum_j A_row,j k_j, row 1 .. S.
 * squares: square[m] := sum_i (w_i sum_j E_mj k_j)^2, m = 0, 1, with w_i = 1/(rtol max(|x_i|, |y_i|) + atol_i), which
 * weight[n] is left with. */
enum { DAE_OF_TWO, DAE_OF_THREE, DAE_OF_FOUR, DAE_OF_FEW, DAE_OF_ANY, DAE_ROW_SIZES };
enum { DAE_FEW_ROWS = 16 };     /* as many stores wait at the most when the next sum begins */

static inline int dae_row_size(int n)
{
    return n >= 2 && n <= 4 ? DAE_OF_TWO + n - 2 : n <= DAE_FEW_ROWS ? DAE_OF_FEW : DAE_OF_ANY;
}

typedef void dae_stage_sum(int row, int n, const double *k, const double *y, double h, double *out);
typedef int dae_stage_run(dae_system *sys, int n, double t, double h, const double *y, double *k, double *Y);
typedef void dae_stage_squares(int n, const double *k, const double *x, const double *y, double rtol,
                               const double *atol, double *weight, double *square);
struct dae_stage_rows {
    const dae_tableau *tableau; /* that they were compiled for */
    dae_stage_sum *sum[DAE_ROW_SIZES];
    dae_stage_run *run[DAE_ROW_SIZES];
    dae_stage_squares *squares[DAE_ROW_SIZES];
};

/* After an accepted step: its stages k_0 .. k_S, [ny] each; y[ny] := Y_(S-1). */
const double *dae_explicit_stages(dae_solver *solver, double *y);

#define DAE_EXPLICIT                                                                              \
    .family = DAE_FAMILY_EXPLICIT,                                                                \
    .supports = dae_explicit_supports, .create = dae_explicit_create,                             \
    .start = dae_explicit_start, .step = dae_explicit_step, .accepted = dae_explicit_accepted,    \
    .interpolate = dae_explicit_interpolate, .destroy = dae_explicit_destroy, .vary = dae_explicit_vary

#endif
