/* oregonator - a model of the oscillating reaction of Belousov and Zhabotinskii
 *
 *   y1' = s (y2 + y1 (1 - q y1 - y2))          y1 = HBrO2, y2 = Br-, y3 = Ce(IV), scaled
 *   y2' = (y3 - (1 + y1) y2)/s
 *   y3' = w (y1 - y3)
 *
 * The concentrations run through five decades: the tolerance has to be a relative one.
 */
#ifndef DAE_PASS
enum { S, Q, W };
#include <daelab/model.h>

static void jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    J[0] = p[S] * (1 - 2 * p[Q] * u[0] - u[1]);
    J[1] = -u[1] / p[S];
    J[2] = p[W];
    J[3] = p[S] * (1 - u[0]);
    J[4] = -(1 + u[0]) / p[S];
    J[7] = 1 / p[S];
    J[8] = -p[W];
}

const dae_problem dae_oregonator = {
    .name = "oregonator",
    .title = "the Oregonator, an oscillating chemical reaction, a stiff ODE",
    .citation = "Field, Noyes (1974), J. Chem. Phys. 60, 1877-1884; Hairer, Wanner (1996), Solving "
                "Ordinary Differential Equations II, section IV.10",
    .equations = "y1' = s (y2 + y1 (1 - q y1 - y2))\n"
                 "y2' = (y3 - (1 + y1) y2)/s\n"
                 "y3' = w (y1 - y3)",
    .variables = "y1 y2 y3",
    .units = "- - -",
    .parameters = {
        {"s", 77.27, "-", "ratio of rates", DAE_POSITIVE},
        {"q", 8.375e-6, "-", "ratio of rates", DAE_NONNEGATIVE},
        {"w", 0.161, "-", "ratio of rates", DAE_NONNEGATIVE},
    },
    .first_order = {.n = 3, .index = 0, .rhs = DAE_MODEL(rhs), .jacobian = jacobian},
    .start = DAE_MODEL(start),
    .t0 = 0, .t_end = 360,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[0] = (real){0} + 1;
    u[1] = (real){0} + 2;
    u[2] = (real){0} + 3;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = p[S] * (u[1] + u[0] * (1 - p[Q] * u[0] - u[1]));
    F[1] = (u[2] - (1 + u[0]) * u[1]) / p[S];
    F[2] = p[W] * (u[0] - u[2]);
}

#endif
