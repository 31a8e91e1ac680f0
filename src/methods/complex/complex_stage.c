/* complex_stage.c - one stage of a complex Rosenbrock method */
#include "complex_stage.h"

dae_status dae_stage_solve(dae_solver *s, dae_linearised *l, double h, double a_re, double a_im,
                           const double *restrict F, const double *restrict F_t,
                           double *restrict re, double *restrict im)
{
    for (int i = 0; i < s->n; i++) {
        re[i] = F[i] + h * a_re * F_t[i];
        im[i] = h * a_im * F_t[i];
    }
    dae_status status = dae_solver_check_finite(s, re, "F + a h F_t", s->t);
    if (!status)
        status = dae_implicit_factor(s, l->pencil, h, h * a_re, h * a_im);
    return status ? status : dae_implicit_solve(s, l->pencil, h, re, im);
}
