/* null_space.c - the left null space of a small matrix
 *
 * Rows and columns scaled to largest entries near 1, D A C; Gaussian elimination with complete
 * pivoting, E D A C = U; where no pivot is left above rounding, the rows of E D combine to zero.
 * Complete pivoting reveals the rank of all but contrived matrices: Golub, Van Loan (2013), Matrix
 * Computations, 3.4.7.
 */
#include "null_space.h"

#include "numbers.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-12;       /* a pivot that is none, of rows scaled to 1 */
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
static double find_pivot(int n, int k, const double *A, int *row, int *column)
{
    double most = 0;
    for (int i = k; i < n; i++)
        for (int j = 0; j < n; j++)
            if (fabs(A[i * n + j]) > most) {
                most = fabs(A[i * n + j]);
                *row = i;
                *column = j;
            }
    return most;
}

/* The rank; the rows of E follow those of A. */
static int eliminate(int n, double *A, double *E)
{
    int rank = 0, row = 0, column = 0;
    for (; rank < n && find_pivot(n, rank, A, &row, &column) > rounding; rank++) {
        swap_rows(n, A, row, rank);
        swap_rows(n, E, row, rank);
        for (int i = rank + 1; i < n; i++) {
            const double factor = A[i * n + column] / A[rank * n + column];
            for (int j = 0; j < n; j++) {
                A[i * n + j] -= factor * A[rank * n + j];
                E[i * n + j] -= factor * E[rank * n + j];
            }
            A[i * n + column] = 0;
        }
    }
    return rank;
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Rows and columns by powers of two to a largest entry near 1, which takes their units out of the
 * choice of pivots; scale[n] of the rows. */
static void equilibrate(int n, double *A, double *scale)
{
    for (int i = 0; i < n; i++)
        scale[i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 0; i < n; i++) {
            const double s = over_power_of_two(dae_largest(n, A + i * n));
            scale[i] *= s;
            for (int j = 0; j < n; j++)
                A[i * n + j] *= s;
        }
        for (int j = 0; j < n; j++) {
            double most = 0;
            for (int i = 0; i < n; i++)
                most = fmax(most, fabs(A[i * n + j]));
            for (int i = 0; i < n; i++)
                A[i * n + j] *= over_power_of_two(most);
        }
    }
}

int dae_null_space(int n, double *A, double *z, double *work)
{
    double *E = work, *scale = work + n * n;
    memset(E, 0, (size_t)(n * n) * sizeof *E);
    for (int i = 0; i < n; i++)
        E[i * n + i] = 1;
    equilibrate(n, A, scale);
    const int rank = eliminate(n, A, E), count = n - rank;
    for (int k = 0; k < count; k++) {
        const double *row = E + (rank + k) * n, least = rounding * dae_largest(n, row);
        for (int j = 0; j < n; j++)
            z[k * n + j] = fabs(row[j]) < least ? 0 : row[j] * scale[j];
        const double size = over_power_of_two(dae_largest(n, z + k * n));
        for (int j = 0; j < n; j++)
            z[k * n + j] *= size;
    }
    return count;
}

void dae_orthogonalise(int n, int count, double *z)
{
    for (int k = 0; k < count; k++) {
        double *row = z + k * n;
        for (int l = 0; l < k; l++) {                   /* Gram-Schmidt */
            const double *other = z + l * n, along = dot(n, row, other) / dot(n, other, other);
            for (int j = 0; j < n; j++)
                row[j] -= along * other[j];
        }
        const double size = dae_largest(n, row);
        for (int j = 0; j < n; j++)
            row[j] = fabs(row[j]) < rounding * size ? 0 : row[j] / size;
    }
}
