/* quad_mechanics.c - M a + G^T lambda = f, d2g/dt2 = 0 in quad precision
 *
 *   S = G M^-1 G^T,    S lambda = d2g/dt2 at a = M^-1 f,    a = M^-1 (f - G^T lambda)
 *
 * with the columns of G^T from the reaction to unit multipliers. S is positive definite where the
 * constraints are independent.
 */
#include "quad_mechanics.h"

#include "base/numbers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Hand out the next count numbers of a block; counts only while the block is NULL. */
static dae_quad *take(dae_quad *block, size_t *used, size_t count)
{
    dae_quad *place = block ? block + *used : NULL;
    *used += count;
    return place;
}

static size_t place(dae_quad_mechanics *m, dae_quad *block)
{
    size_t used = 0;
    const size_t nq = (size_t)m->nq, nl = (size_t)m->nl;
    m->inverse_mass = take(block, &used, nq);
    m->try = take(block, &used, nq);
    m->gradient = take(block, &used, m->plan ? 0 : nl * nq);
    m->schur = take(block, &used, m->plan ? 0 : nl * nl);
    m->factored = take(block, &used, m->general_mass ? nq * nq : 0);
    m->weighted = take(block, &used, m->plan ? 0 : nl * nq);
    m->lambda = take(block, &used, nl);
    m->e = take(block, &used, nl + 2 * nq);
    m->a = take(block, &used, nq);
    m->b = take(block, &used, nq);
    return used;
}

static void point_to_room(dae_quad_mechanics *m)
{
    m->gradient = m->room;
    m->schur = m->room ? m->room + dae_schur_entries(m->plan) : NULL;
}

/* G and S as the plan says */
static int make_room(dae_quad_mechanics *m)
{
    const size_t entries = dae_schur_entries(m->plan);
    dae_quad *room = calloc(entries + dae_schur_band(m->plan), sizeof *room);
    if (!room)
        return 0;
    free(m->room);
    m->room = room;
    point_to_room(m);
    return 1;
}

/* G and S of the first ng constraints: their plan and its room take the place of the other. */
static void take_rows(dae_quad_mechanics *m, int ng)
{
    if (m->ng == ng)
        return;
    m->ng = ng;
    if (!m->plan)
        return;
    const dae_schur_plan own = m->own;
    dae_quad *const room = m->room;
    m->own = m->own_aside;
    m->own_aside = own;
    m->room = m->room_aside;
    m->room_aside = room;
    point_to_room(m);
}

static int create_plan(dae_quad_mechanics *m, const dae_system *sys)
{
    return !dae_schur_plan_create(m->plan, m->equations, sys->p, m->nq, m->ng, m->nl, sys->problem->t0,
                                  sys->start, NULL)
           && make_room(m);
}

/* Of all constraints, and of those on positions where there are others. */
static int create_plans(dae_quad_mechanics *m, const dae_system *sys)
{
    take_rows(m, m->holonomic);
    const int created = m->ng == 0 || m->ng == m->nl || create_plan(m, sys);
    take_rows(m, m->nl);
    return created && create_plan(m, sys);
}

int dae_quad_mechanics_create(dae_quad_mechanics *m, const dae_system *sys)
{
    memset(m, 0, sizeof *m);
    m->equations = &sys->problem->mechanical;
    m->p = sys->p_quad;
    m->nq = sys->nq;
    m->nl = m->ng = sys->nl;
    m->holonomic = sys->holonomic;
    m->plan = dae_system_has_many(sys) ? &m->own : NULL;
    m->general_mass = sys->general_mass;
    m->pivot = calloc((size_t)m->nq + (size_t)m->nl, sizeof *m->pivot);
    m->memory = m->pivot ? calloc(place(m, NULL) + 1, sizeof *m->memory) : NULL;
    if (!m->memory)
        return 0;
    place(m, m->memory);
    return !m->plan || create_plans(m, sys);
}

void dae_quad_mechanics_free(dae_quad_mechanics *m)
{
    if (m->plan) {
        dae_schur_plan_free(&m->own);
        dae_schur_plan_free(&m->own_aside);
    }
    free(m->room);
    free(m->room_aside);
    free(m->pivot);
    free(m->memory);
}

static void exchange(dae_quad *x, dae_quad *y)
{
    const dae_quad swap = *x;
    *x = *y;
    *y = swap;
}

/* Column k of L, with ones on its diagonal, and what it takes from the rows below */
static void eliminate(int n, int k, dae_quad *A)
{
    for (int i = k + 1; i < n; i++) {
        A[i * n + k] /= A[k * n + k];
        for (int j = k + 1; j < n; j++)
            A[i * n + j] -= A[i * n + k] * A[k * n + j];
    }
}

