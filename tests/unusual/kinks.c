/* kinks - a rectified drive, a dead zone and a saturation: fabs, fmax and fmin in F */
#ifndef DAE_PASS
enum { F0, ZONE };
#include <daelab/model.h>

const dae_problem dae_kinks = {
    .name = "kinks", .title = "a saturated drive with a dead zone", .variables = "x v i", .units = "m m/s A",
    .parameters = {{"F", 3, "N", "largest force", DAE_POSITIVE}, {"zone", 0.1, "m", "half the dead zone"}},
    .first_order = {.n = 3, .rhs = DAE_MODEL(rhs)}, .start = DAE_MODEL(start), .t_end = 10};
#else
static void FN(start)(const param *p, real *u) { u[0] = 1; }

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const real beyond = fmax(u[0] - p[ZONE], 0.0) + fmin(u[0] + p[ZONE], 0.0);
    F[0] = u[1];
    F[1] = fmax(-p[F0], fmin(p[F0], 10 * u[2])) - 4 * beyond - 0.2 * u[1] * fabs(u[1]);
    F[2] = fabs(sin(2 * t)) - u[2];
}
#endif
