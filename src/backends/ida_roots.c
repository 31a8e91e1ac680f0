/* ida_roots.c - IDA's own root finding on the functions that a solver watches
 *
 * IDA looks at g at the ends of its steps and brackets changes of sign on its interpolant by the
 * Illinois method (Hiebert, Shampine (1980), SAND80-0180), to 100 units of rounding of t. A
 * function that is exactly zero at a start it leaves alone until it is not: one that is zero but
 * for rounding, and has not left it, is shown to it as zero.
 */
#include "ida.h"

#include "events/watch.h"

#include <ida/ida.h>
#include <math.h>

static int values(double t, N_Vector u, N_Vector du, double *g, void *data)
{
    dae_solver *s = data;
    const dae_watch *watch = &driver(s)->watcher->watch;
    (void)du;
    const struct dae_watcher *w = driver(s)->watcher;
    if (watch->values(watch->context, t, dae_ida_unknowns(s->stepper, u), g, &s->report))
        return -1;
    for (int i = 0; i < watch->count; i++) {
        const double zero = w->roots.noise[i] + (w->ignore[i] ? 2 * fabs(w->stopped[i]) : 0);
        if (w->fresh ? fabs(g[i]) <= zero : w->roots.side[i] == 0)
            g[i] = 0;
    }
    return 0;
}

dae_status dae_ida_watch(dae_solver *s)
{
    dae_ida *w = s->stepper;
    const dae_watch *watch = &driver(s)->watcher->watch;
    int *direction = driver(s)->watcher->fired;                 /* free until the first step */
    for (int i = 0; i < watch->count; i++)
        direction[i] = (int)watch->direction[i];
    int flag = IDARootInit(w->ida, watch->count, values);
    if (!flag)
        flag = IDASetRootDirection(w->ida, direction);
    if (!flag)
        flag = IDASetNoInactiveRootWarn(w->ida);
    return flag ? dae_ida_explain(s, flag) : DAE_OK;
}

int dae_ida_take_roots(dae_solver *s, dae_ida *w)
{
    driver(s)->watcher->found_own = 1;
    return IDAGetRootInfo(w->ida, driver(s)->watcher->own);
}
