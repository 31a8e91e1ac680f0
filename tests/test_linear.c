/* test_linear.c - dense kernels and pencils M - gamma J by the residual of what they solve
 *
 * Backward stable elimination leaves |Ax - b| <= c n eps (|A| |x| + |b|) in the largest row, with a
 * growth of the entries that is small for random matrices.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear/dense_lu.h"
#include "linear/pencil.h"

enum { LARGEST = 60, LARGEST_KERNEL = 12 };
static const double GROWTH = 16;
static const double complex GAMMA = 0.35 + 0.6 * I;

/* ---- random numbers, matrices, residuals --------------------------------------------------- */

static uint64_t random_state = 1;

static double uniform(void)     /* in [-1, 1) */
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) * 0x1p-52 - 1;
}

static void fill(int count, double *x)
{
    for (int i = 0; i < count; i++)
        x[i] = uniform();
}

/* Largest row of |Ax - b| over n eps (|A| |x| + |b|); A column-major. */
static double residual(int n, const double complex *A, const double complex *x,
                       const double complex *b)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double complex sum = -b[i];
        double size = cabs(b[i]);
        for (int j = 0; j < n; j++) {
            sum += A[j * n + i] * x[j];
            size += cabs(A[j * n + i]) * cabs(x[j]);
        }
        const double ratio = cabs(sum) / (n * DBL_EPSILON * size);
        worst = ratio <= worst ? worst : ratio;         /* a NaN is kept */
    }
    return worst;
}

/* ---- the dense kernels --------------------------------------------------------------------- */

typedef struct {
    int n, pivot[LARGEST_KERNEL];
    double re[LARGEST_KERNEL * LARGEST_KERNEL], im[LARGEST_KERNEL * LARGEST_KERNEL];
} matrix;

static matrix random_matrix(int n)
{
    matrix A = {.n = n};
    fill(n * n, A.re);
    fill(n * n, A.im);
    return A;
}

static int factor(matrix *A) { return dae_dense_factor(A->n, A->re, A->im, A->pivot); }

static void assert_solves(matrix A)
{
    const int n = A.n;
    double re[LARGEST_KERNEL], im[LARGEST_KERNEL];
    double complex full[LARGEST_KERNEL * LARGEST_KERNEL], x[LARGEST_KERNEL], b[LARGEST_KERNEL];
    fill(n, re);
    fill(n, im);
    for (int i = 0; i < n * n; i++)
        full[i] = A.re[i] + I * A.im[i];
    for (int i = 0; i < n; i++)
        b[i] = re[i] + I * im[i];
    assert_int_equal(-1, factor(&A));
    dae_dense_solve(n, A.re, A.im, A.pivot, re, im);
    for (int i = 0; i < n; i++)
        x[i] = re[i] + I * im[i];
    const double ratio = residual(n, full, x, b);
    if (!(ratio <= GROWTH))
        fail_msg("n = %d: residual %g n eps |A| |x|", n, ratio);
}

static void kernels_solve(void **state)
{
    (void)state;
    for (int n = 1; n <= LARGEST_KERNEL; n++)
        for (int trial = 0; trial < 50; trial++)
            assert_solves(random_matrix(n));
}

/* A cyclic shift with some entries beside it: no diagonal, and most entries zero. */
static void kernels_pivot(void **state)
{
    (void)state;
    for (int n = 2; n <= LARGEST_KERNEL; n++)
        for (int shift = 1; shift < n; shift++) {
            matrix A = random_matrix(n);
            for (int k = 0; k < n * n; k++) {
                const int below = (k % n - k / n + n) % n;
                if (below != shift && (below == 0 || uniform() < 0.5))
                    A.re[k] = A.im[k] = 0;
                else if (below == shift)
                    A.re[k] += 3;
            }
            assert_solves(A);
        }
}

/* A diagonal far below the other entries: as a pivot it would destroy the others. */
static void kernels_pivot_small_diagonal(void **state)
{
    (void)state;
    for (int n = 2; n <= LARGEST_KERNEL; n++) {
        matrix A = random_matrix(n);
        for (int i = 0; i < n; i++) {
            A.re[i * n + i] *= 1e-15;
            A.im[i * n + i] *= 1e-15;
        }
        assert_solves(A);
    }
}

static void kernels_name_the_singular_column(void **state)
{
    (void)state;
    for (int n = 1; n <= LARGEST_KERNEL; n++)
        for (int k = 0; k < n; k++) {
            matrix A = random_matrix(n), B = random_matrix(n);
            memset(A.re + k * n, 0, (size_t)n * sizeof *A.re);
            memset(A.im + k * n, 0, (size_t)n * sizeof *A.im);
            assert_int_equal(k, factor(&A));
            for (int j = 0; j < n; j++)
                B.re[j * n + k] = B.im[j * n + k] = 0;
            assert_int_equal(n - 1, factor(&B));        /* no row is left for the last column */
        }
}

