/* state_mass.c - the kernel of M(t, u), whether it stays what it was, and M(t, u) E w = F */
#include "state_mass.h"

#include "base/numbers.h"
#include "system.h"
#include "base/parts.h"

#include <stdlib.h>
#include <string.h>

#define SCALAR double
#define SUFFIX(name) name##_double
#define MAGNITUDE(x) fabs(x)
#define OF f
#include "base/full_pivot.h"
#include "state_mass_kernel.h"
#undef SCALAR
#undef SUFFIX
#undef MAGNITUDE
#undef OF

#define SCALAR dae_quad
#define SUFFIX(name) name##_quad
#define MAGNITUDE(x) (double)dae_quad_fabs(x)
#define OF quad
#include "base/full_pivot.h"
#include "state_mass_kernel.h"
#undef SCALAR
#undef SUFFIX
#undef MAGNITUDE
#undef OF

static const double ROUNDING = 1e-12;           /* of the terms of a sum */

/* ---- M at the start ------------------------------------------------------------------------- */

static int is_diagonal(const dae_state_mass *m)
{
    for (int i = 0; i < m->n; i++)
        for (int j = 0; j < m->n; j++)
            if (i != j && m->M[i * m->n + j] != 0)
                return 0;
    return 1;
}

/* The diagonal of M where it has nothing else; 0 where it has, or is too large to be looked at. */
static int find_diagonal(dae_state_mass *m, const double *p, double t, const double *u)
{
    const int n = m->n;
    double *x = m->work, *Mx = x + n;
    uint64_t random = 19900101;
    if (n <= DAE_MANY_POSITIONS) {
        form_double(m, p, t, u, n, NULL, m->M);
        for (int i = 0; i < n; i++)
            m->sign[i] = m->M[i * n + i];
        return is_diagonal(m);
    }
    for (int i = 0; i < n; i++)
        x[i] = 1;
    m->mass->f(p, t, u, x, m->sign);
    for (int probe = 0; probe < 2; probe++) {
        for (int i = 0; i < n; i++)
            x[i] = dae_random_direction(&random) / (probe && m->sign[i] != 0 ? fabs(m->sign[i]) : 1);
        m->mass->f(p, t, u, x, Mx);
        for (int i = 0; i < n; i++)
            if (!(fabs(Mx[i] - m->sign[i] * x[i]) <= ROUNDING * fabs(Mx[i])))
                return 0;
    }
    return 1;
}

static void take_diagonal(dae_state_mass *m)
{
    for (int i = 0; i < m->n; i++) {
        if (m->sign[i] != 0)
            m->column[m->nx] = m->row[m->nx] = i, m->nx++;
        m->sign[i] = (m->sign[i] > 0) - (m->sign[i] < 0);
    }
}

/* -1 where the permutation is odd, else 1; it is sorted. */
static int parity(int n, int *order)
{
    int sign = 1;
    for (int i = 0; i < n; i++)
        for (; order[i] != i; sign = -sign)
            dae_swap_places(order, i, order[i]);
    return sign;
}

/* The sign of det M from its triangle. */
static double sign_of(const double *U, int n, int *row, int *column)
{
    double sign = 1;
    for (int k = 0; k < n; k++)
        sign *= copysign(1, U[row[k] * n + column[k]]);
    return sign * parity(n, row) * parity(n, column);
}

/* Row k of P has the pivot that comes k-th of all by its column. */
static void take_pivots(dae_state_mass *m, int rank)
{
    const int *row = m->order, *column = m->order + m->n;
    m->nx = rank;
    for (int k = 0; k < rank; k++) {
        int place = 0;
        for (int l = 0; l < rank; l++)
            place += column[l] < column[k];
        m->column[place] = column[k];
        m->row[place] = row[k];
    }
}

