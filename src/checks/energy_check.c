/* energy_check.c - does the motion keep the energy and the invariants of a model? */
#include "checker.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

/* dH/dt with t held, from v along its acceleration a, is 0 as far as its terms show? */
static int energy_stays(dae_checker *c, const dae_quad *v, const dae_quad *a,
                        const dae_quad *lambda, dae_energy_change *by)
{
    const int nq = c->nq;
    dae_quad work = 0;
    by->size = 0;
    c->e->force.quad(c->p, c->t, c->q, v, c->x);
    dae_checker_product(nq, v, c->x, &by->size);
    dae_checker_inertia(c, a, c->x);
    dae_checker_product(nq, v, c->x, &by->size);
    if (c->nl) {
        c->e->reaction.quad(c->p, c->t, c->q, lambda, c->x);
        work = dae_checker_product(nq, v, c->x, &by->size);
    }
    c->size[0] = by->size;
    dae_checker_differentiate(c, DAE_ON_ENERGY, 1, 0, v, v, a);
    by->error = c->error[0];
    by->off = fminf128(fabsf128(c->slope[0]), fabsf128(c->slope[0] + work));     /* g may move */
    return !(by->off - 16 * by->error > dae_not_rounding * by->size);
}

/* The same from v, and from another velocity that the constraints allow: at rest nothing shows. */
int dae_check_energy_holds(dae_checker *c, dae_energy_change *by)
{
    dae_quad_mechanics *m = c->rows->mechanics;
    if (!energy_stays(c, c->v, c->a, c->lambda, by))
        return 0;
    dae_checker_choose(c, c->nq, c->size_v, c->w);
    memcpy(c->y, c->q, (size_t)c->nq * sizeof *c->y);
    if (dae_quad_project(m, c->t, c->y, c->w) || dae_quad_accelerate(m, c->t, c->q, c->w, c->b))
        return 1;
    memcpy(c->mu, m->lambda, (size_t)c->nl * sizeof *c->mu);
    return energy_stays(c, c->w, c->b, c->mu, by);
}

/* H_v^T w = w^T M v: where that holds inertia and energy agree. */
static int energy_has_inertia(dae_checker *c)
{
    dae_quad *moved = c->at, *saved = c->b, plus, minus, size = 0;
    dae_checker_choose(c, c->nq, c->size_v, c->w);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < c->nq; i++)
            moved[i] = c->v[i] + sign * c->w[i];
        c->e->energy.quad(c->p, c->t, c->q, moved, sign < 0 ? &minus : &plus);
    }
    memcpy(saved, c->v, (size_t)c->nq * sizeof *saved);
    dae_checker_inertia(c, saved, c->x);
    const dae_quad half = dae_checker_product(c->nq, c->w, c->x, &size);  /* H is quadratic in v */
    dae_checker_inertia(c, c->w, c->x);
    dae_checker_product(c->nq, c->w, c->x, &size);
    return fabsf128((plus - minus) / 2 - half) <= dae_not_rounding * size;
}

void dae_check_energy(dae_checker *c)
{
    dae_energy_change by;
    if (!c->e->energy.quad || c->found.failed)
        return;
    const char *what = "energy";
    if (!dae_check_energy_holds(c, &by))
        what = energy_has_inertia(c) ? "force, or the potential in energy" : "inertia or energy";
    dae_checker_compare(c, by.off, by.error, by.size, what, 1,
                        "does not keep the energy along the motion");
}

void dae_check_invariants(dae_checker *c)
{
    const dae_invariants *given = &c->rows->sys->problem->invariants;
    const dae_quad part = 0x1p-20;          /* of the way: at its end there may be no value */
    dae_quad *x = c->at, *size = c->size;
    const dae_quad *start = dae_checker_row(c, 0);
    if (given->n == 0 || !given->value.quad || c->found.failed)
        return;
    memset(size, 0, (size_t)given->n * sizeof *size);
    given->value.quad(c->p, c->t, c->q, c->error);          /* (q, v) is one block of the row */
    for (int k = 0; k < DAE_DIRECTIONS; k++) {
        for (int i = 0; i < c->nq; i++) {
            x[i] = c->q[i] + part * c->size_q[i] * dae_random_direction(&c->random);
            x[c->nq + i] = c->v[i] + part * c->size_v[i] * dae_random_direction(&c->random);
        }
        given->value.quad(c->p, c->t, x, c->got);
        for (int i = 0; i < given->n; i++)
            size[i] = fmaxf128(size[i], fabsf128(c->got[i] - c->error[i]) / part);
    }
    given->value.quad(c->p, c->rows->t0, start, c->slope);
    for (int i = 0; i < given->n; i++)
        dae_checker_compare(c, c->error[i] - c->slope[i], 0, size[i], "invariant", i + 1,
                            "does not stay what it was");
}
