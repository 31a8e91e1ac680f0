/* solver.c - a solver in use: start, advance, interpolate, what it says of itself */
#include "driver.h"

#include "events/watch.h"
#include "guards.h"
#include "projection/project.h"
#include "projection/projection.h"
#include "stepper/output.h"

#include <math.h>
#include <string.h>

/* At (t, u), with nothing left of a run before. */
static void place(dae_solver *s, double t, const double *u)
{
    s->t = s->t_new = s->t_old = driver(s)->t_from = t;
    s->h = 0;
    s->F_in_work = s->cut = driver(s)->was_cut = s->extending = 0;
    dae_control_start(&driver(s)->control, driver(s)->scales_by_rate ? 0 : s->options.rtol);
    s->error_order = s->method->error_order;
    s->first_error = DAE_FIRST_ERROR;
    memcpy(s->u, u, (size_t)s->n * sizeof *u);
    dae_output_start(s);
    s->count = (dae_statistics){0};
    s->report = (dae_report){0};
    dae_project_reset(s->sys);
}

static dae_status check_start(dae_solver *s)
{
    const dae_status status = dae_solver_check_finite(s, s->u, "the start", s->t);
    return status ? status : dae_system_check_mass(s->sys, s->t, s->u, &s->report);
}

/* What follows the steps, the method, and event functions. */
static dae_status start_parts(dae_solver *s)
{
    dae_rate_start(s);
    dae_crossing_start(s);
    dae_settle_start(s);
    dae_status status = dae_guards_start(s);
    if (!status)
        status = dae_projection_start(s);
    if (!status && s->method->start)
        status = s->method->start(s);
    if (s->options.first_step > 0)
        s->h = s->options.first_step;
    return !status && driver(s)->watcher ? dae_watch_start(s) : status;
}

static dae_status start(dae_solver *s, double t, const double *u)
{
    driver(s)->started = 0;
    const dae_status renewed = driver(s)->generation == s->sys->generation ? DAE_OK : dae_solver_renew(s);
    if (renewed)
        return renewed;
    if (!u || !isfinite(t))
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "a solver cannot start %s",
                        u ? "at a time that is not finite" : "without a state");
    driver(s)->runs++;
    place(s, t, u);
    dae_status status = check_start(s);
    if (!status)
        status = start_parts(s);
    driver(s)->started = status == DAE_OK;
    return status;
}

dae_status dae_driver_start(dae_solver *s, double t, const double *u)
{
    const dae_use before = s->sys->use;
    s->sys->use = DAE_WORKS;
    const dae_status status = start(s, t, u);
    s->sys->use = before;
    return status;
}

void dae_solver_observe(dae_solver *s, dae_observer *observer, void *context)
{
    if (!s)
        return;
    driver(s)->observer = observer;
    driver(s)->observer_context = context;
}

/* Says which component of x is not finite. */
static dae_status not_finite(dae_solver *s, const double *x, const char *what, double t)
{
    char name[32], unit[32];
    int i = 0;
    while (isfinite(x[i]))
        i++;
    dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
    return dae_fail(&s->report, DAE_NOT_FINITE, "t = %.9g: row %d (%s) of %s is %g", t, i + 1,
                    name, what, x[i]);
}

dae_status dae_solver_check_finite(dae_solver *s, const double *x, const char *what, double t)
{
    return dae_vector_finite(s->n, x) ? DAE_OK : not_finite(s, x, what, t);
}

dae_status dae_solver_check_rhs(dae_solver *s)
{
    dae_system_rhs(s->sys, s->t, s->u, s->work);
    s->count.rhs++;
    return dae_solver_check_finite(s, s->work, "F", s->t);
}

static dae_status advance(dae_solver *s, double t_end, double *u)
{
    if (!u || !driver(s)->started)
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, u ? "dae_solver_start comes first, and must "
                        "succeed" : "no place for the state at t_end is given");
    const dae_status checked = dae_solver_check_parameters(s);
    if (checked)
        return checked;
    s->t_end = t_end;
    dae_status status = dae_solver_step_to(s, t_end);
    dae_output_correct(s);
    status = dae_guards_check(s, status);
    if (!status)
        s->report = (dae_report){0};                    /* left by a rejected step */
    memcpy(u, s->u, (size_t)s->n * sizeof *u);
    return status;
}

dae_status dae_driver_advance(dae_solver *s, double t_end, double *u)
{
    const dae_use before = s->sys->use;
    s->sys->use = DAE_WORKS;
    const dae_status status = advance(s, t_end, u);
    s->sys->use = before;
    return status;
}

dae_status dae_driver_interpolate(dae_solver *s, double t, double *u)
{
    if (!u)
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "no place for the state is given");
    if (!s->method->interpolate)
        return dae_fail(&s->report, DAE_UNSUPPORTED, "%s has no dense output",
                        s->method->info.name);
    const dae_status checked = dae_solver_check_parameters(s);
    if (checked)
        return checked;
    if (!(t >= s->t_old && t <= s->t))
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "t = %g lies outside the last step, %g to %g",
                        t, s->t_old, s->t);
    if (t == s->t) {
        memcpy(u, s->u, (size_t)s->n * sizeof *u);
        return DAE_OK;
    }
    if (driver(s)->crossed) {
        memcpy(u, s->u_old, (size_t)s->n * sizeof *u);
        return DAE_OK;
    }
    if (dae_watch_has_cut(s))
        return dae_watch_interpolate(s, t, u);
    const dae_status status = s->method->refine ? s->method->refine(s) : DAE_OK;
    return status ? status : s->method->interpolate(s, t, u);
}

double dae_solver_time(const dae_solver *s) { return s ? s->t : NAN; }
const dae_report *dae_solver_report(const dae_solver *s) { return s ? &s->report : NULL; }

dae_statistics dae_solver_statistics(const dae_solver *s)
{
    return s ? s->count : (dae_statistics){0};
}

dae_jacobian_kind dae_solver_jacobian(const dae_solver *s)
{
    return s ? s->jacobian : DAE_JACOBIAN_BEST;
}

dae_linear_kind dae_solver_linear(const dae_solver *s)
{
    return s ? s->linear : DAE_LINEAR_BEST;
}

int dae_solver_index(const dae_solver *s, int i) { return s && i >= 0 && i < s->n ? s->variable_index[i] : 0; }
