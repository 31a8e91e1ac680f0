/* first_order_check.c - the functions of a first-order model against each other, in quad precision
 *
 *     M (x + y) = M x + M y,     0 = z^T F(t, u) for z^T M = 0           along the reference
 *     reduced(t, u) = F(t, u),   I(t, u) the same at all rows            along the reference
 *     M d/dt exact = F(t, exact)                                         where it is stated
 *     jacobian = dF/du
 *
 * Each row of F in its own scale: its change as u moves by as much as in the run.
 */
#include "checker.h"

#include "base/numbers.h"

#include <math.h>
#include <stdlib.h>

enum { TIMES = 3 };

static const dae_first_order *of(const dae_checker *c) { return &c->problem->first_order; }

/* Of an unknown that does not move, its own size. */
void dae_set_first_order_sizes(dae_checker *c)
{
    dae_quad largest = 0;
    for (int k = 0; k <= c->rows->count; k++)
        for (int i = 0; i < c->n; i++) {
            const dae_quad u = dae_checker_row(c, k)[i], moved = u - dae_checker_row(c, 0)[i];
            c->size_q[i] = dae_quad_fmax(c->size_q[i], dae_quad_fabs(moved));
            c->size[i] = dae_quad_fmax(c->size[i], dae_quad_fabs(u));
        }
    for (int i = 0; i < c->n; i++) {
        c->size_q[i] = dae_quad_fmax(c->size_q[i], c->size[i] * 0x1p-10);
        largest = dae_quad_fmax(largest, c->size_q[i]);
    }
    for (int i = 0; i < c->n; i++)
        if (!(c->size_q[i] > 0))
            c->size_q[i] = largest > 0 ? 0x1p-20 * largest : 1;
}

static void set_size_of_F(dae_checker *c)
{
    of(c)->rhs.quad(c->p, c->t, c->q, c->F);
    for (int k = 0; k < c->directions; k++) {
        dae_checker_aside(c, c->x);
        of(c)->rhs.quad(c->p, c->t, c->x, c->got);
        dae_checker_raise(c->n, c->got, c->F, c->size_F);
    }
}

/* M (x + y) = M x + M y; where M is constant, also at the start and at other times in the interval. */
static void check_mass(dae_checker *c)
{
    const dae_map2 *M = &of(c)->mass;
    if (!M->quad)
        return;
    dae_check_linear(c, c->n, M, NULL, "mass");
    for (int k = 0; k < TIMES && of(c)->mass_kind != DAE_MASS_VARIES; k++) {
        const dae_quad later = k ? c->span * fabs(dae_random_direction(&c->random)) : 0;
        M->quad(c->p, c->rows->t0 + later, dae_checker_row(c, 0), c->b, c->got);
        for (int i = 0; i < c->n; i++)
            dae_compare(&c->found, c->error[i], c->got[i], 0,
                        dae_quad_fabs(c->slope[i]) + dae_quad_fabs(c->got[i]), "mass", i + 1,
                        k ? "is not constant in time" : "is not what it was at the start");
    }
}

/* M(t, u) u' = F with the w = P u' of the reference */
static void check_carried(dae_checker *c)
{
    const dae_state_mass *m = c->rows->sys->carried;
    memset(c->slope, 0, (size_t)c->n * sizeof *c->slope);
    for (int k = 0; k < m->nx; k++)
        c->slope[m->column[k]] = c->q[c->n + k];
    of(c)->mass.quad(c->p, c->t, c->q, c->slope, c->got);
    for (int i = 0; i < c->n; i++)
        dae_compare(&c->found, c->got[i], c->F[i], 0, c->size_F[i] + dae_quad_fabs(c->F[i]), "rhs", i + 1,
                    "is not M(t, u) u' on the reference");
}

/* The null vectors are doubles. */
static void check_algebraic(dae_checker *c)
{
    const dae_system *sys = c->rows->sys;
    const dae_quad rounding = 1e-14;
    double *weights = calloc((size_t)c->n, sizeof *weights);
    if (!weights)
        c->found.status = DAE_NO_MEMORY;
    for (int k = 0; weights && k < dae_system_algebraic_equations(sys); k++) {
        dae_quad sum = 0, size = 0, doubles = 0;
        int row = 0;
        dae_system_algebraic_weights(sys, k, weights);
        for (int i = 0; i < c->n; i++) {
            sum += weights[i] * c->F[i];
            doubles += rounding * dae_quad_fabs(weights[i] * c->F[i]);
            size += fabs(weights[i]) * c->size_F[i];
            row = fabs(weights[i]) > fabs(weights[row]) ? i : row;
        }
        dae_compare(&c->found, sum, 0, doubles, size, "rhs", row + 1,
                    "the algebraic equation, is not 0 on the reference");
    }
    free(weights);
}