static matrix diagonal_matrix(int n)
{
    matrix A = {.n = n};
    for (int i = 0; i < n; i++)
        A.im[i * n + i] = 1;
    return A;
}

/* Wherever it stands: in a full matrix, and where zeros around it keep it from spreading. */
static void kernels_refuse_what_is_not_finite(void **state)
{
    static const double strange[] = {NAN, INFINITY, -INFINITY};
    (void)state;
    for (int n = 1; n <= LARGEST_KERNEL; n++)
        for (int k = 0; k < n * n; k++)
            for (int i = 0; i < 12; i++) {
                matrix A = i < 6 ? random_matrix(n) : diagonal_matrix(n);
                (i % 2 ? A.re : A.im)[k] = strange[i / 2 % 3];
                const int column = factor(&A);
                assert_true(column >= 0 && column < n);
            }
}

/* ---- pencils ------------------------------------------------------------------------------- */

/* M and J on a pattern; kept in full where keep(n, i, j). */
static dae_jacobian *create_jacobian(int n, int (*keep)(int n, int i, int j))
{
    dae_jacobian *jac = calloc(1, sizeof *jac);
    dae_pattern *pattern = &jac->pattern;
    const size_t room = (size_t)n * (size_t)n;
    pattern->n = n;
    pattern->column = calloc((size_t)n + 1, sizeof *pattern->column);
    pattern->row = calloc(room, sizeof *pattern->row);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            if (keep(n, i, j))
                pattern->row[pattern->nnz++] = i;
        pattern->column[j + 1] = pattern->nnz;
    }
    pattern->full = pattern->nnz == n * n;
    jac->M = calloc(room, sizeof *jac->M);
    jac->J = calloc(room, sizeof *jac->J);
    fill(pattern->nnz, jac->M);
    fill(pattern->nnz, jac->J);
    return jac;
}

static void free_jacobian(dae_jacobian *jac)
{
    free(jac->pattern.column);
    free(jac->pattern.row);
    free(jac->M);
    free(jac->J);
    free(jac);
}

/* M and J of entry (i, j) := m and 0, where it is on the pattern. */
static void set(dae_jacobian *jac, int i, int j, double m)
{
    for (int k = jac->pattern.column[j]; k < jac->pattern.column[j + 1]; k++)
        if (jac->pattern.row[k] == i) {
            jac->M[k] = m;
            jac->J[k] = 0;
        }
}

static dae_pencil *create_pencil(const dae_jacobian *jac, dae_linear_kind kind)
{
    dae_pencil *pencil;
    dae_report why;
    assert_int_equal(DAE_OK, dae_pencil_create(&pencil, jac, kind, &why));
    return pencil;
}

static dae_status factor_pencil(dae_pencil *pencil, int *column)
{
    return dae_pencil_factor(pencil, creal(GAMMA), cimag(GAMMA), column);
}

/* Factor, then two right-hand sides. */
static void assert_pencil_solves(dae_pencil *pencil, const dae_jacobian *jac)
{
    static double complex A[LARGEST * LARGEST];
    const dae_pattern *pattern = &jac->pattern;
    const int n = pattern->n;
    double re[LARGEST], im[LARGEST];
    double complex x[LARGEST], b[LARGEST];
    int column;
    memset(A, 0, sizeof A);
    for (int j = 0; j < n; j++)
        for (int k = pattern->column[j]; k < pattern->column[j + 1]; k++)
            A[j * n + pattern->row[k]] = jac->M[k] - GAMMA * jac->J[k];
    assert_int_equal(DAE_OK, factor_pencil(pencil, &column));
    for (int time = 0; time < 2; time++) {
        fill(n, re);
        fill(n, im);
        for (int i = 0; i < n; i++)
            b[i] = re[i] + I * im[i];
        assert_int_equal(DAE_OK, dae_pencil_solve(pencil, re, im));
        for (int i = 0; i < n; i++)
            x[i] = re[i] + I * im[i];
        const double ratio = residual(n, A, x, b);
        if (!(ratio <= 20 * GROWTH))                    /* KLU prefers sparsity to size */
            fail_msg("n = %d, %d entries: residual %g n eps |A| |x|", n, pattern->nnz, ratio);
    }
}

static int everywhere(int n, int i, int j) { return n > i && n > j; }

/* A cyclic shift makes it regular; no diagonal for n > 1. */
static int scattered(int n, int i, int j)
{
    return i == (j + 1) % n || (i != j && uniform() > 0.6);
}

static int tridiagonal(int n, int i, int j) { return n > 0 && abs(i - j) <= 1; }

