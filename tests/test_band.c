/* test_band.c - the order that leaves a narrow band, and when a band is taken rather than KLU */
#include "pencils.h"

#include "linear/band_order.h"

OWNED_BY_VALUE(dae_pattern)

enum { MANY = 400 };

/* ---- orders -------------------------------------------------------------------------------- */

static int shuffled[MANY];      /* the place of each unknown where the band is narrow */
static int width;

static void shuffle(int n)
{
    for (int i = 0; i < n; i++)
        shuffled[i] = i;
    for (int i = n - 1; i > 0; i--) {
        const int j = (int)((uniform() + 1) / 2 * (i + 1)), x = shuffled[i];
        shuffled[i] = shuffled[j];
        shuffled[j] = x;
    }
}

static int band(int n, int i, int j)
{
    return n > 0 && abs(shuffled[i] - shuffled[j]) <= width;
}

/* Blocks of 7 that nothing connects */
static int pieces(int n, int i, int j)
{
    return band(n, i, j) && shuffled[i] / 7 == shuffled[j] / 7;
}

/* Some entries on one side of the diagonal only */
static int lopsided(int n, int i, int j)
{
    return band(n, i, j) && (shuffled[i] <= shuffled[j] || (i + j) % 3 == 0);
}

static int ring(int n, int i, int j)
{
    const int apart = abs(shuffled[i] - shuffled[j]);
    return apart <= width || n - apart <= width;
}

static int nothing(int n, int i, int j) { return n + i + j < 0; }

/* The order is a permutation, and its bandwidth the one that is told. */
static int bandwidth_of(int n, int (*keep)(int, int, int))
{
    int order[MANY], place[MANY], most = 0;
    OWNED(dae_matrix_pair) *pair = create_pair(n, keep);
    const dae_pattern *p = &pair->pattern;
    const int told = dae_band_order(p, order);
    for (int i = 0; i < n; i++)
        place[i] = -1;
    for (int i = 0; i < n; i++) {
        assert_in_range(order[i], 0, n - 1);
        assert_int_equal(-1, place[order[i]]);
        place[order[i]] = i;
    }
    for (int j = 0; j < n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++)
            most = abs(place[p->row[k]] - place[j]) > most ? abs(place[p->row[k]] - place[j]) : most;
    assert_int_equal(most, told);
    return told;
}

TEST(narrow_bands_are_found)
{
    for (int n = 1; n <= MANY; n += 1 + n / 3)
        for (width = 1; width <= 6; width++) {
            shuffle(n);
            const int least = width < n ? width : n - 1;
            assert_in_range(bandwidth_of(n, band), least, least + least / 2);
            assert_true(bandwidth_of(n, pieces) <= 6);
            assert_in_range(bandwidth_of(n, lopsided), least > 0, least + least / 2 + 1);
            assert_true(bandwidth_of(n, ring) <= 4 * width);
            assert_int_equal(0, bandwidth_of(n, nothing));
        }
    assert_true(bandwidth_of(MANY, arrow) >= MANY / 2);
}

/* One unknown in all equations */
static dae_pattern hub(int n)
{
    dae_pattern p = {.rows = n, .n = n, .nnz = 2 * n - 1};
    p.column = malloc(((size_t)n + 1) * sizeof *p.column);
    p.row = malloc((size_t)p.nnz * sizeof *p.row);
    assert_true(p.column && p.row);
    p.column[0] = 0;
    for (int i = 0; i < n; i++) {
        p.row[i] = i;
        p.column[i + 1] = n + i;
        if (i > 0)
            p.row[n + i - 1] = i;
    }
    return p;
}

/* After the first sweeps each makes the band narrower by one place, and as many of them as there are places would
 * take an hour. */
TEST(a_hub_takes_few_sweeps)
{
    const int n = 1000000;
    OWNED(dae_pattern) p = hub(n);
    int *order = malloc((size_t)n * sizeof *order);
    assert_non_null(order);
    assert_in_range(dae_band_order(&p, order), n / 2, n - 1);
    free(order);
}

/* More places than an int counts: asked for by name a band is refused, and else not taken. */
TEST(too_wide_a_band_is_refused)
{
    const int n = 60000;
    dae_linear_kind kind = DAE_LINEAR_BEST;
    dae_statistics count = {0};
    double *values = calloc(6 * (size_t)n, sizeof *values);
    assert_non_null(values);
    dae_matrix_pair pair = {.pattern = hub(n), .M = values, .J = values + 2 * n, .size = values + 4 * n,
                            .count = &count, .linear = &kind};
    OWNED(dae_pencil) *pencil = NULL;
    dae_report why = {0};
    assert_int_equal(DAE_NO_MEMORY, dae_pencil_create(&pencil, &pair, DAE_LINEAR_BAND, &why));
    assert_non_null(strstr(why.message, "60000 unknowns in a band, or it is too wide"));
    assert_int_equal(DAE_OK, dae_pencil_create(&pencil, &pair, DAE_LINEAR_BEST, &why));
    assert_int_equal(DAE_LINEAR_KLU, kind);
    dae_pair_forget(&pair);
    dae_pattern_free(&pair.pattern);
    free(values);
}