/* A[n x n], row-major, := L and U of P A = L U with partial pivoting, pivot[n] the rows exchanged */
static dae_status factor(int n, dae_quad *A, int *pivot)
{
    dae_quad largest = 0;
    for (int i = 0; i < n * n; i++) {
        if (A[i] - A[i] != 0)
            return DAE_NOT_FINITE;
        largest = dae_quad_fmax(largest, dae_quad_fabs(A[i]));
    }
    for (int k = 0; k < n; k++) {
        pivot[k] = k;
        for (int i = k + 1; i < n; i++)
            if (dae_quad_fabs(A[i * n + k]) > dae_quad_fabs(A[pivot[k] * n + k]))
                pivot[k] = i;
        if (!(dae_quad_fabs(A[pivot[k] * n + k]) > largest * 1e-28))
            return DAE_SINGULAR;
        for (int j = 0; j < n && pivot[k] != k; j++)
            exchange(&A[k * n + j], &A[pivot[k] * n + j]);
        eliminate(n, k, A);
    }
    return DAE_OK;
}

/* b[n] := A^-1 b with what factor has made of A */
static void solve(int n, const dae_quad *A, const int *pivot, dae_quad *b)
{
    for (int k = 0; k < n; k++)
        exchange(&b[k], &b[pivot[k]]);
    for (int k = 1; k < n; k++)
        for (int j = 0; j < k; j++)
            b[k] -= A[k * n + j] * b[j];
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
}

void dae_quad_set_mass(dae_quad_mechanics *m, dae_quad t, const dae_quad *q)
{
    for (int i = 0; i < m->nq; i++)
        m->a[i] = m->b[i] = 1;
    if (!m->general_mass)
        m->equations->inertia.quad(m->p, t, q, m->a, m->b);
    uint64_t random = 19750501;
    for (int i = 0; i < m->nq; i++) {
        m->inverse_mass[i] = 1 / m->b[i];
        m->try[i] = dae_random_direction(&random) * m->inverse_mass[i];
    }
}

/* M(t, q) x = diag(m) x for one vector x? */
static dae_status try_mass(dae_quad_mechanics *m, dae_quad t, const dae_quad *q)
{
    const dae_quad rounding = 1e-25;
    m->varied = 0;
    if (m->general_mass)
        return DAE_OK;
    m->equations->inertia.quad(m->p, t, q, m->try, m->b);
    for (int i = m->nq - 1; i >= 0; i--)
        if (dae_quad_fabs(m->b[i] * m->inverse_mass[i] - m->try[i]) > rounding * dae_quad_fabs(m->try[i]))
            m->varied = i + 1;
    return m->varied ? DAE_BAD_ARGUMENT : DAE_OK;
}

/* What divide_by_mass needs of M(t, q); nothing where M is constant. */
static dae_status factor_mass(dae_quad_mechanics *m, dae_quad t, const dae_quad *q)
{
    const int nq = m->nq;
    if (!m->general_mass)
        return DAE_OK;
    for (int i = 0; i < nq; i++)
        m->b[i] = 0;
    for (int j = 0; j < nq; j++) {                      /* rows are columns: M is symmetric */
        m->b[j] = 1;
        m->equations->inertia.quad(m->p, t, q, m->b, m->factored + j * nq);
        m->b[j] = 0;
    }
    return factor(nq, m->factored, m->pivot);
}

/* x := M^-1 x, M of the latest factor_mass */
static void divide_by_mass(const dae_quad_mechanics *m, dae_quad *x)
{
    if (m->general_mass) {
        solve(m->nq, m->factored, m->pivot, x);
        return;
    }
    for (int i = 0; i < m->nq; i++)
        x[i] *= m->inverse_mass[i];
}

/* gradient := rows of G, weighted := rows of G M^-1, schur := G M^-1 G^T, at (t, q) */
static void assemble_dense(dae_quad_mechanics *m, dae_quad t, const dae_quad *q)
{
    const int nq = m->nq, nl = m->ng;
    for (int k = 0; k < nl; k++) {
        for (int l = 0; l < m->nl; l++)
            m->e[l] = k == l;
        m->equations->reaction.quad(m->p, t, q, m->e, m->gradient + k * nq);
        memcpy(m->weighted + k * nq, m->gradient + k * nq, (size_t)nq * sizeof *m->weighted);
        divide_by_mass(m, m->weighted + k * nq);
    }
    for (int k = 0; k < nl; k++)
        for (int l = 0; l < nl; l++) {
            dae_quad sum = 0;
            for (int i = 0; i < nq; i++)
                sum += m->gradient[k * nq + i] * m->weighted[l * nq + i];
            m->schur[k * nl + l] = sum;
        }
}

