/* test_linear.c - dense kernels and pencils M - gamma J by the residual of what they solve */
#include "pencils.h"

#include "linear/dense_lu.h"

enum { LARGEST_KERNEL = 12 };
static const double complex GAMMA = 0.35 + 0.6 * I;

/* ---- the dense kernels --------------------------------------------------------------------- */

typedef struct {
    arithmetic kind;            /* REAL: re alone */
    int n, pivot[LARGEST_KERNEL];
    double re[LARGEST_KERNEL * LARGEST_KERNEL], im[LARGEST_KERNEL * LARGEST_KERNEL];
    double size[LARGEST_KERNEL], row[LARGEST_KERNEL];
} matrix;

static matrix random_matrix(int n, arithmetic kind)
{
    matrix A = {.n = n, .kind = kind};
    for (int i = 0; i < n; i++)
        A.size[i] = 1;
    fill(n * n, A.re);
    if (kind == COMPLEX)
        fill(n * n, A.im);
    return A;
}

static int factor(matrix *A)
{
    return A->kind == REAL ? dae_dense_factor_real(A->n, A->re, A->size, A->row, A->pivot)
                           : dae_dense_factor(A->n, A->re, A->im, A->size, A->row, A->pivot);
}

static void assert_solves(matrix A)
{
    const int n = A.n;
    double re[LARGEST_KERNEL], im[LARGEST_KERNEL] = {0};
    double complex full[LARGEST_KERNEL * LARGEST_KERNEL], x[LARGEST_KERNEL], b[LARGEST_KERNEL];
    fill(n, re);
    if (A.kind == COMPLEX)
        fill(n, im);
    for (int i = 0; i < n * n; i++)
        full[i] = A.re[i] + I * A.im[i];
    for (int i = 0; i < n; i++)
        b[i] = re[i] + I * im[i];
    assert_int_equal(-1, factor(&A));
    if (A.kind == REAL)
        dae_dense_solve_real(n, A.re, A.pivot, re);
    else
        dae_dense_solve(n, A.re, A.im, A.pivot, re, im);
    for (int i = 0; i < n; i++)
        x[i] = re[i] + I * im[i];
    const double ratio = residual(n, full, x, b, A.size);
    if (!(ratio <= GROWTH))
        fail_msg("n = %d: residual %g n eps |A| |x|", n, ratio);
}

TEST(kernels_solve)
{
    for (int n = 1; n <= LARGEST_KERNEL; n++)
        for (int trial = 0; trial < 50; trial++) {
            assert_solves(random_matrix(n, COMPLEX));
            assert_solves(random_matrix(n, REAL));
        }
}

/* A cyclic shift with some entries beside it: no diagonal, and most entries zero. */
TEST(kernels_pivot)
{
    for (int n = 2; n <= LARGEST_KERNEL; n++)
        for (int shift = 1; shift < 2 * n - 1; shift++) {
            const int place = shift < n ? shift : shift - n + 1;
            matrix A = random_matrix(n, shift < n ? COMPLEX : REAL);
            for (int k = 0; k < n * n; k++) {
                const int below = (k % n - k / n + n) % n;
                if (below != place && (below == 0 || uniform() < 0.5))
                    A.re[k] = A.im[k] = 0;
                else if (below == place)
                    A.re[k] += 3;
            }
            assert_solves(A);
        }
}

/* A diagonal far below the other entries: as a pivot it would destroy the others. */
TEST(kernels_pivot_small_diagonal)
{
    for (int n = 2; n <= LARGEST_KERNEL; n++) {
        matrix A = random_matrix(n, n % 2 ? REAL : COMPLEX);
        for (int i = 0; i < n; i++) {
            A.re[i * n + i] *= 1e-15;
            A.im[i * n + i] *= 1e-15;
        }
        assert_solves(A);
    }
}

TEST(kernels_name_the_singular_column)
{
    for (int n = 1; n <= LARGEST_KERNEL; n++)
        for (int k = 0; k < 2 * n; k++) {
            const arithmetic kind = k < n ? COMPLEX : REAL;
            const int zero = k % n;
            matrix A = random_matrix(n, kind), B = random_matrix(n, kind);
            memset(A.re + zero * n, 0, (size_t)n * sizeof *A.re);
            memset(A.im + zero * n, 0, (size_t)n * sizeof *A.im);
            assert_int_equal(zero, factor(&A));
            for (int j = 0; j < n; j++)
                B.re[j * n + zero] = B.im[j * n + zero] = 0;
            assert_int_equal(n - 1, factor(&B));        /* no row is left for the last column */
        }
}

