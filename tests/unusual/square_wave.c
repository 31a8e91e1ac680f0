/* square_wave - an oscillator under a force that jumps, at the start too */
#ifndef DAE_PASS
enum { W, T };
#include <daelab/model.h>

const dae_problem dae_square_wave = {
    .name = "square_wave", .title = "an oscillator under a square wave, which jumps at the start", .variables = "x v",
    .units = "m m/s",
    .parameters = {{"w", 1, "1/s", "frequency", DAE_POSITIVE}, {"T", 0.7, "s", "time between jumps", DAE_POSITIVE}},
    .first_order = {.n = 2, .index = 0, .rhs = DAE_MODEL(rhs)}, .start = DAE_MODEL(start), .t_end = 10};
#else
static void FN(start)(const param *p, real *u) { u[0] = u[1] = (real){0}; }
static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = copysign((real){0} + 1, sin(PI * t / p[T])) - p[W] * p[W] * u[0];
}
#endif
