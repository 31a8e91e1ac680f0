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

#include "base/numbers.h"
#include "checker.h"
#include "derivative_check.h"
#include "jacobian/sparse_partials.h"
#include "slope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    c->state = take(block, &used, 2 * c->nq + c->nl);
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
    c->minimal = take(block, &used, 6 * c->e->minimal.n);
    c->embedded = take(block, &used, 2 * c->nq);
    c->at = take(block, &used, c->most);
    c->at_v = take(block, &used, c->most);
    c->work = take(block, &used, (DAE_SLOPE_ROWS + 4) * c->most);
    return used;
}

static void destroy(dae_checker *c)
{
    free(c->rate_off);
    free(c->memory);
}

static int create(dae_checker *c, const dae_quad_rows *rows, double digits, dae_report *report)
{
    const dae_system *sys = rows->sys;
    const int invariants = sys->problem->invariants.n, minimal = sys->problem->mechanical.minimal.n;
    *c = (dae_checker){.rows = rows, .e = &sys->problem->mechanical, .p = sys->p_quad, .nq = sys->nq,
                       .nl = sys->nl, .holonomic = sys->holonomic, .random = 19750501,
                       .found = {.digits = digits, .report = report,
                                 .problem = rows->name ? rows->name : sys->problem->name, .list = rows->list}};
    c->span = rows->span > 0 ? rows->span : 1;
    c->most = 2 * c->nq;
    c->most = c->most > c->nl ? c->most : c->nl;
    c->most = c->most > 2 * minimal ? c->most : 2 * minimal;
    c->most = c->most > invariants ? c->most : invariants;
    c->memory = calloc(place(c, NULL), sizeof *c->memory);
    c->rate_off = calloc(4 * (size_t)c->nl + 1, sizeof *c->rate_off);
    if (!c->memory || !c->rate_off)
        return 0;
    place(c, c->memory);
    c->acceleration_off = c->rate_off + c->nl;
    c->second_off = c->acceleration_off + c->nl;
    c->gradient_off = c->second_off + c->nl;
    return 1;
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
        largest = dae_quad_fmax(largest, size[i]);
    for (int i = 0; i < n; i++)
        size[i] = dae_quad_fmax(size[i], largest > 0 ? 1e-10 * largest : 1);
}

/* From all rows: how far each position moves, how fast, and by how much that changes; where there is no
 * acceleration, as constraints depend on each other, by no more than the others say. */
static void set_sizes(dae_checker *c)
{
    const int nq = c->nq;
    const dae_quad span = c->span, *start = dae_checker_row(c, 0);
    dae_quad all = 0, v = 0;
    for (int k = 0; k <= c->rows->count; k++)
        for (int i = 0; i < nq; i++)
            all = dae_quad_fmax(all, dae_quad_fabs(dae_checker_row(c, k)[i]));
    for (int k = 0; k <= c->rows->count; k++) {
        const dae_quad *z = dae_checker_row(c, k);
        if (dae_quad_accelerate(c->rows->mechanics, time_of(c->rows, k), z, z + nq, c->x))
            memset(c->x, 0, (size_t)nq * sizeof *c->x);
        for (int i = 0; i < nq; i++) {
            const dae_quad a = dae_quad_fabs(c->x[i]);
            v = dae_quad_fmax(dae_quad_fabs(z[nq + i]), 1e-3 * span * a);
            c->size_a[i] = dae_quad_fmax(c->size_a[i], a);
            c->size_v[i] = dae_quad_fmax(c->size_v[i], v);
            c->size_q[i] = dae_quad_fmax(c->size_q[i], dae_quad_fmax(dae_quad_fmin(1e-3 * span * v, all),
                                                           dae_quad_fabs(z[i] - start[i])));
        }
    }
    fill_gaps(nq, c->size_q, 1e-6 * all);
    for (int i = 0; i < nq; i++)
        c->size_v[i] = dae_quad_fmax(c->size_v[i], 1e-3 * c->size_q[i] / span);
    fill_gaps(nq, c->size_v, 0);
    for (int i = 0; i < nq; i++)
        c->size_a[i] = dae_quad_fmax(c->size_a[i], 1e-3 * c->size_v[i] / span);
    fill_gaps(nq, c->size_a, 0);
}

/* ---- all of it ---------------------------------------------------------------------------- */

static dae_status check_partials(dae_checker *c)
{
    const dae_derivative_point at = {.sys = c->rows->sys, .t = c->t, .span = c->span, .q = c->q,
                                     .v = c->v, .a = c->a, .lambda = c->lambda,
                                     .size_q = c->size_q, .size_v = c->size_v};
    return dae_gives_partials(c->e) ? dae_check_partials(&at, &c->found) : DAE_OK;
}

