/* stage_sums.h - y + h sum_j a_j k_j over the terms of a tableau's row that are not zero */
#ifndef DAE_STAGE_SUMS_H
#define DAE_STAGE_SUMS_H

typedef struct {
    double a;
    const double *k;            /* [n] a stage */
} dae_term;

/* Two unknowns in one register (a vector type of gcc and clang). */
typedef double dae_pair __attribute__((vector_size(16), aligned(8), may_alias));

/* sum_j a_j k_j of unknowns m .. m+3 */
static inline void dae_sum_four(const dae_term *begin, const dae_term *end, int m, double *sum)
{
    dae_pair s0 = {0, 0}, s1 = {0, 0};
    for (const dae_term *x = begin; x < end; x++) {
        const dae_pair *k = (const dae_pair *)(x->k + m);
        s0 += x->a * k[0];
        s1 += x->a * k[1];
    }
    sum[0] = s0[0];
    sum[1] = s0[1];
    sum[2] = s1[0];
    sum[3] = s1[1];
}

/* out[n] := y + h sum_j a_j k_j */
static inline void dae_add_stages(const dae_term *begin, const dae_term *end, int n,
                                  const double *y, double h, double *out)
{
    double sum[4];
    int m = 0;
    for (; m + 4 <= n; m += 4) {
        dae_sum_four(begin, end, m, sum);
        for (int i = 0; i < 4; i++)
            out[m + i] = y[m + i] + h * sum[i];
    }
    for (; m < n; m++) {
        sum[0] = 0;
        for (const dae_term *x = begin; x < end; x++)
            sum[0] += x->a * x->k[m];
        out[m] = y[m] + h * sum[0];
    }
}

#endif
