/* first_order_check.c - the functions of a first-order model against each other, in quad precision
 *
 *     M (x + y) = M x + M y,     0 = z^T F(t, u) for z^T M = 0           along the reference
 *     reduced(t, u) = F(t, u),   I(t, u) the same at all rows            along the reference
 *     M d/dt exact = F(t, exact)                                         where it is stated
 *     jacobian = dF/du
 *
 * Each row of F in its own scale: its change as u moves by as much as in the run.
 */
#include "model_check.h"

#include "base/numbers.h"
#include "comparison.h"
#include "derivative_check.h"
#include "slope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 2, TIMES = 3 };

typedef struct {
    const dae_quad_rows *rows;
    const dae_first_order *e;
    const dae_quad *p;
    int n, most;
    dae_comparison found;
    uint64_t random;
    dae_quad span, t;
    const dae_quad *u;
    dae_quad *size_u, *size_F;  /* [n] */
    dae_quad *x, *F;            /* [n] */
    dae_quad *slope, *error, *got, *size;       /* [most] */
    double *weights;            /* [n] z */
    dae_quad *work, *memory;
} checker;

static int create(checker *c, const dae_quad_rows *rows, double digits, dae_report *report)
{
    const dae_system *sys = rows->sys;
    const int n = sys->problem->first_order.n, invariants = sys->problem->invariants.n;
    const int most = n > invariants ? n : invariants;
    *c = (checker){.rows = rows, .e = &sys->problem->first_order, .p = sys->p_quad, .n = n, .most = most,
                   .random = 19750501, .span = rows->span > 0 ? rows->span : 1,
                   .found = {.digits = digits, .report = report,
                             .problem = rows->name ? rows->name : sys->problem->name, .list = rows->list}};
    dae_quad *b = c->memory = calloc((size_t)(4 * n + (DAE_SLOPE_ROWS + 8) * most), sizeof *b);
    c->weights = calloc((size_t)n, sizeof *c->weights);
    if (!b || !c->weights)
        return 0;
    c->size_u = b;
    c->size_F = c->size_u + n;
    c->x = c->size_F + n;
    c->F = c->x + n;
    c->slope = c->F + n;
    c->error = c->slope + most;
    c->got = c->error + most;
    c->size = c->got + most;
    c->work = c->size + most;
    return 1;
}

static const dae_quad *row_of(const checker *c, int i)
{
    return c->rows->z + (size_t)i * (size_t)c->rows->sys->n;
}

/* Of an unknown that does not move, its own size. */
static void set_sizes(checker *c)
{
    for (int k = 0; k <= c->rows->count; k++)
        for (int i = 0; i < c->n; i++) {
            const dae_quad u = row_of(c, k)[i];
            c->size_u[i] = dae_quad_fmax(c->size_u[i], dae_quad_fabs(u - row_of(c, 0)[i]));
            c->size[i] = dae_quad_fmax(c->size[i], dae_quad_fabs(u));
        }
    dae_quad largest = 0;
    for (int i = 0; i < c->n; i++) {
        c->size_u[i] = dae_quad_fmax(c->size_u[i], c->size[i] * 0x1p-10);
        largest = dae_quad_fmax(largest, c->size_u[i]);
    }
    for (int i = 0; i < c->n; i++)
        if (!(c->size_u[i] > 0))
            c->size_u[i] = largest > 0 ? 0x1p-20 * largest : 1;
}

/* A part of the way, and not across 0: at its end a root or a logarithm may have no value. */
static const dae_quad part = 0x1p-20;

static void move(checker *c)
{
    for (int i = 0; i < c->n; i++) {
        const dae_quad u = dae_quad_fabs(c->u[i]), way = part * c->size_u[i];
        c->x[i] = c->u[i] + (u > 0 ? dae_quad_fmin(way, u / 2) : way) * dae_random_direction(&c->random);
    }
}

/* size_i := what f changes by over the whole way, from got, f at c->x, and what it is at c->u */
static void raise(int m, const dae_quad *got, const dae_quad *here, dae_quad *size)
{
    for (int i = 0; i < m; i++)
        if (dae_quad_fabs(got[i] - here[i]) / part > size[i])
            size[i] = dae_quad_fabs(got[i] - here[i]) / part;
}

static void set_size_of_F(checker *c)
{
    c->e->rhs.quad(c->p, c->t, c->u, c->F);
    for (int k = 0; k < DIRECTIONS; k++) {
        move(c);
        c->e->rhs.quad(c->p, c->t, c->x, c->got);
        raise(c->n, c->got, c->F, c->size_F);
    }
}

