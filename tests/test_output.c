/* test_output.c - tables of results in their four forms */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table/table_print.h"

typedef void print_function(const table *t, FILE *out);

static void print_whole(const table *t, FILE *out) { table_print(t, 0, 0, out); }

/* What print writes; to be freed. */
static char *printed(print_function *print, const table *t)
{
    static char *text;
    static size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print(t, out);
    fclose(out);
    return text;
}

static void assert_printed(print_function *print, const table *t, const char *expected)
{
    char *text = printed(print, t);
    assert_string_equal(text, expected);
    free(text);
}

/* Two studies, a failed run, and an unfinished last row. */
static table *sample(void)
{
    table *t = table_new();
    table_head(t, "method", "method", NULL);
    table_head(t, "error_position", "|e|", "%.2e");
    table_head(t, "steps", "steps", "%.0f");
    table_head(t, "note", "note", NULL);
    table_rule(t);
    table_put_text(t, "cros"), table_put(t, 0.125), table_put(t, 20), table_put_text(t, "fine");
    table_put_text(t, "rk4"), table_put(t, NAN), table_put(t, 5), table_put_text(t, "a \"b\", c|d");
    table_rule(t);
    table_put_text(t, "ida_ggl"), table_put(t, -INFINITY), table_put_text(t, "many"), table_put_text(t, NULL);
    table_put_text(t, "\xc3\xa9t\xc3\xa9\nx"), table_put(t, -1e-300);
    return t;
}

static void test_table(void **state)
{
    (void)state;
    table *t = sample();
    assert_printed(print_whole, t,
                   "method          |e|  steps  note\n"
                   "-------  ----------  -----  ----------\n"
                   "cros       1.25e-01     20  fine\n"
                   "rk4               -      5  a \"b\", c|d\n"
                   "-------  ----------  -----  ----------\n"
                   "ida_ggl           -   many  -\n"
                   "\xc3\xa9t\xc3\xa9 x    -1.00e-300      -  -\n");
    table_free(t);
}

static void test_markdown(void **state)
{
    (void)state;
    table *t = sample();
    assert_printed(table_print_markdown, t,
                   "| method | \\|e\\| | steps | note |\n"
                   "|:---|---:|---:|:---|\n"
                   "| cros | 1.25e-01 | 20 | fine |\n"
                   "| rk4 | - | 5 | a \"b\", c\\|d |\n"
                   "| ida_ggl | - | many | - |\n"
                   "| \xc3\xa9t\xc3\xa9 x | -1.00e-300 | - | - |\n");
    table_free(t);
}

static void test_csv(void **state)
{
    (void)state;
    table *t = sample();
    assert_printed(table_print_csv, t,
                   "method,error_position,steps,note\n"
                   "cros,0.125,20,fine\n"
                   "rk4,,5,\"a \"\"b\"\", c|d\"\n"
                   "ida_ggl,,many,\n"
                   "\"\xc3\xa9t\xc3\xa9\nx\",-1e-300,,\n");
    table_free(t);
    t = table_new();
    table_head(t, "a", "a", NULL);
    table_put_text(t, "# no comment"), table_put_text(t, " x"), table_put_text(t, "y\r"), table_put_text(t, "");
    assert_printed(table_print_csv, t, "a\n\"# no comment\"\n\" x\"\n\"y\r\"\n\n");
    table_free(t);
}

/* Names are characters, and neither formulas of a spreadsheet nor markup. */
static void test_names_that_act(void **state)
{
    (void)state;
    table *t = table_new();
    table_head(t, "=x", "=x", NULL);
    const char *const formulas[] = {"=cmd|' /C calc'!A0", "+1,2", "@sum", "-x", "-"};
    for (int i = 0; i < 5; i++)
        table_put_text(t, formulas[i]);
    assert_printed(table_print_csv, t, "'=x\n'=cmd|' /C calc'!A0\n\"'+1,2\"\n'@sum\n'-x\n-\n");
    table_free(t);
    t = table_new();
    table_head(t, "a", "a", NULL);
    const char *const markup[] = {"*x*", "_x_ in_word", "<b>`c`", "[a](b) ~~c~~ &lt;"};
    for (int i = 0; i < 4; i++)
        table_put_text(t, markup[i]);
    assert_printed(table_print_markdown, t, "| a |\n|:---|\n| \\*x\\* |\n| \\_x\\_ in_word |\n| \\<b\\>\\`c\\` |\n"
                   "| [a\\](b) \\~\\~c\\~\\~ \\&lt; |\n");
    table_free(t);
}

