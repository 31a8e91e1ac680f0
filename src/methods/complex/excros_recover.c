/* excros_recover.c - extrapolated CROS on mechanical systems: the constraints, and the multipliers
 * recovered from the acceleration level
 */
#include "excros.h"

#include "projection/project.h"
#include "variation/variation.h"

#include <string.h>

static dae_status singular_schur(dae_solver *s, double t)
{
    return dae_fail(&s->report, DAE_SINGULAR, "t = %.9g: G M^-1 G^T is singular: a constraint is "
                    "redundant, or its gradient vanishes", t);
}

/* The multipliers of u at t, with S at its q: lambda from the acceleration level, mu = 0. */
static void set_multipliers(dae_solver *s, double t, double *u)
{
    const dae_system *sys = s->sys;
    for (int i = 2 * sys->nq + sys->nl; i < s->n; i++)
        u[i] = 0;
    dae_system_balance(s->sys, t, u, u + sys->nq, dae_system_accelerations(sys, u),
                       u + 2 * sys->nq);
}

static dae_status no_projection(dae_solver *s, dae_status status, double t)
{
    if (status == DAE_SINGULAR)
        return singular_schur(s, t);
    return dae_fail(&s->report, status, "t = %.9g: the projection on g = 0 does not converge", t);
}

dae_status dae_excros_project(dae_solver *s, double t, double *u)
{
    const dae_status status = dae_project(s->sys, t, u, u + s->sys->nq);
    if (status)
        return no_projection(s, status, t);
    set_multipliers(s, t, u);
    return DAE_OK;
}

/* q onto g = 0 along G^T, as q' = v - G^T mu moves it: by the O(h^2) that a step of ggl leaves of
 * g. Along M^-1 G^T instead, that would leave O(h^2) along g = 0 wherever the masses are not all
 * equal, and the extrapolation would be of order 1. */
static dae_status return_to_constraint(dae_solver *s, double t, double *q)
{
    const dae_status status = dae_project_positions_euclidean(s->sys, t, q);
    return status ? no_projection(s, status, t) : DAE_OK;
}

static dae_status recover(dae_solver *s, double t, double *u)
{
    dae_system *sys = s->sys;
    double *v = u + sys->nq, *kappa = sys->state;
    if (sys->compose->auxiliary) {
        const dae_status status = return_to_constraint(s, t, u);
        return status ? status : dae_excros_project(s, t, u);
    }
    if (sys->index < 2)
        return dae_system_accelerate(sys, t, u, v, dae_system_accelerations(sys, u),
                                     u + 2 * sys->nq)
                   ? singular_schur(s, t) : DAE_OK;
    if (!dae_system_factor_schur(sys, t, u))
        return singular_schur(s, t);
    sys->problem->mechanical.rate.f(sys->p, t, u, v, kappa);
    dae_system_solve_schur(sys, kappa);
    dae_system_add_reaction(sys, kappa, v);
    set_multipliers(s, t, u);
    return DAE_OK;
}

dae_status dae_excros_recover(dae_solver *s, double t, double *u, double *d, double *before)
{
    memcpy(before, u, (size_t)s->n * sizeof *u);
    const dae_status status = recover(s, t, u);
    for (int i = 0; i < s->n; i++)
        d[i] += u[i] - before[i];
    return status;
}

dae_status dae_excros_vary_project(dae_solver *s, dae_variation *v, double t, double *before, double *u)
{
    memcpy(before, u, (size_t)s->n * sizeof *u);
    dae_status status = dae_excros_project(s, t, u);
    if (!status)
        status = dae_vary_projection(v, DAE_VARY_POSITIONS | DAE_VARY_VELOCITIES, t, before, u);
    return status ? status : dae_vary_multipliers(v, t, u);
}

dae_status dae_excros_vary_recover(dae_solver *s, dae_variation *v, double t, double *before, double *u)
{
    const dae_system *sys = s->sys;
    dae_status status = DAE_OK;
    memcpy(before, u, (size_t)s->n * sizeof *u);
    if (!sys->compose->auxiliary) {
        status = recover(s, t, u);
        if (!status && sys->index > 1)
            status = dae_vary_projection(v, DAE_VARY_VELOCITIES, t, before, u);
        return status ? status : dae_vary_multipliers(v, t, u);
    }
    status = return_to_constraint(s, t, u);
    if (!status)
        status = dae_vary_euclidean(v, t, before);
    return status ? status : dae_excros_vary_project(s, v, t, before, u);
}
