/* checker.c - slopes of the functions of a mechanical model along paths, and small sums */
#include "checker.h"

#include "base/numbers.h"
#include "slope.h"

#include <math.h>

const dae_quad *dae_checker_row(const dae_checker *c, int i)
{
    return c->rows->z + (size_t)i * (size_t)(2 * c->nq + c->nl);
}

void dae_checker_choose(dae_checker *c, int n, const dae_quad *size, dae_quad *w)
{
    for (int i = 0; i < n; i++)
        w[i] = size[i] * dae_random_direction(&c->random);
}

/* Some number in -1 ... 1, another for each i. */
static double uneven(int i)
{
    return ((unsigned)i * 2654435761u + 40503u) * 0x1p-31 - 1;
}

/* c->at := base + s first + s^2 second/2, c->at_v := base_v + s second */
static void move(dae_checker *c, dae_quad s)
{
    for (int i = 0; i < c->moving; i++) {
        const dae_quad second = c->second ? c->second[i] : 0;
        c->at[i] = c->base[i] * (1 + c->tilt * uneven(2 * i)) + s * c->first[i]
                   + s * s * second / 2;
        c->at_v[i] = c->base_v[i] * (1 + c->tilt * uneven(2 * i + 1)) + s * second;
    }
}

/* out[nl] := what changes by G s first: constraint(q + s first), and rate(q, v + s first) of velocities */
static void on_gradients(dae_checker *c, dae_quad s, dae_quad t, dae_quad *out)
{
    if (c->holonomic < c->nl) {
        move(c, 0);
        for (int i = 0; i < c->moving; i++)
            c->at_v[i] += s * c->first[i];
        c->e->rate.quad(c->p, t, c->at, c->at_v, out);
        move(c, s);
    }
    if (c->holonomic)
        c->e->constraint.quad(c->p, t, c->at, out);
}

static void along(void *context, dae_quad s, dae_quad *out)
{
    dae_checker *c = context;
    const dae_quad t = c->t + s * c->pace;
    move(c, s);
    switch (c->map) {
    case DAE_ON_CONSTRAINT: c->e->constraint.quad(c->p, t, c->at, out); break;
    case DAE_ON_GRADIENTS:  on_gradients(c, s, t, out); break;
    case DAE_ON_RATE:       c->e->rate.quad(c->p, t, c->at, c->at_v, out); break;
    case DAE_ON_ACCELERATION:                           /* by accelerations, from any */
        c->e->acceleration.quad(c->p, t, c->q, c->at_v, c->at, out);
        break;
    case DAE_ON_ENERGY:     c->e->energy.quad(c->p, t, c->at, c->at_v, out); break;
    case DAE_ON_EMBEDDED:   c->e->minimal.embed.quad(c->p, t, c->at, c->at_v, out); break;
    case DAE_ON_CHART:      c->e->minimal.chart.quad(c->p, t, c->at, c->at_v, out); break;
    default:                break;
    }
}

void dae_checker_slope(dae_checker *c, dae_quad unit, int m)
{
    along(c, 0, c->slope);
    c->tilt = 0x1p-90;
    along(c, 0, c->rounding);
    c->tilt = 0;
    for (int i = 0; i < m; i++)
        c->rounding[i] = 0x1p-20 * dae_quad_fabs(c->rounding[i] - c->slope[i])
                         + 0x1p-111 * dae_quad_fabs(c->slope[i]);
    dae_quad_slope(along, c, unit, m, c->size, c->rounding, c->slope, c->error, NULL, c->work);
}

void dae_checker_differentiate(dae_checker *c, int map, int m, double pace, const dae_quad *base_v,
                               const dae_quad *first, const dae_quad *second)
{
    c->map = map;
    c->pace = pace;
    c->base = c->q;
    c->base_v = base_v;
    c->first = first;
    c->second = second;
    c->moving = c->nq;
    /* where the path itself is a direction its unit is 1, where it is a motion that of time */
    const dae_quad unit = pace > 0 || second ? c->span : 1;
    dae_checker_slope(c, unit, m);
}

void dae_checker_second(dae_checker *c, int m)
{
    const dae_quad e = c->span * 0x1p-28;
    along(c, 0, c->slope);
    for (int i = 0; i < m; i++)
        c->slope[i] *= -2;
    for (int sign = -1; sign <= 1; sign += 2) {
        along(c, sign * e, c->rounding);
        for (int i = 0; i < m; i++)
            c->slope[i] += c->rounding[i];
    }
    for (int i = 0; i < m; i++)
        c->slope[i] /= e * e;
}

int dae_checker_compare(dae_checker *c, dae_quad found, dae_quad expected, dae_quad error,
                        dae_quad size, const char *function, int row, const char *why)
{
    return dae_compare(&c->found, found, expected, error, size, function, row, why);
}

void dae_checker_inertia(dae_checker *c, const dae_quad *x, dae_quad *Mx)
{
    c->e->inertia.quad(c->p, c->t, c->q, x, Mx);
}

dae_quad dae_checker_product(int n, const dae_quad *x, const dae_quad *y, dae_quad *size)
{
    dae_quad sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
        *size += dae_quad_fabs(x[i] * y[i]);
    }
    return sum;
}
