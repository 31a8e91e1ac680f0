/* calls.c - the public functions that change a hybrid run: refused where a function that the run itself is calling, an
 * action or an event function, calls them */
#include "hybrid.h"

#include "driver/driver.h"

dae_status dae_hybrid_check_who_calls(dae_hybrid *h, const char *name, dae_report *report)
{
    return h->busy ? dae_fail(report, DAE_BAD_ARGUMENT, "%s is called by a function that the run calls itself: it "
                              "would change the run amid a step", name) : DAE_OK;
}

/* The run is in this call, unless it is in one already. */
static dae_status begin(dae_hybrid *h, const char *name, dae_report *report)
{
    const dae_status checked = dae_hybrid_check_who_calls(h, name, report);
    h->busy = 1;
    return checked;
}

/* At the end of a call: status, or that something was to be freed amid it. */
static dae_status leave(dae_hybrid *h, dae_status status)
{
    h->busy = 0;
    for (int m = 0; m < h->modes; m++)
        if (h->mode[m].sys)
            status = dae_told_refusals(h->mode[m].sys, status, &h->report);
    return status;
}

dae_status dae_hybrid_start(dae_hybrid *h, int as_given, dae_start_change *change)
{
    const dae_status refused = h ? begin(h, "dae_hybrid_start", &h->report) : DAE_BAD_ARGUMENT;
    return refused ? refused : leave(h, dae_run_start(h, h->problem->t0, &(dae_start_values){0}, as_given, change));
}

dae_status dae_hybrid_start_with(dae_hybrid *h, double t, const int *which, const double *values, int count,
                                 dae_start_change *change)
{
    const dae_status refused = h ? begin(h, "dae_hybrid_start_with", &h->report) : DAE_BAD_ARGUMENT;
    return refused ? refused : leave(h, dae_run_start(h, t, &(dae_start_values){which, values, count}, 0, change));
}

dae_status dae_hybrid_start_at(dae_hybrid *h, int mode, double t, const double *x)
{
    const dae_status refused = h ? begin(h, "dae_hybrid_start_at", &h->report) : DAE_BAD_ARGUMENT;
    return refused ? refused : leave(h, dae_run_start_at(h, mode, t, x));
}

dae_status dae_hybrid_advance(dae_hybrid *h, double t_end)
{
    const dae_status refused = h ? begin(h, "dae_hybrid_advance", &h->report) : DAE_BAD_ARGUMENT;
    return refused ? refused : leave(h, dae_run_advance(h, t_end));
}

dae_status dae_hybrid_set_parameters(dae_hybrid *h, const double *parameters, dae_report *report)
{
    if (!h)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no run is given");
    const dae_status refused = begin(h, "dae_hybrid_set_parameters", report);
    return refused ? refused : leave(h, dae_run_set_parameters(h, parameters));
}
