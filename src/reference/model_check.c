/* model_check.c - the functions of a mechanical model against each other, in quad precision
 *
 * At every row (t, q, v, lambda), with a the acceleration there and any w, b:
 *
 *     g = 0,  dg/dt = 0                                          along the reference
 *     x^T M y = y^T M x,    M (x + y) = M x + M y
 *     rate(t, q, w)            = d/ds g(t + s, q + s w)                        at s = 0
 *     acceleration(t, q, w, b) = d/ds rate(t + s, q + s w + s^2 b/2, w + s b)
 *     (G^T lambda)^T w         = d/ds lambda^T g(t, q + s w)                   for any lambda
 *     0 = d/ds H(t, q + s v + s^2 a/2, v + s a)                  where an energy is stated
 *     I(t, q, v) the same at all rows                            where invariants are
 *     v, a = d/ds embed(t + s, x + s x' + s^2 x''/2, x' + s x'')  in minimal coordinates x
 *
 * w and b are random, of the size that q', v' have in the run: what cancels on the constraints does
 * not cancel there, and gives each row its size.
 */
#include "reference/model_check.h"

#include "numbers.h"
#include "reference/comparison.h"
#include "reference/derivative_check.h"
#include "reference/slope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONSTRAINT, RATE, ENERGY, INVARIANTS, EMBEDDED };
enum { DIRECTIONS = 2 };                    /* random ones, at each row */

/* One row of a reference, and the path on which a function is looked at there. */
typedef struct {
    const dae_quad_rows *rows;
    const dae_mechanical *e;
    const double *p;
    int nq, nl, most;           /* most: of the rows of a function */
    dae_comparison found;
    uint64_t random;
    dae_quad span, t;
    const dae_quad *q, *v, *lambda;
    dae_quad *a;                /* [nq] */
    dae_quad *size_q, *size_v, *size_a;     /* [nq] of the motion */
    dae_quad *w, *b, *x, *y;    /* [nq] directions, and work */
    dae_quad *mu;               /* [nl] multipliers */
    dae_quad *size_g, *size_rate;           /* [nl] of g as q moves by its size, of dg/dt */
    int map;                    /* of the path: t + s pace, q + s first + s^2 second/2, ... */
    dae_quad pace;
    const dae_quad *base, *base_v, *first, *second; /* ... base_v + s second */
    int moving;                 /* numbers in base */
    dae_quad *at, *at_v;        /* [2 nq] there */
    dae_quad tilt;              /* relative changes of base, of either sign */
    dae_quad *minimal;          /* [4 ns] x, x', x'', and another x' */
    dae_quad *minimal_slope;    /* [2 nq] v' from them, and its error */
    dae_quad *slope, *error, *size, *got, *rounding;        /* [most] */
    dae_quad *work, *memory;
} checker;

/* ---- memory ------------------------------------------------------------------------------- */

static dae_quad *take(dae_quad *block, size_t *used, int count)
{
    dae_quad *place = block ? block + *used : NULL;
    *used += (size_t)count;
    return place;
}

static size_t place(checker *c, dae_quad *block)
{
    size_t used = 0;
    dae_quad **positions[] = {&c->a, &c->size_q, &c->size_v, &c->size_a,
                              &c->w, &c->b, &c->x, &c->y};
    dae_quad **constraints[] = {&c->mu, &c->size_g, &c->size_rate};
    dae_quad **rows[] = {&c->slope, &c->error, &c->size, &c->got, &c->rounding};
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
        *positions[i] = take(block, &used, c->nq);
    for (size_t i = 0; i < sizeof constraints / sizeof *constraints; i++)
        *constraints[i] = take(block, &used, c->nl);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *rows[i] = take(block, &used, c->most);
    c->minimal = take(block, &used, 4 * c->e->minimal.n);
    c->minimal_slope = take(block, &used, 2 * c->nq);
    c->at = take(block, &used, c->most);
    c->at_v = take(block, &used, c->most);
    c->work = take(block, &used, (DAE_SLOPE_ROWS + 4) * c->most);
    return used;
}

