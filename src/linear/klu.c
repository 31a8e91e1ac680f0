/* klu.c - sparse pencils by KLU: one analysis, refactored while the pivots stay good
 *
 * Davis, Palamadai Natarajan (2010), ACM Trans. Math. Softw. 37(3), 36. The pencils of one
 * Jacobian share the analysis of their pattern, made in both orderings that KLU has: COLAMD, which
 * allows for any pivots, and AMD, which fills less where they stay on the diagonal that the
 * analysis found; but a multiplier's may be zero there, and what AMD predicts is then of no use.
 * So the first factorization decides by what it really fills. KLU divides rows by their largest
 * entry; columns are multiplied before by the size of their unknown, to a power of two, so that the
 * units of neither choose a pivot. Pivots are at least a tenth of their
 * column: on chains that fills no more than KLU's thousandth, and the entries grow ten times
 * instead of up to a million.
 */
#include "backend.h"

#include "eliminate.h"

#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* KLU's functions for real or for complex values; the analysis is the same. */
typedef struct {
    klu_numeric *(*factor)(int *, int *, double *, klu_symbolic *, klu_common *);
    int (*refactor)(int *, int *, double *, klu_symbolic *, klu_numeric *, klu_common *);
    int (*growth)(int *, int *, double *, klu_symbolic *, klu_numeric *, klu_common *);
    int (*condition)(klu_symbolic *, klu_numeric *, klu_common *);
    int (*free)(klu_numeric **, klu_common *);
} arithmetic;

static const arithmetic real_values = {klu_factor, klu_refactor, klu_rgrowth, klu_rcond,
                                       klu_free_numeric};
static const arithmetic complex_values = {klu_z_factor, klu_z_refactor, klu_z_rgrowth,
                                          klu_z_rcond, klu_z_free_numeric};

enum { AMD = 0, COLAMD = 1 };
static const double SMALLEST_PIVOT = 0.1;       /* of the largest entry left in its column */
static const double SMALLEST_GROWTH = 1e-3;     /* below it old pivots are given up */

/* What the pencils of one Jacobian share. */
typedef struct {
    int users;                  /* the Jacobian and its pencils */
    dae_elimination matrix;     /* what is factored */
    klu_common common;
    klu_symbolic *by[2];        /* of AMD and COLAMD, one of them NULL once it is decided */
} analysis;

typedef struct {
    int n;                      /* of the matrix that is factored */
    double gamma_re, gamma_im;
    double *J_q;                /* of when it was factored: the columns that are eliminated */
    analysis *shared;
    klu_common common;
    klu_numeric *numeric;
    const arithmetic *values_are;       /* in numeric */
    double *values;             /* [nnz] pairs, or [nnz] where they are real */
    double *b;                  /* [n] pairs */
    double *scale;              /* [n] of the columns */
} sparse;

/* ---- the analysis ------------------------------------------------------------------------- */

static void release(void *shared)
{
    analysis *a = shared;
    if (!a || --a->users > 0)
        return;
    for (int ordering = AMD; ordering <= COLAMD; ordering++)
        if (a->by[ordering])
            klu_free_symbolic(&a->by[ordering], &a->common);
    dae_elimination_free(&a->matrix);
    free(a);
}

/* Both NULL where the pattern is structurally singular. */
static analysis *analyse(const dae_matrix_pair *pair, int eliminates)
{
    analysis *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->users = 1;
    int failed = !dae_elimination_create(&a->matrix, pair, eliminates) || !klu_defaults(&a->common);
    const dae_pattern *S = &a->matrix.S;
    for (int ordering = AMD; !failed && ordering <= COLAMD; ordering++) {
        a->common.ordering = ordering;
        a->by[ordering] = klu_analyze(S->n, S->column, S->row, &a->common);
        failed = a->common.status == KLU_OUT_OF_MEMORY;
    }
    if (failed) {
        release(a);
        return NULL;
    }
    return a;
}

static int undecided(const analysis *a)
{
    return a->by[AMD] && a->by[COLAMD];
}

static klu_symbolic *symbolic(const analysis *a)
{
    return a->by[COLAMD] ? a->by[COLAMD] : a->by[AMD];
}

static void drop(analysis *a, int ordering)
{
    klu_free_symbolic(&a->by[ordering], &a->common);
}

/* ---- one pencil --------------------------------------------------------------------------- */

static void sparse_free(void *self)
{
    sparse *s = self;
    if (s->numeric)
        s->values_are->free(&s->numeric, &s->common);
    release(s->shared);
    free(s->values);
    free(s->b);
    free(s->scale);
    free(s->J_q);
    free(s);
}

