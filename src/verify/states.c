#include "subject.h"

#include "base/numbers.h"
#include "checks/model_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const dae_quad *row_of(const dae_subject *s, const dae_state_rows *rows, int i)
{
    return rows->z + (size_t)i * (size_t)s->m;
}

/* ---- a state of a row --------------------------------------------------------------------- */

void dae_states_take(dae_subject *s, const dae_state_rows *rows, int i)
{
    const dae_state_places *p = &s->places;
    const dae_quad *z = row_of(s, rows, i);
    double *x = s->state, *lambda = NULL;
    s->found.t = rows->t[i];
    for (int k = 0; k < s->m; k++)
        x[k] = (double)z[k];
    if (!p->nq)
        return;
    if (s->sys && s->consistent)
        lambda = calloc((size_t)p->nl + 1, sizeof *lambda);
    if (!lambda || dae_system_accelerate(s->sys, s->found.t, x + p->q, x + p->v, x + p->a, lambda))
        memset(x + p->a, 0, (size_t)p->nq * sizeof *x);
    free(lambda);
    if (p->ns)
        s->problem.mechanical.minimal.chart.f(s->p, s->found.t, x + p->q, x + p->v, x + p->s);
}

/* ---- sizes -------------------------------------------------------------------------------- */

/* What has no size gets a small part of the largest of its kind. */
static void fill(int n, double *size)
{
    const double largest = dae_largest(n, size);
    for (int i = 0; i < n; i++)
        if (!(size[i] > 0x1p-20 * largest))
            size[i] = largest > 0 ? 0x1p-20 * largest : 1;
}

/* Without accelerations: those of the state's own numbers. */
static void set_own_sizes(dae_subject *s, const dae_state_rows *rows)
{
    const dae_state_places *p = &s->places;
    (void)rows;
    for (int i = 0; i < 2 * p->nq; i++)
        s->size[i] = fabs(s->state[i]);
    fill(p->nq, s->size + p->q);
    for (int i = 0; i < p->nq; i++) {
        s->size[p->v + i] = fmax(s->size[p->v + i], s->size[p->q + i] / s->span);
        s->size[p->a + i] = s->size[p->v + i] / s->span;
    }
}

/* Of the motion. */
static void set_motion_sizes(dae_subject *s, const dae_state_rows *rows)
{
    const dae_quad_rows of = {.sys = s->sys, .mechanics = &s->mechanics, .t0 = rows->t[0], .times = rows->t + 1,
                              .count = rows->count - 1, .span = s->span, .m = s->m, .z = rows->z};
    if (dae_motion_sizes(&of, s->size + s->places.q, s->size + s->places.a))
        s->found.status = DAE_NO_MEMORY;
}

/* Multipliers of all rows, and minimal coordinates of the state. */
static void set_other_sizes(dae_subject *s, const dae_state_rows *rows)
{
    const dae_state_places *p = &s->places;
    for (int k = 0; k < p->nl; k++)
        for (int i = 0; i < rows->count; i++)
            s->size[p->lambda + k] = fmax(s->size[p->lambda + k],
                                          fabs((double)row_of(s, rows, i)[p->lambda + k]));
    fill(p->nl, s->size + p->lambda);
    for (int i = 0; i < p->ns; i++) {
        const double x = fabs(s->state[p->s + i]), v = fabs(s->state[p->ds + i]);
        s->size[p->s + i] = fmax(x, 1e-3 * s->span * v);
        s->size[p->ds + i] = fmax(v, s->size[p->s + i] / s->span);
    }
    fill(p->ns, s->size + p->s);
    fill(p->ns, s->size + p->ds);
}

