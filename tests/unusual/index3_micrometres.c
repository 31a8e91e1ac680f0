/* index3_micrometres - a pendulum as a first-order problem of index 3, lengths in micrometres, times in hours
 *
 * x' = u, y' = v, u' = -x T, v' = -y T - g, 0 = x^2 + y^2 - L^2; L = 2e6 um, g = 9.81 m/s^2 = 1.27e14 um/h^2
 */
#ifndef DAE_PASS
enum { L, G };
#include <daelab/model.h>

const dae_problem dae_index3_micrometres = {
    .name = "index3_micrometres", .title = "a pendulum of index 3 in other units", .variables = "x y u v T",
    .units = "um um um/h um/h 1/h^2",
    .parameters = {{"L", 2e6, "um", "length", DAE_POSITIVE}, {"g", 1.271376e14, "um/h^2", "gravity"}},
    .first_order = {.n = 5, .index = 3, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start), .t_end = 1e-3};
#else
static void FN(start)(const param *p, real *u)
{
    u[0] = p[L] / 2;
    u[1] = -p[L] * sqrt(0.75 * (p[L] / p[L]));
    u[4] = p[G] / p[L] * sqrt(0.75 * (p[L] / p[L]));
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *r)
{
    for (int i = 0; i < 4; i++)
        r[i] = x[i];
    r[4] = 0;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[2];
    F[1] = u[3];
    F[2] = -u[0] * u[4];
    F[3] = -u[1] * u[4] - p[G];
    F[4] = u[0] * u[0] + u[1] * u[1] - p[L] * p[L];
}
#endif
