/* band_solve_kernel.h - right sides for the factors of band_kernel.h, included by sizes.h for each small N;
 * real ones, complex ones, and those of the transpose
 *
 * Columns of L are subtracted, from the next rows of x only: all of them are near. Rows of U are summed up
 * but for x of the row before, which is known last, so that little waits for it.
 */
#ifndef DAE_BAND_SUMS
#define DAE_BAND_SUMS
/* sum d[c] x[c] from c = 2 on, even and odd c apart: neither waits for the other */
static inline double band_sum(int columns, const double *d, const double *x)
{
    double even = 0, odd = 0;
    for (int c = 2; c <= columns; c += 2)
        even += d[c] * x[c];
    for (int c = 3; c <= columns; c += 2)
        odd += d[c] * x[c];
    return even + odd;
}

/* The same of d + i e and x + i y: *s + i *t */
static inline void band_sum_complex(int columns, const double *d, const double *e, const double *x,
                                    const double *y, double *s, double *t)
{
    *s = *t = 0;
    for (int c = 2; c <= columns; c++) {
        *s += d[c] * x[c] - e[c] * y[c];
        *t += d[c] * y[c] + e[c] * x[c];
    }
}

static inline void exchange(double *x, int p)
{
    const double z = x[0];
    x[0] = x[p];
    x[p] = z;
}
#endif

/* x[rows + 2 N] := A^-1 x, zeros behind the last row */
static void SIZED(band_solve_real)(int n, int rows, const double *a, const double *none, const int *pivot,
                                   const unsigned char *far, double *restrict x, double *restrict y)
{
    (void)n;
    (void)none;
    (void)y;
    for (int k = 0; k < rows; k++, x++) {
        const double *l = a + (ptrdiff_t)k * (3 * N + 1);
        if (pivot[k] > 0)
            exchange(x, pivot[k]);
        for (int r = 1; r <= N; r++)
            x[r] -= l[r - 1] * x[0];
    }
    for (int k = rows - 1; k >= 0; k--) {
        const double *d = a + (ptrdiff_t)k * (3 * N + 1) + N;
        x--;
        x[0] = (x[0] - (far[k] ? band_sum(2 * N, d, x) : band_sum(N, d, x))
                - d[1] * x[1]) * d[0];                  /* x[1] is known last */
    }
}

/* ---- complex ------------------------------------------------------------------------------ */

static void SIZED(band_solve)(int n, int rows, const double *re, const double *im, const int *pivot,
                              const unsigned char *far, double *restrict x, double *restrict y)
{
    (void)n;
    for (int k = 0; k < rows; k++, x++, y++) {
        const double *l = re + (ptrdiff_t)k * (3 * N + 1), *m = im + (ptrdiff_t)k * (3 * N + 1);
        if (pivot[k] > 0) {
            exchange(x, pivot[k]);
            exchange(y, pivot[k]);
        }
        for (int r = 1; r <= N; r++) {
            x[r] -= l[r - 1] * x[0] - m[r - 1] * y[0];
            y[r] -= l[r - 1] * y[0] + m[r - 1] * x[0];
        }
    }
    for (int k = rows - 1; k >= 0; k--) {
        const double *d = re + (ptrdiff_t)k * (3 * N + 1) + N, *e = im + (ptrdiff_t)k * (3 * N + 1) + N;
        double s, t;
        x--;
        y--;
        if (far[k])
            band_sum_complex(2 * N, d, e, x, y, &s, &t);
        else
            band_sum_complex(N, d, e, x, y, &s, &t);
        s = x[0] - s - (d[1] * x[1] - e[1] * y[1]);
        t = y[0] - t - (d[1] * y[1] + e[1] * x[1]);
        x[0] = s * d[0] - t * e[0];
        y[0] = s * e[0] + t * d[0];
    }
}

/* ---- with the transpose: rows of U are subtracted, columns of L summed up; im and y are NULL where it is real ---- */

static void SIZED(band_transposed)(int n, int rows, const double *re, const double *im, const int *pivot,
                                   const unsigned char *far, double *restrict x, double *restrict y)
{
    (void)n;
    for (int k = 0; k < rows; k++) {
        const ptrdiff_t at = (ptrdiff_t)k * (3 * N + 1) + N;
        const double *d = re + at, *e = y ? im + at : NULL;
        const double v = y ? x[k] * d[0] - y[k] * e[0] : x[k] * d[0], w = y ? x[k] * e[0] + y[k] * d[0] : 0;
        x[k] = v;
        for (int c = 1; c <= (far[k] ? 2 * N : N); c++)
            x[k + c] -= y ? d[c] * v - e[c] * w : d[c] * v;
        if (!y)
            continue;
        y[k] = w;
        for (int c = 1; c <= (far[k] ? 2 * N : N); c++)
            y[k + c] -= d[c] * w + e[c] * v;
    }
    for (int k = rows - 1; k >= 0; k--) {
        const ptrdiff_t at = (ptrdiff_t)k * (3 * N + 1) - 1;
        for (int r = 1; r <= N; r++) {
            x[k] -= y ? re[at + r] * x[k + r] - im[at + r] * y[k + r] : re[at + r] * x[k + r];
            if (y)
                y[k] -= re[at + r] * y[k + r] + im[at + r] * x[k + r];
        }
        if (pivot[k] > 0)
            exchange(x + k, pivot[k]);
        if (y && pivot[k] > 0)
            exchange(y + k, pivot[k]);
    }
}