/* S by the plan, which is made again where G has got another entry. */
static dae_status factor_planned(dae_quad_mechanics *m, dae_quad t, const dae_quad *q)
{
    for (;;) {
        const int lost = dae_schur_factor_quad(m->plan, m->equations, m->p, t, q, m->inverse_mass,
                                               m->gradient, m->schur, m->e);
        if (lost != DAE_SCHUR_GROWN)
            return lost < 0 ? DAE_OK : DAE_SINGULAR;
        const int grown = dae_schur_extend_quad(m->plan, m->equations, m->p, t, q);
        if (grown < 0 || (grown && !make_room(m)))
            return DAE_NO_MEMORY;
    }
}

/* lambda := S^-1 lambda, S at (t, q), M of which is factored */
static dae_status solve_schur(dae_quad_mechanics *m, dae_quad t, const dae_quad *q)
{
    if (!m->plan) {
        assemble_dense(m, t, q);
        const dae_status status = factor(m->ng, m->schur, m->pivot + m->nq);
        if (!status)
            solve(m->ng, m->schur, m->pivot + m->nq, m->lambda);
        return status;
    }
    const dae_status status = factor_planned(m, t, q);
    if (status)
        return status;
    dae_schur_solve_quad(m->plan, m->schur, m->lambda, m->e);
    return DAE_OK;
}

/* x := x - M^-1 G^T lambda; the largest change of an x_i */
static dae_quad subtract_reaction(dae_quad_mechanics *m, dae_quad *x)
{
    dae_quad largest = 0;
    if (m->plan) {
        for (int i = 0; i < m->nq; i++)
            m->b[i] = 0;
        dae_schur_add_quad(m->plan, m->gradient, m->inverse_mass, m->lambda, m->b);
        for (int i = 0; i < m->nq; i++) {
            x[i] += m->b[i];
            largest = dae_quad_fmax(largest, dae_quad_fabs(m->b[i]));
        }
        return largest;
    }
    for (int i = 0; i < m->nq; i++) {
        dae_quad sum = 0;
        for (int k = 0; k < m->ng; k++)
            sum += m->weighted[k * m->nq + i] * m->lambda[k];
        x[i] -= sum;
        largest = dae_quad_fmax(largest, dae_quad_fabs(sum));
    }
    return largest;
}

dae_status dae_quad_accelerate(dae_quad_mechanics *m, dae_quad t, const dae_quad *q,
                               const dae_quad *v, dae_quad *a)
{
    const dae_status constant = try_mass(m, t, q);
    if (constant)
        return constant;
    const dae_status factored = factor_mass(m, t, q);
    if (factored)
        return factored;
    m->equations->force.quad(m->p, t, q, v, a);
    divide_by_mass(m, a);
    if (m->nl == 0)
        return DAE_OK;
    m->equations->acceleration.quad(m->p, t, q, v, a, m->lambda);
    const dae_status status = solve_schur(m, t, q);
    if (status == DAE_OK)
        subtract_reaction(m, a);
    return status;
}

static dae_status move_positions(dae_quad_mechanics *m, dae_quad t, dae_quad *q)
{
    enum { MOST = 30 };
    for (int step = 0; m->ng > 0; step++) {
        dae_quad size = 0;
        for (int i = 0; i < m->nq; i++)
            size = dae_quad_fmax(size, dae_quad_fabs(q[i]));
        m->equations->constraint.quad(m->p, t, q, m->lambda);
        const dae_status factored = factor_mass(m, t, q);
        const dae_status status = factored ? factored : solve_schur(m, t, q);
        if (status != DAE_OK)
            return status;
        if (subtract_reaction(m, q) <= size * 1e-30)
            break;
        if (step == MOST)
            return DAE_INCONSISTENT;
    }
    return DAE_OK;
}

dae_status dae_quad_project_positions(dae_quad_mechanics *m, dae_quad t, dae_quad *q)
{
    take_rows(m, m->holonomic);
    const dae_status status = move_positions(m, t, q);
    take_rows(m, m->nl);
    return status;
}

dae_status dae_quad_project_velocities(dae_quad_mechanics *m, dae_quad t, const dae_quad *q,
                                       dae_quad *v)
{
    if (m->nl == 0)
        return DAE_OK;
    m->equations->rate.quad(m->p, t, q, v, m->lambda);
    const dae_status factored = factor_mass(m, t, q);
    const dae_status status = factored ? factored : solve_schur(m, t, q);
    if (status == DAE_OK)
        subtract_reaction(m, v);
    return status;
}

dae_status dae_quad_project(dae_quad_mechanics *m, dae_quad t, dae_quad *q, dae_quad *v)
{
    const dae_status status = dae_quad_project_positions(m, t, q);
    return status ? status : dae_quad_project_velocities(m, t, q, v);
}
