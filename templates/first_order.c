/* NAME - a substance decays into a second one, and that into a third; their sum is the third equation
 *
 *     daelab check ./NAME.c                       do its functions agree with each other?
 *     daelab converge ./NAME.c                    errors and orders
 *     daelab solve ./NAME.c --rtol 1e-8 --method radau --plot NAME.svg
 *
 *     M u' = F(t, u),   M constant, perhaps singular
 *
 * Everything below is yours to change. The functions are compiled for double, dual and quad numbers: a
 * `param` is made of parameters only, a `real` is what the time or the state enters.
 */
#ifndef DAE_PASS
enum { FAST, SLOW };                    /* p[FAST], p[SLOW] below, in the order of .parameters */
#include <daelab/model.h>

const dae_problem dae_NAME = {
    .name = "NAME", .title = "two decays and a balance", .citation = "where the equations come from",
    .equations = "a' = -k1 a,  b' = k1 a - k2 b,  0 = a + b + c - 1",
    .variables = "a b c", .units = "mol mol mol",
    .parameters = {{"k1", 3, "1/s", "rate of the first decay", DAE_NONNEGATIVE},
                   {"k2", 1, "1/s", "rate of the second", DAE_NONNEGATIVE}},
    .first_order = {.n = 3, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start), .t0 = 0, .t_end = 2};
DAE_PLUGIN_PROBLEMS(&dae_NAME);
#else

/* u at t0; what is left out is 0. */
static void FN(start)(const param *p, real *u)
{
    u[0] = 1;
}

/* r = M x: the third equation has no derivative. Without a mass M is the identity. */
static void FN(mass)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = x[1];
    r[2] = 0;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = -p[FAST] * u[0];
    F[1] = p[FAST] * u[0] - p[SLOW] * u[1];
    F[2] = u[0] + u[1] + u[2] - 1;
}
#endif
