/* pace.c - how fast the solution changes, which says whether a step is long or short
 *
 * An error dz of an unknown of index 2 in M u' = f(u, z) moves u by h f_z dz in a step of size h. With
 * f_z z ~ u' and all errors relative to their unknowns, that is h w dz/z with w the part of itself by
 * which u changes in unit time; index 3 counts h w twice. For w stands the mean pace over an interval T,
 *
 *     w = (1 + sum |u_new - u|)/T,   |x| the root mean square of x_i/(|u_i| + atol_i/rtol),
 *
 * the sum over the steps kept since the start and the norm over unknowns with a derivative. T is the
 * time asked for since the start, or that of the problem, whichever is longer: not the time gone, as
 * an unknown that begins at 0 changes by itself at once, however short the step. The 1 is for
 * problems where nothing but z changes.
 */
#include "solver.h"

#include <math.h>

void dae_pace_start(dae_solver *s)
{
    s->t_begun = s->t_target = s->t;
    s->changes = 0;
}

void dae_pace_kept(dae_solver *s)
{
    const double rtol = s->options.rtol, *u = s->u, *v = s->u_new;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        if (dae_system_is_algebraic(s->sys, i))
            continue;
        const double size = fmax(fabs(u[i]), fabs(v[i])) + (rtol > 0 ? s->atol[i] / rtol : 0);
        const double x = size > 0 ? (u[i] - v[i]) / size : 0;
        sum += x * x;
        count++;
    }
    s->changes += count ? sqrt(sum / count) : 0;
}

double dae_relative_step(const dae_solver *s, double h)
{
    const dae_problem *p = s->sys->problem;
    return fmin(1, h * (1 + s->changes) / fmax(p->t_end - p->t0, s->t_target - s->t_begun));
}
