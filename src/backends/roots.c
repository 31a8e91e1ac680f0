/* roots.c - the integrators' own root finding on the functions that a solver watches
 *
 * They look at g at the ends of their steps and bracket changes of sign on their interpolant by the
 * Illinois method (Hiebert, Shampine (1980), SAND80-0180), to 100 units of rounding of t. A
 * function that is exactly zero at a start they leave alone until it is not: one that is zero but
 * for rounding, and has not left it, is shown to them as zero.
 */
#include "integration.h"

#include "events/watch.h"

int dae_integration_values(dae_solver *s, double t, N_Vector w, double *g)
{
    dae_integration *r = s->stepper;
    const double time = dae_integration_time(r, t);
    r->unpack(s, time, w, r->state);
    return dae_watch_show(s, time, r->state, g) ? -1 : 0;
}

dae_status dae_integration_watch(dae_solver *s)
{
    dae_integration *r = s->stepper;
    const dae_watch *watch = dae_watched(s);
    int *direction = dae_watch_passages(s);             /* free until the first step */
    for (int i = 0; i < watch->count; i++)
        direction[i] = (int)watch->direction[i];
    int flag = r->code->root_init(s, watch->count);
    if (!flag)
        flag = r->code->root_direction(r->memory, direction);
    if (!flag)
        flag = r->code->root_quiet(r->memory);
    return flag ? dae_integration_explain(s, flag) : DAE_OK;
}

int dae_integration_take_roots(dae_solver *s)
{
    const dae_integration *r = s->stepper;
    return r->code->root_info(r->memory, dae_watch_passages(s));
}
