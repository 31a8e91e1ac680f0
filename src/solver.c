/* solver.c - the one driver loop of all methods */
#include "solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STEP_FITS = 1e-9;   /* a rest shorter than this part of h belongs to the step */

dae_options dae_default_options(void)
{
    return (dae_options){.step = 1e-3, .rtol = 1e-6, .atol = 1e-6, .max_steps = 100000000};
}

static dae_status check_options(const dae_method *method, const dae_options *o, dae_report *report)
{
    const char *name = method->info.name;
    if (method->info.adaptive) {
        if (!(o->rtol > 0 && o->rtol < 1))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: rtol = %g must be in (0, 1)", name,
                            o->rtol);
        if (!(o->atol > 0 && isfinite(o->atol)))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: atol = %g must be positive", name,
                            o->atol);
    } else if (!(o->step > 0 && isfinite(o->step))) {
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: step = %g must be positive", name, o->step);
    }
    if (o->max_steps <= 0)
        return dae_fail(report, DAE_BAD_ARGUMENT, "max_steps = %ld must be positive",
                        o->max_steps);
    return DAE_OK;
}

dae_status dae_solver_create(dae_solver **out, dae_system *sys, const dae_method *method,
                             const dae_options *options, dae_report *report)
{
    *out = NULL;
    const dae_options chosen = options ? *options : dae_default_options();
    if (!sys || !method)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", sys ? "method" : "system");
    dae_status status = check_options(method, &chosen, report);
    if (!status && method->supports)
        status = method->supports(method, sys, report);
    if (status)
        return status;
    dae_solver *s = calloc(1, sizeof *s);
    if (s)
        s->u = calloc(2 * (size_t)sys->n, sizeof *s->u);
    if (!s || !s->u) {
        free(s);
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a solver");
    }
    s->n = sys->n;
    s->u_new = s->u + s->n;
    s->sys = sys;
    s->method = method;
    s->options = chosen;
    status = method->create(s);
    if (status) {
        if (report)
            *report = s->report;
        dae_solver_free(s);
        return status;
    }
    *out = s;
    return DAE_OK;
}

void dae_solver_free(dae_solver *s)
{
    if (!s)
        return;
    s->method->destroy(s);
    free(s->u < s->u_new ? s->u : s->u_new);            /* one block, its halves may be swapped */
    free(s);
}

dae_status dae_solver_start(dae_solver *s, double t, const double *u)
{
    s->t = s->t_new = t;
    memcpy(s->u, u, (size_t)s->n * sizeof *u);
    s->count = (dae_statistics){0};
    s->report = (dae_report){0};
    dae_status status = dae_solver_check_finite(s, u, "the start", t);
    if (!status && s->method->start)
        status = s->method->start(s);
    s->started = status == DAE_OK;
    return status;
}

void dae_solver_observe(dae_solver *s, dae_observer *observer, void *context)
{
    s->observer = observer;
    s->observer_context = context;
}

dae_status dae_solver_check_finite(dae_solver *s, const double *x, const char *what, double t)
{
    char name[32], unit[32];
    double sum = 0;
    for (int i = 0; i < s->n; i++)
        sum += 0 * x[i];                                /* NaN as soon as one is not finite */
    if (sum == 0)
        return DAE_OK;
    int i = 0;
    while (isfinite(x[i]))
        i++;
    dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
    return dae_fail(&s->report, DAE_NOT_FINITE, "t = %.9g: row %d (%s) of %s is %g", t, i + 1,
                    name, what, x[i]);
}

/* Take the step from t to t_new into (t, u). */
static dae_status accept(dae_solver *s)
{
    double *u = s->u;
    s->u = s->u_new;
    s->u_new = u;
    s->t = s->t_new;
    if (!s->method->info.adaptive)
        s->count.steps++;
    if (s->observer && s->observer(s->observer_context, s->t, s->u))
        return dae_fail(&s->report, DAE_STOPPED, "t = %.9g: stopped by the observer", s->t);
    return DAE_OK;
}

static dae_status one_step(dae_solver *s, double h, double t_stop)
{
    dae_status status = s->method->step(s, h, t_stop);
    if (!status)
        status = dae_solver_check_finite(s, s->u_new, "the new state", s->t_new);
    return status ? status : accept(s);
}

/* t_k = t_0 + k h without accumulating rounding; the last step ends on t_end. */
static dae_status advance_fixed(dae_solver *s, double t_end)
{
    const double h = s->options.step, t_begin = s->t;
    dae_status status = DAE_OK;
    for (long k = 1; !status && s->t < t_end; k++) {
        const double t_next = t_begin + (double)k * h;
        const double rest = t_end - t_next;
        if (t_next <= s->t)
            return dae_fail(&s->report, DAE_SMALL_STEP, "t = %.17g: step %g does not change t",
                            s->t, h);
        if (k > s->options.max_steps)
            return dae_fail(&s->report, DAE_MAX_STEPS, "t = %.9g: %ld steps of %g did not reach "
                            "t = %g", s->t, s->options.max_steps, h, t_end);
        s->t_new = rest < STEP_FITS * h ? t_end : t_next;
        status = one_step(s, rest < -STEP_FITS * h ? t_end - s->t : h, t_end);
    }
    return status;
}

static dae_status advance_adaptive(dae_solver *s, double t_end)
{
    dae_status status = DAE_OK;
    for (long k = 1; !status && s->t < t_end; k++) {
        if (k > s->options.max_steps)
            return dae_fail(&s->report, DAE_MAX_STEPS, "t = %.9g: %ld steps did not reach t = %g",
                            s->t, s->options.max_steps, t_end);
        status = one_step(s, 0, t_end);
    }
    return status;
}

dae_status dae_solver_advance(dae_solver *s, double t_end, double *u)
{
    dae_status status;
    if (!s->started)
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "dae_solver_start comes first, and must succeed");
    if (!(t_end >= s->t && isfinite(t_end)))
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "t_end = %g lies before t = %g", t_end, s->t);
    if (t_end == s->t)
        status = DAE_OK;
    else if (s->method->info.adaptive)
        status = advance_adaptive(s, t_end);
    else
        status = advance_fixed(s, t_end);
    memcpy(u, s->u, (size_t)s->n * sizeof *u);
    return status;
}

dae_status dae_solver_interpolate(dae_solver *s, double t, double *u)
{
    if (!s->method->interpolate)
        return dae_fail(&s->report, DAE_UNSUPPORTED, "%s has no dense output",
                        s->method->info.name);
    return s->method->interpolate(s, t, u);
}

double dae_solver_time(const dae_solver *s) { return s->t; }
dae_statistics dae_solver_statistics(const dae_solver *s) { return s->count; }
const dae_report *dae_solver_report(const dae_solver *s) { return &s->report; }
dae_jacobian_kind dae_solver_jacobian(const dae_solver *s) { return s->jacobian; }
dae_linear_kind dae_solver_linear(const dae_solver *s) { return s->linear; }