/* M (x + y) = M x + M y; where M is constant, also at the start and at other times in the interval. */
static void check_mass(checker *c)
{
    const int n = c->n;
    dae_quad *x = c->x, *Mx = c->slope, *My = c->error, *both = c->got;
    if (!c->e->mass.quad)
        return;
    for (int i = 0; i < n; i++)
        c->size[i] = dae_random_direction(&c->random);
    c->e->mass.quad(c->p, c->t, c->u, c->size, Mx);
    for (int i = 0; i < n; i++)
        x[i] = dae_random_direction(&c->random);
    c->e->mass.quad(c->p, c->t, c->u, x, My);
    for (int i = 0; i < n; i++)
        x[i] += c->size[i];
    c->e->mass.quad(c->p, c->t, c->u, x, both);
    for (int i = 0; i < n; i++)
        dae_compare(&c->found, both[i], Mx[i] + My[i], 0, dae_quad_fabs(Mx[i]) + dae_quad_fabs(My[i]), "mass",
                    i + 1, "is not linear");
    if (c->e->mass_kind == DAE_MASS_VARIES)
        return;
    for (int k = 0; k < TIMES; k++) {
        const dae_quad later = k ? c->span * fabs(dae_random_direction(&c->random)) : 0;
        c->e->mass.quad(c->p, c->rows->t0 + later, row_of(c, 0), x, My);
        for (int i = 0; i < n; i++)
            dae_compare(&c->found, both[i], My[i], 0, dae_quad_fabs(Mx[i]) + dae_quad_fabs(My[i]), "mass", i + 1,
                        k ? "is not constant in time" : "is not what it was at the start");
    }
}

/* M(t, u) u' = F with the w = P u' of the reference */
static void check_carried(checker *c)
{
    const dae_state_mass *m = c->rows->sys->carried;
    dae_quad *slope = c->slope, *product = c->got;
    memset(slope, 0, (size_t)c->n * sizeof *slope);
    for (int k = 0; k < m->nx; k++)
        slope[m->column[k]] = c->u[c->n + k];
    c->e->mass.quad(c->p, c->t, c->u, slope, product);
    for (int i = 0; i < c->n; i++)
        dae_compare(&c->found, product[i], c->F[i], 0, c->size_F[i] + dae_quad_fabs(c->F[i]), "rhs", i + 1,
                    "is not M(t, u) u' on the reference");
}

/* The null vectors are doubles. */
static void check_algebraic(checker *c)
{
    const dae_quad rounding = 1e-14;
    if (c->rows->sys->carried) {
        check_carried(c);
        return;
    }
    for (int k = 0; k < dae_system_algebraic_equations(c->rows->sys); k++) {
        dae_quad sum = 0, size = 0, doubles = 0;
        int row = 0;
        dae_system_algebraic_weights(c->rows->sys, k, c->weights);
        for (int i = 0; i < c->n; i++) {
            sum += c->weights[i] * c->F[i];
            doubles += rounding * dae_quad_fabs(c->weights[i] * c->F[i]);
            size += fabs(c->weights[i]) * c->size_F[i];
            row = fabs(c->weights[i]) > fabs(c->weights[row]) ? i : row;
        }
        dae_compare(&c->found, sum, 0, doubles, size, "rhs", row + 1,
                    "the algebraic equation, is not 0 on the reference");
    }
}

/* Algebraic unknowns of index 2 are less exact than others. */
static void check_reduced(checker *c)
{
    const dae_quad few = 1e-5, exactness = c->rows->approximate ? few : pow(10, 2 - c->found.digits);
    if (!c->e->reduced.quad || c->found.failed)
        return;
    c->e->reduced.quad(c->p, c->t, c->u, c->got);
    for (int i = 0; i < c->n; i++) {
        const dae_quad values = dae_quad_fmax(dae_quad_fabs(c->F[i]), dae_quad_fabs(c->got[i]));
        const dae_quad size = dae_quad_fmax(c->size_F[i], values);
        dae_compare(&c->found, c->got[i], c->F[i], exactness * size, size, "reduced", i + 1,
                    "is not that of rhs on the reference");
    }
}

static void exact_path(void *context, dae_quad s, dae_quad *out)
{
    const checker *c = context;
    c->e->exact.quad(c->p, c->t + s, out);
}

static void check_exact(checker *c)
{
    if (!c->e->exact.quad || c->found.failed)
        return;
    memset(c->size, 0, (size_t)c->n * sizeof *c->size);
    c->e->exact.quad(c->p, c->t, c->x);
    for (int i = 0; i < c->n; i++)
        c->got[i] = 1e-33 * dae_quad_fabs(c->x[i]);
    dae_quad_slope(exact_path, c, c->span, c->n, c->size, c->got, c->slope, c->error, NULL, c->work);
    c->e->rhs.quad(c->p, c->t, c->x, c->got);
    for (int i = 0; i < c->n; i++)
        c->error[i] = dae_quad_fabs(c->error[i]);
    if (c->e->mass.quad) {
        c->e->mass.quad(c->p, c->t, c->x, c->slope, c->size);
        memcpy(c->slope, c->size, (size_t)c->n * sizeof *c->slope);
        c->e->mass.quad(c->p, c->t, c->x, c->error, c->size);
        memcpy(c->error, c->size, (size_t)c->n * sizeof *c->error);
    }
    for (int i = 0; i < c->n; i++)
        dae_compare(&c->found, c->slope[i], c->got[i], dae_quad_fabs(c->error[i]),
                    dae_quad_fmax(c->size_F[i], dae_quad_fmax(dae_quad_fabs(c->slope[i]), dae_quad_fabs(c->got[i]))),
                    "exact", i + 1, "does not solve M u' = F");
}

