/* rate.c - the relative rate of change w of the solution, and the scale h w of the error norm
 *
 * An error dz of an unknown of index 2 in M u' = f(u, z) changes u by h f_z dz in a step of size h. With
 * f_z z ~ u', the relative change of u is h w dz/z, where w = |u'|/|u| is the relative rate of change.
 * For index 3 the factor is (h w)^2. w is that of the solution as far as it is known, whatever comes later:
 *
 *     w = (1 + V)/T,   T = max(t - t_begin, T_0),
 *
 * with V the root mean square, over the differential unknowns of index 1, of the way each has gone, sum |u_old - u|
 * over the steps, relative to max |u| + atol/rtol. What grows from 0 makes it 1, however often it doubles. 1/T is for
 * problems where only z changes. T_0 is the time scale of the start: |u|/|u'|, or the root of 2 |u|/|u''| where u' is
 * small, of positions, or unknowns of index 1, in units of their tolerances. |u| is that of what moves, at least
 * the smaller of |u| and 1/rtol: a body at rest has no part, however far it is. Where q' is not small, T_0 is at most
 * the root of 6 |q'|/|q'''|, q''' with multipliers as they are, wherever q is counted from. Without T_0 an error of z
 * that does not fall with h, as of low orders in index 3 or of rounding, would pass in no first step.
 *
 * The estimate f_z z ~ u' holds for a z of typical magnitude. The multipliers and accelerations that are
 * output for mechanical systems are computed from q and v (output.c). So those of the method need no relative
 * accuracy where they pass 0, and their errors are measured relative to their largest value since the start.
 * Methods that set index_scale_by_interval (Radau) take h/T for h w, with T_0 twice as long, as Newton's iteration
 * does, and the present value instead of the largest.
 */
#include "solver.h"

#include <math.h>
#include <string.h>

static const double SLOWER = 2;         /* times T_0, of Newton's iteration */

void dae_rate_start(dae_solver *s)
{
    dae_driver *d = driver(s);
    s->t_begin = s->t_end = s->t;
    d->variation = d->time_scale = 0;
    if (!d->scales_by_rate)
        return;
    memset(d->path, 0, (size_t)s->n * sizeof *d->path);
    for (int i = 0; i < s->n; i++)
        d->largest[i] = dae_indices(s)[i] > 1 ? 0 : fabs(s->u[i]);
}

/* Is unknown or component i one whose relative change counts: a position, or else of index 1 with a derivative? */
static int counts(const dae_solver *s, int i)
{
    return dae_has_derivative(s, i) && dae_indices(s)[i] < 2;
}

/* The root mean square of x[n] in units of absolute tolerances, where 0 is taken for unknowns with by = then = 0 unless
 * all count */
static double size_of(const dae_solver *s, const double *x, int all, const double *by, const double *then)
{
    const int end = s->sys->nq > 0 ? s->sys->nq : s->n;
    double sum = 0;
    int count = 0;
    x = dae_by_index(s, x);
    for (int i = 0; i < end; i++)
        if (counts(s, i)) {
            const double y = x[i] / (s->atol[i] > 0 ? s->atol[i] : s->options.rtol * fabs(s->u[i]));
            sum += all || by[i] != 0 || then[i] != 0 ? y * y : 0;
            count++;
        }
    return count ? sqrt(sum / count) : 0;
}

/* The root of a + b T = c T^2/2 */
static double root(double a, double b, double c) { return (b + sqrt(b * b + 2 * a * c)) / c; }

void dae_rate_begin(dae_solver *s, const double *du, const double *ddu, double h)
{
    const double b = size_of(s, du, 1, NULL, NULL), c = size_of(s, ddu, 1, NULL, NULL);
    const double all = size_of(s, s->u, 1, NULL, NULL), relative = 1 / s->options.rtol;
    const double moving = size_of(s, s->u, driver(s)->components != NULL, du, ddu);
    const double a = fmax(moving, all > 1 ? fmin(all, relative) : relative);
    double T = fmin(a / b, root(a, b, c));
    if (s->sys->nq > 0)                                 /* b + c T/2 = d T^2/6 */
        T = fmin(T, root(b, c / 2, size_of(s, ddu + s->sys->nq, 1, NULL, NULL) / 3));
    driver(s)->time_scale = T > 0 && isfinite(T) ? T : h;
}

/* path := path + by times the way of the last step */
static void add_way(dae_solver *s, double by)
{
    dae_driver *d = driver(s);
    const double *u = s->u, *v = s->u_old, *moved = d->components ? dae_components_apart(d->components, u, v) : NULL;
    for (int i = 0; i < s->n; i++)
        d->path[i] += by * fabs(moved ? moved[i] : u[i] - v[i]);
}

void dae_rate_kept(dae_solver *s)
{
    dae_driver *d = driver(s);
    const double rtol = s->options.rtol;
    double sum = 0;
    int count = 0;
    add_way(s, 1);
    for (int i = 0; i < s->n; i++) {
        d->largest[i] = fmax(d->largest[i], fabs(s->u[i]));
        if (!counts(s, i))
            continue;
        const double size = d->largest[i] + (rtol > 0 ? s->atol[i] / rtol : 0), x = size > 0 ? d->path[i] / size : 0;
        sum += x * x;
        count++;
    }
    d->variation = count ? sqrt(sum / count) : 0;
}

void dae_rate_undo(dae_solver *s)
{
    add_way(s, -1);
    driver(s)->variation = driver(s)->variation_before;
}

static double time_scale(const dae_solver *s)
{
    return fmax(s->t - s->t_begin, driver(s)->time_scale);
}

void dae_rate_follow(dae_solver *s, const dae_solver *other)
{
    driver(s)->time_scale = time_scale(other);
    driver(s)->variation = driver(other)->variation;
}

double dae_part_of_time(const dae_solver *s, double h)
{
    return fmin(1, h / fmax(time_scale(s), SLOWER * driver(s)->time_scale));
}

double dae_relative_step(const dae_solver *s, double h)
{
    return fmin(1, h * (1 + driver(s)->variation) / time_scale(s));
}

double dae_index_scale(const dae_solver *s, double h)
{
    if (!driver(s)->scales_by_rate)
        return 1;
    return s->index_scale_by_interval ? dae_part_of_time(s, h) : dae_relative_step(s, h);
}