/* First mass and constraints, at all states; then, of functions that are right, what the motion and their
 * derivatives say. */
typedef enum { FUNCTIONS, MOTION } phase;

static dae_status check_state(dae_checker *c, phase now)
{
    if (now == FUNCTIONS) {
        dae_check_mass(c);
        if (c->nl)
            dae_check_constraints(c);
        return DAE_OK;
    }
    dae_check_minimal(c);
    dae_check_motion(c);
    return c->found.failed ? DAE_OK : check_partials(c);
}

static void set_state(dae_checker *c, const dae_quad *z)
{
    c->q = z;
    c->v = z + c->nq;
    c->lambda = c->v + c->nq;
}

static int all_finite(int n, const dae_quad *x)
{
    dae_quad sum = 0;
    for (int i = 0; i < n; i++)
        sum += 0 * x[i];
    return sum == 0;
}

/* Do force and constraints have values at c->state? */
static int has_values(dae_checker *c)
{
    const dae_quad *q = c->state, *v = q + c->nq;
    c->e->force.quad(c->p, c->t, q, v, c->got);
    if (!all_finite(c->nq, c->got))
        return 0;
    if (c->nl)
        c->e->acceleration.quad(c->p, c->t, q, v, c->a, c->got);
    return all_finite(c->nl, c->got);
}

/* At states beside the row, off the constraints, with random accelerations and multipliers; every other one
 * is as far off as its numbers are large. */
static dae_status check_around(dae_checker *c, const dae_quad *z, phase now)
{
    dae_status status = DAE_OK;
    c->moves = 0;
    for (int k = 0; k < c->rows->around && !status && !c->found.failed; k++) {
        dae_quad part = 0.25;
        int found = 0;
        dae_checker_choose(c, c->nq, c->size_a, c->a);
        for (int l = 0; l < c->nl; l++)
            c->state[2 * c->nq + l] = z[2 * c->nq + l] * (1 + 0.5 * dae_random_direction(&c->random));
        for (int shrink = 0; shrink < 8 && !found; shrink++, part /= 8) {
            for (int i = 0; i < c->nq; i++) {
                const dae_quad way = k % 2 ? dae_quad_fmax(c->size_q[i], dae_quad_fabs(z[i])) : c->size_q[i];
                c->state[i] = z[i] + part * way * dae_random_direction(&c->random);
                c->state[c->nq + i] = z[c->nq + i]
                                      + part * c->size_v[i] * dae_random_direction(&c->random);
            }
            found = has_values(c);
        }
        set_state(c, c->state);
        if (found)
            status = check_state(c, now);
    }
    return status;
}

static dae_status check_row(dae_checker *c, int k, phase now)
{
    const dae_quad *z = dae_checker_row(c, k);
    c->t = c->found.t = time_of(c->rows, k);
    set_state(c, z);
    c->moves = !dae_quad_accelerate(c->rows->mechanics, c->t, c->q, c->v, c->a);
    if (!c->moves && !c->rows->around)
        return DAE_OK;                      /* the run says so */
    if (c->moves) {
        const dae_status status = check_state(c, now);
        if (status || c->found.failed)
            return status;
        if (c->nl && now == FUNCTIONS)
            dae_check_drift(c);
        if (!c->rows->approximate && now == MOTION)
            dae_check_invariants(c);
    }
    return check_around(c, z, now);
}

static dae_status no_memory(dae_checker *c, dae_report *report)
{
    destroy(c);
    return dae_fail(report, DAE_NO_MEMORY, "no memory to check a model of %d positions", c->nq);
}

dae_status dae_motion_sizes(const dae_quad_rows *rows, dae_quad *size_q, dae_quad *size_v,
                            dae_quad *size_a, dae_report *report)
{
    dae_checker c;
    if (!create(&c, rows, 0, report))
        return no_memory(&c, report);
    const size_t bytes = (size_t)c.nq * sizeof *size_q;
    set_sizes(&c);
    memcpy(size_q, c.size_q, bytes);
    memcpy(size_v, c.size_v, bytes);
    memcpy(size_a, c.size_a, bytes);
    destroy(&c);
    return DAE_OK;
}

dae_status dae_check_mechanics(const dae_quad_rows *rows, double *digits, dae_report *report)
{
    dae_checker c;
    dae_status status = DAE_OK;
    if (!create(&c, rows, *digits, report))
        return no_memory(&c, report);
    set_sizes(&c);
    for (phase now = FUNCTIONS; now <= MOTION; now++)
        for (int k = 0; k <= rows->count && !status && !c.found.failed; k++)
            status = check_row(&c, k, now);
    *digits = c.found.digits;
    destroy(&c);
    return c.found.failed ? DAE_BAD_ARGUMENT : status;
}
