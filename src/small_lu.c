#include "small_lu.h"

#include <float.h>
#include <math.h>

static void swap(double *x, double *y)
{
    const double z = *x;
    *x = *y;
    *y = z;
}

/* The row at or below k with the largest entry in column k. */
static int pivot_row(int n, const double *A, int k)
{
    int p = k;
    for (int i = k + 1; i < n; i++)
        if (fabs(A[i * n + k]) > fabs(A[p * n + k]))
            p = i;
    return p;
}

static double largest_entry(int n, const double *A)
{
    double largest = 0;
    for (int i = 0; i < n * n; i++)
        largest = fmax(largest, fabs(A[i]));
    return largest;
}

int dae_small_solve(int n, double *A, double *b)
{
    const double tiny = n * DBL_EPSILON * largest_entry(n, A);  /* rank is lost below this */
    for (int k = 0; k < n; k++) {
        const int p = pivot_row(n, A, k);
        if (!(fabs(A[p * n + k]) > tiny))
            return 0;
        for (int j = k; p != k && j < n; j++)
            swap(&A[p * n + j], &A[k * n + j]);
        swap(&b[p], &b[k]);
        for (int i = k + 1; i < n; i++) {
            const double l = A[i * n + k] / A[k * n + k];
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= l * A[k * n + j];
            b[i] -= l * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
    return 1;
}