/* DENSE is the project's kernels up to DAE_SMALL, LAPACK above. */
static const dae_linear_kind kinds[] = {DAE_LINEAR_DENSE, DAE_LINEAR_KLU, DAE_LINEAR_BEST};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void pencils_solve(void **state)
{
    int (*const patterns[])(int, int, int) = {everywhere, scattered, tridiagonal};
    (void)state;
    for (int n = 1; n <= LARGEST; n++)
        for (int p = 0; p < 3; p++)
            for (int k = 0; k < KINDS; k++) {
                dae_jacobian *jac = create_jacobian(n, patterns[p]);
                dae_pencil *pencil = create_pencil(jac, kinds[k]);
                assert_pencil_solves(pencil, jac);
                fill(jac->pattern.nnz, jac->M);         /* again, with other values */
                assert_pencil_solves(pencil, jac);
                dae_pencil_free(pencil);
                free_jacobian(jac);
            }
}

static const int sizes[] = {1, 2, 5, 12, DAE_SMALL, DAE_SMALL + 1, LARGEST};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* A column of zeros is named, and good values afterwards are solved. */
static void pencils_name_the_singular_column(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; s++)
        for (int k = 0; k < KINDS; k++) {
            const int n = sizes[s], zero = n / 2;
            int column = -1;
            dae_jacobian *jac = create_jacobian(n, everywhere);
            dae_pencil *pencil = create_pencil(jac, kinds[k]);
            for (int before = 0; before < 2; before++) {
                for (int i = 0; i < n; i++)
                    set(jac, i, zero, 0);
                assert_int_equal(DAE_SINGULAR, factor_pencil(pencil, &column));
                assert_int_equal(zero, column);
                fill(jac->pattern.nnz, jac->M);
                fill(jac->pattern.nnz, jac->J);
                assert_pencil_solves(pencil, jac);
            }
            dae_pencil_free(pencil);
            free_jacobian(jac);
        }
}

static void pencils_refuse_what_is_not_finite(void **state)
{
    static const double strange[] = {NAN, INFINITY};
    (void)state;
    for (int s = 0; s < SIZES; s++)
        for (int k = 0; k < KINDS; k++)
            for (int i = 0; i < 4; i++) {
                const int n = sizes[s];
                int column = -1;
                dae_jacobian *jac = create_jacobian(n, everywhere);
                dae_pencil *pencil = create_pencil(jac, kinds[k]);
                (i % 2 ? jac->M : jac->J)[n / 2 * n + n - 1] = strange[i / 2];
                assert_int_equal(DAE_SINGULAR, factor_pencil(pencil, &column));
                assert_true(column >= 0 && column < n);
                if (kinds[k] == DAE_LINEAR_KLU)
                    assert_int_equal(n / 2, column);
                dae_pencil_free(pencil);
                free_jacobian(jac);
            }
}

/* A column without entries: KLU cannot even analyse this. */
static int without_last_column(int n, int i, int j) { return i == j && j < n - 1; }

static void structurally_singular(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        int column = -1;
        dae_jacobian *jac = create_jacobian(6, without_last_column);
        dae_pencil *pencil = create_pencil(jac, kinds[k]);
        assert_int_equal(DAE_SINGULAR, factor_pencil(pencil, &column));
        assert_true(column >= 0 && column < 6);
        dae_pencil_free(pencil);
        free_jacobian(jac);
    }
}

/* Pivots on a large diagonal are kept while values change a little; when the diagonal shrinks they
 * would leave a residual of eps/diagonal, and new ones have to be found. */
static void klu_gives_bad_pivots_up(void **state)
{
    static const double diagonal[] = {10, 9, 11, 1e-13, 10, 0, 10, 1e-6};
    (void)state;
    for (int n = 2; n <= LARGEST; n += 2) {
        dae_jacobian *jac = create_jacobian(n, tridiagonal);
        dae_pencil *pencil = create_pencil(jac, DAE_LINEAR_KLU);
        for (size_t d = 0; d < sizeof diagonal / sizeof *diagonal; d++) {
            for (int j = 0; j < n; j++) {
                set(jac, j, j, diagonal[d]);
                set(jac, j - 1, j, 1 + 0.1 * uniform());
                set(jac, j + 1, j, 1 + 0.1 * uniform());
            }
            assert_pencil_solves(pencil, jac);
        }
        dae_pencil_free(pencil);
        free_jacobian(jac);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_solve),
        cmocka_unit_test(kernels_pivot),
        cmocka_unit_test(kernels_pivot_small_diagonal),
        cmocka_unit_test(kernels_name_the_singular_column),
        cmocka_unit_test(kernels_refuse_what_is_not_finite),
        cmocka_unit_test(pencils_solve),
        cmocka_unit_test(pencils_name_the_singular_column),
        cmocka_unit_test(pencils_refuse_what_is_not_finite),
        cmocka_unit_test(structurally_singular),
        cmocka_unit_test(klu_gives_bad_pivots_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
