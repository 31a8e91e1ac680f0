/* test_sparsity.c - patterns found by blocks are those of the map; colours separate what shares a
 * row */
#ifndef DAE_PASS
enum { COUNT, KIND };
enum { EVERYWHERE, WHERE_LARGE, SMALL_BESIDE, NOT_AT_FIRST };
#include <daelab/model.h>

#include "support.h"

#include "base/numbers.h"
#include "base/sparsity.h"
#include "jacobian/jacobian.h"

OWNED_BY_POINTER(dae_jacobian)
OWNED_BY_VALUE(dae_pattern)

typedef struct {
    int rows, columns;
    unsigned char *entry;       /* [rows x columns] column-major */
    int not_finite;             /* a row that answers NaN always, or -1 */
    long probes;
} map;

static void apply(void *context, const dae_probe_vector *direction, unsigned char *hit)
{
    const double *x = direction->x;
    map *A = context;
    A->probes++;
    for (int i = 0; i < A->rows; i++) {
        double sum = i == A->not_finite ? (double)NAN : 0;
        for (int j = 0; j < A->columns; j++)
            sum += A->entry[j * A->rows + i] * x[j];
        hit[i] = sum != 0;
    }
}

static map create_map(int rows, int columns, double density, uint64_t *state)
{
    map A = {rows, columns, calloc((size_t)rows * (size_t)columns + 1, 1), -1, 0};
    for (int k = 0; k < rows * columns; k++)
        A.entry[k] = (dae_random(state) + 1) / 2 < density;
    return A;
}

static void assert_separates(const dae_pattern *p, const int *colour, int colours)
{
    int *owner = malloc(((size_t)p->rows + 1) * sizeof *owner);
    int *longest = calloc((size_t)p->rows + 1, sizeof *longest), most = 0;
    for (int c = 0; c < colours; c++) {
        for (int i = 0; i < p->rows; i++)
            owner[i] = -1;
        for (int j = 0; j < p->n; j++)
            for (int k = p->column[j]; colour[j] == c && k < p->column[j + 1]; k++) {
                assert_int_equal(-1, owner[p->row[k]]);
                owner[p->row[k]] = j;
            }
    }
    for (int j = 0; j < p->n; j++)
        assert_true(colour[j] >= 0 && colour[j] < colours);
    for (int k = 0; k < p->nnz; k++)
        longest[p->row[k]]++;
    for (int i = 0; i < p->rows; i++)
        most = longest[i] > most ? longest[i] : most;
    assert_true(colours >= most);
    free(owner);
    free(longest);
}

static int colours_of(const dae_pattern *p)
{
    int *colour = malloc(((size_t)p->n + 1) * sizeof *colour);
    const int colours = dae_colour_columns(p, colour);
    assert_separates(p, colour, colours);
    free(colour);
    return colours;
}

static void assert_is_pattern_of(const map *A, const dae_pattern *p)
{
    int k = 0;
    assert_int_equal(A->columns, p->n);
    assert_int_equal(A->rows, p->rows);
    assert_int_equal(0, p->column[0]);
    for (int j = 0; j < A->columns; j++) {
        for (int i = 0; i < A->rows; i++)
            if (A->entry[j * A->rows + i] || i == A->not_finite)
                assert_int_equal(i, p->row[k++]);
        assert_int_equal(k, p->column[j + 1]);
    }
    assert_int_equal(k, p->nnz);
    assert_int_equal(p->full, A->rows == A->columns && k == A->rows * A->columns);
}

static void detect(map *A)
{
    OWNED(dae_pattern) p = {0};
    A->probes = 0;
    assert_int_equal(DAE_OK, dae_pattern_detect(&p, A->rows, A->columns, apply, A));
    assert_is_pattern_of(A, &p);
    colours_of(&p);
}

/* Any shape and density, with a dense row, a dense column, a row that cannot be evaluated. */
TEST(maps_are_detected)
{
    uint64_t random = 5;
    for (int rows = 0; rows < 70; rows += rows < 6 ? 1 : 13)
        for (int columns = 0; columns < 140; columns += columns < 20 ? 1 : 17)
            for (int kind = 0; kind < 6; kind++) {
                const double density = kind == 0 ? 0 : kind == 1 ? 1.1 : 3.0 / (columns + 1);
                map A = create_map(rows, columns, density, &random);
                for (int j = 0; kind == 3 && rows && j < columns; j++)
                    A.entry[j * rows + rows / 2] = 1;
                for (int i = 0; kind == 4 && columns && i < rows; i++)
                    A.entry[columns / 3 * rows + i] = 1;
                if (kind == 5 && rows)
                    A.not_finite = rows / 3;
                detect(&A);
                free(A.entry);
            }
}

enum { HALF_BAND = 2, LONG = 20000 };

/* The second difference applied twice: five entries in a row. */
static void apply_band(void *context, const dae_probe_vector *direction, unsigned char *hit)
{
    const double *x = direction->x;
    long *probes = context;
    ++*probes;
    for (int i = 0; i < LONG; i++)
        for (int j = i - HALF_BAND; j <= i + HALF_BAND; j++)
            hit[i] |= j >= 0 && j < LONG && x[j] != 0;
}

