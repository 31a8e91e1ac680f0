/* quad_mechanics.c - M a + G^T lambda = f, d2g/dt2 = 0 in quad precision
 *
 *   S = G M^-1 G^T,    S lambda = d2g/dt2 at a = M^-1 f,    a = M^-1 (f - G^T lambda)
 *
 * with the columns of G^T from the reaction to unit multipliers. S is positive definite where the
 * constraints are independent. A solution by S has an error of cond(S) = cond(G M^-1/2)^2 roundings; what is
 * left of d2g/dt2 then is solved for once more, which leaves cond(G M^-1/2) of them: Bjorck (1987), Linear
 * Algebra Appl. 88/89, 31-48.
 */
#include "quad_mechanics.h"

#include "base/numbers.h"
#include "base/parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SCALAR dae_quad
#define SUFFIX(name) name##_quad
#define MAGNITUDE(x) dae_quad_fabs(x)
#include "base/lu.h"

static int allocate(dae_quad_mechanics *m)
{
    const size_t nq = (size_t)m->nq, nl = (size_t)m->nl, dense = m->plan ? 0 : nl, full = m->general_mass ? nq : 0;
    m->memory = DAE_PARTS(m,
                          DAE_PART(dae_quad_mechanics, inverse_mass, nq), DAE_PART(dae_quad_mechanics, try, nq),
                          DAE_PART(dae_quad_mechanics, gradient, dense * nq),
                          DAE_PART(dae_quad_mechanics, schur, dense * nl),
                          DAE_PART(dae_quad_mechanics, factored, full * nq),
                          DAE_PART(dae_quad_mechanics, mass_scale, full),
                          DAE_PART(dae_quad_mechanics, schur_scale, dense),
                          DAE_PART(dae_quad_mechanics, weighted, dense * nq),
                          DAE_PART(dae_quad_mechanics, lambda, nl), DAE_PART(dae_quad_mechanics, rest, nl),
                          DAE_PART(dae_quad_mechanics, e, nl + 2 * nq), DAE_PART(dae_quad_mechanics, a, nq),
                          DAE_PART(dae_quad_mechanics, b, nq), DAE_PART(dae_quad_mechanics, pivot, nq + nl));
    if (m->plan)
        m->gradient = m->schur = NULL;                  /* the plan brings its own */
    return m->memory != NULL;
}

/* G and S of the first ng constraints: their plan and what it has take the place of the other. */
static void take_rows(dae_quad_mechanics *m, int ng)
{
    if (m->ng == ng)
        return;
    m->ng = ng;
    if (!m->plan)
        return;
    const dae_quad_mechanics was = *m;
    m->own = was.own_aside;
    m->gradient = was.gradient_aside;
    m->schur = was.schur_aside;
    m->own_aside = was.own;
    m->gradient_aside = was.gradient;
    m->schur_aside = was.schur;
}

static int create_plan(dae_quad_mechanics *m, const dae_system *sys)
{
    return !dae_schur_plan_create(m->plan, m->equations, sys->p, m->nq, m->ng, m->nl, sys->problem->t0,
                                  sys->start, NULL)
           && dae_schur_make_room_quad(m->plan, &m->gradient, &m->schur);
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
    if (!allocate(m))
        return 0;
    return !m->plan || create_plans(m, sys);
}

void dae_quad_mechanics_free(dae_quad_mechanics *m)
{
    if (m->plan) {
        dae_schur_plan_free(&m->own);
        dae_schur_plan_free(&m->own_aside);
        free(m->gradient);
        free(m->gradient_aside);
    }
    free(m->memory);
}

/* A := D A D of a symmetric A[n x n], its diagonal near 1 by powers of two D[n]: units are no part of what is
 * singular. */
static dae_status scale(int n, dae_quad *A, dae_quad *D)
{
    for (int i = 0; i < n; i++) {
        dae_quad largest = dae_quad_fabs(A[i * n + i]);
        for (int j = 0; j < n; j++) {
            if (A[i * n + j] - A[i * n + j] != 0)
                return DAE_NOT_FINITE;
            if (A[i * n + i] == 0)
                largest = dae_quad_fmax(largest, dae_quad_fabs(A[i * n + j]));
        }
        if (!(largest > 0))
            return DAE_SINGULAR;
        D[i] = ldexpl(1, -ilogbl((long double)largest) / 2);
    }
    for (int i = 0; i < n * n; i++)
        A[i] *= D[i / n] * D[i % n];
    return DAE_OK;
}

/* A[n x n], row-major and symmetric, := L and U of P D A D = L U, pivot[n] the rows exchanged */
static dae_status factor(int n, dae_quad *A, dae_quad *D, int *pivot)
{
    const dae_quad rounding = 1e-28;
    const dae_status scaled = scale(n, A, D);
    return scaled ? scaled : lu_factor_quad(n, A, pivot, rounding) ? DAE_OK : DAE_SINGULAR;
}

