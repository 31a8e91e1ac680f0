/* complex_stage.c - what the complex Rosenbrock methods share: their linear systems */
#include "complex_stage.h"

#include "stepper/implicit.h"

dae_status dae_stage_create(dae_solver *s, dae_stage *g)
{
    const dae_status status = dae_implicit_jacobian(s, &g->jac);
    if (status)
        return status;
    return dae_pencil_create(&g->pencil, &g->jac->pair, s->linear, &s->report);
}

void dae_stage_free(dae_stage *g)
{
    dae_pencil_free(g->pencil);
    dae_jacobian_free(g->jac);
}

dae_status dae_stage_solve(dae_solver *s, dae_stage *g, double h, double a_re, double a_im,
                           const double *restrict F, const double *restrict F_t,
                           double *restrict re, double *restrict im)
{
    for (int i = 0; i < s->n; i++) {
        re[i] = F[i] + h * a_re * F_t[i];
        im[i] = h * a_im * F_t[i];
    }
    const dae_status status = dae_solver_check_finite(s, re, "F + a h F_t", s->t);
    if (status)
        return status;
    s->count.factorizations++;
    const dae_factored factored = dae_pencil_factor(g->pencil, h * a_re, h * a_im);
    if (factored.status)
        return dae_implicit_singular(s, h, factored);
    s->count.solves++;
    return dae_pencil_solve(g->pencil, re, im) ? dae_implicit_unsolved(s, h) : DAE_OK;
}