static sparse *create(dae_matrix_pair *pair, int eliminates)
{
    sparse *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    if (!pair->shared) {
        pair->shared = analyse(pair, eliminates);
        pair->release = release;
    }
    s->shared = pair->shared;
    if (!s->shared) {
        sparse_free(s);
        return NULL;
    }
    s->shared->users++;
    const dae_elimination *e = &s->shared->matrix;
    s->n = e->S.n;
    s->values = malloc(2 * ((size_t)e->S.nnz + 1) * sizeof *s->values);
    s->b = malloc(2 * (size_t)s->n * sizeof *s->b);
    s->scale = malloc((size_t)s->n * sizeof *s->scale);
    s->J_q = malloc(((size_t)e->full.column[e->nq] + 1) * sizeof *s->J_q);
    if (!s->values || !s->b || !s->scale || !s->J_q || !klu_defaults(&s->common)) {
        sparse_free(s);
        return NULL;
    }
    s->common.tol = SMALLEST_PIVOT;
    s->common.initmem = 2;      /* of the factors, in entries of the matrix: they grow as needed */
    return s;
}

static void *sparse_create(dae_matrix_pair *pair)
{
    return create(pair, 1);
}

/* Entries of the factors, off-diagonal blocks included, the unit diagonal of L not counted. */
static long entries(const klu_numeric *numeric)
{
    return (long)numeric->lnz + numeric->unz + numeric->nzoff - numeric->n;
}

static long sparse_fill(const void *self)
{
    const sparse *s = self;
    return s->numeric ? entries(s->numeric) : 0;
}

/* Refactor with the pivots of before; answers 0 where they are too small for the new values. KLU
 * looks for zeros in blocks larger than one pivot only, hence rcond = min |U_ii| / max |U_ii|. */
static int refactor(sparse *s)
{
    const arithmetic *klu = s->values_are;
    int *column = s->shared->matrix.S.column, *row = s->shared->matrix.S.row;
    return klu->refactor(column, row, s->values, symbolic(s->shared), s->numeric, &s->common)
           && klu->growth(column, row, s->values, symbolic(s->shared), s->numeric, &s->common)
           && s->common.rgrowth > SMALLEST_GROWTH
           && klu->condition(symbolic(s->shared), s->numeric, &s->common) && s->common.rcond > 0;
}

/* Why there are no factors. A pattern that is singular by itself has no column to name. */
static dae_factored failure(const sparse *s)
{
    if (s->common.status == KLU_OUT_OF_MEMORY || s->common.status == KLU_TOO_LARGE)
        return (dae_factored){DAE_NO_MEMORY, DAE_NOWHERE};
    const int column = s->common.singular_col, told = column >= 0 && column < s->n;
    return dae_singular_at(told ? s->shared->matrix.nq + column : DAE_NOWHERE);
}

/* Factored in the order of COLAMD; now by AMD, where it promises less. The attempt ends when it
 * fills more: memory for as much is given, and cannot grow. */
static void try_amd(sparse *s)
{
    analysis *a = s->shared;
    const arithmetic *klu = s->values_are;
    const double promised = a->by[AMD]->lnz + a->by[AMD]->unz;
    const double most = (double)entries(s->numeric) + 4.0 * s->n;
    klu_common limited = s->common;
    limited.initmem_amd = most / promised;
    limited.memgrow = 1e300;
    klu_numeric *numeric = NULL;
    const dae_pattern *S = &a->matrix.S;
    if (promised < most)
        numeric = klu->factor(S->column, S->row, s->values, a->by[AMD], &limited);
    const int better = numeric && limited.status == KLU_OK
                       && entries(numeric) < entries(s->numeric);
    if (better) {
        klu->free(&s->numeric, &s->common);
        s->numeric = numeric;
    } else if (numeric) {
        klu->free(&numeric, &limited);
    }
    drop(a, better ? COLAMD : AMD);
}

/* The first unknown in whose column a value is not finite, -1 where all are; a value has parts. */
static int not_finite(const sparse *s, int parts)
{
    const dae_pattern *S = &s->shared->matrix.S;
    double sum = 0;
    for (int k = 0; k < parts * S->nnz; k++)
        sum += 0 * s->values[k];
    for (int j = 0; sum != 0 && j < S->n; j++)
        for (int k = parts * S->column[j]; k < parts * S->column[j + 1]; k++)
            if (!isfinite(s->values[k]))
                return s->shared->matrix.nq + j;
    return -1;
}

static dae_factored factor_values(sparse *s, const arithmetic *klu)
{
    const dae_pattern *S = &s->shared->matrix.S;
    const int column = not_finite(s, klu == &complex_values ? 2 : 1);
    if (column >= 0)
        return dae_singular_at(column);
    if (!symbolic(s->shared))
        return failure(s);
    if (s->numeric && s->values_are == klu && refactor(s))
        return dae_factored_well();
    if (s->numeric)
        s->values_are->free(&s->numeric, &s->common);
    s->values_are = klu;
    s->numeric = klu->factor(S->column, S->row, s->values, symbolic(s->shared), &s->common);
    if (!s->numeric || s->common.status != KLU_OK)
        return failure(s);
    if (undecided(s->shared))
        try_amd(s);
    return dae_factored_well();
}

