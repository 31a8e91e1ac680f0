/* trust.c - what a first-order problem of index 2 or 3 shows after a step far shorter than asked for
 *
 * Where a run begins there is no step before that could be longer (extend.c). Over a first step of
 * size h, as short as a stop asks, an unknown z of index k shows what the start violates of the
 * constraints, and rounding, divided by h^(k-1): e(h) = c/h^(k-1). A step of half the size tells:
 *
 *     |z(h) - z(h/2)|/|z(h) - z_0| = 1/2 for a smooth z, 0 for one that jumps at the start,
 *                                    2^(k-1) - 1 for errors,
 *
 * the same again with h/4, as errors are no power of h alone; and where the solution changes by less
 * than the tolerance over h, |z(h) - z(h/2)| above it is errors. Then z stays what it is at the
 * start. An estimate of such errors does not fall with h either, and undoes no step. (Mechanical
 * problems show multipliers of the acceleration level: row.c.)
 */
#include "solver.h"

#include <math.h>
#include <string.h>

static const double SHORT = 0.25;       /* of the step to come */
static const double SMOOTH = 0.75;

/* Smaller steps than a far stop asks for are the method's own choice. */
static int is_doubtful(const dae_solver *s, double t_end)
{
    return s->paced && !s->sys->nq && !s->method->own_control && t_end - s->t < SHORT * s->full;
}

/* end[n] := the end of a step of size h from (t, u); u where it fails, with the estimate 0. */
static double end_of(dae_solver *s, double h, double *end)
{
    s->t_new = s->t + h;
    s->h_next = 0;
    dae_cut_begin(s, h, s->full);
    const dae_status status = s->method->step(s, h, s->t_new);
    dae_cut_end(s);
    const int good = !status && dae_vector_finite(s->n, s->u_new);
    memcpy(end, good ? s->u_new : s->u, (size_t)s->n * sizeof *s->u);
    return good ? s->error : 0;
}

void dae_trust_begin(dae_solver *s, double h, double t_end)
{
    const double t_new = s->t_new;
    s->doubtful = is_doubtful(s, t_end);
    if (!s->doubtful)
        return;
    s->F_in_work = 0;
    s->error_of_half = end_of(s, h / 2, s->half);
    end_of(s, h / 4, s->half + s->n);
    s->report = (dae_report){0};
    dae_cut_begin(s, h, s->full);
    s->t_new = t_new;
}

/* u_new := start[n] in those unknowns, where the time that has passed is one in which the solution
 * does not change. For methods that know no half of their first steps. */
void dae_trust_start(dae_solver *s, double time, const double *start)
{
    if (!s->paced || s->sys->nq || dae_relative_step(s, time) > s->options.rtol)
        return;
    for (int i = 0; i < s->n; i++)
        if (s->variable_index[i] > 1)
            s->u_new[i] = start[i];
}

void dae_trust_pass(dae_solver *s)
{
    if (s->doubtful && s->error_of_half >= SMOOTH * s->error)
        s->error = fmin(s->error, 1);
}

static int is_error(double z, double half, double start, double tolerance, int changes)
{
    return fabs(z - half) > fmax(tolerance, changes ? SMOOTH * fabs(z - start) : 0);
}

void dae_trust_judge(dae_solver *s, double h)
{
    if (!s->doubtful)
        return;
    const int changes = dae_relative_step(s, h) > s->options.rtol;
    const double *half = s->half, *quarter = half + s->n;
    for (int i = 0; i < s->n; i++) {
        const double z = s->u[i], tolerance = s->options.rtol * fabs(z) + s->atol[i];
        if (s->variable_index[i] > 1
            && (is_error(s->u_new[i], half[i], z, tolerance, changes)
                || is_error(half[i], quarter[i], z, tolerance, changes)))
            s->u_new[i] = z;
    }
    s->h = s->full;
    s->F_in_work = 0;
}
