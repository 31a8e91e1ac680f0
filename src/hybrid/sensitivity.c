/* sensitivity.c - the derivatives of a run without events are those of the solver of its only mode */
#include "hybrid.h"

#include "base/zeroed.h"

#include <stdlib.h>

struct dae_hybrid_sensitivity {
    dae_hybrid *hybrid;
    dae_sensitivity *of;        /* of the first mode's solver */
    int directions;
    dae_report report;          /* of the start */
};

dae_status dae_hybrid_sensitivity_create(dae_hybrid_sensitivity **out, dae_hybrid *h, const dae_directions *directions,
                                         dae_report *report)
{
    if (!out || !h || !directions)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no run, no directions or no place for sensitivities is given");
    *out = NULL;
    dae_hybrid_sensitivity *w = dae_zeroed(1, sizeof *w);
    if (!w)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for sensitivities");
    w->hybrid = h;
    w->directions = directions->parameter_count + directions->unknown_count;
    const dae_status status = dae_sensitivity_create(&w->of, h->mode[0].solver, directions, report);
    if (status) {
        free(w);
        return status;
    }
    *out = h->sensitivity = w;
    return DAE_OK;
}

void dae_hybrid_sensitivity_free(dae_hybrid_sensitivity *w)
{
    if (!w)
        return;
    w->hybrid->sensitivity = NULL;
    dae_sensitivity_free(w->of);
    free(w);
}

void dae_hybrid_begin_sensitivity(dae_hybrid *h)
{
    dae_hybrid_sensitivity *w = h->sensitivity;
    w->report = (dae_report){0};
    if (h->modes > 1 || h->mode[0].count > 0) {
        dae_fail(&w->report, DAE_UNSUPPORTED, "%s: sensitivities through events do not exist yet", h->problem->name);
        return;
    }
    dae_sensitivity_hold(w->of, h->held);
    dae_sensitivity_start(w->of, h->begins_as_given ? NULL : h->from, &w->report);
}

dae_status dae_hybrid_sensitivity_at(dae_hybrid_sensitivity *w, double *du, double *dlambda, dae_report *report)
{
    if (!w || !du)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s given", w ? "place for derivatives is" : "sensitivities are");
    if (w->report.status && report)
        *report = w->report;
    return w->report.status ? w->report.status : dae_sensitivity_at(w->of, du, dlambda, report);
}

int dae_hybrid_sensitivity_directions(const dae_hybrid_sensitivity *w) { return w ? w->directions : 0; }
