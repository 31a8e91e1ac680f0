/* uncharged - a capacitor across a source that begins at zero: index 2, and all that has a derivative is zero at first
 *
 * C v' = i - v/R, 0 = v - V sin(w t);  i = C V w cos(w t) + V/R sin(w t)
 */
#ifndef DAE_PASS
enum { R, C, V, W };
#include <daelab/model.h>

const dae_problem dae_uncharged = {
    .name = "uncharged", .title = "a capacitor across a source, at rest", .variables = "v i", .units = "V A",
    .parameters = {{"R", 10, "Ohm", "resistor", DAE_POSITIVE}, {"C", 0x1p-20, "F", "capacitor", DAE_POSITIVE},
                   {"V", 5, "V", "amplitude"}, {"w", 6283, "1/s", "angular frequency"}},
    .first_order = {.n = 2, .index = 2, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start), .t_end = 5e-3};
#else
static void FN(start)(const param *p, real *u)
{
    u[0] = 0;
    u[1] = p[C] * p[V] * p[W];
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = p[C] * x[0];
    r[1] = 0;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1] - u[0] / p[R];
    F[1] = u[0] - p[V] * sin(p[W] * t);
}
#endif
