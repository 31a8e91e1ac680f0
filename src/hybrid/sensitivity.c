/* sensitivity.c - the derivatives of a run are those of the solver of its only mode */
#include "hybrid.h"

dae_status dae_hybrid_differentiate(dae_hybrid *h, const dae_directions *directions)
{
    const dae_status refused = h ? dae_hybrid_check_who_calls(h, "dae_hybrid_differentiate", &h->report)
                                 : DAE_BAD_ARGUMENT;
    if (refused)
        return refused;
    dae_sensitivity_free(h->sensitivity);
    h->sensitivity = NULL;
    h->directions = directions ? directions->parameter_count + directions->unknown_count : 0;
    return dae_sensitivity_create(&h->sensitivity, h->mode[0].solver, directions, &h->report);
}

dae_sensitivity *dae_hybrid_sensitivity(const dae_hybrid *h) { return h ? h->sensitivity : NULL; }

dae_status dae_hybrid_start_sensitivity(dae_hybrid *h, const double *from, const dae_start_values *values)
{
    if (!h->sensitivity)
        return DAE_OK;
    if (h->modes > 1 || h->mode[0].count > 0)
        return dae_fail(&h->report, DAE_UNSUPPORTED, "%s: sensitivities through events do not exist yet",
                        h->problem->name);
    const dae_status status = dae_sensitivity_hold(h->sensitivity, values->which, values->count, &h->report);
    return status ? status : dae_sensitivity_start(h->sensitivity, from, &h->report);
}
