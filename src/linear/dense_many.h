/* dense_many.h - LU of real matrices of any size, two columns and two rows at a time
 *
 * A = LU as in dense_kernel_real.h, column by column from the left: a column is solved with L as far as there is
 * one, and then searched for its pivot. So factors and solutions share the elimination, and each entry sees
 * the same operations in the same order as there.
 */
#ifndef DAE_DENSE_MANY_H
#define DAE_DENSE_MANY_H

#include <math.h>
#include <stddef.h>

typedef double dense_pair __attribute__((vector_size(16), aligned(8), may_alias));

/* x := x - p a - q b in the rows begin .. end-1; begin is even, so that what is loaded together was stored together. */
static inline void subtract_two(int begin, int end, double p, const double *restrict a, double q,
                                const double *restrict b, double *restrict x)
{
    const dense_pair pp = {p, p}, qq = {q, q};
    int i = begin;
    for (; i + 1 < end; i += 2) {
        const dense_pair y = *(const dense_pair *)(x + i) - pp * *(const dense_pair *)(a + i);
        *(dense_pair *)(x + i) = y - qq * *(const dense_pair *)(b + i);
    }
    if (i < end)
        x[i] = x[i] - p * a[i] - q * b[i];
}

/* x := L^-1 x for the first `columns` of L, the rows below reduced by them */
static void reduce(int n, int columns, const double *restrict a, double *restrict x)
{
    int k = 0;
    for (; k + 1 < columns; k += 2) {
        const double *l = a + (size_t)k * (size_t)n, *next = l + n;
        const double p = x[k] * l[k], q = (x[k + 1] - p * l[k + 1]) * next[k + 1];
        x[k] = p;
        x[k + 1] = q;
        if (p != 0 || q != 0)                           /* pencils have many zeros */
            subtract_two(k + 2, n, p, l, q, next, x);
    }
    if (k < columns) {
        const double *l = a + (size_t)k * (size_t)n;
        x[k] *= l[k];
        for (int i = k + 1; i < n; i++)
            x[i] -= x[k] * l[i];
    }
}

/* The row of the largest scaled entry of a column from row k on; -1 where one is not finite. */
static inline int largest_entry(int n, int k, const double *x, const double *row)
{
    int p = k;
    double largest = fabs(x[k]) * row[k], sum = largest;
    for (int i = k + 1; i < n; i++) {
        const double size = fabs(x[i]) * row[i];
        sum += size;
        if (__builtin_expect(size > largest, 0)) {
            largest = size;
            p = i;
        }
    }
    return sum < HUGE_VAL ? p : -1;
}

static inline void exchange(double *x, double *y)
{
    const double kept = *x;
    *x = *y;
    *y = kept;
}

/* row[n] := 1/max_j |a_ij| size_j */
static void scale_rows_many(int n, const double *restrict a, const double *restrict size, double *restrict row)
{
    for (int i = 0; i < n; i++)
        row[i] = 0;
    for (int j = 0; j < n; j++, a += n)
        for (int i = 0; i < n; i++) {
            const double x = fabs(a[i]) * size[j];
            row[i] = x > row[i] ? x : row[i];
        }
    for (int i = 0; i < n; i++)
        row[i] = row[i] > 0 ? 1 / row[i] : 1;
}

static inline void exchange_rows(int n, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++)
        if (pivot[k] != k)
            exchange(&x[pivot[k]], &x[k]);
}

static int factor_many(int n, double *restrict a, const double *restrict size, double *restrict row,
                       int *restrict pivot)
{
    double *x = a;
    scale_rows_many(n, a, size, row);
    for (int k = 0; k < n; k++, x += n) {
        exchange_rows(k, pivot, x);
        reduce(n, k, a, x);
        const int p = largest_entry(n, k, x, row);
        if (p < 0)
            return k;
        pivot[k] = p;
        if (p != k) {
            row[p] = row[k];
            for (int j = 0; j <= k; j++)
                exchange(&a[(size_t)j * (size_t)n + (size_t)p], &a[(size_t)j * (size_t)n + (size_t)k]);
        }
        x[k] = 1 / x[k];
        if (!(fabs(x[k]) < HUGE_VAL))
            return k;
    }
    return -1;
}

static void solve_many(int n, const double *restrict a, const int *restrict pivot, double *restrict x)
{
    exchange_rows(n, pivot, x);
    reduce(n, n, a, x);
    int k = n - 1;
    for (; k > 0; k -= 2) {                             /* x := U^-1 x */
        const double *u = a + (size_t)k * (size_t)n, *before = u - n;
        x[k - 1] -= u[k - 1] * x[k];
        subtract_two(0, k - 1, x[k], u, x[k - 1], before, x);
    }
}

#endif
