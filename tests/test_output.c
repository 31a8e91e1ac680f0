/* test_output.c - tables of results in their four forms */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/grid.h"

typedef void print_function(const grid *g, FILE *out);

/* What print writes; to be freed. */
static char *printed(print_function *print, const grid *g)
{
    static char *text;
    static size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print(g, out);
    fclose(out);
    return text;
}

static void assert_printed(print_function *print, const grid *g, const char *expected)
{
    char *text = printed(print, g);
    assert_string_equal(text, expected);
    free(text);
}

/* Two studies, a failed run, and an unfinished last row. */
static grid *sample(void)
{
    grid *g = grid_new();
    grid_column(g, "method", "method", NULL);
    grid_column(g, "error_position", "|e|", "%.2e");
    grid_column(g, "steps", "steps", "%.0f");
    grid_column(g, "note", "note", NULL);
    grid_rule(g);
    grid_text(g, "cros"), grid_number(g, 0.125), grid_number(g, 20), grid_text(g, "fine");
    grid_text(g, "rk4"), grid_number(g, NAN), grid_number(g, 5), grid_text(g, "a \"b\", c|d");
    grid_rule(g);
    grid_text(g, "ida_ggl"), grid_number(g, -INFINITY), grid_text(g, "many"), grid_text(g, NULL);
    grid_text(g, "\xc3\xa9t\xc3\xa9\nx"), grid_number(g, -1e-300);
    assert_false(grid_failed(g));
    return g;
}

static void test_table(void **state)
{
    (void)state;
    grid *g = sample();
    assert_printed(grid_print_table, g,
                   "method          |e|  steps  note\n"
                   "-------  ----------  -----  ----------\n"
                   "cros       1.25e-01     20  fine\n"
                   "rk4               -      5  a \"b\", c|d\n"
                   "-------  ----------  -----  ----------\n"
                   "ida_ggl           -   many  -\n"
                   "\xc3\xa9t\xc3\xa9 x    -1.00e-300      -  -\n");
    grid_free(g);
}

static void test_markdown(void **state)
{
    (void)state;
    grid *g = sample();
    assert_printed(grid_print_markdown, g,
                   "| method | \\|e\\| | steps | note |\n"
                   "|:---|---:|---:|:---|\n"
                   "| cros | 1.25e-01 | 20 | fine |\n"
                   "| rk4 | - | 5 | a \"b\", c\\|d |\n"
                   "| ida_ggl | - | many | - |\n"
                   "| \xc3\xa9t\xc3\xa9 x | -1.00e-300 | - | - |\n");
    grid_free(g);
}

static void test_csv(void **state)
{
    (void)state;
    grid *g = sample();
    assert_printed(grid_print_csv, g,
                   "method,error_position,steps,note\n"
                   "cros,0.125,20,fine\n"
                   "rk4,,5,\"a \"\"b\"\", c|d\"\n"
                   "ida_ggl,,many,\n"
                   "\"\xc3\xa9t\xc3\xa9\nx\",-1e-300,,\n");
    grid_free(g);
    g = grid_new();
    grid_column(g, "a", "a", NULL);
    grid_text(g, "# no comment"), grid_text(g, " x"), grid_text(g, "y\r"), grid_text(g, "");
    assert_printed(grid_print_csv, g, "a\n\"# no comment\"\n\" x\"\n\"y\r\"\n\n");
    grid_free(g);
}

/* Names are characters, and neither formulas of a spreadsheet nor markup. */
static void test_names_that_act(void **state)
{
    (void)state;
    grid *g = grid_new();
    grid_column(g, "=x", "=x", NULL);
    grid_text(g, "=cmd|' /C calc'!A0"), grid_text(g, "+1,2"), grid_text(g, "@sum"), grid_text(g, "-x"), grid_text(g, "-");
    assert_printed(grid_print_csv, g, "'=x\n'=cmd|' /C calc'!A0\n\"'+1,2\"\n'@sum\n'-x\n-\n");
    grid_free(g);
    g = grid_new();
    grid_column(g, "a", "a", NULL);
    grid_text(g, "*x*"), grid_text(g, "_x_ in_word"), grid_text(g, "<b>`c`"), grid_text(g, "[a](b) ~~c~~ &lt;");
    assert_printed(grid_print_markdown, g, "| a |\n|:---|\n| \\*x\\* |\n| \\_x\\_ in_word |\n| \\<b\\>\\`c\\` |\n"
                   "| [a\\](b) \\~\\~c\\~\\~ \\&lt; |\n");
    grid_free(g);
}

static void test_json(void **state)
{
    (void)state;
    grid *g = sample();
    json_t *json = grid_json(g);
    json_t *expected = json_loads(
        "{\"columns\": [\"method\", \"error_position\", \"steps\", \"note\"], \"rows\": ["
        "[\"cros\", 0.125, 20.0, \"fine\"], [\"rk4\", null, 5.0, \"a \\\"b\\\", c|d\"],"
        "[\"ida_ggl\", null, \"many\", null],"
        "[\"\\u00e9t\\u00e9\\nx\", -1e-300, null, null]]}", 0, NULL);
    assert_non_null(expected);
    assert_true(json_equal(json, expected));
    json_decref(json);
    json_decref(expected);
    grid_free(g);
}

/* 15, 16 and 17 digits, the ends of the range, and a wide %f. */
static const double hard[] = {0.1, 1.0 / 3, 0.1 + 0.2, 5e-324, 2.2250738585072011e-308,
                              1.7976931348623157e308, -0.0, 123456789012345678.0, 1e22};
enum { HARD = sizeof hard / sizeof *hard };

static grid *hard_grid(void)
{
    grid *g = grid_new();
    grid_column(g, "x", "x", "%.3f");
    for (int i = 0; i < HARD; i++)
        grid_number(g, hard[i]);
    assert_false(grid_failed(g));
    return g;
}

static void test_read_back(void **state)
{
    (void)state;
    grid *g = hard_grid();
    char *csv = printed(grid_print_csv, g), *next = strchr(csv, '\n');
    json_t *json = grid_json(g);
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
    text = printed(grid_print_table, g);
    assert_non_null(strstr(text, "179769313486231570814527423731704356"));
    free(text);
    grid_free(g);
}

static void test_many_cells(void **state)
{
    (void)state;
    enum { ROWS = 5000 };
    grid *g = grid_new();
    grid_column(g, "i", "i", "%.0f");
    grid_column(g, "s", "s", NULL);
    for (int i = 0; i < ROWS; i++)
        grid_number(g, i), grid_text(g, "text");
    json_t *json = grid_json(g), *list = json_object_get(json, "rows");
    assert_int_equal(json_array_size(list), ROWS);
    assert_true(json_real_value(json_array_get(json_array_get(list, ROWS - 1), 0)) == ROWS - 1);
    json_decref(json);
    grid_free(g);
}

/* A grid without columns, columns after cells, and no grid at all. */
static void test_misuse(void **state)
{
    (void)state;
    grid *g = grid_new();
    assert_printed(grid_print_csv, g, "");
    assert_printed(grid_print_markdown, g, "");
    grid_number(g, 1);
    assert_true(grid_failed(g));
    grid_free(g);
    g = grid_new();
    grid_column(g, "a", "a", NULL);
    grid_number(g, 1);
    grid_column(g, "b", "b", NULL);
    assert_true(grid_failed(g));
    assert_null(grid_json(g));
    grid_free(g);
    grid_number(NULL, 1), grid_text(NULL, ""), grid_column(NULL, "", "", NULL), grid_rule(NULL);
    assert_true(grid_failed(NULL));
    grid_free(NULL);
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
        cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
