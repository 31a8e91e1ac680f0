/* very_stiff - relaxation with rates of 1e15/s and 1e-3/s beside each other, and an equation of 1e15 times 0 */
#ifndef DAE_PASS
enum { FAST, SLOW };
#include <daelab/model.h>

const dae_problem dae_very_stiff = {
    .name = "very_stiff", .title = "rates of 1e15 and 1e-3", .variables = "u w z", .units = "- - -",
    .parameters = {{"fast", 1e15, "1/s", "fast rate", DAE_POSITIVE},
                   {"slow", 1e-3, "1/s", "slow rate", DAE_POSITIVE}},
    .first_order = {.n = 3, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start), .t_end = 100};
#else
static void FN(start)(const param *p, real *u)
{
    u[0] = 1;
    u[1] = 2;
    u[2] = 3;
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = x[1];
    r[2] = 0;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = -p[FAST] * (u[0] - cos(p[SLOW] * t));
    F[1] = -p[SLOW] * u[1] * u[1];
    F[2] = p[FAST] * (u[2] - u[0] - u[1]);
}
#endif
