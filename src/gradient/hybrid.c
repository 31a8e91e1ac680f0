/* hybrid.c - gradients of runs of the first mode of a problem */
#include "gradient.h"

#include "hybrid/hybrid.h"

#include <string.h>

dae_status dae_hybrid_gradient_create(dae_gradient **g, dae_hybrid *run, const dae_directions *directions,
                                      int checkpoints, dae_report *report)
{
    if (!run)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no run is given");
    return dae_gradient_create(g, run->mode[0].solver, directions, checkpoints, report);
}

dae_status dae_hybrid_gradient_start(dae_gradient *g, const dae_hybrid *run, dae_report *report)
{
    if (!g || !run || !run->started)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s", !g ? "gradient is given" : "run is given that has a start");
    if (run->now || run->mode[0].solver != g->solver)
        return dae_fail(report, DAE_UNSUPPORTED, "gradients are those of runs that begin in the first mode");
    const dae_status status = dae_gradient_start(g, run->begins_as_given ? NULL : run->from, report);
    if (status)
        return status;
    for (int i = 0; i < run->size && i < g->a.v.n; i++)
        g->held[i] = run->held[i];
    g->hybrid = run;
    return DAE_OK;
}

dae_status dae_gradient_follows(dae_gradient *g)
{
    const dae_solver *s = g->solver;
    const int again = g->run != driver(s)->runs;
    if (g->hybrid && (again || g->hybrid->now))
        return dae_fail(&g->a.v.report, DAE_UNSUPPORTED, "t = %.9g: an event has changed the run: there is no gradient "
                        "behind it, but there are sensitivities", g->hybrid->t);
    return !again ? DAE_OK : dae_fail(&g->a.v.report, DAE_BAD_ARGUMENT, "the solver has been started again, its "
                                      "gradient has not");
}
