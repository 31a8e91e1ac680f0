/* rank_check.c - M x = M^T x > 0, and G of full rank, at the start; has det G changed its sign?
 *
 * M is factored as L D L^T, which is stable where it is definite. Rows of G that depend on each other, and the
 * velocities N that constraints allow, G N = 0, come from left null spaces, those of G and of G^T (small_dense.h); on N
 * it is N^T M N that has to be definite.
 */
#include "subject.h"

#include "base/small_dense.h"
#include "base/numbers.h"
#include "linear/dense_lu.h"

#include <stdio.h>
#include <stdlib.h>

/* Positions, or constraints, of a dense matrix at most, where it is not known to be needed, and of a determinant. */
enum { MOST = 256, FEW = 64 };

/* A pivot of this part of its row is rounding. */
static const double rounding_of_mass = 1e-13, rounding_of_gradients = 1e-12;

/* A[in x out] := row j what the map at (t0, q) makes of unit vector j; unit[in] is 0. */
static void assemble(const dae_subject *s, const dae_map2 *map, const double *q, int in, int out, double *unit,
                     double *A)
{
    memset(A, 0, (size_t)in * (size_t)out * sizeof *A);
    for (int j = 0; j < in; j++) {
        unit[j] = 1;
        map->f(s->p, s->problem.t0, q, unit, A + (size_t)j * (size_t)out);
        unit[j] = 0;
    }
}

/* Room for count doubles behind q[nq], the positions of the start, and unit[nq + nl] of zeros; NULL: no memory. */
static double *make_room(dae_subject *s, size_t count, double **unit)
{
    const size_t nq = (size_t)s->places.nq;
    double *q = calloc(2 * nq + (size_t)s->places.nl + count + 1, sizeof *q);
    if (!q)
        s->found.status = DAE_NO_MEMORY;
    for (size_t i = 0; q && i < nq; i++)
        q[i] = (double)s->row[i];
    *unit = q + nq;
    return q;
}

/* ---- M ------------------------------------------------------------------------------------ */

/* The first i, from 0, at which L D L^T of A[n x n] finds no positive pivot, which L has there; n: it is definite. */
static int indefinite_row(int n, const double *A, double *L)
{
    int i = 0;
    memcpy(L, A, (size_t)n * (size_t)n * sizeof *L);
    const int failed = dae_small_factor(n, L), end = failed < 0 ? n : failed;
    while (i < end && L[i * n + i] > rounding_of_mass * fabs(A[i * n + i]))
        i++;
    return i;
}

/* C[n x m] := A B^T for row-major A[n x k], B[m x k] */
static void set_product(int n, int k, int m, const double *A, const double *B, double *C)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += A[i * k + l] * B[j * k + l];
            C[i * m + j] = sum;
        }
}

/* N^T M N is definite, columns of N those with G N = 0? work: [nq (nl + 4 nq + 1)] */
static int definite_where_free(const dae_subject *s, const double *q, const double *M, double *unit, double *work)
{
    const int nq = s->places.nq, nl = s->places.nl;
    double *G = work, *N = G + nq * nl, *MN = N + nq * nq, *K = MN + nq * nq, *E = K + nq * nq;
    assemble(s, &s->problem.mechanical.reaction, q, nl, nq, unit, G);
    for (int k = 0; k < nl; k++)
        for (int i = 0; i < nq; i++)
            E[i * nl + k] = G[k * nq + i];
    memcpy(G, E, (size_t)(nq * nl) * sizeof *G);
    if (!dae_vector_finite(nq * nl, G))
        return 0;
    const int count = dae_left_null_space(nq, nl, G, rounding_of_gradients, N, E);
    set_product(count, nq, nq, N, M, MN);
    set_product(count, nq, count, MN, N, K);
    return indefinite_row(count, K, MN) == count;
}

