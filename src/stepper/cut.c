/* cut.c - a very short step does not correct the whole residual of the constraints
 *
 * In index 2 and 3 a step removes the residual of the constraints that earlier errors have left. It does so
 * by multipliers of the size of the residual over h, or h^2, and velocities of the residual over h. With
 * h = 1e-9 that gives forces of 1e9 N, and disturbs the velocities along the constraints, from which the next
 * steps begin. If h is less than a quarter of the proposed step size H, such a method therefore solves with
 *
 *     F - (1 - h/H) r,    r the residual of the algebraic equations of F(t, u),
 *
 * which removes the part h/H of the residual. Mechanical systems begin this step, and the one after it, with
 * the multipliers and velocities of output.c.
 */
#include "solver.h"

#include "output.h"

static const double SHORT = 0.25;       /* h/H below this */

void dae_cut_begin(dae_solver *s, double h, double full)
{
    s->cut = driver(s)->cuts && h < SHORT * full;
    if (s->cut || driver(s)->was_cut)
        dae_output_adopt(s);
    if (!s->cut)
        return;
    dae_system_rhs(s->sys, s->t, s->u, driver(s)->open);
    s->count.rhs++;
    s->F_in_work = 0;
    dae_system_keep_algebraic(s->sys, driver(s)->open, s->work);
    for (int i = 0; i < s->n; i++)
        driver(s)->open[i] *= 1 - h / full;
    s->sys->open = driver(s)->open;
}

void dae_cut_end(dae_solver *s)
{
    s->sys->open = NULL;
}
