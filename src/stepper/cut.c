/* cut.c - a step that the end of the run cuts short leaves the constraints as they are
 *
 * In index 2 and 3 a step closes what the errors of those before have left open in the constraints,
 * by multipliers of that over h, or h^2, and by velocities of that over h. Over a step of 1e-9 that
 * makes tensions of 1e9 N and throws the velocities along the constraints off as well, which is
 * what the next steps begin with. So where h is less than a quarter of the step H that was to come,
 * its methods see
 *
 *     F - (1 - h/H) r,    r the algebraic equations of F(t, u),
 *
 * and close the part h/H; and mechanical systems begin it, and the step after it, with the
 * multipliers and velocities of row.c.
 */
#include "solver.h"

#include "row.h"

#include <string.h>

static const double SHORT = 0.25;       /* of the step that was to come */

/* Leaves of F[n] what stands in algebraic equations. */
static void leave_algebraic(const dae_system *sys, double *F, double *rest)
{
    if (sys->compose->kind == DAE_FORM_MECHANICAL) {
        for (int i = 0; i < sys->n; i++)
            F[i] = i < 2 * sys->nq || i >= sys->acceleration_at ? 0 : F[i];
        return;
    }
    memcpy(rest, F, (size_t)sys->n * sizeof *F);
    dae_system_remove_algebraic(sys, rest);
    for (int i = 0; i < sys->n; i++)
        F[i] -= rest[i];
}

void dae_cut_begin(dae_solver *s, double h, double full)
{
    s->cut = driver(s)->cuts && h < SHORT * full;
    if (s->cut || driver(s)->was_cut)
        dae_row_adopt(s);
    if (!s->cut)
        return;
    dae_system_rhs(s->sys, s->t, s->u, driver(s)->open);
    s->count.rhs++;
    s->F_in_work = 0;
    leave_algebraic(s->sys, driver(s)->open, s->work);
    for (int i = 0; i < s->n; i++)
        driver(s)->open[i] *= 1 - h / full;
    s->sys->open = driver(s)->open;
}

void dae_cut_end(dae_solver *s)
{
    s->sys->open = NULL;
}
