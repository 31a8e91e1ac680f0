/* short_step.c - unknowns of index 2 and 3 of first-order problems at a stop close behind another
 *
 * Over a step of size h an unknown of index k shows errors of the others divided by h^(k-1), however
 * small the step that a stop asks for. Where such a step is far shorter than the one before, from
 * t_n - H to t_n, the unknown goes on along the straight line of that one, with the slope d_n:
 *
 *     z(t_n + h) = z_n + h d_n,      wrong by about h |d_n - d_(n-1)|,
 *
 * which must be within its tolerance; else it stays what the method makes of it. Slopes are those of
 * steps that are not short, so that a jump, after which they differ, is never passed over. For methods
 * that choose their steps themselves; others are told of the cut (cut.c). (Multipliers of mechanical
 * problems are those of the acceleration level: row.c.)
 */
#include "solver.h"

#include <math.h>
#include <stdlib.h>

static const double SHORT = 1e-2;       /* of the step before */

struct dae_slopes {
    int known;                  /* of how many steps, at most 2 */
    double h;                   /* of the last step that was not short */
    double *now, *before;       /* [n] */
};

dae_status dae_slopes_create(dae_solver *s)
{
    if (!s->paced || s->sys->nq || !s->method->own_control)
        return DAE_OK;
    s->slopes = calloc(1, sizeof *s->slopes);
    if (s->slopes)
        s->slopes->now = calloc(2 * (size_t)s->n, sizeof *s->slopes->now);
    if (!s->slopes || !s->slopes->now)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
    s->slopes->before = s->slopes->now + s->n;
    return DAE_OK;
}

void dae_slopes_free(struct dae_slopes *d)
{
    if (d)
        free(d->now < d->before ? d->now : d->before);
    free(d);
}

void dae_slopes_start(dae_solver *s)
{
    if (s->slopes)
        s->slopes->known = 0;
}

static void keep(dae_solver *s, double h)
{
    struct dae_slopes *d = s->slopes;
    double *oldest = d->before;
    d->before = d->now;
    d->now = oldest;
    for (int i = 0; i < s->n; i++)
        d->now[i] = (s->u[i] - s->u_new[i]) / h;
    d->h = h;
    d->known = d->known < 2 ? d->known + 1 : 2;
}

void dae_slopes_kept(dae_solver *s)
{
    struct dae_slopes *d = s->slopes;
    const double h = s->t - s->t_old;
    if (!d)
        return;
    if (d->known < 2 || s->t < s->t_target || !(h < SHORT * d->h)) {
        keep(s, h);
        return;
    }
    for (int i = 0; i < s->n; i++) {
        const double wrong = h * fabs(d->now[i] - d->before[i]);
        if (s->variable_index[i] > 1 && wrong <= s->options.rtol * fabs(s->u_new[i]) + s->atol[i])
            s->u[i] = s->u_new[i] + h * d->now[i];
    }
}