/* The pivots and P, in every pass. */
static int reduce(dae_state_mass *m, const double *p, const dae_quad *p_quad, double t, const double *u)
{
    const size_t n = (size_t)m->n;
    int *row = m->order, *column = row + n;
    form_double(m, p, t, u, m->n, NULL, m->M);
    const int rank = eliminate_double(m->n, m->n, m->M, NULL, NULL, m->work, m->n, row, column);
    take_pivots(m, rank);
    m->P = calloc((size_t)rank * n + 1, sizeof *m->P);
    if (!m->P)
        return 0;
    echelon_double(m, p, t, u, row, column, NULL, m->M, m->P);
    if (m->mass->quad) {
        dae_quad *at = calloc(n + 1, sizeof *at);
        m->P_quad = calloc((size_t)rank * n + 1, sizeof *m->P_quad);
        if (!at || !m->P_quad) {
            free(at);
            return 0;
        }
        for (size_t i = 0; i < n; i++)
            at[i] = u[i];
        echelon_quad(m, p_quad, t, at, row, column, m->P, m->quad, m->P_quad);
        free(at);
    }
    if (rank == m->n) {
        form_double(m, p, t, u, m->n, NULL, m->M);
        eliminate_double(m->n, m->n, m->M, NULL, NULL, m->work, m->n, row, column);
        m->sign[0] = sign_of(m->M, m->n, row, column);
    }
    return 1;
}

static void find_places(dae_state_mass *m)
{
    int free_row = 0, k = 0;
    for (int i = 0; i < m->n; i++) {
        while (k < m->nx && m->column[k] == free_row)
            k++, free_row++;
        m->place[i] = free_row++;
    }
}

static int allocate(dae_state_mass *m)
{
    const size_t n = (size_t)m->n, square = n <= DAE_MANY_POSITIONS ? n * n + n : 2 * n;
    return DAE_PARTS(m,
                     DAE_PART(dae_state_mass, sign, n), DAE_PART(dae_state_mass, work, 4 * n),
                     DAE_PART(dae_state_mass, M, square), DAE_PART(dae_state_mass, quad, m->mass->quad ? square : 0),
                     DAE_PART(dae_state_mass, column, n), DAE_PART(dae_state_mass, row, n),
                     DAE_PART(dae_state_mass, place, n), DAE_PART(dae_state_mass, order, 2 * n))
           != NULL;
}

dae_status dae_state_mass_create(dae_state_mass **out, const dae_problem *problem, const double *p,
                                 const dae_quad *p_quad, const double *u, dae_report *report)
{
    const double t = problem->t0;
    dae_state_mass *m = *out = calloc(1, sizeof *m);
    if (!m)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the mass matrix");
    m->mass = &problem->first_order.mass;
    m->n = problem->first_order.n;
    int good = allocate(m);
    if (good) {
        m->diagonal = m->n > DAE_SMALL_MASS && find_diagonal(m, p, t, u);
        if (m->diagonal)
            take_diagonal(m);
        else if (m->n > DAE_MANY_POSITIONS)
            return dae_fail(report, DAE_UNSUPPORTED, "%s: a mass matrix that varies and is not diagonal is "
                            "supported for up to %d unknowns, not %d", problem->name,
                            (int)DAE_MANY_POSITIONS, m->n);
        else
            good = reduce(m, p, p_quad, t, u);
    }
    if (!good)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the mass matrix of %d unknowns", m->n);
    find_places(m);
    return DAE_OK;
}

void dae_state_mass_free(dae_state_mass *m)
{
    if (!m)
        return;
    free(m->P);
    free(m->P_quad);
    free(m->sign);
    free(m);
}

/* ---- the system's mass matrix, and M E w = F ------------------------------------------------- */

void dae_state_mass_multiply(const dae_state_mass *m, const double *x, double *out)
{
    multiply_double(m, m->P, x, out);
}

void dae_state_mass_multiply_quad(const dae_state_mass *m, const dae_quad *x, dae_quad *out)
{
    multiply_quad(m, m->P_quad, x, out);
}

int dae_state_mass_solve(dae_state_mass *m, const double *p, double t, const double *u, double *F, double *w,
                         double *y, int *order)
{
    return solve_double(m, p, t, u, F, w, y, order, m->M);
}

