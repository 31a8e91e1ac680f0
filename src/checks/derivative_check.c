/* derivative_check.c - for each block B of derivatives and a random w of the size of the motion,
 *
 *     B w = d/ds F(x + s w)        at s = 0,
 *
 * row by row; where a row differs, the columns one by one say which entry it is.
 */
#include "derivative_check.h"

#include "base/numbers.h"
#include "jacobian/sparse_partials.h"
#include "slope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORCE, REACTION, CONSTRAINT, RATE, ACCELERATION, RHS };
typedef enum { BY_Q, BY_V, BY_T } variable;

static const double wrong = 1e-9, rounding = 0x1p-46;

typedef struct {
    const char *name;
    int map;
    variable by;
    const double *entries;      /* [rows x columns] */
    int rows, columns;
    int row_step, column_step;  /* in entries */
} block;

typedef struct {
    const dae_derivative_point *at;
    dae_comparison *found;
    int n, nq;                  /* n: positions, or unknowns */
    const block *B;
    dae_quad *w, *x, *y;        /* [n] direction; state on the path */
    dae_quad *slope, *error, *size, *shaken, *rounding, *work;
    double *doubles;            /* [3 nq + nl] (q, v, a, lambda), or [n] u; then derivatives */
    dae_quad *state;            /* the same numbers, or nearly */
    dae_quad t;                 /* the time, or nearly */
    dae_quad *memory;
} checker;

static void along(void *context, dae_quad s, dae_quad *out)
{
    const checker *c = context;
    const dae_problem *problem = c->at->sys->problem;
    const dae_mechanical *m = &problem->mechanical;
    const dae_quad *p = c->at->sys->p_quad;
    const dae_quad t = c->t + (c->B->by == BY_T ? s * c->at->span : 0);
    const dae_quad *q = c->state, *v = q + c->n, *a = v + c->n, *lambda = a + c->n;
    for (int i = 0; i < c->n; i++) {
        c->x[i] = q[i] + (c->B->by == BY_Q ? s * c->w[i] : 0);
        if (c->nq)
            c->y[i] = v[i] + (c->B->by == BY_V ? s * c->w[i] : 0);
    }
    switch (c->B->map) {
    case FORCE:      m->force.quad(p, t, c->x, c->y, out); break;
    case REACTION:   m->reaction.quad(p, t, c->x, lambda, out); break;
    case CONSTRAINT: m->constraint.quad(p, t, c->x, out); break;
    case RATE:       m->rate.quad(p, t, c->x, c->y, out); break;
    case ACCELERATION: m->acceleration.quad(p, t, c->x, c->y, a, out); break;
    default:         problem->first_order.rhs.quad(p, t, c->x, out); break;
    }
}

/* State and time as they are in doubles, each number shaken by a part of it. */
static void set_state(checker *c, double part)
{
    const int count = c->nq ? 3 * c->nq + c->at->sys->nl : c->n;
    uint64_t random = 19900607;
    for (int i = 0; i < count; i++)
        c->state[i] = c->doubles[i] * (1 + part * (dae_quad)dae_random_direction(&random));
    c->t = (double)c->at->t * (1 + part * (dae_quad)dae_random_direction(&random));
}

static void differentiate(checker *c)
{
    dae_quad_slope(along, c, 1, c->B->rows, c->size, c->rounding, c->slope, c->error, NULL, c->work);
}

static dae_quad step(const checker *c, int j)
{
    return c->B->by == BY_T ? c->at->span : c->B->by == BY_V ? c->at->size_v[j] : c->at->size_q[j];
}

static double entry(const checker *c, int i, int j)
{
    return c->B->entries[i * c->B->row_step + j * c->B->column_step];
}

/* The column of row i that is wrong. */
static int column(checker *c, int i)
{
    int worst = 0;
    dae_quad largest = 0;
    memset(c->w, 0, (size_t)c->n * sizeof *c->w);
    for (int j = 0; j < c->B->columns; j++) {
        c->w[j] = step(c, j);
        differentiate(c);
        c->w[j] = 0;
        const dae_quad apart = dae_quad_fabs(c->slope[i] - entry(c, i, j) * step(c, j));
        if (apart > largest) {
            largest = apart;
            worst = j;
        }
    }
    return worst;
}

