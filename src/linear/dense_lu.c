/* dense_lu.c - one kernel source, compiled for the sizes 2 .. 6 with all loops written out and once
 * for any size
 *
 * With N known the entries stay in registers, and no counting stands between one pivot and the
 * next: single bodies (5, 6 unknowns) take two thirds of the time of the general loop. From 7
 * unknowns on the code would be large and gain nothing.
 *
 * A = LU by columns with the pivots in L and ones on the diagonal of U: only the entries of a
 * row of U that are not zero are scaled.
 */
#include "dense_lu.h"

#include <math.h>

#define SWAP(a, b)             \
    do {                       \
        const double c_ = (a); \
        (a) = (b);             \
        (b) = c_;              \
    } while (0)

/* (x, y) := (a + ib)(x + iy) */
static inline void multiply(double a, double b, double *x, double *y)
{
    const double c = *x, d = *y;
    *x = a * c - b * d;
    *y = a * d + b * c;
}

#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 6")
#else
#define UNROLL                  /* clang writes short loops out by itself */
#endif
#define N 2
#define SIZED(name) name##_2
#include "dense_kernel.h"
#undef N
#undef SIZED
#define N 3
#define SIZED(name) name##_3
#include "dense_kernel.h"
#undef N
#undef SIZED
#define N 4
#define SIZED(name) name##_4
#include "dense_kernel.h"
#undef N
#undef SIZED
#define N 5
#define SIZED(name) name##_5
#include "dense_kernel.h"
#undef N
#undef SIZED
#define N 6
#define SIZED(name) name##_6
#include "dense_kernel.h"
#undef N
#undef SIZED
#undef UNROLL
#define UNROLL
#define N n
#define SIZED(name) name##_n
#include "dense_kernel.h"
#undef N
#undef SIZED

typedef int factor_kernel(int, double *restrict, double *restrict, int *restrict);
typedef void solve_kernel(int, const double *restrict, const double *restrict,
                          const int *restrict, double *restrict, double *restrict);

enum { SIZES = 7 };
static factor_kernel *const factors[SIZES] = {factor_n, factor_n, factor_2, factor_3, factor_4,
                                              factor_5, factor_6};
static solve_kernel *const solves[SIZES] = {solve_n, solve_n, solve_2, solve_3, solve_4, solve_5,
                                            solve_6};

int dae_dense_factor(int n, double *re, double *im, int *pivot)
{
    return (n < SIZES ? factors[n] : factor_n)(n, re, im, pivot);
}

void dae_dense_solve(int n, const double *lu_re, const double *lu_im, const int *pivot, double *re,
                     double *im)
{
    (n < SIZES ? solves[n] : solve_n)(n, lu_re, lu_im, pivot, re, im);
}
