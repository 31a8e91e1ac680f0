/* gradient.c - the derivative of a sum of costs of a run, by many numbers at once */
#include "gradient.h"

#include "base/numbers.h"
#include "base/parts.h"

#include <stdlib.h>
#include <string.h>

static dae_status told(const dae_gradient *g, dae_status status, dae_report *report)
{
    if (status && report)
        *report = g->a.v.report;
    return status;
}

/* ---- creation -------------------------------------------------------------------------------- */

static dae_status allocate(dae_gradient *g, const dae_directions *d, int checkpoints)
{
    const size_t n = (size_t)g->a.v.n;
    g->places = checkpoints / 2;
    g->most = checkpoints - g->places;
    if (!DAE_PARTS(g,
                   DAE_PART(dae_gradient, u0, n + 1), DAE_PART(dae_gradient, from, n), DAE_PART(dae_gradient, own, n),
                   DAE_PART(dae_gradient, product, n), DAE_PART(dae_gradient, state_now, n),
                   DAE_PART(dae_gradient, main_way, n), DAE_PART(dae_gradient, place, g->places),
                   DAE_PART(dae_gradient, held, n),
                   DAE_PART(dae_gradient, parameter, d->parameter_count),
                   DAE_PART(dae_gradient, unknown, d->unknown_count)))
        return dae_fail(&g->a.v.report, DAE_NO_MEMORY, "no memory for the gradient of %zu unknowns", n);
    g->unknowns = d->unknown_count;
    for (int k = 0; k < d->unknown_count; k++)
        g->unknown[k] = d->unknowns[k];
    for (int c = 0; c < d->parameter_count; c++) {
        g->parameter[c] = d->parameters[c];
        dae_dp(&g->a.v, c)[d->parameters[c]] = 1;
    }
    return DAE_OK;
}

/* A solver of fixed steps of the same method, with derivatives of F that are exact */
static dae_status create_again(dae_gradient *g)
{
    dae_options options = g->solver->options;
    if (options.jacobian == DAE_JACOBIAN_FD)
        options.jacobian = DAE_JACOBIAN_BEST;
    const dae_status status = dae_driver_create_unguarded(&g->again, g->solver->sys, g->solver->method, &options,
                                                          &g->a.v.report);
    if (!status)
        g->again->adaptive = 0;
    return status;
}

dae_status dae_gradient_create(dae_gradient **out, dae_solver *solver, const dae_directions *directions,
                               int checkpoints, dae_report *report)
{
    if (!out || !solver)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", out ? "solver" : "place for a gradient");
    *out = NULL;
    if (checkpoints && checkpoints < 2)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%d checkpoints: at least 2 are needed, or 0 for all steps",
                        checkpoints);
    dae_status status = dae_sensitivity_check_solver(solver, report);
    if (!status)
        status = dae_directions_check(solver, directions,
                                      directions ? directions->parameter_count + directions->unknown_count : 0, report);
    if (status)
        return status;
    dae_gradient *g = calloc(1, sizeof *g);
    if (!g)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a gradient");
    g->solver = solver;
    status = dae_transpose_create(&g->a, solver->sys, directions->parameter_count);
    if (!status)
        status = allocate(g, directions, checkpoints);
    if (!status)
        status = create_again(g);
    if (status) {
        status = told(g, status, report);
        dae_gradient_free(g);
        return status;
    }
    g->status = dae_fail(&g->a.v.report, DAE_BAD_ARGUMENT, "dae_gradient_start comes first");
    driver(solver)->varied = g;
    driver(solver)->vary = dae_tape_keep;
    *out = g;
    return DAE_OK;
}

void dae_gradient_free(dae_gradient *g)
{
    if (!g)
        return;
    if (driver(g->solver)->varied == g) {
        driver(g->solver)->varied = NULL;
        driver(g->solver)->vary = NULL;
    }
    dae_tape_free(g);
    dae_free_places(g);
    dae_sensitivity_free(g->columns);
    dae_driver_free(g->again);
    dae_transpose_free(&g->a);
    free(g->u0);
    free(g);
}

/* ---- a run ----------------------------------------------------------------------------------- */

dae_status dae_gradient_start(dae_gradient *g, const double *from, dae_report *report)
{
    if (!g)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no gradient is given");
    const dae_solver *s = g->solver;
    const size_t size = (size_t)s->n * sizeof *from;
    if (!driver(s)->started)
        return dae_fail(report, DAE_BAD_ARGUMENT, "dae_solver_start comes first");
    dae_tape_begin(g);
    g->run = driver(s)->runs;
    g->t0 = s->t;
    memcpy(g->u0, s->u, size);
    memcpy(g->own, s->u, size);
    g->given = from != NULL;
    g->hybrid = NULL;
    memset(g->held, 0, (size_t)s->n * sizeof *g->held);
    if (from)
        memcpy(g->from, from, size);
    g->status = DAE_OK;
    return DAE_OK;
}

dae_status dae_gradient_add(dae_gradient *g, const double *cost_u, dae_report *report)
{
    if (!g || !cost_u)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s given", g ? "derivative of a cost is" : "gradient is");
    const dae_solver *s = g->solver;
    const size_t size = (size_t)s->n * sizeof *cost_u;
    if (g->status || (g->status = dae_gradient_follows(g)))
        return told(g, g->status, report);
    if ((g->steps ? g->step[g->steps - 1].t : g->t0) != s->t)
        return dae_fail(report, DAE_UNSUPPORTED, "t = %.12g: the run stands at an event, or behind a jump, that no "
                        "step has led to", s->t);
    dae_kept_cost *cost = dae_tape_cost(g);
    if (!cost)
        return told(g, DAE_NO_MEMORY, report);
    memcpy(g->a.u, cost_u, size);
    memset(g->a.p, 0, (size_t)g->a.v.count * sizeof *g->a.p);
    g->status = dae_transpose_shown(g);
    memcpy(cost->u, g->a.u, size);
    memcpy(cost->p, g->a.p, (size_t)g->a.v.count * sizeof *g->a.p);
    return told(g, g->status, report);
}

/* What the model's functions would change is refused meanwhile (driver/entry.c). */
static dae_status walk_back(dae_gradient *g)
{
    dae_system *sys = g->solver->sys;
    const dae_use before = sys->use;
    sys->use = DAE_WORKS;
    const dae_status status = dae_walk_back(g);
    sys->use = before;
    return status;
}

dae_status dae_gradient_at(dae_gradient *g, double *dJ, dae_report *report)
{
    if (!g || !dJ)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s given", g ? "place for derivatives is" : "gradient is");
    if (g->status || (g->status = dae_gradient_follows(g)))
        return told(g, g->status, report);
    dae_status status = dae_driver_start(g->again, g->t0, g->u0);
    if (status)
        g->a.v.report = g->again->report;
    else
        status = walk_back(g);
    if (!status)
        status = dae_gradient_of_start(g, dJ);
    if (!status && !dae_vector_finite(g->a.v.count + g->unknowns, dJ))
        status = dae_fail(&g->a.v.report, DAE_NOT_FINITE, "the derivatives are not finite: steps that the tolerance of "
                          "the state lets pass let them grow without end; take an implicit method");
    return told(g, status, report);
}