/* A row of the equations of motion has the size of all of its forces. */
static void add_forces(checker *c)
{
    const dae_system *sys = c->at->sys;
    const dae_mechanical *m = &sys->problem->mechanical;
    const dae_quad *q = c->state, *v = q + c->n, *a = v + c->n, *lambda = a + c->n;
    for (int k = 0; k < 3; k++) {
        if (k == 0)
            m->force.quad(sys->p_quad, c->t, q, v, c->work);
        else if (k == 1)
            m->inertia.quad(sys->p_quad, c->t, q, a, c->work);
        else if (c->at->sys->nl)
            m->reaction.quad(sys->p_quad, c->t, q, lambda, c->work);
        for (int i = 0; i < c->n; i++)
            c->size[i] = dae_quad_fmax(c->size[i], dae_quad_fabs(c->work[i]));
    }
}

/* rounding_i := that of F_i in quad, of its terms: they may cancel, and the slope is asked over as short a way as the
 * motion makes. 2^-20 of what F changes by as each number of the state does, by 2^-90 of itself. */
static void set_rounding(checker *c)
{
    set_state(c, 0x1p-90);
    along(c, 0, c->rounding);
    set_state(c, 0);
    along(c, 0, c->work);
    for (int i = 0; i < c->B->rows; i++)
        c->rounding[i] = 0x1p-20 * dae_quad_fabs(c->rounding[i] - c->work[i]) + 0x1p-111 * dae_quad_fabs(c->work[i]);
}

/* size_i := |F_i| and what it changes by as x moves: where entries vanish, rounding is a part of it */
static void set_size(checker *c)
{
    const dae_quad part = 0x1p-20;
    memset(c->size, 0, (size_t)c->B->rows * sizeof *c->size);
    set_rounding(c);
    set_state(c, rounding);
    differentiate(c);
    memcpy(c->shaken, c->slope, (size_t)c->B->rows * sizeof *c->shaken);
    set_state(c, 0);
    differentiate(c);
    along(c, 0, c->size);
    for (int i = 0; i < c->B->rows; i++)
        c->size[i] = dae_quad_fabs(c->size[i]);
    if (c->B->map == FORCE || c->B->map == REACTION)
        add_forces(c);
    for (int sign = -1; sign <= 1; sign += 2) {
        along(c, sign * part, c->work);
        for (int i = 0; i < c->B->rows; i++)
            c->size[i] = dae_quad_fmax(c->size[i], dae_quad_fabs(c->work[i]));
    }
}

/* Of a block, its worst row. */
typedef struct { int row; dae_quad part; } worst_row;

static worst_row look_at_block(checker *c, const block *B)
{
    uint64_t random = 19750501;
    worst_row worst = {-1, 0};
    c->B = B;
    for (int j = 0; j < c->n; j++)
        c->w[j] = B->by == BY_T ? 0 : step(c, j) * dae_random_direction(&random);
    set_size(c);
    for (int i = 0; i < B->rows; i++) {
        dae_quad sum = 0, size = c->size[i] + dae_quad_fabs(c->slope[i]);
        for (int j = 0; j < B->columns; j++) {
            const dae_quad term = entry(c, i, j) * (B->by == BY_T ? c->at->span : c->w[j]);
            sum += term;
            size += dae_quad_fabs(term);
        }
        const dae_quad off = dae_quad_fabs(sum - c->slope[i]) - 16 * c->error[i]
                             - dae_quad_fabs(c->shaken[i] - c->slope[i]);
        if (off - off == 0 && off > wrong * size && off / size > worst.part)
            worst = (worst_row){i, off / size};
    }
    return worst;
}

static void blame(checker *c, const block *B, worst_row worst)
{
    c->B = B;
    const int time = B->by == BY_T, j = time ? 0 : column(c, worst.row);
    memset(c->w, 0, (size_t)c->n * sizeof *c->w);
    c->w[j] = time ? 0 : step(c, j);
    differentiate(c);
    dae_blame(c->found, B->name, worst.row + 1, time ? 0 : j + 1, entry(c, worst.row, j),
              (double)(c->slope[worst.row] / step(c, j)), (double)worst.part,
              time ? "is not the derivative by t" : "is not the derivative");
}

