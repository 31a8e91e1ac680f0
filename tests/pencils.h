/* pencils.h - for the tests of linear solvers: random pencils M - gamma J, and the residual of what
 * is solved with them, in complex or in real arithmetic
 *
 * Elimination with scaled pivots leaves |Ax - b| <= c n eps (|A| |x| + |b|) in each row, with the
 * largest |a_ij| s_j of the row and the largest |x_j|/s_j in sizes s of the unknowns, and a growth
 * c of the entries that is small for random matrices.
 */
#ifndef DAELAB_TEST_PENCILS_H
#define DAELAB_TEST_PENCILS_H

#include "testing.h"

#include <complex.h>

#include "base/numbers.h"
#include "linear/pencil.h"

OWNED_BY_POINTER(dae_pencil)

enum { LARGEST = 60 };
static const double GROWTH = 16;

static uint64_t random_state = 1;

static inline double uniform(void) { return dae_random(&random_state); }

static inline void fill(int count, double *x)
{
    for (int i = 0; i < count; i++)
        x[i] = uniform();
}

/* Largest row of |Ax - b| over n eps (|A| |x| + |b|); A column-major, size[n] of the unknowns. */
static inline double residual(int n, const double complex *A, const double complex *x,
                              const double complex *b, const double *size)
{
    double worst = 0, most_x = 0;
    for (int j = 0; j < n; j++)
        most_x = fmax(most_x, cabs(x[j]) / size[j]);
    for (int i = 0; i < n; i++) {
        double complex sum = -b[i];
        double most_A = 0;
        for (int j = 0; j < n; j++) {
            sum += A[j * n + i] * x[j];
            most_A = fmax(most_A, cabs(A[j * n + i]) * size[j]);
        }
        const double ratio = cabs(sum) / (n * DBL_EPSILON * (most_A * most_x + cabs(b[i])));
        worst = ratio <= worst ? worst : ratio;         /* a NaN is kept */
    }
    return worst;
}

/* M and J on a pattern; kept in full where keep(n, i, j). */
static inline dae_matrix_pair *create_pair(int n, int (*keep)(int n, int i, int j))
{
    dae_matrix_pair *pair = calloc(1, sizeof *pair);
    dae_pattern *pattern = &pair->pattern;
    const size_t room = (size_t)n * (size_t)n;
    pair->count = calloc(1, sizeof *pair->count);
    pattern->n = pattern->rows = n;
    pattern->column = calloc((size_t)n + 1, sizeof *pattern->column);
    pattern->row = calloc(room, sizeof *pattern->row);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            if (keep(n, i, j))
                pattern->row[pattern->nnz++] = i;
        pattern->column[j + 1] = pattern->nnz;
    }
    pattern->full = pattern->nnz == n * n;
    pair->transposes = 1;
    pair->M = calloc(room, sizeof *pair->M);
    pair->J = calloc(room, sizeof *pair->J);
    pair->size = calloc((size_t)n, sizeof *pair->size);
    for (int i = 0; i < n; i++)
        pair->size[i] = 1;
    fill(pattern->nnz, pair->M);
    fill(pattern->nnz, pair->J);
    return pair;
}

static inline void dae_matrix_pair_free(dae_matrix_pair *pair)
{
    if (pair->shared)
        pair->release(pair->shared);
    dae_pattern_free(&pair->pattern);
    free(pair->size);
    free(pair->count);
    free(pair->M);
    free(pair->J);
    free(pair);
}

OWNED_BY_POINTER(dae_matrix_pair)

static inline int everywhere(int n, int i, int j) { return n > i && n > j; }
static inline int arrow(int n, int i, int j) { return n > 0 && (i == j || i == 0 || j == 0); }

static inline dae_pencil *create_pencil(dae_matrix_pair *pair, dae_linear_kind kind)
{
    dae_pencil *pencil;
    dae_report why;
    assert_int_equal(DAE_OK, dae_pencil_create(&pencil, pair, kind, &why));
    return pencil;
}

