/* short_start.c - unknowns of index 2 and 3 after a very short step, in first-order problems
 *
 * An output time or t_end may make the first step of a run much shorter than the error estimate allows.
 * (Later steps are made longer instead, driver/extend.c.) After a step of size h, an unknown z of index k
 * contains the constraint residual of the initial values, and rounding errors, divided by h^(k-1):
 * e(h) = c/h^(k-1). Steps of size h/2 and h/4 reveal such errors. As h decreases, z(h) - z_0 decreases as a
 * parabola does for a smooth z, and stays constant for one that jumps at the start; where errors dominate it does
 * neither. If the solution changes by less than the tolerance over h, |z(h) - z(h/2)| above the tolerance consists of
 * errors. In both cases z keeps its initial value.
 *
 * The error estimate of such a step does not decrease with h either. So the step is not rejected if the
 * unknowns of index 1 lie on a straight line within their tolerance. Mechanical problems need none of this:
 * their multipliers are computed from the acceleration level (output.c).
 */
#include "solver.h"

#include <math.h>
#include <string.h>

static const double SHORT = 0.25;       /* h below this part of the proposed step size is examined, ... */
static const double BRIEF = 0.01;       /* ... and below this part of the time in which the solution changes */
static const double STAYS = 0.75;       /* error estimate of h/2 over that of h: it does not decrease */
static const double BENT = 0.25;        /* of z - z_0, off a line: errors dominate */

/* Only steps that end at t_end are examined; other short steps are chosen by the error control. */
static int is_doubtful(const dae_solver *s, double t_end)
{
    return driver(s)->scales_by_rate && !s->sys->nq && !s->method->own_control
           && t_end - s->t < SHORT * driver(s)->full && dae_relative_step(s, t_end - s->t) < BRIEF;
}

/* end[n] := the result of a step of size h from (t, u); returns its error estimate. Where the step fails,
 * end := u, 0 is returned, and half_failed set: it confirms nothing. */
static double end_of(dae_solver *s, double h, double *end)
{
    s->t_new = s->t + h;
    h = s->t_new - s->t;                                /* of the times */
    s->h_next = 0;
    s->newton_failed = 0;
    dae_cut_begin(s, h, driver(s)->full);
    const dae_status status = s->method->step(s, h, s->t_new);
    dae_cut_end(s);
    const int good = !status && !s->newton_failed && dae_vector_finite(s->n, s->u_new);
    driver(s)->half_failed |= !good;
    memcpy(end, good ? s->u_new : s->u, (size_t)s->n * sizeof *s->u);
    return good ? s->error : 0;
}

void dae_short_start_begin(dae_solver *s, double h, double t_end)
{
    const double t_new = s->t_new;
    driver(s)->is_short = is_doubtful(s, t_end);
    if (!driver(s)->is_short)
        return;
    s->F_in_work = driver(s)->half_failed = 0;
    driver(s)->error_of_half = end_of(s, h / 2, driver(s)->half);
    end_of(s, h / 4, driver(s)->half + s->n);
    s->report = (dae_report){0};
    dae_cut_begin(s, h, driver(s)->full);
    s->t_new = t_new;
}

/* u_new := start[n] in unknowns of index 2 and 3, where the solution cannot have changed in this time. For
 * methods with own_control, which do not make first steps of half the size. */
void dae_short_start_start(dae_solver *s, double time, const double *start)
{
    if (!driver(s)->scales_by_rate || s->sys->nq || dae_relative_step(s, time) > s->options.rtol)
        return;
    dae_take_higher_index(s, start, s->u_new);
}

static double tolerance(const dae_solver *s, int i)
{
    return s->options.rtol * fabs(s->u[i]) + s->atol[i];
}

/* |u(h) - 2 u(h/2) + u_0| is within the tolerance, for all unknowns of index 1. Overwrites work. */
static int is_straight(dae_solver *s)
{
    const int *index = dae_indices(s);
    for (int i = 0; i < s->n; i++)
        s->work[i] = s->u_new[i] - 2 * driver(s)->half[i] + s->u[i];
    s->F_in_work = 0;
    const double *bent = dae_by_index(s, s->work);
    int i = 0;
    while (i < s->n && (index[i] > 1 || fabs(bent[i]) <= tolerance(s, i)))
        i++;
    return i == s->n;
}

void dae_short_start_pass(dae_solver *s)
{
    const dae_driver *d = driver(s);
    if (d->is_short && !s->newton_failed && s->error > 1 && d->error_of_half >= STAYS * s->error
        && is_straight(s))
        s->error = 1;
}

/* Arguments: z - z_0 after steps of size h, h/2, h/4. Errors are larger in the shorter ones. On a line, with or without
 * a jump at the start, half - quarter is (whole - half)/2, and on a parabola without one it is off by 3/16 of the
 * largest at most. */
static int is_bent(double whole, double half, double quarter)
{
    const double most = fmax(fabs(half), fabs(quarter));
    return most > fabs(whole) && fabs(half - quarter - (whole - half) / 2) > BENT * most;
}

/* All of them in what has an index of its own: the ends of the steps, and start[n] where they begin */
static int is_error(const dae_solver *s, const double *start, int i, int changes)
{
    const double whole = s->u_new[i], half = driver(s)->half[i],
                 quarter = driver(s)->half[s->n + i], z = start[i];
    const double apart = fmax(fabs(whole - half), fabs(half - quarter));
    return apart > tolerance(s, i)
           && (!changes || driver(s)->half_failed || is_bent(whole - z, half - z, quarter - z));
}

void dae_short_start_judge(dae_solver *s, double h)
{
    if (!driver(s)->is_short)
        return;
    const int changes = dae_relative_step(s, h) > s->options.rtol, *index = dae_indices(s);
    double *start = s->work;
    memcpy(start, s->u, (size_t)s->n * sizeof *start);
    dae_put_by_index(s, start);
    dae_put_by_index(s, s->u_new);
    dae_put_by_index(s, driver(s)->half);
    dae_put_by_index(s, driver(s)->half + s->n);
    for (int i = 0; i < s->n; i++)
        if (index[i] > 1 && is_error(s, start, i, changes))
            s->u_new[i] = start[i];
    if (driver(s)->components) {
        memcpy(start, s->u_new, (size_t)s->n * sizeof *start);
        dae_components_back(driver(s)->components, start, s->u_new);
    }
    s->h = driver(s)->full;
    s->F_in_work = 0;
}
