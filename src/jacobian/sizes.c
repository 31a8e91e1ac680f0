/* sizes.c - how large an unknown is
 *
 * Its own value says, where that is more than the error test looks at, w = rtol |u_i| + atol_i. Less
 * is as large as it may become, |h u_i'|, and no less than w. What is zero and moves nowhere is taken
 * to be like the largest of its class, or atol_i/rtol, where the user's idea of it changes from small
 * to large. That any unknown may grow to, and to |T u_i'| over the problem's interval T, a velocity
 * to what crosses the largest position in T.
 */
#include "providers.h"

#include <math.h>

/* |h u_i'| from F, where M says so of this unknown alone */
static double movement(const dae_system *sys, const double *F, double h, int i)
{
    if (!F || sys->coupled || sys->diagonal[i] == 0)
        return 0;
    const double way = fabs(h * F[i] / sys->diagonal[i]);
    return isfinite(way) ? way : 0;
}

void dae_unknown_sizes(const dae_jacobian *jac, const double *u, const double *F, double *size,
                       double *top)
{
    const dae_system *sys = jac->sys;
    const dae_run *run = &jac->run;
    const double h = run->t ? *run->t_new - *run->t : 0;
    const double span = sys->problem->t_end - sys->problem->t0;
    double largest[DAE_CLASSES] = {0}, all = 0;
    for (int i = 0; i < sys->n; i++) {
        const dae_class c = sys->classes[i];
        largest[c] = fmax(largest[c], fabs(u[i]));
        all = fmax(all, fabs(u[i]));
    }
    if (span > 0 && isfinite(span))
        largest[DAE_VELOCITY] = fmax(largest[DAE_VELOCITY], largest[DAE_POSITION] / span);
    for (int i = 0; i < sys->n; i++) {
        const double own = fabs(u[i]), w = run->atol ? run->rtol * own + run->atol[i] : 0;
        double most = fmax(fmax(own, largest[sys->classes[i]]), movement(sys, F, span, i));
        if (run->atol)
            most = fmax(most, run->atol[i] / run->rtol);
        most = most > 0 ? most : all > 0 ? all : 1;
        top[i] = most;
        if (!size)
            continue;
        const double now = own > w ? own : fmax(w, fmin(movement(sys, F, h, i), most));
        size[i] = now > 0 ? now : most;
    }
}