static int create(checker *c, const dae_quad_rows *rows, double digits, dae_report *report)
{
    const dae_system *sys = rows->sys;
    const int invariants = sys->problem->invariants.n, minimal = sys->problem->mechanical.minimal.n;
    *c = (checker){.rows = rows, .e = &sys->problem->mechanical, .p = sys->p, .nq = sys->nq,
                   .nl = sys->nl, .random = 19750501,
                   .found = {.digits = digits, .report = report, .problem = sys->problem->name}};
    c->span = rows->span > 0 ? rows->span : 1;
    c->most = 2 * c->nq;
    c->most = c->most > c->nl ? c->most : c->nl;
    c->most = c->most > 2 * minimal ? c->most : 2 * minimal;
    c->most = c->most > invariants ? c->most : invariants;
    c->memory = calloc(place(c, NULL), sizeof *c->memory);
    if (c->memory)
        place(c, c->memory);
    return c->memory != NULL;
}

/* ---- sizes -------------------------------------------------------------------------------- */

static const dae_quad *row_of(const checker *c, int i)
{
    return c->rows->z + (size_t)i * (size_t)(2 * c->nq + c->nl);
}

static double time_of(const dae_quad_rows *rows, int i)
{
    return i == 0 ? rows->t0 : rows->times[i - 1];
}

/* What does not move, or by rounding only, is moved by a small part of what moves most. */
static void fill_gaps(int n, dae_quad *size, dae_quad least)
{
    dae_quad largest = least;
    for (int i = 0; i < n; i++)
        largest = fmaxf128(largest, size[i]);
    for (int i = 0; i < n; i++)
        size[i] = fmaxf128(size[i], largest > 0 ? 1e-10 * largest : 1);
}

/* From all rows: how far each position moves, how fast, and by how much that changes; 0 where there
 * are no accelerations, which the run then says. */
static int set_sizes(checker *c)
{
    const int nq = c->nq;
    const dae_quad span = c->span, *start = row_of(c, 0);
    dae_quad all = 0, v = 0;
    for (int k = 0; k <= c->rows->count; k++)
        for (int i = 0; i < nq; i++)
            all = fmaxf128(all, fabsf128(row_of(c, k)[i]));
    for (int k = 0; k <= c->rows->count; k++) {
        const dae_quad *z = row_of(c, k);
        if (dae_quad_accelerate(c->rows->mechanics, time_of(c->rows, k), z, z + nq, c->x))
            return 0;
        for (int i = 0; i < nq; i++) {
            const dae_quad a = fabsf128(c->x[i]);
            v = fmaxf128(fabsf128(z[nq + i]), 1e-3 * span * a);
            c->size_a[i] = fmaxf128(c->size_a[i], a);
            c->size_v[i] = fmaxf128(c->size_v[i], v);
            c->size_q[i] = fmaxf128(c->size_q[i], fmaxf128(fminf128(1e-3 * span * v, all),
                                                           fabsf128(z[i] - start[i])));
        }
    }
    fill_gaps(nq, c->size_q, 1e-6 * all);
    for (int i = 0; i < nq; i++)
        c->size_v[i] = fmaxf128(c->size_v[i], 1e-3 * c->size_q[i] / span);
    fill_gaps(nq, c->size_v, 0);
    for (int i = 0; i < nq; i++)
        c->size_a[i] = fmaxf128(c->size_a[i], 1e-3 * c->size_v[i] / span);
    fill_gaps(nq, c->size_a, 0);
    return 1;
}

static void choose(checker *c, int n, const dae_quad *size, dae_quad *w)
{
    for (int i = 0; i < n; i++)
        w[i] = size[i] * dae_random_direction(&c->random);
}

/* ---- paths -------------------------------------------------------------------------------- */

/* Some number in -1 ... 1, another for each i. */
static double uneven(int i)
{
    return ((unsigned)i * 2654435761u + 40503u) * 0x1p-31 - 1;
}

