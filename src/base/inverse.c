/* inverse.c - the inverse of a small matrix, by Gauss and Jordan with row pivots */
#include "inverse.h"
#include "no_fast_math.h"

#include <math.h>
#include <string.h>

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
