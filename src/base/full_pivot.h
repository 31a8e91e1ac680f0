/* full_pivot.h - Gaussian elimination of a small matrix with complete pivoting, for one scalar
 *
 * Included once for each scalar with SCALAR, SUFFIX(name) and MAGNITUDE(x) defined. Rows and columns are
 * scaled by powers of two to largest entries near 1, which takes their units out of the choice of pivots. What
 * is left below FULL_PIVOT_ROUNDING of them is rounding: Golub, Van Loan (2013), Matrix Computations, 3.4.7.
 */
#include "no_fast_math.h"

#include <math.h>

#ifndef FULL_PIVOT_ROUNDING
#define FULL_PIVOT_ROUNDING 1e-12
#define FULL_PIVOT_NEAR 0.125
#define FULL_PIVOT_SWEEPS 3
/* The power of two that takes x into [1, 2); 1 where there is none. */
static inline double dae_over_power_of_two(double x)
{
    return isnormal(x) ? ldexp(1, -ilogb(x)) : 1;
}

static inline void dae_swap_places(int *x, int i, int k)
{
    const int was = x[i];
    x[i] = x[k];
    x[k] = was;
}
#endif

/* scale[rows + columns] := those of rows, then of columns */
static inline void SUFFIX(equilibrate)(int rows, int columns, SCALAR *A, double *scale)
{
    for (int i = 0; i < rows + columns; i++)
        scale[i] = 1;
    for (int sweep = 0; sweep < FULL_PIVOT_SWEEPS; sweep++)
        for (int i = 0; i < rows + columns; i++) {      /* rows, then columns */
            const int row = i < rows, count = row ? columns : rows, step = row ? 1 : columns;
            SCALAR *x = A + (row ? i * columns : i - rows);
            double most = 0;
            for (int j = 0; j < count; j++) {
                const double size = MAGNITUDE(x[j * step]);
                most = size > most ? size : most;
            }
            const double by = dae_over_power_of_two(most);
            scale[i] *= by;
            for (int j = 0; j < count; j++)
                x[j * step] *= by;
        }
}

/* The place among row[k] ... row[rows - 1] of the largest entry of a column, the first row of several; its size */
static inline double SUFFIX(find_row)(int k, int rows, int columns, const SCALAR *column, const int *row, int *at)
{
    double most = 0;
    *at = k;
    for (int i = k; i < rows; i++) {
        const double size = MAGNITUDE(column[row[i] * columns]);
        if (size > most || (size == most && row[i] < row[*at])) {
            most = size;
            *at = i;
        }
    }
    return most;
}

/* The pivot, into place k: in the first column with an entry that is near the largest of all, so that neither
 * units nor what is beside choose another one; 0 where all of them are rounding. */
static inline int SUFFIX(find_pivot)(int k, int rows, int columns, const SCALAR *A, int *row, int *column)
{
    double largest = 0;
    int at = k, of = -1;
    for (int i = k; i < rows; i++)
        for (int j = k; j < columns; j++) {
            const double size = MAGNITUDE(A[row[i] * columns + column[j]]);
            largest = size > largest ? size : largest;
        }
    if (!(largest > FULL_PIVOT_ROUNDING))
        return 0;
    for (int j = k; j < columns; j++) {
        int in;
        if ((of < 0 || column[j] < column[of])
            && SUFFIX(find_row)(k, rows, columns, A + column[j], row, &in) >= FULL_PIVOT_NEAR * largest) {
            at = in;
            of = j;
        }
    }
    if (of < 0)
        return 0;                                       /* infinite: nothing is near it */
    dae_swap_places(row, k, at);
    dae_swap_places(column, k, of);
    return 1;
}

/* The rank of A[rows x columns], by rows, which becomes U: with row[rows] and column[columns], permutations,
 * entry (row[k], column[l]) of it, k <= l, k < rank, is that of a triangle. The same is done with the rows of
 * b[rows] and E[rows x rows], where they are not NULL. candidates < rows: pivots are looked for in the first
 * so many of row[rows], which is given. */
static inline int SUFFIX(eliminate)(int rows, int columns, SCALAR *A, SCALAR *b, SCALAR *E, double *scale,
                                    int candidates, int *row, int *column)
{
    SUFFIX(equilibrate)(rows, columns, A, scale);
    for (int i = 0; i < rows; i++) {
        row[i] = candidates < rows ? row[i] : i;
        if (b)
            b[i] *= scale[i];
        for (int j = 0; E && j < rows; j++)
            E[i * rows + j] *= scale[i];
    }
    for (int j = 0; j < columns; j++)
        column[j] = j;
    int k = 0;
    for (; k < candidates && k < columns; k++) {
        if (!SUFFIX(find_pivot)(k, candidates, columns, A, row, column))
            break;
        const SCALAR *pivot = A + row[k] * columns;
        for (int i = k + 1; i < rows; i++) {
            SCALAR *x = A + row[i] * columns;
            const SCALAR factor = x[column[k]] / pivot[column[k]];
            if (factor == 0)
                continue;
            for (int j = k; j < columns; j++)
                x[column[j]] -= factor * pivot[column[j]];
            if (b)
                b[row[i]] -= factor * b[row[k]];
            for (int j = 0; E && j < rows; j++)
                E[row[i] * rows + j] -= factor * E[row[k] * rows + j];
        }
    }
    return k;
}

/* x[columns] from U and b, where the rank is columns */
static inline void SUFFIX(substitute)(int columns, const SCALAR *U, const SCALAR *b, const double *column_scale,
                                      const int *row, const int *column, SCALAR *x)
{
    for (int k = columns - 1; k >= 0; k--) {
        SCALAR sum = b[row[k]];
        for (int l = k + 1; l < columns; l++)
            sum -= U[row[k] * columns + column[l]] * x[column[l]];
        x[column[k]] = sum / U[row[k] * columns + column[k]];
    }
    for (int j = 0; j < columns; j++)
        x[j] *= column_scale[j];
}
