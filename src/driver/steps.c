/* steps.c - the loop over the steps of an interval: fixed ones, chosen by error control, or by the method itself */
#include "driver.h"

#include "events/watch.h"
#include "projection/projection.h"
#include "stepper/output.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const double SMALLEST = 16 * DBL_EPSILON;        /* smallest h/|t| */
static const double TINY = 1e-30;       /* smallest h/(t_end - t), for t near 0 */
static const double STEP_FITS = 1e-9;   /* a remainder below this part of h is added to the last step */
static const double SHORTEST = 1e-100;  /* shortest interval; third powers of its steps do not underflow */

/* The report names F at the old state if that is not finite, else the new state. */
static dae_status state_not_finite(dae_solver *s)
{
    const dae_status status = dae_solver_check_rhs(s);
    return status ? status : dae_solver_check_finite(s, s->u_new, "the new state", s->t_new);
}

static dae_status observe(dae_solver *s, double t, const double *u)
{
    s->sys->use = DAE_SHOWS;
    const int stop = driver(s)->observer && driver(s)->observer(driver(s)->observer_context, t, u);
    s->sys->use = DAE_WORKS;
    if (stop)
        return dae_fail(&s->report, DAE_STOPPED, "t = %.9g: stopped by the observer", t);
    return dae_solver_check_parameters(s);
}

/* The same with event functions. If an event in the accepted step ends the run, the state becomes that at the
 * event. */
static dae_status observe_events(dae_solver *s)
{
    double t = s->t;
    const double *u = s->u;
    s->searching = 1;
    const dae_status status = dae_watch_step(s, t >= s->t_end, &t, &u);
    s->searching = 0;
    if (status < 0)
        return status;
    const dae_status seen = observe(s, t, u);
    if (status == DAE_EVENT) {
        memcpy(s->u, u, (size_t)s->n * sizeof *u);
        s->t = t;
        driver(s)->started = 0;
    }
    return seen ? seen : status;
}

/* Verify that M is constant, after an accepted step: at u_old and a time inside the step. The place in the
 * step follows multiples of the golden section, so that a periodic M is noticed. Also at the end of the
 * run. */
static inline dae_status try_mass(dae_solver *s)
{
    const double part = (double)((uint32_t)s->count.steps * 2654435769u) * 0x1p-32;
    const double t = s->t_old + part * (s->t - s->t_old);
    if (s->sys->compose->kind == DAE_FORM_MECHANICAL ? dae_system_diagonal_changed(s->sys, t, s->u_old)
                                                     : dae_system_mass_changed(s->sys, t, s->u_old))
        return dae_system_check_mass(s->sys, t, s->u_old, &s->report);
    return s->t < s->t_end ? DAE_OK : dae_system_check_mass(s->sys, s->t, s->u, &s->report);
}

/* The step to the observers, unless this part was reported before. */
static dae_status report(dae_solver *s)
{
    if (s->t <= driver(s)->t_from)
        return DAE_OK;
    dae_output_correct(s);
    return driver(s)->watcher ? observe_events(s) : observe(s, s->t, s->u);
}

/* Accept the step from t to t_new: (t, u) becomes its end, (t_old, u_old) its begin. */
static inline dae_status accept(dae_solver *s)
{
    dae_driver *d = driver(s);
    double *u = s->u;
    d->was_cut_before = d->was_cut;
    d->variation_before = d->variation;
    if (d->cuts) {
        d->was_cut = s->cut;
        s->cut = 0;
        s->sys->open = NULL;
    }
    s->u = s->u_new;
    s->u_new = s->u_old = u;
    s->t_old = s->t;
    s->t = s->t_new;
    if (!s->extending)
        d->t_from = s->t_old;
    if (!s->method->own_control)
        s->count.steps++;
    d->output_measured = 0;
    if (d->vary)
        d->vary(d->varied);
    for (int i = 0; i < d->followers; i++)
        d->kept[i](s);
    dae_status status = s->method->accepted ? s->method->accepted(s) : DAE_OK;
    if (!status && s->sys->mass_checked)
        status = try_mass(s);
    return !status && (d->watcher || d->observer) ? report(s) : status;
}

dae_status dae_solver_jump(dae_solver *s, double t, const double *u)
{
    double *old = s->u;
    memcpy(s->u_new, u, (size_t)s->n * sizeof *u);
    s->u = s->u_new;
    s->u_new = s->u_old = old;
    s->t_old = driver(s)->t_from = s->t;
    s->t = s->t_new = t;
    driver(s)->crossed = 1;
    return driver(s)->watcher || driver(s)->observer ? report(s) : DAE_OK;
}