/* b[n] := A^-1 b with what factor has made of A */
static void solve(int n, const dae_quad *A, const dae_quad *D, const int *pivot, dae_quad *b)
{
    for (int k = 0; k < n; k++)
        b[k] *= D[k];
    lu_solve_quad(n, A, pivot, b);
    for (int k = 0; k < n; k++)
        b[k] *= D[k];
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
    return factor(nq, m->factored, m->mass_scale, m->pivot);
}

/* x := M^-1 x, M of the latest factor_mass */
static void divide_by_mass(const dae_quad_mechanics *m, dae_quad *x)
{
    if (m->general_mass) {
        solve(m->nq, m->factored, m->mass_scale, m->pivot, x);
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

/* S at (t, q), M of which is factored */
static dae_status factor_schur(dae_quad_mechanics *m, dae_quad t, const dae_quad *q)
{
    if (m->plan) {
        const int lost = dae_schur_renew_quad(m->plan, m->equations, m->p, t, q, m->inverse_mass, &m->gradient,
                                              &m->schur, m->e);
        return lost == DAE_SCHUR_GROWN ? DAE_NO_MEMORY : lost < 0 ? DAE_OK : DAE_SINGULAR;
    }
    assemble_dense(m, t, q);
    return factor(m->ng, m->schur, m->schur_scale, m->pivot + m->nq);
}

/* x[nl] := S^-1 x */
static void divide_by_schur(dae_quad_mechanics *m, dae_quad *x)
{
    if (m->plan)
        dae_schur_solve_quad(m->plan, m->schur, x, m->e);
    else
        solve(m->ng, m->schur, m->schur_scale, m->pivot + m->nq, x);
}

/* lambda := S^-1 lambda */
static dae_status solve_schur(dae_quad_mechanics *m, dae_quad t, const dae_quad *q)
{
    const dae_status status = factor_schur(m, t, q);
    if (status == DAE_OK)
        divide_by_schur(m, m->lambda);
    return status;
}

/* b := -M^-1 G^T y,  x := x + b */
static void subtract_reaction(dae_quad_mechanics *m, const dae_quad *y, dae_quad *x)
{
    for (int i = 0; i < m->nq; i++)
        m->b[i] = 0;
    if (m->plan)
        dae_schur_add_quad(m->plan, m->gradient, m->inverse_mass, y, m->b);
    for (int i = 0; i < m->nq; i++) {
        for (int k = 0; !m->plan && k < m->ng; k++)
            m->b[i] -= m->weighted[k * m->nq + i] * y[k];
        x[i] += m->b[i];
    }
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
    if (status)
        return status;
    subtract_reaction(m, m->lambda, a);
    m->equations->acceleration.quad(m->p, t, q, v, a, m->rest);
    divide_by_schur(m, m->rest);
    subtract_reaction(m, m->rest, a);
    for (int k = 0; k < m->nl; k++)
        m->lambda[k] += m->rest[k];
    return DAE_OK;
}

/* Does a change b of q still count, or fall? before[nq] := b; far: by more than what may be rounding */
static int goes_on(const dae_quad_mechanics *m, const dae_quad *q, dae_quad *before, int *far)
{
    const dae_quad enough = 1e-30, small = 1e-15;
    dae_quad size = 0, change = 0;
    int falls = 0;
    for (int i = 0; i < m->nq; i++) {
        const dae_quad by = dae_quad_fabs(m->b[i]);
        falls |= by > enough * dae_quad_fabs(q[i]) && (before[i] < 0 || by < before[i] / 4);
        before[i] = by;
        size = dae_quad_fmax(size, dae_quad_fabs(q[i]));
        change = dae_quad_fmax(change, by);
    }
    *far = !(change <= size * small);
    return falls || *far;
}

/* Newton's method, until no position moves by more than rounding, or by less than the time before. */
static dae_status move_positions(dae_quad_mechanics *m, dae_quad t, dae_quad *q)
{
    enum { MOST = 30 };
    int far = 0, moves = m->ng > 0;
    for (int i = 0; i < m->nq; i++)
        m->a[i] = -1;
    for (int step = 0; moves && step < MOST; step++) {
        m->equations->constraint.quad(m->p, t, q, m->lambda);
        const dae_status factored = factor_mass(m, t, q);
        const dae_status status = factored ? factored : solve_schur(m, t, q);
        if (status != DAE_OK)
            return status;
        subtract_reaction(m, m->lambda, q);
        moves = goes_on(m, q, m->a, &far);
    }
    return far ? DAE_INCONSISTENT : DAE_OK;
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
    if (status)
        return status;
    subtract_reaction(m, m->lambda, v);
    m->equations->rate.quad(m->p, t, q, v, m->lambda);
    divide_by_schur(m, m->lambda);
    subtract_reaction(m, m->lambda, v);
    return DAE_OK;
}

dae_status dae_quad_project(dae_quad_mechanics *m, dae_quad t, dae_quad *q, dae_quad *v)
{
    const dae_status status = dae_quad_project_positions(m, t, q);
    return status ? status : dae_quad_project_velocities(m, t, q, v);
}
