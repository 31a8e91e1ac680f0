/* start_change.c - by how much a start was moved, and whether that is much
 *
 * Much is measured for each constraint by what its own terms say, in no units: the part by which
 * its gradient changes along the move D,
 *
 *     |(G' - G) D|_k / sum_j (|G_kj D_j| + |G'_kj D_j|)/2,
 *
 * which is the move over the length that curves the constraint, and D beside the way that the
 * motion has before it in the interval T of the problem,
 *
 *     sum_j |G_kj D_j| / sum_j |G_kj| (|v_j| T + |a_j| T^2/2),
 *
 * unless that is nothing: of a state at rest the first says all.
 */
#include "consistent.h"
#include "projection/project.h"
#include "base/zeroed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-13;     /* relative change that is none */

/* The larger of both measures of row k; 0 where no more than rounding has moved it. */
static double much(double bend, double slope, double slope_new, double reach, double size)
{
    const double move = (slope + slope_new) / 2, of_way = reach > rounding * size ? slope_new / reach : 0;
    return move <= rounding * size ? 0 : fmax(fabs(bend) / move, of_way);
}

/* Of constraints on positions; work: [3 nq + 7 nl] */
static double measure(dae_system *s, double t, const double *q0, const double *q, const double *v,
                      double *work)
{
    const int nq = s->nq, nl = s->nl;
    double *move = work, *way = move + nq, *a = way + nq, *before = a + nq, *after = before + nl,
           *slope = after + nl, *slope_new = slope + nl, *reach = slope_new + nl,
           *size = reach + nl, *lambda = size + nl, most = 0;
    const double T = s->problem->t_end - s->problem->t0;
    for (int i = 0; i < nq; i++)
        move[i] = q[i] - q0[i];
    if (!s->holonomic || memcmp(q, q0, (size_t)nq * sizeof *q) == 0 || dae_system_accelerate(s, t, q, v, a, lambda))
        return 0;
    for (int i = 0; i < nq; i++)
        way[i] = fabs(v[i]) * T + fabs(a[i]) * T * T / 2;
    const int all = dae_system_take_rows(s, s->holonomic);
    dae_system_factor_schur(s, t, q0);
    dae_project_slopes(s, move, before);
    dae_project_sizes(s, move, slope);
    dae_system_factor_schur(s, t, q);
    dae_project_slopes(s, move, after);
    dae_project_sizes(s, move, slope_new);
    dae_project_sizes(s, way, reach);
    for (int i = 0; i < nq; i++)
        way[i] = fabs(q[i]) + fabs(q0[i]);
    dae_project_sizes(s, way, size);
    dae_system_take_rows(s, all);
    for (int k = 0; k < s->holonomic; k++)
        most = fmax(most, much(after[k] - before[k], slope[k], slope_new[k],
                               T > 0 && isfinite(T) ? reach[k] : INFINITY, size[k]));
    return most;
}

dae_status dae_change_measure(dae_system *s, double t, const double *q0, const double *q,
                              const double *v, dae_start_change *change, dae_report *report)
{
    double *work = dae_zeroed(3 * (size_t)s->nq + 7 * (size_t)s->nl, sizeof *work);
    if (!work)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a consistent start");
    change->relative = measure(s, t, q0, q, v, work);
    free(work);
    return DAE_OK;
}

static double *change_of(dae_start_change *change, dae_class c)
{
    switch (c) {
    case DAE_POSITION:
    case DAE_DIFFERENTIAL:
        return &change->position;
    case DAE_VELOCITY:
        return &change->velocity;
    default:
        return &change->multiplier;
    }
}

dae_start_change dae_change_between(int n, const dae_class *classes, const double *before,
                                    const double *after)
{
    dae_start_change change = {0};
    double auxiliary = 0, largest = 0;                  /* what is computed anew every time */
    for (int i = 0; i < n; i++) {
        double *d = change_of(&change, classes[i]), moved = fabs(after[i] - before[i]);
        *d = fmax(*d, moved);
        if (classes[i] == DAE_AUXILIARY) {
            auxiliary = fmax(auxiliary, moved);
            largest = fmax(largest, fabs(after[i]));
        } else {
            change.changed |= moved > rounding * fmax(fabs(before[i]), fabs(after[i]));
        }
    }
    change.changed |= auxiliary > rounding * largest;
    return change;
}
