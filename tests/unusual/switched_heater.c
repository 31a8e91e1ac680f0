/* switched_heater - F jumps in time: a heater that is on from t = 0.3 to 0.7, and a clock that counts */
#ifndef DAE_PASS
enum { POWER };
#include <daelab/model.h>

const dae_problem dae_switched_heater = {
    .name = "switched_heater", .title = "a heater that is switched by the clock", .variables = "T S",
    .units = "K K", .parameters = {{"power", 50, "K/s", "of the heater", DAE_NONNEGATIVE}},
    .first_order = {.n = 2, .rhs = DAE_MODEL(rhs)}, .start = DAE_MODEL(start), .t_end = 1};
#else
static void FN(start)(const param *p, real *u) { u[0] = u[1] = 293; }

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = -2 * (u[0] - u[1]);
    F[1] = u[0] - u[1] - 0.1 * (u[1] - 293);
    if (value(t) >= 0.3 && value(t) < 0.7)
        F[0] += p[POWER];
}
#endif
