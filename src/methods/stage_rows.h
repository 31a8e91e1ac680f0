/* stage_rows.h - sums over the stages of a tableau that the compiler knows
 *
 * DAE_STAGE_ROWS(tableau, rows), behind the tableau, defines rows: coefficients that are zero are left out, the
 * others are constants of the code, and for two and four unknowns there is no loop.
 *
 * Of few unknowns the stage that has been computed last was stored number by number just before, and is loaded so:
 * a load of two waits until both have left the store buffer. Of many it is gone when the sum comes to it.
 */
#ifndef DAE_STAGE_ROWS_H
#define DAE_STAGE_ROWS_H

#include "explicit_stepper.h"
#include "stage_sums.h"

#include <math.h>
#include <stddef.h>

enum { DAE_NO_STAGE = -1 };

#define DAE_FOR_STAGES(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)
#define DAE_ADD_PAIR(j)                                                                           \
    if (a[j] != 0 && (j) != newest)                                                               \
        pair += a[j] * *(const dae_pair *)(k + (ptrdiff_t)(j) * n);
#define DAE_ADD_ONE(j)                                                                            \
    if (a[j] != 0)                                                                                \
        sum += a[j] * k[(ptrdiff_t)(j) * n];

/* sum_j a_j k_j of two unknowns, the first at k[0], k[n], ..., without stage newest; and of one */
static inline __attribute__((always_inline))
dae_pair dae_row_of_pair(const double *a, int newest, int n, const double *k)
{
    dae_pair pair = {0, 0};
    DAE_FOR_STAGES(DAE_ADD_PAIR)
    return pair;
}

static inline __attribute__((always_inline))
double dae_row_of_one(const double *a, int n, const double *k)
{
    double sum = 0;
    DAE_FOR_STAGES(DAE_ADD_ONE)
    return sum;
}

/* The same of two with stage newest, number by number. */
static inline __attribute__((always_inline))
void dae_row_of_two(const double *a, int newest, int n, const double *k, double *sum)
{
    const dae_pair pair = dae_row_of_pair(a, newest, n, k);
    const double *last = k + (ptrdiff_t)newest * n;
    for (int l = 0; l < 2; l++)
        sum[l] = a[newest] != 0 ? pair[l] + a[newest] * last[l] : pair[l];
}

/* out[n] := y + h sum_j a_j k_j, n = 2 or 4 */
static inline __attribute__((always_inline))
void dae_few_sums(const double *a, int newest, int n, const double *k, const double *y, double h, double *out)
{
    for (int i = 0; i < n; i += 2) {
        double sum[2];
        dae_row_of_two(a, newest, n, k + i, sum);
        out[i] = y[i] + h * sum[0];
        out[i + 1] = y[i + 1] + h * sum[1];
    }
}

/* The same for any n. */
static inline __attribute__((always_inline))
void dae_many_sums(const double *a, int n, const double *k, const double *y, double h, double *out)
{
    int i = 0;
    for (; i + 2 <= n; i += 2)
        *(dae_pair *)(out + i) = *(const dae_pair *)(y + i) + h * dae_row_of_pair(a, DAE_NO_STAGE, n, k + i);
    if (i < n)
        out[i] = y[i] + h * dae_row_of_one(a, n, k + i);
}

/* w[n] := 1/(rtol max(|x_i|, |y_i|) + atol_i) */
static inline __attribute__((always_inline))
void dae_weigh(int n, const double *x, const double *y, double rtol, const double *atol, double *w)
{
    for (int i = 0; i < n; i++) {
        const double a = fabs(x[i]), b = fabs(y[i]);
        w[i] = 1 / (rtol * (a > b ? a : b) + atol[i]);
    }
}

/* square[m] := sum_i (w_i sum_j E_mj k_j)^2, n = 2 or 4 */
static inline __attribute__((always_inline))
void dae_few_squares(const dae_tableau *T, int n, const double *k, const double *w, double *square)
{
    const int newest = T->estimate_last ? T->stages : T->stages - 1;
    double e[2], f[2];
    square[0] = square[1] = 0;
    for (int i = 0; i < n; i += 2) {
        dae_row_of_two(T->E[0], newest, n, k + i, e);
        dae_row_of_two(T->E[1], newest, n, k + i, f);
        for (int l = 0; l < 2; l++) {
            square[0] += w[i + l] * e[l] * w[i + l] * e[l];
            square[1] += w[i + l] * f[l] * w[i + l] * f[l];
        }
    }
}

/* The same for any n. */
static inline __attribute__((always_inline))
void dae_many_squares(const dae_tableau *T, int n, const double *k, const double *w, double *square)
{
    dae_pair fine = {0, 0}, coarse = {0, 0};
    int i = 0;
    for (; i + 2 <= n; i += 2) {
        const dae_pair weight = *(const dae_pair *)(w + i);
        const dae_pair e = weight * dae_row_of_pair(T->E[0], DAE_NO_STAGE, n, k + i);
        const dae_pair f = weight * dae_row_of_pair(T->E[1], DAE_NO_STAGE, n, k + i);
        fine += e * e;
        coarse += f * f;
    }
    const double e = i < n ? w[i] * dae_row_of_one(T->E[0], n, k + i) : 0;
    const double f = i < n ? w[i] * dae_row_of_one(T->E[1], n, k + i) : 0;
    square[0] = fine[0] + fine[1] + e * e;
    square[1] = coarse[0] + coarse[1] + f * f;
}

#define DAE_CASE_ROW(row)                                                                         \
    case row:                                                                                     \
        if (few)                                                                                  \
            dae_few_sums(T->A[row], row - 1, n, k, y, h, out);                                    \
        else                                                                                      \
            dae_many_sums(T->A[row], n, k, y, h, out);                                            \
        break;

static inline __attribute__((always_inline))
void dae_row_sums(const dae_tableau *T, int few, int row, int n, const double *k, const double *y, double h, double *out)
{
    switch (row) {
        DAE_CASE_ROW(1) DAE_CASE_ROW(2) DAE_CASE_ROW(3) DAE_CASE_ROW(4) DAE_CASE_ROW(5) DAE_CASE_ROW(6)
        DAE_CASE_ROW(7) DAE_CASE_ROW(8) DAE_CASE_ROW(9) DAE_CASE_ROW(10) DAE_CASE_ROW(11) DAE_CASE_ROW(12)
    }
}

#define DAE_ROWS_OF_SIZE(T, size, few, N)                                                         \
    static void T##_sum_##size(int row, int n, const double *k, const double *y, double h, double *out)  \
    {                                                                                             \
        (void)n;                                                                                  \
        dae_row_sums(&T, few, row, N, k, y, h, out);                                              \
    }                                                                                             \
    static void T##_squares_##size(int n, const double *k, const double *x, const double *y, double rtol,  \
                                   const double *atol, double *w, double *square)                 \
    {                                                                                             \
        (void)n;                                                                                  \
        dae_weigh(N, x, y, rtol, atol, w);                                                        \
        few ? dae_few_squares(&T, N, k, w, square) : dae_many_squares(&T, N, k, w, square);       \
    }

#define DAE_STAGE_ROWS(T, name)                                                                   \
    DAE_ROWS_OF_SIZE(T, two, 1, 2)                                                                   \
    DAE_ROWS_OF_SIZE(T, four, 1, 4)                                                                  \
    DAE_ROWS_OF_SIZE(T, any, 0, n)                                                                   \
    static const dae_stage_rows name = {                                                          \
        &T, {T##_sum_two, T##_sum_four, T##_sum_any},                                             \
        {T##_squares_two, T##_squares_four, T##_squares_any}};

#endif
