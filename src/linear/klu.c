/* klu.c - sparse pencils by KLU: one analysis, refactored in a run while the pivots stay good
 *
 * Davis, Palamadai Natarajan (2010), ACM Trans. Math. Softw. 37(3), 36. The pencils of one
 * pair share the analysis of their pattern, made in both orderings that KLU has: COLAMD, which
 * allows for any pivots, and AMD, which fills less where they stay on the diagonal that the
 * analysis found; but a multiplier's may be zero there, and what AMD predicts is then of no use.
 * So the first factorization decides by what it really fills. Columns are multiplied by the size of their
 * unknown, rows then divided by their largest entry, both to powers of two, so that the units of
 * neither choose a pivot. (KLU would divide by the entry itself, in each factorization and each solution; of a
 * complex one by a root.) Pivots are at least a tenth of their
 * column: on chains that fills no more than KLU's thousandth, and the entries grow ten times
 * instead of up to a million.
 */
#include "backend.h"
#include "eliminate.h"

#include "base/numbers.h"

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

enum { AMD = 0, COLAMD = 1 };

/* What the pencils of one pair share. */
typedef struct {
    int users;                  /* the pair and its pencils */
    dae_elimination matrix;     /* what is factored */
    klu_common common;
    klu_symbolic *by[2];        /* of AMD and COLAMD, one of them NULL once it is decided */
    int complete;               /* COLAMD was asked */
} analysis;

typedef struct {
    int n;                      /* of the matrix that is factored */
    dae_eliminated by;
    analysis *shared;
    klu_common common;
    klu_numeric *numeric;
    long run;                   /* in which its pivots were chosen (matrix_pair.h) */
    const arithmetic *values_are;       /* of numeric: real or complex */
    double *values;             /* [nnz] pairs, or [nnz] where they are real */
    double *b;                  /* [n] pairs */
    double *row, *column;       /* [n] scales each, one block */
} sparse;

static klu_symbolic *symbolic(const analysis *a)
{
    return a->by[COLAMD] ? a->by[COLAMD] : a->by[AMD];
}

static const arithmetic real_values = {klu_factor, klu_refactor, klu_rgrowth, klu_rcond, klu_free_numeric};
static const arithmetic complex_values = {klu_z_factor, klu_z_refactor, klu_z_rgrowth, klu_z_rcond, klu_z_free_numeric};

static const double SMALLEST_PIVOT = 0.1;       /* of the largest entry left in its column */
enum { UNSCALED = -1 };                         /* of KLU's scalings */
static const double SMALLEST_GROWTH = 1e-3;     /* below it old pivots are given up */

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

/* by[ordering], NULL where the pattern is structurally singular; 0: no memory */
static int order_by(analysis *a, int ordering)
{
    const dae_pattern *S = &a->matrix.S;
    a->common.ordering = ordering;
    a->by[ordering] = klu_analyze(S->n, S->column, S->row, &a->common);
    return a->common.status != KLU_OUT_OF_MEMORY;
}

/* By AMD. */
static analysis *analyse(const dae_matrix_pair *pair)
{
    analysis *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->users = 1;
    if (dae_elimination_create(&a->matrix, pair) && klu_defaults(&a->common)
        && order_by(a, AMD))
        return a;
    release(a);
    return NULL;
}

static analysis *share(dae_matrix_pair *pair)
{
    pair->shared = analyse(pair);
    pair->release = release;
    return pair->shared;
}

double dae_klu_predicted_fill(dae_matrix_pair *pair)
{
    const analysis *a = share(pair);
    return a && a->by[AMD] ? a->by[AMD]->lnz + a->by[AMD]->unz : 0;
}

/* By COLAMD as well, before the first pencil; 0: no memory. */
static int complete(analysis *a)
{
    if (!a->complete)
        a->complete = order_by(a, COLAMD);
    return a->complete;
}

static int undecided(const analysis *a)
{
    return a->by[AMD] && a->by[COLAMD];
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
    free(s->row);
    free(s->by.J_q);
    free(s);
}