int dae_state_mass_solve_quad(dae_state_mass *m, const dae_quad *p, dae_quad t, const dae_quad *u, dae_quad *F,
                              dae_quad *w)
{
    return solve_quad(m, p, t, u, F, w, NULL, NULL, m->quad);
}

/* 1 where solve chose equation i. */
static int is_chosen(const dae_state_mass *m, int i)
{
    int k = 0;
    while (k < m->nx && m->order[k] != i)
        k++;
    return k < m->nx;
}

int dae_state_mass_rest(const dae_state_mass *m, const double *F, double *out)
{
    int rows = 0;
    for (int i = 0, k = 0; i < m->n; i++) {
        if (m->diagonal ? k < m->nx && m->column[k] == i : is_chosen(m, i))
            k++;
        else
            out[rows++] = F[i];
    }
    return rows;
}

/* ---- derivatives with respect to parameters -------------------------------------------------- */

/* B [nx x n] := dM_R - (dM E)_R P from dR, dM_R; a pivot of P stays 1, and has 0 in its column. */
static void set_right_side(const dae_state_mass *m, const double *dR, double *B)
{
    const int n = m->n, nx = m->nx;
    for (int k = 0; k < nx; k++) {
        for (int j = 0; j < n; j++) {
            B[k * n + j] = dR[k * n + j];
            for (int l = 0; l < nx; l++)
                B[k * n + j] -= dR[k * n + m->column[l]] * m->P[l * n + j];
        }
        for (int l = 0; l < nx; l++)
            B[k * n + m->column[l]] = 0;
    }
}

/* dP [nx x n] from R, M_R [nx x n], and dR, dM_R. work: [2 nx x nx + nx] */
static void differentiate(dae_state_mass *m, const double *R, const double *dR, double *work, double *dP)
{
    const int n = m->n, nx = m->nx;
    double *A = work, *E = A + nx * nx, *b = E + nx * nx, *scale = m->work, *x = scale + 2 * n;
    int *row = m->order, *column = row + n;
    set_right_side(m, dR, dP);
    for (int k = 0; k < nx; k++)
        for (int l = 0; l < nx; l++) {
            A[k * nx + l] = R[k * n + m->column[l]];
            E[k * nx + l] = k == l;
        }
    eliminate_double(nx, nx, A, NULL, E, scale, nx, row, column);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < nx; k++) {
            b[k] = 0;
            for (int l = 0; l < nx; l++)
                b[k] += E[k * nx + l] * dP[l * n + j];
        }
        substitute_double(nx, A, b, scale + nx, row, column, x);
        for (int k = 0; k < nx; k++)
            dP[k * n + j] = x[k];
    }
}

/* The rows of M with pivots, and their derivatives. dual: [3 n] */
static void form_along(const dae_state_mass *m, const dae_dual *p, double t, const double *u, dae_dual *dual,
                       double *R, double *dR)
{
    const int n = m->n;
    dae_dual *x = dual, *e = x + n, *column = e + n;
    for (int i = 0; i < n; i++) {
        x[i] = u[i];
        e[i] = 0;
    }
    for (int j = 0; j < n; j++) {
        e[j] = 1;
        m->mass->tangent(p, dae_dual_make(t, 0), x, e, column);
        e[j] = 0;
        for (int k = 0; k < m->nx; k++) {
            R[k * n + j] = dae_dual_value(column[m->row[k]]);
            dR[k * n + j] = dae_dual_derivative(column[m->row[k]]);
        }
    }
}

static void multiply_along(const dae_state_mass *m, const double *dP, const dae_dual *y, dae_dual *out)
{
    for (int i = 0; i < m->n + m->nx; i++)
        out[i] = 0;
    for (int k = 0; k < m->nx; k++) {
        dae_dual sum = m->diagonal ? y[m->column[k]] : 0;
        for (int j = 0; !m->diagonal && j < m->n; j++)
            sum += dae_dual_make(m->P[k * m->n + j], dP[k * m->n + j]) * y[j];
        out[m->column[k]] = sum;
    }
}

