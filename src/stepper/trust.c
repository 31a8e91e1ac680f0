/* trust.c - what first-order problems of index 2 and 3 show after a step far shorter than wanted
 *
 * Where a run begins there is no step before that could be longer (extend.c). Over a first step of
 * size h, as short as a stop asks, an unknown z of index k shows what the start violates of the
 * constraints, and rounding, divided by h^(k-1): e(h) = c/h^(k-1). Steps of a half and a quarter of
 * the size tell: as they get smaller, |z(h) - z_0| falls for a smooth z, and stays for one that
 * jumps at the start; for errors it grows, with h/4 to 4 or 16 times its size. (No parabola does
 * that.) Where the solution changes by less than the tolerance over h, |z(h) - z(h/2)| above it is
 * errors. Then z stays what it is at the start. An estimate of such errors does not fall with h
 * either, and undoes no step in which unknowns of index 1 move along a straight line but for their
 * tolerance. (Mechanical problems show multipliers of the acceleration level: row.c.)
 */
#include "solver.h"

#include <math.h>
#include <string.h>

static const double SHORT = 0.25;       /* of the step to come */
static const double STAYS = 0.75;       /* an estimate with half the step, as a part of it */
static const double GROWS = 2;          /* an error with a quarter of it, at least */

/* Smaller steps than a far stop asks for are the method's own choice. */
static int is_doubtful(const dae_solver *s, double t_end)
{
    return driver(s)->paced && !s->sys->nq && !s->method->own_control
           && t_end - s->t < SHORT * driver(s)->full;
}

/* end[n] := the end of a step of size h from (t, u); u where it fails, with the estimate 0. */
static double end_of(dae_solver *s, double h, double *end)
{
    s->t_new = s->t + h;
    s->h_next = 0;
    s->unsolved = 0;
    dae_cut_begin(s, h, driver(s)->full);
    const dae_status status = s->method->step(s, h, s->t_new);
    dae_cut_end(s);
    const int good = !status && !s->unsolved && dae_vector_finite(s->n, s->u_new);
    memcpy(end, good ? s->u_new : s->u, (size_t)s->n * sizeof *s->u);
    return good ? s->error : 0;
}

void dae_trust_begin(dae_solver *s, double h, double t_end)
{
    const double t_new = s->t_new;
    driver(s)->doubtful = is_doubtful(s, t_end);
    if (!driver(s)->doubtful)
        return;
    s->F_in_work = 0;
    driver(s)->error_of_half = end_of(s, h / 2, driver(s)->half);
    end_of(s, h / 4, driver(s)->half + s->n);
    s->report = (dae_report){0};
    dae_cut_begin(s, h, driver(s)->full);
    s->t_new = t_new;
}

/* u_new := start[n] in those unknowns, where the time that has passed is one in which the solution
 * does not change. For methods that know no half of their first steps. */
void dae_trust_start(dae_solver *s, double time, const double *start)
{
    if (!driver(s)->paced || s->sys->nq || dae_relative_step(s, time) > s->options.rtol)
        return;
    for (int i = 0; i < s->n; i++)
        if (s->variable_index[i] > 1)
            s->u_new[i] = start[i];
}

static double tolerance(const dae_solver *s, int i)
{
    return s->options.rtol * fabs(s->u[i]) + s->atol[i];
}

/* u(h) - 2 u(h/2) + u_0 of all unknowns that are no quotients by h */
static int is_straight(const dae_solver *s)
{
    int i = 0;
    while (i < s->n
           && (s->variable_index[i] > 1
               || fabs(s->u_new[i] - 2 * driver(s)->half[i] + s->u[i]) <= tolerance(s, i)))
        i++;
    return i == s->n;
}

void dae_trust_pass(dae_solver *s)
{
    if (driver(s)->doubtful && !s->unsolved && s->error > 1 && driver(s)->error_of_half >= STAYS * s->error
        && is_straight(s))
        s->error = 1;
}

/* Ends of steps of size h, h/2, h/4 away from z_0 */
static int grows(double whole, double half, double quarter)
{
    return half > whole && quarter > half && quarter > GROWS * whole;
}

static int is_error(const dae_solver *s, int i, int changes)
{
    const double whole = s->u_new[i], half = driver(s)->half[i], quarter = driver(s)->half[s->n + i];
    const double z = s->u[i];
    const double apart = fmax(fabs(whole - half), fabs(half - quarter));
    return apart > tolerance(s, i)
           && (!changes || grows(fabs(whole - z), fabs(half - z), fabs(quarter - z)));
}

void dae_trust_judge(dae_solver *s, double h)
{
    if (!driver(s)->doubtful)
        return;
    const int changes = dae_relative_step(s, h) > s->options.rtol;
    for (int i = 0; i < s->n; i++)
        if (s->variable_index[i] > 1 && is_error(s, i, changes))
            s->u_new[i] = s->u[i];
    s->h = driver(s)->full;
    s->F_in_work = 0;
}
