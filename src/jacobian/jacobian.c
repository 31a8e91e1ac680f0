/* jacobian.c - a provider of dF/du, dF/dt, and its mass matrix on the same pattern */
#include "providers.h"

#include "numbers.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static dae_provider *const providers[] = {
    [DAE_JACOBIAN_ANALYTIC] = dae_linearise_analytic,
    [DAE_JACOBIAN_DUAL] = dae_linearise_dual,
    [DAE_JACOBIAN_FD] = dae_linearise_fd,
};

int dae_jacobian_kind_exists(dae_jacobian_kind kind)
{
    return (int)kind >= DAE_JACOBIAN_BEST && (int)kind <= DAE_JACOBIAN_FD;
}

static const double AGREES = 1e-6, AGREES_FD = 1e-3;    /* of sum |J_ij d_j| in a row */

/* Is J d the derivative of F in the direction d? */
static void try_direction(dae_jacobian *jac, double t, const double *u)
{
    const dae_pattern *pattern = &jac->pattern;
    const int n = pattern->n;
    const double agrees = jac->kind == DAE_JACOBIAN_FD ? AGREES_FD : AGREES, *d = jac->direction;
    double *sum = jac->work, *size = sum + n;
    dae_dual *x = jac->dual, *y = x + n;
    for (int i = 0; i < n; i++) {
        x[i] = dae_dual_make(u[i], d[i]);
        sum[i] = size[i] = 0;
    }
    jac->sys->compose->rhs_dual(jac->sys, dae_dual_make(t, 0), x, y);
    jac->count->rhs++;
    for (int j = 0; j < n; j++)
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++) {
            const double term = jac->J[k] * d[j];
            sum[pattern->row[k]] += term;
            size[pattern->row[k]] += fabs(term);
        }
    jac->incomplete = 0;
    for (int i = n - 1; i >= 0; i--)
        if (fabs(dae_dual_derivative(y[i]) - sum[i]) > agrees * size[i] + DBL_MIN)
            jac->incomplete = i + 1;
}

static inline void set_sizes(int n, const double *restrict u, const double *restrict floor,
                             double *restrict size)
{
    for (int i = 0; i < n; i++)
        size[i] = fabs(u[i]) + floor[i];
}