static matrix diagonal_matrix(int n, arithmetic kind)
{
    matrix A = {.n = n, .kind = kind};
    for (int i = 0; i < n; i++)
        A.size[i] = 1;
    for (int i = 0; i < n; i++)
        (kind == REAL ? A.re : A.im)[i * n + i] = 1;
    return A;
}

/* Wherever it stands: in a full matrix, and where zeros around it keep it from spreading. */
TEST(kernels_refuse_what_is_not_finite)
{
    static const double strange[] = {NAN, INFINITY, -INFINITY};
    for (int n = 1; n <= LARGEST_KERNEL; n++)
        for (int k = 0; k < n * n; k++)
            for (int i = 0; i < 24; i++) {
                const arithmetic kind = i < 12 ? COMPLEX : REAL;
                matrix A = i % 12 < 6 ? random_matrix(n, kind) : diagonal_matrix(n, kind);
                (kind == REAL || i % 2 ? A.re : A.im)[k] = strange[i / 2 % 3];
                const int column = factor(&A);
                assert_true(column >= 0 && column < n);
            }
}

/* ---- pencils ------------------------------------------------------------------------------- */

/* M and J of entry (i, j) := m and 0, where it is on the pattern. */
static void set(dae_matrix_pair *pair, int i, int j, double m)
{
    for (int k = pair->pattern.column[j]; k < pair->pattern.column[j + 1]; k++)
        if (pair->pattern.row[k] == i) {
            pair->M[k] = m;
            pair->J[k] = 0;
        }
}

/* KLU prefers sparsity, and old pivots, to size. */
static void assert_pencil_solves(dae_pencil *pencil, const dae_matrix_pair *pair, arithmetic kind)
{
    assert_solves_to(100 * GROWTH, pencil, pair, kind, GAMMA, "pencil");
}

/* A cyclic shift makes it regular; no diagonal for n > 1. */
static int scattered(int n, int i, int j)
{
    return i == (j + 1) % n || (i != j && uniform() > 0.6);
}

static int tridiagonal(int n, int i, int j) { return n > 0 && abs(i - j) <= 1; }

/* DENSE is the project's kernels up to DAE_SMALL, LAPACK above. */
static const struct { dae_linear_kind linear; arithmetic arithmetic; } kinds[] = {
    {DAE_LINEAR_DENSE, COMPLEX}, {DAE_LINEAR_KLU, COMPLEX}, {DAE_LINEAR_BAND, COMPLEX},
    {DAE_LINEAR_BEST, COMPLEX}, {DAE_LINEAR_DENSE, REAL}, {DAE_LINEAR_KLU, REAL},
    {DAE_LINEAR_BAND, REAL}, {DAE_LINEAR_BEST, REAL}};
enum { KINDS = sizeof kinds / sizeof *kinds };

TEST(pencils_solve)
{
    int (*const patterns[])(int, int, int) = {everywhere, scattered, tridiagonal};
    for (int n = 1; n <= LARGEST; n++)
        for (int p = 0; p < 3; p++)
            for (int k = 0; k < KINDS; k++) {
                OWNED(dae_matrix_pair) *pair = create_pair(n, patterns[p]);
                OWNED(dae_pencil) *pencil = create_pencil(pair, kinds[k].linear);
                assert_pencil_solves(pencil, pair, kinds[k].arithmetic);
                fill(pair->pattern.nnz, pair->M);         /* again, with other values */
                assert_pencil_solves(pencil, pair, kinds[k].arithmetic);
            }
}

/* x of (M - gamma J) x = b with equations multiplied by row and unknowns by unit, b as given */
static void solve_in_units(dae_matrix_pair *pair, int k, const double *row, const double *unit,
                           const double *b, double *x)
{
    const int n = pair->pattern.n;
    double im[LARGEST] = {0};
    for (int j = 0; j < n; j++) {
        pair->size[j] *= unit[j];
        x[j] = b[j] * row[j];
        for (int i = pair->pattern.column[j]; i < pair->pattern.column[j + 1]; i++) {
            pair->M[i] *= row[pair->pattern.row[i]] / unit[j];
            pair->J[i] *= row[pair->pattern.row[i]] / unit[j];
        }
    }
    OWNED(dae_pencil) *pencil = create_pencil(pair, kinds[k].linear);
    assert_int_equal(DAE_OK, factor_with(pencil, kinds[k].arithmetic, GAMMA).status);
    assert_int_equal(DAE_OK, kinds[k].arithmetic == REAL ? dae_pencil_solve_real(pencil, x)
                                                         : dae_pencil_solve(pencil, x, im));
}

