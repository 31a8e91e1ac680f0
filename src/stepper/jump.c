/* jump.c - does F jump in time near a stop?
 *
 * A smooth F(t, u) at one u changes over two adjacent times by amounts in the ratio of these times; one
 * that jumps does not. Who stops where F jumps does so lest a step goes across.
 */
#include "solver.h"

#include <math.h>

static const double BENT = 0.5;         /* the second difference to the first ones */

static int bends(const dae_solver *s, double ratio, const double *before, const double *at,
                 const double *after)
{
    for (int i = 0; i < s->n; i++) {
        const double first = ratio * (at[i] - before[i]), second = after[i] - at[i];
        const double size = fmax(fabs(first), fabs(second));
        const double most = fmax(fabs(after[i]), fmax(fabs(at[i]), fabs(before[i])));
        if (!(fabs(second - first) <= fmax(BENT * size, s->options.rtol * most)))
            return 1;
    }
    return 0;
}

int dae_jumps(dae_solver *s, double t, double back, double ahead)
{
    double *before = driver(s)->half, *at = before + s->n, *after = s->work;
    s->F_in_work = 0;
    dae_system_rhs(s->sys, t - back, s->u, before);
    dae_system_rhs(s->sys, t, s->u, at);
    dae_system_rhs(s->sys, t + ahead, s->u, after);
    return bends(s, ahead / back, before, at, after);
}
