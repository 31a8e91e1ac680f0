/* test_curve_means.c - how the errors of a curve changed as a whole, and runs that are the same but for what the
 * programs chose themselves */
#include "support.h"

#include "compare/curve_means.h"
#include "compare/match.h"

#include <math.h>
#include <stdlib.h>

typedef struct { const char *method; double rtol; const char *linear; double error; } row;

static table *table_of(const row *rows, int count)
{
    table *t = table_new();
    for (int i = 0; i < count; i++) {
        table_row(t);
        table_text(t, "problem", "disc");
        table_text(t, "method", rows[i].method);
        table_number(t, "rtol", "", rows[i].rtol);
        table_number(t, "atol", "", rows[i].rtol / 10);
        table_text(t, "linear", rows[i].linear);
        table_number(t, "error_position", "m", rows[i].error);
        table_number(t, "scale_position", "m", 2);
    }
    assert_false(table_failed(t));
    return t;
}

static double number(const table *t, int line, const char *column)
{
    return table_number_at(t, line, table_find(t, column));
}

/* Two methods at three tolerances; the linear solver of one was chosen otherwise on the way. */
static void test_means(void **state)
{
    static const row now[] = {{"a", 1e-3, "dense", 8}, {"a", 1e-4, "klu", 2}, {"a", 1e-5, "klu", 1e-5},
                              {"b", 1e-3, "dense", 1}, {"b", 1e-4, "dense", 1}, {"b", 1e-5, "dense", NAN}};
    static const double before[] = {1, 1, 1e-6, 1, 1, 1};
    enum { ROWS = sizeof now / sizeof *now };
    table *t = table_of(now, ROWS);
    curve_means m;
    (void)state;
    assert_true(curve_means_begin(&m));
    for (int i = 0; i < ROWS; i++)
        curve_means_add(&m, t, i, "error_position", before[i], now[i].error);
    assert_int_equal(m.count, 2);
    table *all = curve_means_table(&m, 0, 2), *changed = curve_means_table(&m, 1, 2),
        *first = curve_means_table(&m, 0, 1);
    assert_int_equal(table_rows(all), 2);
    assert_int_equal(table_rows(changed), 1);           /* b is as it was */
    assert_int_equal(table_rows(first), 1);
    assert_string_equal(table_text_at(all, 0, table_find(all, "method")), "a");
    assert_string_equal(table_text_at(all, 0, table_find(all, "class")), "position");
    assert_true(fabs(number(all, 0, "mean") / cbrt(8 * 2 * 10) - 1) < 1e-14);
    assert_true(number(all, 0, "worst") == 8);          /* not 10: 1e-5 is below 10 rtol of 2 m */
    assert_true(number(all, 0, "worst_rtol") == 1e-3 && number(all, 0, "worst_error") == 8);
    assert_true(number(all, 0, "levels") == 3 && number(all, 1, "levels") == 2);
    assert_true(number(all, 1, "mean") == 1 && number(all, 1, "worst") == 1);
    assert_true(number(all, 0, "larger") == 3 && number(all, 0, "smaller") == 0);
    assert_true(number(all, 0, "much_larger") == 1 && number(all, 0, "much_smaller") == 0);
    assert_int_equal(table_find(all, "rtol"), -1);
    table_free(first);
    table_free(changed);
    table_free(all);
    curve_means_free(&m);
    table_free(t);
}

/* By a hair, by a factor, by much; 1e-3 of a scale of 2 m and more matter at rtol = 1e-4. */
static void test_directions(void **state)
{
    static const double before[] = {1, 1, 1, 1, 1, 1.999e-3, 2.001e-3},
        after[] = {1.009, 1.02, 3.1, 0.3, 0.991, 1e-9, 1e-9};
    static const row at = {"a", 1e-4, "dense", 1};
    table *t = table_of(&at, 1);
    curve_means m;
    (void)state;
    assert_true(curve_means_begin(&m));
    for (int i = 0; i < 7; i++)
        curve_means_add(&m, t, 0, "error_position", before[i], after[i]);
    const curve_mean *c = &m.curve[0];
    assert_true(m.count == 1 && c->levels == 7);
    assert_true(c->larger == 2 && c->smaller == 3);
    assert_true(c->much_larger == 1 && c->much_smaller == 2);
    table_number(t, "scale_position", "m", 1e-16);      /* near zero at the end: atol = 1e-5 is what was asked for */
    curve_means_add(&m, t, 0, "error_position", 1e-9, 0.99e-4);
    assert_true(c->larger == 3 && c->much_larger == 1);
    table_text(t, "atol_of", "x=1e-9");
    curve_means_add(&m, t, 0, "error_position", 1e-9, 0.99e-4);
    assert_true(m.count == 2 && m.curve[1].larger == 1 && m.curve[1].much_larger == 1);
    curve_means_free(&m);
    table_free(t);
}

/* Errors at rounding are equal: 1e-17 of 2 m, and a hundred times as much. */
static void test_rounding(void **state)
{
    static const row now = {"a", 1e-10, "dense", 1e-15};
    table *t = table_of(&now, 1);
    curve_means m;
    (void)state;
    assert_true(curve_means_begin(&m));
    curve_means_add(&m, t, 0, "error_position", 1e-17, 1e-15);
    assert_int_equal(m.count, 1);
    assert_true(curve_mean_of(&m.curve[0]) == 1);
    curve_means_add(&m, t, 0, "error_position", 1e-17, 64 * 0x1p-52 * 2);
    assert_true(fabs(curve_mean_of(&m.curve[0]) - 2) < 1e-12);      /* of 1 and 4 */
    curve_means_add(&m, t, 0, "error_position", 0, 128 * 0x1p-52 * 2);
    assert_true(m.curve[0].levels == 3 && fabs(curve_mean_of(&m.curve[0]) - cbrt(32)) < 1e-12);     /* and 8 */
    curve_means_free(&m);
    table_free(t);
}

/* Equal settings first; then all but the linear solver. */
static void test_choices(void **state)
{
    static const row before[] = {{"a", 1e-3, "dense", 1}, {"a", 1e-3, "klu", 2}, {"b", 1e-3, "klu", 3},
                                 {"c", 1e-3, "klu", 4}};
    static const row after[] = {{"a", 1e-3, "band", 5}, {"a", 1e-3, "dense", 6}, {"b", 1e-3, "band", 7},
                                {"d", 1e-3, "klu", 8}};
    enum { ROWS = 4 };
    table *was = table_of(before, ROWS), *is = table_of(after, ROWS);
    int *partner;
    char *left;
    (void)state;
    assert_true(match_rows("runs", was, is, &partner, &left));
    assert_true(partner[0] == 1 && partner[1] == 0 && partner[2] == 2 && partner[3] == -1);
    assert_true(!left[0] && !left[1] && !left[2] && left[3]);
    free(partner);
    free(left);
    table_free(was);
    table_free(is);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_means), cmocka_unit_test(test_directions),
                                       cmocka_unit_test(test_rounding), cmocka_unit_test(test_choices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
