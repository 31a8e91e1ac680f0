/* klu_solve.c - right sides for the factors of KLU: S of eliminate.h with scales R of rows and C of columns
 *
 *     S k_z = r_z + gamma J_q r_q,             k_q = r_q + gamma k_v,           S^-1 = C (R S C)^-1 R
 *     S^T x_z = b_z + gamma (b_q, 0),          x_q = b_q + gamma J_q^T x_z,     S^-T = R (R S C)^-T C
 *
 * KLU reads its factors once for up to four right sides, and does to each what it would do to it
 * alone.
 */
#include "klu_pencil.h"

#include <stdlib.h>

enum { TOGETHER = 4 };

/* ---- complex ------------------------------------------------------------------------------ */

/* x *= d, of pairs */
static void scale_pairs(int n, const double *restrict d, double *restrict x)
{
    for (int i = 0; i < n; i++) {
        x[2 * i] *= d[i];
        x[2 * i + 1] *= d[i];
    }
}

static void scale(int n, const double *restrict d, double *restrict x)
{
    for (int i = 0; i < n; i++)
        x[i] *= d[i];
}

/* x := R (r_z + gamma J_q r_q), in pairs; r_z becomes that sum */
static void reduce(const dae_klu_pencil *s, double *re, double *im, double *x)
{
    const dae_elimination *e = &s->shared->matrix;
    const int nq = e->nq;
    dae_add_positions_complex(e, s->gamma_re, s->gamma_im, s->J_q, re, im);
    for (int i = 0; i < s->n; i++) {
        x[2 * i] = s->row[i] * re[nq + i];
        x[2 * i + 1] = s->row[i] * im[nq + i];
    }
}

/* k from (R S C)^-1 of that */
static void recover(const dae_klu_pencil *s, double *x, double *re, double *im)
{
    const double a = s->gamma_re, b = s->gamma_im;
    const int nq = s->shared->matrix.nq;
    scale_pairs(s->n, s->column, x);
    for (int i = 0; i < s->n; i++) {
        re[nq + i] = x[2 * i];
        im[nq + i] = x[2 * i + 1];
    }
    for (int j = 0; j < nq; j++) {
        re[j] += a * x[2 * j] - b * x[2 * j + 1];
        im[j] += a * x[2 * j + 1] + b * x[2 * j];
    }
}

/* x := C (b_z + gamma (b_q, 0)) */
static void reduce_transposed(const dae_klu_pencil *s, double *re, double *im, double *x)
{
    const double a = s->gamma_re, b = s->gamma_im;
    const int nq = s->shared->matrix.nq;
    for (int i = 0; i < s->n; i++) {
        x[2 * i] = re[nq + i];
        x[2 * i + 1] = im[nq + i];
    }
    for (int j = 0; j < nq; j++) {
        x[2 * j] += a * re[j] - b * im[j];
        x[2 * j + 1] += a * im[j] + b * re[j];
    }
    scale_pairs(s->n, s->column, x);
}

/* The solution from (R S C)^-T of that */
static void recover_transposed(const dae_klu_pencil *s, double *x, double *re, double *im)
{
    const dae_elimination *e = &s->shared->matrix;
    const double a = s->gamma_re, b = s->gamma_im;
    const int nq = e->nq;
    scale_pairs(s->n, s->row, x);
    for (int i = 0; i < s->n; i++) {
        re[nq + i] = x[2 * i];
        im[nq + i] = x[2 * i + 1];
    }
    for (int j = 0; j < nq; j++) {
        double c = 0, d = 0;
        DAE_FOR_ENTRIES_BELOW(k, e, j) {
            const int i = e->full.row[k] - nq;
            c += s->J_q[k] * x[2 * i];
            d += s->J_q[k] * x[2 * i + 1];
        }
        re[j] += a * c - b * d;
        im[j] += a * d + b * c;
    }
}