/* Equations and unknowns in other units, all equations in some whose squares are no numbers, too: the same pivots,
 * hence the same bits. */
TEST(units_choose_no_pivot)
{
    int (*const patterns[])(int, int, int) = {everywhere, scattered, tridiagonal};
    for (int n = 1; n <= LARGEST; n++)
        for (int trial = 0; trial < 9 * KINDS; trial++) {
            double one[LARGEST], row[LARGEST], unit[LARGEST], b[LARGEST], x[LARGEST], y[LARGEST];
            const int kind = trial / 3 % KINDS, all = 540 * (trial / (3 * KINDS) - 1);
            for (int i = 0; i < n; i++) {
                one[i] = 1;
                row[i] = ldexp(1, all + (int)(40 * uniform()));
                unit[i] = ldexp(1, (int)(40 * uniform()));
            }
            fill(n, b);
            OWNED(dae_matrix_pair) *pair = create_pair(n, patterns[trial % 3]);
            solve_in_units(pair, kind, one, one, b, x);
            if (pair->shared)                            /* its ordering is decided by entries */
                pair->release(pair->shared);
            pair->shared = NULL;
            solve_in_units(pair, kind, row, unit, b, y);
            for (int i = 0; i < n; i++)
                if (x[i] * unit[i] != y[i])
                    fail_msg("n = %d, trial %d, unknown %d: %.17g, in other units %.17g", n, trial,
                             i, x[i], y[i] / unit[i]);
        }
}

static const int sizes[] = {1, 2, 5, 12, DAE_SMALL, DAE_SMALL + 1, LARGEST};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* A column of zeros is named, and good values afterwards are solved. */
TEST(pencils_name_the_singular_column)
{
    for (int s = 0; s < SIZES; s++)
        for (int k = 0; k < KINDS; k++) {
            const int n = sizes[s], zero = n / 2;
            OWNED(dae_matrix_pair) *pair = create_pair(n, everywhere);
            OWNED(dae_pencil) *pencil = create_pencil(pair, kinds[k].linear);
            for (int before = 0; before < 2; before++) {
                for (int i = 0; i < n; i++)
                    set(pair, i, zero, 0);
                assert_int_equal(zero, singular_at(pencil, kinds[k].arithmetic, GAMMA));
                fill(pair->pattern.nnz, pair->M);
                fill(pair->pattern.nnz, pair->J);
                assert_pencil_solves(pencil, pair, kinds[k].arithmetic);
            }
        }
}

TEST(pencils_refuse_what_is_not_finite)
{
    static const double strange[] = {NAN, INFINITY};
    for (int s = 0; s < SIZES; s++)
        for (int k = 0; k < KINDS; k++)
            for (int i = 0; i < 4; i++) {
                const int n = sizes[s];
                OWNED(dae_matrix_pair) *pair = create_pair(n, everywhere);
                OWNED(dae_pencil) *pencil = create_pencil(pair, kinds[k].linear);
                (i % 2 ? pair->M : pair->J)[n / 2 * n + n - 1] = strange[i / 2];
                const int column = singular_at(pencil, kinds[k].arithmetic, GAMMA);
                assert_true(column >= 0 && column < n);
                if (kinds[k].linear == DAE_LINEAR_KLU)
                    assert_int_equal(n / 2, column);
            }
}

/* A column without entries: KLU cannot even analyse this, nor tell where. */
static int without_last_column(int n, int i, int j) { return i == j && j < n - 1; }

TEST(structurally_singular)
{
    for (int k = 0; k < KINDS; k++) {
        OWNED(dae_matrix_pair) *pair = create_pair(6, without_last_column);
        OWNED(dae_pencil) *pencil = create_pencil(pair, kinds[k].linear);
        const int column = singular_at(pencil, kinds[k].arithmetic, GAMMA);
        if (column != DAE_NOWHERE || kinds[k].linear != DAE_LINEAR_KLU)
            assert_in_range(column, 0, 5);
    }
}

