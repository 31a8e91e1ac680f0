/* test_fitted_tables.c - tables as wide as the terminal: no line is longer, and nothing is lost without a word */
#include "support.h"

#include "table/table_print.h"
#include "table/words.h"

/* What is printed at a width; to be freed. */
static char *fitted(const table *t, size_t width)
{
    static char *text;
    static size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    table_print(t, width, 0, out);
    fclose(out);
    return text;
}

static void assert_fitted(const table *t, size_t width, const char *expected)
{
    char *text = fitted(t, width);
    assert_string_equal(text, expected);
    free(text);
}

static size_t widest(const char *text)
{
    size_t most = 0;
    while (*text) {
        char line[512];
        const size_t bytes = strcspn(text, "\n");
        assert_in_range(bytes, 0, sizeof line - 1);
        snprintf(line, sizeof line, "%.*s", (int)bytes, text);
        most = words_length(line) > most ? words_length(line) : most;
        text += bytes + 1;
    }
    return most;
}

static void has(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' is not in:\n%s", words, text);
}

static const char *const long_reason = "Newton's iteration failed at t = 0.5, however short the step was made";

/* Two runs, one of which failed: a column without values, one that says the same twice. */
static table *runs(void)
{
    table *t = table_new();
    table_head(t, "method", "method", NULL);
    table_head(t, "form", "form", NULL);
    table_head(t, "rtol", "rtol", "%.1e");
    table_head(t, "error", "position", "%.4e");
    table_head(t, "steps", "steps", "%.0f");
    table_head(t, "reason", "reason", NULL);
    table_put_text(t, "first"), table_put_text(t, "index1"), table_put(t, NAN), table_put(t, 1.23456e-5);
    table_put(t, 1000), table_put_text(t, "");
    table_put_text(t, "second"), table_put_text(t, "index1"), table_put(t, NAN), table_put(t, NAN);
    table_put(t, 31), table_put_text(t, long_reason);
    return t;
}

TEST(test_steps)
{
    table *t = runs();
    char *whole = fitted(t, 0), *wide = fitted(t, 200);
    assert_string_equal(whole, wide);
    has(whole, "method  form    rtol");
    free(whole);
    free(wide);
    assert_fitted(t, 60,
                  "in all rows: form index1\n"
                  "method    position  steps  reason\n"
                  "------  ----------  -----  ------\n"
                  "first   1.2346e-05   1000  \n"
                  "second           -     31  [1]\n"
                  "[1] Newton's iteration failed at t = 0.5, however short the\n"
                  "step was made\n"
                  "without a value: rtol\n");
    assert_fitted(t, 30,
                  "in all rows: form index1\n"
                  "method  position  steps\n"
                  "------  --------  -----\n"
                  "first    1.23e-5   1000\n"
                  "second         -     31\n"
                  "\n"
                  "method  reason\n"
                  "------  ------\n"
                  "first   \n"
                  "second  [1]\n"
                  "[1] Newton's iteration failed\n"
                  "at t = 0.5, however short the\n"
                  "step was made\n"
                  "without a value: rtol\n"
                  "with fewer digits, to fit 30 columns\n");
    table_free(t);
}

/* One row stands upright, and no row is a line of titles. */
TEST(test_few_rows)
{
    table *t = table_new();
    table_head(t, "name", "name", NULL);
    table_head(t, "title", "what it is", NULL);
    assert_fitted(t, 10, "name  what it is\n----  ----------\n");
    table_put_text(t, "ladder");
    table_put_text(t, "between a wall and a floor");
    assert_fitted(t, 40, "name    what it is\n------  --------------------------\nladder  between a wall and a "
                         "floor\n");
    assert_fitted(t, 30, "name        ladder\nwhat it is  between a wall and\n            a floor\n");
    table_free(t);
}

/* As many columns as one likes, at every width: each number is there, with three digits at least, and no line
 * is longer than the terminal. */
TEST(test_every_width)
{
    enum { COLUMNS = 40, ROWS = 7 };
    table *t = table_new();
    table_head(t, "name", "name", NULL);
    for (int i = 0; i < COLUMNS; i++) {
        char title[16];
        snprintf(title, sizeof title, "u%d", i);
        table_head(t, title, title, i % 3 ? "%.8e" : "%.0f");
    }
    table_head(t, "words", "words", NULL);
    for (int row = 0; row < ROWS; row++) {
        char name[16];
        snprintf(name, sizeof name, "row%d", row);
        table_put_text(t, name);
        for (int i = 0; i < COLUMNS; i++)
            table_put(t, i % 3 ? (1 + row + 0.01 * i) * pow(10, row - 3) : 100 * row + i);
        table_put_text(t, "some words that are the same for none of the others, and not too few of them");
    }
    for (size_t width = 20; width < 200; width++) {
        char *text = fitted(t, width), number[32];
        if (widest(text) > width && width >= 36)                   /* the sentence on digits is so long */
            fail_msg("%zu of %zu columns:\n%s", widest(text), width, text);
        for (int i = 0; i < COLUMNS; i++)
            for (int row = 0; row < ROWS; row++) {
                if (i % 3)
                    snprintf(number, sizeof number, "%.2f", 1 + row + 0.01 * i);
                else
                    snprintf(number, sizeof number, " %d", 100 * row + i);
                has(text, number);
            }
        has(text, "some");
        has(text, "row6");
        free(text);
    }
    table_free(t);
}

TEST(test_words)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    words_print("one two  three", 7, 0, 2, out);
    words_print("a-long-word is on its own", 6, 0, 0, out);
    words_print("", 6, 0, 0, out);
    words_print("\xc3\xa9t\xc3\xa9 x", 5, 0, 0, out);
    words_print("all on one line", 0, 0, 4, out);
    fclose(out);
    assert_string_equal(text, "one two\n  three\na-long-word\nis on\nits\nown\n\n\xc3\xa9t\xc3\xa9 x\nall on one "
                              "line\n");
    free(text);
}