dae_status dae_state_mass_along(dae_state_mass *m, const dae_dual *p, double t, const double *u,
                                const dae_dual *y, dae_dual *out, dae_report *report)
{
    const size_t n = (size_t)m->n, nx = (size_t)m->nx, rows = nx * n;
    if (m->diagonal) {
        multiply_along(m, NULL, y, out);
        return DAE_OK;
    }
    double *real = calloc(3 * rows + 2 * nx * nx + nx + 1, sizeof *real);
    dae_dual *dual = calloc(3 * n, sizeof *dual);
    if (real && dual) {
        form_along(m, p, t, u, dual, real, real + rows);
        differentiate(m, real, real + rows, real + 3 * rows, real + 2 * rows);
        multiply_along(m, real + 2 * rows, y, out);
    }
    const int made = real && dual;
    free(real);
    free(dual);
    return made ? DAE_OK : dae_fail(report, DAE_NO_MEMORY, "no memory for derivatives of %d unknowns", m->n);
}

/* ---- what has become of M -------------------------------------------------------------------- */

/* Entries that a diagonal M has not: two vectors tell what one diagonal does not explain. */
static dae_mass_change look_at_diagonal(dae_state_mass *m, const double *p, double t, const double *u, int *at)
{
    const int n = m->n;
    double *x = m->work, *Mx = x + n, *d = Mx + n;
    uint64_t random = 19900101;
    for (int i = 0; i < n; i++)
        x[i] = 1;
    m->mass->f(p, t, u, x, d);
    for (int i = 0; i < n; i++)
        x[i] = dae_random_direction(&random) / (d[i] != 0 ? fabs(d[i]) : 1);
    m->mass->f(p, t, u, x, Mx);
    for (int i = 0; i < n; i++) {
        *at = i;
        if (fabs(Mx[i] - d[i] * x[i]) > ROUNDING * fabs(Mx[i]))
            return DAE_MASS_LEAVES_DIAGONAL;
        if (m->sign[i] == 0 && d[i] != 0)
            return DAE_MASS_HAS_MORE;
        if (m->sign[i] * d[i] <= 0 && m->sign[i] != 0)
            return DAE_MASS_HAS_LESS;
    }
    return DAE_MASS_AS_IT_WAS;
}

/* The row of M in which a column that has no pivot is not what P makes of those that have one, or -1. */
static int row_that_sees_more(const dae_state_mass *m)
{
    const int n = m->n;
    for (int j = 0, next = 0; j < n; j++) {
        if (next < m->nx && m->column[next] == j) {
            next++;
            continue;
        }
        for (int i = 0; i < n; i++) {
            double left = m->M[i * n + j], size = fabs(left);
            for (int k = 0; k < m->nx; k++) {
                const double term = m->M[i * n + m->column[k]] * m->P[k * n + j];
                left -= term;
                size += fabs(term);
            }
            if (fabs(left) > ROUNDING * size)
                return i;
        }
    }
    return -1;
}

dae_mass_change dae_state_mass_look(dae_state_mass *m, const double *p, double t, const double *u, int *at)
{
    const int n = m->n, nx = m->nx;
    int *row = m->order, *column = row + n;
    if (m->diagonal)
        return look_at_diagonal(m, p, t, u, at);
    form_double(m, p, t, u, n, NULL, m->M);
    for (int i = 0; i < n * n; i++)
        if (!isfinite(m->M[i]))
            return DAE_MASS_AS_IT_WAS;                  /* F says where a state is outside the domain */
    *at = row_that_sees_more(m);
    if (*at >= 0)
        return DAE_MASS_HAS_MORE;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < nx; k++)
            m->M[i * nx + k] = m->M[i * n + m->column[k]];
    if (eliminate_double(n, nx, m->M, NULL, NULL, m->work, n, row, column) < nx)
        return DAE_MASS_HAS_LESS;
    return nx == n && sign_of(m->M, n, row, column) != m->sign[0] ? DAE_MASS_HAS_LESS : DAE_MASS_AS_IT_WAS;
}
