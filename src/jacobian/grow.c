/* grow.c - is J the derivative of F, or does its pattern lack an entry? then it grows
 *
 *     |(F'(u) d - J d)_i| <= r_i sum_j |J_ij d_j|,    d_j of the size of u_j
 *
 * for one random d, F'(u) d from dual numbers. A row where that does not hold has an entry outside
 * the pattern, or rounding has made its derivatives what they are: where they cancel, or
 * differences are taken. The pattern is found again at this place. If that finds nothing new it was
 * rounding, and r_i is what it takes from there on.
 */
#include "providers.h"

#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double AGREES = 1e-11, AGREES_FD = 1e-3;
static const double LEAST = 1e-6;       /* part of its largest size that d_j has anyway */

int dae_choose_direction(dae_jacobian *jac)
{
    const int n = jac->sys->n;
    uint64_t random = 19750501;
    jac->direction = malloc((size_t)n * sizeof *jac->direction);
    jac->rounding = malloc((size_t)n * sizeof *jac->rounding);
    for (int i = 0; jac->direction && jac->rounding && i < n; i++) {
        jac->direction[i] = dae_random_direction(&random);
        jac->rounding[i] = jac->kind == DAE_JACOBIAN_FD ? AGREES_FD : AGREES;
    }
    return jac->direction && jac->rounding;
}

/* apart[n] := F'(u) d - J d and size[n] := sum_j |J_ij d_j| */
static void compare(dae_jacobian *jac, double t, const double *u, const double *F, double *apart,
                    double *size)
{
    const dae_pattern *pattern = &jac->pair.pattern;
    const int n = pattern->n;
    double *own = jac->own, *top = own + n;
    dae_dual *x = jac->dual, *y = x + n;
    dae_unknown_sizes(jac, u, F, own, top);
    for (int j = 0; j < n; j++) {
        own[j] = jac->direction[j] * fmax(own[j], LEAST * top[j]);
        x[j] = dae_dual_make(u[j], own[j]);
        apart[j] = size[j] = 0;
    }
    jac->sys->compose->rhs_dual(jac->sys, dae_dual_make(t, 0), x, y);
    jac->pair.count->rhs++;
    for (int j = 0; j < n; j++)
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++) {
            const double term = jac->pair.J[k] * own[j];
            apart[pattern->row[k]] -= term;
            size[pattern->row[k]] += fabs(term);
        }
    for (int i = 0; i < n; i++)
        apart[i] += dae_dual_derivative(y[i]);
}

/* to[larger] := the entries of[pattern] */
static void spread(const dae_pattern *pattern, const double *of, const dae_pattern *larger,
                   double *to)
{
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->column[j], l = larger->column[j]; k < pattern->column[j + 1]; l++)
            if (larger->row[l] == pattern->row[k])
                to[l] = of[k++];
}

static void replace(dae_jacobian *jac, dae_pattern *larger, dae_groups *groups, double *values[3])
{
    double **const arrays[3] = {&jac->pair.M, &jac->pair.J, &jac->kept};
    spread(&jac->pair.pattern, jac->pair.J, larger, values[1]);
    if (jac->kept)
        spread(&jac->pair.pattern, jac->kept, larger, values[2]);
    for (int i = 0; i < 3; i++) {
        free(*arrays[i]);
        *arrays[i] = values[i];
    }
    dae_pair_forget(&jac->pair);
    dae_pattern_free(&jac->pair.pattern);
    dae_groups_free(&jac->groups);
    jac->pair.pattern = *larger;
    jac->groups = *groups;
    dae_fill_mass(jac);
    jac->pair.generation++;
}

/* 1 where the pattern near (t, u) is larger, and in use; 0 where it is not; -1: no memory */
static int grow(dae_jacobian *jac, double t, const double *u)
{
    dae_pattern larger = {0};
    dae_groups groups = {0};
    double *values[3] = {0};
    dae_status status = dae_pattern_extend(jac, t, u, &larger);
    const int more = !status && larger.nnz > jac->pair.pattern.nnz;
    if (more)
        status = dae_group_columns(&larger, &groups);
    for (int i = 0; more && i < (jac->kept ? 3 : 2); i++) {
        values[i] = calloc((size_t)larger.nnz + 1, sizeof *values[i]);
        status = values[i] ? status : DAE_NO_MEMORY;
    }
    if (more && !status) {
        replace(jac, &larger, &groups, values);
        return 1;
    }
    for (int i = 0; i < 3; i++)
        free(values[i]);
    dae_groups_free(&groups);
    dae_pattern_free(&larger);
    return status ? -1 : 0;
}

int dae_pattern_has_grown(dae_jacobian *jac, double t, const double *u, const double *F)
{
    const int n = jac->sys->n;
    double *apart = jac->work, *size = apart + n;
    int suspected = 0;
    compare(jac, t, u, F, apart, size);
    for (int i = 0; i < n; i++)
        suspected |= fabs(apart[i]) > jac->rounding[i] * size[i] + DBL_MIN;
    if (!suspected)
        return 0;
    const int grown = grow(jac, t, u);
    jac->pair.lost = grown < 0;
    if (grown)
        return grown > 0;
    compare(jac, t, u, F, apart, size);                 /* work was used */
    for (int i = 0; i < n; i++)
        if (fabs(apart[i]) > jac->rounding[i] * size[i])
            jac->rounding[i] = size[i] > 0 ? 100 * fabs(apart[i]) / size[i] : HUGE_VAL;
    return 0;
}

int dae_jacobian_make_room(dae_jacobian *jac)
{
    jac->kept = calloc((size_t)jac->pair.pattern.nnz + 1, sizeof *jac->kept);
    return jac->kept != NULL;
}

void dae_jacobian_put_aside(dae_jacobian *jac)
{
    for (int k = 0; k < jac->pair.pattern.nnz; k++)
        jac->kept[k] = jac->pair.J[k];
}

void dae_jacobian_take_back(dae_jacobian *jac)
{
    for (int k = 0; k < jac->pair.pattern.nnz; k++)
        jac->pair.J[k] = jac->kept[k];
}

void dae_linearise_checked(dae_jacobian *jac, double t, const double *u, double *F, double *F_t)
{
    dae_differentiate(jac, t, u, F, F_t);
    while (jac->direction && !jac->pair.pattern.full && dae_pattern_has_grown(jac, t, u, F))
        dae_differentiate(jac, t, u, F, F_t);
    for (int i = 0; jac->sys->open && i < jac->sys->n; i++)
        F[i] -= jac->sys->open[i];
}
