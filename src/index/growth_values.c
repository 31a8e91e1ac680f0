/* growth_values.c - growth of the rows of (M - h J)^-1 from the values of M and J
 *
 * A = M - h J = diag(h^p) B diag(h^q) with the potentials of the least matching. Where B(0) is
 * regular, A^-1 = diag(h^-q) B^-1 diag(h^-p), and X = B^-1 = X_0 + h X_1 + ... follows from the
 * coefficients of B: entry (j, i) of A^-1 is of order m - q_j - p_i where X_m is the first with an
 * entry there. Where B(0) is singular, z^T B(0) = 0, entries cancel: the row k of the largest p_k
 * in z is replaced by the sum of z_i h^(p_k - p_i) times the rows, which loses its leading terms
 * and leaves the growth of the inverse's rows as it is; A becomes a matrix of polynomials, and a
 * new matching is found (combinatorial relaxation).
 *
 * Each decision, that a sum cancels, that a pivot or an entry of X vanishes, is made against the
 * terms of that sum, so that neither the units of unknowns and equations nor that of h matter.
 *
 * Murota (1995), SIAM J. Comput. 24, 1-29; Iwata (2003), SIAM J. Comput. 32, 1245-1258.
 */
#include "growth.h"
#include "base/small_dense.h"
#include "base/numbers.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POWERS = DAE_GROWTHS, MOST_ROUNDS = 40, FAR = 1000, WITHOUT_MEMORY = -2 };
static const double CANCELLED = 1e-11;      /* a sum, against its terms */
static const double VANISHED = 1e-8;        /* an entry of X, against |X_0| |B| |X| */

typedef struct {
    int n;
    double *a;                  /* [POWERS][n x n] row-major: coefficients of h^0, h^1, ... */
    double *rows;               /* [POWERS][n] one combination of rows, and the sums of its sizes */
    double *sizes;
    double *B, *z, *work;       /* [n x n], [n x n], [n x n + n] */
    double *row_scale, *column_scale;   /* [n] */
    int *order, *column, *start;        /* [n x n], [n x n], [n + 1] */
    int *way;                   /* [n x n] least length of an alternating way from a row to a row */
    double *leading;            /* [POWERS][n x n] what grows; or NULL */
} growth;

static double *entry(const growth *g, int power, int i, int j)
{
    return &g->a[((size_t)power * (size_t)g->n + (size_t)i) * (size_t)g->n + (size_t)j];
}

static int allocate(growth *g, int n)
{
    const size_t size = (size_t)n, square = size * size;
    *g = (growth){.n = n};
    return DAE_PARTS(g,
                     DAE_PART(growth, a, POWERS * square), DAE_PART(growth, B, square), DAE_PART(growth, z, square),
                     DAE_PART(growth, work, square + size), DAE_PART(growth, rows, POWERS * size),
                     DAE_PART(growth, sizes, POWERS * size), DAE_PART(growth, row_scale, size),
                     DAE_PART(growth, column_scale, size), DAE_PART(growth, order, square),
                     DAE_PART(growth, column, square), DAE_PART(growth, way, square),
                     DAE_PART(growth, start, size + 1))
           != NULL;
}

static void release(growth *g) { free(g->a); }

/* The order of each entry, in rows. */
static void list_orders(growth *g, dae_orders *o)
{
    const int n = g->n;
    int count = 0;
    for (int i = 0; i < n; i++) {
        g->start[i] = count;
        for (int j = 0; j < n; j++) {
            int power = 0;
            while (power < POWERS && *entry(g, power, i, j) == 0)
                power++;
            if (power == POWERS)
                continue;
            g->column[count] = j;
            g->order[count++] = power;
        }
    }
    g->start[n] = count;
    *o = (dae_orders){.n = n, .row = g->start, .column = g->column, .order = g->order};
}

/* Coefficient number m of B at (i, j) */
static double scaled(const growth *g, const dae_matching *M, int m, int i, int j)
{
    const int power = M->p[i] + M->q[j] + m;
    return power >= 0 && power < POWERS ? *entry(g, power, i, j) : 0;
}

/* B(0) in units of its rows and columns in which matched entries are from 1 to 2, and all others
 * below 2: those of the largest product of n entries, as in Duff, Koster (2001), SIAM J. Matrix
 * Anal. Appl. 22, 973-996. 1, or -1 without memory. */