static void along(void *context, dae_quad s, dae_quad *out)
{
    checker *c = context;
    const dae_quad t = c->t + s * c->pace;
    for (int i = 0; i < c->moving; i++) {
        const dae_quad second = c->second ? c->second[i] : 0;
        c->at[i] = c->base[i] * (1 + c->tilt * uneven(2 * i)) + s * c->first[i] + s * s * second / 2;
        c->at_v[i] = c->base_v[i] * (1 + c->tilt * uneven(2 * i + 1)) + s * second;
    }
    switch (c->map) {
    case CONSTRAINT: c->e->constraint.quad(c->p, t, c->at, out); break;
    case RATE:       c->e->rate.quad(c->p, t, c->at, c->at_v, out); break;
    case ENERGY:     c->e->energy.quad(c->p, t, c->at, c->at_v, out); break;
    case EMBEDDED:   c->e->minimal.embed.quad(c->p, t, c->at, c->at_v, out); break;
    default:         break;
    }
}

/* c->slope[m] and c->error[m] on the path that is set; the rounding of a function is what it makes of
 * that of its arguments, and that of its value. */
static void take_slope(checker *c, dae_quad unit, int m)
{
    along(c, 0, c->slope);
    c->tilt = 0x1p-90;
    along(c, 0, c->rounding);
    c->tilt = 0;
    for (int i = 0; i < m; i++)
        c->rounding[i] = 0x1p-20 * fabsf128(c->rounding[i] - c->slope[i])
                         + 0x1p-111 * fabsf128(c->slope[i]);
    dae_quad_slope(along, c, unit, m, c->size, c->rounding, c->slope, c->error, c->work);
}

/* The same of map on the path from (t, base, base_v) */
static void differentiate(checker *c, int map, int m, double pace, const dae_quad *base_v,
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
    take_slope(c, unit, m);
}

static int compare(checker *c, dae_quad apart, dae_quad error, dae_quad size, const char *what,
                   int row, const char *why)
{
    return dae_compare(&c->found, apart, error, size, what, row, why);
}

/* ---- the mass matrix ---------------------------------------------------------------------- */

static void inertia(checker *c, const dae_quad *x, dae_quad *Mx)
{
    c->e->inertia.quad(c->p, c->t, c->q, x, Mx);
}

static dae_quad product(int n, const dae_quad *x, const dae_quad *y, dae_quad *size)
{
    dae_quad sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
        *size += fabsf128(x[i] * y[i]);
    }
    return sum;
}

/* The first row i with M_ij = M_ji for not all j, in units of the accelerations. */
static int unsymmetric_row(checker *c)
{
    const int nq = c->nq;
    int worst = 0;
    dae_quad largest = 0;
    memset(c->x, 0, (size_t)nq * sizeof *c->x);
    memset(c->y, 0, (size_t)nq * sizeof *c->y);
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < i; j++) {
            c->x[i] = c->size_a[i];
            c->y[j] = c->size_a[j];
            inertia(c, c->x, c->slope);
            inertia(c, c->y, c->got);
            const dae_quad apart = fabsf128(c->slope[j] * c->y[j] - c->got[i] * c->x[i]);
            if (apart > largest) {
                largest = apart;
                worst = i;
            }
            c->x[i] = c->y[j] = 0;
        }
    return worst + 1;
}

static void check_mass(checker *c)
{
    enum { FEW = 64 };
    const int nq = c->nq;
    dae_quad size = 0;
    dae_quad *Mx = c->slope, *My = c->got, *both = c->error;
    choose(c, nq, c->size_a, c->x);
    choose(c, nq, c->size_a, c->y);
    inertia(c, c->x, Mx);
    inertia(c, c->y, My);
    for (int i = 0; i < nq; i++)
        c->b[i] = c->x[i] + c->y[i];
    inertia(c, c->b, both);
    for (int i = 0; i < nq; i++)
        compare(c, both[i] - Mx[i] - My[i], 0, fabsf128(Mx[i]) + fabsf128(My[i]), "inertia", i + 1,
                "is not linear in the accelerations");
    const dae_quad apart = product(nq, c->x, My, &size) - product(nq, c->y, Mx, &size);
    if (fabsf128(apart) > dae_not_rounding * size) {
        const int row = nq <= FEW ? unsymmetric_row(c) : 0;
        compare(c, apart, 0, size, "inertia", row, "is not that of a symmetric mass matrix");
    }
}

