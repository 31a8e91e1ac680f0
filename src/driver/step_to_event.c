/* step_to_event.c - the state at a time inside the last step, by a step of the method that ends there
 *
 * A second solver of the same method, event_solver, makes it.
 */
#include "driver.h"

#include "projection/projection.h"
#include "stepper/output.h"

#include <math.h>
#include <string.h>

static const double SHORT = 0.25;       /* of the last step: for shorter ones dense output is used */

/* In first-order problems, after a very short step, unknowns of index 2 and 3 contain errors divided by its
 * size. They are replaced by the dense output of the last step. */
static dae_status replace_quotients(dae_solver *s, double h, double t, double *u)
{
    double *row = driver(driver(s)->event_solver)->shown;
    if (!driver(s)->scales_by_rate || s->sys->nq || h >= SHORT * (s->t - s->t_old))
        return DAE_OK;
    const dae_status status = dae_driver_interpolate(s, t, row);
    if (!status)
        dae_take_higher_index(s, row, u);
    return status;
}

dae_status dae_step_to_event(dae_solver *s, double a, const double *begin, double t, double *u)
{
    dae_solver *locator = driver(s)->event_solver;
    const double h = t - a;
    dae_status status = dae_driver_start(locator, a, begin);
    if (!status && s->method->follow)
        s->method->follow(locator, s->stepper);
    locator->t_new = t;
    locator->h = fmax(s->h, s->t - s->t_old);           /* the step is a part of one so long */
    locator->h_next = locator->error = 0;
    dae_rate_follow(locator, s);
    locator->newton_failed = 0;
    if (!status)
        dae_cut_begin(locator, h, locator->h);
    if (!status)
        status = locator->method->step(locator, h, t);
    dae_cut_end(locator);
    if (!status && !dae_vector_finite(s->n, locator->u_new))
        status = DAE_NOT_FINITE;
    if (!status && driver(locator)->projection)
        status = dae_projection_step(locator);
    if (!status && s->adaptive && !dae_step_passes(locator))
        status = DAE_ERROR_TEST;
    if (!status)
        memcpy(u, locator->u_new, (size_t)s->n * sizeof *u);
    if (!status)
        dae_output_determine(locator, t, u);
    if (!status)
        status = replace_quotients(s, h, t, u);
    s->count.rhs += locator->count.rhs;
    s->count.jacobians += locator->count.jacobians;
    s->count.factorizations += locator->count.factorizations;
    s->count.solves += locator->count.solves;
    return status;
}
