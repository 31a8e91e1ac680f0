/* pattern_holds.c - does dF/du have an entry at (t, u) that a pattern lacks?
 *
 * F' d for the columns of one group is J_ij d_j in the rows where the pattern has an entry (i, j) of the group,
 * and exactly zero in all others. What stands beside an entry of the group shows in the sum over the groups:
 *
 *     |(F' d)_i - sum_j J_ij d_j| <= r sum_j |J_ij d_j|
 *
 * for a random d, d_j of the size of u_j. A row that cannot be evaluated tells nothing.
 */
#include "providers.h"

#include <float.h>
#include <math.h>

static const double AGREES = 1e-11;

typedef struct {
    dae_jacobian *jac;
    const double *u;            /* [n] */
    double *d, *sum, *size;     /* [n] */
    dae_dual *x, *y;            /* [n] u + eps d, and F of it */
} trial;

/* The terms of the columns of a group; a derivative outside of them? */
static int has_more(trial *s, dae_dual t, int group)
{
    const dae_pattern *pattern = &s->jac->pair.pattern;
    const dae_groups *groups = &s->jac->groups;
    const int *begin = groups->column + groups->start[group], *end = groups->column + groups->start[group + 1];
    int more = 0;
    for (const int *j = begin; j < end; j++)
        s->x[*j] = dae_dual_make(s->u[*j], s->d[*j]);
    s->jac->sys->compose->rhs_dual(s->jac->sys, t, s->x, s->y);
    for (const int *j = begin; j < end; j++) {
        s->x[*j] = dae_dual_make(s->u[*j], 0);
        for (int k = pattern->column[*j]; k < pattern->column[*j + 1]; k++) {
            const int i = pattern->row[k];
            const double term = dae_dual_derivative(s->y[i]);
            s->sum[i] += term;
            s->size[i] += fabs(term);
            s->y[i] = dae_dual_make(0, 0);
        }
    }
    for (int i = 0; i < pattern->n; i++) {
        const double rest = fabs(dae_dual_derivative(s->y[i]));
        more |= (rest > 0) & (rest <= DBL_MAX);
    }
    return more;
}

/* The sums of all groups beside F' d */
static int agrees(trial *s, dae_dual t)
{
    const int n = s->jac->sys->n;
    int off = 0;
    for (int j = 0; j < n; j++)
        s->x[j] = dae_dual_make(s->u[j], s->d[j]);
    s->jac->sys->compose->rhs_dual(s->jac->sys, t, s->x, s->y);
    for (int i = 0; i < n; i++) {
        const double apart = fabs(dae_dual_derivative(s->y[i]) - s->sum[i]);
        off |= (apart > AGREES * s->size[i] + DBL_MIN) & (apart <= DBL_MAX);
    }
    return !off;
}

int dae_pattern_holds(dae_jacobian *jac, double t, const double *u)
{
    const int n = jac->sys->n;
    trial s = {.jac = jac, .u = u, .d = jac->own, .sum = jac->own + n, .size = jac->own + 2 * n,
               .x = jac->dual, .y = jac->dual + n};
    const dae_dual now = dae_dual_make(t, 0);
    int more = 0;
    if (jac->pair.pattern.full)
        return 1;
    dae_unknown_sizes(jac, u, NULL, s.size, s.d);
    for (int i = 0; i < n; i++) {
        s.d[i] = jac->direction[i] * s.size[i];
        s.x[i] = dae_dual_make(u[i], 0);
        s.sum[i] = s.size[i] = 0;
    }
    for (int group = 0; !more && group < jac->groups.count; group++)
        more = has_more(&s, now, group);
    return !more && agrees(&s, now);
}
