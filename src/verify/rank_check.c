/* rank_check.c - M x = M^T x > 0, and G of full rank, in quad or, where a model has none, in doubles
 *
 * M is factored as L D L^T, an elimination in any order being stable where it is definite; G, its rows and
 * columns scaled, by elimination with complete pivoting, beside it what makes each row of what is left: a
 * row that vanishes says which others it is a sum of. On the velocities that constraints allow, N with
 * G N = 0, it is N^T M N that has to be definite.
 */
#include "rank_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Positions, or constraints, of a dense matrix at most, and where it is not known to be needed. */
enum { MOST = 256, FEW = 64 };

/* A pivot of this part of its row is rounding: numbers of a model are doubles. */
static const dae_quad rounding = 1e-13;

/* ---- what a model multiplies by ----------------------------------------------------------- */

/* y[out] := what the map makes of x[in]; work[m + in + out] */
static void multiply(dae_subject *s, const dae_map2 *map, int in, int out, const dae_quad *x, dae_quad *y,
                     double *work)
{
    if (map->quad) {
        map->quad(s->p_quad, s->problem.t0, s->row, x, y);
        return;
    }
    for (int i = 0; i < s->m; i++)
        work[i] = (double)s->row[i];
    for (int i = 0; i < in; i++)
        work[s->m + i] = (double)x[i];
    memset(work + s->m + in, 0, (size_t)out * sizeof *work);
    map->f(s->p, s->problem.t0, work, work + s->m, work + s->m + in);
    for (int i = 0; i < out; i++)
        y[i] = work[s->m + in + i];
}

/* A[in x out] := row j what the map makes of unit vector j */
static void assemble(dae_subject *s, const dae_map2 *map, int in, int out, dae_quad *A, dae_quad *unit,
                     double *work)
{
    memset(unit, 0, (size_t)in * sizeof *unit);
    for (int j = 0; j < in; j++) {
        unit[j] = 1;
        multiply(s, map, in, out, unit, A + (size_t)j * (size_t)out, work);
        unit[j] = 0;
    }
}

/* ---- elimination -------------------------------------------------------------------------- */

/* The first i, from 0, at which L D L^T of A[n x n] finds no positive pivot, in *pivot; n: it is definite. */
static int indefinite_row(int n, dae_quad *A, dae_quad *pivot)
{
    for (int k = 0; k < n; k++) {
        const dae_quad before = A[k * n + k];
        dae_quad d = before;
        for (int j = 0; j < k; j++)
            d -= A[k * n + j] * A[k * n + j] * A[j * n + j];
        *pivot = d;
        if (!(d > rounding * dae_quad_fabs(before)))
            return k;
        A[k * n + k] = d;
        for (int i = k + 1; i < n; i++) {
            for (int j = 0; j < k; j++)
                A[i * n + k] -= A[i * n + j] * A[k * n + j] * A[j * n + j];
            A[i * n + k] /= d;
        }
    }
    return n;
}

/* Rows and columns of A[m x n] divided by their largest entries, twice. 0 where one is not finite. */
static int scale(int m, int n, dae_quad *A, dae_quad *columns)
{
    for (int pass = 0; pass < 2; pass++)
        for (int by_row = 1; by_row >= 0; by_row--)
            for (int i = 0; i < (by_row ? m : n); i++) {
                const int count = by_row ? n : m, step = by_row ? 1 : n;
                dae_quad *x = A + (by_row ? i * n : i), largest = 0;
                for (int j = 0; j < count; j++) {
                    if (x[j * step] - x[j * step] != 0)
                        return 0;
                    largest = dae_quad_fmax(largest, dae_quad_fabs(x[j * step]));
                }
                if (!by_row)
                    columns[i] *= largest > 0 ? largest : 1;
                for (int j = 0; j < count; j++)
                    x[j * step] /= largest > 0 ? largest : 1;
            }
    return 1;
}

typedef struct {
    int m, n, rank;
    dae_quad *A;                /* [m x n] rows in echelon form, the first rank of them */
    dae_quad *made;             /* [m x m] A = made times the matrix that was given */
    int *column;                /* [n] the first rank are those of the pivots */
} echelon;

static void exchange_rows(dae_quad *A, int n, int i, int k)
{
    for (int j = 0; j < n; j++) {
        const dae_quad swap = A[i * n + j];
        A[i * n + j] = A[k * n + j];
        A[k * n + j] = swap;
    }
}

