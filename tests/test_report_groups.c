/* test_report_groups.c - which rows of a table are one curve of a page */
#include "support.h"

#include "gather/groups.h"

#include <string.h>

static arena memory;

static void add(table *t, const char *method, double rtol, double length, const char *jacobian, const char *status)
{
    table_row(t);
    table_text(t, "part", "work");
    table_text(t, "problem", "ball");
    table_text(t, "form", "as-written");
    table_text(t, "method", method);
    table_number(t, "vary_L", "m", length);
    table_number(t, "rtol", "", rtol);
    table_number(t, "atol", "", 2 * rtol);
    table_text(t, "jacobian", jacobian);
    table_text(t, "status", status);
}

static void assert_group(const row_groups *g, int i, const char *label, int rows)
{
    assert_string_equal(g->group[i].label, label);
    assert_int_equal(g->group[i].count, rows);
    assert_true(g->group[i].by_rtol);
}

static int end(void **state)
{
    (void)state;
    arena_free(&memory);
    return 0;
}

/* Levels are one curve, though the absolute tolerance follows them; values of a parameter are several, also of
 * runs that failed. */
static void test_levels(void **state)
{
    table *t = table_new();
    (void)state;
    add(t, "first", 1e-3, 1, "dual", "ok");
    add(t, "first", 1e-4, 1, "dual", "ok");
    add(t, "first", 1e-3, 2, "dual", "ok");
    add(t, "first", 1e-4, 2, "best", "DAE_SINGULAR");
    add(t, "second", 1e-3, 1, "dual", "ok");
    const row_groups g = groups_of(t, 1, &memory);
    assert_int_equal(g.count, 3);
    assert_group(&g, 0, "first L=1", 2);
    assert_group(&g, 1, "first L=2", 2);
    assert_group(&g, 2, "second", 1);
    const row_groups runs = groups_of(t, 0, &memory);
    assert_int_equal(runs.count, 5);
    assert_string_equal(runs.group[1].label, "first L=1 rtol=0.0001");
    table_free(t);
}

/* What a run that was not made would have chosen is not known: it belongs to the others, but where a setting was
 * asked for to that alone. */
static void test_open_settings(void **state)
{
    table *t = table_new();
    (void)state;
    add(t, "first", 1e-3, 1, "best", "not_run");
    add(t, "first", 1e-4, 1, "dual", "ok");
    add(t, "second", 1e-3, 1, "dual", "ok");
    add(t, "second", 1e-3, 1, "fd", "killed");
    const row_groups g = groups_of(t, 1, &memory);
    assert_int_equal(g.count, 3);
    assert_group(&g, 0, "first", 2);
    assert_group(&g, 1, "second jacobian=dual", 1);
    assert_group(&g, 2, "second jacobian=fd", 1);
    table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels), cmocka_unit_test(test_open_settings)};
    return cmocka_run_group_tests(tests, NULL, end);
}
