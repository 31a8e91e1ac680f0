/* draining_tank - Torricelli's law, a valve and a float: sqrt, log, asin of states that end at their domain
 *
 * h' = -k sqrt(h) + 1e-3 h0, valve a: 0 = log(1 + a) - h, float b: 0 = b - asin(h/(1.05 h0))
 */
#ifndef DAE_PASS
enum { K, H0 };
#include <daelab/model.h>

const dae_problem dae_draining_tank = {
    .name = "draining_tank", .title = "a tank that drains", .variables = "h a b", .units = "m - rad",
    .parameters = {{"k", 0.3, "m^0.5/s", "outflow", DAE_POSITIVE}, {"h0", 1, "m", "level", DAE_POSITIVE}},
    .first_order = {.n = 3, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start), .t_end = 6};
#else
static void FN(start)(const param *p, real *u)
{
    u[0] = p[H0];
    u[1] = exp(p[H0]) - 1;
    u[2] = 1.2;
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = r[2] = 0;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = -p[K] * sqrt(u[0]) + 1e-3 * p[H0];
    F[1] = log(1 + u[1]) - u[0];
    F[2] = u[2] - asin(u[0] / (1.05 * p[H0]));
}
#endif
