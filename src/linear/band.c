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
#include "band.h"

#include "band_order.h"
#include "eliminate.h"
#include "pivoting.h"
#include "base/parts.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL "linear/band_kernel.h"
#include "base/sizes.h"

/* Bandwidths 7 and 8 too, of beams and of chains in the GGL form: solving takes two thirds of the time there with loops
 * written out; factoring gains nothing, complex values lose a fifth. */
#define KERNEL "linear/band_solve_kernel.h"
#define LARGER_KERNEL "linear/band_solve_kernel.h"
#define LARGER_MOST 8
#include "base/sizes.h"
#define BAND_BY_SIZE(name)                                                                     \
    {name##_n, name##_n, name##_2, name##_3, name##_4, name##_5, name##_6, name##_7, name##_8}
enum { BAND_SIZES = 9 };

/* What the pencils of one pair share. */
typedef struct {
    int users;                  /* the pair and its pencils */
    dae_elimination matrix;     /* what is factored */
    int K;                      /* bandwidth to both sides */
    int *order;                 /* [rows] unknowns of S in the order of the band */
    int *place;                 /* [rows] of each unknown in it */
    int directed;               /* 1: the end that the order begins at is decided */
    int *at;                    /* [nnz] place of each entry of the Jacobian in the band, -1 in rows of q' = v */
    double *size;               /* [rows + 2 K] of the unknowns in that order, from K on; 0 beside them */
    double *row;                /* [rows + K] scales of rows */
    double *x;                  /* [2 (rows + 2 K)] a right side */
} analysis;

typedef struct {
    analysis *shared;
    dae_eliminated by;
    double *re, *im;            /* [rows + K] rows of the band, im NULL while only real ones were factored */
    int *pivot;                 /* [rows] how far below its row */
    unsigned char *far;         /* [rows] 1: entries farther than K behind the pivot */
} band;

static int rows_of(const analysis *a)
{
    return a->matrix.S.n;
}

/* Numbers in an array of factors. */
static size_t room(const analysis *a)
{
    return ((size_t)rows_of(a) + (size_t)a->K) * (3 * (size_t)a->K + 1);
}

/* ---- the analysis ------------------------------------------------------------------------- */

static void release(void *shared)
{
    analysis *a = shared;
    if (!a || --a->users > 0)
        return;
    dae_elimination_free(&a->matrix);
    free(a->order);
    free(a->size);
    free(a);
}

/* at[nnz]: entry (i, j) of S in row place[i], place[j] - place[i] behind its diagonal; by columns of J, those of
 * positions and their velocities both standing for a velocity */
static void find_places(analysis *a)
{
    const dae_pattern *p = &a->matrix.full;
    const int nq = a->matrix.nq, K = a->K, width = 3 * K + 1;
    for (int i = 0; i < rows_of(a); i++)
        a->place[a->order[i]] = i;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++) {
            const int i = p->row[k] < nq ? -1 : a->place[p->row[k] - nq];
            a->at[k] = i < 0 ? -1 : i * width + K + a->place[j < nq ? j : j - nq] - i;
        }
}

static int allocate(analysis *a)
{
    const size_t rows = (size_t)rows_of(a), K = (size_t)a->K;
    return DAE_PARTS(a,
                     DAE_PART(analysis, size, rows + 2 * K), DAE_PART(analysis, row, rows + K),
                     DAE_PART(analysis, x, 2 * (rows + 2 * K)),
                     DAE_PART(analysis, at, a->matrix.full.nnz))
           != NULL;
}

/* NULL: no memory, also where the band has more places than an int counts. */
static analysis *analyse(const dae_matrix_pair *pair)
{
    analysis *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->users = 1;
    int made = dae_elimination_create(&a->matrix, pair);
    a->order = made ? malloc((2 * (size_t)rows_of(a) + 1) * sizeof *a->order) : NULL;
    a->K = a->order ? dae_band_order(&a->matrix.S, a->order) : -1;
    a->K = a->K == 0 ? 1 : a->K;
    if (a->K < 0 || room(a) > INT_MAX || !allocate(a)) {
        release(a);
        return NULL;
    }
    a->place = a->order + rows_of(a);
    dae_elimination_forget(&a->matrix);
    find_places(a);
    return a;
}

int dae_band_analyse(dae_matrix_pair *pair, dae_band_size *size)
{
    analysis *a = analyse(pair);
    if (!a)
        return 0;
    *size = (dae_band_size){rows_of(a), a->matrix.S.nnz, a->K};
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
    band *b = self;
    release(b->shared);
    free(b->re);
    free(b->im);
    free(b->by.J_q);
    free(b->pivot);
    free(b->far);
    free(b);
}

