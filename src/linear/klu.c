/* klu.c - sparse pencils by KLU: one analysis, refactored while the pivots stay good
 *
 * Davis, Palamadai Natarajan (2010), ACM Trans. Math. Softw. 37(3), 36. Of the orderings AMD and
 * COLAMD the analysis keeps the one that predicts less fill.
 */
#include "backend.h"

#include <klu.h>
#include <math.h>
#include <stdlib.h>

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

typedef struct {
    int n;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    const arithmetic *values_are;       /* in numeric */
    double *values;             /* [nnz] pairs, or [nnz] where they are real */
    double *b;                  /* [n] pairs */
} sparse;

enum { AMD = 0, COLAMD = 1 };
static const double SMALLEST_GROWTH = 1e-8;     /* below it old pivots are given up */

static void sparse_free(void *self)
{
    sparse *s = self;
    if (s->numeric)
        s->values_are->free(&s->numeric, &s->common);
    if (s->symbolic)
        klu_free_symbolic(&s->symbolic, &s->common);
    free(s->values);
    free(s->b);
    free(s);
}

/* The analysis with less predicted fill of two orderings. */
static klu_symbolic *analyse(const dae_pattern *pattern, klu_common *common)
{
    klu_symbolic *by[2];
    for (int ordering = AMD; ordering <= COLAMD; ordering++) {
        common->ordering = ordering;
        by[ordering] = klu_analyze(pattern->n, pattern->column, pattern->row, common);
    }
    const int keep_amd = by[AMD] && (!by[COLAMD] || by[AMD]->lnz <= by[COLAMD]->lnz);
    if (by[keep_amd ? COLAMD : AMD])
        klu_free_symbolic(&by[keep_amd ? COLAMD : AMD], common);
    return by[keep_amd ? AMD : COLAMD];
}

static void *sparse_create(const dae_jacobian *jac)
{
    sparse *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->n = jac->pattern.n;
    s->values = malloc(2 * ((size_t)jac->pattern.nnz + 1) * sizeof *s->values);
    s->b = malloc(2 * (size_t)s->n * sizeof *s->b);
    if (!s->values || !s->b || !klu_defaults(&s->common)) {
        sparse_free(s);
        return NULL;
    }
    s->symbolic = analyse(&jac->pattern, &s->common);   /* NULL: structurally singular */
    return s;
}

/* Refactor with the pivots of before; answers 0 where they are too small for the new values. KLU
 * looks for zeros in blocks larger than one pivot only, hence rcond = min |U_ii| / max |U_ii|. */
static int refactor(sparse *s, const dae_pattern *pattern)
{
    const arithmetic *klu = s->values_are;
    int *column = pattern->column, *row = pattern->row;
    return klu->refactor(column, row, s->values, s->symbolic, s->numeric, &s->common)
           && klu->growth(column, row, s->values, s->symbolic, s->numeric, &s->common)
           && s->common.rgrowth > SMALLEST_GROWTH
           && klu->condition(s->symbolic, s->numeric, &s->common) && s->common.rcond > 0;
}

static int singular_column(const sparse *s)
{
    const int column = s->common.singular_col;
    return column >= 0 && column < s->n ? column : 0;
}

static int factor_values(sparse *s, const dae_pattern *pattern, const arithmetic *klu)
{
    if (!s->symbolic)
        return singular_column(s);
    if (s->numeric && s->values_are == klu && refactor(s, pattern))
        return -1;
    if (s->numeric)
        s->values_are->free(&s->numeric, &s->common);
    s->values_are = klu;
    s->numeric = klu->factor(pattern->column, pattern->row, s->values, s->symbolic, &s->common);
    return s->numeric && s->common.status == KLU_OK ? -1 : singular_column(s);
}

static int sparse_factor(void *self, const dae_jacobian *jac, double gamma_re, double gamma_im)
{
    sparse *s = self;
    const dae_pattern *pattern = &jac->pattern;
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++) {
            s->values[2 * k] = jac->M[k] - gamma_re * jac->J[k];
            s->values[2 * k + 1] = -gamma_im * jac->J[k];
            if (!isfinite(s->values[2 * k]) || !isfinite(s->values[2 * k + 1]))
                return j;
        }
    return factor_values(s, pattern, &complex_values);
}

static int sparse_factor_real(void *self, const dae_jacobian *jac, double gamma)
{
    sparse *s = self;
    const dae_pattern *pattern = &jac->pattern;
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++) {
            s->values[k] = jac->M[k] - gamma * jac->J[k];
            if (!isfinite(s->values[k]))
                return j;
        }
    return factor_values(s, pattern, &real_values);
}

static int sparse_solve(void *self, double *re, double *im)
{
    sparse *s = self;
    for (int i = 0; i < s->n; i++) {
        s->b[2 * i] = re[i];
        s->b[2 * i + 1] = im[i];
    }
    if (!klu_z_solve(s->symbolic, s->numeric, s->n, 1, s->b, &s->common))
        return 0;
    for (int i = 0; i < s->n; i++) {
        re[i] = s->b[2 * i];
        im[i] = s->b[2 * i + 1];
    }
    return 1;
}

static int sparse_solve_real(void *self, double *b)
{
    sparse *s = self;
    return klu_solve(s->symbolic, s->numeric, s->n, 1, b, &s->common);
}

const dae_linear_backend dae_linear_klu = {sparse_create, sparse_free, sparse_factor,
                                           sparse_solve, sparse_factor_real, sparse_solve_real};
