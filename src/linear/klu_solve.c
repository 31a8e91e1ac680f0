/* klu_solve.c - right sides for the factors of KLU: S of eliminate.h with scales R of rows and C of columns
 *
 *     S k_z = r_z + gamma J_q r_q,             k_q = r_q + gamma k_v,           S^-1 = C (R S C)^-1 R
 */
#include "klu_pencil.h"

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

int dae_klu_solve(void *pencil, double *re, double *im)
{
    dae_klu_pencil *s = pencil;
    reduce(s, re, im, s->b);
    const int solved = klu_z_solve(dae_klu_symbolic(s->shared), s->numeric, s->n, 1, s->b, &s->common);
    recover(s, s->b, re, im);
    return solved;
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

int dae_klu_solve_real(void *pencil, double *b)
{
    dae_klu_pencil *s = pencil;
    double *z = b + s->shared->matrix.nq;
    reduce_real(s, b);
    const int solved = klu_solve(dae_klu_symbolic(s->shared), s->numeric, s->n, 1, z, &s->common);
    recover_real(s, b);
    return solved;
}
