/* entry.c - the public functions of a solver: they check their arguments and who calls them
 *
 * Functions that a solver calls (F, its derivatives, event functions, observers, actions) find it amid a step. What
 * would change it is refused there, also through another solver of the same system, whose work arrays both use.
 */
#include "driver.h"

#include "events/watch.h"

static const char *const FROM_WITHIN = "%s is called by a function that the solver calls itself: it would change "
                                       "the step that is being made";

static dae_status check_who_calls(dae_solver *s, const char *name)
{
    const int within = driver(s)->inside || s->sys->use == DAE_WORKS;
    return within ? dae_fail(&s->report, DAE_BAD_ARGUMENT, FROM_WITHIN, name) : DAE_OK;
}

dae_status dae_told_refusals(dae_system *sys, dae_status status, dae_report *report)
{
    const char *name = sys->refused;
    sys->refused = NULL;
    return name ? dae_fail(report, DAE_BAD_ARGUMENT, "%s was called by a function that the run calls itself: it was "
                           "refused, and nothing is freed", name) : status;
}

dae_status dae_solver_create(dae_solver **out, dae_system *sys, const dae_method *method,
                             const dae_options *options, dae_report *report)
{
    if (!out)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no place for a solver is given");
    *out = NULL;
    if (!sys || !method)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", sys ? "method" : "system");
    if (sys->use == DAE_WORKS)
        return dae_fail(report, DAE_BAD_ARGUMENT, FROM_WITHIN, "dae_solver_create");
    return dae_driver_create(out, sys, method, options, report);
}

void dae_solver_free(dae_solver *s)
{
    if (s && driver(s)->inside)
        s->sys->refused = "dae_solver_free";
    else if (s)
        dae_driver_free(s);
}

dae_status dae_solver_start(dae_solver *s, double t, const double *u)
{
    if (!s)
        return DAE_BAD_ARGUMENT;
    const dae_status checked = check_who_calls(s, "dae_solver_start");
    if (checked)
        return checked;
    driver(s)->inside = 1;
    const dae_status status = dae_driver_start(s, t, u);
    driver(s)->inside = 0;
    return dae_told_refusals(s->sys, status, &s->report);
}

dae_status dae_solver_advance(dae_solver *s, double t_end, double *u)
{
    if (!s)
        return DAE_BAD_ARGUMENT;
    const dae_status checked = check_who_calls(s, "dae_solver_advance");
    if (checked)
        return checked;
    driver(s)->inside = 1;
    const dae_status status = dae_driver_advance(s, t_end, u);
    driver(s)->inside = 0;
    return dae_told_refusals(s->sys, status, &s->report);
}

dae_status dae_solver_interpolate(dae_solver *s, double t, double *u)
{
    if (!s)
        return DAE_BAD_ARGUMENT;
    if (s->sys->use == DAE_WORKS)
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, FROM_WITHIN, "dae_solver_interpolate");
    return dae_driver_interpolate(s, t, u);
}

dae_status dae_solver_watch(dae_solver *s, const dae_watch *watch)
{
    if (!s)
        return DAE_BAD_ARGUMENT;
    const dae_status checked = check_who_calls(s, "dae_solver_watch");
    return checked ? checked : dae_driver_watch(s, watch);
}