/* ---- constraints -------------------------------------------------------------------------- */

/* size_k := largest of |x_k| */
static void raise(int n, const dae_quad *x, dae_quad *size)
{
    for (int i = 0; i < n; i++)
        if (fabsf128(x[i]) > size[i])
            size[i] = fabsf128(x[i]);
}

static void compare_rows(checker *c, const dae_quad *size, const char *what, const char *why)
{
    for (int k = 0; k < c->nl; k++)
        compare(c, c->got[k] - c->slope[k], c->error[k],
                fmaxf128(size[k], fmaxf128(fabsf128(c->got[k]), fabsf128(c->slope[k]))), what, k + 1,
                why);
}

/* dg/dt for any velocity w: the real one, where it is small, last. */
static void check_rate(checker *c)
{
    for (int k = 0; k <= DIRECTIONS; k++) {
        if (k < DIRECTIONS)
            choose(c, c->nq, c->size_v, c->w);
        else
            memcpy(c->w, c->v, (size_t)c->nq * sizeof *c->w);
        c->e->rate.quad(c->p, c->t, c->q, c->w, c->got);
        memcpy(c->size, c->size_rate, (size_t)c->nl * sizeof *c->size);
        differentiate(c, CONSTRAINT, c->nl, 1, c->w, c->w, NULL);
        compare_rows(c, c->size_rate, "rate", "is not dg/dt of constraint");
        raise(c->nl, c->got, c->size_rate);
    }
}

static void check_acceleration(checker *c)
{
    dae_quad *size = c->mu;
    memset(size, 0, (size_t)c->nl * sizeof *size);
    for (int k = 0; k <= DIRECTIONS; k++) {
        if (k < DIRECTIONS) {
            choose(c, c->nq, c->size_v, c->w);
            choose(c, c->nq, c->size_a, c->b);
        } else {
            memcpy(c->w, c->v, (size_t)c->nq * sizeof *c->w);
            memcpy(c->b, c->a, (size_t)c->nq * sizeof *c->b);
        }
        c->e->acceleration.quad(c->p, c->t, c->q, c->w, c->b, c->got);
        memcpy(c->size, size, (size_t)c->nl * sizeof *c->size);
        differentiate(c, RATE, c->nl, 1, c->w, c->w, c->b);
        compare_rows(c, size, "acceleration", "is not d/dt of rate");
        raise(c->nl, c->got, size);
    }
}

/* The position whose reaction to a unit of multiplier k differs most from dg_k/dq. */
static int reaction_row(checker *c, int k)
{
    int worst = 0;
    dae_quad largest = 0;
    memset(c->w, 0, (size_t)c->nq * sizeof *c->w);
    memset(c->mu, 0, (size_t)c->nl * sizeof *c->mu);
    c->mu[k] = 1;
    c->e->reaction.quad(c->p, c->t, c->q, c->mu, c->x);
    for (int i = 0; i < c->nq; i++) {
        c->w[i] = c->size_q[i];
        differentiate(c, CONSTRAINT, c->nl, 0, c->v, c->w, NULL);
        c->w[i] = 0;
        const dae_quad apart = fabsf128(c->slope[k] - c->x[i] * c->size_q[i]);
        if (apart > largest) {
            largest = apart;
            worst = i;
        }
    }
    return worst + 1;
}

