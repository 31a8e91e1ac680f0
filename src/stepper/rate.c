/* rate.c - the mean relative rate of change w of the solution, and the scale h w of the error norm
 *
 * An error dz of an unknown of index 2 in M u' = f(u, z) changes u by h f_z dz in a step of size h. With
 * f_z z ~ u', the relative change of u is h w dz/z, where w = |u'|/|u| is the relative rate of change.
 * For index 3 the factor is (h w)^2. w is taken as the mean since the start,
 *
 *     w = 1/T + sum |u_old - u|/max(t - t_begin, T/10),
 *
 * with |x| the root mean square of x_i/(|u_i| + atol_i/rtol) over the differential unknowns of index 1. The
 * sum is over the steps. T is the time from the start to t_end, or the length of the problem's interval if
 * that is longer. 1/T bounds w from below, for problems where only z changes. T/10 in the denominator is for
 * the first steps: the relative change of an unknown that starts at 0 is 1, however short the step.
 *
 * The estimate f_z z ~ u' holds for a z of typical magnitude. The multipliers and accelerations that are
 * output for mechanical systems are computed from q and v (output.c). So those of the method need no relative
 * accuracy where they pass 0, and their errors are measured relative to their largest value since the start.
 * Methods that set index_scale_by_interval (Radau) take h/T for h w, and the present value instead of the
 * largest.
 */
#include "solver.h"

#include <math.h>

void dae_rate_start(dae_solver *s)
{
    s->t_begin = s->t_end = s->t;
    driver(s)->variation = 0;
    for (int i = 0; driver(s)->largest && i < s->n; i++)
        driver(s)->largest[i] = 0;
}

static void see_sizes(dae_solver *s)
{
    for (int i = 2 * s->sys->nq; i < s->n; i++)
        driver(s)->largest[i] = fmax(driver(s)->largest[i], fabs(s->u[i]));
}

void dae_rate_kept(dae_solver *s)
{
    const double rtol = s->options.rtol, *u = s->u, *v = s->u_old, *moved = NULL;
    const int *index = dae_indices(s);
    double sum = 0;
    int count = 0;
    if (driver(s)->largest)
        see_sizes(s);
    if (driver(s)->components)
        moved = dae_components_apart(driver(s)->components, u, v);
    for (int i = 0; i < s->n; i++) {
        if (!dae_has_derivative(s, i) || index[i] > 1)
            continue;
        const double size = fmax(fabs(u[i]), fabs(v[i])) + (rtol > 0 ? s->atol[i] / rtol : 0);
        const double x = size > 0 ? (moved ? moved[i] : u[i] - v[i]) / size : 0;
        sum += x * x;
        count++;
    }
    driver(s)->variation += count ? sqrt(sum / count) : 0;
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
    return fmin(1, h * (1 / T + driver(s)->variation / fmax(s->t - s->t_begin, T / 10)));
}

double dae_index_scale(const dae_solver *s, double h)
{
    if (!driver(s)->scales_by_rate)
        return 1;
    return s->index_scale_by_interval ? dae_part_of_interval(s, h) : dae_relative_step(s, h);
}