void dae_linearise(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    jac->count->jacobians++;
    jac->count->nonzeros = jac->pattern.nnz;
    jac->count->fill = jac->fill;
    providers[jac->kind](jac, t, u, F, F_t);
    if (jac->pattern.n == 5)                            /* a body in the plane: written out */
        set_sizes(5, u, jac->floor, jac->size);
    else
        set_sizes(jac->pattern.n, u, jac->floor, jac->size);
    if (jac->tried && !jac->pattern.full)
        try_direction(jac, t, u);
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

static dae_status choose(dae_jacobian *jac, dae_jacobian_kind kind, int sparse, dae_report *report)
{
    const int given = dae_system_has_analytic(jac->sys);
    const int analytic = given && !(sparse && jac->sys->n > DAE_MOST_GATHERED);
    if (kind == DAE_JACOBIAN_ANALYTIC && !given)
        return dae_fail(report, DAE_UNSUPPORTED, "%s gives no analytic Jacobian in form %s",
                        jac->sys->problem->name, jac->sys->form->info.name);
    if (kind == DAE_JACOBIAN_ANALYTIC && !analytic)
        return dae_fail(report, DAE_UNSUPPORTED, "an analytic Jacobian is dense: %d unknowns are "
                        "too many for a sparse one, which takes %d; take dual numbers", jac->sys->n,
                        (int)DAE_MOST_GATHERED);
    jac->kind = kind == DAE_JACOBIAN_BEST && analytic ? DAE_JACOBIAN_ANALYTIC
                : kind == DAE_JACOBIAN_BEST ? DAE_JACOBIAN_DUAL : kind;
    return DAE_OK;
}

/* Columns by their colours. */
static dae_status group_columns(dae_jacobian *jac)
{
    const int n = jac->pattern.n;
    dae_groups *groups = &jac->groups;
    int *colour = malloc(((size_t)n + 1) * sizeof *colour);
    const int count = colour ? dae_colour_columns(&jac->pattern, colour) : -1;
    if (count >= 0) {
        groups->start = calloc((size_t)count + 2, sizeof *groups->start);
        groups->column = malloc(((size_t)n + 1) * sizeof *groups->column);
    }
    if (!groups->start || !groups->column) {
        free(colour);
        return DAE_NO_MEMORY;
    }
    for (int j = 0; j < n; j++)
        groups->start[colour[j] + 2]++;
    for (int c = 0; c < count; c++)
        groups->start[c + 2] += groups->start[c + 1];
    for (int j = 0; j < n; j++)                         /* start[c + 1] runs through group c */
        groups->column[groups->start[colour[j] + 1]++] = j;
    groups->count = count;
    free(colour);
    return DAE_OK;
}

static int choose_direction(dae_jacobian *jac)
{
    uint64_t random = 19750501;
    jac->direction = malloc((size_t)jac->sys->n * sizeof *jac->direction);
    for (int i = 0; jac->direction && i < jac->sys->n; i++)
        jac->direction[i] = dae_random_direction(&random);
    return jac->direction != NULL;
}

static dae_status find_pattern(dae_jacobian *jac, int sparse, dae_report *report)
{
    if (!sparse)
        return dae_pattern_full(&jac->pattern, jac->sys->n);
    const dae_status status = dae_pattern_probe(jac, report);
    return status || jac->pattern.full ? status : group_columns(jac);
}

static dae_status allocate(dae_jacobian *jac, int sparse, dae_report *report)
{
    const size_t n = (size_t)jac->sys->n;
    const int gathers = sparse && jac->kind == DAE_JACOBIAN_ANALYTIC;
    jac->work = calloc(4 * n + (gathers ? n * n : 0), sizeof *jac->work);
    jac->dual = calloc(2 * n, sizeof *jac->dual);
    jac->size = malloc(2 * (n + 1) * sizeof *jac->size);
    if (!jac->work || !jac->dual || !jac->size)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the Jacobian of %zu unknowns", n);
    jac->floor = jac->size + n;
    for (size_t i = 0; i < n; i++)
        jac->size[i] = jac->floor[i] = 1;
    if (sparse && !choose_direction(jac))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a direction of %zu unknowns", n);
    const dae_status status = find_pattern(jac, sparse, report);
    if (status)
        return dae_fail(report, status, "no pattern of the Jacobian: %s",
                        dae_status_sentence(status));
    jac->M = calloc((size_t)jac->pattern.nnz + 1, sizeof *jac->M);
    jac->J = calloc((size_t)jac->pattern.nnz + 1, sizeof *jac->J);
    return jac->M && jac->J ? DAE_OK
                            : dae_fail(report, DAE_NO_MEMORY, "no memory for a Jacobian of %d "
                                       "entries", jac->pattern.nnz);
}

/* M on the pattern, from its action on the columns of each group together, or one by one. */
static void fill_mass(dae_jacobian *jac)
{
    const dae_groups *groups = &jac->groups;
    const int n = jac->sys->n, count = groups->count > 0 ? groups->count : n;
    double *e = jac->work, *Me = e + n;
    memset(e, 0, (size_t)n * sizeof *e);
    for (int c = 0; c < count; c++) {
        const int grouped = groups->count > 0;
        const int begin = grouped ? groups->start[c] : c;
        const int end = grouped ? groups->start[c + 1] : c + 1;
        for (int i = begin; i < end; i++)
            e[grouped ? groups->column[i] : i] = 1;
        dae_system_mass(jac->sys, e, Me);
        for (int i = begin; i < end; i++) {
            const int j = grouped ? groups->column[i] : i;
            e[j] = 0;
            for (int k = jac->pattern.column[j]; k < jac->pattern.column[j + 1]; k++)
                jac->M[k] = Me[jac->pattern.row[k]];
        }
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
    dae_status status = choose(jac, kind, sparse, report);
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
    if (jac->shared)
        jac->release(jac->shared);
    dae_pattern_free(&jac->pattern);
    free(jac->groups.start);
    free(jac->groups.column);
    free(jac->M);
    free(jac->J);
    free(jac->size);
    free(jac->work);
    free(jac->dual);
    free(jac->direction);
    free(jac);
}

dae_status dae_system_jacobian(dae_system *sys, dae_jacobian_kind kind, double t, const double *u,
                               double *J, double *F_t, dae_report *report)
{
    dae_jacobian *jac;
    if (!sys || !u || !J)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", !sys ? "system"
                        : !u ? "state" : "place for a Jacobian");
    if (!dae_jacobian_kind_exists(kind))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%d is no kind of Jacobian", (int)kind);
    const dae_status status = dae_jacobian_create(&jac, sys, kind, 0, report);
    if (status)
        return status;
    dae_linearise(jac, t, u, jac->work + 2 * sys->n, F_t);    /* x and y stand before it */
    memcpy(J, jac->J, (size_t)jac->pattern.nnz * sizeof *J);
    dae_jacobian_free(jac);
    return DAE_OK;
}
