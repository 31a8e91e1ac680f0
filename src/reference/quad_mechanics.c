/* quad_mechanics.c - M a + G^T lambda = f, d2g/dt2 = 0 in quad precision
 *
 *   S = G M^-1 G^T,    S lambda = d2g/dt2 at a = M^-1 f,    a = M^-1 (f - G^T lambda)
 *
 * with the columns of G^T from the reaction to unit multipliers. S is positive definite where the
 * constraints are independent.
 */
#include "reference/quad_mechanics.h"

#include <stdlib.h>
#include <string.h>

/* Hand out the next count numbers of a block; counts only while the block is NULL. */
static dae_quad *take(dae_quad *block, size_t *used, int count)
{
    dae_quad *place = block ? block + *used : NULL;
    *used += (size_t)count;
    return place;
}

static size_t place(dae_quad_mechanics *m, dae_quad *block)
{
    size_t used = 0;
    m->inverse_mass = take(block, &used, m->nq);
    m->gradient = take(block, &used, m->nl * m->nq);
    m->schur = take(block, &used, m->nl * m->nl);
    m->lambda = take(block, &used, m->nl);
    m->e = take(block, &used, m->nl);
    m->a = take(block, &used, m->nq);
    m->b = take(block, &used, m->nq);
    return used;
}

int dae_quad_mechanics_create(dae_quad_mechanics *m, const dae_mechanical *equations,
                              const double *p)
{
    memset(m, 0, sizeof *m);
    m->equations = equations;
    m->p = p;
    m->nq = equations->nq;
    m->nl = equations->nl;
    m->memory = calloc(place(m, NULL) + 1, sizeof *m->memory);
    if (m->memory)
        place(m, m->memory);
    return m->memory != NULL;
}

void dae_quad_mechanics_free(dae_quad_mechanics *m)
{
    free(m->memory);
}

static void exchange(dae_quad *x, dae_quad *y)
{
    const dae_quad swap = *x;
    *x = *y;
    *y = swap;
}

static void eliminate(int n, int k, dae_quad *A, dae_quad *b)
{
    for (int i = k + 1; i < n; i++) {
        const dae_quad factor = A[i * n + k] / A[k * n + k];
        for (int j = k + 1; j < n; j++)
            A[i * n + j] -= factor * A[k * n + j];
        b[i] -= factor * b[k];
    }
}

/* b[n] := A^-1 b for A[n x n] row-major, overwritten; LU with partial pivoting. */
static dae_status solve(int n, dae_quad *A, dae_quad *b)
{
    dae_quad largest = 0;
    for (int i = 0; i < n * n; i++) {
        if (A[i] - A[i] != 0)
            return DAE_NOT_FINITE;
        largest = fmaxf128(largest, fabsf128(A[i]));
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabsf128(A[i * n + k]) > fabsf128(A[pivot * n + k]))
                pivot = i;
        if (!(fabsf128(A[pivot * n + k]) > largest * 1e-28))
            return DAE_SINGULAR;
        for (int j = k; j < n; j++)
            exchange(&A[k * n + j], &A[pivot * n + j]);
        exchange(&b[k], &b[pivot]);
        eliminate(n, k, A, b);
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
    return DAE_OK;
}

void dae_quad_set_mass(dae_quad_mechanics *m, dae_quad t, const dae_quad *q)
{
    for (int j = 0; j < m->nq; j++) {
        for (int i = 0; i < m->nq; i++)
            m->a[i] = i == j;
        m->equations->inertia.quad(m->p, t, q, m->a, m->b);
        m->inverse_mass[j] = 1 / m->b[j];
    }
}

/* gradient := rows of G, schur := G M^-1 G^T, at (t, q) */
static void assemble(dae_quad_mechanics *m, dae_quad t, const dae_quad *q)
{
    const int nq = m->nq, nl = m->nl;
    for (int k = 0; k < nl; k++) {
        for (int l = 0; l < nl; l++)
            m->e[l] = k == l;
        m->equations->reaction.quad(m->p, t, q, m->e, m->gradient + k * nq);
    }
    for (int k = 0; k < nl; k++)
        for (int l = 0; l < nl; l++) {
            dae_quad sum = 0;
            for (int i = 0; i < nq; i++)
                sum += m->gradient[k * nq + i] * m->inverse_mass[i] * m->gradient[l * nq + i];
            m->schur[k * nl + l] = sum;
        }
}

/* x := x - M^-1 G^T lambda; the largest change of an x_i */
static dae_quad subtract_reaction(dae_quad_mechanics *m, dae_quad *x)
{
    dae_quad largest = 0;
    for (int i = 0; i < m->nq; i++) {
        dae_quad sum = 0;
        for (int k = 0; k < m->nl; k++)
            sum += m->gradient[k * m->nq + i] * m->lambda[k];
        sum *= m->inverse_mass[i];
        x[i] -= sum;
        largest = fmaxf128(largest, fabsf128(sum));
    }
    return largest;
}

dae_status dae_quad_accelerate(dae_quad_mechanics *m, dae_quad t, const dae_quad *q,
                               const dae_quad *v, dae_quad *a)
{
    m->equations->force.quad(m->p, t, q, v, a);
    for (int i = 0; i < m->nq; i++)
        a[i] *= m->inverse_mass[i];
    if (m->nl == 0)
        return DAE_OK;
    assemble(m, t, q);
    m->equations->acceleration.quad(m->p, t, q, v, a, m->lambda);
    const dae_status status = solve(m->nl, m->schur, m->lambda);
    if (status == DAE_OK)
        subtract_reaction(m, a);
    return status;
}

dae_status dae_quad_project(dae_quad_mechanics *m, dae_quad t, dae_quad *q, dae_quad *v)
{
    enum { MOST = 30 };
    if (m->nl == 0)
        return DAE_OK;
    for (int step = 0;; step++) {
        dae_quad size = 0;
        for (int i = 0; i < m->nq; i++)
            size = fmaxf128(size, fabsf128(q[i]));
        assemble(m, t, q);
        m->equations->constraint.quad(m->p, t, q, m->lambda);
        const dae_status status = solve(m->nl, m->schur, m->lambda);
        if (status != DAE_OK)
            return status;
        if (subtract_reaction(m, q) <= size * 1e-30)
            break;
        if (step == MOST)
            return DAE_INCONSISTENT;
    }
    assemble(m, t, q);
    m->equations->rate.quad(m->p, t, q, v, m->lambda);
    const dae_status status = solve(m->nl, m->schur, m->lambda);
    if (status == DAE_OK)
        subtract_reaction(m, v);
    return status;
}
