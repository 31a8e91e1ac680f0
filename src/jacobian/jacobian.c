/* jacobian.c - a provider of dF/du, dF/dt, and its mass matrix on the same pattern */
#include "providers.h"

#include <stdlib.h>
#include <string.h>

static dae_provider *const providers[] = {
    [DAE_JACOBIAN_ANALYTIC] = dae_linearise_analytic,
    [DAE_JACOBIAN_DUAL] = dae_linearise_dual,
    [DAE_JACOBIAN_FD] = dae_linearise_fd,
};

void dae_linearise(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    jac->count->jacobians++;
    providers[jac->kind](jac, t, u, F, F_t);
}

/* The entries of the pattern from a dense J. */
static void gather(dae_jacobian *jac, const double *J)
{
    const int n = jac->sys->n;
    for (int j = 0; j < n; j++)
        for (int k = jac->pattern.column[j]; k < jac->pattern.column[j + 1]; k++)
            jac->J[k] = J[j * n + jac->pattern.row[k]];
}

void dae_linearise_analytic(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    dae_system *sys = jac->sys;
    double *time = F_t ? F_t : jac->work;
    double *J = jac->pattern.full ? jac->J : jac->work + 4 * sys->n;
    jac->count->rhs++;
    sys->compose->linearise(sys, t, u, F, J, time);
    if (!jac->pattern.full)
        gather(jac, J);
}

static dae_status choose(dae_jacobian *jac, dae_jacobian_kind kind, dae_report *report)
{
    const int analytic = dae_system_has_analytic(jac->sys);
    if (kind == DAE_JACOBIAN_ANALYTIC && !analytic)
        return dae_fail(report, DAE_UNSUPPORTED, "%s gives no analytic Jacobian in form %s",
                        jac->sys->problem->name, jac->sys->form->info.name);
    jac->kind = kind == DAE_JACOBIAN_BEST && analytic ? DAE_JACOBIAN_ANALYTIC
                : kind == DAE_JACOBIAN_BEST ? DAE_JACOBIAN_DUAL : kind;
    return DAE_OK;
}

static dae_status allocate(dae_jacobian *jac, int sparse, dae_report *report)
{
    const size_t n = (size_t)jac->sys->n;
    const int gathers = sparse && jac->kind == DAE_JACOBIAN_ANALYTIC;
    jac->work = calloc(4 * n + (gathers ? n * n : 0), sizeof *jac->work);
    jac->dual = calloc(2 * n, sizeof *jac->dual);
    if (!jac->work || !jac->dual)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the Jacobian of %zu unknowns", n);
    const dae_status status =
        sparse ? dae_pattern_probe(jac, report) : dae_pattern_full(&jac->pattern, (int)n);
    if (status)
        return dae_fail(report, status, "no pattern of the Jacobian: %s",
                        dae_status_sentence(status));
    jac->M = calloc((size_t)jac->pattern.nnz + 1, sizeof *jac->M);
    jac->J = calloc((size_t)jac->pattern.nnz + 1, sizeof *jac->J);
    return jac->M && jac->J ? DAE_OK
                            : dae_fail(report, DAE_NO_MEMORY, "no memory for a Jacobian of %d "
                                       "entries", jac->pattern.nnz);
}

/* M on the pattern, column by column from its action on unit vectors. */
static void fill_mass(dae_jacobian *jac)
{
    const int n = jac->sys->n;
    double *e = jac->work, *column = e + n;
    memset(e, 0, (size_t)n * sizeof *e);
    for (int j = 0; j < n; j++) {
        e[j] = 1;
        dae_system_mass(jac->sys, e, column);
        e[j] = 0;
        for (int k = jac->pattern.column[j]; k < jac->pattern.column[j + 1]; k++)
            jac->M[k] = column[jac->pattern.row[k]];
    }
}

dae_status dae_jacobian_create(dae_jacobian **out, dae_system *sys, dae_jacobian_kind kind,
                               int sparse, dae_report *report)
{
    *out = NULL;
    dae_jacobian *jac = calloc(1, sizeof *jac);
    if (!jac)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a Jacobian");
    jac->sys = sys;
    jac->count = &jac->own_count;
    dae_status status = choose(jac, kind, report);
    if (!status)
        status = allocate(jac, sparse, report);
    if (status) {
        dae_jacobian_free(jac);
        return status;
    }
    fill_mass(jac);
    *out = jac;
    return DAE_OK;
}

void dae_jacobian_free(dae_jacobian *jac)
{
    if (!jac)
        return;
    free(jac->pattern.column);
    free(jac->pattern.row);
    free(jac->M);
    free(jac->J);
    free(jac->work);
    free(jac->dual);
    free(jac);
}

dae_status dae_system_jacobian(dae_system *sys, dae_jacobian_kind kind, double t, const double *u,
                               double *J, double *F_t, dae_report *report)
{
    dae_jacobian *jac;
    const dae_status status = dae_jacobian_create(&jac, sys, kind, 0, report);
    if (status)
        return status;
    dae_linearise(jac, t, u, jac->work + 2 * sys->n, F_t);    /* x and y stand before it */
    memcpy(J, jac->J, (size_t)jac->pattern.nnz * sizeof *J);
    dae_jacobian_free(jac);
    return DAE_OK;
}
