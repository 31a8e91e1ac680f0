/* band_solve.c - right sides for the factors of a band: S of eliminate.h, as in klu_solve.c
 *
 *     S k_z = r_z + gamma J_q r_q,             k_q = r_q + gamma k_v
 */
#include "band_pencil.h"

#include <string.h>

#define BAND_KERNEL "linear/band_solve_kernel.h"
#include "band_sizes.h"

typedef void solution_real(int, int, const double *, const int *, const unsigned char *, double *);
typedef void solution(int, int, const double *, const double *, const int *, const unsigned char *, double *,
                      double *);
static solution_real *const solutions_real[BAND_SIZES] = BAND_BY_SIZE(band_solve_real);
static solution *const solutions[BAND_SIZES] = BAND_BY_SIZE(band_solve);

/* z[rows] into the order of the band, zeros behind it */
static void put_in_order(const dae_band_analysis *a, const double *z, double *x)
{
    const int rows = dae_band_rows(a);
    for (int i = 0; i < rows; i++)
        x[i] = z[a->order[i]];
    memset(x + rows, 0, 2 * (size_t)a->K * sizeof *x);
}

static void take_back(const dae_band_analysis *a, const double *x, double *z)
{
    const int rows = dae_band_rows(a);
    for (int i = 0; i < rows; i++)
        z[a->order[i]] = x[i];
}

/* q += gamma v */
static void add_velocities(const dae_band *b, const double *v_re, const double *v_im, double *re, double *im)
{
    const double c = b->gamma_re, d = b->gamma_im;
    for (int j = 0; j < b->shared->matrix.nq; j++) {
        re[j] += c * v_re[j] - d * v_im[j];
        im[j] += c * v_im[j] + d * v_re[j];
    }
}

static void add_velocities_real(const dae_band *b, const double *v, double *q)
{
    for (int j = 0; j < b->shared->matrix.nq; j++)
        q[j] += b->gamma_re * v[j];
}

/* ---- complex ------------------------------------------------------------------------------ */

static void solve(const dae_band *b, double *z_re, double *z_im)
{
    const dae_band_analysis *a = b->shared;
    const int rows = dae_band_rows(a), K = a->K;
    double *x = a->x, *y = x + rows + 2 * K;
    put_in_order(a, z_re, x);
    put_in_order(a, z_im, y);
    solutions[band_kernel_of(K)](K, rows, b->re, b->im, b->pivot, b->far, x, y);
    take_back(a, x, z_re);
    take_back(a, y, z_im);
}

int dae_band_solve(void *pencil, double *re, double *im)
{
    const dae_band *b = pencil;
    const dae_elimination *e = &b->shared->matrix;
    dae_add_positions_complex(e, b->gamma_re, b->gamma_im, b->J_q, re, im);
    solve(b, re + e->nq, im + e->nq);
    add_velocities(b, re + e->nq, im + e->nq, re, im);
    return 1;
}

/* ---- real --------------------------------------------------------------------------------- */

static void solve_real(const dae_band *b, double *z)
{
    const dae_band_analysis *a = b->shared;
    put_in_order(a, z, a->x);
    solutions_real[band_kernel_of(a->K)](a->K, dae_band_rows(a), b->re, b->pivot, b->far, a->x);
    take_back(a, a->x, z);
}

int dae_band_solve_real(void *pencil, double *r)
{
    const dae_band *b = pencil;
    const dae_elimination *e = &b->shared->matrix;
    dae_add_positions(e, b->gamma_re, b->J_q, r);
    solve_real(b, r + e->nq);
    add_velocities_real(b, r + e->nq, r);
    return 1;
}
