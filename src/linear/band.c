/* band.c - sparse pencils whose unknowns have an order that leaves a narrow band
 *
 * Positions are eliminated (eliminate.h), the others put into an order of small bandwidth (band_order.h),
 * and the band is factored with scaled pivots, which stay inside twice the band above the diagonal (Golub,
 * Van Loan (2013), Matrix Computations, 4.3.3). The growth of what is left is bounded as by all
 * such pivots, whatever the values: nothing is kept of earlier factors that would have to be checked.
 * As in dense_lu.h, the pivot is the largest of its column beside the largest of its row, each
 * in the size of its unknown, so that no unit chooses it; but the diagonal entry is taken if it is a tenth
 * of that.
 */
#include "band_pencil.h"

#include "band_order.h"
#include "multiply.h"
#include "pivoting.h"
#include "base/parts.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL "linear/band_kernel.h"
#include "base/sizes.h"

/* Numbers in an array of factors. */
static size_t room(const dae_band_analysis *a)
{
    return ((size_t)dae_band_rows(a) + (size_t)a->K) * (3 * (size_t)a->K + 1);
}

/* ---- the analysis ------------------------------------------------------------------------- */

static void release(void *shared)
{
    dae_band_analysis *a = shared;
    if (!a || --a->users > 0)
        return;
    dae_elimination_free(&a->matrix);
    free(a->order);
    free(a->size);
    free(a);
}

/* at[nnz]: entry (i, j) of S in row place[i], place[j] - place[i] behind its diagonal; by columns of J, those of
 * positions and their velocities both standing for a velocity */
static void find_places(dae_band_analysis *a)
{
    const dae_pattern *p = &a->matrix.full;
    const int nq = a->matrix.nq, K = a->K, width = 3 * K + 1;
    for (int i = 0; i < dae_band_rows(a); i++)
        a->place[a->order[i]] = i;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++) {
            const int i = p->row[k] < nq ? -1 : a->place[p->row[k] - nq];
            a->at[k] = i < 0 ? -1 : i * width + K + a->place[j < nq ? j : j - nq] - i;
        }
}

static int allocate(dae_band_analysis *a)
{
    const size_t rows = (size_t)dae_band_rows(a), K = (size_t)a->K;
    return DAE_PARTS(a,
                     DAE_PART(dae_band_analysis, size, rows + 2 * K), DAE_PART(dae_band_analysis, row, rows + K),
                     DAE_PART(dae_band_analysis, x, 2 * (rows + 2 * K)),
                     DAE_PART(dae_band_analysis, at, a->matrix.full.nnz))
           != NULL;
}

/* NULL: no memory, also where the band has more places than an int counts. */
static dae_band_analysis *analyse(const dae_matrix_pair *pair)
{
    dae_band_analysis *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->users = 1;
    int made = dae_elimination_create(&a->matrix, pair);
    a->order = made ? malloc((2 * (size_t)dae_band_rows(a) + 1) * sizeof *a->order) : NULL;
    a->K = a->order ? dae_band_order(&a->matrix.S, a->order) : -1;
    a->K = a->K == 0 ? 1 : a->K;
    if (a->K < 0 || room(a) > INT_MAX || !allocate(a)) {
        release(a);
        return NULL;
    }
    a->place = a->order + dae_band_rows(a);
    dae_elimination_forget(&a->matrix);
    find_places(a);
    return a;
}

int dae_band_analyse(dae_matrix_pair *pair, dae_band_size *size)
{
    dae_band_analysis *a = analyse(pair);
    if (!a)
        return 0;
    *size = (dae_band_size){dae_band_rows(a), a->matrix.S.nnz, a->K};
    pair->shared = a;
    pair->release = release;
    return 1;
}

int dae_band_is_shared(const dae_matrix_pair *pair)
{
    return pair->shared && pair->release == release;
}

/* ---- one pencil --------------------------------------------------------------------------- */

static void band_free(void *self)
{
    dae_band *b = self;
    release(b->shared);
    free(b->re);
    free(b->im);
    free(b->J_q);
    free(b->pivot);
    free(b->far);
    free(b);
}

static void *band_create(dae_matrix_pair *pair)
{
    dae_band *b = calloc(1, sizeof *b);
    dae_band_size size;
    if (!b)
        return NULL;
    if (!pair->shared)
        dae_band_analyse(pair, &size);
    b->shared = dae_band_is_shared(pair) ? pair->shared : analyse(pair);    /* that of KLU is there */
    if (!b->shared) {
        band_free(b);
        return NULL;
    }
    b->shared->users += dae_band_is_shared(pair);
    return b;
}

/* For factors, with an imaginary part or without; what is there stays. Many pencils are never factored: those of the
 * orders that a method with several does not take. */
static int make_room(dae_band *b, int complex)
{
    const dae_elimination *e = &b->shared->matrix;
    if (!b->re) {
        b->re = malloc(room(b->shared) * sizeof *b->re);
        b->J_q = malloc(((size_t)e->full.column[e->nq] + 1) * sizeof *b->J_q);
        b->pivot = malloc(((size_t)e->S.n + 1) * sizeof *b->pivot);
        b->far = malloc((size_t)e->S.n + 1);
    }
    if (complex && !b->im)
        b->im = malloc(room(b->shared) * sizeof *b->im);
    return b->re && b->J_q && b->pivot && b->far && (b->im || !complex);
}

static long band_fill(const void *self)
{
    const dae_band *b = self;
    return (long)dae_band_rows(b->shared) * (3 * b->shared->K + 1);
}

/* ---- factors ------------------------------------------------------------------------------ */

