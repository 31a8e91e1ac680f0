/* jacobian.c - a provider of dF/du, dF/dt, and its mass matrix on the same pattern */
#include "providers.h"
#include "base/zeroed.h"
#include "base/statistics.h"

#include <math.h>
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

static inline void set_sizes(int n, const double *restrict u, const double *restrict floor,
                             double *restrict size)
{
    int i = 0;
    for (; i + 1 < n; i += 2) {                         /* few unknowns spend more on counting */
        size[i] = fabs(u[i]) + floor[i];
        size[i + 1] = fabs(u[i + 1]) + floor[i + 1];
    }
    if (i < n)
        size[i] = fabs(u[i]) + floor[i];
}

void dae_differentiate(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    jac->provider(jac, t, u, F, F_t);
}

/* Where the pattern may grow. */
static void linearise_and_count(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    dae_linearise_checked(jac, t, u, F, F_t);
    jac->pair.count->nonzeros = jac->pair.pattern.nnz;
    jac->pair.count->fill = jac->pair.fill;
}

void dae_linearise(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    dae_provider *const linearised =
        jac->direction || jac->sys->open ? linearise_and_count : jac->provider;
    set_sizes(jac->pair.pattern.n, u, jac->floor, jac->pair.size);
    jac->pair.count->jacobians++;
    jac->pair.count->nonzeros = jac->pair.pattern.nnz;
    jac->pair.count->fill = jac->pair.fill;
    linearised(jac, t, u, F, F_t);
}

void dae_jacobian_add_work(dae_jacobian *jac, dae_statistics *count)
{
    dae_statistics_add_work(count, &(dae_statistics){0}, &jac->own_count);
    jac->own_count = (dae_statistics){0};
}

/* ---- M on the pattern --------------------------------------------------------------------- */

static void fill_diagonal(dae_jacobian *jac)
{
    const dae_pattern *p = &jac->pair.pattern;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++)
            jac->pair.M[k] = p->row[k] == j ? jac->sys->diagonal[j] : 0;
}

/* M on the pattern: a diagonal as it is, else by M e with e the sum of the unit vectors of a group of columns, which
 * share no row, or of one column. */
void dae_fill_mass(dae_jacobian *jac)
{
    if (!jac->sys->carried && !jac->sys->nondiagonal_mass) {
        fill_diagonal(jac);
        return;
    }
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
            for (int k = jac->pair.pattern.column[j]; k < jac->pair.pattern.column[j + 1]; k++)
                jac->pair.M[k] = Me[jac->pair.pattern.row[k]];
        }
    }
}

/* ---- dense blocks of a model --------------------------------------------------------------- */

/* The entries of the pattern from a dense J. */
static void gather(dae_jacobian *jac, const double *J)
{
    const int n = jac->sys->n;
    for (int j = 0; j < n; j++)
        for (int k = jac->pair.pattern.column[j]; k < jac->pair.pattern.column[j + 1]; k++)
            jac->pair.J[k] = J[j * n + jac->pair.pattern.row[k]];
}

void dae_linearise_analytic(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    dae_system *sys = jac->sys;
    double *time = F_t ? F_t : jac->work;
    jac->pair.count->rhs++;
    if (jac->plan) {
        jac->pair.strayed = !dae_entry_plan_linearise(jac->plan, t, u, F, jac->pair.J, F_t);
        return;
    }
    if (!jac->pair.pattern.full) {
        double *J = jac->work + 4 * sys->n;
        sys->linearise(sys, t, u, F, J, time);
        gather(jac, J);
        return;
    }
    sys->linearise(sys, t, u, F, jac->pair.J, time);
}

/* ---- creation ----------------------------------------------------------------------------- */

static dae_status choose(dae_jacobian *jac, dae_jacobian_kind kind, int sparse, dae_report *report)
{
    const int blocks = dae_system_has_analytic(jac->sys), entries = dae_entries_exist(jac->sys);
    const int analytic = entries || (blocks && !(sparse && jac->sys->n > DAE_MOST_GATHERED));
    if (kind == DAE_JACOBIAN_ANALYTIC && !blocks && !entries)
        return dae_fail(report, DAE_UNSUPPORTED, "%s gives no analytic Jacobian in form %s",
                        jac->sys->problem->name, jac->sys->form->info.name);
    if (kind == DAE_JACOBIAN_ANALYTIC && !analytic)
        return dae_fail(report, DAE_UNSUPPORTED, "an analytic Jacobian of dense blocks: %d unknowns are "
                        "too many for a sparse one, which takes %d; take dual numbers", jac->sys->n,
                        (int)DAE_MOST_GATHERED);
    jac->kind = kind == DAE_JACOBIAN_BEST && analytic ? DAE_JACOBIAN_ANALYTIC
                : kind == DAE_JACOBIAN_BEST ? DAE_JACOBIAN_DUAL : kind;
    return DAE_OK;
}

/* q' = v holds exactly, but for auxiliary unknowns, F_q = v - G^T mu; so does u' = w where M(t, u) has an
 * inverse. Differences round both. */