/* One step without error test; only u_new must be finite. */
static inline dae_status try_step(dae_solver *s, double h, double t_stop)
{
    if (driver(s)->corrects_output)
        dae_output_restore(s);
    const dae_status status = s->method->step(s, h, t_stop);
    if (status)
        return status;
    return dae_vector_finite(s->n, s->u_new) ? DAE_OK : state_not_finite(s);
}

dae_status dae_solver_keep_step(dae_solver *s)
{
    return dae_vector_finite(s->n, s->u_new) ? accept(s) : state_not_finite(s);
}

static int may_retry(dae_status status)
{
    return status == DAE_NOT_FINITE || status == DAE_SINGULAR || status == DAE_NO_CONVERGENCE;
}

/* A step that failed, or moved suddenly: 1 where F jumps in it, and it is not made. A method of its own control has to
 * begin anew, as it has gone on. */
static int is_jump(dae_solver *s, double t_stop, dae_status *status)
{
    const int own = s->method->own_control && s->adaptive;
    const int failed = may_retry(*status) || (own && *status < 0 && *status != DAE_NO_MEMORY);
    if (!driver(s)->crossing || !(failed || (!*status && !own && dae_crossing_sudden(s))))
        return 0;
    const double reach = own ? fmin(t_stop, s->t + 2 * (s->t - s->t_old)) : s->t_new;
    if (!dae_crossing_look(s, reach))
        return 0;
    *status = own ? dae_crossing_again(s) : DAE_OK;
    return 1;
}

static inline dae_status one_step(dae_solver *s, double h, double t_stop)
{
    if (driver(s)->cuts && (2 * h < s->options.step || driver(s)->was_cut))
        dae_cut_begin(s, h, s->options.step);
    dae_status status = try_step(s, h, t_stop);
    s->sys->open = NULL;
    if (is_jump(s, t_stop, &status))
        return status;
    if (!status && driver(s)->projection) {
        s->error = 0;
        status = dae_projection_step(s);
        if (s->adaptive && (may_retry(status) || s->error > 1))
            return dae_projection_again(s, status);
    }
    return status ? status : accept(s);
}

/* The end of fixed step k of an advance that began at t_begin: t_begin + k h without accumulating rounding. Where
 * less than two steps are left they are equal: a last one much shorter than those before it would divide what they
 * leave of constraints, and of velocities along them, by its size. */
static double end_of_fixed(const dae_solver *s, double t_begin, long k, double t_end)
{
    const double h = s->options.step, t_next = t_begin + (double)k * h, rest = t_end - t_next;
    return rest < STEP_FITS * h ? t_end : rest < (1 - STEP_FITS) * h ? s->t + (t_end - s->t) / 2 : t_next;
}

static dae_status advance_fixed(dae_solver *s, double t_end)
{
    const double h = s->options.step, t_begin = s->t;
    dae_status status = DAE_OK;
    for (long k = 1; !status && s->t < t_end; k++) {
        const double t_next = end_of_fixed(s, t_begin, k, t_end);
        if (t_next <= s->t)
            return dae_fail(&s->report, DAE_SMALL_STEP, "t = %.17g: step %g does not change t",
                            s->t, h);
        if (k > s->options.max_steps)
            return dae_fail(&s->report, DAE_MAX_STEPS, "t = %.9g: %ld steps of %g did not reach "
                            "t = %g", s->t, s->options.max_steps, h, t_end);
        while (!status && s->t < t_next) {
            s->t_new = dae_crossing_stop(s, t_next);
            status = s->t_new > s->t ? one_step(s, s->t_new - s->t, t_end) : dae_crossing_go(s);
        }
    }
    return status;
}

/* The step size after a rejected step; always smaller. */
static double smaller_step(const dae_solver *s, dae_status status, double h)
{
    if (status || (!s->newton_failed && !isfinite(s->error)))
        return h / 4;
    return fmin(s->h_next > 0 ? s->h_next : h * dae_step_factor(s, h), 0.9 * h);
}

/* In first-order problems F must be finite at the end of a step. Otherwise the next step would fail however
 * small it is. Mechanical models are assumed to be defined wherever accepted steps end. */
static dae_status check_end(dae_solver *s)
{
    if (s->sys->nq || s->end_checked)
        return DAE_OK;
    s->F_in_work = 0;
    dae_cut_end(s);
    dae_system_rhs(s->sys, s->t_new, s->u_new, s->work);
    s->count.rhs++;
    const dae_status status = dae_solver_check_finite(s, s->work, "F", s->t_new);
    s->F_in_work = !status;
    return status;
}

