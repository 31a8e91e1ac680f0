/* late_branch.c - y'' = -y, and from t = 1.9 on a push of PUSH; test_cache loads it with two values */
#ifndef DAE_PASS
#include <daelab/model.h>

static void start(const double *p, double *u) { u[0] = 1; }

const dae_problem late_branch = {
    .name = "late_branch", .title = "an oscillator that is pushed late", .citation = "a test",
    .equations = "y' = v, v' = -y + push", .variables = "y v", .units = "m m/s",
    .first_order = {.n = 2, .index = 0, .rhs = DAE_MODEL(rhs)}, .start = {start}, .t_end = 1};
#else
static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -u[0];
    if (value(t) > 1.9)
        F[1] += PUSH;
}
#endif
