/* solve_native.h - a first-order problem from its start, made consistent, to its end */
#ifndef SOLVE_NATIVE_H
#define SOLVE_NATIVE_H

#include "support.h"

static inline dae_status solve(const dae_problem *problem, const char *method, const dae_options *o, double *u,
                               dae_report *why)
{
    OWNED(dae_system) *sys = NULL;
    dae_status status = dae_system_create(&sys, problem, dae_find_formulation("native"), NULL, NULL, why);
    if (status)
        return status;
    status = dae_system_start(sys, u, why);
    if (!status)
        status = dae_consistent_start(sys, problem->t0, u, NULL, why);
    if (!status)
        status = try_to(sys, method, o, problem->t_end, u, why);
    return status;
}

#endif
