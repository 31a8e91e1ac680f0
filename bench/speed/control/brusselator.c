/* brusselator - an oscillating reaction that diffuses along a line
 *
 *   u_i' = 1 + u_i^2 v_i - 4 u_i + alpha (N + 1)^2 (u_(i-1) - 2 u_i + u_(i+1)),   u_0 = u_(N+1) = 1
 *   v_i' = 3 u_i - u_i^2 v_i + alpha (N + 1)^2 (v_(i-1) - 2 v_i + v_(i+1)),       v_0 = v_(N+1) = 3
 */
#ifndef DAE_PASS
enum { ALPHA, N = 12 };
#include <daelab/model.h>

const dae_problem dae_brusselator = {
    .name = "brusselator", .title = "Brusselator with diffusion",
    .citation = "Hairer, Wanner (1996), Solving Ordinary Differential Equations II, section IV.1",
    .equations = "u' = 1 + u^2 v - 4 u + alpha u_xx,   v' = 3 u - u^2 v + alpha v_xx",
    .variables = "u1 u2 u3 u4 u5 u6 u7 u8 u9 u10 u11 u12 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12",
    .units = "- - - - - - - - - - - - - - - - - - - - - - - -",
    .parameters = {{"alpha", 0.02, "1/s", "diffusion", DAE_POSITIVE}},
    .first_order = {.n = 2 * N, .index = 0, .rhs = DAE_MODEL(rhs)}, .start = DAE_MODEL(start), .t0 = 0, .t_end = 10,
};

#else

static void FN(start)(const param *p, real *u)
{
    for (int i = 0; i < N; i++) {
        u[i] = (real){0} + 1 + sin(2 * PI * (i + 1) / (N + 1));
        u[N + i] = (real){0} + 3;
    }
}

/* alpha x_xx in point i, with this value at both ends */
static real FN(diffusion)(const param *p, const real *x, int i, double end)
{
    const real left = i > 0 ? x[i - 1] : (real){0} + end, right = i < N - 1 ? x[i + 1] : (real){0} + end;
    return p[ALPHA] * ((N + 1) * (N + 1)) * (left - 2 * x[i] + right);
}

static void FN(rhs)(const param *p, real t, const real *y, real *F)
{
    const real *v = y + N;
    for (int i = 0; i < N; i++) {
        const real reaction = y[i] * y[i] * v[i];
        F[i] = 1 + reaction - 4 * y[i] + FN(diffusion)(p, y, i, 1);
        F[N + i] = 3 * y[i] - reaction + FN(diffusion)(p, v, i, 3);
    }
}

#endif
