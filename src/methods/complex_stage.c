/* complex_stage.c - what the complex Rosenbrock methods share: their linear systems */
#include "complex_stage.h"

dae_status dae_stage_create(dae_solver *s, dae_stage *g)
{
    const dae_linear_kind asked = s->options.linear;
    const int large = dae_linear_choose(s->n, 0) == DAE_LINEAR_KLU;
    const int sparse = asked == DAE_LINEAR_KLU || (asked == DAE_LINEAR_BEST && large);
    const dae_status status =
        dae_jacobian_create(&g->jac, s->sys, s->options.jacobian, sparse, &s->report);
    if (status)
        return status;
    g->jac->count = &s->count;
    s->jacobian = g->jac->kind;
    s->linear = asked == DAE_LINEAR_BEST ? dae_linear_choose(s->n, g->jac->pattern.nnz) : asked;
    return dae_pencil_create(&g->pencil, g->jac, s->linear, &s->report);
}

void dae_stage_free(dae_stage *g)
{
    dae_pencil_free(g->pencil);
    dae_jacobian_free(g->jac);
}

static dae_status singular(dae_solver *s, double h, int column)
{
    char name[32], unit[32];
    dae_system_unknown(s->sys, column, name, unit, (int)sizeof name);
    return dae_fail(&s->report, DAE_SINGULAR, "t = %.9g: the pencil M - a h J is singular at "
                    "unknown %d (%s), h = %g", s->t, column + 1, name, h);
}

dae_status dae_stage_solve(dae_solver *s, dae_stage *g, double h, double a_re, double a_im,
                           const double *restrict F, const double *restrict F_t,
                           double *restrict re, double *restrict im)
{
    int column;
    for (int i = 0; i < s->n; i++) {
        re[i] = F[i] + h * a_re * F_t[i];
        im[i] = h * a_im * F_t[i];
    }
    const dae_status status = dae_solver_check_finite(s, re, "F + a h F_t", s->t);
    if (status)
        return status;
    s->count.factorizations++;
    if (dae_pencil_factor(g->pencil, h * a_re, h * a_im, &column))
        return singular(s, h, column);
    s->count.solves++;
    return dae_pencil_solve(g->pencil, re, im) ? singular(s, h, 0) : DAE_OK;
}
