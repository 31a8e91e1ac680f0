/* lu.h - LU with partial pivoting of a small row-major matrix, as a template
 *
 * A file defines SCALAR, SUFFIX(name) and MAGNITUDE(x) and includes it: for quad and for long double. That of doubles
 * is linear/dense_lu.h.
 */
#include "no_fast_math.h"

#include "daelab/status.h"

/* A[n x n] := diag(factor) A, factor[i] = 1/max_j |A_ij|; DAE_NOT_FINITE, or DAE_SINGULAR where a row is 0 */
static inline dae_status SUFFIX(lu_scale_rows)(int n, SCALAR *A, SCALAR *factor)
{
    for (int i = 0; i < n; i++) {
        SCALAR *row = A + i * n, largest = 0;
        for (int j = 0; j < n; j++) {
            if (row[j] - row[j] != 0)
                return DAE_NOT_FINITE;
            largest = MAGNITUDE(row[j]) > largest ? MAGNITUDE(row[j]) : largest;
        }
        if (!(largest > 0))
            return DAE_SINGULAR;
        factor[i] = 1 / largest;
        for (int j = 0; j < n; j++)
            row[j] *= factor[i];
    }
    return DAE_OK;
}

static inline void SUFFIX(lu_exchange)(SCALAR *x, SCALAR *y)
{
    const SCALAR swap = *x;
    *x = *y;
    *y = swap;
}

/* A[n x n] := L, with ones on its diagonal, and U of P A = L U; step k has exchanged rows k and pivot[k]. 0 where a
 * pivot is no larger than least */
static inline int SUFFIX(lu_factor)(int n, SCALAR *A, int *pivot, SCALAR least)
{
    for (int k = 0; k < n; k++) {
        pivot[k] = k;
        for (int i = k + 1; i < n; i++)
            if (MAGNITUDE(A[i * n + k]) > MAGNITUDE(A[pivot[k] * n + k]))
                pivot[k] = i;
        if (!(MAGNITUDE(A[pivot[k] * n + k]) > least))
            return 0;
        for (int j = 0; j < n && pivot[k] != k; j++)
            SUFFIX(lu_exchange)(&A[k * n + j], &A[pivot[k] * n + j]);
        const SCALAR *row = A + k * n;
        for (int i = k + 1; i < n; i++) {
            SCALAR *below = A + i * n;
            const SCALAR by = below[k] /= row[k];
            for (int j = k + 1; by != 0 && j < n; j++)
                below[j] -= by * row[j];
        }
    }
    return 1;
}

/* b[n] := A^-1 b with what lu_factor has made of A */
static inline void SUFFIX(lu_solve)(int n, const SCALAR *A, const int *pivot, SCALAR *b)
{
    for (int k = 0; k < n; k++)
        SUFFIX(lu_exchange)(&b[k], &b[pivot[k]]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] -= A[i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= A[i * n + j] * b[j];
        b[i] /= A[i * n + i];
    }
}