static int identities(const dae_jacobian *jac)
{
    const dae_system *s = jac->sys;
    if (jac->kind == DAE_JACOBIAN_FD)
        return 0;
    if (s->carried)
        return s->carried->nx == s->carried->n ? s->carried->n : 0;
    return s->compose->kind == DAE_FORM_MECHANICAL && !s->compose->auxiliary ? s->nq : 0;
}

static dae_status find_pattern(dae_jacobian *jac, int sparse, dae_report *report)
{
    if (!sparse)
        return dae_pattern_full(&jac->pair.pattern, jac->sys->n);
    return dae_pattern_probe(jac, report);
}

/* 1 where dual numbers differentiate function by function. */
static int choose_provider(dae_jacobian *jac, int sparse)
{
    dae_provider *by_functions =
        jac->kind == DAE_JACOBIAN_DUAL && !sparse ? dae_dual_mechanics_provider(jac->sys) : NULL;
    jac->provider = by_functions ? by_functions : providers[jac->kind];
    return by_functions != NULL;
}

static dae_status allocate(dae_jacobian *jac, int sparse, dae_report *report)
{
    const size_t n = (size_t)jac->sys->n;
    const int entries = jac->kind == DAE_JACOBIAN_ANALYTIC && dae_entries_exist(jac->sys);
    const int gathers = sparse && jac->kind == DAE_JACOBIAN_ANALYTIC && !entries;
    const int by_functions = choose_provider(jac, sparse);
    jac->work = dae_zeroed((entries ? 3 : 4) * n + (gathers ? n * n : 0), sizeof *jac->work);
    jac->dual = entries ? NULL : dae_zeroed((by_functions ? 4 : 2) * n, sizeof *jac->dual);
    jac->pair.size = malloc(2 * (n + 1) * sizeof *jac->pair.size);
    jac->own = entries ? NULL : dae_zeroed(4 * n, sizeof *jac->own);
    if (!jac->work || !jac->pair.size || (!entries && (!jac->dual || !jac->own))
        || (by_functions && !dae_dual_mechanics_create(jac)))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the Jacobian of %zu unknowns", n);
    jac->floor = jac->pair.size + n;
    for (size_t i = 0; i < n; i++)
        jac->pair.size[i] = jac->floor[i] = 1;
    if (sparse && !entries && !dae_choose_direction(jac))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a direction of %zu unknowns", n);
    const dae_status status = entries ? dae_entry_plan_create(&jac->plan, jac->sys, !sparse, &jac->pair.pattern, report)
                                      : find_pattern(jac, sparse, report);
    if (status && entries)
        return status;
    if (status)
        return dae_fail(report, status, "no pattern of the Jacobian: %s",
                        dae_status_sentence(status));
    jac->pair.M = dae_zeroed((size_t)jac->pair.pattern.nnz + 1, sizeof *jac->pair.M);
    jac->pair.J = dae_zeroed((size_t)jac->pair.pattern.nnz + 1, sizeof *jac->pair.J);
    return jac->pair.M && jac->pair.J ? DAE_OK
                            : dae_fail(report, DAE_NO_MEMORY, "no memory for a Jacobian of %d "
                                       "entries", jac->pair.pattern.nnz);
}

dae_status dae_jacobian_create(dae_jacobian **out, dae_system *sys, dae_jacobian_kind kind,
                               int sparse, dae_report *report)
{
    return dae_jacobian_create_for(out, sys, kind, sparse, NULL, report);
}

dae_status dae_jacobian_create_for(dae_jacobian **out, dae_system *sys, dae_jacobian_kind kind,
                                   int sparse, const dae_run *run, dae_report *report)
{
    *out = NULL;
    dae_jacobian *jac = dae_zeroed(1, sizeof *jac);
    if (!jac)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a Jacobian");
    jac->sys = sys;
    jac->run = run ? *run : (dae_run){0};
    jac->pair.count = &jac->own_count;
    dae_status status = choose(jac, kind, sparse, report);
    if (!status)
        status = allocate(jac, sparse, report);
    if (status) {
        dae_jacobian_free(jac);
        return status;
    }
    jac->pair.identities = identities(jac);
    dae_fill_mass(jac);
    *out = jac;
    return DAE_OK;
}

void dae_jacobian_free(dae_jacobian *jac)
{
    if (!jac)
        return;
    dae_pair_forget(&jac->pair);
    dae_pattern_free(&jac->pair.pattern);
    dae_groups_free(&jac->groups);
    dae_entry_plan_free(jac->plan);
    free(jac->pair.M);
    free(jac->pair.J);
    free(jac->pair.size);
    free(jac->work);
    free(jac->dual);
    free(jac->kept);
    free(jac->own);
    free(jac->seeds);
    free(jac->direction);
    free(jac->rounding);
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
    memcpy(J, jac->pair.J, (size_t)jac->pair.pattern.nnz * sizeof *J);
    dae_jacobian_free(jac);
    return DAE_OK;
}