/* Blocks of derivatives, each that is wrong. */
static void check_blocks(checker *c, const block *blocks, int count)
{
    for (int i = 0; i < count; i++) {
        if (blocks[i].rows == 0)
            continue;
        const worst_row worst = look_at_block(c, blocks + i);
        if (worst.row >= 0)
            blame(c, blocks + i, worst);
    }
}

static int create(checker *c, const dae_derivative_point *at, dae_comparison *found, size_t doubles)
{
    const dae_system *sys = at->sys;
    const size_t n = (size_t)(sys->nq ? sys->nq : sys->problem->first_order.n);
    const size_t rows = n > (size_t)sys->nl ? n : (size_t)sys->nl;
    *c = (checker){.at = at, .found = found, .n = (int)n, .nq = sys->nq};
    c->memory = calloc(6 * n + (size_t)sys->nl + (DAE_SLOPE_ROWS + 9) * rows, sizeof *c->memory);
    c->doubles = calloc(doubles, sizeof *c->doubles);
    if (!c->memory || !c->doubles)
        return 0;
    c->w = c->memory;
    c->x = c->w + n;
    c->y = c->x + n;
    c->state = c->y + n;
    c->slope = c->state + 3 * n + sys->nl;
    c->error = c->slope + rows;
    c->size = c->error + rows;
    c->shaken = c->size + rows;
    c->rounding = c->shaken + rows;
    c->work = c->rounding + rows;
    return 1;
}

static void destroy(checker *c)
{
    free(c->memory);
    free(c->doubles);
}

/* Where a model writes f beside its derivatives it is the force. */
static void check_force(checker *c, const double *f)
{
    set_state(c, rounding);
    c->at->sys->problem->mechanical.force.quad(c->at->sys->p_quad, c->t, c->state,
                                               c->state + c->n, c->shaken);
    set_state(c, 0);
    c->at->sys->problem->mechanical.force.quad(c->at->sys->p_quad, c->t, c->state,
                                               c->state + c->n, c->work);
    memset(c->size, 0, (size_t)c->n * sizeof *c->size);
    memcpy(c->slope, c->work, (size_t)c->n * sizeof *c->slope);
    add_forces(c);
    for (int i = 0; i < c->n; i++) {
        const dae_quad error = dae_quad_fabs(c->shaken[i] - c->slope[i]);
        const double part = isnan(f[i]) ? 0 : dae_difference(f[i], c->slope[i], error, c->size[i]);
        if (part > wrong)
            dae_blame(c->found, "partials.f", i + 1, 0, f[i], (double)c->slope[i], part,
                      "is not force");
    }
}

static void to_doubles(double *x, const dae_quad *y, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = (double)y[i];
}

/* Blocks of the partials from b on. f is no number until a model writes it, which it need not. */
static void place_partials(dae_partials *d, double *b, int nq, int nl)
{
    const size_t square = (size_t)nq * (size_t)nq, wide = (size_t)nl * (size_t)nq;
    double **squares[] = {&d->f_q, &d->f_v, &d->r_q}, **wides[] = {&d->G, &d->rate_q, &d->acc_q, &d->acc_v};
    double **columns[] = {&d->f, &d->f_t, &d->r_t}, **rows[] = {&d->g_t, &d->rate_t, &d->acc_t};
    for (int i = 0; i < 3; i++, b += square)
        *squares[i] = b;
    for (int i = 0; i < 4; i++, b += wide)
        *wides[i] = b;
    for (int i = 0; i < 3; i++, b += nq)
        *columns[i] = b;
    for (int i = 0; i < 3; i++, b += nl)
        *rows[i] = b;
    for (int i = 0; i < nq; i++)
        d->f[i] = NAN;
}