/* The multiplier whose reaction is wrong, and its row. */
static void find_reaction(checker *c, dae_quad apart, dae_quad size)
{
    char what[64];
    int worst = 0;
    dae_quad largest = 0;
    choose(c, c->nq, c->size_q, c->w);
    differentiate(c, CONSTRAINT, c->nl, 0, c->v, c->w, NULL);
    memcpy(c->got, c->slope, (size_t)c->nl * sizeof *c->got);
    for (int k = 0; k < c->nl; k++) {
        dae_quad ignored = 0;
        memset(c->mu, 0, (size_t)c->nl * sizeof *c->mu);
        c->mu[k] = 1;
        c->e->reaction.quad(c->p, c->t, c->q, c->mu, c->x);
        const dae_quad off = fabsf128(product(c->nq, c->x, c->w, &ignored) - c->got[k]);
        if (c->size_g[k] > 0 && off / c->size_g[k] > largest) {
            largest = off / c->size_g[k];
            worst = k;
        }
    }
    snprintf(what, sizeof what, "reaction to multiplier %d", worst + 1);
    compare(c, apart, 0, size, what, reaction_row(c, worst),
            "is not the gradient of constraint times it");
}

/* (G^T mu)^T w for random mu, so large that each constraint counts alike */
static void check_reaction(checker *c)
{
    for (int k = 0; k < DIRECTIONS && !c->found.failed; k++) {
        dae_quad size = 0, error = 0;
        choose(c, c->nq, c->size_q, c->w);
        memset(c->size, 0, (size_t)c->nl * sizeof *c->size);
        differentiate(c, CONSTRAINT, c->nl, 0, c->v, c->w, NULL);
        raise(c->nl, c->slope, c->size_g);
        for (int l = 0; l < c->nl; l++) {
            c->mu[l] = c->size_g[l] > 0 ? dae_random_direction(&c->random) / c->size_g[l] : 0;
            error += fabsf128(c->mu[l]) * c->error[l];
        }
        c->e->reaction.quad(c->p, c->t, c->q, c->mu, c->x);
        const dae_quad apart = product(c->nq, c->x, c->w, &size)
                               - product(c->nl, c->mu, c->slope, &size);
        if (fabsf128(apart) - 16 * error > dae_not_rounding * size)
            find_reaction(c, apart, size);
        else
            compare(c, apart, error, size, "reaction", 1, "");
    }
}

/* On the reference itself; sizes are those of the checks above. */
static void check_drift(checker *c)
{
    c->e->constraint.quad(c->p, c->t, c->q, c->got);
    for (int k = 0; k < c->nl; k++)
        compare(c, c->got[k], 0, c->size_g[k], "constraint", k + 1, "is not 0 on the reference");
    c->e->rate.quad(c->p, c->t, c->q, c->v, c->got);
    for (int k = 0; k < c->nl; k++)
        compare(c, c->got[k], 0, c->size_rate[k], "rate", k + 1, "is not 0 on the reference");
}

/* ---- energy and invariants ---------------------------------------------------------------- */

typedef struct { dae_quad off, error, size; } energy_change;

/* dH/dt with t held, from v along its acceleration a, is 0 as far as its terms show? */
static int energy_stays(checker *c, const dae_quad *v, const dae_quad *a, const dae_quad *lambda,
                        energy_change *by)
{
    const int nq = c->nq;
    dae_quad work = 0;
    by->size = 0;
    c->e->force.quad(c->p, c->t, c->q, v, c->x);
    product(nq, v, c->x, &by->size);
    inertia(c, a, c->x);
    product(nq, v, c->x, &by->size);
    if (c->nl) {
        c->e->reaction.quad(c->p, c->t, c->q, lambda, c->x);
        work = product(nq, v, c->x, &by->size);
    }
    c->size[0] = by->size;
    differentiate(c, ENERGY, 1, 0, v, v, a);
    by->error = c->error[0];
    by->off = fminf128(fabsf128(c->slope[0]), fabsf128(c->slope[0] + work));     /* g may move */
    return !(by->off - 16 * by->error > dae_not_rounding * by->size);
}

