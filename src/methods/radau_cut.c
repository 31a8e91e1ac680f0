/* radau_cut.c - a step that ends long before it should, at an output or an event
 *
 * An unknown of index k feels what equations leave open divided by h^(k-1): the residual r of the
 * constraints at t_n, which the step before left within its tolerance, would be removed in a step
 * of size h by multipliers of size r/h. It is removed over the length H of the step that was to
 * come instead, as that one would have done:
 *
 *     F(t_n + x H, u_n + z) = (1 - x) r                               in algebraic equations,
 *     g(t_n + x H, q_n + z) = (1 - x)^2 (g_n + (H g'_n + 2 g_n) x)    in index 3 of mechanics,
 *
 * where also g' = dg/dt is not zero at t_n, but of the order of the step before. Newton's tolerance
 * is that of a step of length H, or rounding. What rounding alone makes of unknowns of index 2 and
 * 3, eps/h^(k-1), is left out: where it explains how far they are from the polynomial of the step
 * before, they are left on that.
 */
#include "radau.h"

#include "system/system.h"

#include <math.h>
#include <string.h>

void dae_radau_begin_cut(dae_solver *s, double h)
{
    radau *r = s->stepper;
    const double full = s->adaptive ? s->h : s->options.step;
    r->cut = 2 * h < full;
    r->full_h = r->cut && s->sys->index > 1 ? full : h;
}

void dae_radau_note_residual(dae_solver *s)
{
    const radau *r = s->stepper;
    const dae_system *sys = s->sys;
    memcpy(r->left, r->F0, (size_t)s->n * sizeof *r->left);
    dae_system_keep_algebraic(sys, r->left, r->x);
    if (sys->nq && sys->index == 3)
        dae_system_constraint(s->sys, 1, s->t, s->u, r->left_rate);
}

void dae_radau_keep_residual(const dae_solver *s, double x, double *F)
{
    const radau *r = s->stepper;
    const int first = 2 * s->sys->nq;
    if (s->sys->nq && s->sys->index == 3)
        for (int k = 0; k < s->sys->nl; k++) {
            const double g = r->left[first + k], H_rate = r->full_h * r->left_rate[k];
            F[first + k] -= (1 - x) * (1 - x) * (g + (H_rate + 2 * g) * x);
        }
    else
        for (int i = 0; i < s->n; i++)
            F[i] -= (1 - x) * r->left[i];
}

/* r->F, r->w and r->dw are free. */
void dae_radau_restore(dae_solver *s, double h)
{
    const radau *r = s->stepper;
    const int n = s->n, stages = r->tab->s;
    double *predicted = r->F;
    dae_radau_measure_rounding(s, h);
    dae_radau_level_of_stages(s);
    dae_radau_predict(s, h, predicted);
    for (int i = 0; i < n; i++) {
        double apart = 0;
        for (int k = 0; k < stages; k++)
            apart = fmax(apart, fabs(r->z[k * n + i] - predicted[k * n + i]));
        if (s->variable_index[i] < 2 || !(apart <= RADAU_NEAR * r->level[i]))
            continue;
        for (int k = 0; k < stages; k++)
            r->z[k * n + i] = predicted[k * n + i];
    }
}
