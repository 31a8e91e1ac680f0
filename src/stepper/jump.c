/* jump.c - a test for a discontinuity of F in time, near an output time
 *
 * Over two adjacent short intervals a smooth F(., u) at fixed u changes in the ratio of their lengths. A
 * discontinuous one does not. Users place output times at discontinuities, so that no step crosses them.
 */
#include "solver.h"

#include <math.h>

static const double BENT = 0.5;         /* second difference over the larger first difference */

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
