/* dense_kernel.h - LU of one size N, included by sizes.h once for each: real matrices, then complex ones */
#include "dense_kernel_real.h"

/* y := y - a x in the rows begin .. end-1 */
static inline void SIZED(subtract)(int begin, int end, double ar, double ai,
                                   const double *restrict xr, const double *restrict xi,
                                   double *restrict yr, double *restrict yi)
{
    UNROLL
    for (int i = begin; i < end; i++) {
        yr[i] -= ar * xr[i] - ai * xi[i];
        yi[i] -= ar * xi[i] + ai * xr[i];
    }
}

static int SIZED(factor)(int n, double *restrict re, double *restrict im,
                         const double *restrict size, double *restrict row, int *restrict pivot)
{
    SIZED(scale_rows)(n, 1, re, im, size, row);
    UNROLL
    for (int k = 0; k < N; k++) {
        double *lr = re + k * N, *li = im + k * N;
        const int p = SIZED(find_pivot)(n, k, 1, lr, li, row);
        if (p < 0)
            return k;
        pivot[k] = p;
        if (p != k) {
            row[p] = row[k];
            for (int j = 0; j < N; j++) {
                SWAP(re[j * N + p], re[j * N + k]);
                SWAP(im[j * N + p], im[j * N + k]);
            }
        }
        if (!invert(&lr[k], &li[k]))
            return k;
        UNROLL
        for (int j = k + 1; j < N; j++) {
            double *ur = re + j * N, *ui = im + j * N;
            if (ur[k] == 0 && ui[k] == 0)
                continue;                               /* pencils have many zeros */
            multiply(lr[k], li[k], &ur[k], &ui[k]);
            SIZED(subtract)(k + 1, N, ur[k], ui[k], lr, li, ur, ui);
        }
    }
    return -1;
}

static void SIZED(solve)(int n, const double *restrict lr, const double *restrict li,
                         const int *restrict pivot, double *restrict re, double *restrict im)
{
    (void)n;
    for (int k = 0; k < N; k++)
        if (pivot[k] != k) {
            SWAP(re[pivot[k]], re[k]);
            SWAP(im[pivot[k]], im[k]);
        }
    UNROLL
    for (int k = 0; k < N; k++) {                       /* x = L\x, column by column */
        multiply(lr[k * N + k], li[k * N + k], &re[k], &im[k]);
        SIZED(subtract)(k + 1, N, re[k], im[k], lr + k * N, li + k * N, re, im);
    }
    UNROLL
    for (int k = N - 1; k > 0; k--)                     /* x = U\x */
        SIZED(subtract)(0, k, re[k], im[k], lr + k * N, li + k * N, re, im);
}