/* The same from v, and from another velocity that the constraints allow: at rest nothing shows. */
static int energy_holds(checker *c, energy_change *by)
{
    dae_quad_mechanics *m = c->rows->mechanics;
    if (!energy_stays(c, c->v, c->a, c->lambda, by))
        return 0;
    choose(c, c->nq, c->size_v, c->w);
    memcpy(c->y, c->q, (size_t)c->nq * sizeof *c->y);
    if (dae_quad_project(m, c->t, c->y, c->w) || dae_quad_accelerate(m, c->t, c->q, c->w, c->b))
        return 1;
    memcpy(c->mu, m->lambda, (size_t)c->nl * sizeof *c->mu);
    return energy_stays(c, c->w, c->b, c->mu, by);
}

/* H_v^T w = w^T M v: where that holds inertia and energy agree. */
static int energy_has_inertia(checker *c)
{
    dae_quad *moved = c->at, *saved = c->b, plus, minus, size = 0;
    choose(c, c->nq, c->size_v, c->w);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < c->nq; i++)
            moved[i] = c->v[i] + sign * c->w[i];
        c->e->energy.quad(c->p, c->t, c->q, moved, sign < 0 ? &minus : &plus);
    }
    memcpy(saved, c->v, (size_t)c->nq * sizeof *saved);
    inertia(c, saved, c->x);
    const dae_quad half = product(c->nq, c->w, c->x, &size);        /* H is quadratic in v */
    inertia(c, c->w, c->x);
    product(c->nq, c->w, c->x, &size);
    return fabsf128((plus - minus) / 2 - half) <= dae_not_rounding * size;
}

static void check_energy(checker *c)
{
    energy_change by;
    if (!c->e->energy.quad || c->found.failed)
        return;
    const char *what = "energy";
    if (!energy_holds(c, &by))
        what = energy_has_inertia(c) ? "force, or the potential in energy" : "inertia or energy";
    compare(c, by.off, by.error, by.size, what, 1, "does not keep the energy along the motion");
}

