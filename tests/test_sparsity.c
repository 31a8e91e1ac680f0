/* test_sparsity.c - patterns found by blocks are those of the map; colours separate what shares a
 * row */
#include "support.h"

#include "base/sparsity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

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
        A.entry[k] = (uniform(state) + 1) / 2 < density;
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
    dae_pattern p;
    A->probes = 0;
    assert_int_equal(DAE_OK, dae_pattern_detect(&p, A->rows, A->columns, apply, A));
    assert_is_pattern_of(A, &p);
    colours_of(&p);
    dae_pattern_free(&p);
}

/* Any shape and density, with a dense row, a dense column, a row that cannot be evaluated. */
static void maps_are_detected(void **state)
{
    uint64_t random = 5;
    (void)state;
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
static void bands_need_few_probes(void **state)
{
    dae_pattern p;
    long probes = 0;
    (void)state;
    assert_int_equal(DAE_OK, dae_pattern_detect(&p, LONG, LONG, apply_band, &probes));
    assert_int_equal(5 * LONG - 6, p.nnz);
    for (int j = HALF_BAND; j < LONG - HALF_BAND; j++)
        for (int k = 0; k < 5; k++)
            assert_int_equal(j + k - HALF_BAND, p.row[p.column[j] + k]);
    assert_int_equal(5, colours_of(&p));
    if (probes > 8 * 4 * 5)
        fail_msg("%ld probes", probes);
    dae_pattern_free(&p);
}

/* An arrow: the full row makes every column a colour of its own; without it two are enough. */
static void arrows_are_coloured(void **state)
{
    (void)state;
    for (int row = 0; row < 2; row++) {
        uint64_t random = 1;
        map A = create_map(40, 40, 0, &random);
        dae_pattern p;
        for (int i = 0; i < 40; i++)
            A.entry[i] = A.entry[i * 41] = 1;           /* column 0, and the diagonal */
        for (int j = 0; row && j < 40; j++)
            A.entry[j * 40] = 1;
        assert_int_equal(DAE_OK, dae_pattern_detect(&p, 40, 40, apply, &A));
        assert_is_pattern_of(&A, &p);
        assert_int_equal(row ? 40 : 2, colours_of(&p));
        dae_pattern_free(&p);
        free(A.entry);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_detected),
        cmocka_unit_test(bands_need_few_probes),
        cmocka_unit_test(arrows_are_coloured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