void dae_check_definite(dae_subject *s)
{
    const int nq = s->places.nq, nl = s->places.nl;
    if (nq == 0 || nq > MOST)
        return;                             /* of more the system says whether a diagonal one is positive */
    double *unit, *q = make_room(s, (size_t)nq * (size_t)(6 * (nq + nl) + 2), &unit);
    if (!q)
        return;
    double *M = unit + nq + nl, *L = M + nq * nq;
    assemble(s, &s->problem.mechanical.inertia, q, nq, nq, unit, M);
    const int row = indefinite_row(nq, M, L);
    const double pivot = row < nq ? L[row * nq + row] : NAN;
    if (isfinite(pivot))
        dae_tell(&s->found, 1, 0, "inertia", row + 1, pivot, NAN, "%s, t = %.9g: inertia, row %d: M is not positive "
                 "definite, its pivot there is %.3g; on the velocities that the constraints allow it is%s", s->name,
                 s->problem.t0, row + 1, pivot, nl && definite_where_free(s, q, M, unit, L)
                 ? ": give the coordinate that has no mass another one" : " not either");
    free(q);
}

/* ---- G ------------------------------------------------------------------------------------ */

int dae_rank_name_rows(int n, const double *z, const int *place, char *text, size_t length, int *first)
{
    int count = 0;
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < n; k++) {
        if (z[place ? place[k] : k] == 0)
            continue;
        *first = count++ ? *first : k + 1;
        if (used + 16 < length)
            used += (size_t)snprintf(text + used, length - used, "%s%d", used ? ", " : "", k + 1);
    }
    return count;
}

void dae_check_independent(dae_subject *s)
{
    const int nl = s->places.nl, nq = s->places.nq, few = nl <= FEW && nq <= MOST;
    if (nl == 0 || nl > MOST || nq > 4 * MOST || (s->consistent && !few))
        return;                             /* where there are many, accelerations have shown it */
    char rows[120];
    int first = 0, count = 0;
    double *unit, *q = make_room(s, (size_t)nl * (size_t)(nq + 2 * nl + 1), &unit);
    if (!q)
        return;
    double *G = unit + nq + nl, *z = G + nl * nq;
    assemble(s, &s->problem.mechanical.reaction, q, nl, nq, unit, G);
    if (dae_vector_finite(nl * nq, G))
        count = dae_left_null_space(nl, nq, G, rounding_of_gradients, z, z + nl * nl);
    const int others = count ? dae_rank_name_rows(nl, z, NULL, rows, sizeof rows, &first) : 0;
    if (count)
        dae_tell(&s->found, 1, 0, "constraint", first, nl - count, nl, "%s, t = %.9g: %s %s (in C from 0) %s at the "
                 "start: %d of %d are independent, and their multipliers are not determined", s->name, s->problem.t0,
                 others > 1 ? "constraints" : "constraint", rows, others > 1 ? "depend on each other"
                 : "has no gradient", nl - count, nl);
    free(q);
}

/* det A < 0 of A[n x n], n <= FEW, which is destroyed; work: [2 n] */
static int has_negative_determinant(int n, double *A, double *work)
{
    int pivot[FEW], negative = 0;
    for (int i = 0; i < n; i++)
        work[i] = 1;
    if (dae_dense_factor_real(n, A, work, work + n, pivot) >= 0)
        return 0;
    for (int k = 0; k < n; k++)
        negative ^= (pivot[k] != k) ^ (A[k * n + k] < 0);
    return negative;
}

int dae_assembly_differs(const dae_subject *s, const double *from, const double *to)
{
    const int nq = s->places.nq, nl = s->places.holonomic, most = nq > s->places.nl ? nq : s->places.nl;
    if (nl == 0 || nl > FEW)
        return 0;
    double *G = calloc((size_t)(2 * nl * nq + nl * (nl + 2) + most + nq), sizeof *G);
    if (!G)
        return 0;
    double *H = G + nl * nq, *A = H + nl * nq, *work = A + nl * nl, *unit = work + 2 * nl, *Ma = unit + most;
    assemble(s, &s->problem.mechanical.reaction, from, nl, nq, unit, G);
    assemble(s, &s->problem.mechanical.reaction, to, nl, nq, unit, H);
    for (int i = 0; i < nq; i++) {
        unit[i] = 1;
        s->problem.mechanical.inertia.f(s->p, s->problem.t0, from, unit, Ma);
        unit[i] = 0;
        for (int k = 0; k < nl; k++)
            G[k * nq + i] *= Ma[i] > 0 ? 1 / Ma[i] : 0;
    }
    set_product(nl, nq, nl, G, H, A);
    const int differs = has_negative_determinant(nl, A, work);
    free(G);
    return differs;
}
