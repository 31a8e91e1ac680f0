/* test_order_rows.c - what a page makes of a row of the table of orders: as declared, less, or an error that stays */
#include "support.h"

#include "gather/order_row.h"

#include <math.h>

typedef struct {
    const char *by, *verdict;
    double observed, low, high, declared, error;
    int stays;
    page_tone tone;
} a_row;

static const a_row rows[] = {
    {"step", "agrees", 2.0, 1.95, 2.05, 2, 1e-6, 0, TONE_GOOD},
    {"step", "above", 3.0, 2.95, 3.05, 2, 1e-6, 0, TONE_GOOD},
    {"step", "below", 1.0, 0.95, 1.05, 2, 1e-6, 0, TONE_BAD},
    {"step", "not determined", 2.4, 2.1, 2.9, 2, 1e-6, 0, TONE_NOTE},
    {"step", "no run", NAN, NAN, NAN, 2, NAN, 0, TONE_PLAIN},
    {"step", "agrees", 0.0, -0.02, 0.02, 0, 1.2, 1, TONE_BAD},          /* as declared, and wrong */
    {"step", "below", 0.3, 0.2, 0.4, 2, 1.2, 1, TONE_BAD},
    {"step", "not determined", 0.1, NAN, NAN, 2, 1.2, 0, TONE_NOTE},    /* it may be rounding */
    {"step", "not determined", 0.3, -0.2, 0.8, 2, 1.2, 0, TONE_NOTE},
    {"step", "agrees", 0.0, -0.02, 0.02, 0, 1e-13, 0, TONE_GOOD},       /* rounding of a size of 4 */
    {"rtol", "slope against rtol", 0.4, 0.35, 0.45, NAN, 1e-3, 0, TONE_PLAIN},
    {"rtol", "slope against rtol", 0.0, -0.05, 0.05, NAN, 1e-3, 1, TONE_BAD},
    {"rtol", "slope against rtol", 0.0, -0.05, 0.05, NAN, 1e-12, 0, TONE_PLAIN},    /* at rounding */
    {"rtol", "slope against rtol", 0.0, NAN, NAN, NAN, 1e-3, 0, TONE_PLAIN},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void fill(table *t, const a_row *r)
{
    table_row(t);
    table_text(t, "levels_by", r->by);
    table_text(t, "class", "position");
    table_text(t, "verdict", r->verdict);
    table_number(t, "observed", "", r->observed);
    table_number(t, "low", "", r->low);
    table_number(t, "high", "", r->high);
    table_number(t, "declared", "", r->declared);
    table_number(t, "error_finest", "m", r->error);
    table_number(t, "scale", "m", 4);
}

static void test_rows(void **state)
{
    table *t = table_new();
    (void)state;
    for (int i = 0; i < ROWS; i++)
        fill(t, &rows[i]);
    for (int i = 0; i < ROWS; i++) {
        const order_row o = order_row_at(t, i);
        if (o.stays != rows[i].stays || o.tone != rows[i].tone)
            fail_msg("row %d: stays %d, tone %d", i, o.stays, (int)o.tone);
        assert_int_equal(o.by_rtol, rows[i].by[0] == 'r');
    }
    table_free(t);
}

/* A class after events may be where its reference is zero: its size is that of the class. */
static void test_scale(void **state)
{
    static const a_row first = {"rtol", "", NAN, NAN, NAN, NAN, 1e-3, 0, TONE_PLAIN};
    static const a_row after = {"rtol", "slope against rtol", 0, -0.1, 0.1, NAN, 1e-15, 0, TONE_PLAIN};
    table *t = table_new();
    (void)state;
    fill(t, &first);
    fill(t, &after);
    table_text(t, "class", "position_after_events");
    table_number(t, "scale", "m", 1e-17);
    assert_true(order_row_at(t, 1).scale == 4);
    assert_false(order_row_at(t, 1).stays);
    table_text(t, "form", "another");                   /* not of the pair above */
    assert_true(order_row_at(t, 1).scale == 1e-17);
    assert_true(order_row_at(t, 1).stays);
    table_free(t);
}

static void test_text(void **state)
{
    char text[ORDER_TEXT];
    (void)state;
    assert_string_equal(order_row_text(&(order_row){.observed = NAN}, text), "-");
    assert_string_equal(order_row_text(&(order_row){.observed = -0.001}, text), "0.00");
    assert_string_equal(order_row_text(&(order_row){.observed = -0.5}, text), "-0.50");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_scale),
                                       cmocka_unit_test(test_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
