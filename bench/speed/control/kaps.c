/* kaps - Kaps' problem: an ODE that is the stiffer the smaller epsilon, its solution known
 *
 *   y1' = -(2 + 1/epsilon) y1 + y2^2/epsilon,   y2' = y1 - y2 - y2^2,   y1 = y2^2, y2 = a e^(-t/s)
 *
 * Here time is counted in units of s.
 */
#ifndef DAE_PASS
enum { EPSILON, S };
#include <daelab/model.h>

const dae_problem dae_kaps = {
    .name = "kaps", .title = "Kaps' problem, stiff, with a known solution",
    .citation = "Dekker, Verwer (1984), Stability of Runge-Kutta Methods for Stiff Nonlinear Differential Equations",
    .equations = "y1' = -(2 + 1/epsilon) y1 + y2^2/epsilon,   y2' = y1 - y2 - y2^2", .variables = "y1 y2",
    .units = "- -",
    .parameters = {{"epsilon", 1e-5, "-", "stiffness", DAE_POSITIVE}, {"s", 1e-6, "s", "unit of time", DAE_POSITIVE}},
    .first_order = {.n = 2, .index = 0, .rhs = DAE_MODEL(rhs)}, .start = DAE_MODEL(start), .t0 = 0, .t_end = 5e-6,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[0] = (real){0} + 1;
    u[1] = (real){0} + 1;
}

static void FN(rhs)(const param *p, real t, const real *y, real *F)
{
    const param e = 1 / p[EPSILON];
    F[0] = (y[1] * y[1] * e - y[0] * (2 + e)) / p[S];
    F[1] = (y[0] - y[1] - y[1] * y[1]) / p[S];
}

#endif
