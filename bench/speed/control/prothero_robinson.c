/* prothero_robinson - a slow solution that is imposed on a fast linear system, in large numbers
 *
 *   y_i' = lambda_i (y_i - a cos(w t + i)) - a w sin(w t + i),   y_i = a cos(w t + i) but for the start
 */
#ifndef DAE_PASS
enum { A, W, LAMBDA, N = 3 };
#include <daelab/model.h>

const dae_problem dae_prothero_robinson = {
    .name = "prothero_robinson", .title = "slow solution of a fast linear system",
    .citation = "Prothero, Robinson (1974), Math. Comp. 28, 145-162",
    .equations = "y_i' = -lambda 30^i (y_i - a cos(w t + i)) - a w sin(w t + i)",
    .variables = "y1 y2 y3", .units = "Pa Pa Pa",
    .parameters = {{"a", 1e5, "Pa", "amplitude", DAE_POSITIVE}, {"w", 0.01, "1/s", "frequency", DAE_POSITIVE},
                   {"lambda", 10, "1/s", "smallest rate", DAE_POSITIVE}},
    .first_order = {.n = N, .index = 0, .rhs = DAE_MODEL(rhs)}, .start = DAE_MODEL(start), .t0 = 0, .t_end = 1000,
};

#else

static void FN(start)(const param *p, real *u)
{
    for (int i = 0; i < N; i++)
        u[i] = (real){0} + 2 * p[A];
}

static void FN(rhs)(const param *p, real t, const real *y, real *F)
{
    param lambda = p[LAMBDA];
    for (int i = 0; i < N; i++, lambda *= 30)
        F[i] = -lambda * (y[i] - p[A] * cos(p[W] * t + i)) - p[A] * p[W] * sin(p[W] * t + i);
}

#endif