/* What the model states at the point, in c->doubles, behind the point in doubles */
static dae_status state_partials(checker *c, dae_partials *d)
{
    const dae_derivative_point *at = c->at;
    const dae_system *sys = at->sys;
    const int nq = sys->nq, nl = sys->nl;
    double *x = c->doubles;
    to_doubles(x, at->q, nq);
    to_doubles(x + nq, at->v, nq);
    to_doubles(x + 2 * nq, at->a, nq);
    to_doubles(x + 3 * nq, at->lambda, nl);
    place_partials(d, x + 3 * nq + nl, nq, nl);
    const dae_partials_point point = {sys->p, (double)at->t, x, x + nq, x + 2 * nq, x + 3 * nq};
    return dae_dense_partials(&sys->problem->mechanical, &point, nq, nl, d);
}

static void compare_partials(checker *c, const dae_partials *d)
{
    const dae_system *sys = c->at->sys;
    const int nq = sys->nq, nl = sys->nl;
    const block blocks[] = {
        {"partials.G", RATE, BY_V, d->G, nl, nq, nq, 1},
        {"partials.g_t", CONSTRAINT, BY_T, d->g_t, sys->holonomic, 1, 1, 1},
        {"partials.f_q", FORCE, BY_Q, d->f_q, nq, nq, nq, 1},
        {"partials.f_v", FORCE, BY_V, d->f_v, nq, nq, nq, 1},
        {"partials.f_t", FORCE, BY_T, d->f_t, nq, 1, 1, 1},
        {"partials.r_q", REACTION, BY_Q, d->r_q, nl ? nq : 0, nq, nq, 1},
        {"partials.r_t", REACTION, BY_T, d->r_t, nl ? nq : 0, 1, 1, 1},
        {"partials.rate_q", RATE, BY_Q, d->rate_q, nl, nq, nq, 1},
        {"partials.rate_t", RATE, BY_T, d->rate_t, nl, 1, 1, 1},
        {"partials.acc_q", ACCELERATION, BY_Q, d->acc_q, nl, nq, nq, 1},
        {"partials.acc_v", ACCELERATION, BY_V, d->acc_v, nl, nq, nq, 1},
        {"partials.acc_t", ACCELERATION, BY_T, d->acc_t, nl, 1, 1, 1},
    };
    check_force(c, d->f);
    check_blocks(c, blocks, (int)(sizeof blocks / sizeof *blocks));
}

dae_status dae_check_partials(const dae_derivative_point *at, dae_comparison *found)
{
    const size_t q = (size_t)at->sys->nq, l = (size_t)at->sys->nl;
    dae_partials d = {.level = 2};
    checker c;
    if (at->sys->nq > DAE_MANY_POSITIONS)
        return DAE_OK;                      /* blocks of nq^2 entries are not used there */
    if (!create(&c, at, found, 3 * q + l + 3 * q * q + 4 * l * q + 3 * q + 3 * l)) {
        destroy(&c);
        return dae_fail(found->report, DAE_NO_MEMORY, "no memory for derivatives");
    }
    const dae_status status = state_partials(&c, &d);
    if (!status)
        compare_partials(&c, &d);
    destroy(&c);
    if (status)
        return dae_fail(found->report, status, status == DAE_BAD_MODEL ? "sparse_partials puts an entry outside of its "
                        "block" : "no memory for derivatives");
    return DAE_OK;
}

dae_status dae_check_jacobian(const dae_derivative_point *at, dae_comparison *found)
{
    const dae_first_order *f = &at->sys->problem->first_order;
    const int n = f->n;
    const size_t size = (size_t)n;
    checker c;
    if (!create(&c, at, found, 2 * size + size * size)) {
        destroy(&c);
        return dae_fail(found->report, DAE_NO_MEMORY, "no memory for derivatives");
    }
    double *u = c.doubles, *F_t = u + n, *J = F_t + n;
    to_doubles(u, at->q, n);
    f->jacobian(at->sys->p, (double)at->t, u, J, F_t);
    const block blocks[] = {{"jacobian", RHS, BY_Q, J, n, n, 1, n},
                            {"jacobian", RHS, BY_T, F_t, n, 1, 1, 1}};
    check_blocks(&c, blocks, 2);
    destroy(&c);
    return DAE_OK;
}