static int equilibrate(growth *g, const dae_matching *M)
{
    const int n = g->n;
    int count = 0;
    dae_matching units;
    for (int i = 0; i < n; i++) {
        g->start[i] = count;
        for (int j = 0; j < n; j++) {
            const double x = scaled(g, M, 0, i, j);
            g->B[i * n + j] = x;
            if (x == 0)
                continue;
            g->column[count] = j;
            g->order[count++] = -ilogb(x);
        }
    }
    g->start[n] = count;
    const dae_orders sizes = {.n = n, .row = g->start, .column = g->column, .order = g->order};
    const int found = dae_match(&sizes, &units);
    if (found <= 0)
        return -1;                                      /* there is a matching: M is one */
    for (int i = 0; i < n; i++) {
        g->row_scale[i] = ldexp(1, units.p[i]);
        g->column_scale[i] = ldexp(1, units.q[i]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            g->B[i * n + j] = ldexp(g->B[i * n + j], units.p[i] + units.q[j]);
    dae_matching_free(&units);
    return 1;
}

/* The row of z with the largest potential, of these the largest entry. */
static int choose_row(const growth *g, const dae_matching *M, const double *z)
{
    int best = -1;
    for (int i = 0; i < g->n; i++)
        if (z[i] != 0 && (best < 0 || M->p[i] > M->p[best]
                          || (M->p[i] == M->p[best] && fabs(z[i]) > fabs(z[best]))))
            best = i;
    return best;
}

/* Row k of A := sum over i of z_i h^(p_k - p_i) row i, its leading terms 0; 0 where the powers
 * overflow. z is of the equilibrated rows. */
static int combine(growth *g, const dae_matching *M, const double *z, int k)
{
    const int n = g->n;
    memset(g->rows, 0, 2 * POWERS * (size_t)n * sizeof *g->rows);       /* and sizes */
    for (int i = 0; i < n; i++) {
        const double factor = z[i] * g->row_scale[i] / g->row_scale[k];
        const int shift = M->p[k] - M->p[i];
        for (int power = 0; factor != 0 && power < POWERS; power++)
            for (int j = 0; j < n; j++) {
                const double x = factor * *entry(g, power, i, j);
                if (x != 0 && power + shift >= POWERS)
                    return 0;
                if (x == 0)
                    continue;
                g->rows[(power + shift) * n + j] += x;
                g->sizes[(power + shift) * n + j] += fabs(x);
            }
    }
    for (int power = 0; power < POWERS; power++)
        for (int j = 0; j < n; j++) {
            const double x = g->rows[power * n + j];
            const int leads = power <= M->p[k] + M->q[j];
            const int gone = leads || fabs(x) <= CANCELLED * g->sizes[power * n + j];
            *entry(g, power, k, j) = gone ? 0 : x;
        }
    return 1;
}

/* Take z_k out of the other null vectors. */
static void clear_row(const growth *g, int count, int l, int k)
{
    const int n = g->n;
    const double *z = g->z + l * n;
    for (int m = l + 1; m < count; m++) {
        double *other = g->z + m * n;
        const double factor = other[k] / z[k];
        for (int i = 0; factor != 0 && i < n; i++) {
            const double x = factor * z[i], sum = other[i] - x;
            other[i] = fabs(sum) <= CANCELLED * (fabs(other[i]) + fabs(x)) ? 0 : sum;
        }
        other[k] = 0;
    }
}

/* Rows that cancel at leading order are replaced: how many, -1 where it cannot be done, -2 without
 * memory. All sums are of old rows: one that was replaced is in no null vector that follows. */
static int relax(growth *g, const dae_matching *M)
{
    if (equilibrate(g, M) < 0)
        return WITHOUT_MEMORY;
    const int count = dae_null_space(g->n, g->B, g->z, g->work);
    for (int l = 0; l < count; l++) {
        const double *z = g->z + l * g->n;
        const int k = choose_row(g, M, z);
        if (k < 0)
            return -1;
        clear_row(g, count, l, k);
        if (!combine(g, M, z, k))
            return -1;
    }
    return count;
}

/* X := A B, |X| := |A| |B| for sizes */
static void multiply(int n, const double *A, const double *B, double *X, int sizes)
{
    memset(X, 0, (size_t)n * (size_t)n * sizeof *X);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double a = sizes ? fabs(A[i * n + k]) : A[i * n + k];
            for (int j = 0; a != 0 && j < n; j++)
                X[i * n + j] += a * (sizes ? fabs(B[k * n + j]) : B[k * n + j]);
        }
}

/* The coefficients of X = B^-1, and sizes to compare them with; k_j from their entries. */
typedef struct {
    int n, count;
    double *X, *Y;              /* [count][n x n] of X, and the sizes of their terms */
    double *B, *work, *sum;     /* [n x n] each */
} series;

static void coefficient(const growth *g, const dae_matching *M, int m, double *B)
{
    const int n = g->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i * n + j] = scaled(g, M, m, i, j) * g->row_scale[i] * g->column_scale[j];
}

/* X_m = -X_0 sum over l of B_l X_(m-l); Y_m the same of sizes, Y_0 = |X_0| |B_0| |X_0|. */
static void expand(const growth *g, const dae_matching *M, series *s)
{
    const int n = s->n;
    const size_t square = (size_t)n * (size_t)n;
    coefficient(g, M, 0, s->B);
    multiply(n, s->B, s->X, s->work, 1);
    multiply(n, s->X, s->work, s->Y, 1);
    for (int m = 1; m < s->count; m++) {
        double *X = s->X + (size_t)m * square, *Y = s->Y + (size_t)m * square;
        for (int sizes = 0; sizes < 2; sizes++) {
            memset(s->sum, 0, square * sizeof *s->sum);
            for (int l = 1; l <= m; l++) {
                coefficient(g, M, l, s->B);
                multiply(n, s->B, (sizes ? s->Y : s->X) + (size_t)(m - l) * square, s->work, sizes);
                for (size_t e = 0; e < square; e++)
                    s->sum[e] -= s->work[e];
            }
            multiply(n, s->X, s->sum, sizes ? Y : X, sizes);
        }
    }
}

