/* extend.c - a stop close behind the end of a step makes that step longer
 *
 * In index 2 and 3 the end of a step of size d shows errors divided by d, or d^2, however small the d
 * that a stop asks for. So where steps are chosen and a stop lies by d behind t_n, the end of a step of
 * size H, and d is a small part of the step to come, the run goes back to t_n - H and takes one step of
 * size H + d; where that does not pass, two steps share the way, the last a
 * quarter. Only (t_n, t_n + d] of it is new: nobody is shown the rest again. Where that does not do
 * either, or F jumps near t_n, the step of size d is taken as it is (cut.c, trust.c).
 */
#include "driver.h"

#include "stepper/row.h"

#include <math.h>
#include <string.h>

static const double SHORT = 0.25;       /* of the step to come: d */
static const double FIRST = 0.75;       /* of the way, where two steps share it */

/* Where a step has failed since, its begin is lost. */
int dae_extend_can(const dae_solver *s, double t_end)
{
    return driver(s)->paced && !s->method->own_control && s->t_new == s->t && s->t_old < s->t
           && t_end - s->t < SHORT * s->h;
}

static void go_back(dae_solver *s)
{
    double *u = s->u;
    memcpy(driver(s)->shown, u, (size_t)s->n * sizeof *u);
    s->u = s->u_old;
    s->u_new = s->u_old = u;
    driver(s)->t_from = s->t;
    s->t = s->t_old;
    s->extending = 1;
    driver(s)->changes = driver(s)->changes_before;
    driver(s)->was_cut = driver(s)->was_cut_before;
    s->F_in_work = 0;
    dae_row_forget(s);
}

/* To t_n, with what was shown there. */
static void go_on(dae_solver *s)
{
    s->t_old = s->t = driver(s)->t_from;
    memcpy(s->u, driver(s)->shown, (size_t)s->n * sizeof *s->u);
    s->F_in_work = driver(s)->was_cut = 0;
    dae_row_forget(s);
}

/* kept: whether it has come to t_end. */
dae_status dae_extend(dae_solver *s, double t_end, int *kept)
{
    const double middle = s->t_old + FIRST * (t_end - s->t_old);
    *kept = 0;
    s->count.rhs += 3;
    if (dae_jumps(s, s->t, fmin(t_end - s->t, s->t - s->t_old), t_end - s->t))
        return DAE_OK;
    go_back(s);
    dae_status status = dae_solver_try(s, t_end, kept);
    if (!*kept && !status)
        status = dae_solver_try(s, middle, kept);
    if (*kept && !status && s->t < t_end)
        status = dae_solver_try(s, t_end, kept);
    if (!*kept)
        go_on(s);
    s->extending = 0;
    return status;
}
