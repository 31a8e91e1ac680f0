/* pace.c - how fast the solution changes, which says whether a step is long or short
 *
 * An error dz of an unknown of index 2 in M u' = f(u, z) moves u by h f_z dz in a step of size h.
 * With f_z z ~ u' and all errors relative to their unknowns, that is h w dz/z with w the part of
 * itself by which u changes in unit time; index 3 counts h w twice. For w stands the mean pace
 * since the start,
 *
 *     w = 1/T + sum |u_old - u|/max(t - t_begin, T/10),
 *
 * |x| the root mean square of x_i/(|u_i| + atol_i/rtol) over unknowns of index 1 with a derivative,
 * which those of higher index drive. T is the time asked for since the start, or that of the
 * problem, whichever is longer. It is there for the beginning, as an unknown that begins at 0
 * changes by itself at once, however short the step, and for problems where nothing but z changes.
 *
 * The z with f_z z ~ u' is one of usual size. What is shown of multipliers and accelerations of
 * mechanical systems is what belongs to q and v (row.c), so that theirs need not be exact where
 * they pass 0: they are measured against their largest value since the start. Radau takes h/T for h
 * w instead, as they are.
 */
#include "solver.h"

#include <math.h>

void dae_pace_start(dae_solver *s)
{
    s->t_begin = s->t_end = s->t;
    driver(s)->changes = 0;
    for (int i = 0; driver(s)->largest && i < s->n; i++)
        driver(s)->largest[i] = 0;
}

static void see_sizes(dae_solver *s)
{
    for (int i = 2 * s->sys->nq; i < s->n; i++)
        driver(s)->largest[i] = fmax(driver(s)->largest[i], fabs(s->u[i]));
}

void dae_pace_kept(dae_solver *s)
{
    const double rtol = s->options.rtol, *u = s->u, *v = s->u_old;
    double sum = 0;
    int count = 0;
    if (driver(s)->largest)
        see_sizes(s);
    for (int i = 0; i < s->n; i++) {
        if (dae_system_is_algebraic(s->sys, i) || s->variable_index[i] > 1)
            continue;
        const double size = fmax(fabs(u[i]), fabs(v[i])) + (rtol > 0 ? s->atol[i] / rtol : 0);
        const double x = size > 0 ? (u[i] - v[i]) / size : 0;
        sum += x * x;
        count++;
    }
    driver(s)->changes += count ? sqrt(sum / count) : 0;
}

static double interval(const dae_solver *s)
{
    return fmax(s->sys->problem->t_end - s->sys->problem->t0, s->t_end - s->t_begin);
}

double dae_part_of_interval(const dae_solver *s, double h)
{
    return fmin(1, h / interval(s));
}

double dae_relative_step(const dae_solver *s, double h)
{
    const double T = interval(s);
    return fmin(1, h * (1 / T + driver(s)->changes / fmax(s->t - s->t_begin, T / 10)));
}

double dae_index_scale(const dae_solver *s, double h)
{
    return !driver(s)->paced ? 1 : s->by_interval ? dae_part_of_interval(s, h) : dae_relative_step(s, h);
}
