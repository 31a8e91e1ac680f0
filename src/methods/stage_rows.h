/* stage_rows.h - sums over the stages of a tableau that the compiler knows
 *
 * DAE_STAGE_ROWS(tableau, rows), behind the tableau, defines rows: coefficients that are zero are left out, the
 * others are constants of the code, and for two to four unknowns there is no loop.
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
#define DAE_ADD(j, stage)                                                                         \
    if (a[j] != 0 && (j) != newest)                                                               \
        sum = began++ ? sum + a[j] * stage : a[j] * stage;
#define DAE_ADD_PAIR(j) DAE_ADD(j, *(const dae_pair *)(k + (ptrdiff_t)(j) * n))
#define DAE_ADD_ONE(j) DAE_ADD(j, k[(ptrdiff_t)(j) * n])

/* sum_j a_j k_j of two unknowns, the first at k[0], k[n], ..., without stage newest; and of one */
static inline __attribute__((always_inline))
dae_pair dae_row_of_pair(const double *a, int newest, int n, const double *k)
{
    dae_pair sum = {0, 0};
    int began = 0;
    DAE_FOR_STAGES(DAE_ADD_PAIR)
    (void)began;
    return sum;
}

static inline __attribute__((always_inline))
double dae_row_of_one(const double *a, int newest, int n, const double *k)
{
    double sum = 0;
    int began = 0;
    DAE_FOR_STAGES(DAE_ADD_ONE)
    (void)began;
    return sum;
}

/* x + weight last, or x where the newest stage is no term */
static inline __attribute__((always_inline))
double dae_add_newest(double a, double x, double weight, double last)
{
    return a != 0 ? x + weight * last : x;
}

/* out[n] := y + h sum_j a_j k_j, of few unknowns, as (y + h sum_others) + (h a_newest) k_newest: what waits for the
 * newest stage is a product and a sum */
static inline __attribute__((always_inline))
void dae_few_sums(const double *a, int newest, int n, const double *k, const double *y, double h, double *out)
{
    const double *last = k + (ptrdiff_t)newest * n, weight = h * a[newest];
    int i = 0;
    for (; i + 2 <= n; i += 2) {
        const dae_pair begin = {y[i], y[i + 1]}, others = begin + h * dae_row_of_pair(a, newest, n, k + i);
        out[i] = dae_add_newest(a[newest], others[0], weight, last[i]);
        out[i + 1] = dae_add_newest(a[newest], others[1], weight, last[i + 1]);
    }
    if (i < n)
        out[i] = dae_add_newest(a[newest], y[i] + h * dae_row_of_one(a, newest, n, k + i), weight, last[i]);
}

