/* hires - high irradiance responses: how light governs the growth of a plant, by eight reactions
 *
 *   y1' = -k1 y1 + k2 y2 + k6 y3 + o
 *   y2' =  k1 y1 - (k2 + k3) y2
 *   y3' = -(k1 + k6) y3 + k2 y4 + k5 y5
 *   y4' =  k3 y2 + k1 y3 - (k2 + k4) y4
 *   y5' = -(k1 + k5) y5 + k2 (y6 + y7)
 *   y6' = -k+ y6 y8 + k4 y4 + k1 y5 - k2 y6 + k- y7
 *   y7' =  k+ y6 y8 - (k2 + k- + k*) y7
 *   y8' = -y7'                                     y7 + y8 is conserved
 */
#ifndef DAE_PASS
enum { K1, K2, K3, K4, K5, K6, PLUS, MINUS, STAR, O, N = 8 };
#include <daelab/model.h>

/* J[N j + i] = dF_i/dy_j */
static void jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    const double bind = p[PLUS] * u[7], bound = p[PLUS] * u[5], free = p[K2] + p[MINUS] + p[STAR];
    J[N * 0 + 0] = -p[K1];
    J[N * 0 + 1] = p[K1];
    J[N * 1 + 0] = p[K2];
    J[N * 1 + 1] = -(p[K2] + p[K3]);
    J[N * 1 + 3] = p[K3];
    J[N * 2 + 0] = p[K6];
    J[N * 2 + 2] = -(p[K1] + p[K6]);
    J[N * 2 + 3] = p[K1];
    J[N * 3 + 2] = p[K2];
    J[N * 3 + 3] = -(p[K2] + p[K4]);
    J[N * 3 + 5] = p[K4];
    J[N * 4 + 2] = p[K5];
    J[N * 4 + 4] = -(p[K1] + p[K5]);
    J[N * 4 + 5] = p[K1];
    J[N * 5 + 4] = J[N * 6 + 4] = p[K2];
    J[N * 5 + 5] = -bind - p[K2];
    J[N * 5 + 6] = bind;
    J[N * 5 + 7] = -bind;
    J[N * 6 + 5] = p[MINUS];
    J[N * 6 + 6] = -free;
    J[N * 6 + 7] = free;
    J[N * 7 + 6] = bound;
    J[N * 7 + 5] = J[N * 7 + 7] = -bound;
}

const dae_problem dae_hires = {
    .name = "hires",
    .title = "high irradiance responses of photomorphogenesis, a stiff ODE",
    .citation = "Schaefer (1975), J. Math. Biology 2, 41-56; Hairer, Wanner (1996), Solving "
                "Ordinary Differential Equations II, section IV.10",
    .equations = "y1' = -k1 y1 + k2 y2 + k6 y3 + o,   y2' = k1 y1 - (k2 + k3) y2\n"
                 "y3' = -(k1 + k6) y3 + k2 y4 + k5 y5,   y4' = k3 y2 + k1 y3 - (k2 + k4) y4\n"
                 "y5' = -(k1 + k5) y5 + k2 (y6 + y7)\n"
                 "y6' = -k+ y6 y8 + k4 y4 + k1 y5 - k2 y6 + k- y7\n"
                 "y7' = k+ y6 y8 - (k2 + k- + k*) y7,   y8' = -y7'",
    .variables = "y1 y2 y3 y4 y5 y6 y7 y8",
    .units = "- - - - - - - -",
    .parameters = {
        {"k1", 1.71, "1/min", "red to far-red absorbing phytochrome", DAE_NONNEGATIVE},
        {"k2", 0.43, "1/min", "far-red to red absorbing phytochrome", DAE_NONNEGATIVE},
        {"k3", 8.32, "1/min", "binding of the far-red absorbing form", DAE_NONNEGATIVE},
        {"k4", 0.69, "1/min", "to the second receptor, far-red form", DAE_NONNEGATIVE},
        {"k5", 0.035, "1/min", "release from the second receptor", DAE_NONNEGATIVE},
        {"k6", 8.32, "1/min", "release of the red absorbing form", DAE_NONNEGATIVE},
        {"k_plus", 280, "1/min", "binding to the enzyme, k+", DAE_NONNEGATIVE},
        {"k_minus", 0.69, "1/min", "release from the enzyme, k-", DAE_NONNEGATIVE},
        {"k_star", 0.69, "1/min", "decay of the complex, k*", DAE_NONNEGATIVE},
        {"o", 0.0007, "1/min", "synthesis of phytochrome", DAE_NONNEGATIVE},
    },
    .first_order = {.n = N, .index = 0, .rhs = DAE_MODEL(rhs), .jacobian = jacobian},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 321.8122,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[0] = (real){0} + 1;
    u[7] = (real){0} + 0.0057;
}

static void FN(rhs)(const param *p, real t, const real *y, real *F)
{
    const real bind = p[PLUS] * y[5] * y[7];
    const real decay = (p[K2] + p[MINUS] + p[STAR]) * y[6];
    F[0] = -p[K1] * y[0] + p[K2] * y[1] + p[K6] * y[2] + p[O];
    F[1] = p[K1] * y[0] - (p[K2] + p[K3]) * y[1];
    F[2] = -(p[K1] + p[K6]) * y[2] + p[K2] * y[3] + p[K5] * y[4];
    F[3] = p[K3] * y[1] + p[K1] * y[2] - (p[K2] + p[K4]) * y[3];
    F[4] = -(p[K1] + p[K5]) * y[4] + p[K2] * (y[5] + y[6]);
    F[5] = -bind + p[K4] * y[3] + p[K1] * y[4] - p[K2] * y[5] + p[MINUS] * y[6];
    F[6] = bind - decay;
    F[7] = decay - bind;
}

#endif
