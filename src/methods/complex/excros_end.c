/* excros_end.c - what the columns of an extrapolation do not see: F in the last step of each
 *
 * A step of CROS sees F where it begins. What F does behind the begin of the last step of the finest column, of
 * size h, no column sees, and where the next basic step begins it is past: a jump there leaves an error of h times
 * its height. It shows in F at the end. F_m, where the steps of one column begin and where the last one ends, is a
 * smooth function of m where F is one, and its differences
 *
 *     sum_m (-1)^(n-m) binomial(n, m) F_m
 *
 * over n + 1 points get smaller with n, or as those of exp(i w t), which a step h does not resolve, by |1 - exp(-i w
 * h)|, at most 2, larger. A jump before the end enters those with the last point in full: that over all points is then
 * larger than twice that of one order less over all but the last, which does not contain it.
 */
#include "excros.h"

#include <math.h>
#include <string.h>

/* What the highest difference of F over points first .. last makes of u in a step of size h; its norm. */
static dae_status measure(dae_solver *s, dae_excros_table *c, double h, int first, int last, double *size)
{
    const int n = s->n;
    double binomial = 1, *re = c->re;
    memset(re, 0, (size_t)n * sizeof *re);
    memset(c->im, 0, (size_t)n * sizeof *re);
    for (int m = last; m >= first; m--) {
        for (int i = 0; i < n; i++)
            re[i] += h * binomial * c->slopes[m * n + i];
        binomial *= -(double)(m - first) / (last - m + 1);
    }
    dae_status status = dae_solver_check_finite(s, re, "F", s->t_new);
    if (status)
        return status;
    dae_system_remove_algebraic(s->sys, re);
    status = dae_implicit_solve(s, c->stage.pencil, h, re, c->im);
    *size = status ? 0 : dae_error_norm(s, re, h);
    return status;
}

/* F where column k ends, behind the other slopes, and F0 before them */
static dae_status complete(dae_solver *s, dae_excros_table *c, int k, int steps)
{
    const int n = s->n;
    double *y = s->work;
    s->F_in_work = 0;
    memcpy(c->re, dae_excros_total(c, n, k), (size_t)n * sizeof *c->re);
    dae_excros_add(n, 1, c->re, s->u, y);
    const dae_status status = c->plan.recovers ? dae_excros_recover(s, s->t_new, y, c->re, c->im) : DAE_OK;
    if (status)
        return status;
    dae_system_rhs(s->sys, s->t_new, y, c->slopes + steps * n);
    s->count.rhs++;
    memcpy(c->slopes, c->F0, (size_t)n * sizeof *c->F0);
    return DAE_OK;
}

dae_status dae_excros_end_error(dae_solver *s, dae_excros_table *c, int k, double H, double *error)
{
    const int steps = c->plan.n0 + k;
    const double h = H / steps;
    double all = 0, behind = 0, before = 0;
    dae_status status = complete(s, c, k, steps);
    if (!status)
        status = measure(s, c, h, 0, steps, &all);
    if (!status && all > 1)
        status = measure(s, c, h, 1, steps, &behind);
    if (!status && all > 1 && behind > 1)
        status = measure(s, c, h, 0, steps - 1, &before);
    *error = all > 2 * before ? fmin(all, behind) : 0;
    return status;
}