/* Reduce to rows whose pivot columns hold a unit matrix. */
static void reduce(echelon *e)
{
    const int m = e->m, n = e->n;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            e->made[i * m + j] = i == j;
    for (int j = 0; j < n; j++)
        e->column[j] = j;
    for (e->rank = 0; e->rank < m && e->rank < n; e->rank++) {
        const int k = e->rank;
        int row = k, at = k;
        for (int i = k; i < m; i++)
            for (int j = k; j < n; j++)
                if (dae_quad_fabs(e->A[i * n + e->column[j]]) > dae_quad_fabs(e->A[row * n + e->column[at]])) {
                    row = i;
                    at = j;
                }
        const int pivot = e->column[at];
        if (!(dae_quad_fabs(e->A[row * n + pivot]) > rounding))
            return;
        exchange_rows(e->A, n, row, k);
        exchange_rows(e->made, m, row, k);
        e->column[at] = e->column[k];
        e->column[k] = pivot;
        const dae_quad d = e->A[k * n + pivot];
        for (int j = 0; j < n; j++)
            e->A[k * n + j] /= d;
        for (int j = 0; j < m; j++)
            e->made[k * m + j] /= d;
        for (int i = 0; i < m; i++) {
            const dae_quad factor = e->A[i * n + pivot];
            for (int j = 0; i != k && j < n; j++)
                e->A[i * n + j] -= factor * e->A[k * n + j];
            for (int j = 0; i != k && j < m; j++)
                e->made[i * m + j] -= factor * e->made[k * m + j];
        }
    }
}

/* ---- M ------------------------------------------------------------------------------------ */

/* C[n x m] := A B for row-major A[n x k], B[k x m] */
static void set_product(int n, int k, int m, const dae_quad *A, const dae_quad *B, dae_quad *C)
{
    memset(C, 0, (size_t)n * (size_t)m * sizeof *C);
    for (int i = 0; i < n; i++)
        for (int l = 0; l < k; l++)
            for (int j = 0; j < m; j++)
                C[i * m + j] += A[i * k + l] * B[l * m + j];
}

/* C[n x m] := A^T B for row-major A[k x n], B[k x m] */
static void set_transposed_product(int n, int k, int m, const dae_quad *A, const dae_quad *B, dae_quad *C)
{
    memset(C, 0, (size_t)n * (size_t)m * sizeof *C);
    for (int l = 0; l < k; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                C[i * m + j] += A[l * n + i] * B[l * m + j];
}

/* K := N^T M N is definite, columns of N[nq x free] those with G N = 0? M is kept. */
static int definite_where_free(const echelon *e, const dae_quad *M, const dae_quad *columns, dae_quad *N,
                               dae_quad *MN, dae_quad *K)
{
    const int nq = e->n, free_count = nq - e->rank;
    dae_quad pivot;
    for (int k = 0; k < free_count; k++) {
        for (int i = 0; i < nq; i++)
            N[i * free_count + k] = 0;
        N[e->column[e->rank + k] * free_count + k] = 1;
        for (int r = 0; r < e->rank; r++)
            N[e->column[r] * free_count + k] = -e->A[r * nq + e->column[e->rank + k]];
    }
    for (int i = 0; i < nq; i++)
        for (int k = 0; k < free_count; k++)
            N[i * free_count + k] /= columns[i];
    set_product(nq, nq, free_count, M, N, MN);
    set_transposed_product(free_count, nq, free_count, N, MN, K);
    return indefinite_row(free_count, K, &pivot) == free_count;
}

typedef struct {
    dae_quad *G, *made, *columns, *unit, *memory;
    double *work;
    int *column;
} workspace;

static int create(workspace *w, const dae_state_places *p, size_t more)
{
    const size_t nq = (size_t)p->nq, nl = (size_t)p->nl, most = nq > nl ? nq : nl;
    w->memory = calloc(nl * nq + nl * nl + 2 * most + nq + more, sizeof *w->memory);
    w->work = calloc(4 * nq + 2 * nl, sizeof *w->work);
    w->column = calloc(most + 1, sizeof *w->column);
    w->G = w->memory;
    w->made = w->G + nl * nq;
    w->columns = w->made + nl * nl;
    w->unit = w->columns + most;
    return w->memory && w->work && w->column;
}

static void destroy(workspace *w)
{
    free(w->memory);
    free(w->work);
    free(w->column);
}

/* G in echelon form; 0 where it has entries that are not finite. */
static int set_echelon(dae_subject *s, workspace *w, echelon *e)
{
    const int nq = s->places.nq, nl = s->places.nl;
    *e = (echelon){.m = nl, .n = nq, .A = w->G, .made = w->made, .column = w->column};
    assemble(s, &s->problem.mechanical.reaction, nl, nq, w->G, w->unit, w->work);
    for (int i = 0; i < nq; i++)
        w->columns[i] = 1;
    if (!scale(nl, nq, w->G, w->columns))
        return 0;
    reduce(e);
    return 1;
}

static void blame_mass(dae_subject *s, workspace *w, const dae_quad *M, int row, double pivot,
                       dae_quad *N, dae_quad *K)
{
    const int nq = s->places.nq;
    echelon e = {0};
    const int definite = s->places.nl && set_echelon(s, w, &e)
                         && definite_where_free(&e, M, w->columns, N, N + nq * nq, K);
    dae_subject_tell(s, 1, "inertia", row + 1, pivot, NAN, "%s, t = %.9g: inertia, row %d: M is not "
                     "positive definite, its pivot there is %.3g; on the velocities that the constraints "
                     "allow it is%s", s->name, s->problem.t0, row + 1, pivot,
                     definite ? ": give the coordinate that has no mass another one" : " not either");
}

/* Some number in 1 ... 2, another for each i. */
static double uneven(int i)
{
    return 1 + (unsigned)i * 40503u % 65521u / 65521.0;
}

/* M x of ones and of another x in doubles, for M diagonal; *row := 1 + the first that is not positive, or 0. */
static int is_diagonal(dae_subject *s, int *row)
{
    const int nq = s->places.nq;
    double *x = calloc(4 * (size_t)nq, sizeof *x), *d = x + nq, *y = d + nq, *q = y + nq;
    int diagonal = x != NULL && s->problem.mechanical.mass != DAE_MASS_VARIES;
    if (!diagonal) {
        free(x);
        return 0;
    }
    for (int i = 0; i < nq; i++)
        q[i] = (double)s->row[i];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < nq; i++)
            x[i] = k ? 1 : uneven(i);
        s->problem.mechanical.inertia.f(s->p, s->problem.t0, q, x, k ? d : y);
    }
    for (int i = nq - 1; i >= 0; i--) {
        const double off = y[i] - d[i] * uneven(i);
        diagonal &= fabs(off) <= 1e-12 * fabs(y[i]);
        *row = d[i] > 0 ? *row : i + 1;
    }
    free(x);
    return diagonal;
}

