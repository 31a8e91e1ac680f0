/* settle.c - where a run begins on the constraints but for its tolerance, it begins on them
 *
 * A run that begins again where another one has ended begins off the constraints, by the errors of
 * that, g and dg/dt. Over a first step, as short as a first guess is, index 3 closes them by
 * velocities of g/h and multipliers of g/h^2, of which the velocities along the constraints keep a
 * part. So where that moves q and v by less than the tolerance, (q, v) of the start is moved onto
 * g = 0 and dg/dt = 0 (project.h). What is further off is left as it is given.
 */
#include "settle.h"

#include "projection/project.h"

#include <math.h>
#include <string.h>

void dae_settle_start(dae_solver *s)
{
    dae_system *sys = s->sys;
    const int nq = sys->nq, moving = 2 * nq;
    double *moved = s->u_new, *by = s->work;
    if (!driver(s)->shows || sys->index < 2 || !sys->nl)
        return;
    memcpy(moved, s->u, (size_t)s->n * sizeof *moved);
    memset(by, 0, (size_t)s->n * sizeof *by);
    if (dae_project(sys, s->t, moved, moved + nq))
        return;
    for (int i = 0; i < moving; i++)
        by[i] = moved[i] - s->u[i];
    if (dae_error_norm(s, by, INFINITY) <= 1)
        memcpy(s->u, moved, (size_t)moving * sizeof *moved);
    dae_project_reset(sys);
}
