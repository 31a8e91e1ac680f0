/* dopri5.c - Dormand and Prince's pair of orders 5 and 4, with dense output of order 4
 *
 * Dormand, Prince (1980), J. Comput. Appl. Math. 6, 19-26; Hairer, Norsett, Wanner (1993), Solving
 * ODEs I: tableau in table II.5.2, dense output by Shampine in II.6 (as in their code DOPRI5).
 */
#include "explicit_stepper.h"

#include "stage_rows.h"

static const dae_stage_rows rows;

static const dae_tableau tableau = {
    .rows = &rows,
    .stages = 6, .last = 6, .estimates = 1, .dense = 1, .estimate_last = 1, .projects = 1,
    .c = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1},
    .A = {
        [1] = {1. / 5},
        [2] = {3. / 40, 9. / 40},
        [3] = {44. / 45, -56. / 15, 32. / 9},
        [4] = {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
        [5] = {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
        [6] = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
    },
    .E = {{71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40}},
    .D = {{-12715105075. / 11282082432, 0, 87487479700. / 32700410799, -10690763975. / 1880347072,
           701980252875. / 199316789632, -1453857185. / 822651844, 69997945. / 29380423}},
};

DAE_STAGE_ROWS(tableau, rows)

const dae_method dae_dopri5 = {
    .info = {.name = "dopri5", .title = "explicit Runge-Kutta 5(4), projected", .stages = 7,
             .fixed = 1, .adaptive = 1,
             .citation = "Dormand, Prince (1980), J. Comput. Appl. Math. 6, 19-26",
             .order = DAE_ORDERS(5)},
    .tableau = &tableau,
    .error_order = 4,
    DAE_EXPLICIT,
};