static void check_invariants(checker *c)
{
    const dae_invariants *given = &c->rows->sys->problem->invariants;
    const dae_quad part = 0x1p-20;          /* of the way: at its end there may be no value */
    dae_quad *x = c->at, *size = c->size;
    const dae_quad *start = row_of(c, 0);
    if (given->n == 0 || !given->value.quad || c->found.failed)
        return;
    memset(size, 0, (size_t)given->n * sizeof *size);
    given->value.quad(c->p, c->t, c->q, c->error);          /* (q, v) is one block of the row */
    for (int k = 0; k < DIRECTIONS; k++) {
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
        compare(c, c->error[i] - c->slope[i], 0, size[i], "invariant", i + 1,
                "does not stay what it was");
}

/* ---- minimal coordinates ------------------------------------------------------------------ */

/* c->minimal := x, x', x'' of the row; c->got := what embed makes of x, x' */
static void chart(checker *c)
{
    const dae_minimal *m = &c->e->minimal;
    m->chart.quad(c->p, c->t, c->q, c->v, c->minimal);
    m->acceleration.quad(c->p, c->t, c->minimal, c->minimal + m->n, c->minimal + 2 * m->n);
    m->embed.quad(c->p, c->t, c->minimal, c->minimal + m->n, c->got);
}

/* The path of embed from x along first and second, and what it makes of it. */
static void follow(checker *c, const dae_quad *first, const dae_quad *second)
{
    memcpy(c->size, c->size_v, (size_t)c->nq * sizeof *c->size);
    memcpy(c->size + c->nq, c->size_a, (size_t)c->nq * sizeof *c->size);
    c->map = EMBEDDED;
    c->pace = 1;
    c->base = c->minimal;
    c->base_v = c->first = first;
    c->second = second;
    c->moving = c->e->minimal.n;
    take_slope(c, c->span, 2 * c->nq);
}

/* embed's velocity is the derivative of its position, for another x' too: at rest nothing shows. */
static void check_embed(checker *c)
{
    const dae_minimal *m = &c->e->minimal;
    dae_quad *x = c->minimal, *first = x + 3 * m->n;
    for (int k = 0; k < DIRECTIONS; k++) {
        for (int i = 0; i < m->n; i++) {
            const dae_quad size = fabsf128(x[m->n + i]) + c->span * fabsf128(x[2 * m->n + i]);
            first[i] = x[m->n + i] + (k ? size * dae_random_direction(&c->random) : 0);
        }
        m->embed.quad(c->p, c->t, x, first, c->got);
        follow(c, first, NULL);
        for (int i = 0; i < c->nq; i++)
            compare(c, c->slope[i] - c->got[c->nq + i], c->error[i],
                    fmaxf128(c->size_v[i], fabsf128(c->slope[i])), "minimal.embed", c->nq + i + 1,
                    "is not the derivative of its position");
    }
}

static void check_minimal(checker *c)
{
    const dae_minimal *m = &c->e->minimal;
    const int nq = c->nq;
    energy_change by;
    if (m->n == 0 || c->found.failed)
        return;
    chart(c);
    for (int i = 0; i < nq; i++) {
        compare(c, c->got[i] - c->q[i], 0, c->size_q[i], "minimal.embed of minimal.chart", i + 1,
                "is not the position it came from");
        compare(c, c->got[nq + i] - c->v[i], 0, c->size_v[i], "minimal.embed of minimal.chart",
                nq + i + 1, "is not the velocity it came from");
    }
    check_embed(c);
    follow(c, c->minimal + m->n, c->minimal + 2 * m->n);
    const dae_quad *v_slope = c->minimal_slope, *v_error = v_slope + nq;
    memcpy(c->minimal_slope, c->slope + nq, (size_t)nq * sizeof *v_slope);
    memcpy(c->minimal_slope + nq, c->error + nq, (size_t)nq * sizeof *v_error);
    const char *what = "minimal.acceleration, force or inertia";
    if (c->e->energy.quad && !c->found.failed)
        what = energy_holds(c, &by) ? "minimal.acceleration" : "force or inertia";
    for (int i = 0; i < nq; i++)
        compare(c, v_slope[i] - c->a[i], v_error[i], c->size_a[i], what, i + 1,
                "does not move as the others do");
}

static dae_status check_partials(checker *c)
{
    const dae_derivative_point at = {.sys = c->rows->sys, .t = c->t, .span = c->span, .q = c->q,
                                     .v = c->v, .a = c->a, .lambda = c->lambda,
                                     .size_q = c->size_q, .size_v = c->size_v};
    return c->e->partials ? dae_check_partials(&at, &c->found) : DAE_OK;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static dae_status check_row(checker *c, int k)
{
    c->t = c->found.t = time_of(c->rows, k);
    c->q = row_of(c, k);
    c->v = c->q + c->nq;
    c->lambda = c->v + c->nq;
    if (dae_quad_accelerate(c->rows->mechanics, c->t, c->q, c->v, c->a))
        return DAE_OK;
    check_mass(c);
    if (c->nl) {
        check_rate(c);
        check_acceleration(c);
        check_reaction(c);
        check_drift(c);
    }
    check_minimal(c);
    check_energy(c);
    check_invariants(c);
    return c->found.failed ? DAE_OK : check_partials(c);
}

dae_status dae_check_mechanics(const dae_quad_rows *rows, double *digits, dae_report *report)
{
    checker c;
    if (!create(&c, rows, *digits, report))
        return dae_fail(report, DAE_NO_MEMORY, "no memory to check a model of %d positions",
                        rows->sys->nq);
    dae_status status = DAE_OK;
    const int moves = set_sizes(&c);
    for (int k = 0; k <= rows->count && moves && !status && !c.found.failed; k++)
        status = check_row(&c, k);
    *digits = c.found.digits;
    free(c.memory);
    return c.found.failed ? DAE_BAD_ARGUMENT : status;
}