static void *sparse_create(dae_matrix_pair *pair)
{
    sparse *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    if (!pair->shared)
        share(pair);
    const int shares = pair->shared && pair->release == release;    /* else a band does */
    s->shared = shares ? pair->shared : pair->shared ? analyse(pair) : NULL;
    if (!s->shared) {
        sparse_free(s);
        return NULL;
    }
    s->shared->users += shares;
    if (!complete(s->shared)) {
        sparse_free(s);
        return NULL;
    }
    const dae_elimination *e = &s->shared->matrix;
    s->n = e->S.n;
    s->values = malloc(2 * ((size_t)e->S.nnz + 1) * sizeof *s->values);
    s->b = malloc(2 * (size_t)s->n * sizeof *s->b);
    s->row = malloc(2 * (size_t)s->n * sizeof *s->row);
    s->by.J_q = malloc((dae_eliminated_size(e) + 1) * sizeof *s->by.J_q);
    if (!s->values || !s->b || !s->row || !s->by.J_q || !klu_defaults(&s->common)) {
        sparse_free(s);
        return NULL;
    }
    s->column = s->row + s->n;
    s->common.tol = SMALLEST_PIVOT;
    s->common.scale = UNSCALED;
    s->common.initmem = 2;      /* of the factors, in entries of the matrix: they grow as needed */
    return s;
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

static void forget_pivots(sparse *s)
{
    if (s->numeric)
        s->values_are->free(&s->numeric, &s->common);
}

/* Pivots of another run would make this one end with other bits than it did the first time. */
static void begin_run(sparse *s, const dae_matrix_pair *pair)
{
    if (pair->runs && *pair->runs != s->run) {
        forget_pivots(s);
        s->run = *pair->runs;
    }
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
    forget_pivots(s);
    s->values_are = klu;
    s->numeric = klu->factor(S->column, S->row, s->values, symbolic(s->shared), &s->common);
    if (!s->numeric || s->common.status != KLU_OK)
        return failure(s);
    if (undecided(s->shared))
        try_amd(s);
    return dae_factored_well();
}

/* Columns of values, which have so many parts, by the size of their unknown; the largest of each row into row[]. */
static inline void scale_columns(sparse *s, const double *size, int parts)
{
    const dae_pattern *S = &s->shared->matrix.S;
    double *restrict value = s->values, *restrict most = s->row;
    memset(most, 0, (size_t)s->n * sizeof *most);
    for (int j = 0; j < s->n; j++) {
        const double by = s->column[j] = dae_power_of_two(size[j]);
        for (int k = S->column[j]; k < S->column[j + 1]; k++) {
            const int i = S->row[k];
            double largest = 0;
            for (int l = 0; l < parts; l++) {
                const double x = fabs(value[parts * k + l] *= by);
                largest = x > largest ? x : largest;
            }
            most[i] = largest > most[i] ? largest : most[i];
        }
    }
}

/* values := R values C */
static inline void scale(sparse *s, const dae_matrix_pair *pair, int parts)
{
    const dae_pattern *S = &s->shared->matrix.S;
    double *restrict value = s->values, *restrict row = s->row;
    scale_columns(s, pair->size + s->shared->matrix.nq, parts);
    for (int i = 0; i < s->n; i++)
        row[i] = 1 / dae_power_of_two(row[i]);
    for (int k = 0; k < S->nnz; k++)
        for (int l = 0; l < parts; l++)
            value[parts * k + l] *= row[S->row[k]];
}

static dae_factored sparse_factor(void *self, const dae_matrix_pair *pair, double gamma_re,
                                  double gamma_im)
{
    sparse *s = self;
    begin_run(s, pair);
    dae_eliminated_keep(&s->shared->matrix, pair, gamma_re, gamma_im, &s->by);
    dae_eliminate(&s->shared->matrix, pair, gamma_re, gamma_im, s->values);
    scale(s, pair, 2);
    return factor_values(s, &complex_values);
}

static dae_factored sparse_factor_real(void *self, const dae_matrix_pair *pair, double gamma)
{
    sparse *s = self;
    begin_run(s, pair);
    dae_eliminated_keep(&s->shared->matrix, pair, gamma, 0, &s->by);
    dae_eliminate_real(&s->shared->matrix, pair, gamma, s->values);
    scale(s, pair, 1);
    return factor_values(s, &real_values);
}

/* ---- right sides: S of eliminate.h, S^-1 = C (R S C)^-1 R with scales R of rows and C of columns ------------- */

/* S^-1, or S^-T = R (R S C)^-T C; im is NULL where the factors are real. */
static int solve_reduced(void *pencil, int transposed, double *re, double *im)
{
    sparse *s = pencil;
    const double *before = transposed ? s->column : s->row, *behind = transposed ? s->row : s->column;
    const int n = s->n, parts = im ? 2 : 1;
    klu_symbolic *by = symbolic(s->shared);
    double *x = s->b;
    for (int i = 0; i < n; i++) {
        x[parts * i] = before[i] * re[i];
        if (im)
            x[2 * i + 1] = before[i] * im[i];
    }
    const int solved = transposed && im ? klu_z_tsolve(by, s->numeric, n, 1, x, 0, &s->common)
                       : transposed ? klu_tsolve(by, s->numeric, n, 1, x, &s->common)
                       : (im ? klu_z_solve : klu_solve)(by, s->numeric, n, 1, x, &s->common);
    for (int i = 0; i < n; i++) {
        re[i] = behind[i] * x[parts * i];
        if (im)
            im[i] = behind[i] * x[2 * i + 1];
    }
    return solved;
}

static int solve_any(sparse *s, int transposed, double *re, double *im)
{
    return dae_eliminated_solve(&s->shared->matrix, &s->by, transposed, solve_reduced, s, re, im);
}

static int sparse_solve(void *self, double *re, double *im) { return solve_any(self, 0, re, im); }
static int sparse_solve_real(void *self, double *b) { return solve_any(self, 0, b, NULL); }
static int sparse_solve_transposed(void *self, double *re, double *im) { return solve_any(self, 1, re, im); }

const dae_linear_backend dae_linear_klu = {
    .create = sparse_create, .free = sparse_free,
    .factor = sparse_factor, .solve = sparse_solve,
    .factor_real = sparse_factor_real, .solve_real = sparse_solve_real, .solve_transposed = sparse_solve_transposed,
    .fill = sparse_fill,
};
