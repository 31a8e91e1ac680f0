#include "catalogue/accept.h"

#include <daelab/method.h>
#include <daelab/problem.h>

#include <math.h>
#include <stdlib.h>

/* ---- problems ------------------------------------------------------------------------------- */

/* "bead.c: " before what the library says of a record. */
static dae_status of_file(const char *file, dae_status status, const dae_report *said, dae_report *report)
{
    return dae_fail(report, status == DAE_NO_MEMORY || status == DAE_UNSUPPORTED ? status : DAE_BAD_ARGUMENT,
                    "%s: %s", file, said->message);
}

/* The first number that is not finite, or -1. */
static int not_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return i;
    return -1;
}

static dae_status check_finite(const dae_system *sys, const char *file, const char *what, const double *x,
                               dae_report *report)
{
    char name[64], unit[64];
    const dae_problem *problem = dae_system_problem(sys);
    const int at = not_finite(x, dae_system_size(sys));
    if (at < 0)
        return DAE_OK;
    dae_system_unknown(sys, at, name, unit, sizeof name);
    return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s, with its own parameters: %s of %s is %s at t = %g", file,
                    problem->name, what, name, isnan(x[at]) ? "NaN" : "infinite", problem->t0);
}

/* Where the start can be made consistent, F is finite there. Where not, a run says why; neither is known
 * of a start in minimal coordinates only. */
static dae_status check_start(dae_system *sys, const char *file, double *u, dae_report *report)
{
    const dae_problem *problem = dae_system_problem(sys);
    double *F = u + dae_system_size(sys);
    dae_report said = {0};
    dae_status status = dae_system_start(sys, u, &said);
    if (status == DAE_NO_MEMORY)
        return of_file(file, status, &said, report);
    status = check_finite(sys, file, "the start", u, report);
    if (status)
        return status;
    status = dae_consistent_start(sys, problem->t0, u, NULL, &said);
    if (status)
        return status == DAE_NOT_FINITE ? of_file(file, status, &said, report) : DAE_OK;
    dae_system_rhs(sys, problem->t0, u, F);
    return check_finite(sys, file, "F at the start, in the row", F, report);
}

dae_status accept_problem(const dae_problem *problem, const char *file, dae_report *report)
{
    dae_system *sys = NULL;
    dae_report said = {0};
    int form = 0;
    while (dae_formulation_at(form) && !dae_formulation_applies(dae_formulation_at(form), problem))
        form++;
    dae_status status = dae_system_create(&sys, problem, dae_formulation_at(form), NULL, NULL, &said);
    if (status)
        return of_file(file, status, &said, report);
    double *u = calloc(2 * (size_t)dae_system_size(sys), sizeof *u);
    status = u ? check_start(sys, file, u, report) : dae_fail(report, DAE_NO_MEMORY, "out of memory");
    free(u);
    dae_system_free(sys);
    return status;
}

/* ---- methods -------------------------------------------------------------------------------- */

dae_status accept_method(const dae_method *method, const char *file, dae_report *report)
{
    const char *name = method->info.name;
    if (!name)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: a method has no name (.info.name)", file);
    if (!method->step)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: method %s has no step", file, name);
    if (!method->info.fixed && !method->info.adaptive)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: method %s takes neither fixed steps nor chosen ones "
                        "(.info.fixed, .info.adaptive)", file, name);
    if ((int)method->family < DAE_FAMILY_NONE || method->family >= DAE_FAMILIES)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: method %s is of the unknown family %d", file, name,
                        (int)method->family);
    return DAE_OK;
}
