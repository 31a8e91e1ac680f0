/* find_components.c - combinations of the unknowns, by their index
 *
 * c^T u is of index k or less where c^T (M - h J)^-1 = O(h^-k): where c^T times the coefficients of h^-g vanishes for
 * all g > k, at all states looked at, as what is so at one state alone is not at the next. These c are spaces, each in
 * the next; the first is that of the c^T u of index 1 with a derivative, c^T y = 0 for M y = 0.
 *
 * Their rows T are reduced by elimination, each space after the one before, with pivots that are largest in the
 * tolerances of the unknowns: T is unit and triangular, but for the order of unknowns, and so is its inverse.
 */
#include "growth.h"

#include "base/small_dense.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CANCELLED = 1e-10;      /* a sum, against its terms */
static const double RANK = 1e-8;            /* a pivot that is none, of rows scaled to 1 */

typedef struct {
    const dae_system *sys;
    int n;
    const double *size;
    double *Z;                  /* [n x n] rows of the present space */
    double *product, *combined; /* [n x n] */
    double *z, *work;           /* [n x n], [n x n + n] */
    double *kernel;             /* [n x n] by rows: unknowns, directions y with M y = 0 */
    int nulls;                  /* of them */
    int *level;                 /* [n] the spaces in which a row of T leads, of unknown i; -1: none yet */
    dae_components *found;
} search;

/* out[rows x columns] := A[rows x n] B[n x columns], without what cancels */
static void multiply(int rows, int n, int columns, const double *A, const double *B, double *out)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0, terms = 0;
            for (int k = 0; k < n; k++) {
                sum += A[i * n + k] * B[k * columns + j];
                terms += fabs(A[i * n + k] * B[k * columns + j]);
            }
            out[i * columns + j] = fabs(sum) <= CANCELLED * terms ? 0 : sum;
        }
}

/* Z[rows x n] := the combinations of its rows with Z C = 0; how many */
static int narrow(search *f, int rows, const double *C, int columns)
{
    const int n = f->n;
    multiply(rows, n, columns, f->Z, C, f->product);
    const int left = dae_left_null_space(rows, columns, f->product, RANK, f->z, f->work);
    multiply(left, rows, n, f->z, f->Z, f->combined);
    memcpy(f->Z, f->combined, (size_t)(left * n) * sizeof *f->Z);
    return left;
}

/* row := row less row[i] times row i of T, in which u_i has the factor 1: then u_i is not in it. */
static void clear(const search *f, double *row, int i)
{
    const int n = f->n;
    const double *T = f->found->T + i * n, factor = row[i];
    for (int j = 0; factor != 0 && j < n; j++) {
        const double x = factor * T[j], sum = row[j] - x;
        row[j] = fabs(sum) <= CANCELLED * (fabs(row[j]) + fabs(x)) ? 0 : sum;
    }
    row[i] = 0;
}

/* The largest entry of Z in units of its row, each unknown in its tolerance: *row and *column; 0: none is left */
static int find_pivot(const search *f, int from, int rows, int *row, int *column)
{
    const int n = f->n;
    double most = 0;
    for (int k = from; k < rows; k++)
        for (int j = 0; j < n; j++)
            if (fabs(f->Z[k * n + j]) * f->size[j] > most) {
                most = fabs(f->Z[k * n + j]) * f->size[j];
                *row = k;
                *column = j;
            }
    return most > 0;
}

static void divide(double *row, int n, double by)
{
    for (int j = 0; j < n; j++)
        row[j] /= by;
}

/* Each row in the largest of its entries, in tolerances */
static void scale_rows(const search *f, int rows)
{
    for (int k = 0; k < rows; k++) {
        double most = 0;
        for (int j = 0; j < f->n; j++)
            most = fmax(most, fabs(f->Z[k * f->n + j]) * f->size[j]);
        if (most > 0)
            divide(f->Z + k * f->n, f->n, most);
    }
}

/* Rows of T for what this space has beyond those before it. */
static void lead(search *f, int rows, int level)
{
    const int n = f->n;
    double *T = f->found->T;
    int from = 0, row = 0, column = 0;
    scale_rows(f, rows);
    for (int i = 0; i < n; i++)
        for (int k = 0; f->level[i] >= 0 && f->level[i] < level && k < rows; k++)
            clear(f, f->Z + k * n, i);
    for (; find_pivot(f, from, rows, &row, &column) && fabs(f->Z[row * n + column]) * f->size[column] > RANK; from++) {
        memcpy(T + column * n, f->Z + row * n, (size_t)n * sizeof *T);
        memcpy(f->Z + row * n, f->Z + from * n, (size_t)n * sizeof *T);
        divide(T + column * n, n, T[column * n + column]);
        for (int k = from + 1; k < rows; k++)
            clear(f, f->Z + k * n, column);
        for (int i = 0; i < n; i++)
            if (f->level[i] == level)
                clear(f, T + i * n, column);
        f->level[column] = level;
    }
}

