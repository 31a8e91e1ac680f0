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
 * The functions themselves are compared in constraint_check.c, energy_check.c, minimal_check.c,
 * invariant_check.c and partial_check.c, those of first order in first_order_check.c.
 *
 * w and b are random, of the size that q', v' have in the run: what cancels on the constraints does
 * not cancel there, and gives each row its size.
 */
#include "checker.h"

#include "base/numbers.h"

#include <math.h>

/* ---- sizes -------------------------------------------------------------------------------- */

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
static void set_mechanical_sizes(dae_checker *c)
{
    const int nq = c->nq;
    const dae_quad span = c->span, *start = dae_checker_row(c, 0);
    dae_quad all = 0, v = 0;
    for (int k = 0; k <= c->rows->count; k++)
        for (int i = 0; i < nq; i++)
            all = dae_quad_fmax(all, dae_quad_fabs(dae_checker_row(c, k)[i]));
    for (int k = 0; k <= c->rows->count; k++) {
        const dae_quad *z = dae_checker_row(c, k);
        if (dae_quad_accelerate(c->rows->mechanics, dae_checker_time(c, k), z, z + nq, c->x))
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

static void set_sizes(dae_checker *c)
{
    const double *given = c->rows->sizes;
    for (int i = 0; given && i < c->n; i++)
        c->size_q[i] = given[i];
    for (int i = 0; given && i < c->nq; i++)
        c->size_a[i] = given[c->n + c->nl + i];
    if (!given)
        (c->nq ? set_mechanical_sizes : dae_set_first_order_sizes)(c);
}

/* ---- at a state --------------------------------------------------------------------------- */

/* First mass and constraints, at all states; then, of functions that are right, what the motion and their
 * derivatives say; then, of a run in doubles, whether invariants stay. */
typedef enum { FUNCTIONS, MOTION, INVARIANTS } phase;

static void check_state(dae_checker *c, phase now)
{
    if (now == FUNCTIONS) {
        dae_check_mass(c);
        if (c->nl)
            dae_check_constraints(c);
    } else if (now == INVARIANTS) {
        dae_check_stays(c);
    } else {
        dae_check_minimal(c);
        dae_check_motion(c);
        if (dae_goes_on(c))
            dae_check_partials(c);
    }
}

/* ---- all of it ---------------------------------------------------------------------------- */

static void check_first_order_row(dae_checker *c, int k, phase now)
{
    c->moves = 1;
    if (now == FUNCTIONS)
        dae_check_first_order_row(c, k);
    else if (now == INVARIANTS)
        dae_check_stays(c);
}

/* A row that is not consistent is said by the run. */
static void check_mechanical_row(dae_checker *c, phase now)
{
    const double *a = c->rows->a;
    for (int i = 0; a && i < c->nq; i++)
        c->a[i] = a[i];
    c->moves = a ? c->rows->moves : !dae_quad_accelerate(c->rows->mechanics, c->t, c->q, c->v, c->a);
    if (a || c->moves)
        check_state(c, now);
    if (c->moves && !a && now == FUNCTIONS && c->nl && dae_goes_on(c))
        dae_check_drift(c);
    if (c->moves && !c->rows->approximate && now == MOTION)
        dae_check_invariants(c, 0);
}

static void check_row(dae_checker *c, int k, phase now)
{
    c->t = c->found.t = dae_checker_time(c, k);
    c->q = dae_checker_row(c, k);
    c->v = c->q + c->nq;
    c->lambda = c->v + c->nq;
    if (c->nq)
        check_mechanical_row(c, now);
    else
        check_first_order_row(c, k, now);
}

static dae_status ended(dae_checker *c, dae_report *report)
{
    const dae_status status = c->found.status;
    dae_checker_destroy(c);
    return status == DAE_NO_MEMORY ? dae_fail(report, status, "no memory to check the functions of a model") : status;
}

dae_status dae_motion_sizes(const dae_quad_rows *rows, double *size_q, double *size_a)
{
    dae_checker c;
    if (!dae_checker_create(&c, rows, 0, NULL))
        c.found.status = DAE_NO_MEMORY;
    else
        set_sizes(&c);
    for (int i = 0; dae_goes_on(&c) && i < c.n; i++)
        size_q[i] = (double)c.size_q[i];
    for (int i = 0; dae_goes_on(&c) && i < c.nq; i++)
        size_a[i] = (double)c.size_a[i];
    return ended(&c, NULL);
}

dae_status dae_check_functions(const dae_quad_rows *rows, double *digits, dae_report *report)
{
    const phase last = rows->approximate ? INVARIANTS : MOTION;
    dae_checker c;
    if (!dae_checker_create(&c, rows, *digits, report))
        c.found.status = DAE_NO_MEMORY;
    else
        set_sizes(&c);
    for (phase now = FUNCTIONS; now <= last; now++)
        for (int k = 0; k <= rows->count && dae_goes_on(&c); k++)
            check_row(&c, k, now);
    if (rows->approximate && dae_goes_on(&c))
        dae_check_ends(&c);
    if (rows->solved && !c.nq && dae_goes_on(&c))
        dae_check_exact_between(&c);
    *digits = c.found.digits;
    return ended(&c, report);
}
