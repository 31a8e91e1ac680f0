/* traces - Michaelis and Menten: an enzyme of 1e-12 mol/l in 1e-2 mol/l of substrate, and a count of 1e20 */
#ifndef DAE_PASS
enum { K1, K2, K3, E0, S0 };
#include <daelab/model.h>

const dae_problem dae_traces = {
    .name = "traces", .title = "an enzyme in traces", .variables = "S E C n", .units = "mol/l mol/l mol/l -",
    .parameters = {{"k1", 1e9, "l/(mol s)", "", DAE_POSITIVE}, {"k2", 1e5, "1/s", "", DAE_POSITIVE},
                   {"k3", 1e6, "1/s", "", DAE_POSITIVE}, {"E0", 1e-12, "mol/l", "", DAE_POSITIVE},
                   {"S0", 1e-2, "mol/l", "", DAE_POSITIVE}},
    .first_order = {.n = 4, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start), .t_end = 1e4};
#else
static void FN(start)(const param *p, real *u)
{
    u[0] = p[S0];
    u[1] = p[E0];
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = 0;
    r[2] = x[2];
    r[3] = x[3];
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = -p[K1] * u[0] * u[1] + p[K2] * u[2];
    F[1] = p[E0] - u[1] - u[2];
    F[2] = p[K1] * u[0] * u[1] - (p[K2] + p[K3]) * u[2];
    F[3] = 6.02214076e23 * p[K3] * u[2];
}
#endif