/* Algebraic unknowns of index 2 are less exact than others. */
static void check_reduced(dae_checker *c)
{
    const dae_quad few = 1e-5, exactness = c->rows->approximate ? few : pow(10, 2 - c->found.digits);
    if (!of(c)->reduced.quad || !dae_goes_on(c))
        return;
    of(c)->reduced.quad(c->p, c->t, c->q, c->got);
    for (int i = 0; i < c->n; i++) {
        const dae_quad values = dae_quad_fmax(dae_quad_fabs(c->F[i]), dae_quad_fabs(c->got[i]));
        const dae_quad size = dae_quad_fmax(c->size_F[i], values);
        dae_compare(&c->found, c->got[i], c->F[i], exactness * size, size, "reduced", i + 1,
                    "is not that of rhs on the reference");
    }
}

/* F(t, u) of exact u in c->got, and M u' in c->slope, with errors of u' in c->error. Each row is wrong beyond its error
 * and part of its size. */
static void compare_exact(dae_checker *c, dae_quad part)
{
    of(c)->exact.quad(c->p, c->t, c->x);
    of(c)->rhs.quad(c->p, c->t, c->x, c->got);
    for (int k = 0; k < 2 && of(c)->mass.quad; k++) {
        dae_quad *slope = k ? c->error : c->slope;
        of(c)->mass.quad(c->p, c->t, c->x, slope, c->size);
        memcpy(slope, c->size, (size_t)c->n * sizeof *slope);
    }
    for (int i = 0; i < c->n; i++) {
        const dae_quad values = dae_quad_fmax(dae_quad_fabs(c->slope[i]), part > 0 ? 0 : dae_quad_fabs(c->got[i]));
        const dae_quad size = dae_quad_fmax(c->size_F[i], values);
        dae_compare(&c->found, c->slope[i], c->got[i], dae_quad_fabs(c->error[i]) + part * size, size, "exact", i + 1,
                    "does not solve M u' = F");
        c->size_F[i] = part > 0 ? size : c->size_F[i];  /* of the whole interval */
    }
}

static void check_exact(dae_checker *c)
{
    if (!of(c)->exact.quad || !dae_goes_on(c))
        return;
    memset(c->size, 0, (size_t)c->n * sizeof *c->size);
    c->map = DAE_ON_EXACT;
    c->pace = 1;
    c->moving = 0;
    dae_checker_slope(c, c->span, c->n);
    compare_exact(c, 0);
}

/* Everywhere in the interval by simple differences: F may have a feature that exact has not. */
void dae_check_exact_between(dae_checker *c)
{
    enum { POINTS = 10000 };
    const dae_quad e = 1e-9 * c->span, first = c->rows->t0 + 1e-8 * c->span;
    const dae_quad spacing = (c->rows->span - 2e-8 * c->span) / POINTS, wrong = 1e-9;
    for (int k = 0; k <= POINTS && spacing > 0 && dae_goes_on(c); k++) {
        c->found.t = (double)(c->t = first + k * spacing);
        of(c)->exact.quad(c->p, c->t + e, c->slope);
        of(c)->exact.quad(c->p, c->t - e, c->error);
        for (int i = 0; i < c->n; i++)
            c->slope[i] = (c->slope[i] - c->error[i]) / (2 * e);
        memset(c->error, 0, (size_t)c->n * sizeof *c->error);
        compare_exact(c, wrong / 16);
    }
}

void dae_check_first_order_row(dae_checker *c, int k)
{
    const int solved = !c->rows->approximate && (k > 0 || c->rows->solved);
    set_size_of_F(c);
    check_mass(c);
    check_exact(c);
    if (solved && c->rows->sys->carried)
        check_carried(c);
    else if (solved)
        check_algebraic(c);
    if (solved || k > 0)
        check_reduced(c);
    if (k > 0 && !c->rows->approximate)
        dae_check_invariants(c, !c->rows->solved);
    if (dae_goes_on(c))
        dae_check_partials(c);
}
