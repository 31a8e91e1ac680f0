/* structured_kernel.h - elimination of the positions where N unknowns are left, included by sizes.h
 * once for each */
#include "dense_kernel.h"

/* S := M_z - gamma J_z - gamma^2 [J_q 0], gamma = a + ib; J_q is kept for the right-hand sides.
 * J and M point to the first row below those of q' = v. */
static inline void SIZED(reduce)(int n, int nq, int complex, double a, double b, const double *restrict J,
                                 const double *restrict M, double *restrict re, double *restrict im,
                                 double *restrict J_q)
{
    const int all = n + nq;
    const double c = complex ? a * a - b * b : a * a, d = 2 * a * b;
    UNROLL
    for (int j = 0; j < N; j++) {
        const double *by_q = J + j * all, *by_z = by_q + nq * all;
        if (j < nq) {
            UNROLL
            for (int i = 0; i < N; i++) {
                const double x = by_q[i], z = by_z[i], m = i == j ? M[(nq + j) * all + j] : 0;
                J_q[j * N + i] = x;
                re[j * N + i] = m - a * z - c * x;
                if (complex)
                    im[j * N + i] = -b * z - d * x;
            }
        } else {
            UNROLL
            for (int i = 0; i < N; i++) {
                re[j * N + i] = -a * by_z[i];
                if (complex)
                    im[j * N + i] = -b * by_z[i];
            }
        }
    }
}

static dae_factored SIZED(structured_factor)(void *self, const dae_matrix_pair *pair, double a, double b)
{
    structured *s = self;
    const int n = s->m, nq = s->nq;
    SIZED(reduce)(n, nq, 1, a, b, pair->J + nq, pair->M + nq, s->re, s->im, s->J_q);
    const int column = SIZED(factor)(n, s->re, s->im, pair->size + nq, s->row, s->pivot);
    return dae_factored_to(column, nq);
}

/* z := z + gamma J_q q */
static inline void SIZED(move)(int n, int nq, double a, double b, const double *restrict J_q,
                               const double *restrict q_re, const double *restrict q_im,
                               double *restrict z_re, double *restrict z_im)
{
    UNROLL
    for (int j = 0; j < N && j < nq; j++) {
        const double x = a * q_re[j] - b * q_im[j], y = a * q_im[j] + b * q_re[j];
        UNROLL
        for (int i = 0; i < N; i++) {
            z_re[i] += J_q[j * N + i] * x;
            z_im[i] += J_q[j * N + i] * y;
        }
    }
    (void)n;
}

/* q := q + gamma v */
static inline void SIZED(recover)(int n, int nq, double a, double b, const double *restrict v_re,
                                  const double *restrict v_im, double *restrict q_re,
                                  double *restrict q_im)
{
    UNROLL
    for (int j = 0; j < N && j < nq; j++) {
        q_re[j] += a * v_re[j] - b * v_im[j];
        q_im[j] += a * v_im[j] + b * v_re[j];
    }
    (void)n;
}

static int SIZED(structured_solve)(void *self, double *re, double *im)
{
    const structured *s = self;
    const int n = s->m, nq = s->nq;
    const double a = s->gamma_re, b = s->gamma_im;
    SIZED(move)(n, nq, a, b, s->J_q, re, im, re + nq, im + nq);
    SIZED(solve)(n, s->re, s->im, s->pivot, re + nq, im + nq);
    SIZED(recover)(n, nq, a, b, re + nq, im + nq, re, im);
    return 1;
}

static dae_factored SIZED(structured_factor_real)(void *self, const dae_matrix_pair *pair,
                                                  double gamma)
{
    structured *s = self;
    const int n = s->m, nq = s->nq;
    s->gamma_re = gamma;
    SIZED(reduce)(n, nq, 0, gamma, 0, pair->J + nq, pair->M + nq, s->re, NULL, s->J_q);
    return dae_factored_to(SIZED(factor_real)(n, s->re, pair->size + nq, s->row, s->pivot), nq);
}

static int SIZED(structured_solve_real)(void *self, double *b)
{
    const structured *s = self;
    const int n = s->m, nq = s->nq;
    const double gamma = s->gamma_re, *restrict J_q = s->J_q;
    double *restrict q = b, *restrict z = b + nq;
    UNROLL
    for (int j = 0; j < N && j < nq; j++) {
        const double x = gamma * q[j];
        UNROLL
        for (int i = 0; i < N; i++)
            z[i] += J_q[j * N + i] * x;
    }
    SIZED(solve_real)(n, s->re, s->pivot, z);
    UNROLL
    for (int j = 0; j < N && j < nq; j++)
        q[j] += gamma * z[j];
    return 1;
}

static const dae_linear_backend SIZED(structured) =
    BACKEND(factor_structured, solve_structured, NULL, SIZED(structured_factor_real),
            SIZED(structured_solve_real));