/* Up to TOGETHER right sides, with room for them in x. */
static int solve(dae_klu_pencil *s, int transposed, int count, double *re, double *im, double *x)
{
    const size_t n = (size_t)s->n, all = (size_t)s->shared->matrix.full.n;
    klu_symbolic *symbolic = dae_klu_symbolic(s->shared);
    for (size_t c = 0; c < (size_t)count; c++)
        (transposed ? reduce_transposed : reduce)(s, re + c * all, im + c * all, x + 2 * c * n);
    if (transposed ? !klu_z_tsolve(symbolic, s->numeric, s->n, count, x, 0, &s->common)
                   : !klu_z_solve(symbolic, s->numeric, s->n, count, x, &s->common))
        return 0;
    for (size_t c = 0; c < (size_t)count; c++)
        if (transposed)
            recover_transposed(s, x + 2 * c * n, re + c * all, im + c * all);
        else
            recover(s, x + 2 * c * n, re + c * all, im + c * all);
    return 1;
}

int dae_klu_solve(void *pencil, double *re, double *im)
{
    dae_klu_pencil *s = pencil;
    return solve(s, 0, 1, re, im, s->b);
}

int dae_klu_solve_transposed(void *pencil, double *re, double *im)
{
    dae_klu_pencil *s = pencil;
    return solve(s, 1, 1, re, im, s->b);
}

/* Without memory for several, one by one. */
int dae_klu_solve_block(void *pencil, int transposed, int count, double *re, double *im)
{
    dae_klu_pencil *s = pencil;
    const size_t all = (size_t)s->shared->matrix.full.n;
    if (!s->block && count > 1)
        s->block = malloc(2 * (size_t)s->n * TOGETHER * sizeof *s->block);
    const int most = s->block ? TOGETHER : 1;
    double *x = s->block ? s->block : s->b;
    for (int done = 0, now; done < count; done += now, re += (size_t)now * all, im += (size_t)now * all) {
        now = count - done < most ? count - done : most;
        if (!solve(s, transposed, now, re, im, x))
            return 0;
    }
    return 1;
}

/* ---- real: KLU works in place ------------------------------------------------------------- */

static void reduce_real(const dae_klu_pencil *s, double *r)
{
    const dae_elimination *e = &s->shared->matrix;
    dae_add_positions(e, s->gamma_re, s->J_q, r);
    scale(s->n, s->row, r + e->nq);
}

static void recover_real(const dae_klu_pencil *s, double *r)
{
    const int nq = s->shared->matrix.nq;
    scale(s->n, s->column, r + nq);
    for (int j = 0; j < nq; j++)
        r[j] += s->gamma_re * r[nq + j];
}

static void reduce_transposed_real(const dae_klu_pencil *s, double *b)
{
    const int nq = s->shared->matrix.nq;
    for (int j = 0; j < nq; j++)
        b[nq + j] += s->gamma_re * b[j];
    scale(s->n, s->column, b + nq);
}

static void recover_transposed_real(const dae_klu_pencil *s, double *b)
{
    const dae_elimination *e = &s->shared->matrix;
    scale(s->n, s->row, b + e->nq);
    for (int j = 0; j < e->nq; j++) {
        double x = 0;
        DAE_FOR_ENTRIES_BELOW(k, e, j)
            x += s->J_q[k] * b[e->full.row[k]];
        b[j] += s->gamma_re * x;
    }
}

int dae_klu_solve_block_real(void *pencil, int transposed, int count, double *b)
{
    dae_klu_pencil *s = pencil;
    const int all = s->shared->matrix.full.n;
    double *z = b + s->shared->matrix.nq;
    klu_symbolic *symbolic = dae_klu_symbolic(s->shared);
    for (int c = 0; c < count; c++)
        (transposed ? reduce_transposed_real : reduce_real)(s, b + (size_t)c * (size_t)all);
    if (transposed ? !klu_tsolve(symbolic, s->numeric, all, count, z, &s->common)
                   : !klu_solve(symbolic, s->numeric, all, count, z, &s->common))
        return 0;
    for (int c = 0; c < count; c++)
        (transposed ? recover_transposed_real : recover_real)(s, b + (size_t)c * (size_t)all);
    return 1;
}

int dae_klu_solve_real(void *pencil, double *b)
{
    return dae_klu_solve_block_real(pencil, 0, 1, b);
}

int dae_klu_solve_transposed_real(void *pencil, double *b)
{
    return dae_klu_solve_block_real(pencil, 1, 1, b);
}
