/* checker.c - a row of a reference, slopes of the functions of a model along paths from it, and small sums */
#include "checker.h"

#include "base/numbers.h"
#include "slope.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>

/* ---- memory ------------------------------------------------------------------------------- */

static int larger(int x, int y) { return x > y ? x : y; }

int dae_checker_create(dae_checker *c, const dae_quad_rows *rows, double digits, dae_report *report)
{
    const dae_system *sys = rows->sys;
    const dae_problem *problem = sys->problem;
    *c = (dae_checker){.rows = rows, .problem = problem, .e = &problem->mechanical, .p = sys->p_quad, .nq = sys->nq,
                       .nl = sys->nl, .holonomic = sys->holonomic, .random = 19750501,
                       .directions = rows->rough ? 1 : 2,
                       .n = sys->nq ? 2 * sys->nq : problem->first_order.n, .span = rows->span > 0 ? rows->span : 1,
                       .found = {.digits = digits, .report = report,
                                 .rounding = rows->rough ? dae_rough_rounding : dae_double_rounding,
                                 .problem = rows->name ? rows->name : problem->name, .list = rows->list}};
    c->most = larger(larger(c->n, c->nl), larger(2 * c->e->minimal.n, problem->invariants.n));
    const int n = c->n, nq = c->nq, nl = c->nl, most = c->most;
    c->memory = DAE_PARTS(c,
        DAE_PART(dae_checker, a, nq), DAE_PART(dae_checker, size_q, n), DAE_PART(dae_checker, size_a, nq),
        DAE_PART(dae_checker, w, n), DAE_PART(dae_checker, b, n), DAE_PART(dae_checker, x, n),
        DAE_PART(dae_checker, y, n), DAE_PART(dae_checker, mu, nl), DAE_PART(dae_checker, size_g, nl),
        DAE_PART(dae_checker, size_rate, nl), DAE_PART(dae_checker, F, n), DAE_PART(dae_checker, size_F, n),
        DAE_PART(dae_checker, slope, most), DAE_PART(dae_checker, error, most), DAE_PART(dae_checker, size, most),
        DAE_PART(dae_checker, got, most), DAE_PART(dae_checker, rounding, most),
        DAE_PART(dae_checker, minimal, 6 * c->e->minimal.n), DAE_PART(dae_checker, embedded, 2 * nq),
        DAE_PART(dae_checker, at, most), DAE_PART(dae_checker, at_v, most),
        DAE_PART(dae_checker, work, (DAE_SLOPE_ROWS + 4) * most), DAE_PART(dae_checker, rate_off, nl),
        DAE_PART(dae_checker, acceleration_off, nl), DAE_PART(dae_checker, second_off, nl),
        DAE_PART(dae_checker, gradient_off, nl));
    if (!c->memory)
        return 0;
    c->size_v = c->size_q + nq;
    return 1;
}

void dae_checker_destroy(dae_checker *c)
{
    free(c->memory);
}

/* ---- rows, and states beside them --------------------------------------------------------- */

const dae_quad *dae_checker_row(const dae_checker *c, int i)
{
    return c->rows->z + (size_t)i * (size_t)c->rows->m;
}

double dae_checker_time(const dae_checker *c, int i)
{
    return i == 0 ? c->rows->t0 : c->rows->times[i - 1];
}

void dae_checker_choose(dae_checker *c, int n, const dae_quad *size, dae_quad *w)
{
    for (int i = 0; i < n; i++)
        w[i] = (size ? size[i] : 1) * dae_random_direction(&c->random);
}

static const dae_quad part_of_way = 0x1p-20;

void dae_checker_aside(dae_checker *c, dae_quad *x)
{
    for (int k = 0; k < c->n; k++) {
        const int i = c->nq ? k % 2 * c->nq + k / 2 : k;    /* each position before its velocity */
        const dae_quad u = dae_quad_fabs(c->q[i]), way = part_of_way * c->size_q[i];
        x[i] = c->q[i] + (u > 0 ? dae_quad_fmin(way, u / 2) : way) * dae_random_direction(&c->random);
    }
}

void dae_checker_raise(int m, const dae_quad *there, const dae_quad *here, dae_quad *size)
{
    for (int i = 0; i < m; i++)
        if (dae_quad_fabs(there[i] - here[i]) / part_of_way > size[i])
            size[i] = dae_quad_fabs(there[i] - here[i]) / part_of_way;
}

/* ---- paths -------------------------------------------------------------------------------- */

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
    case DAE_ON_INVARIANTS: c->problem->invariants.value.quad(c->p, t, c->at, out); break;
    case DAE_ON_EXACT:      c->problem->first_order.exact.quad(c->p, t, out); break;
    }
}

void dae_checker_slope(dae_checker *c, dae_quad unit, int m)
{
    if (c->rows->rough) {
        dae_quad_difference(along, c, 0x1p-40 * unit, m, c->slope, c->work);
        memset(c->error, 0, (size_t)m * sizeof *c->error);
        return;
    }
    along(c, 0, c->slope);
    c->tilt = 0x1p-90;
    along(c, 0, c->rounding);
    c->tilt = 0;
    for (int i = 0; i < m; i++)
        c->rounding[i] = 0x1p-20 * dae_quad_fabs(c->rounding[i] - c->slope[i])
                         + 0x1p-111 * dae_quad_fabs(c->slope[i]);
    dae_quad_slope(along, c, unit, m, c->size, c->rounding, c->slope, c->error, NULL, c->work);
}

void dae_checker_differentiate(dae_checker *c, dae_on map, int m, double pace, const dae_quad *base_v,
                               const dae_quad *first, const dae_quad *second)
{
    c->map = map;
    c->pace = pace;
    c->base = c->q;
    c->base_v = base_v;
    c->first = first;
    c->second = second;
    c->moving = map == DAE_ON_INVARIANTS ? c->n : c->nq;
    /* where the path itself is a direction its unit is 1, where it is a motion that of time */
    const dae_quad unit = pace > 0 || second || map == DAE_ON_INVARIANTS ? c->span : 1;
    dae_checker_slope(c, unit, m);
}

void dae_checker_second(dae_checker *c, int m)
{
    const dae_quad e = c->span * 0x1p-28;
    along(c, 0, c->rounding);
    dae_quad_bend(along, c, e, m, c->rounding, c->slope, c->work);
    for (int i = 0; i < m; i++)
        c->slope[i] /= e * e;
}

/* ---- sums --------------------------------------------------------------------------------- */

dae_quad dae_checker_product(int n, const dae_quad *x, const dae_quad *y, dae_quad *size)
{
    dae_quad sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
        *size += dae_quad_fabs(x[i] * y[i]);
    }
    return sum;
}