static void test_json(void **state)
{
    (void)state;
    table *t = sample();
    json_t *json = table_json(t);
    json_t *expected = json_loads(
        "{\"columns\": [\"method\", \"error_position\", \"steps\", \"note\"], "
        "\"units\": [\"\", \"\", \"\", \"\"], \"roles\": [\"\", \"\", \"\", \"\"], \"rows\": ["
        "[\"cros\", 0.125, 20.0, \"fine\"], [\"rk4\", null, 5.0, \"a \\\"b\\\", c|d\"],"
        "[\"ida_ggl\", null, \"many\", null],"
        "[\"\\u00e9t\\u00e9\\nx\", -1e-300, null, null]]}", 0, NULL);
    assert_non_null(expected);
    assert_true(json_equal(json, expected));
    json_decref(json);
    json_decref(expected);
    table_free(t);
}

/* 15, 16 and 17 digits, the ends of the range, and a wide %f. */
static const double hard[] = {0.1, 1.0 / 3, 0.1 + 0.2, 5e-324, 2.2250738585072011e-308,
                              1.7976931348623157e308, -0.0, 123456789012345678.0, 1e22};
enum { HARD = sizeof hard / sizeof *hard };

static table *hard_table(void)
{
    table *t = table_new();
    table_head(t, "x", "x", "%.3f");
    for (int i = 0; i < HARD; i++)
        table_put(t, hard[i]);
    return t;
}

static void test_read_back(void **state)
{
    (void)state;
    table *t = hard_table();
    char *csv = printed(table_print_csv, t), *next = strchr(csv, '\n');
    json_t *json = table_json(t);
    char *text = json_dumps(json, JSON_REAL_PRECISION(17));
    json_t *again = json_loads(text, 0, NULL);
    assert_memory_equal(csv, "x\n0.1\n", 6);
    for (int i = 0; i < HARD; i++) {
        const double from_csv = strtod(next, &next);
        const double from_json = json_real_value(
            json_array_get(json_array_get(json_object_get(again, "rows"), (size_t)i), 0));
        assert_memory_equal(&from_csv, &hard[i], sizeof from_csv);
        assert_memory_equal(&from_json, &hard[i], sizeof from_json);
    }
    assert_string_equal(next, "\n");
    json_decref(json);
    json_decref(again);
    free(text);
    free(csv);
    text = printed(print_whole, t);
    assert_non_null(strstr(text, "179769313486231570814527423731704356"));
    free(text);
    table_free(t);
}

static void test_many_cells(void **state)
{
    (void)state;
    enum { ROWS = 5000 };
    table *t = table_new();
    table_head(t, "i", "i", "%.0f");
    table_head(t, "s", "s", NULL);
    for (int i = 0; i < ROWS; i++)
        table_put(t, i), table_put_text(t, "text");
    json_t *json = table_json(t), *list = json_object_get(json, "rows");
    assert_int_equal(json_array_size(list), ROWS);
    assert_true(json_real_value(json_array_get(json_array_get(list, ROWS - 1), 0)) == ROWS - 1);
    json_decref(json);
    table_free(t);
}

/* A table without columns. */
static void test_nothing(void **state)
{
    (void)state;
    table *t = table_new();
    assert_printed(table_print_csv, t, "");
    assert_printed(table_print_markdown, t, "");
    table_free(t);
    table_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_names_that_act), cmocka_unit_test(test_json),
        cmocka_unit_test(test_read_back),
        cmocka_unit_test(test_many_cells),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
