/* lorenz - Lorenz (1963), J. Atmos. Sci. 20, 130-141: errors grow by e in 1.1 s, over 40 s */
#ifndef DAE_PASS
enum { SIGMA, RHO, BETA };
#include <daelab/model.h>

const dae_problem dae_lorenz = {
    .name = "lorenz", .title = "Lorenz's attractor", .variables = "x y z",
    .parameters = {{"sigma", 10, "-", ""}, {"rho", 28, "-", ""}, {"beta", 2.6666666666666665, "-", ""}},
    .first_order = {.n = 3, .rhs = DAE_MODEL(rhs)}, .start = DAE_MODEL(start), .t_end = 40};
#else
static void FN(start)(const param *p, real *u) { u[0] = u[1] = u[2] = 1; }

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = p[SIGMA] * (u[1] - u[0]);
    F[1] = u[0] * (p[RHO] - u[2]) - u[1];
    F[2] = u[0] * u[1] - p[BETA] * u[2];
}
#endif
