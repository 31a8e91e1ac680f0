/* explicit.c - the classic explicit Runge-Kutta methods
 *
 * Nothing holds their solution on g = 0: the constraint drifts, which is what they are here to
 * show. Between the ends of a step cubic Hermite interpolation.
 *
 * Estimates where steps are chosen: euler and heun by their difference, h/2 (k_1 - k_0), of order
 * h^2; rk4 by that to the weights (1, 2, 2, 0, 1)/6, of order 3 with k_4 = f(t + h, y+) for k_3:
 * h/6 (k_4 - k_3). Both are at one time, and notice nothing that F does in time alone: so the step is doubted by
 * what Simpson's rule of its slopes differs from the trapezoidal one, h/6 (k_0 - 2 k_1 + k_3), too.
 */
#include "explicit_stepper.h"

#include "stage_rows.h"

static const dae_stage_rows euler_rows;
static const dae_tableau euler = {
    .stages = 1, .last = 1, .rows = &euler_rows, .A = {[1] = {1}}, .c = {0, 1},
    .estimate_last = 1, .E = {{-0.5, 0.5}},
};
DAE_STAGE_ROWS(euler, euler_rows)

const dae_method dae_euler = {
    .info = {.name = "euler", .title = "explicit Euler, order 1", .stages = 1,
             .fixed = 1, .adaptive = 1,
             .citation = "Euler (1768), Institutionum calculi integralis I",
             .order = DAE_ORDERS(1)},
    .tableau = &euler,
    .error_order = 1,
    DAE_EXPLICIT,
};

static const dae_stage_rows heun_rows;
static const dae_tableau heun = {
    .stages = 2, .last = 2, .rows = &heun_rows, .A = {[1] = {1}, {0.5, 0.5}}, .c = {0, 1, 1},
    .E = {{-0.5, 0.5}},
};
DAE_STAGE_ROWS(heun, heun_rows)

const dae_method dae_heun = {
    .info = {.name = "heun", .title = "Heun's method, order 2", .stages = 2, .fixed = 1,
             .adaptive = 1, .citation = "Heun (1900), Z. Math. Phys. 45, 23-38",
             .order = DAE_ORDERS(2)},
    .tableau = &heun,
    .error_order = 1,
    DAE_EXPLICIT,
};

static const dae_stage_rows rk4_rows;
static const dae_tableau rk4 = {
    .stages = 4, .last = 4, .rows = &rk4_rows,
    .A = {[1] = {0.5}, {0, 0.5}, {0, 0, 1}, {1. / 6, 1. / 3, 1. / 3, 1. / 6}}, .c = {0, 0.5, 0.5, 1, 1},
    .estimate_last = 1, .E = {{[3] = -1. / 6, [4] = 1. / 6}, {1. / 6, -1. / 3, [3] = 1. / 6}},
    .coarse = 3,
};
DAE_STAGE_ROWS(rk4, rk4_rows)

const dae_method dae_rk4 = {
    .info = {.name = "rk4", .title = "classic Runge-Kutta, order 4", .stages = 4,
             .fixed = 1, .adaptive = 1, .citation = "Kutta (1901), Z. Math. Phys. 46, 435-453",
             .order = DAE_ORDERS(4)},
    .tableau = &rk4,
    .error_order = 3,
    DAE_EXPLICIT,
};