static void *band_create(dae_matrix_pair *pair)
{
    band *b = calloc(1, sizeof *b);
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
static int make_room(band *b, int complex)
{
    const dae_elimination *e = &b->shared->matrix;
    if (!b->re) {
        b->re = malloc(room(b->shared) * sizeof *b->re);
        b->by.J_q = malloc((dae_eliminated_size(e) + 1) * sizeof *b->by.J_q);
        b->pivot = malloc(((size_t)e->S.n + 1) * sizeof *b->pivot);
        b->far = malloc((size_t)e->S.n + 1);
    }
    if (complex && !b->im)
        b->im = malloc(room(b->shared) * sizeof *b->im);
    return b->re && b->by.J_q && b->pivot && b->far && (b->im || !complex);
}

static long band_fill(const void *self)
{
    const band *b = self;
    return (long)rows_of(b->shared) * (3 * b->shared->K + 1);
}

/* ---- factors ------------------------------------------------------------------------------ */

/* S of eliminate.h in the band; its imaginary part in im, if that is given */
static void assemble(const band *b, const dae_matrix_pair *pair, double *im)
{
    const dae_elimination *e = &b->shared->matrix;
    const int positions = e->full.column[e->nq], *at = b->shared->at;
    const double *M = pair->M, *J = pair->J;
    const double c = b->by.re, d = b->by.im, square_re = c * c - d * d, square_im = 2 * c * d;
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
static void scale_rows(const band *b, const dae_matrix_pair *pair, const double *im)
{
    const analysis *a = b->shared;
    const int rows = rows_of(a), K = a->K;
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

static dae_factored factored_to(const band *b, int row)
{
    return row < 0 ? dae_factored_well() : dae_singular_at(b->shared->matrix.nq + b->shared->order[row]);
}

typedef int factor_kernel(int, int, double *, double *, double *, int *, unsigned char *);
static factor_kernel *const factors[2][SIZES] = {BY_SIZE(band_factor_real), BY_SIZE(band_factor)};

/* Once, in the order that there is; real where im is NULL */
static dae_factored factor_in_order(band *b, const dae_matrix_pair *pair, double *im)
{
    const analysis *a = b->shared;
    const int kernel = a->K < SIZES ? a->K : 0, rows = rows_of(a);
    memset(b->re, 0, room(a) * sizeof *b->re);
    if (im)
        memset(im, 0, room(a) * sizeof *im);
    assemble(b, pair, im);
    scale_rows(b, pair, im);
    return factored_to(b, factors[im != NULL][kernel](a->K, rows, b->re, im, a->row, b->pivot, b->far));
}

static void turn_round(analysis *a)
{
    const int rows = rows_of(a);
    for (int i = 0; i < rows / 2; i++) {
        const int x = a->order[i];
        a->order[i] = a->order[rows - 1 - i];
        a->order[rows - 1 - i] = x;
    }
    find_places(a);
}

static int far_rows(const band *b)
{
    int count = 0;
    for (int i = 0; i < rows_of(b->shared); i++)
        count += b->far[i];
    return count;
}

/* The first factors of a pair's pencils, with entries exchanged in a tenth of the rows or more, are made in the
 * order from the other end, too, and all others in that which exchanges less: of a straight chain the tension
 * next to the wall has no pivot as long as nothing behind it is eliminated. */
static dae_factored choose_direction(band *b, const dae_matrix_pair *pair, double *im)
{
    analysis *a = b->shared;
    const dae_factored first = factor_in_order(b, pair, im);
    if (first.status || a->directed++ > 0)
        return first;
    const int far = far_rows(b);
    if (10 * far <= rows_of(a))
        return first;
    turn_round(a);
    const dae_factored other = factor_in_order(b, pair, im);
    if (!other.status && far_rows(b) < far)
        return other;
    turn_round(a);
    return factor_in_order(b, pair, im);
}

static dae_factored factor(band *b, const dae_matrix_pair *pair, double gamma_re, double gamma_im, int complex)
{
    if (!make_room(b, complex))
        return (dae_factored){DAE_NO_MEMORY, DAE_NOWHERE};
    double *im = complex ? b->im : NULL;
    dae_eliminated_keep(&b->shared->matrix, pair, gamma_re, gamma_im, &b->by);
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

/* ---- right sides -------------------------------------------------------------------------- */

typedef void solution(int, int, const double *, const double *, const int *, const unsigned char *, double *,
                      double *);
enum { REAL, COMPLEX, TRANSPOSED };
static solution *const solutions[][BAND_SIZES] = {
    BAND_BY_SIZE(band_solve_real), BAND_BY_SIZE(band_solve), BAND_BY_SIZE(band_transposed)};

static int kernel_of(const analysis *a) { return a->K < BAND_SIZES ? a->K : 0; }

/* z[rows] into the order of the band, zeros behind it */
static void put_in_order(const analysis *a, const double *z, double *x)
{
    const int rows = rows_of(a);
    for (int i = 0; i < rows; i++)
        x[i] = z[a->order[i]];
    memset(x + rows, 0, 2 * (size_t)a->K * sizeof *x);
}

static void take_back(const analysis *a, const double *x, double *z)
{
    for (int i = 0; i < rows_of(a); i++)
        z[a->order[i]] = x[i];
}

/* S^-1, or S^-T; im is NULL where the factors are real. */
static int solve_reduced(void *pencil, int transposed, double *re, double *im)
{
    const band *b = pencil;
    const analysis *a = b->shared;
    const int rows = rows_of(a), kind = transposed ? TRANSPOSED : im ? COMPLEX : REAL;
    double *x = a->x, *y = im ? x + rows + 2 * a->K : NULL;
    put_in_order(a, re, x);
    if (im)
        put_in_order(a, im, y);
    solutions[kind][kernel_of(a)](a->K, rows, b->re, b->im, b->pivot, b->far, x, y);
    take_back(a, x, re);
    if (im)
        take_back(a, y, im);
    return 1;
}

static int solve_any(band *b, int transposed, double *re, double *im)
{
    return dae_eliminated_solve(&b->shared->matrix, &b->by, transposed, solve_reduced, b, re, im);
}

static int complex_solve(void *self, double *re, double *im) { return solve_any(self, 0, re, im); }
static int real_solve(void *self, double *r) { return solve_any(self, 0, r, NULL); }
static int transposed_solve(void *self, double *re, double *im) { return solve_any(self, 1, re, im); }

const dae_linear_backend dae_linear_band = {
    .create = band_create, .free = band_free,
    .factor = complex_factor, .solve = complex_solve,
    .factor_real = real_factor, .solve_real = real_solve, .solve_transposed = transposed_solve,
    .fill = band_fill,
};
