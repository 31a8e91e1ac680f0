/* settle.c - initial values that satisfy the constraints within the tolerance are projected onto them
 *
 * A run that starts at the end of another one has initial values with its errors in g and dg/dt. The first
 * step may be very short. In index 3 it removes these residuals by velocities g/h and multipliers g/h^2,
 * which also disturbs the velocities along the constraints. So (q, v) are projected onto g = 0 and
 * dg/dt = 0 (projection/project.h), if this changes them by less than the tolerance. Other initial values
 * are used as given.
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
    if (!driver(s)->corrects_output || sys->index < 2 || !sys->nl)
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