/* Columns of values, which have so many parts, by the size of their unknown. */
static void scale_columns(sparse *s, const dae_matrix_pair *pair, int parts)
{
    const dae_elimination *e = &s->shared->matrix;
    for (int j = 0; j < s->n; j++) {
        const double size = pair->size[e->nq + j];
        s->scale[j] = isnormal(size) ? ldexp(1, ilogb(size)) : 1;
        for (int k = parts * e->S.column[j]; k < parts * e->S.column[j + 1]; k++)
            s->values[k] *= s->scale[j];
    }
}

/* What solving needs of the columns of positions. */
static void keep(sparse *s, const dae_matrix_pair *pair, double gamma_re, double gamma_im)
{
    const dae_elimination *e = &s->shared->matrix;
    s->gamma_re = gamma_re;
    s->gamma_im = gamma_im;
    memcpy(s->J_q, pair->J, (size_t)e->full.column[e->nq] * sizeof *s->J_q);
}

static dae_factored sparse_factor(void *self, const dae_matrix_pair *pair, double gamma_re,
                                  double gamma_im)
{
    sparse *s = self;
    keep(s, pair, gamma_re, gamma_im);
    dae_eliminate(&s->shared->matrix, pair, gamma_re, gamma_im, s->values);
    scale_columns(s, pair, 2);
    return factor_values(s, &complex_values);
}

static dae_factored sparse_factor_real(void *self, const dae_matrix_pair *pair, double gamma)
{
    sparse *s = self;
    keep(s, pair, gamma, 0);
    dae_eliminate_real(&s->shared->matrix, pair, gamma, s->values);
    scale_columns(s, pair, 1);
    return factor_values(s, &real_values);
}

static int sparse_solve(void *self, double *re, double *im)
{
    sparse *s = self;
    const dae_elimination *e = &s->shared->matrix;
    const double a = s->gamma_re, b = s->gamma_im;
    const int nq = e->nq;
    for (int i = 0; i < s->n; i++) {
        s->b[2 * i] = re[nq + i];
        s->b[2 * i + 1] = im[nq + i];
    }
    for (int j = 0; j < nq; j++) {
        const double x = a * re[j] - b * im[j], y = a * im[j] + b * re[j];
        for (int k = e->full.column[j]; k < e->full.column[j + 1]; k++) {
            const int i = e->full.row[k] - nq;
            if (i < 0)
                continue;
            s->b[2 * i] += s->J_q[k] * x;
            s->b[2 * i + 1] += s->J_q[k] * y;
        }
    }
    if (!klu_z_solve(symbolic(s->shared), s->numeric, s->n, 1, s->b, &s->common))
        return 0;
    for (int i = 0; i < s->n; i++) {
        s->b[2 * i] *= s->scale[i];
        s->b[2 * i + 1] *= s->scale[i];
        re[nq + i] = s->b[2 * i];
        im[nq + i] = s->b[2 * i + 1];
    }
    for (int j = 0; j < nq; j++) {
        re[j] += a * s->b[2 * j] - b * s->b[2 * j + 1];
        im[j] += a * s->b[2 * j + 1] + b * s->b[2 * j];
    }
    return 1;
}

static int sparse_solve_real(void *self, double *r)
{
    sparse *s = self;
    const dae_elimination *e = &s->shared->matrix;
    const int nq = e->nq;
    for (int j = 0; j < nq; j++) {
        const double x = s->gamma_re * r[j];
        for (int k = e->full.column[j]; k < e->full.column[j + 1]; k++)
            if (e->full.row[k] >= nq)
                r[e->full.row[k]] += s->J_q[k] * x;
    }
    if (!klu_solve(symbolic(s->shared), s->numeric, s->n, 1, r + nq, &s->common))
        return 0;
    for (int i = 0; i < s->n; i++)
        r[nq + i] *= s->scale[i];
    for (int j = 0; j < nq; j++)
        r[j] += s->gamma_re * r[nq + j];
    return 1;
}

const dae_linear_backend dae_linear_klu = {
    sparse_create, sparse_free, sparse_factor, sparse_solve, sparse_factor_real, sparse_solve_real,
    sparse_fill};

int dae_klu_ordering(dae_matrix_pair *pair, double gamma)
{
    sparse *s = create(pair, 0);
    if (!s)
        return COLAMD;
    const int regular = sparse_factor_real(s, pair, gamma).status == DAE_OK;
    const int ordering = regular && s->shared->by[AMD] ? AMD : COLAMD;
    sparse_free(s);
    return ordering;
}