/* In real arithmetic gamma is real, and so are the right-hand sides. */
typedef enum { COMPLEX, REAL } arithmetic;

static inline dae_factored factor_with(dae_pencil *pencil, arithmetic kind, double complex gamma)
{
    return kind == REAL ? dae_pencil_factor_real(pencil, creal(gamma))
                        : dae_pencil_factor(pencil, creal(gamma), cimag(gamma));
}

/* A[n x n] := M - gamma J */
static inline void assemble(const dae_matrix_pair *pair, double complex gamma, double complex *A)
{
    const dae_pattern *pattern = &pair->pattern;
    memset(A, 0, LARGEST * LARGEST * sizeof *A);
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++)
            A[j * pattern->n + pattern->row[k]] = pair->M[k] - gamma * pair->J[k];
}

/* Largest row of |A^T x - b| over n eps (|x_i|/r_i + |b_j| s_j)/s_j, r_i = 1/max |a_ij| s_j: what elimination changes
 * in an entry of A is an eps of the largest of its row. */
static inline double residual_transposed(int n, const double complex *A, const double complex *x,
                                         const double complex *b, const double *size)
{
    double worst = 0, most_x = 0;
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int j = 0; j < n; j++)
            most = fmax(most, cabs(A[j * n + i]) * size[j]);
        most_x = fmax(most_x, cabs(x[i]) * most);
    }
    for (int j = 0; j < n; j++) {
        double complex sum = -b[j];
        for (int i = 0; i < n; i++)
            sum += A[j * n + i] * x[i];
        const double ratio = cabs(sum) * size[j] / (n * DBL_EPSILON * (most_x + cabs(b[j]) * size[j]));
        worst = ratio <= worst ? worst : ratio;
    }
    return worst;
}

/* Solve with the factored pencil, or its transpose, for a random right-hand side; the residual as above. */
static inline double solve_residual(dae_pencil *pencil, const dae_matrix_pair *pair, arithmetic kind,
                                    double complex gamma, int transposed)
{
    static double complex A[LARGEST * LARGEST];
    const int n = pair->pattern.n;
    double re[LARGEST], im[LARGEST] = {0};
    double complex x[LARGEST], b[LARGEST];
    assemble(pair, kind == REAL ? creal(gamma) : gamma, A);
    fill(n, re);
    if (kind == COMPLEX)
        fill(n, im);
    for (int i = 0; i < n; i++)
        b[i] = re[i] + I * im[i];
    assert_int_equal(DAE_OK, transposed ? dae_pencil_solve_transposed(pencil, re, kind == REAL ? NULL : im)
                             : kind == REAL ? dae_pencil_solve_real(pencil, re) : dae_pencil_solve(pencil, re, im));
    for (int i = 0; i < n; i++)
        x[i] = re[i] + I * im[i];
    return (transposed ? residual_transposed : residual)(n, A, x, b, pair->size);
}

/* Factor, then two right-hand sides, and where the pair has transposes another for that. */
static inline void assert_solves_to(double growth, dae_pencil *pencil, const dae_matrix_pair *pair, arithmetic kind,
                                    double complex gamma, const char *what)
{
    assert_int_equal(DAE_OK, factor_with(pencil, kind, gamma).status);
    for (int time = 0; time < 2 + pair->transposes; time++) {
        const double ratio = solve_residual(pencil, pair, kind, gamma, time > 1);
        if (!(ratio <= growth))
            fail_msg("%s%s, n = %d, %d entries, gamma = %g + %g i: residual %g n eps |A| |x|", what,
                     time > 1 ? ", transposed" : "", pair->pattern.n, pair->pattern.nnz, creal(gamma), cimag(gamma),
                     ratio);
    }
}

/* The unknown at which it is found to be singular */
static inline int singular_at(dae_pencil *pencil, arithmetic kind, double complex gamma)
{
    const dae_factored factored = factor_with(pencil, kind, gamma);
    assert_int_equal(DAE_SINGULAR, factored.status);
    return factored.unknown;
}

#endif
