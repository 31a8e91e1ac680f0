/* extend.c - if t_end lies close behind the end of a step, that step is repeated with a larger size
 *
 * In index 2 and 3 a step of size d gives unknowns with errors divided by d, or d^2. Here d = t_end - t_n may
 * be very small. So with error control, if d is a small part of the next step size, the run goes back to
 * the begin t_n - H of the last step and takes one step of size H + d. If this is rejected, two steps are
 * tried, of three quarters and one quarter of H + d; at once where H + d is more than options.max_step or the step
 * proposed.
 * Only the part (t_n, t_n + d] is reported to observers.
 * If that fails as well, or if F is discontinuous near t_n, a step of size d is taken (stepper/cut.c,
 * stepper/short_start.c).
 */
#include "driver.h"

#include "stepper/output.h"

#include <math.h>
#include <string.h>

static const double SHORT = 0.25;       /* largest d over the next step size */
static const double SAME = 1e-3;        /* largest part of a step that its estimate does not see */
static const double FIRST = 0.75;       /* part of the first of two steps */

/* 0 also where a step has been tried since, which has overwritten u_old, and behind a jump. */
int dae_extend_can(const dae_solver *s, double t_end)
{
    return driver(s)->scales_by_rate && !s->method->own_control && s->t_new == s->t && s->t_old < s->t
           && !driver(s)->crossed && t_end - s->t < SHORT * s->h;
}

static void go_back(dae_solver *s)
{
    double *u = s->u;
    memcpy(driver(s)->shown, u, (size_t)s->n * sizeof *u);
    dae_rate_undo(s);
    s->u = s->u_old;
    s->u_new = s->u_old = u;
    driver(s)->t_from = s->t;
    s->t = s->t_old;
    s->extending = 1;
    driver(s)->was_cut = driver(s)->was_cut_before;
    s->F_in_work = 0;
    dae_output_discard(s);
}

/* Return to t_n, with the state reported there. */
static void go_on(dae_solver *s)
{
    s->t_old = s->t = driver(s)->t_from;
    memcpy(s->u, driver(s)->shown, (size_t)s->n * sizeof *s->u);
    s->F_in_work = driver(s)->was_cut = 0;
    dae_output_discard(s);
}

/* One step to t_end, where it is no longer than the one proposed, or hardly longer than the last one; kept = 0: it was
 * not made. The next one is no longer than its own estimate allows: step after step could else be made longer until
 * one fails. */
static dae_status in_one(dae_solver *s, double t_end, int *kept)
{
    const double h = t_end - s->t, longest = s->options.max_step;
    const int longer = h > s->h && t_end - driver(s)->t_from > SAME * h;
    const dae_status status = longer || (longest > 0 && h > longest) ? DAE_OK : dae_solver_try(s, t_end, kept);
    if (*kept && !status && h > SHORT * s->h)
        s->h = fmin(s->h, s->h_next > 0 ? s->h_next : h * dae_step_factor(s, h));
    return status;
}

/* kept = 1: t_end was reached. */
dae_status dae_extend(dae_solver *s, double t_end, int *kept)
{
    const double middle = s->t_old + FIRST * (t_end - s->t_old);
    *kept = 0;
    s->count.rhs += 3;
    if (dae_jumps(s, s->t, fmin(t_end - s->t, s->t - s->t_old), t_end - s->t))
        return DAE_OK;
    go_back(s);
    dae_status status = in_one(s, t_end, kept);
    if (!*kept && !status)
        status = dae_solver_try(s, middle, kept);
    if (*kept && !status && s->t < t_end)
        status = dae_solver_try(s, t_end, kept);
    if (!*kept)
        go_on(s);
    s->extending = 0;
    return status;
}