static void check_invariants(checker *c, int first)
{
    const dae_invariants *given = &c->rows->sys->problem->invariants;
    if (given->n == 0 || !given->value.quad || c->found.failed)
        return;
    memset(c->size, 0, (size_t)given->n * sizeof *c->size);
    given->value.quad(c->p, c->t, c->u, c->error);
    for (int k = 0; k < DIRECTIONS; k++) {
        move(c);
        given->value.quad(c->p, c->t, c->x, c->got);
        raise(given->n, c->got, c->error, c->size);
    }
    given->value.quad(c->p, first ? c->rows->times[0] : c->rows->t0, row_of(c, first), c->slope);
    for (int i = 0; i < given->n; i++)
        dae_compare(&c->found, c->error[i], c->slope[i], 0, c->size[i], "invariants", i + 1,
                    "does not stay what it was");
}

/* Everywhere in the interval by simple differences: F may have a feature that exact has not. */
static void check_exact_between(checker *c)
{
    enum { POINTS = 10000 };
    const dae_quad e = 1e-9 * c->span, first = c->rows->t0 + 1e-8 * c->span;
    const dae_quad spacing = (c->rows->span - 2e-8 * c->span) / POINTS, wrong = 1e-9;
    for (int k = 0; k <= POINTS && spacing > 0 && !c->found.failed; k++) {
        c->found.t = (double)(c->t = first + k * spacing);
        c->e->exact.quad(c->p, c->t + e, c->slope);
        c->e->exact.quad(c->p, c->t - e, c->error);
        c->e->exact.quad(c->p, c->t, c->x);
        c->e->rhs.quad(c->p, c->t, c->x, c->got);
        for (int i = 0; i < c->n; i++)
            c->F[i] = (c->slope[i] - c->error[i]) / (2 * e);
        if (c->e->mass.quad)
            c->e->mass.quad(c->p, c->t, c->x, c->F, c->slope);
        else
            memcpy(c->slope, c->F, (size_t)c->n * sizeof *c->F);
        for (int i = 0; i < c->n; i++) {
            c->size_F[i] = dae_quad_fmax(c->size_F[i], dae_quad_fabs(c->slope[i]));
            dae_compare(&c->found, c->slope[i], c->got[i], wrong * c->size_F[i] / 16, c->size_F[i],
                        "exact", i + 1, "does not solve M u' = F");
        }
    }
}

/* The analytic Jacobian at u, and at states beside it. */
static dae_status check_jacobian(checker *c)
{
    dae_derivative_point at = {.sys = c->rows->sys, .span = c->span, .q = c->u, .t = c->t,
                               .size_q = c->size_u};
    dae_status status = DAE_OK;
    if (!c->e->jacobian)
        return DAE_OK;
    for (int k = 0; k <= c->rows->around && !status && !c->found.failed; k++) {
        status = dae_check_jacobian(&at, &c->found);
        move(c);
        at.q = c->x;
    }
    return status;
}

static dae_status check_row(checker *c, int k)
{
    c->t = k ? c->rows->times[k - 1] : c->rows->t0;
    c->found.t = (double)c->t;
    c->u = row_of(c, k);
    set_size_of_F(c);
    check_mass(c);
    check_exact(c);
    if (!c->rows->approximate && (k > 0 || c->rows->solved)) {
        check_algebraic(c);
        check_reduced(c);
    }
    if (c->rows->approximate && k > 0)
        check_reduced(c);
    if (k > 0 && !c->rows->approximate)
        check_invariants(c, !c->rows->solved);
    return c->found.failed ? DAE_OK : check_jacobian(c);
}

dae_status dae_check_first_order(const dae_quad_rows *rows, double *digits, dae_report *report)
{
    checker c;
    dae_status status = DAE_OK;
    if (!create(&c, rows, *digits, report)) {
        free(c.memory);
        free(c.weights);
        return dae_fail(report, DAE_NO_MEMORY, "no memory to check a model of %d unknowns",
                        rows->sys->n);
    }
    set_sizes(&c);
    for (int k = 0; k <= rows->count && !status && !c.found.failed; k++)
        status = check_row(&c, k);
    if (rows->solved && !status && !c.found.failed)
        check_exact_between(&c);
    *digits = c.found.digits;
    free(c.memory);
    free(c.weights);
    return c.found.failed ? DAE_BAD_ARGUMENT : status;
}
