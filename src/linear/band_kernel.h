/* band_kernel.h - LU of matrices of bandwidth N to both sides, included by sizes.h for each small N:
 * complex ones with real and imaginary parts apart, and real ones, which have no im
 *
 * Row k of an array has 3 N + 1 places. Entry (k, j) stands at N + j - k: N left of the diagonal, N right of
 * it, and N more, which exchanges of rows fill. What is left of the diagonal is eliminated when row k
 * becomes a pivot's; its multipliers are then kept there. Below the last row there are N of zeros, so that
 * no loop asks where the matrix ends.
 */
#ifndef DAE_BAND_ROWS
#define DAE_BAND_ROWS
/* A diagonal entry is kept as a pivot where no other of its column is ten times as large: that saves
 * exchanges, and what they fill. */
static const double BAND_KEEPS = 0.1;

/* What an elimination changes in a row by less than this part of its largest entry is left out. What the moving end
 * of a straight chain leaves in the factors falls from row to row, else through numbers below the smallest normal
 * one, 2^-1022, which a processor takes a hundred times as long for. */
static const double BAND_NOTHING = 0x1p-208;            /* eps^4: no digit of a solution has it */

static inline void exchange_rows(int count, double *restrict x, double *restrict y)
{
    for (int c = 0; c < count; c++) {
        const double z = x[c];
        x[c] = y[c];
        y[c] = z;
    }
}

static inline int invert_real(double *d)
{
    d[0] = 1 / d[0];
    return fabs(d[0]) < HUGE_VAL;
}
#endif

/* How far below row k the pivot of column k is; -1 where an entry is not finite. re, im: at (k, k), column entries
 * being `step` apart */
static inline int SIZED(band_pivot)(int n, int complex, const double *re, const double *im, const double *row)
{
    (void)n;
    const double own = (complex ? fabs(re[0]) + fabs(im[0]) : fabs(re[0])) * row[0];
    double largest = own, sum = own;
    int p = 0;
    UNROLL
    for (int r = 1; r <= N; r++) {
        const double size = (complex ? fabs(re[3 * N * r]) + fabs(im[3 * N * r]) : fabs(re[3 * N * r])) * row[r];
        sum += size;
        if (UNLIKELY(size > largest)) {
            largest = size;
            p = r;
        }
    }
    return !(sum < HUGE_VAL) ? -1 : BAND_KEEPS * largest <= own ? 0 : p;
}

/* Rows below a pivot, in as many columns behind it; own: the scale of its row, row[r] of the r-th below. */
static inline void SIZED(band_eliminate)(int n, int columns, double own, const double *restrict row, double *restrict d)
{
    (void)n;
    UNROLL
    for (int r = 1; r <= N; r++) {
        double *restrict x = d + 3 * N * r;
        const double l = x[0] * d[0];
        if (fabs(l) * row[r] < BAND_NOTHING * own) {
            d[r - 1 - N] = 0;
            continue;
        }
        d[r - 1 - N] = l;
        for (int c = 1; c <= columns; c++)
            x[c] -= l * d[c];
    }
}

static inline void SIZED(band_eliminate_complex)(int n, int columns, double own, const double *restrict row,
                                                 double *restrict re, double *restrict im)
{
    (void)n;
    UNROLL
    for (int r = 1; r <= N; r++) {
        double *restrict x = re + 3 * N * r, *restrict y = im + 3 * N * r;
        const double l = x[0] * re[0] - y[0] * im[0], m = x[0] * im[0] + y[0] * re[0];
        if ((fabs(l) + fabs(m)) * row[r] < BAND_NOTHING * own) {
            re[r - 1 - N] = im[r - 1 - N] = 0;
            continue;
        }
        re[r - 1 - N] = l;
        im[r - 1 - N] = m;
        for (int c = 1; c <= columns; c++) {
            x[c] -= l * re[c] - m * im[c];
            y[c] -= l * im[c] + m * re[c];
        }
    }
}

/* A = LU in place for `rows` rows, pivots inverted; row[rows + N] scales, permuted; far[k]: 1 where row k has
 * entries farther than N behind its pivot. The row without a pivot, or -1. */
static inline __attribute__((always_inline))
int SIZED(band_factor_any)(int n, int complex, int rows, double *restrict re, double *restrict im,
                           double *restrict row, int *restrict pivot, unsigned char *restrict far)
{
    int reach = 0;                                      /* the last column that exchanges have filled */
    for (int k = 0; k < rows; k++) {
        double *d = re + (ptrdiff_t)k * (3 * N + 1) + N, *e = complex ? im + (ptrdiff_t)k * (3 * N + 1) + N : NULL;
        const int p = SIZED(band_pivot)(n, complex, d, e, row + k);
        if (p < 0)
            return k;
        const double own = row[k + p];
        pivot[k] = p;
        if (p > 0) {
            exchange_rows(2 * N + 1, d, d + 3 * N * p);
            if (complex)
                exchange_rows(2 * N + 1, e, e + 3 * N * p);
            row[k + p] = row[k];
            reach = k + p + N > reach ? k + p + N : reach;
        }
        if (!(complex ? invert(d, e) : invert_real(d)))
            return k;
        far[k] = reach > k + N;
        if (complex && far[k])
            SIZED(band_eliminate_complex)(n, 2 * N, own, row + k, d, e);
        else if (complex)
            SIZED(band_eliminate_complex)(n, N, own, row + k, d, e);
        else if (far[k])
            SIZED(band_eliminate)(n, 2 * N, own, row + k, d);
        else
            SIZED(band_eliminate)(n, N, own, row + k, d);
    }
    return -1;
}

static int SIZED(band_factor)(int n, int rows, double *restrict re, double *restrict im, double *restrict row,
                              int *restrict pivot, unsigned char *restrict far)
{
    return SIZED(band_factor_any)(n, 1, rows, re, im, row, pivot, far);
}

static int SIZED(band_factor_real)(int n, int rows, double *restrict re, double *restrict im, double *restrict row,
                                   int *restrict pivot, unsigned char *restrict far)
{
    return SIZED(band_factor_any)(n, 0, rows, re, im, row, pivot, far);
}
