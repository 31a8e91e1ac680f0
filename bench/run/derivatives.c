#include "run/derivatives.h"

#include "host/allocate.h"
#include "run/run_measure.h"

#include <math.h>
#include <stdlib.h>

double derivatives_factor(const run_setting *s, int i)
{
    const double p = run_parameter(s, s->sensitivity[i]);
    return p != 0 ? fabs(p) : 1;
}

static dae_directions directions_of(const run_setting *s)
{
    return (dae_directions){.parameters = s->sensitivity, .parameter_count = s->sensitivities};
}

dae_status derivatives_through(run_derivatives *along, const run_setting *s, dae_hybrid *run)
{
    const dae_directions directions = directions_of(s);
    *along = (run_derivatives){.of = NULL};
    return s->sensitivities ? dae_hybrid_sensitivity_create(&along->through, run, &directions, &along->report) : DAE_OK;
}

dae_status derivatives_create(run_derivatives *along, const run_setting *s, dae_system *sys, dae_solver *solver)
{
    const dae_directions directions = directions_of(s);
    *along = (run_derivatives){.of = NULL};
    if (!s->sensitivities)
        return DAE_OK;
    if (!s->as_given) {
        along->from = allocate((size_t)dae_system_size(sys), sizeof *along->from);
        if (dae_system_start(sys, along->from, &along->report))
            return along->report.status;
    }
    return dae_sensitivity_create(&along->of, solver, &directions, &along->report);
}

void derivatives_free(run_derivatives *along)
{
    dae_sensitivity_free(along->of);
    dae_hybrid_sensitivity_free(along->through);
    free(along->from);
    *along = (run_derivatives){.of = NULL};
}

dae_status derivatives_start(run_derivatives *along, dae_solver *solver, double t0, const double *u)
{
    const dae_status status = dae_solver_start(solver, t0, u);
    return status || !along->of ? status : dae_sensitivity_start(along->of, along->from, &along->report);
}

/* ---- by class ---- */

static void keep(run_result *r, dae_class c, const double *x, int count, double factor)
{
    run_keep_values(r, RUN_DERIVATIVES + (int)c, x, count, factor);
}

typedef struct {
    dae_system *sys;
    double t;
    const double *u, *dp;
    double factor;
} direction;

static dae_status keep_mechanical(const direction *d, const double *du, const double *dlambda, run_result *r,
                                  dae_report *report)
{
    const int nq = dae_system_positions(d->sys), nl = dae_system_multipliers(d->sys);
    double *dq = allocate(2 * (size_t)nq, sizeof *dq), *dv = dq + nq;
    const dae_tangent along = {.u = du, .p = d->dp};
    const dae_status status = dae_system_split_along(d->sys, d->t, d->u, &along, dq, dv, report);
    keep(r, DAE_POSITION, dq, status ? 0 : nq, d->factor);
    keep(r, DAE_VELOCITY, dv, status ? 0 : nq, d->factor);
    if (!status && dae_system_class(d->sys, dae_system_size(d->sys) - 1) != DAE_VELOCITY) {
        keep(r, DAE_MULTIPLIER, du + 2 * nq, nl, d->factor);        /* minimal coordinates have none */
        keep(r, DAE_RECOVERED, dlambda, nl, d->factor);
    }
    free(dq);
    return status;
}

static dae_status keep_first_order(const direction *d, const double *du, run_result *r)
{
    for (int i = 0; i < dae_system_size(d->sys); i++) {
        const dae_class c = dae_system_class(d->sys, i);
        if (c == DAE_DIFFERENTIAL || c == DAE_ALGEBRAIC)
            keep(r, c, &du[i], 1, d->factor);
    }
    return DAE_OK;
}

dae_status derivatives_keep(run_derivatives *along, const run_setting *s, dae_system *sys, double t, const double *u,
                            run_result *r)
{
    const size_t n = (size_t)dae_system_size(sys), nl = (size_t)dae_system_multipliers(sys);
    const size_t count = (size_t)s->sensitivities, np = (size_t)dae_parameter_count(s->problem);
    const int mechanical = dae_system_positions(sys) > 0;
    if (!along->of && !along->through)
        return DAE_OK;
    double *du = allocate(count * (n + nl) + np, sizeof *du), *dlambda = du + count * n, *dp = dlambda + count * nl;
    double *multipliers = mechanical && nl ? dlambda : NULL;
    dae_status status = along->of ? dae_sensitivity_at(along->of, du, multipliers, &along->report)
                                  : dae_hybrid_sensitivity_at(along->through, du, multipliers, &along->report);
    for (size_t i = 0; !status && i < count; i++) {
        const direction d = {sys, t, u, dp, derivatives_factor(s, (int)i)};
        dp[s->sensitivity[i]] = 1;
        status = mechanical ? keep_mechanical(&d, du + i * n, dlambda + i * nl, r, &along->report)
                            : keep_first_order(&d, du + i * n, r);
        dp[s->sensitivity[i]] = 0;
    }
    free(du);
    return status;
}
