/* test_report_large.c - the page of a large study is short enough to open fast, and says what it leaves out */
#include "support.h"

#include "page/writers.h"
#include "publish/publish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 5, FORMS = 5, METHODS = 6 };

static void name(table *t, const char *column, const char *what, int i)
{
    char text[32];
    snprintf(text, sizeof text, "%s%d", what, i);
    table_text(t, column, text);
}

static void pair(table *t, int problem, int form, int method)
{
    table_row(t);
    table_text(t, "part", "orders");
    table_text(t, "kind", "converge");
    name(t, "problem", "problem", problem);
    name(t, "form", "form", form);
    name(t, "method", "method", method);
}

static void run(table *t, int number, int level)
{
    static const char *const classes[] = {"position", "velocity", "multiplier", "multiplier_recovered"};
    const double h = 0.01 / pow(2, level) * (1 + 1e-3 * (number % 7));
    char column[64];
    table_count(t, "run", number);
    table_number(t, "step", "s", h);
    table_text(t, "status", number % 97 ? "ok" : "DAE_SINGULAR");
    table_text(t, "reason", number % 97 ? NULL : "the matrix is singular");
    for (int c = 0; c < 4; c++) {
        snprintf(column, sizeof column, "error_%s", classes[c]);
        table_number(t, column, "m", number % 97 ? 3.3 * pow(h, c % 2 + 1) : NAN);
        snprintf(column, sizeof column, "drift_%s", classes[c]);
        table_number(t, column, "m", 0.7 * h * h);
    }
    table_count(t, "steps", 100L << level);
    table_count(t, "rhs", 777L << level);
    table_number(t, "seconds", "s", 1.234567e-5 * number);
}

static dataset *study_of(int levels)
{
    dataset *d = dataset_new("large", "");
    table *runs = dataset_add(d, "runs");
    int number = 0;
    for (int i = 0; i < PROBLEMS * FORMS * METHODS; i++)
        for (int level = 0; level < levels; level++) {
            pair(runs, i / (FORMS * METHODS), i / METHODS % FORMS, i % METHODS);
            run(runs, ++number, level);
        }
    table *orders = dataset_add(d, "orders");
    for (int i = 0; i < PROBLEMS * FORMS * METHODS; i++) {
        pair(orders, i / (FORMS * METHODS), i / METHODS % FORMS, i % METHODS);
        table_text(orders, "class", "position");
        table_number(orders, "observed", "", 1);
        table_text(orders, "verdict", "agrees");
    }
    assert_true(dataset_whole(d));
    return d;
}

static char *page_of(const dataset *d, size_t *length)
{
    static const char *const file = "large.json";
    char *text = NULL;
    page *p = publish(&d, &file, 1);
    assert_non_null(p);
    assert_false(p->memory.failed);
    FILE *out = open_memstream(&text, length);
    write_html(p, out);
    assert_int_equal(fclose(out), 0);
    page_free(p);
    return text;
}

static int count(const char *text, const char *what)
{
    int found = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        found++;
    return found;
}

/* 1200 runs: everything is there. A panel holds the methods of one formulation. */
static void test_large(void **state)
{
    dataset *d = study_of(8);
    size_t length;
    char *text = page_of(d, &length);
    (void)state;
    assert_in_range(length, 500000, 3000000);
    assert_int_equal(count(text, "<svg class=\"panel-svg\""), PROBLEMS * FORMS * 4);
    assert_int_equal(count(text, "<td>DAE_SINGULAR</td>"), 1200 / 97);
    assert_null(strstr(text, "as the page would be too long"));
    free(text);
    dataset_free(d);
}

/* 6000: rows are left out, with a word. */
static void test_larger(void **state)
{
    dataset *d = study_of(40);
    size_t length;
    char *text = page_of(d, &length);
    (void)state;
    assert_in_range(length, 500000, 8000000);
    assert_non_null(strstr(text, "as the page would be too long"));
    free(text);
    dataset_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_large), cmocka_unit_test(test_larger)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