/* ---- the choice ---------------------------------------------------------------------------- */

static dae_linear_kind chosen(int n, int (*keep)(int, int, int))
{
    dae_linear_kind kind = DAE_LINEAR_BEST;
    OWNED(dae_matrix_pair) *pair = create_pair(n, keep);
    pair->linear = &kind;
    for (int j = 0; j < n; j++)
        for (int k = pair->pattern.column[j]; k < pair->pattern.column[j + 1]; k++)
            pair->M[k] += pair->pattern.row[k] == j ? 10 : 0;
    OWNED(dae_pencil) *pencil = create_pencil(pair, DAE_LINEAR_BEST);
    const dae_linear_kind first = kind;
    OWNED(dae_pencil) *second = create_pencil(pair, DAE_LINEAR_BEST);
    assert_int_equal(first, kind);
    assert_int_equal(DAE_OK, dae_pencil_factor_real(pencil, 0.1).status);
    assert_int_equal(DAE_OK, dae_pencil_factor(second, 0.1, 0.1).status);
    return kind;
}

/* Five points of a square of 20 x 20: a band of 20 has eight times the entries that KLU leaves. */
static int grid(int n, int i, int j)
{
    const int apart = abs(shuffled[i] - shuffled[j]);
    return n > 0 && (apart == 0 || apart == 20
                     || (apart == 1 && shuffled[i] / 20 == shuffled[j] / 20));
}

TEST(bands_are_taken_where_they_pay)
{
    shuffle(MANY);
    for (width = 1; width <= 6; width++) {
        assert_int_equal(DAE_LINEAR_BAND, chosen(MANY, band));
        assert_int_equal(DAE_LINEAR_BAND, chosen(MANY, lopsided));
    }
    assert_int_equal(DAE_LINEAR_KLU, chosen(MANY, grid));
    assert_int_equal(DAE_LINEAR_KLU, chosen(MANY, arrow));
    assert_int_equal(DAE_LINEAR_DENSE, chosen(40, everywhere));
    assert_int_equal(DAE_LINEAR_DENSE, chosen(20, grid));
}

/* Pencils of one pair by both: neither takes the analysis of the other for its own. */
TEST(band_and_klu_stand_beside_each_other)
{
    width = 3;
    shuffle(LARGEST);
    for (int first = DAE_LINEAR_KLU; first <= DAE_LINEAR_BAND; first++) {
        OWNED(dae_matrix_pair) *pair = create_pair(LARGEST, band);
        dae_pencil *pencil[4];
        for (int i = 0; i < 4; i++)
            pencil[i] = create_pencil(pair,
                                      (dae_linear_kind)(i % 2 ? DAE_LINEAR_KLU + DAE_LINEAR_BAND - first : first));
        for (int i = 0; i < 4; i++)
            assert_solves_to(100 * GROWTH, pencil[i], pair, i < 2 ? REAL : COMPLEX, 0.3 + 0.2 * I, "beside another");
        for (int i = 0; i < 4; i++)
            dae_pencil_free(pencil[i]);
    }
}

/* ---- pivots -------------------------------------------------------------------------------- */

/* Bands of every width that has a kernel of its own, and wider ones: with a diagonal that is of no use, that is
 * gone in places, and that is strong. */
TEST(pivots_stay_in_the_band)
{
    static const double diagonal[] = {1e-13, 0, 1, 30};
    for (width = 1; width <= 12; width++)
        for (int d = 0; d < 8; d++) {
            const arithmetic kind = d < 4 ? REAL : COMPLEX;
            shuffle(LARGEST);
            OWNED(dae_matrix_pair) *pair = create_pair(LARGEST, band);
            for (int j = 0; j < LARGEST; j++)
                for (int k = pair->pattern.column[j]; k < pair->pattern.column[j + 1]; k++)
                    if (pair->pattern.row[k] == j && (d % 2 || j % 3)) {
                        pair->M[k] = diagonal[d % 4] * (1 + 0.1 * uniform());
                        pair->J[k] = 0;
                    }
            OWNED(dae_pencil) *pencil = create_pencil(pair, DAE_LINEAR_BAND);
            for (int again = 0; again < 2; again++)
                assert_solves_to(10 * GROWTH, pencil, pair, kind, 0.35 + 0.6 * I, "band");
        }
}
