/* small_dense.c - L D L^T, the inverse and the left null space of a small matrix
 *
 * Null spaces:  * Rows and columns scaled to largest entries near 1, D A C; Gaussian elimination with complete
 * pivoting, E D A C = U; where no pivot is left above rounding, the rows of E D combine to zero.
 * Complete pivoting reveals the rank of all but contrived matrices: Golub, Van Loan (2013), Matrix
 * Computations, 3.4.7.
 */
#include "small_dense.h"

#include "numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- L D L^T ------------------------------------------------------------------------------ */

/* Row i of L and d_i from the rows above; the rank is lost where d_i vanishes beside A_ii. */
static int factor_row(int n, double *A, int i)
{
    double *a = A + i * n;
    const double tiny = n * DBL_EPSILON * a[i];
    for (int j = 0; j < i; j++)                         /* a_j = L_ij d_j */
        for (int k = 0; k < j; k++)
            a[j] -= a[k] * A[j * n + k];
    for (int j = 0; j < i; j++) {
        const double l = a[j] / A[j * n + j];
        a[i] -= l * a[j];
        a[j] = l;
    }
    return a[i] > tiny && a[i] <= DBL_MAX;
}

int dae_small_factor(int n, double *A)
{
    for (int i = 0; i < n; i++)
        if (!factor_row(n, A, i))
            return i;
    return -1;
}

void dae_small_solve(int n, const double *A, double *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] -= A[i * n + j] * b[j];
    for (int i = 0; i < n; i++)
        b[i] /= A[i * n + i];
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++)
            b[i] -= A[j * n + i] * b[j];
}

/* ---- the inverse, by Gauss and Jordan with row pivots ---------------------------------------- */

int dae_invert(int n, double *A, double *X)
{
    memset(X, 0, (size_t)n * (size_t)n * sizeof *X);
    for (int i = 0; i < n; i++)
        X[i * n + i] = 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k]))
                pivot = i;
        if (A[pivot * n + k] == 0)
            return 0;
        for (int j = 0; j < n; j++) {
            const double x = A[k * n + j], y = X[k * n + j];
            A[k * n + j] = A[pivot * n + j];
            X[k * n + j] = X[pivot * n + j];
            A[pivot * n + j] = x;
            X[pivot * n + j] = y;
        }
        const double scale = 1 / A[k * n + k];
        for (int j = 0; j < n; j++) {
            A[k * n + j] *= scale;
            X[k * n + j] *= scale;
        }
        for (int i = 0; i < n; i++) {
            const double factor = A[i * n + k];
            if (i == k || factor == 0)
                continue;
            for (int j = 0; j < n; j++) {
                A[i * n + j] -= factor * A[k * n + j];
                X[i * n + j] -= factor * X[k * n + j];
            }
        }
    }
    return 1;
}

/* ---- null spaces --------------------------------------------------------------------------- */

static const double ROUNDING = 1e-12;       /* a pivot that is none, of rows scaled to 1 */
enum { SWEEPS = 3 };

/* The power of two that takes x into [1, 2); 1 where there is none. */
static double over_power_of_two(double x)
{
    return isnormal(x) ? ldexp(1, -ilogb(x)) : 1;
}

static void swap_rows(int n, double *A, int i, int k)
{
    for (int j = 0; j < n; j++) {
        const double x = A[i * n + j];
        A[i * n + j] = A[k * n + j];
        A[k * n + j] = x;
    }
}

/* Pivot and column of the largest entry in rows from k on; columns with a pivot are zero there. */
static double find_pivot(int m, int n, int k, const double *A, int *row, int *column)
{
    double most = 0;
    for (int i = k; i < m; i++)
        for (int j = 0; j < n; j++)
            if (fabs(A[i * n + j]) > most) {
                most = fabs(A[i * n + j]);
                *row = i;
                *column = j;
            }
    return most;
}

/* The rank of A[m x n]; the rows of E[m x m] follow those of A. */
static int eliminate(int m, int n, double rounding, double *A, double *E)
{
    int rank = 0, row = 0, column = 0;
    for (; rank < m && find_pivot(m, n, rank, A, &row, &column) > rounding; rank++) {
        swap_rows(n, A, row, rank);
        swap_rows(m, E, row, rank);
        for (int i = rank + 1; i < m; i++) {
            const double factor = A[i * n + column] / A[rank * n + column];
            for (int j = 0; j < n; j++)
                A[i * n + j] -= factor * A[rank * n + j];
            for (int j = 0; j < m; j++)
                E[i * m + j] -= factor * E[rank * m + j];
            A[i * n + column] = 0;
        }
    }
    return rank;
}

static double dot(int n, const double *unit, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] / unit[i] * (y[i] / unit[i]);
    return sum;
}

/* Rows and columns by powers of two to a largest entry near 1, which takes their units out of the
 * choice of pivots; scale[m] of the rows, unit[n] of the columns, or NULL. */
static void equilibrate(int m, int n, double *A, double *scale, double *unit)
{
    for (int j = 0; unit && j < n; j++)
        unit[j] = 1;
    for (int i = 0; i < m; i++)
        scale[i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 0; i < m; i++) {
            const double s = over_power_of_two(dae_largest(n, A + i * n));
            scale[i] *= s;
            for (int j = 0; j < n; j++)
                A[i * n + j] *= s;
        }
        for (int j = 0; j < n; j++) {
            double most = 0;
            for (int i = 0; i < m; i++)
                most = fmax(most, fabs(A[i * n + j]));
            const double s = over_power_of_two(most);
            for (int i = 0; i < m; i++)
                A[i * n + j] *= s;
            if (unit)
                unit[j] *= s;
        }
    }
}

void dae_column_units(int m, int n, double *A, double *unit, double *work) { equilibrate(m, n, A, work, unit); }

int dae_left_null_space(int m, int n, double *A, double rounding, double *z, double *work)
{
    double *E = work, *scale = work + m * m;
    memset(E, 0, (size_t)(m * m) * sizeof *E);
    for (int i = 0; i < m; i++)
        E[i * m + i] = 1;
    equilibrate(m, n, A, scale, NULL);
    const int rank = eliminate(m, n, rounding, A, E), count = m - rank;
    for (int k = 0; k < count; k++) {
        const double *row = E + (rank + k) * m, least = rounding * dae_largest(m, row);
        for (int j = 0; j < m; j++)
            z[k * m + j] = fabs(row[j]) < least ? 0 : row[j] * scale[j];
        const double size = over_power_of_two(dae_largest(m, z + k * m));
        for (int j = 0; j < m; j++)
            z[k * m + j] *= size;
    }
    return count;
}

int dae_null_space(int n, double *A, double *z, double *work)
{
    return dae_left_null_space(n, n, A, ROUNDING, z, work);
}

void dae_orthogonalise(int n, int count, const double *unit, double *z)
{
    for (int k = 0; k < count; k++) {
        double *row = z + k * n;
        for (int l = 0; l < k; l++) {                   /* Gram-Schmidt */
            const double *other = z + l * n, along = dot(n, unit, row, other) / dot(n, unit, other, other);
            for (int j = 0; j < n; j++)
                row[j] -= along * other[j];
        }
        double size = 0;
        for (int j = 0; j < n; j++)
            size = fmax(size, fabs(row[j]) / unit[j]);
        for (int j = 0; j < n; j++)
            row[j] = fabs(row[j]) < ROUNDING * size * unit[j] ? 0 : row[j] / size;
    }
}