/* S of eliminate.h in the band; its imaginary part in im, if that is given */
static void assemble(const dae_band *b, const dae_matrix_pair *pair, double *im)
{
    const dae_elimination *e = &b->shared->matrix;
    const int positions = e->full.column[e->nq], *at = b->shared->at;
    const double *M = pair->M, *J = pair->J;
    const double c = b->gamma_re, d = b->gamma_im, square_re = c * c - d * d, square_im = 2 * c * d;
    for (int k = 0; k < positions; k++)
        if (at[k] >= 0)
            b->re[at[k]] = -square_re * J[k];
    for (int k = positions; k < e->full.nnz; k++)
        if (at[k] >= 0)
            b->re[at[k]] += M[k] - c * J[k];
    if (!im)
        return;
    for (int k = 0; k < positions; k++)
        if (at[k] >= 0)
            im[at[k]] = -square_im * J[k];
    for (int k = positions; k < e->full.nnz; k++)
        if (at[k] >= 0)
            im[at[k]] -= d * J[k];
}

/* row[rows] := 1/max |a_ij| size_j; im is NULL for a real band */
static void scale_rows(const dae_band *b, const dae_matrix_pair *pair, const double *im)
{
    const dae_band_analysis *a = b->shared;
    const int rows = dae_band_rows(a), K = a->K;
    double *size = a->size + K;
    for (int i = 0; i < rows; i++)
        size[i] = pair->size[a->matrix.nq + a->order[i]];
    for (int i = 0; i < rows; i++) {
        const size_t begins = (size_t)i * (3 * (size_t)K + 1);
        double largest = 0;
        for (int c = 0; c <= 2 * K; c++) {
            const double y = im ? fabs(im[begins + (size_t)c]) : 0;
            const double x = (fabs(b->re[begins + (size_t)c]) + y) * a->size[i + c];
            largest = x > largest ? x : largest;
        }
        a->row[i] = largest > 0 ? 1 / largest : 1;
    }
    for (int i = rows; i < rows + K; i++)
        a->row[i] = 0;
}

static dae_factored factored_to(const dae_band *b, int row)
{
    return row < 0 ? dae_factored_well() : dae_singular_at(b->shared->matrix.nq + b->shared->order[row]);
}

typedef int real_factors(int, int, double *, double *, int *, unsigned char *);
typedef int complex_factors(int, int, double *, double *, double *, int *, unsigned char *);
static real_factors *const factors_real[SIZES] = BY_SIZE(band_factor_real);
static complex_factors *const factors[SIZES] = BY_SIZE(band_factor);

/* Once, in the order that there is; real where im is NULL */
static dae_factored factor_in_order(dae_band *b, const dae_matrix_pair *pair, double *im)
{
    const dae_band_analysis *a = b->shared;
    const int kernel = a->K < SIZES ? a->K : 0, rows = dae_band_rows(a);
    memset(b->re, 0, room(a) * sizeof *b->re);
    if (im)
        memset(im, 0, room(a) * sizeof *im);
    assemble(b, pair, im);
    scale_rows(b, pair, im);
    return factored_to(b, im ? factors[kernel](a->K, rows, b->re, im, a->row, b->pivot, b->far)
                             : factors_real[kernel](a->K, rows, b->re, a->row, b->pivot, b->far));
}

static void turn_round(dae_band_analysis *a)
{
    const int rows = dae_band_rows(a);
    for (int i = 0; i < rows / 2; i++) {
        const int x = a->order[i];
        a->order[i] = a->order[rows - 1 - i];
        a->order[rows - 1 - i] = x;
    }
    find_places(a);
}

static int far_rows(const dae_band *b)
{
    int count = 0;
    for (int i = 0; i < dae_band_rows(b->shared); i++)
        count += b->far[i];
    return count;
}

/* The first factors of a pair's pencils, with entries exchanged in a tenth of the rows or more, are made in the
 * order from the other end, too, and all others in that which exchanges less: of a straight chain the tension
 * next to the wall has no pivot as long as nothing behind it is eliminated. */
static dae_factored choose_direction(dae_band *b, const dae_matrix_pair *pair, double *im)
{
    dae_band_analysis *a = b->shared;
    const dae_factored first = factor_in_order(b, pair, im);
    if (first.status || a->directed++ > 0)
        return first;
    const int far = far_rows(b);
    if (10 * far <= dae_band_rows(a))
        return first;
    turn_round(a);
    const dae_factored other = factor_in_order(b, pair, im);
    if (!other.status && far_rows(b) < far)
        return other;
    turn_round(a);
    return factor_in_order(b, pair, im);
}

static dae_factored factor(dae_band *b, const dae_matrix_pair *pair, double gamma_re, double gamma_im, int complex)
{
    if (!make_room(b, complex))
        return (dae_factored){DAE_NO_MEMORY, DAE_NOWHERE};
    double *im = complex ? b->im : NULL;
    b->gamma_re = gamma_re;
    b->gamma_im = gamma_im;
    memcpy(b->J_q, pair->J, (size_t)b->shared->matrix.full.column[b->shared->matrix.nq] * sizeof *b->J_q);
    return b->shared->directed ? factor_in_order(b, pair, im) : choose_direction(b, pair, im);
}

static dae_factored complex_factor(void *self, const dae_matrix_pair *pair, double gamma_re, double gamma_im)
{
    return factor(self, pair, gamma_re, gamma_im, 1);
}

static dae_factored real_factor(void *self, const dae_matrix_pair *pair, double gamma)
{
    return factor(self, pair, gamma, 0, 0);
}

const dae_linear_backend dae_linear_band = {
    .create = band_create, .free = band_free,
    .factor = complex_factor, .solve = dae_band_solve,
    .factor_real = real_factor, .solve_real = dae_band_solve_real,
    .fill = band_fill,
};
