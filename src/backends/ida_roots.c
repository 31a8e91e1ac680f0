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

static int values(double t, N_Vector u, N_Vector du, double *g, void *data)
{
    dae_solver *s = data;
    (void)du;
    return dae_watch_show(s, t, dae_ida_unknowns(s->stepper, u), g) ? -1 : 0;
}

dae_status dae_ida_watch(dae_solver *s)
{
    dae_ida *w = s->stepper;
    const dae_watch *watch = dae_watched(s);
    int *direction = dae_watch_passages(s);             /* free until the first step */
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
    return IDAGetRootInfo(w->ida, dae_watch_passages(s));
}