/* Try a step to t_new. It can be accepted if the status is DAE_OK and dae_step_passes is 1. */
static dae_status pass(dae_solver *s, double h, double t_end)
{
    s->h_next = 0;
    s->error_order = s->method->error_order;
    s->end_checked = 0;
    dae_short_start_begin(s, h, t_end);
    s->newton_failed = 0;
    driver(s)->proposed = s->h;
    dae_status status = try_step(s, h, t_end);
    if (!status)
        dae_short_start_pass(s);
    if (!status && dae_step_passes(s) && driver(s)->projection)
        status = dae_projection_step(s);
    if (!status && dae_step_passes(s) && driver(s)->test)
        status = driver(s)->test(driver(s)->varied);
    return !status && dae_step_passes(s) ? check_end(s) : status;
}

/* h, or options.max_step where that is less. */
static double limited(const dae_solver *s, double h)
{
    return s->options.max_step > 0 ? fmin(h, s->options.max_step) : h;
}

/* Accept it, and choose the next step size; after a step shortened by t_end not less than the one proposed
 * before. */
static dae_status keep(dae_solver *s, double h)
{
    const double wanted = s->h_next > 0 ? s->h_next : h * dae_step_factor(s, h);
    const int cut = h < 0.9 * s->h;
    s->h = limited(s, cut ? fmax(wanted, s->h) : wanted);
    dae_step_kept(s, h);
    if (cut)
        dae_control_forget(&driver(s)->control);
    dae_short_start_judge(s, h);
    return accept(s);
}

dae_status dae_solver_try(dae_solver *s, double t_next, int *kept)
{
    const double h = t_next - s->t;
    s->t_new = t_next;
    driver(s)->full = s->h;
    dae_cut_begin(s, h, s->h);
    const dae_status status = pass(s, h, t_next);
    dae_cut_end(s);
    *kept = !status && dae_step_passes(s);
    if (*kept)
        return keep(s, h);
    s->count.rejected++;
    return may_retry(status) ? DAE_OK : status;
}

static dae_status too_small(dae_solver *s)
{
    if (s->newton_failed)
        return dae_fail(&s->report, DAE_SMALL_STEP, "t = %.9g: step %g is below the smallest that "
                        "changes t; the iteration for its equations is too slow", s->t, s->h);
    return dae_fail(&s->report, DAE_SMALL_STEP, "t = %.9g: step %g is below the smallest that "
                    "changes t; the estimated error is %g times the tolerance", s->t, s->h, s->error);
}

/* 1: F jumps in the last step or in the next one, of size longest, which has first to end before. */
static int comes_to_jump(dae_solver *s, double longest)
{
    if (!dae_crossing_look(s, s->t + longest))
        return 0;
    s->h = longest;
    s->count.rejected++;
    return 1;
}

/* Try steps from t until one passes the error test; *tries counts all tries. */
static dae_status tested_step(dae_solver *s, double t_end, long *tries)
{
    const double smallest = fmax(SMALLEST * fabs(s->t), TINY * (t_end - s->t));
    const double longest = fmin(s->h, t_end - s->t);
    driver(s)->full = s->h;
    if (driver(s)->cuts)
        dae_cut_begin(s, t_end - s->t, s->h);
    for (; *tries < s->options.max_steps; ++*tries) {
        const double rest = t_end - s->t;
        const int last = s->h > rest * (1 - STEP_FITS);
        const double wanted = last ? rest : fmin(s->h, rest / 2);
        if (!last && wanted < smallest)
            return dae_fail(&s->report, DAE_SMALL_STEP, "t = %.17g: step %g is below the smallest "
                            "that changes t", s->t, wanted);
        s->t_new = last ? t_end : s->t + wanted;
        const double h = s->t_new - s->t;               /* of the times, which t + h is rounded to */
        const dae_status status = pass(s, h, t_end);
        if (status && !may_retry(status))
            return status;
        const int passes = !status && dae_step_passes(s);
        const int jumps = passes ? dae_crossing_sudden(s) : dae_crossing_rejected(s);
        if (jumps && comes_to_jump(s, longest))
            return DAE_OK;
        if (passes) {
            ++*tries;
            return keep(s, h);
        }
        s->count.rejected++;
        dae_step_rejected(s);
        s->h = smaller_step(s, status, h);
        if (s->h < smallest && comes_to_jump(s, longest))
            return DAE_OK;
        if (s->h < smallest && status)
            return status;
        if (s->h < smallest)
            return too_small(s);
    }
    return dae_fail(&s->report, DAE_MAX_STEPS, "t = %.9g: %ld steps, with those undone, did not "
                    "reach t = %g", s->t, s->options.max_steps, t_end);
}

