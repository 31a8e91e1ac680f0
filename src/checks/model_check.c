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
 * The functions themselves are compared in constraint_check.c, energy_check.c, minimal_check.c and
 * derivative_check.c.
 *
 * w and b are random, of the size that q', v' have in the run: what cancels on the constraints does
 * not cancel there, and gives each row its size.
 */
#include "model_check.h"

#include "checker.h"
#include "derivative_check.h"
#include "slope.h"

#include <math.h>
#include <stdlib.h>

/* ---- memory ------------------------------------------------------------------------------- */

static dae_quad *take(dae_quad *block, size_t *used, int count)
{
    dae_quad *place = block ? block + *used : NULL;
    *used += (size_t)count;
    return place;
}

static size_t place(dae_checker *c, dae_quad *block)
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

static int create(dae_checker *c, const dae_quad_rows *rows, double digits, dae_report *report)
{
    const dae_system *sys = rows->sys;
    const int invariants = sys->problem->invariants.n, minimal = sys->problem->mechanical.minimal.n;
    *c = (dae_checker){.rows = rows, .e = &sys->problem->mechanical, .p = sys->p_quad, .nq = sys->nq,
                       .nl = sys->nl, .random = 19750501,
                       .found = {.digits = digits, .report = report,
                                 .problem = sys->problem->name}};
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
static int set_sizes(dae_checker *c)
{
    const int nq = c->nq;
    const dae_quad span = c->span, *start = dae_checker_row(c, 0);
    dae_quad all = 0, v = 0;
    for (int k = 0; k <= c->rows->count; k++)
        for (int i = 0; i < nq; i++)
            all = fmaxf128(all, fabsf128(dae_checker_row(c, k)[i]));
    for (int k = 0; k <= c->rows->count; k++) {
        const dae_quad *z = dae_checker_row(c, k);
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

/* ---- all of it ---------------------------------------------------------------------------- */

static dae_status check_partials(dae_checker *c)
{
    const dae_derivative_point at = {.sys = c->rows->sys, .t = c->t, .span = c->span, .q = c->q,
                                     .v = c->v, .a = c->a, .lambda = c->lambda,
                                     .size_q = c->size_q, .size_v = c->size_v};
    return c->e->partials ? dae_check_partials(&at, &c->found) : DAE_OK;
}

static dae_status check_row(dae_checker *c, int k)
{
    c->t = c->found.t = time_of(c->rows, k);
    c->q = dae_checker_row(c, k);
    c->v = c->q + c->nq;
    c->lambda = c->v + c->nq;
    if (dae_quad_accelerate(c->rows->mechanics, c->t, c->q, c->v, c->a))
        return DAE_OK;
    dae_check_mass(c);
    if (c->nl)
        dae_check_constraints(c);
    dae_check_minimal(c);
    dae_check_energy(c);
    dae_check_invariants(c);
    return c->found.failed ? DAE_OK : check_partials(c);
}

dae_status dae_check_mechanics(const dae_quad_rows *rows, double *digits, dae_report *report)
{
    dae_checker c;
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
