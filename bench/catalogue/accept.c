#include "catalogue/accept.h"

#include <daelab/method.h>
#include <daelab/problem.h>

#include "host/allocate.h"
#include "host/apart.h"

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

static dae_status try_problem(const dae_problem *problem, const char *file, dae_report *report)
{
    dae_system *sys = NULL;
    dae_report said = {0};
    int form = 0;
    while (dae_formulation_at(form) && !dae_formulation_applies(dae_formulation_at(form), problem))
        form++;
    dae_status status = dae_system_create(&sys, problem, dae_formulation_at(form), NULL, NULL, &said);
    if (status)
        return of_file(file, status, &said, report);
    double *u = allocate(2 * (size_t)dae_system_size(sys), sizeof *u);
    status = check_start(sys, file, u, report);
    free(u);
    dae_system_free(sys);
    return status;
}

/* ---- methods -------------------------------------------------------------------------------- */

static void decay_start(const double *p, double *u)
{
    (void)p;
    u[0] = 1;
}

static void decay(const double *p, double t, const double *u, double *F)
{
    (void)p, (void)t;
    F[0] = -u[0];
}

static void decay_dual(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    (void)p, (void)t;
    F[0] = -u[0];
}

/* u' = -u, for which a method makes a solver if it makes one for anything */
static const dae_problem simplest = {.name = "u' = -u", .start = {.f = decay_start}, .t_end = 1,
                                     .first_order = {.n = 1, .rhs = {.f = decay, .dual = decay_dual}}};

/* A method that does not take so simple a problem is not blamed; one that says it is wrong itself is, as a
 * tableau with a coefficient of another method. */
static dae_status check_solver(const dae_method *method, const char *file, dae_report *report)
{
    dae_options options = dae_default_options();
    dae_report said = {0};
    dae_system *sys = NULL;
    dae_solver *solver = NULL;
    options.step = method->info.adaptive ? 0 : 0.1;
    dae_status status = DAE_UNSUPPORTED;
    for (int form = 0; dae_formulation_at(form) && status == DAE_UNSUPPORTED; form++)
        status = dae_system_create(&sys, &simplest, dae_formulation_at(form), NULL, NULL, &said);
    if (!status)
        status = dae_solver_create(&solver, sys, method, &options, &said);
    dae_solver_free(solver);
    dae_system_free(sys);
    return status == DAE_BAD_ARGUMENT || status == DAE_NO_MEMORY ? of_file(file, status, &said, report)
                                                                 : DAE_OK;
}

/* ---- in a process of their own -------------------------------------------------------------- */

enum { LONGEST = 60 };          /* [s] */

typedef struct {
    const dae_problem *problem;
    const dae_method *method;
    const char *file;
} record;

static dae_status try(void *context, dae_report *report)
{
    const record *of = context;
    return of->problem ? try_problem(of->problem, of->file, report) : check_solver(of->method, of->file, report);
}

static dae_status try_apart(record of, const char *name, const char *what, dae_report *report)
{
    dae_report said = {0};
    const dae_status status = apart_do(try, &of, LONGEST, &said);
    if (status == DAE_BACKEND)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s: %s, when it was tried %s", of.file, name, said.message,
                        what);
    if (status && report)
        *report = said;
    return status;
}

dae_status accept_problem(const dae_problem *problem, const char *file, dae_report *report)
{
    return try_apart((record){problem, NULL, file}, problem->name, "at its start", report);
}

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
    return try_apart((record){NULL, method, file}, name, "on u' = -u", report);
}