/* Where the next step of a method that controls its steps has to stop, for options.max_step and first_step. */
static double own_stop(const dae_solver *s, double t_end)
{
    const double first = s->options.first_step;
    double h = limited(s, t_end - s->t);
    if (s->method->limits_steps)
        return t_end;
    if (first > 0 && s->t == s->t_begin)
        h = fmin(h, fmax(first, 2 * SMALLEST * fabs(s->t)));
    return t_end - (s->t + h) <= STEP_FITS * h ? t_end : s->t + h;
}

/* s->h := the first step to try, after a start or an earlier advance */
static void choose_first(dae_solver *s, double t_end)
{
    const int own = s->method->own_control;
    if (s->h == 0 && !own)
        s->h = dae_initial_step(s, s->error_order ? s->error_order : 4, dae_farthest(s, t_end));
    if (driver(s)->scales_by_rate && !(driver(s)->time_scale > 0))
        dae_look_at_start(s, dae_farthest(s, t_end));
    if (driver(s)->watcher)
        s->h = fmin(s->h, dae_watch_first_step(s));
    if (!own)                                           /* a first step has to change t */
        s->h = limited(s, fmax(s->h, 2 * SMALLEST * fabs(s->t)));
}

/* By steps that the method controls. */
static dae_status advance_own(dae_solver *s, double t_end)
{
    dae_status status = DAE_OK;
    for (long k = 1; !status && s->t < t_end; k++) {
        if (k > s->options.max_steps)
            return dae_fail(&s->report, DAE_MAX_STEPS, "t = %.9g: %ld steps did not reach t = %g",
                            s->t, s->options.max_steps, t_end);
        const double t_stop = dae_crossing_stop(s, own_stop(s, t_end));
        if (t_stop == s->t && t_stop < t_end) {
            status = dae_crossing_go(s);
            continue;
        }
        if (!(t_stop > s->t))
            return dae_fail(&s->report, DAE_SMALL_STEP, "t = %.17g: max_step = %g is below the smallest "
                            "that changes t", s->t, s->options.max_step);
        status = one_step(s, 0, t_stop);
    }
    return status;
}

static dae_status advance_tested(dae_solver *s, double t_end)
{
    dae_status status = DAE_OK;
    long tries = 0;
    while (!status && s->t < t_end) {
        const double stop = dae_crossing_stop(s, t_end);
        int kept = stop <= s->t;
        if (kept)
            status = dae_crossing_go(s);
        if (!kept && dae_extend_can(s, stop))
            status = dae_extend(s, stop, &kept);
        if (!status && !kept)
            status = tested_step(s, stop, &tries);
        dae_cut_end(s);
    }
    return status;
}

static dae_status advance_adaptive(dae_solver *s, double t_end)
{
    choose_first(s, t_end);
    return s->method->own_control ? advance_own(s, t_end) : advance_tested(s, t_end);
}

/* Check that t_end can be reached. With event functions the number of steps is not checked, as an event may
 * end the run earlier. */
static dae_status check_interval(dae_solver *s, double t_end)
{
    const dae_options *o = &s->options;
    const double span = t_end - s->t, longest = s->adaptive ? o->max_step : o->step;
    const double steps = longest > 0 ? span / longest : 0;
    if (!(t_end >= s->t && isfinite(span)))
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "t_end = %g %s t = %g", t_end,
                        t_end < s->t ? "lies before" : "is no finite time after", s->t);
    if (span > 0 && span < SHORTEST)
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "from t = %.9g to t_end = %.9g it is %g, and "
                        "below %g powers of steps vanish: take a smaller unit of time", s->t, t_end,
                        span, SHORTEST);
    if (!driver(s)->watcher && steps * (1 - STEP_FITS) > (double)o->max_steps)
        return dae_fail(&s->report, DAE_MAX_STEPS, "t = %.9g: to t = %.9g it is %.4g steps of %g, "
                        "more than the %ld that there may be", s->t, t_end, ceil(steps), longest, o->max_steps);
    return DAE_OK;
}

dae_status dae_solver_step_to(dae_solver *s, double t_end)
{
    const dae_status status = check_interval(s, t_end);
    if (status || t_end <= s->t)
        return status;
    return s->adaptive ? advance_adaptive(s, t_end) : advance_fixed(s, t_end);
}
