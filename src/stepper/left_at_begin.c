#include "left_at_begin.h"

#include <stdlib.h>
#include <string.h>

dae_status dae_left_create(dae_solver *s, dae_left *left)
{
    const size_t n = (size_t)s->n;
    left->residual = calloc(n + (size_t)s->sys->nl, sizeof *left->residual);
    if (!left->residual)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for dense output of %d unknowns", s->n);
    left->rate = left->residual + n;
    return DAE_OK;
}

void dae_left_free(dae_left *left) { free(left->residual); }

/* M a = f - G^T lambda has index 1, and nothing of it is kept. */
void dae_left_measure(dae_solver *s, dae_left *left, double t, const double *u)
{
    const dae_system *sys = s->sys;
    double *r = left->residual, *rest = s->work + s->n;
    left->t = t;
    dae_system_rhs(s->sys, t, u, r);
    s->count.rhs++;
    memcpy(rest, r, (size_t)s->n * sizeof *r);
    dae_system_remove_algebraic(sys, rest);
    for (int i = 0; i < s->n; i++)
        r[i] = sys->nq && i >= sys->acceleration_at ? 0 : r[i] - rest[i];
    if (sys->nq && sys->index == 3)
        dae_system_constraint(s->sys, 1, t, u, left->rate);
}

void dae_left_keep(const dae_solver *s, const dae_left *left, double t, double *F)
{
    const dae_system *sys = s->sys;
    for (int i = 0; i < s->n; i++)
        F[i] -= left->residual[i];
    for (int k = 0; sys->nq && sys->index == 3 && k < sys->nl; k++)
        F[2 * sys->nq + k] -= (t - left->t) * left->rate[k];
}
