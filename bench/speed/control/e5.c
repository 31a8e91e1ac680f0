/* e5 - problem E5: a chemical pyrolysis over sixteen decades of time, in amounts of 1e-3 to 1e-23
 *
 *   y1' = -A y1 - B y1 y3,   y2' = A y1 - M C y2 y3,   y3' = A y1 - B y1 y3 - M C y2 y3 + C y4,   y4' = B y1 y3 - C y4
 */
#ifndef DAE_PASS
enum { A, B, C, M };
#include <daelab/model.h>

const dae_problem dae_e5 = {
    .name = "e5", .title = "chemical pyrolysis, stiff over many decades",
    .citation = "Enright, Hull (1976); Hairer, Wanner (1996), Solving Ordinary Differential Equations II, section "
                "IV.10",
    .equations = "y1' = -A y1 - B y1 y3,   y2' = A y1 - M C y2 y3\n"
                 "y3' = A y1 - B y1 y3 - M C y2 y3 + C y4,   y4' = B y1 y3 - C y4",
    .variables = "y1 y2 y3 y4", .units = "- - - -",
    .parameters = {{"A", 7.89e-10, "1/s", "rate", DAE_POSITIVE}, {"B", 1.1e7, "1/s", "rate", DAE_POSITIVE},
                   {"C", 1.13e3, "1/s", "rate", DAE_POSITIVE}, {"M", 1e6, "-", "quotient of rates", DAE_POSITIVE}},
    .first_order = {.n = 4, .index = 0, .rhs = DAE_MODEL(rhs)}, .start = DAE_MODEL(start), .t0 = 0, .t_end = 1e7,
};

#else

static void FN(start)(const param *p, real *u) { u[0] = (real){0} + EXACT(1.76e-3); }

static void FN(rhs)(const param *p, real t, const real *y, real *F)
{
    const real a = p[A] * y[0], b = p[B] * y[0] * y[2], c = p[M] * p[C] * y[1] * y[2], d = p[C] * y[3];
    F[0] = -a - b;
    F[1] = a - c;
    F[2] = (a - c) - (b - d);
    F[3] = b - d;
}

#endif
