/* sizes.c - how large an unknown is
 *
 * Its own value says, where that is more than the error test looks at, w = rtol |u_i| + atol_i.
 * Less is as large as it may become, |h u_i'|, and no less than w. What is zero and moves nowhere
 * is taken to be like the largest of its class, or atol_i/rtol, where the user's idea of it changes
 * from small to large; in first-order problems, and where a form has added multipliers and
 * accelerations, a class has many units, and atol_i/rtol alone says it. That any unknown may grow
 * to, and to |T u_i'| over the problem's interval T, a velocity to what crosses the largest
 * position in T.
 */
#include "providers.h"

#include <float.h>
#include <math.h>

/* NaN is not larger. */
static inline double larger(double x, double y)
{
    return y > x ? y : x;
}

/* |h u_i'| from F, where M says so of this unknown alone */
static inline double movement(const dae_system *sys, const double *F, double h, int i)
{
    const double m = sys->diagonal[i], way = m != 0 ? fabs(h * F[i] / m) : 0;
    return way <= DBL_MAX ? way : 0;
}

/* The largest of each class; a velocity crosses the largest position in the time span. Of all. */
static double find_largest(const dae_system *sys, const double *u, double span, double *largest)
{
    double all = 0;
    for (int i = 0; i < sys->n; i++)
        largest[sys->classes[i]] = larger(largest[sys->classes[i]], fabs(u[i]));
    for (int c = 0; c < DAE_CLASSES; c++)
        all = larger(all, largest[c]);
    if (span > 0)
        largest[DAE_VELOCITY] = larger(largest[DAE_VELOCITY], largest[DAE_POSITION] / span);
    return all;
}

void dae_unknown_sizes(const dae_jacobian *jac, const double *u, const double *F, double *size,
                       double *top)
{
    const dae_system *sys = jac->sys;
    const dae_run *run = &jac->run;
    const int moves = F && !sys->nondiagonal_mass;
    const double h = run->t ? *run->t_new - *run->t : 0, rtol = run->rtol;
    const double given = sys->problem->t_end - sys->problem->t0, span = isfinite(given) ? given : 0;
    double largest[DAE_CLASSES] = {0};
    const double all = find_largest(sys, u, span, largest);
    for (int i = 0; i < sys->n; i++) {
        const double own = fabs(u[i]), atol = run->atol ? run->atol[i] : 0;
        const double w = run->atol ? rtol * own + atol : 0;
        const int alike = !run->atol || (sys->nq && sys->classes[i] != DAE_AUXILIARY);
        const double like = alike ? largest[sys->classes[i]] : own;
        double most = larger(like, moves ? movement(sys, F, span, i) : 0);
        most = run->atol ? larger(most, atol / rtol) : most;
        most = most > 0 ? most : all > 0 ? all : 1;
        top[i] = most;
        if (!size)
            continue;
        const double way = own <= w && moves ? movement(sys, F, h, i) : 0;
        const double now = own > w ? own : larger(w, way < most ? way : most);
        size[i] = now > 0 ? now : most;
    }
}
