#include "invariant_check.h"

#include "base/numbers.h"
#include "checks/slope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 2 };

typedef struct {
    dae_subject *s;
    const dae_invariants *given;
    int n, m;                   /* numbers of the state, of invariants */
    const dae_quad *x;
    dae_quad t;
    dae_quad *way, *random, *at;        /* [n] its derivative, a direction, and a state on the path */
    const dae_quad *along;
    dae_quad pace;
    dae_quad *value, *slope, *error, *rounding, *size, *work;   /* [m] */
    dae_quad *memory;
} checker;

static void path(void *context, dae_quad e, dae_quad *out)
{
    checker *c = context;
    for (int i = 0; i < c->n; i++)
        c->at[i] = c->x[i] + e * c->along[i];
    c->given->value.quad(c->s->sys->p_quad, c->t + e * c->pace, c->at, out);
}

static int create(checker *c, dae_subject *s)
{
    const int n = s->places.nq ? 2 * s->places.nq : s->places.n, m = s->problem.invariants.n;
    *c = (checker){.s = s, .given = &s->problem.invariants, .n = n, .m = m};
    c->memory = calloc(3 * (size_t)n + (size_t)(DAE_SLOPE_ROWS + 9) * (size_t)m, sizeof *c->memory);
    if (!c->memory)
        return 0;
    c->way = c->memory;
    c->random = c->way + n;
    c->at = c->random + n;
    c->value = c->at + n;
    c->slope = c->value + m;
    c->error = c->slope + m;
    c->rounding = c->error + m;
    c->size = c->rounding + m;
    c->work = c->size + m;
    return 1;
}

/* way := x' at the row; 0 where it is not known from the equations alone. */
static int set_way(checker *c)
{
    dae_subject *s = c->s;
    const int nq = s->places.nq;
    if (!nq && s->problem.first_order.mass.f)
        return 0;
    if (!nq) {
        s->problem.first_order.rhs.quad(s->sys->p_quad, c->t, c->x, c->way);
        return 1;
    }
    memcpy(c->way, c->x + nq, (size_t)nq * sizeof *c->way);
    return !dae_quad_accelerate(&s->mechanics, c->t, c->x, c->x + nq, c->way + nq);
}

static void differentiate(checker *c, const dae_quad *along, dae_quad pace, dae_quad unit)
{
    c->along = along;
    c->pace = pace;
    dae_quad_slope(path, c, unit, c->m, c->size, c->rounding, c->slope, c->error, NULL, c->work);
}

/* size := what |dI/dx| times x' adds up to, from random directions of its size */
static void set_size(checker *c)
{
    uint64_t random = 19190613;
    for (int i = 0; i < c->m; i++)
        c->size[i] = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        for (int i = 0; i < c->n; i++) {
            const dae_quad way = dae_quad_fabs(c->way[i]), own = c->s->size[i] / c->s->span;
            c->random[i] = dae_quad_fmax(way, own) * dae_random_direction(&random);
        }
        differentiate(c, c->random, 0, c->s->span);
        for (int i = 0; i < c->m; i++)
            c->size[i] = dae_quad_fmax(c->size[i], dae_quad_fabs(c->slope[i]));
    }
}

static void check_row(checker *c, double t, const dae_quad *x)
{
    c->t = c->s->found.t = t;
    c->x = x;
    if (!set_way(c))
        return;
    c->given->value.quad(c->s->sys->p_quad, t, x, c->value);
    for (int i = 0; i < c->m; i++)
        c->rounding[i] = 0x1p-108 * dae_quad_fabs(c->value[i]);
    set_size(c);
    memcpy(c->value, c->size, (size_t)c->m * sizeof *c->value);
    differentiate(c, c->way, 1, c->s->span);
    for (int i = 0; i < c->m; i++)
        dae_compare(&c->s->found, c->slope[i], 0, c->error[i] + 1e-20 * c->value[i], c->value[i], "invariants", i + 1,
                    "does not stay: its derivative along the motion");
}

/* Values at two rows of a run, beside what each unknown moves it by. */
static void compare_rows(checker *c, const dae_state_rows *rows)
{
    const dae_quad tolerance = 1e-4;
    const dae_quad *first = rows->z, *last = rows->z + (size_t)(rows->count - 1) * (size_t)c->s->m;
    if (rows->count < 2)
        return;
    c->given->value.quad(c->s->sys->p_quad, rows->t[0], first, c->slope);
    c->given->value.quad(c->s->sys->p_quad, rows->t[rows->count - 1], last, c->value);
    for (int i = 0; i < c->m; i++)
        c->size[i] = dae_quad_fabs(c->value[i]) + dae_quad_fabs(c->slope[i]);
    memcpy(c->at, first, (size_t)c->n * sizeof *c->at);
    for (int j = 0; j < c->n; j++) {
        c->at[j] = last[j];
        c->given->value.quad(c->s->sys->p_quad, rows->t[0], c->at, c->error);
        for (int i = 0; i < c->m; i++)
            c->size[i] += dae_quad_fabs(c->error[i] - c->slope[i]);
        c->at[j] = first[j];
    }
    c->s->found.t = rows->t[rows->count - 1];
    for (int i = 0; i < c->m; i++)
        dae_compare(&c->s->found, c->value[i], c->slope[i], tolerance * c->size[i] / 16, c->size[i],
                    "invariants", i + 1, "does not stay what it was");
}

dae_status dae_check_stays(dae_subject *s, const dae_state_rows *rows, dae_report *report)
{
    checker c;
    if (s->problem.invariants.n == 0 || dae_check_quad(&s->problem, NULL)
        || !s->problem.invariants.value.quad || !s->consistent)
        return DAE_OK;
    if (!create(&c, s))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d invariants", s->problem.invariants.n);
    if (!s->places.nq && s->problem.first_order.mass.f)
        compare_rows(&c, rows);
    else
        for (int i = 0; i < rows->count && !s->found.failed; i++)
            check_row(&c, rows->t[i], rows->z + (size_t)i * (size_t)s->m);
    free(c.memory);
    return DAE_OK;
}