static void blame_diagonal(dae_subject *s, int row)
{
    dae_subject_tell(s, 1, "inertia", row + 1, NAN, NAN, "%s, t = %.9g: inertia, row %d: the mass of "
                     "coordinate %d is not positive", s->name, s->problem.t0, row + 1, row + 1);
}

dae_status dae_check_definite(dae_subject *s, dae_report *report)
{
    const int nq = s->places.nq;
    const size_t square = (size_t)nq * (size_t)nq;
    workspace w;
    dae_quad pivot = 0;
    int row = 0;
    if (nq == 0)
        return DAE_OK;
    if (is_diagonal(s, &row)) {
        if (row)
            blame_diagonal(s, row - 1);
        return DAE_OK;
    }
    if (nq > MOST)
        return DAE_OK;
    if (!create(&w, &s->places, 4 * square)) {
        destroy(&w);
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a mass matrix of %d", nq);
    }
    dae_quad *M = w.unit + (nq > s->places.nl ? nq : s->places.nl) + nq, *kept = M + square;
    assemble(s, &s->problem.mechanical.inertia, nq, nq, M, w.unit, w.work);
    memcpy(kept, M, square * sizeof *kept);
    row = indefinite_row(nq, M, &pivot);
    if (row < nq && pivot - pivot == 0)
        blame_mass(s, &w, kept, row, (double)pivot, kept + square, M);
    destroy(&w);
    return DAE_OK;
}

/* ---- G ------------------------------------------------------------------------------------ */

/* The rows that make up the first row that vanishes. */
static void blame_rows(dae_subject *s, const echelon *e)
{
    char rows[120] = "";
    size_t end = 0;
    int first = 0, others = 0;
    dae_quad largest = 0;
    const dae_quad *made = e->made + e->rank * e->m;
    for (int k = 0; k < e->m; k++)
        largest = dae_quad_fmax(largest, dae_quad_fabs(made[k]));
    for (int k = 0; k < e->m; k++)
        if (dae_quad_fabs(made[k]) > 1e-8 * largest) {
            first = first ? first : k + 1;
            others++;
            if (end < sizeof rows - 16)
                end += (size_t)snprintf(rows + end, sizeof rows - end, "%s%d", end ? ", " : "", k + 1);
        }
    dae_subject_tell(s, 1, "constraint", first, e->rank, e->m, "%s, t = %.9g: %s %s (in C from 0) %s at the start: %d "
                     "of %d are independent, and their multipliers are not determined", s->name,
                     s->problem.t0, others > 1 ? "constraints" : "constraint", rows, others > 1
                     ? "depend on each other" : "has no gradient", e->rank, e->m);
}

dae_status dae_check_independent(dae_subject *s, dae_report *report)
{
    workspace w;
    echelon e;
    const int few = s->places.nl <= FEW && s->places.nq <= MOST;
    if (s->places.nl == 0 || s->places.nl > MOST || s->places.nq > 4 * MOST || (s->consistent && !few))
        return DAE_OK;                      /* where there are many, accelerations have shown it */
    if (!create(&w, &s->places, 0)) {
        destroy(&w);
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the gradients of %d constraints",
                        s->places.nl);
    }
    if (set_echelon(s, &w, &e) && e.rank < s->places.nl)
        blame_rows(s, &e);
    destroy(&w);
    return DAE_OK;
}