/* Below the power of the shortest way an entry of X is zero, whatever the values. */
static void find_ways(growth *g, const dae_orders *o, const dae_matching *M)
{
    const int n = g->n;
    for (int e = 0; e < n * n; e++)
        g->way[e] = e % (n + 1) ? FAR : 0;
    for (int i = 0; i < n; i++)
        for (int k = o->row[i]; k < o->row[i + 1]; k++) {
            const int j = o->column[k], length = o->order[k] - M->p[i] - M->q[j];
            int *way = &g->way[i * n + M->row_of[j]];
            *way = length < *way ? length : *way;
        }
    for (int via = 0; via < n; via++)
        for (int i = 0; i < n; i++)
            for (int l = 0; g->way[i * n + via] < FAR && l < n; l++) {
                const int length = g->way[i * n + via] + g->way[via * n + l];
                if (length < g->way[i * n + l])
                    g->way[i * n + l] = length;
            }
}

/* Coefficient m of entry (j, i) counts, unless it vanishes: the power of 1/h with which it grows, or 0. */
static int power_of(const growth *g, const dae_matching *M, const series *s, int m, int j, int i)
{
    const int n = s->n, power = M->q[j] + M->p[i] - m;
    const size_t e = ((size_t)m * (size_t)n + (size_t)j) * (size_t)n + (size_t)i;
    if (power <= 0 || m < g->way[M->row_of[j] * n + i] || !(fabs(s->X[e]) > VANISHED * s->Y[e]))
        return 0;
    if (g->leading)
        g->leading[((power - 1) * n + j) * n + i] = g->column_scale[j] * s->X[e];
    return power;
}

static void read_growth(const growth *g, const dae_matching *M, const series *s, int *k)
{
    const int n = s->n;
    for (int j = 0; j < n; j++) {
        k[j] = 0;
        for (int m = 0; m < s->count; m++)
            for (int i = 0; i < n; i++) {
                const int power = power_of(g, M, s, m, j, i);
                k[j] = power > k[j] ? power : k[j];
            }
    }
}

/* B(0) is regular, and equilibrated its scales are known. */
static int measure(growth *g, const dae_matching *M, int *k)
{
    const size_t square = (size_t)g->n * (size_t)g->n;
    int most = 0, largest_q = M->q[0], largest_p = M->p[0];
    for (int i = 0; i < g->n; i++) {
        largest_q = M->q[i] > largest_q ? M->q[i] : largest_q;
        largest_p = M->p[i] > largest_p ? M->p[i] : largest_p;
    }
    most = largest_p + largest_q;                       /* no row grows faster */
    if (most > POWERS)
        return 0;
    series s = {.n = g->n, .count = most > 1 ? most : 1};
    double *memory = calloc((2 * (size_t)s.count + 3) * square + 1, sizeof *memory);
    if (!memory)
        return -1;
    s.X = memory;
    s.Y = s.X + (size_t)s.count * square;
    s.B = s.Y + (size_t)s.count * square;
    s.work = s.B + square;
    s.sum = s.work + square;
    coefficient(g, M, 0, s.B);
    const int regular = dae_invert(g->n, s.B, s.X);
    if (regular) {
        expand(g, M, &s);
        read_growth(g, M, &s, k);
    }
    free(memory);
    return regular;
}

static int analyse(growth *g, int *k)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        dae_orders orders;
        dae_matching M;
        list_orders(g, &orders);
        const int matched = dae_match(&orders, &M);
        if (matched <= 0)
            return matched;
        const int replaced = relax(g, &M);
        int found = replaced == WITHOUT_MEMORY ? -1 : 0;
        if (replaced == 0) {
            list_orders(g, &orders);                    /* its room was lent for the sizes */
            find_ways(g, &orders, &M);
            found = measure(g, &M, k);
        }
        dae_matching_free(&M);
        if (replaced <= 0)
            return found;
    }
    return 0;
}

int dae_growth_with_terms(int n, const double *M, const double *J, int *k, double *leading)
{
    growth g;
    if (n <= 0)
        return n == 0;
    int found = allocate(&g, n) ? 1 : -1;
    g.leading = leading;
    for (int i = 0; found > 0 && i < n; i++)
        for (int j = 0; j < n; j++) {
            *entry(&g, 0, i, j) = M[j * n + i];
            *entry(&g, 1, i, j) = -J[j * n + i];
            if (!isfinite(M[j * n + i]) || !isfinite(J[j * n + i]))
                found = 0;
        }
    if (found > 0)
        found = analyse(&g, k);
    release(&g);
    return found;
}