/* log4(20000) = 7.1: eight levels of about five colours and four parts, not 20000 columns. */
TEST(bands_need_few_probes)
{
    OWNED(dae_pattern) p = {0};
    long probes = 0;
    assert_int_equal(DAE_OK, dae_pattern_detect(&p, LONG, LONG, apply_band, &probes));
    assert_int_equal(5 * LONG - 6, p.nnz);
    for (int j = HALF_BAND; j < LONG - HALF_BAND; j++)
        for (int k = 0; k < 5; k++)
            assert_int_equal(j + k - HALF_BAND, p.row[p.column[j] + k]);
    assert_int_equal(5, colours_of(&p));
    if (probes > 8 * 4 * 5)
        fail_msg("%ld probes", probes);
}

/* An arrow: the full row makes every column a colour of its own; without it two are enough. */
TEST(arrows_are_coloured)
{
    for (int row = 0; row < 2; row++) {
        uint64_t random = 1;
        map A = create_map(40, 40, 0, &random);
        OWNED(dae_pattern) p = {0};
        for (int i = 0; i < 40; i++)
            A.entry[i] = A.entry[i * 41] = 1;           /* column 0, and the diagonal */
        for (int j = 0; row && j < 40; j++)
            A.entry[j * 40] = 1;
        assert_int_equal(DAE_OK, dae_pattern_detect(&p, 40, 40, apply, &A));
        assert_is_pattern_of(&A, &p);
        assert_int_equal(row ? 40 : 2, colours_of(&p));
        free(A.entry);
    }
}

/* ---- several points --------------------------------------------------------------------------- */

/* The pattern of dF/du is that of several points near the start, and finding it
 * takes as many evaluations of F for a large system as for a small one, but for the logarithm */

static void small_start(const double *p, double *u)
{
    for (int i = 0; i < dae_count(p[COUNT]); i++)
        u[i] = i == 0 ? 1 : 1e-3;
}

static long asked;

static void counted(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    asked++;
    ring_dual(p, t, u, F);
}

static dae_problem ring_of(int count, int kind)
{
    return (dae_problem){
        .name = "ring", .variables = "", .units = "", .start = {small_start}, .t_end = 1,
        .parameters = {{"count", count, "-", "", DAE_POSITIVE}, {"kind", kind, "-", "", DAE_ANY_VALUE}},
        .first_order = {.n = count, .rhs = {ring_double, counted, ring_quad, ring_tangent}}};
}

/* Off the diagonal; the evaluations of F that it took. */
static int entries(int count, int kind, long *evaluations)
{
    const dae_problem ring = ring_of(count, kind);
    OWNED(dae_system) *sys = system_of(&ring, "native", NULL, NULL);
    OWNED(dae_jacobian) *jac = NULL;
    asked = 0;
    assert_int_equal(DAE_OK, dae_jacobian_create(&jac, sys, DAE_JACOBIAN_DUAL, 1, NULL));
    *evaluations = asked;
    const int nnz = jac->pair.pattern.nnz;
    return nnz - count;
}

/* What begins beyond 0.02 from 1e-3 is found where the second point has gone that far. */
TEST(entries_of_other_points_are_found)
{
    enum { MANY = 400 };
    long few, all;
    assert_int_equal(2 * MANY, entries(MANY, EVERYWHERE, &few));
    assert_in_range(entries(MANY, WHERE_LARGE, &all), MANY / 4, 2 * MANY);
    assert_true(all > 2 * few);
    assert_int_equal(2 * MANY, entries(MANY, SMALL_BESIDE, &all));
    assert_true(all < 2 * few);
}

/* The first point is near the start, the second is not. */
TEST(rows_without_value_are_found_elsewhere)
{
    long evaluations;
    assert_int_equal(2 * 100, entries(100, NOT_AT_FIRST, &evaluations));
}

TEST(evaluations_grow_as_the_logarithm)
{
    long few, many;
    entries(256, EVERYWHERE, &few);
    entries(16384, EVERYWHERE, &many);
    if (few > 4 * 4 * 4 + 20 || many > 4 * 4 * 7 + 20)     /* 4 parts, 3 or 4 colours, log4 n levels */
        fail_msg("%ld and %ld evaluations of F", few, many);
}

#else

/* Each unknown is pulled by both neighbours: always; from 0.02 on; by 1e-14 beside its own pull; or by a
 * function that has no value near the start, 1e-3. */
static void FN(ring)(const param *p, real t, const real *u, real *F)
{
    const int n = dae_count(p[COUNT]), kind = dae_count(p[KIND]);
    for (int i = 0; i < n; i++) {
        const real a = u[(i + 1) % n], b = u[(i + n - 1) % n];
        F[i] = -u[i];
        if (kind == EVERYWHERE)
            F[i] += a + b;
        if (kind == WHERE_LARGE)
            F[i] += (value(a) > EXACT(0.02) ? a : 0 * a) + (value(b) > EXACT(0.02) ? b : 0 * b);
        if (kind == SMALL_BESIDE)
            F[i] += EXACT(1e-14) * (a + b);
        if (kind == NOT_AT_FIRST)
            F[i] += value(a) < EXACT(2e-3) && value(a) > 0 ? log(-a) : a * b;
    }
}

#endif
