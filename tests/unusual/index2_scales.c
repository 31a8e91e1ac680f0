/* index2_scales - a Hessenberg form of index 2 whose unknowns are of sizes 1e-6, 1e-3 and 1e9
 *
 * x' = a w (y/Y)^2 - z, y' = -w Y (x/a - 1) - w y/10, 0 = x - a (1 + sin(w t))
 */
#ifndef DAE_PASS
enum { A, Y, W };
#include <daelab/model.h>

const dae_problem dae_index2_scales = {
    .name = "index2_scales", .title = "index 2, with three scales", .variables = "x y z",
    .units = "mol K mol/s",
    .parameters = {{"a", 1e-6, "mol", "amount", DAE_POSITIVE}, {"Y", 1e9, "K", "temperature", DAE_POSITIVE},
                   {"w", 1e3, "1/s", "frequency", DAE_POSITIVE}},
    .first_order = {.n = 3, .index = 2, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start), .t_end = 5e-3};
#else
static void FN(start)(const param *p, real *u)
{
    u[0] = p[A];
    u[1] = p[Y];
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = x[1];
    r[2] = 0;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = p[A] * p[W] * (u[1] / p[Y]) * (u[1] / p[Y]) - u[2];
    F[1] = -p[W] * p[Y] * (u[0] / p[A] - 1) - p[W] * u[1] / 10;
    F[2] = u[0] - p[A] * (1 + sin(p[W] * t));
}
#endif