/* What is 0 moves by a small part of the way that F would lead it in the interval, where u' = F. */
static void add_way(dae_subject *s)
{
    double *F = calloc((size_t)s->m + 1, sizeof *F);
    if (F)
        s->problem.first_order.rhs.f(s->p, s->found.t, s->state, F);
    for (int k = 0; F && k < s->m; k++)
        if (s->size[k] == 0 && isfinite(F[k]))
            s->size[k] = 1e-3 * s->span * fabs(F[k]);
    free(F);
}

/* How far u moves; at least a part of itself. */
static void set_first_order_sizes(dae_subject *s, const dae_state_rows *rows)
{
    for (int i = 0; i < rows->count; i++)
        for (int k = 0; k < s->m; k++) {
            const double u = (double)row_of(s, rows, i)[k];
            s->size[k] = fmax(s->size[k], fabs(u - (double)row_of(s, rows, 0)[k]));
            s->size[k] = fmax(s->size[k], 0x1p-6 * fabs(u));
        }
    if (!s->problem.first_order.mass.f)
        add_way(s);
    fill(s->m, s->size);
}

void dae_states_set_sizes(dae_subject *s, const dae_state_rows *rows, int plain)
{
    memset(s->size, 0, (size_t)s->places.count * sizeof *s->size);
    dae_states_take(s, rows, 0);
    if (!s->places.nq) {
        set_first_order_sizes(s, rows);
        return;
    }
    (plain || !s->consistent || !s->quads ? set_own_sizes : set_motion_sizes)(s, rows);
    set_other_sizes(s, rows);
}

/* ---- states at other times ------------------------------------------------------------------ */

double dae_states_time(const dae_subject *s, int k)
{
    uint64_t random = 19931115 + (uint64_t)k;
    const double begin = s->problem.t0, part = (k + dae_random(&random)) / DAE_LOOKS;
    return begin + part * (s->problem.t_end - begin);
}

int dae_states_sharpen(dae_subject *s, double t, dae_quad *z)
{
    const int nq = s->places.nq;
    if (!nq || !s->quads)
        return 1;
    dae_quad_set_mass(&s->mechanics, t, z);
    if (dae_quad_project(&s->mechanics, t, z, z + nq)
        || dae_quad_accelerate(&s->mechanics, t, z, z + nq, s->mechanics.a))
        return 0;
    memcpy(z + 2 * nq, s->mechanics.lambda, (size_t)s->places.nl * sizeof *z);
    return 1;
}

/* ---- states beside it --------------------------------------------------------------------- */

/* Has the right-hand side values at the state? A model may be stated in a part of the space only. */
static int has_values(dae_subject *s, double *out)
{
    const dae_state_places *p = &s->places;
    const dae_problem *m = &s->problem;
    const double *x = s->state, t = s->found.t;
    if (p->nq)
        m->mechanical.force.f(s->p, t, x + p->q, x + p->v, out);
    else
        m->first_order.rhs.f(s->p, t, x, out);
    return dae_vector_finite(p->nq ? p->nq : p->n, out);
}

/* A number that is not 0 keeps its sign. */
static double moved(double x, double way, uint64_t *random)
{
    const double by = way * dae_random_direction(random);
    return x != 0 && fabs(by) > fabs(x) / 2 ? x * (1 + copysign(0.5, by)) : x + by;
}

int dae_states_move(dae_subject *s, const dae_state_rows *rows, int i, uint64_t *random)
{
    enum { TRIES = 8 };
    const dae_state_places *p = &s->places;
    const int n = p->nq ? p->nq : p->n;
    double part = 0.25, *out = calloc((size_t)n + 1, sizeof *out);
    int found = 0;
    for (int k = 0; out && k < TRIES && !found; k++, part /= 8) {
        dae_states_take(s, rows, i);
        for (int j = 0; j < p->count; j++) {
            const double was = s->state[j];
            s->state[j] = moved(was, part * s->size[j], random);
            if (was == 0 && k % 2)
                s->state[j] = fabs(s->state[j]);        /* as concentrations are */
        }
        found = has_values(s, out);
    }
    free(out);
    return found;
}
