#include "small_ldl.h"

#include <float.h>

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