/* Pivots on a large diagonal are kept while values change a little; when the diagonal shrinks they
 * would leave a residual of eps/diagonal, and new ones have to be found. */
TEST(klu_gives_bad_pivots_up)
{
    static const double diagonal[] = {10, 9, 11, 1e-13, 10, 0, 10, 1e-6};
    for (int n = 2; n <= LARGEST; n += 2) {
        const arithmetic kind = n % 4 ? REAL : COMPLEX;
        OWNED(dae_matrix_pair) *pair = create_pair(n, tridiagonal);
        OWNED(dae_pencil) *pencil = create_pencil(pair, DAE_LINEAR_KLU);
        for (size_t d = 0; d < sizeof diagonal / sizeof *diagonal; d++) {
            for (int j = 0; j < n; j++) {
                set(pair, j, j, diagonal[d]);
                set(pair, j - 1, j, 1 + 0.1 * uniform());
                set(pair, j + 1, j, 1 + 0.1 * uniform());
            }
            assert_pencil_solves(pencil, pair, kind);
        }
    }
}

/* Four pencils of one Jacobian, two of them real, factored and freed in any order; the first of
 * them decides the ordering. */
TEST(pencils_share_the_analysis)
{
    for (int order = 0; order < 24; order++) {
        OWNED(dae_matrix_pair) *pair = create_pair(40, scattered);
        dae_pencil *pencil[4];
        int left[] = {0, 1, 2, 3};
        for (int i = 0; i < 4; i++) {
            pencil[i] = create_pencil(pair, DAE_LINEAR_KLU);
            if (i % 2 == order % 2)
                assert_pencil_solves(pencil[i], pair, i < 2 ? REAL : COMPLEX);
        }
        for (int i = 0, rest = order; i < 4; rest /= 4 - i, i++) {
            const int k = rest % (4 - i);
            for (int j = 0; j < 4 - i; j++)
                assert_pencil_solves(pencil[left[j]], pair, left[j] < 2 ? REAL : COMPLEX);
            dae_pencil_free(pencil[left[k]]);
            left[k] = left[3 - i];
        }
    }
}

/* A tridiagonal matrix with a strong diagonal fills nothing; an arrow that points to the first
 * unknown is turned round; dense factors have n^2 entries. */
TEST(fill_is_told)
{
    int (*const patterns[])(int, int, int) = {tridiagonal, arrow};
    for (int k = 0; k < 4; k++) {
        const arithmetic kind = k / 2 ? REAL : COMPLEX;
        OWNED(dae_matrix_pair) *pair = create_pair(LARGEST, patterns[k % 2]);
        OWNED(dae_pencil) *sparse = create_pencil(pair, DAE_LINEAR_KLU);
        OWNED(dae_pencil) *dense = create_pencil(pair, DAE_LINEAR_DENSE);
        for (int i = 0; i < LARGEST; i++)
            set(pair, i, i, 20);
        assert_pencil_solves(dense, pair, kind);
        assert_int_equal(LARGEST * LARGEST, dae_pencil_fill(dense));
        assert_int_equal(0, dae_pencil_fill(sparse));
        assert_pencil_solves(sparse, pair, kind);
        assert_int_equal(3 * LARGEST - 2, dae_pencil_fill(sparse));
        assert_int_equal(3 * LARGEST - 2, pair->count->fill);
    }
}

/* Five-point differences on a square of 7 x 7: symmetric, pivots on the diagonal. */
static int grid(int n, int i, int j)
{
    const int side = 7, apart = abs(i - j);
    return n > 0 && (i == j || apart == side || (apart == 1 && i / side == j / side));
}

/* AMD fills less, unless every third diagonal entry is zero and pivots have to be elsewhere. */
TEST(ordering_is_chosen)
{
    for (int k = 0; k < 2; k++) {
        OWNED(dae_matrix_pair) *pair = create_pair(49, grid);
        for (int i = 0; i < 49; i++)
            set(pair, i, i, k && i % 3 == 0 ? 0 : 8);
        OWNED(dae_pencil) *pencil = create_pencil(pair, DAE_LINEAR_KLU);
        assert_pencil_solves(pencil, pair, REAL);
        assert_true(dae_pencil_fill(pencil) <= (k ? 600 : 480));
    }
}
