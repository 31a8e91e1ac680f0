/* invariant_check.c - I(t, x) of x = (q, v) or u is the same at all rows, or d/ds I(t + s, x + s x') = 0 */
#include "checker.h"

#include "base/numbers.h"

static int stated(const dae_checker *c)
{
    return c->problem->invariants.n > 0 && c->problem->invariants.value.quad && dae_goes_on(c);
}

static void set_values(const dae_checker *c, dae_quad t, const dae_quad *x, dae_quad *out)
{
    c->problem->invariants.value.quad(c->p, t, x, out);
}

static void compare(dae_checker *c, int i, dae_quad found, dae_quad expected, dae_quad error, const char *why)
{
    dae_compare(&c->found, found, expected, error, c->size[i], "invariants", i + 1, why);
}

void dae_check_invariants(dae_checker *c, int first)
{
    const int m = c->problem->invariants.n;
    if (!stated(c))
        return;
    memset(c->size, 0, (size_t)m * sizeof *c->size);
    set_values(c, c->t, c->q, c->error);                /* (q, v) is one block of the row */
    for (int k = 0; k < c->directions; k++) {
        dae_checker_aside(c, c->at);
        set_values(c, c->t, c->at, c->got);
        dae_checker_raise(m, c->got, c->error, c->size);
    }
    set_values(c, dae_checker_time(c, first), dae_checker_row(c, first), c->slope);
    for (int i = 0; i < m; i++)
        compare(c, i, c->error[i], c->slope[i], 0, "does not stay what it was");
}

/* c->w := x' at the row; 0 where it is not known from the equations alone. */
static int set_way(dae_checker *c)
{
    if (c->nq) {
        memcpy(c->w, c->v, (size_t)c->nq * sizeof *c->w);
        memcpy(c->w + c->nq, c->a, (size_t)c->nq * sizeof *c->w);
        return c->moves;
    }
    c->problem->first_order.rhs.quad(c->p, c->t, c->q, c->w);
    return !c->problem->first_order.mass.f;
}

/* The size is what |dI/dx| times x' adds up to, from random directions of its size. */
void dae_check_stays(dae_checker *c)
{
    const int m = c->problem->invariants.n;
    if (!stated(c) || !set_way(c))
        return;
    memset(c->got, 0, (size_t)m * sizeof *c->got);
    for (int k = 0; k <= c->directions; k++) {
        const int real = k == c->directions;
        for (int i = 0; i < c->n; i++)
            c->b[i] = dae_quad_fmax(dae_quad_fabs(c->w[i]), c->size_q[i] / c->span) * dae_random_direction(&c->random);
        memcpy(c->size, c->got, (size_t)m * sizeof *c->size);
        dae_checker_differentiate(c, DAE_ON_INVARIANTS, m, real, c->q, real ? c->w : c->b, NULL);
        for (int i = 0; !real && i < m; i++)
            c->got[i] = dae_quad_fmax(c->got[i], dae_quad_fabs(c->slope[i]));
    }
    for (int i = 0; i < m; i++)
        compare(c, i, c->slope[i], 0, c->error[i] + 1e-20 * c->size[i],
                "does not stay: its derivative along the motion");
}

/* Beside what each unknown moves them by, as far as the tolerance of a run lets them be the same. */
void dae_check_ends(dae_checker *c)
{
    const dae_quad tolerance = 1e-4, *first = dae_checker_row(c, 0), *last = dae_checker_row(c, c->rows->count);
    const int m = c->problem->invariants.n;
    if (!stated(c) || !c->problem->first_order.mass.f || c->rows->count == 0)
        return;
    c->found.t = dae_checker_time(c, c->rows->count);
    set_values(c, c->rows->t0, first, c->slope);
    set_values(c, c->found.t, last, c->got);
    for (int i = 0; i < m; i++)
        c->size[i] = dae_quad_fabs(c->got[i]) + dae_quad_fabs(c->slope[i]);
    memcpy(c->at, first, (size_t)c->n * sizeof *c->at);
    for (int j = 0; j < c->n; j++) {
        c->at[j] = last[j];
        set_values(c, c->rows->t0, c->at, c->error);
        for (int i = 0; i < m; i++)
            c->size[i] += dae_quad_fabs(c->error[i] - c->slope[i]);
        c->at[j] = first[j];
    }
    for (int i = 0; i < m; i++)
        compare(c, i, c->got[i], c->slope[i], tolerance * c->size[i] / 16, "does not stay what it was");
}
