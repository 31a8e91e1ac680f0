/* late_start - a driven oscillator from t0 = 1e6 s on, where a double number of time has 1e-10 s */
#ifndef DAE_PASS
enum { W };
#include <daelab/model.h>

const dae_problem dae_late_start = {
    .name = "late_start", .title = "an oscillator at t = 1e6", .variables = "x v", .units = "m m/s",
    .parameters = {{"w", 3, "1/s", "frequency", DAE_POSITIVE}},
    .first_order = {.n = 2, .rhs = DAE_MODEL(rhs)}, .start = DAE_MODEL(start), .t0 = 1e6, .t_end = 1e6 + 4};
#else
static void FN(start)(const param *p, real *u) { u[1] = 1; }

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = cos(p[W] * t) - u[0] - 0.1 * u[1];
}
#endif