/* The same for any n. */
static inline __attribute__((always_inline))
void dae_many_sums(const double *a, int n, const double *k, const double *y, double h, double *out)
{
    int i = 0;
    for (; i + 2 <= n; i += 2)
        *(dae_pair *)(out + i) = *(const dae_pair *)(y + i) + h * dae_row_of_pair(a, DAE_NO_STAGE, n, k + i);
    if (i < n)
        out[i] = y[i] + h * dae_row_of_one(a, DAE_NO_STAGE, n, k + i);
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

/* sum_j a_j k_j of one unknown, the newest stage last */
static inline __attribute__((always_inline))
double dae_whole_row(const double *a, int newest, int n, const double *k)
{
    return dae_add_newest(a[newest], dae_row_of_one(a, newest, n, k), a[newest], k[(ptrdiff_t)newest * n]);
}

/* square[m] := sum_i (w_i sum_j E_mj k_j)^2 of few unknowns */
static inline __attribute__((always_inline))
void dae_few_squares(const dae_tableau *T, int n, const double *k, const double *w, double *square)
{
    const int newest = T->estimate_last ? T->stages : T->stages - 1;
    const double *E = T->E[0], *F = T->E[1], *last = k + (ptrdiff_t)newest * n;
    double fine = 0, coarse = 0;
    int i = 0;
    for (; i + 2 <= n; i += 2) {
        const dae_pair e = dae_row_of_pair(E, newest, n, k + i), f = dae_row_of_pair(F, newest, n, k + i);
        for (int l = 0; l < 2; l++) {
            const double x = w[i + l] * dae_add_newest(E[newest], e[l], E[newest], last[i + l]);
            const double y = w[i + l] * dae_add_newest(F[newest], f[l], F[newest], last[i + l]);
            fine += x * x;
            coarse += y * y;
        }
    }
    if (i < n) {
        const double x = w[i] * dae_whole_row(E, newest, n, k + i), y = w[i] * dae_whole_row(F, newest, n, k + i);
        fine += x * x;
        coarse += y * y;
    }
    square[0] = fine;
    square[1] = coarse;
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
    const double e = i < n ? w[i] * dae_row_of_one(T->E[0], DAE_NO_STAGE, n, k + i) : 0;
    const double f = i < n ? w[i] * dae_row_of_one(T->E[1], DAE_NO_STAGE, n, k + i) : 0;
    square[0] = fine[0] + fine[1] + e * e;
    square[1] = coarse[0] + coarse[1] + f * f;
}

/* Y_row for row = 1 .. S */
static inline __attribute__((always_inline))
void dae_row_sums(const dae_tableau *T, int few, int row, int n, const double *k, const double *y, double h,
                  double *out)
{
    if (few)
        dae_few_sums(T->A[row], row - 1, n, k, y, h, out);
    else
        dae_many_sums(T->A[row], n, k, y, h, out);
}

#define DAE_FOR_ROWS(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)
#define DAE_CASE_ROW(row)                                                                         \
    case row:                                                                                     \
        dae_row_sums(T, few, row, n, k, y, h, out);                                               \
        break;
#define DAE_RUN_ROW(row)                                                                          \
    if (row < T->stages) {                                                                        \
        dae_row_sums(T, few, row, n, k, y, h, Y);                                                 \
        if (f(sys, t + T->c[row] * h, Y, k + (ptrdiff_t)row * n, Y + n))                          \
            return row;                                                                           \
    }

static inline __attribute__((always_inline))
void dae_one_row(const dae_tableau *T, int few, int row, int n, const double *k, const double *y, double h,
                 double *out)
{
    switch (row) {
        DAE_FOR_ROWS(DAE_CASE_ROW)
    }
}

static inline __attribute__((always_inline))
int dae_all_rows(const dae_tableau *T, int few, dae_system *sys, int n, double t, double h, const double *y, double *k,
                 double *Y)
{
    dae_explicit_map *const f = sys->explicit_map;
    DAE_FOR_ROWS(DAE_RUN_ROW)
    return 0;
}

#define DAE_ROWS_OF_SIZE(T, size, few, N)                                                         \
    static void T##_sum_##size(int row, int n, const double *k, const double *y, double h, double *out)  \
    {                                                                                             \
        (void)n;                                                                                  \
        dae_one_row(&T, few, row, N, k, y, h, out);                                               \
    }                                                                                             \
    static int T##_run_##size(dae_system *sys, int n, double t, double h, const double *y, double *k, double *Y)  \
    {                                                                                             \
        (void)n;                                                                                  \
        return dae_all_rows(&T, few, sys, N, t, h, y, k, Y);                                      \
    }                                                                                             \
    static void T##_squares_##size(int n, const double *k, const double *x, const double *y, double rtol,  \
                                   const double *atol, double *w, double *square)                 \
    {                                                                                             \
        (void)n;                                                                                  \
        dae_weigh(N, x, y, rtol, atol, w);                                                        \
        few ? dae_few_squares(&T, N, k, w, square) : dae_many_squares(&T, N, k, w, square);       \
    }

#define DAE_BY_ROW_SIZE(name) {name##_two, name##_three, name##_four, name##_few, name##_any}
#define DAE_STAGE_ROWS(T, name)                                                                   \
    DAE_ROWS_OF_SIZE(T, two, 1, 2)                                                                \
    DAE_ROWS_OF_SIZE(T, three, 1, 3)                                                              \
    DAE_ROWS_OF_SIZE(T, four, 1, 4)                                                               \
    DAE_ROWS_OF_SIZE(T, few, 1, n)                                                                \
    DAE_ROWS_OF_SIZE(T, any, 0, n)                                                                \
    static const dae_stage_rows name = {&T, DAE_BY_ROW_SIZE(T##_sum), DAE_BY_ROW_SIZE(T##_run),   \
                                        DAE_BY_ROW_SIZE(T##_squares)};

#endif