/* The directions y with M y = 0, side by side */
static void set_kernel(search *f)
{
    const dae_system *s = f->sys;
    const int n = f->n;
    for (int i = 0; i < n; i++)
        f->nulls += !s->right_null && dae_system_is_algebraic(s, i);
    f->nulls += s->right_null ? s->nulls : 0;
    for (int i = 0, k = 0; i < n; i++) {
        for (int l = 0; s->right_null && l < f->nulls; l++)
            f->kernel[i * f->nulls + l] = s->right_null[l * n + i];
        if (!s->right_null && dae_system_is_algebraic(s, i))
            f->kernel[i * f->nulls + k++] = 1;
    }
}

/* The space of c with c^T u of index at most k; Z is that of k + 1. */
static int narrow_to_index(search *f, int k, int rows, int states, const double *leading)
{
    const int n = f->n;
    for (int state = 0; state < states && rows > 0; state++)
        rows = narrow(f, rows, leading + (state * DAE_GROWTHS + k) * n * n, n);
    return rows;
}

/* Level 0: of index 1 with a derivative; level k: of index k at most. They are found from the largest on, and lead from
 * the smallest on. 0: no memory */
static int find_levels(search *f, int most, int states, const double *leading)
{
    const int n = f->n;
    double *spaces = calloc((size_t)(most + 1) * (size_t)(n * n) + 1, sizeof *spaces);
    int *rows = calloc((size_t)most + 2, sizeof *rows);
    if (spaces && rows) {
        for (int i = 0; i < n; i++)
            f->Z[i * n + i] = 1;
        for (int level = most, left = n; level >= 0; level--) {
            if (level > 0 && level < most)
                left = narrow_to_index(f, level, left, states, leading);
            if (level == 0 && f->nulls > 0)
                left = narrow(f, left, f->kernel, f->nulls);
            rows[level] = left;
            memcpy(spaces + level * n * n, f->Z, (size_t)(left * n) * sizeof *f->Z);
        }
        for (int level = 0; level <= most; level++) {
            memcpy(f->Z, spaces + level * n * n, (size_t)(rows[level] * n) * sizeof *f->Z);
            lead(f, rows[level], level);
        }
    }
    const int good = spaces && rows;
    free(rows);
    free(spaces);
    return good;
}

/* u_i = y_i - sum_j T_ij u_j, from the last level to the first */
static void invert(search *f, int most)
{
    const int n = f->n;
    dae_components *c = f->found;
    for (int level = most; level >= 0; level--)
        for (int i = 0; i < n; i++)
            for (int j = 0; f->level[i] == level && j < n; j++)
                for (int k = 0; j != i && c->T[i * n + j] != 0 && k < n; k++)
                    c->V[i * n + k] -= c->T[i * n + j] * c->V[j * n + k];
}

/* The index of each combination; 1 where each unknown has one of its own. Which combination of algebraic unknowns is of
 * a lower index depends on J, and so on the state: it counts as one of the largest index. */
static int describe(search *f, int most)
{
    const int n = f->n;
    dae_components *c = f->found;
    int alone = 1;
    multiply(n, n, f->nulls, c->T, f->kernel, f->product);
    for (int i = 0; i < n; i++) {
        c->index[i] = f->level[i] > 1 ? f->level[i] : 1;
        c->algebraic[i] = f->level[i] > 0;
        for (int l = 0, sees = 0; f->level[i] > 1 && l < f->nulls; l++) {
            sees |= f->product[i * f->nulls + l] != 0;
            c->algebraic[i] = sees;
        }
        int single = 1;
        for (int j = 0; j < n; j++)
            single &= i == j || c->T[i * n + j] == 0;
        if (!single && c->algebraic[i])
            c->index[i] = most;
        alone &= single;
    }
    return alone;
}

static int allocate(search *f)
{
    const size_t n = (size_t)f->n;
    f->found = dae_components_create(f->n);
    if (!f->found || !DAE_PARTS(f,
                                DAE_PART(search, Z, n * n), DAE_PART(search, product, n * n),
                                DAE_PART(search, combined, n * n), DAE_PART(search, z, n * n),
                                DAE_PART(search, kernel, n * n), DAE_PART(search, work, n * n + n),
                                DAE_PART(search, level, n)))
        return 0;
    for (size_t i = 0; i < n; i++)
        f->level[i] = -1;
    return 1;
}

int dae_find_components(const dae_system *sys, int most, int states, const double *leading, const double *size,
                        dae_components **components)
{
    search f = {.sys = sys, .n = sys->n, .size = size};
    *components = NULL;
    int good = allocate(&f);
    if (good) {
        set_kernel(&f);
        good = find_levels(&f, most, states, leading);
    }
    if (good && !describe(&f, most)) {
        invert(&f, most);
        *components = f.found;
        f.found = NULL;
    }
    free(f.Z);
    dae_components_free(f.found);
    return good;
}
