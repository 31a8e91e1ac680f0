/* dense_kernel_real.h - LU of a real matrix of one size N, included by sizes.h once for each; and what it has in common
 * with that of a complex one: there entries are measured by |re| + |im| */

/* row[N] := 1/max |a_ij| size_j: rows in different units, of unknowns in different units, are then comparable */
static inline void SIZED(scale_rows)(int n, int complex, const double *restrict re, const double *restrict im,
                                     const double *restrict size, double *restrict row)
{
    (void)n;
    UNROLL
    for (int i = 0; i < N; i++)
        row[i] = 0;
    UNROLL
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double x = (complex ? fabs(re[j * N + i]) + fabs(im[j * N + i]) : fabs(re[j * N + i])) * size[j];
            row[i] = x > row[i] ? x : row[i];
        }
    UNROLL
    for (int i = 0; i < N; i++)
        row[i] = row[i] > 0 ? 1 / row[i] : 1;
}

/* The row of the largest entry of a column from row k on, as scaled; -1 where one is not finite. A column of zeros is
 * left to the caller. */
static inline int SIZED(find_pivot)(int n, int k, int complex, const double *re, const double *im, const double *row)
{
    (void)n;
    int p = k;
    double largest = (complex ? fabs(re[k]) + fabs(im[k]) : fabs(re[k])) * row[k], sum = largest;
    UNROLL
    for (int i = k + 1; i < N; i++) {
        const double size = (complex ? fabs(re[i]) + fabs(im[i]) : fabs(re[i])) * row[i];
        sum += size;
        if (UNLIKELY(size > largest)) {
            largest = size;
            p = i;
        }
    }
    return sum < HUGE_VAL ? p : -1;
}

static int SIZED(factor_real)(int n, double *restrict a, const double *restrict size,
                              double *restrict row, int *restrict pivot)
{
    SIZED(scale_rows)(n, 0, a, NULL, size, row);
    UNROLL
    for (int k = 0; k < N; k++) {
        double *l = a + k * N;
        const int p = SIZED(find_pivot)(n, k, 0, l, NULL, row);
        if (p < 0)
            return k;
        pivot[k] = p;
        if (p != k) {
            row[p] = row[k];
            for (int j = 0; j < N; j++)
                SWAP(a[j * N + p], a[j * N + k]);
        }
        l[k] = 1 / l[k];
        if (!(fabs(l[k]) < HUGE_VAL))
            return k;
        UNROLL
        for (int j = k + 1; j < N; j++) {
            double *u = a + j * N;
            if (u[k] == 0)
                continue;
            u[k] *= l[k];
            UNROLL
            for (int i = k + 1; i < N; i++)
                u[i] -= u[k] * l[i];
        }
    }
    return -1;
}

static void SIZED(solve_real)(int n, const double *restrict a, const int *restrict pivot,
                              double *restrict x)
{
    (void)n;
    for (int k = 0; k < N; k++)
        if (pivot[k] != k)
            SWAP(x[pivot[k]], x[k]);
    UNROLL
    for (int k = 0; k < N; k++) {
        x[k] *= a[k * N + k];
        UNROLL
        for (int i = k + 1; i < N; i++)
            x[i] -= a[k * N + i] * x[k];
    }
    UNROLL
    for (int k = N - 1; k > 0; k--) {
        UNROLL
        for (int i = 0; i < k; i++)
            x[i] -= a[k * N + i] * x[k];
    }
}
